/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a view: derived quantities, panels, colours, limits, transfer functions, isolines; time ranges;
 * backgrounds. */
#include "base/error.h"
#include "field/transfer.h"
#include "report/canvas/colour-map.h"
#include "report/figure/members.h"
#include "report/helpers/figure-fixture.h"

#include <math.h>
#include <string.h>

#define N_CELLS (FIXTURE_NX * FIXTURE_NY)

/* Flips rows: the top row of a picture is the last one of a plane. */
static gsize
cell_of(gsize pixel)
{
  return (FIXTURE_NY - 1 - pixel / FIXTURE_NX) * FIXTURE_NX + pixel % FIXTURE_NX;
}

static double
speed_at(gsize cell)
{
  const float u = run_fixture_velocity(0, cell % FIXTURE_NX, cell / FIXTURE_NX);
  const float v = run_fixture_velocity(1, cell % FIXTURE_NX, cell / FIXTURE_NX);

  return (double) sqrtf(u * u + v * v); /* integers below the root: exact */
}

static void
test_derived_quantity_is_drawn(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec  spec = {.step = -1, .channel = (char *) "speed.field"};
  g_autoptr(LacFigure) figure = figure_fixture_make(fixture, &spec);
  const LacDrawItem   *truth = figure_fixture_find_panel(figure, 0);
  double               low = INFINITY, high = -INFINITY;

  g_assert_cmpuint(figure_fixture_count_panels(figure), ==, 3);
  g_assert_cmpstr(lac_figure_get_spec(figure)->channel, ==, "speed.field");
  for (gsize k = 0; k < N_CELLS; k++) {
    low = fmin(low, speed_at(k));
    high = fmax(high, speed_at(k));
  }
  for (gsize k = 0; k < N_CELLS; k++)
    g_assert_cmpmem(
      truth->pixels + 4 * k, 4,
      lac_colour_map_at(lac_colour_map_find("ember"), speed_at(cell_of(k)), low, high), 4);
}

static void
test_unknown_channel_names_the_derived_ones(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec spec = {.step = -1, .channel = (char *) "speed.nobody"};
  g_autoptr(GError)   error = NULL;

  g_assert_null(lac_figure_new(&fixture->run, 1, &spec, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
  g_assert_nonnull(strstr(error->message, "field, at_once, u.truth"));
  g_assert_nonnull(strstr(error->message, "divergence.field"));
  g_assert_null(strstr(error->message, "vorticity.")); /* already a channel of the run */
}

/* ---- look ---- */

static const LacFigureLook bent = {
  .colour_map = (char *) "ember",
  .transfer = (char *) "symlog",
  .limits = {TRUE, -1.5, 2},
  .error_colour_map = (char *) "whirl",
  .error_limits = {TRUE, -0.25, 0.25},
};

static double
truth_at(gsize cell)
{
  return (double) run_fixture_truth(cell % FIXTURE_NX, cell / FIXTURE_NX);
}

static double
error_at(gsize cell)
{
  const gsize i = cell % FIXTURE_NX, j = cell / FIXTURE_NX;
  return (double) (run_fixture_reconstruction(i, j) - run_fixture_truth(i, j));
}

static void
test_cells_have_the_colours_of_the_look(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec  spec = {.step = -1, .channel = (char *) "field", .look = bent};
  g_autoptr(LacFigure) figure = figure_fixture_make(fixture, &spec);
  const LacDrawItem   *truth = figure_fixture_find_panel(figure, 0),
                    *error = figure_fixture_find_panel(figure, 3);
  const LacColourMap *map = lac_colour_map_find("ember"), *other = lac_colour_map_find("whirl");
  const LacWarp       warp = lac_warp_new(LAC_TRANSFER_SYMLOG, -1.5, 2);

  g_assert_cmpuint(figure_fixture_count_panels(figure), ==, 5);
  for (gsize k = 0; k < N_CELLS; k++) {
    const gsize cell = cell_of(k);

    g_assert_cmpmem(truth->pixels + 4 * k, 4,
                    lac_colour_map_at_place(map, lac_warp_at(&warp, truth_at(cell))), 4);
    g_assert_cmpmem(error->pixels + 4 * k, 4, lac_colour_map_at(other, error_at(cell), -0.25, 0.25),
                    4);
  }
}

static gboolean
says(const LacFigure *figure, const char *text)
{
  const LacDrawing *drawing = lac_figure_get_drawing(figure);

  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);

    if (item->kind == LAC_DRAW_TEXT && g_str_equal(lac_drawing_get_text(drawing, item), text))
      return TRUE;
  }
  return FALSE;
}

