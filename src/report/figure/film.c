/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Films: first the scales of the whole run, then one picture per frame, into a video or a folder. */
#include "report/figure/film.h"

#include "base/error.h"
#include "base/number-display.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/figure/figure-private.h"
#include "report/figure/film-encoder.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <math.h>

#define WIDTH     520.0 /* width of a picture in points */
#define MARGIN    8.0
#define FONT      8.0
#define HEADER    16.0 /* title and step */
#define MEASURING 0.1  /* share of the progress for finding the scales */

typedef struct {
  const LacRunFile  *run;
  const LacFilmSpec *spec;
  LacFigureSpec      figure;
  LacFigureScene     scene;
  LacFigureScales    scales;
  LacVolumeView      volume_view;
  double             rate;
  cairo_surface_t   *picture;
  double             zoom; /* pixels per point */
  LacEncoder        *encoder;
  const char        *folder; /* NULL: uses the encoder */
} Film;

static gboolean
report_progress(const Film *film, double share, GError **error)
{
  if (!film->spec->progress || film->spec->progress(share, film->spec->user_data))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "the film was cancelled");
  return FALSE;
}

/* Finds the common colour scales, for kinds of figures with scales. */
static gboolean
measure(Film *film, GError **error)
{
  const LacRunFile *run = film->run;

  for (gsize i = 0; i < run->n_frames; i++) {
    LacFigureScales scales;

    if (!lac_figure_scene_load(&film->scene, i, error))
      return FALSE;
    scales = lac_figure_scene_measure(&film->scene);
    film->scales = i == 0 ? scales : lac_figure_join(&film->scales, &scales);
    if (!report_progress(film, MEASURING * (double) (i + 1) / (double) run->n_frames, error))
      return FALSE;
  }
  return TRUE;
}

/* Returns: the height in points. @drawing: (nullable): measures only. */
static double
draw(const Film *film, LacDrawing *drawing)
{
  const LacFigurePlace place = {
    .x = MARGIN,
    .y = MARGIN + HEADER,
    .width = WIDTH - 2 * MARGIN,
    .font_size = FONT,
    .channel = film->scene.channels[0],
    .scales = &film->scales,
    .volume_view = &film->volume_view,
    .scale_bar = !film->figure.without_scale_bar,
    .look = &film->figure.look,
  };
  g_autofree char *step = g_strdup_printf("step %" G_GINT64_FORMAT, film->scene.frames[0]->step);

  if (drawing) {
    lac_draw_text_bold(drawing, MARGIN, MARGIN + FONT, LAC_ALIGN_LEFT, FONT,
                       lac_palette_paper.foreground, film->run->title);
    lac_draw_text(drawing, WIDTH - MARGIN, MARGIN + FONT, LAC_ALIGN_RIGHT, FONT,
                  lac_palette_paper.foreground, step);
  }
  return MARGIN + HEADER + lac_figure_scene_draw(&film->scene, drawing, &place);
}

static void
paint(const Film *film)
{
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  cairo_t              *cairo = cairo_create(film->picture);

  draw(film, drawing);
  cairo_set_source_rgb(cairo, 1, 1, 1);
  cairo_paint(cairo);
  cairo_scale(cairo, film->zoom, film->zoom);
  lac_drawing_paint(drawing, cairo);
  cairo_destroy(cairo);
}

static gboolean
keep(const Film *film, gsize i, GError **error)
{
  g_autofree char *name = NULL, *path = NULL;
  cairo_status_t   status;

  if (!film->folder)
    return lac_encoder_add(film->encoder, film->picture, error);
  name = g_strdup_printf("%06" G_GSIZE_FORMAT ".png", i + 1);
  path = g_build_filename(film->folder, name, NULL);
  status = cairo_surface_write_to_png(film->picture, path);
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  g_set_error(error, LAC_ERROR, errno == ENOSPC ? LAC_ERROR_DISK_FULL : LAC_ERROR_UNWRITABLE,
              "%s cannot be written: %s", path, cairo_status_to_string(status));
  return FALSE;
}

