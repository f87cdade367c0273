/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure files: exact colours, embedded fonts, sizes in millimetres, reproduced from their side file. */
#include "base/error.h"
#include "field/frame.h"
#include "helpers/missing.h"
#include "report/canvas/canvas.h"
#include "report/canvas/colour-map.h"
#include "report/figure/figure.h"
#include "report/helpers/run-fixture.h"

#include <math.h>
#include <string.h>

static char *
write_figure(const RunFixture *fixture, const char *name)
{
  g_autoptr(GError) error = NULL;
  char             *path = g_build_filename(fixture->parent, name, NULL);
  lac_figure_write(&fixture->run, 1, &(LacFigureSpec){.step = -1}, path, &error);
  g_assert_no_error(error);
  return path;
}

/* Every cell of every panel has the colour of its map and scale. */
static void
test_cells_have_table_colours(RunFixture *fixture, gconstpointer data)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(fixture->run, 2, &error);
  g_assert_no_error(error);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  LacFigurePlace        place = {0, 0, 500, 7, 1, TRUE, NULL};
  lac_figure_draw(drawing, fixture->run, frame, &place);

  double high = 0, error_high = 0;
  for (gsize k = 0; k < FIXTURE_NX * FIXTURE_NY; k++) {
    gsize i = k % FIXTURE_NX, j = k / FIXTURE_NX;
    high = fmax(high, fabs((double) run_fixture_truth(i, j)));
    error_high =
      fmax(error_high, fabs((double) (run_fixture_reconstruction(i, j) - run_fixture_truth(i, j))));
    error_high = fmax(error_high, fabs((double) (run_fixture_truth(i, j) * 0.5F)));
  }
  const LacColourMap *map = lac_colour_map_find("balance");
  gsize               panel = 0;
  for (gsize n = 0; n < lac_drawing_get_n_items(drawing); n++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, n);
    if (item->kind != LAC_DRAW_IMAGE || item->image_width != FIXTURE_NX)
      continue;
    for (gsize k = 0; k < FIXTURE_NX * FIXTURE_NY; k++) {
      gsize  i = k % FIXTURE_NX, j = FIXTURE_NY - 1 - k / FIXTURE_NX; /* the top row is the last */
      float  truth = run_fixture_truth(i, j), made = run_fixture_reconstruction(i, j);
      float  other = truth * 0.5F;
      float  values[] = {truth, made, other, made - truth, other - truth};
      double limit = panel >= 3 ? error_high : high;
      const guint8 *entry = lac_colour_map_at(map, (double) values[panel], -limit, limit);
      g_assert_cmpmem(item->pixels + 4 * k, 4, entry, 4);
    }
    panel++;
  }
  g_assert_cmpuint(panel, ==, 5);
}

/* Every pixel of the PNG inside a panel has a colour of the map or of a marker. */
static void
test_png_has_exact_pixels_and_resolution(RunFixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_figure(fixture, "figure.png");
  cairo_surface_t *image = cairo_image_surface_create_from_png(path);
  g_assert_cmpint(cairo_surface_status(image), ==, CAIRO_STATUS_SUCCESS);
  int width = cairo_image_surface_get_width(image);
  g_assert_cmpint(width, ==, (int) lround(183 / 25.4 * 300));

  const LacColourMap *map = lac_colour_map_find("balance");
  const guint8       *row =
    cairo_image_surface_get_data(image) + (gsize) cairo_image_surface_get_height(image) / 4 *
                                            (gsize) cairo_image_surface_get_stride(image);
  gsize from_table = 0;
  for (int x = 0; x < width; x++) {
    guint32 pixel = ((const guint32 *) (gconstpointer) row)[x];
    for (gsize i = 0; i < 256; i++) {
      const guint8 *entry = map->rgba[i];
      if ((pixel & 0xffffff) == ((guint32) entry[0] << 16 | (guint32) entry[1] << 8 | entry[2])) {
        from_table++;
        break;
      }
    }
  }
  /* three panels cover at least four fifths of the width; markers and frames are the rest */
  g_assert_cmpuint(from_table, >, (gsize) width * 7 / 10);
  cairo_surface_destroy(image);

  g_autofree char *bytes = NULL;
  gsize            length;
  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  g_assert_cmpmem(bytes + 37, 4, "pHYs", 4);
  guint32 per_metre;
  memcpy(&per_metre, bytes + 41, 4);
  g_assert_cmpuint(GUINT32_FROM_BE(per_metre), ==, (guint32) lround(300 / 0.0254));
}