/* Checks that the colour bars show numbers that only these limits produce. */
static void
test_limits_are_those_of_the_bars(RunFixture *fixture, gconstpointer data)
{
  const LacFigureLook  look = {.limits = {TRUE, 0, 400}, .error_limits = {TRUE, -7000, 7000}};
  const LacFigureSpec  spec = {.step = -1, .channel = (char *) "field", .look = look};
  const LacFigureSpec  own = {.step = -1, .channel = (char *) "field"};
  g_autoptr(LacFigure) figure = figure_fixture_make(fixture, &spec),
                       plain = figure_fixture_make(fixture, &own);

  g_assert_true(says(figure, "400") && says(figure, "−5000") && says(figure, "5000"));
  g_assert_false(says(plain, "400") || says(plain, "5000"));
}

/* Axis label and side file agree with the spec, and the side file reproduces the same bytes. */
static void
test_side_file_keeps_the_look(RunFixture *fixture, gconstpointer data)
{
  static const char *const endings[] = {"png", "pdf", "svg", "eps"};
  LacFigureSpec            spec = {.step = -1, .channel = (char *) "speed.field", .look = bent};
  spec.look.isolines = TRUE;
  spec.look.flow = (LacFlowLook){TRUE, TRUE, TRUE};
  spec.look.panels = (char *) "errors";
  spec.look.limits.high = 1.0 / 3;

  for (gsize i = 0; i < G_N_ELEMENTS(endings); i++) {
    g_autoptr(GError)     error = NULL;
    g_auto(LacFigureSpec) read = {0};
    g_autofree char      *path = g_strdup_printf("%s/first.%s", fixture->parent, endings[i]);
    g_autofree char      *again = g_strdup_printf("%s/again.%s", fixture->parent, endings[i]);
    g_autofree char      *beside = g_strconcat(path, ".json", NULL), *a = NULL, *b = NULL;
    gsize                 n_a, n_b;

    lac_figure_write(&fixture->run, 1, &spec, path, &error);
    g_assert_no_error(error);
    g_assert_true(lac_figure_spec_load(beside, &read, &error));
    g_assert_cmpfloat(read.look.limits.high, ==, 1.0 / 3);
    g_assert_cmpstr(read.look.panels, ==, "errors");
    lac_figure_write(&fixture->run, 1, &read, again, &error);
    g_assert_no_error(error);
    g_assert_true(g_file_get_contents(path, &a, &n_a, NULL));
    g_assert_true(g_file_get_contents(again, &b, &n_b, NULL));
    g_assert_cmpmem(a, n_a, b, n_b);
  }
}