static gboolean
write_frames(Film *film, GError **error)
{
  const LacRunFile *run = film->run;

  for (gsize i = 0; i < run->n_frames; i++) {
    if (!lac_figure_scene_load(&film->scene, i, error))
      return FALSE;
    paint(film);
    lac_orbit_rotate(&film->volume_view.orbit, 2 * G_PI / (double) run->n_frames, 0);
    if (!keep(film, i, error) ||
        !report_progress(
          film, MEASURING + (1 - MEASURING) * (double) (i + 1) / (double) run->n_frames, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_webm(Film *film, const char *path, GError **error)
{
  const LacRunFile  *run = film->run;
  g_autofree char   *partial = g_strconcat(path, ".part", NULL);
  g_autofree char   *name = g_path_get_basename(run->path);
  g_autofree char   *comment = g_strdup_printf("Lacuna, %s, run %s", run->experiment, name);
  LacEncoderSettings settings = {
    .width = cairo_image_surface_get_width(film->picture),
    .height = cairo_image_surface_get_height(film->picture),
    .frames_per_second = film->rate,
    .title = run->title,
    .comment = comment,
  };
  gboolean done;

  film->encoder = lac_encoder_new(partial, &settings, error);
  if (!film->encoder)
    return FALSE;
  done = write_frames(film, error) && lac_encoder_finish(film->encoder, error);
  lac_encoder_free(film->encoder);
  if (done && g_rename(partial, path) == 0)
    return TRUE;
  if (done)
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, "%s cannot be written: %s", path,
                g_strerror(errno));
  g_unlink(partial);
  return FALSE;
}

static gboolean
make_picture(Film *film, GError **error)
{
  const gsize width = film->spec->width ? film->spec->width : 1280;
  double      height;

  if (!lac_figure_scene_load(&film->scene, 0, error))
    return FALSE;
  film->zoom = (double) (width / 2 * 2) / WIDTH;
  height = ceil((draw(film, NULL) + MARGIN) * film->zoom / 2) * 2;
  film->picture =
    cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int) (width / 2 * 2), (int) height);
  return TRUE;
}

static gboolean
choose_place(Film *film, const char *path, GError **error)
{
  if (g_str_has_suffix(path, ".webm"))
    return TRUE;
  if (!g_str_has_suffix(path, "/")) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%s: the name of a film must end in .webm, or in a slash for a folder of pictures",
                path);
    return FALSE;
  }
  film->folder = path;
  if (g_mkdir_with_parents(path, 0777) == 0)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, "cannot create %s: %s", path,
              g_strerror(errno));
  return FALSE;
}

static gboolean
film_init(Film              *film,
          LacRunFile *const *runs,
          gsize              n_runs,
          const LacFilmSpec *spec,
          GError           **error)
{
  *film = (Film){
    .run = runs[0],
    .spec = spec,
    .rate = spec->frames_per_second > 0 ? spec->frames_per_second : 12,
  };
  if (spec->figure)
    lac_figure_spec_copy(spec->figure, &film->figure);
  lac_figure_spec_resolve(&film->figure);
  film->volume_view = film->figure.volume_view;
  if (!lac_figure_scene_init(&film->scene, runs, n_runs, &film->figure, error))
    return FALSE;
  film->scene.is_film = TRUE;
  if (film->figure.kind == LAC_FIGURE_PHASES || film->figure.kind == LAC_FIGURE_FLAME) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "a figure of the kind %s is the same at every step; no film is made of it",
                lac_figure_kind_word(film->figure.kind));
    return FALSE;
  }
  if (runs[0]->n_frames > 0)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s has no saved frame to show: it ended before the first one", runs[0]->path);
  return FALSE;
}

gboolean
lac_film_write(LacRunFile *const *runs,
               gsize              n_runs,
               const LacFilmSpec *spec,
               const char        *path,
               GError           **error)
{
  LAC_NUMBERS_WITH_POINTS;
  Film     film;
  gboolean done;

  g_return_val_if_fail(runs != NULL && n_runs > 0 && spec != NULL && path != NULL, FALSE);
  done = film_init(&film, runs, n_runs, spec, error) && choose_place(&film, path, error) &&
         measure(&film, error) && make_picture(&film, error) &&
         (film.folder ? write_frames(&film, error) : write_webm(&film, path, error));
  g_clear_pointer(&film.picture, cairo_surface_destroy);
  lac_figure_scene_clear(&film.scene);
  lac_figure_spec_clear(&film.figure);
  return done;
}
