/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Films: a picture for every saved frame, with one common scale; a WebM that other programs can read. */
#include "base/error.h"
#include "report/figure/figure.h"
#include "report/figure/film.h"
#include "report/helpers/run-fixture.h"

#include <cairo.h>
#include <glib/gstdio.h>

#include <string.h>

static gboolean
write_film(const RunFixture *fixture, const LacFilmSpec *spec, const char *path, GError **error)
{
  g_autofree char *whole = g_strconcat(fixture->parent, "/", path, NULL);

  return lac_film_write(&fixture->run, 1, spec, whole, error);
}

static void
test_pictures(RunFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const LacFilmSpec spec = {.width = 641};
  g_autoptr(GError) error = NULL;

  g_assert_true(write_film(fixture, &spec, "pictures/", &error));
  g_assert_no_error(error);
  for (gsize i = 0; i <= fixture->run->n_frames; i++) {
    g_autofree char *path = g_strdup_printf("%s/pictures/%06d.png", fixture->parent, (int) i + 1);
    cairo_surface_t *picture;

    g_assert_true(g_file_test(path, G_FILE_TEST_EXISTS) == (i < fixture->run->n_frames));
    if (i == fixture->run->n_frames)
      break;
    picture = cairo_image_surface_create_from_png(path);
    g_assert_cmpint(cairo_image_surface_get_width(picture), ==, 640);
    g_assert_cmpint(cairo_image_surface_get_height(picture) % 2, ==, 0);
    cairo_surface_destroy(picture);
    g_unlink(path);
  }
}

/* The cells of panel @n under @scales. */
static GBytes *
draw_panel(const RunFixture *fixture, const LacFrame *frame, gsize n, const LacFigureScales *scales)
{
  const LacFigurePlace  place = {0, 0, 500, 7, 1, FALSE, scales};
  g_autoptr(LacDrawing) drawing = lac_drawing_new();

  lac_figure_draw(drawing, fixture->run, frame, &place);
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);

    if (item->kind == LAC_DRAW_IMAGE && item->image_width == FIXTURE_NX && n-- == 0)
      return g_bytes_new(item->pixels, item->image_width * item->image_height * 4);
  }
  g_assert_not_reached();
}

/* A frame drawn with its own scales is unchanged; wider scales change its colours. */
static void
test_scales(RunFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const LacFigureScales a = {-100, 2, 0.5}, b = {-3, 100, 70};
  const LacFigureScales joint = lac_figure_join(&a, &b);
  g_autoptr(LacFrame)   frame = lac_run_file_load_frame(fixture->run, 0, NULL);
  const LacFigureScales scales = lac_figure_measure(fixture->run, frame, 1, NULL);

  g_assert_cmpfloat(joint.low, ==, -100);
  g_assert_cmpfloat(joint.high, ==, 100);
  g_assert_cmpfloat(joint.error_high, ==, 70);
  for (gsize n = 0; n < 4; n++) {
    g_autoptr(GBytes) plain = draw_panel(fixture, frame, n, NULL);
    g_autoptr(GBytes) own = draw_panel(fixture, frame, n, &scales);
    g_autoptr(GBytes) wide = draw_panel(fixture, frame, n, &joint);

    g_assert_true(g_bytes_equal(plain, own));
    g_assert_false(g_bytes_equal(plain, wide));
  }
}

static gboolean
stop_half_way(double share, gpointer user_data G_GNUC_UNUSED)
{
  return share < 0.5;
}

static gboolean
holds(const char *bytes, gsize length, const char *word)
{
  for (gsize i = 0; i + strlen(word) <= length; i++)
    if (memcmp(bytes + i, word, strlen(word)) == 0)
      return TRUE;
  return FALSE;
}

static void
test_webm(RunFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const LacFilmSpec spec = {.width = 320}, given_up = {.width = 320, .progress = stop_half_way};
  g_autoptr(GError) error = NULL, stopped = NULL;
  g_autofree char  *path = g_build_filename(fixture->parent, "film.webm", NULL);
  g_autofree char  *bytes = NULL;
  gsize             length;

  if (!write_film(fixture, &spec, "film.webm", &error)) {
    g_assert_error(error, LAC_ERROR, LAC_ERROR_NOT_IN_VERSION);
    g_test_skip(error->message);
    return;
  }
  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  g_assert_cmpuint(length, >, 1000);
  g_assert_cmpmem(bytes, 4, "\x1a\x45\xdf\xa3", 4); /* EBML */
  g_assert_true(holds(bytes, 64, "webm"));
  g_assert_true(holds(bytes, length, "V_VP9"));
  g_unlink(path);
  g_assert_false(write_film(fixture, &given_up, "film.webm", &stopped));
  g_assert_error(stopped, LAC_ERROR, LAC_ERROR_FAILED);
  g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

static void
test_refused(RunFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const LacFigureSpec nothing = {.channel = (char *) "nothing"};
  const LacFilmSpec   spec = {0}, other = {.figure = &nothing};
  g_autoptr(GError)   ending = NULL, channel = NULL, folder = NULL;

  g_assert_false(write_film(fixture, &spec, "film.mov", &ending));
  g_assert_error(ending, LAC_ERROR, LAC_ERROR_USAGE);
  g_assert_false(write_film(fixture, &other, "film.webm", &channel));
  g_assert_error(channel, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
  g_assert_false(lac_film_write(&fixture->run, 1, &spec, "/proc/none/", &folder));
  g_assert_error(folder, LAC_ERROR, LAC_ERROR_UNWRITABLE);
}

static void
set_up(RunFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  run_fixture_set_up(fixture, 8);
}

static void
tear_down(RunFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  run_fixture_tear_down(fixture);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add("/report/film/a-picture-for-every-frame", RunFixture, NULL, set_up, test_pictures,
             tear_down);
  g_test_add("/report/film/one-scale-for-all-frames", RunFixture, NULL, set_up, test_scales,
             tear_down);
  g_test_add("/report/film/a-webm-is-whole-or-not-there", RunFixture, NULL, set_up, test_webm,
             tear_down);
  g_test_add("/report/film/endings-channels-and-folders-are-checked", RunFixture, NULL, set_up,
             test_refused, tear_down);
  return g_test_run();
}