/* Every word of every member is accepted, and no other. */
static void
test_words_are_checked(RunFixture *fixture, gconstpointer data)
{
  gsize                  n;
  const LacFigureMember *members = lac_figure_members(&n);

  for (gsize i = 0; i < n; i++) {
    g_auto(LacFigureSpec) spec = {.step = -1};
    g_autoptr(GError)     error = NULL;
    const char           *word, *reported;

    if (members[i].kind != LAC_MEMBER_WORD)
      continue;
    for (gsize k = 0; (word = members[i].word(k, &reported)) != NULL; k++)
      g_assert_true(lac_figure_member_parse(&members[i], word, &spec, NULL) &&
                    lac_figure_spec_check(&spec, NULL));
    g_assert_false(lac_figure_member_parse(&members[i], "nonsense", &spec, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
    g_free(*(char **) lac_figure_member_of(&members[i], &spec));
    *(char **) lac_figure_member_of(&members[i], &spec) =
      g_strdup("nonsense"); /* from a side file */
    g_assert_null(lac_figure_new(&fixture->run, 1, &spec, NULL));
  }
}

static void
test_ranges_are_read(RunFixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = {"1", "2,1", "1,1", "1,2,3", "a,b", "nan,1", "1,inf", "1 2"};
  gsize                    n;
  const LacFigureMember   *members = lac_figure_members(&n);

  for (gsize i = 0; i < n; i++) {
    g_auto(LacFigureSpec) spec = {0};
    const LacFigureRange *range = lac_figure_member_of(&members[i], &spec);

    if (members[i].kind != LAC_MEMBER_RANGE)
      continue;
    g_assert_true(lac_figure_member_parse(&members[i], "-0.1, 1e3", &spec, NULL));
    g_assert_true(range->is_given && range->low == -0.1 && range->high == 1e3);
    for (gsize k = 0; k < G_N_ELEMENTS(wrong); k++)
      g_assert_false(lac_figure_member_parse(&members[i], wrong[k], &spec, NULL));
    g_autofree char *text = lac_figure_member_dup_text(&members[i], &spec);
    g_assert_true(lac_figure_member_parse(&members[i], text, &spec, NULL) && range->low == -0.1);
    g_assert_true(lac_figure_member_parse(&members[i], "", &spec, NULL) && !range->is_given);
  }
}

/* ---- panels ---- */

static void
test_panels_are_those_that_are_asked_for(RunFixture *fixture, gconstpointer data)
{
  static const struct {
    const char *word, *channel;
    gsize       n;
  } cases[] = {{"all", "field", 5},        {"errors", "field", 3}, {"pair", "at_once", 2},
               {"difference", "field", 1}, {"one", "at_once", 1},  {"deviation", "field", 1},
               {"all", "truth", 1},        {"pair", "truth", 2}};

  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    const LacFigureSpec spec = {
      .step = -1, .channel = (char *) cases[i].channel, .look.panels = (char *) cases[i].word};
    g_autoptr(LacFigure) figure = figure_fixture_make(fixture, &spec);

    g_assert_cmpuint(figure_fixture_count_panels(figure), ==, cases[i].n);
  }
}

/* The difference shown alone equals the error shown beside the field. */
static void
test_difference_is_the_error(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec whole = {.step = -1, .channel = (char *) "u.field"};
  const LacFigureSpec alone = {
    .step = -1, .channel = (char *) "u.field", .look.panels = (char *) "difference"};
  g_autoptr(LacFigure) a = figure_fixture_make(fixture, &whole),
                       b = figure_fixture_make(fixture, &alone);

  g_assert_cmpuint(figure_fixture_count_panels(a), ==, 3);
  g_assert_cmpmem(figure_fixture_find_panel(a, 2)->pixels, 4 * N_CELLS,
                  figure_fixture_find_panel(b, 0)->pixels, 4 * N_CELLS);
}

/* ---- isolines ---- */

/* u = 2 x + 3 y is linear: its isolines are straight, and each of their points has a round value. */
static void
test_isolines_lie_on_round_values(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec  spec = {.step = -1,
                               .channel = (char *) "u.truth",
                               .look = {.panels = (char *) "one", .isolines = TRUE}};
  g_autoptr(LacFigure) figure = figure_fixture_make(fixture, &spec);
  const LacDrawing    *drawing = lac_figure_get_drawing(figure);
  const LacDrawItem   *cells = figure_fixture_find_panel(figure, 0);
  gsize                n_lines = 0;

  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);

    if (item->kind != LAC_DRAW_LINES || item->colour.alpha != 0.65F)
      continue;
    n_lines++;
    const LacPoint *points = lac_drawing_get_points(drawing) + item->first_point;
    for (gsize k = 0; k < item->n_points; k++) {
      const double x = (points[k].x - cells->x) / cells->width * FIXTURE_NX - 0.5;
      const double y = (1 - (points[k].y - cells->y) / cells->height) * FIXTURE_NY - 0.5;
      const double value = (2 * x + 3 * y) / 10;

      g_assert_cmpfloat(fabs(value - round(value)), <, 1e-3); /* cells are floats */
    }
  }
  g_assert_cmpuint(n_lines, >, 3);
}

/* ---- timeline ---- */

static void
compare_drawings(const LacDrawing *a, const LacDrawing *b)
{
  g_assert_cmpuint(lac_drawing_get_n_items(a), ==, lac_drawing_get_n_items(b));
  for (gsize i = 0; i < lac_drawing_get_n_items(a); i++) {
    const LacDrawItem *x = lac_drawing_get_item(a, i), *y = lac_drawing_get_item(b, i);

    g_assert_cmpint(x->kind, ==, y->kind);
    g_assert_true(x->x == y->x && x->y == y->y && x->width == y->width && x->height == y->height);
    if (x->kind == LAC_DRAW_TEXT)
      g_assert_cmpstr(lac_drawing_get_text(a, x), ==, lac_drawing_get_text(b, y));
  }
}

/* Steps begin every 10 ms and take 9 ms: three around step 15 span 130 ms to 159 ms after the first one. */
static void
test_timeline_has_the_time_that_is_asked_for(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec  steps = {.kind = LAC_FIGURE_TIMELINE, .step = 15, .caption = (char *) ""};
  LacFigureSpec        time = steps;
  g_autoptr(LacFigure) by_steps = figure_fixture_make(fixture, &steps);
  g_autoptr(LacFigure) by_time = NULL, other = NULL;
  const gint64         nearest = lac_figure_get_spec(by_steps)->step; /* nearest saved frame */
  const double         begin = 0.01 * (double) (nearest - 2);

  time.between = (LacFigureRange){TRUE, begin, begin + 0.029};
  by_time = figure_fixture_make(fixture, &time);
  compare_drawings(lac_figure_get_drawing(by_steps), lac_figure_get_drawing(by_time));
  time.between.high += 0.05;
  other = figure_fixture_make(fixture, &time);
  g_assert_cmpuint(lac_drawing_get_n_items(lac_figure_get_drawing(other)), !=,
                   lac_drawing_get_n_items(lac_figure_get_drawing(by_time)));
}