static void
test_pdf_embeds_fonts_and_says_what_it_is(RunFixture *fixture, gconstpointer data)
{
  g_autofree char  *path = write_figure(fixture, "figure.pdf");
  const char *const text_words[] = {"pdftotext", "-layout", path, "-", NULL};
  const char *const font_words[] = {"pdffonts", path, NULL};
  const char *const info_words[] = {"pdfinfo", path, NULL};
  g_autofree char  *text = run_tool(text_words), *fonts = run_tool(font_words);
  g_autofree char  *info = run_tool(info_words);
  if (text == NULL || fonts == NULL || info == NULL) {
    test_missing("poppler-utils");
    return;
  }
  static const char *const said[] = {
    "(a)",   "(d)",     "Truth",    "Filtered field", "Static estimation", "vorticity (1/s)",
    "x (m)", "step 30", "4 sensors"};
  for (gsize i = 0; i < G_N_ELEMENTS(said); i++)
    g_assert_nonnull(strstr(text, said[i]));
  g_auto(GStrv) lines = g_strsplit(g_strchomp(fonts), "\n", -1);
  g_assert_cmpuint(g_strv_length(lines), >, 2);
  for (gsize i = 2; lines[i] != NULL; i++) /* the columns emb and sub */
    g_assert_nonnull(strstr(lines[i], " yes yes "));
  g_assert_nonnull(strstr(info, "Lacuna test")); /* provenance among the keywords */
  const char *size = strstr(info, "Page size:");
  g_assert_nonnull(size);
  g_assert_cmpfloat(fabs(g_ascii_strtod(size + 10, NULL) - 183 * 72 / 25.4), <, 0.01);
}

static void
test_svg_is_well_formed(RunFixture *fixture, gconstpointer data)
{
  g_autofree char  *path = write_figure(fixture, "figure.svg");
  const char *const words[] = {"xmllint", "--noout", "--huge", path, NULL};
  g_autofree char  *output = run_tool(words);
  if (output == NULL)
    test_missing("libxml2-utils");
}

static void
test_side_file_makes_the_same_figure(RunFixture *fixture, gconstpointer data)
{
  g_autofree char      *first = write_figure(fixture, "first.png");
  g_autofree char      *beside = g_strconcat(first, ".json", NULL);
  g_autofree char      *second = g_build_filename(fixture->parent, "second.png", NULL);
  g_auto(LacFigureSpec) spec = {0};
  g_autoptr(GError)     error = NULL;
  lac_figure_spec_load(beside, &spec, &error);
  g_assert_no_error(error);
  g_assert_cmpint(spec.step, ==, FIXTURE_STEPS);
  g_assert_cmpstr(spec.channel, ==, "field");
  g_autoptr(LacRunFile) run = lac_run_file_open(spec.run, &error);
  g_assert_no_error(error);
  lac_figure_write(&run, 1, &spec, second, &error);
  g_assert_no_error(error);
  g_autofree char *a = NULL, *b = NULL;
  gsize            n_a, n_b;
  g_assert_true(g_file_get_contents(first, &a, &n_a, NULL));
  g_assert_true(g_file_get_contents(second, &b, &n_b, NULL));
  g_assert_cmpmem(a, n_a, b, n_b);
}

static void
expect(const RunFixture *fixture, const char *channel, const char *name, LacError code)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *path =
    name[0] == '/' ? g_strdup(name) : g_build_filename(fixture->parent, name, NULL);
  const LacFigureSpec spec = {.step = -1, .channel = (char *) channel};
  g_assert_false(lac_figure_write(&fixture->run, 1, &spec, path, &error));
  g_assert_error(error, LAC_ERROR, (int) code);
  g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

static void
test_what_cannot_be_is_refused(RunFixture *fixture, gconstpointer data)
{
  expect(fixture, NULL, "figure.gif", LAC_ERROR_USAGE);
  expect(fixture, "no_such_channel", "figure.pdf", LAC_ERROR_UNKNOWN_KEY);
  expect(fixture, NULL, "/no/such/folder/figure.pdf", LAC_ERROR_UNWRITABLE);
  g_autofree char *broken = g_build_filename(fixture->parent, "broken.json", NULL);
  g_assert_true(g_file_set_contents(broken, "{\"lacuna_figure\": 1}", -1, NULL));
  g_auto(LacFigureSpec) spec = {0};
  g_autoptr(GError)     error = NULL;
  g_assert_false(lac_figure_spec_load(broken, &spec, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

static void
set_up(RunFixture *fixture, gconstpointer data)
{
  run_fixture_set_up(fixture, 12);
}

static void
tear_down(RunFixture *fixture, gconstpointer data)
{
  run_fixture_tear_down(fixture);
}

#define ADD(path, test) g_test_add(path, RunFixture, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("/report/figure/cells-have-the-colours-of-the-table", test_cells_have_table_colours);
  ADD("/report/figure/png-has-exact-pixels-and-its-resolution",
      test_png_has_exact_pixels_and_resolution);
  ADD("/report/figure/pdf-embeds-fonts-and-says-what-it-is",
      test_pdf_embeds_fonts_and_says_what_it_is);
  ADD("/report/figure/svg-is-well-formed", test_svg_is_well_formed);
  ADD("/report/figure/side-file-makes-the-same-figure", test_side_file_makes_the_same_figure);
  ADD("/report/figure/what-cannot-be-is-refused", test_what_cannot_be_is_refused);
  return g_test_run();
}
