/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of metrics: a panel per kind and unit, several runs in one plot; and of spectra. */
#include "report/figure/figure-private.h"
#include "report/plot/curve-plots-private.h"
#include "report/plot/spectra.h"
#include "report/text/number.h"
#include "report/text/run-metrics.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#define NARROW   46.0 /* relative to the font size: narrower figures have one column */
#define GAP      2.0  /* between panels, relative to the font size */
#define HEIGHT   0.62 /* of a panel, relative to its width */
#define MOST     12   /* number of panels */
#define SPECTRUM 0.6

static gsize
count_columns(const LacFigurePlace *place, gsize n)
{
  return n > 1 && place->width > NARROW * place->font_size ? 2 : 1;
}

static double
panel_width(const LacFigurePlace *place, gsize n_columns)
{
  return (place->width - (double) (n_columns - 1) * GAP * place->font_size) / (double) n_columns;
}

static GArray *
collect(const LacFigureScene *scene, gsize most)
{
  g_auto(GStrv) names = lac_figure_dup_names(scene);

  return scene->n_runs > 1
           ? lac_curve_plots_new_joint(scene->runs, scene->n_runs, (const char *const *) names,
                                       scene->spec->against_seconds, most)
           : lac_curve_plots_new(scene->runs[0], scene->spec->against_seconds);
}

static void
draw_panel(LacDrawing           *drawing,
           const LacFigureScene *scene,
           const LacCurvePlot   *plot,
           LacCurvePlace         place,
           char                  letter)
{
  const LacFrame *frame = scene->is_film ? scene->frames[0] : NULL;

  if (letter != '\0')
    lac_figure_draw_title(drawing, (LacPoint){place.x, place.y + place.font_size}, place.width,
                          place.font_size, letter, "");
  if (letter != '\0' && plot->n == 1 &&
      !plot->is_joint) { /* no legend shares the row of the letter */
    place.y += place.font_size;
    place.height -= place.font_size;
  }
  place.x_label = scene->spec->against_seconds ? _("compute time (s)") : _("step");
  place.has_mark = frame != NULL;
  place.mark = frame == NULL                  ? 0
               : scene->spec->against_seconds ? frame->seconds
                                              : (double) frame->step;
  lac_curve_plot_draw(drawing, scene->runs[0], plot, &place, &lac_palette_paper);
}

static char *
make_caption(const LacFigureScene *scene)
{
  const LacRunFile *run = scene->runs[0];
  GString          *text = g_string_new(NULL);
  g_autofree char  *seconds = lac_duration_text(run->seconds);

  g_autofree char *steps = g_strdup_printf("%" G_GINT64_FORMAT, run->steps);

  g_string_printf(text,
                  scene->spec->against_seconds
                    ? _("%s (%s): metrics over compute time, %s steps in %s.")
                    : _("%s (%s): metrics over steps, %s steps in %s."),
                  lac_word(run->title), run->experiment, steps, seconds);
  lac_figure_append_runs(scene, text);
  return g_string_free(text, FALSE);
}

/* Returns the height of the row of panels from @from on. */
static double
row_height(GArray *plots, gsize from, gsize to, double width, double font_size)
{
  double extra = 0;

  for (gsize i = from; i < to; i++)
    extra = MAX(
      extra, lac_curve_plot_extra_height(&g_array_index(plots, LacCurvePlot, i), width, font_size));
  return HEIGHT * width + extra;
}

double
lac_figure_draw_curves(LacDrawing           *drawing,
                       const LacFigureScene *scene,
                       const LacFigurePlace *place)
{
  g_autoptr(GArray) plots = collect(scene, MOST);
  const double      size = place->font_size;
  double            top = place->y, bottom = place->y;

  const gsize  n = MIN(plots->len, MOST), n_columns = count_columns(place, n);
  const double width = panel_width(place, n_columns);
  for (gsize i = 0; i < n; i++) {
    const gsize column = i % n_columns;

    if (column == 0) {
      top = i == 0 ? place->y : bottom + GAP * size;
      bottom = top + row_height(plots, i, MIN(i + n_columns, n), width, size);
    }
    const LacCurvePlace at = {
      .x = place->x + (double) column * (width + GAP * size),
      .y = top,
      .width = width,
      .height = bottom - top,
      .font_size = size,
    };

    if (drawing != NULL)
      draw_panel(drawing, scene, &g_array_index(plots, LacCurvePlot, i), at,
                 n > 1 ? (char) ('a' + (int) i) : '\0');
  }
  g_autofree char *caption = make_caption(scene);
  bottom += lac_figure_draw_caption(drawing, place, bottom, caption);
  return bottom - place->y;
}