static void
test_time_without_records_is_refused(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec spec = {.kind = LAC_FIGURE_TIMELINE, .step = -1, .between = {TRUE, 5, 6}};
  g_autoptr(GError)   error = NULL;

  g_assert_null(lac_figure_new(&fixture->run, 1, &spec, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
}

/* ---- files ---- */

static char *
write_text(RunFixture *fixture, const char *name, gboolean transparent)
{
  const LacFigureSpec spec = {.step = -1, .transparent = transparent};
  g_autofree char    *path = g_build_filename(fixture->parent, name, NULL);
  g_autoptr(GError)   error = NULL;
  char               *text;

  lac_figure_write(&fixture->run, 1, &spec, path, &error);
  g_assert_no_error(error);
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  return text;
}

static void
test_eps_is_as_wide_as_the_figure(RunFixture *fixture, gconstpointer data)
{
  g_autofree char *text = write_text(fixture, "figure.eps", FALSE);
  g_autofree char *box = g_strdup_printf("\n%%%%BoundingBox: 0 0 %d ", (int) ceil(183 * 72 / 25.4));

  g_assert_true(g_str_has_prefix(text, "%!PS-Adobe-3.0 EPSF-3.0\n"));
  g_assert_nonnull(strstr(text, box));
  g_assert_nonnull(strstr(text, "FontName"));
  g_assert_true(g_str_has_suffix(text, "%%EOF\n"));
}

/* Returns the colour of the upper left corner, which is background. */
static guint32
corner_of(RunFixture *fixture, gboolean transparent)
{
  g_autofree char *bytes = write_text(fixture, "ground.png", transparent);
  g_autofree char *path = g_build_filename(fixture->parent, "ground.png", NULL);
  cairo_surface_t *image = cairo_image_surface_create_from_png(path);
  const gboolean   has_alpha = cairo_image_surface_get_format(image) == CAIRO_FORMAT_ARGB32;
  const guint32    pixel = *(const guint32 *) (gpointer) cairo_image_surface_get_data(image);

  cairo_surface_destroy(image);
  return has_alpha ? pixel : pixel | 0xff000000;
}

static void
test_ground_can_be_left_out(RunFixture *fixture, gconstpointer data)
{
  g_autofree char *with = write_text(fixture, "with.svg", FALSE);
  g_autofree char *without = write_text(fixture, "without.svg", TRUE);

  g_assert_nonnull(strstr(with, "<rect width=\"100%\""));
  g_assert_null(strstr(without, "<rect width=\"100%\""));
  g_assert_cmphex(corner_of(fixture, FALSE), ==, 0xffffffff);
  g_assert_cmphex(corner_of(fixture, TRUE), ==, 0);
}

static void
set_up(RunFixture *fixture, gconstpointer data)
{
  fixture->has_velocity = TRUE;
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
  ADD("/report/figure-view/derived-quantity-is-drawn", test_derived_quantity_is_drawn);
  ADD("/report/figure-view/unknown-channel-names-the-derived-ones",
      test_unknown_channel_names_the_derived_ones);
  ADD("/report/figure-view/cells-have-the-colours-of-the-look",
      test_cells_have_the_colours_of_the_look);
  ADD("/report/figure-view/limits-are-those-of-the-bars", test_limits_are_those_of_the_bars);
  ADD("/report/figure-view/side-file-keeps-the-look", test_side_file_keeps_the_look);
  ADD("/report/figure-view/words-are-checked", test_words_are_checked);
  ADD("/report/figure-view/ranges-are-read", test_ranges_are_read);
  ADD("/report/figure-view/panels-are-those-that-are-asked-for",
      test_panels_are_those_that_are_asked_for);
  ADD("/report/figure-view/difference-is-the-error", test_difference_is_the_error);
  ADD("/report/figure-view/isolines-lie-on-round-values", test_isolines_lie_on_round_values);
  ADD("/report/figure-view/timeline-has-the-time-that-is-asked-for",
      test_timeline_has_the_time_that_is_asked_for);
  ADD("/report/figure-view/time-without-records-is-refused", test_time_without_records_is_refused);
  ADD("/report/figure-view/eps-is-as-wide-as-the-figure", test_eps_is_as_wide_as_the_figure);
  ADD("/report/figure-view/ground-can-be-left-out", test_ground_can_be_left_out);
  return g_test_run();
}
