/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure as a file, with the side file that reproduces it. */
#include "report/figure/figure.h"

#include "base/error.h"
#include "base/number-display.h"
#include "report/canvas/paper-layout-private.h"
#include "report/figure/figure-private.h"

#define MARGIN    4.0 /* points */
#define LINE_UNIT 0.6 /* points; line width of a frame in drawings */

struct _LacFigure {
  LacFigureSpec spec;
  LacDrawing   *drawing;
  double        width, height; /* points */
  char         *title, *subject, *keywords, *created, *source;
};

static LacPaperLayout
make_sheet(const LacFigure *figure)
{
  return (LacPaperLayout){
    .width = figure->width,
    .height = figure->height,
    .dpi = figure->spec.dpi,
    .is_clear = figure->spec.transparent,
    .facts = {figure->title, figure->subject, figure->keywords, figure->created, figure->source},
  };
}

/* Returns the start time without fractional seconds, which PDF lacks. */
static char *
dup_moment(const char *started)
{
  g_autoptr(GDateTime) moment =
    started != NULL ? g_date_time_new_from_iso8601(started, NULL) : NULL;

  return moment != NULL ? g_date_time_format(moment, "%Y-%m-%dT%H:%M:%S%:z") : NULL;
}

static void
describe(LacFigure *figure, const LacFigureScene *scene)
{
  const LacRunFile  *run = scene->runs[0];
  g_autofree char   *name = g_path_get_basename(run->path);
  g_autoptr(GString) keywords = g_string_new(name);
  g_autoptr(GString) subject = g_string_new(NULL);

  figure->title = scene->frames[0] != NULL ? g_strdup_printf("%s, step %" G_GINT64_FORMAT,
                                                             run->title, scene->frames[0]->step)
                                           : g_strdup(run->title);
  g_string_printf(subject, "Figure of the run %s (%s)", name, run->experiment);
  for (gsize r = 1; r < scene->n_runs; r++) {
    g_autofree char *other = g_path_get_basename(scene->runs[r]->path);
    g_string_append_printf(subject, "%s %s", r == 1 ? " beside" : ",", other);
  }
  for (gsize i = 0; i < run->n_facts; i++)
    g_string_append_printf(keywords, "; %s: %s", run->facts[i].key, run->facts[i].value);
  figure->subject = g_string_free(g_steal_pointer(&subject), FALSE);
  figure->keywords = g_string_free(g_steal_pointer(&keywords), FALSE);
  figure->created = dup_moment(run->started);
  figure->source = lac_figure_spec_dup_text(&figure->spec, scene->runs, scene->n_runs);
}

static void
lay_out(LacFigure *figure, const LacFigureScene *scene)
{
  const LacFigureSpec *spec = &figure->spec;
  const LacFigurePlace place = {
    .x = MARGIN,
    .y = MARGIN,
    .width = spec->width_mm * LAC_POINTS_PER_MM - 2 * MARGIN,
    .font_size = spec->font_size,
    .channel = scene->channels[0],
    .caption = spec->caption == NULL || *spec->caption != '\0',
    .caption_text = spec->caption,
    .volume_view = &spec->volume_view,
    .scale_bar = !spec->without_scale_bar,
    .look = &spec->look,
  };

  figure->drawing = lac_drawing_new();
  figure->width = spec->width_mm * LAC_POINTS_PER_MM;
  figure->height = lac_figure_scene_draw(scene, figure->drawing, &place) + 2 * MARGIN;
  lac_drawing_scale_lines(figure->drawing, spec->line_width / LINE_UNIT);
}

/* Loads the frame nearest to @step, for the kinds that need one. */
static gboolean
load(LacFigureScene *scene, GError **error)
{
  if (scene->spec->kind == LAC_FIGURE_PHASES || scene->spec->kind == LAC_FIGURE_FLAME)
    return TRUE;
  gint64 step = scene->spec->step < 0 ? G_MAXINT64 : scene->spec->step;
  gssize kept = lac_run_file_find_frame(scene->runs[0], step);

  if (kept >= 0)
    return lac_figure_scene_load(scene, (gsize) kept, error);
  if (scene->spec->kind == LAC_FIGURE_CURVES || lac_figure_is_of_records(scene->spec->kind))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s has no saved frame to draw: it ended before the first one", scene->runs[0]->path);
  return FALSE;
}

LacFigure *
lac_figure_new(LacRunFile *const *runs, gsize n_runs, const LacFigureSpec *spec, GError **error)
{
  g_return_val_if_fail(runs != NULL && n_runs >= 1 && spec != NULL, NULL);
  LAC_NUMBERS_WITH_POINTS;
  g_autoptr(LacFigure) figure = g_new0(LacFigure, 1);
  LacFigureScene       scene;

  lac_figure_spec_copy(spec, &figure->spec);
  lac_figure_spec_resolve(&figure->spec);
  if (!lac_figure_scene_init(&scene, runs, n_runs, &figure->spec, error))
    return NULL;
  if (!load(&scene, error)) {
    lac_figure_scene_clear(&scene);
    return NULL;
  }
  if (scene.frames[0] != NULL)
    figure->spec.step = scene.frames[0]->step;
  if (scene.frames[0] != NULL && lac_figure_scene_has_channel(&scene)) {
    const LacRunChannel *shown = &scene.runs[0]->channels[scene.channels[0]];
    g_free(figure->spec.channel);
    figure->spec.channel = g_strdup(shown->key);
    figure->spec.has_view = shown->layers.n > 0;
  }
  lac_figure_spec_fill_from_runs(&figure->spec, runs, n_runs);
  lay_out(figure, &scene);
  describe(figure, &scene);
  lac_figure_scene_clear(&scene);
  return g_steal_pointer(&figure);
}

void
lac_figure_free(LacFigure *figure)
{
  if (figure == NULL)
    return;
  lac_figure_spec_clear(&figure->spec);
  lac_drawing_free(figure->drawing);
  g_free(figure->title);
  g_free(figure->subject);
  g_free(figure->keywords);
  g_free(figure->created);
  g_free(figure->source);
  g_free(figure);
}

const LacDrawing *
lac_figure_get_drawing(const LacFigure *figure)
{
  return figure->drawing;
}

const LacFigureSpec *
lac_figure_get_spec(const LacFigure *figure)
{
  return &figure->spec;
}

void
lac_figure_get_size(const LacFigure *figure, double *width_mm, double *height_mm)
{
  *width_mm = figure->width / LAC_POINTS_PER_MM;
  *height_mm = figure->height / LAC_POINTS_PER_MM;
}

gboolean
lac_figure_save(const LacFigure *figure, const char *path, GError **error)
{
  g_return_val_if_fail(figure != NULL && path != NULL, FALSE);
  g_autofree char *beside = g_strconcat(path, ".json", NULL);
  LacPaperLayout   sheet = make_sheet(figure);

  return lac_paper_layout_write(figure->drawing, &sheet, path, error) &&
         lac_text_write(beside, figure->source, error);
}

gboolean
lac_figure_write(LacRunFile *const   *runs,
                 gsize                n_runs,
                 const LacFigureSpec *spec,
                 const char          *path,
                 GError             **error)
{
  g_autoptr(LacFigure) figure = lac_figure_new(runs, n_runs, spec, error);

  return figure != NULL && lac_figure_save(figure, path, error);
}