/* ---- common curve of several runs, below their fields ---- */

double
lac_figure_draw_key_curve(LacDrawing           *drawing,
                          const LacFigureScene *scene,
                          const LacFigurePlace *place)
{
  g_autoptr(GArray)   plots = collect(scene, 1);
  const LacCurvePlace at = {
    .x = place->x,
    .y = place->y,
    .width = place->width,
    .height = 0.25 * place->width + 4 * place->font_size,
    .font_size = place->font_size,
  };

  if (plots->len == 0)
    return 0;
  if (drawing != NULL)
    draw_panel(drawing, scene, &g_array_index(plots, LacCurvePlot, 0), at, place->letter);
  return at.height;
}

/* ---- spectra ---- */

const char *
lac_figure_scene_get_quantity(const LacFigureScene *scene)
{
  const LacRunFile *run = scene->runs[0];
  gssize            channel =
    scene->spec->channel != NULL ? lac_run_file_find_channel(run, scene->spec->channel) : -1;

  if (channel < 0)
    return NULL;
  return run->channels[channel].quantity != NULL ? run->channels[channel].quantity
                                                 : run->channels[channel].key;
}

static char *
dup_spectrum_caption(const LacRunFile *run, gint64 step, const LacSpectra *spectra)
{
  gboolean with_errors = FALSE;
  GString *text = g_string_new(NULL);
  for (gsize i = 0; spectra != NULL && i < spectra->n_spectra; i++)
    with_errors |= spectra->spectra[i].is_error;
  g_autofree char *when = g_strdup_printf("%" G_GINT64_FORMAT, step);
  const gboolean   is_energy = spectra != NULL && spectra->is_energy;
  const char      *what =
    is_energy
           ? _("%s (%s), step %s: energy of the true field and the reconstructions by wavenumber.")
         : with_errors
           ? _("%s (%s), step %s: power of the true field and the reconstructions by wavenumber.")
           : _("%s (%s), step %s: power of the fields shown, by wavenumber.");
  g_string_printf(text, what, lac_word(run->title), run->experiment, when);
  if (with_errors)
    g_string_append(text, _(" Dashed: their errors."));
  if (spectra != NULL && spectra->is_windowed)
    g_string_append(text, _(" Hann window applied, since the field is not periodic."));
  return g_string_free(text, FALSE);
}

double
lac_figure_draw_spectrum(LacDrawing           *drawing,
                         const LacFigureScene *scene,
                         const LacFigurePlace *place)
{
  const LacRunFile     *run = scene->runs[0];
  g_auto(LacRunMetrics) declared = {0};
  g_autoptr(LacSpectra) spectra = NULL;
  const LacSpectraPlace at = {
    .x = place->x,
    .y = place->y,
    .width = place->width,
    .height = SPECTRUM * place->width,
    .font_size = place->font_size,
    .legend = TRUE,
  };

  lac_run_metrics_init(&declared, run);
  spectra =
    lac_spectra_new(&(LacSpectraOf){declared.channels, declared.n_channels, scene->frames[0],
                                    lac_figure_scene_get_quantity(scene)});
  if (drawing != NULL && spectra != NULL)
    lac_spectra_draw(drawing, spectra, &at, &lac_palette_paper);
  g_autofree char *caption = dup_spectrum_caption(run, scene->frames[0]->step, spectra);
  return at.height + lac_figure_draw_caption(drawing, place, place->y + at.height, caption);
}
