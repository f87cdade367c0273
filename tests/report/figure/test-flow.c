/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrows, streamlines and texture in figures: each panel has the velocity of its source. */
#include "base/error.h"
#include "report/helpers/figure-fixture.h"

#include <math.h>

/* The pale lines; @last: (nullable) (out): the last of them */
static gsize
count_flow(const LacFigure *figure, const LacDrawItem **last)
{
  const LacDrawing *drawing = lac_figure_get_drawing(figure);
  gsize             n = 0;

  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);

    if (item->kind != LAC_DRAW_LINES || item->colour.alpha != 0.95F)
      continue;
    if (last != NULL)
      *last = item;
    n++;
  }
  return n;
}

/* The fixture's components are linear, so that values between cells are exact. */
static void
test_arrows_follow_the_velocity(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec  spec = {.step = -1,
                               .channel = (char *) "speed.truth",
                               .look = {.panels = (char *) "one", .flow.arrows = TRUE}};
  g_autoptr(LacFigure) figure = figure_fixture_make(fixture, &spec);
  const LacDrawItem   *cells = figure_fixture_find_panel(figure, 0), *flow = NULL;
  gsize                n_arrows = 0;

  g_assert_cmpuint(count_flow(figure, &flow), ==, 1);
  const LacPoint *points =
    lac_drawing_get_points(lac_figure_get_drawing(figure)) + flow->first_point;
  for (gsize k = 0; k + 1 < flow->n_points; k += 6) { /* tail, tip, barb, tip, barb, gap */
    const LacPoint tail = points[k], tip = points[k + 1];
    const double   x = ((tail.x + tip.x) / 2 - cells->x) / cells->width * FIXTURE_NX - 0.5;
    const double   y = (1 - ((tail.y + tip.y) / 2 - cells->y) / cells->height) * FIXTURE_NY - 0.5;
    double         speed[2];

    if (x < 0 || y < 0 || x > FIXTURE_NX - 1 || y > FIXTURE_NY - 1)
      continue;
    for (gsize c = 0; c < 2; c++) {
      const double at = (double) run_fixture_velocity(c, 0, 0);
      speed[c] = at + x * ((double) run_fixture_velocity(c, 1, 0) - at) +
                 y * ((double) run_fixture_velocity(c, 0, 1) - at);
    }
    const double along[2] = {tip.x - tail.x, tail.y - tip.y};
    const double size = hypot(along[0], along[1]) * hypot(speed[0], speed[1]);
    g_assert_cmpfloat_with_epsilon(along[0] * speed[1] - along[1] * speed[0], 0, 1e-4 * size);
    g_assert_cmpfloat(along[0] * speed[0] + along[1] * speed[1], >, 0);
    n_arrows++;
  }
  g_assert_cmpuint(n_arrows, >, 10);
}

/* Error panels have the velocity of their field; in a comparison each run has its own. */
static void
test_every_panel_has_its_velocity(RunFixture *fixture, gconstpointer data)
{
  static const char *const channels[] = {"speed.field", "u.field", "v.field"};

  for (gsize i = 0; i < G_N_ELEMENTS(channels); i++) {
    LacFigureSpec        spec = {.step = -1,
                                 .channel = (char *) channels[i],
                                 .look.flow = {.arrows = TRUE, .streamlines = TRUE}};
    g_autoptr(LacFigure) alone = figure_fixture_make(fixture, &spec), both = NULL;
    g_autoptr(GError)    error = NULL;
    LacRunFile          *runs[] = {fixture->run, fixture->run};

    g_assert_cmpuint(figure_fixture_count_panels(alone), ==, 3);
    g_assert_cmpuint(count_flow(alone, NULL), ==, 2 * 3);
    spec.kind = LAC_FIGURE_COMPARISON;
    both = lac_figure_new(runs, 2, &spec, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(figure_fixture_count_panels(both), ==, 5);
    g_assert_cmpuint(count_flow(both, NULL), ==, 2 * 5);
  }
}

/* Two runs with the same label have their own velocities: the second is the first reversed. */
static void
test_namesakes_keep_their_velocity(RunFixture *fixture, gconstpointer data)
{
  RunFixture        back = {.has_velocity = TRUE, .flows_back = TRUE};
  LacFigureSpec     spec = {.kind = LAC_FIGURE_COMPARISON,
                            .step = -1,
                            .channel = (char *) "speed.field",
                            .look.flow.arrows = TRUE};
  g_autoptr(GError) error = NULL;

  run_fixture_set_up(&back, 12);
  g_free(back.run->experiment); /* runs of two experiments are labelled by experiment */
  back.run->experiment = g_strdup("another");
  LacRunFile          *runs[] = {fixture->run, back.run};
  g_autoptr(LacFigure) figure = lac_figure_new(runs, 2, &spec, &error);
  g_assert_no_error(error);
  const LacDrawing *drawing = lac_figure_get_drawing(figure);
  const LacPoint   *last[3] = {NULL, NULL, NULL}; /* last arrow of the true field and of each run */
  gsize             n = 0;

  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    if (item->kind == LAC_DRAW_LINES && item->colour.alpha == 0.95F && n < 3)
      last[n++] = lac_drawing_get_points(drawing) + item->first_point + item->n_points - 6;
  }
  g_assert_cmpuint(n, ==, 3);
  const double a[2] = {last[1][1].x - last[1][0].x, last[1][1].y - last[1][0].y};
  const double b[2] = {last[2][1].x - last[2][0].x, last[2][1].y - last[2][0].y};
  g_assert_cmpfloat(hypot(a[0], a[1]), >, 1);
  g_assert_cmpfloat_with_epsilon(a[0], -b[0], 1e-3);
  g_assert_cmpfloat_with_epsilon(a[1], -b[1], 1e-3);
  run_fixture_tear_down(&back);
}

/* The texture subdivides the cells to its own resolution. */
static void
test_texture_is_finer_than_the_cells(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec  spec = {.step = -1,
                               .channel = (char *) "speed.truth",
                               .look = {.panels = (char *) "one", .flow.texture = TRUE}};
  g_autoptr(LacFigure) figure = figure_fixture_make(fixture, &spec);
  const LacDrawing    *drawing = lac_figure_get_drawing(figure);
  gsize                n = 0;

  g_assert_cmpuint(figure_fixture_count_panels(figure), ==, 0); /* panels of plain cells */
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++)
    n += lac_drawing_get_item(drawing, i)->kind == LAC_DRAW_IMAGE &&
         lac_drawing_get_item(drawing, i)->image_width == 320;
  g_assert_cmpuint(n, ==, 1);
}

static void
test_flow_needs_a_velocity(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec spec = {.step = -1, .look.flow.streamlines = TRUE};
  g_autoptr(GError)   error = NULL;
  RunFixture          still = {.has_velocity = FALSE};

  run_fixture_set_up(&still, 12);
  g_assert_false(lac_figure_has_velocity(still.run));
  g_assert_null(lac_figure_new(&still.run, 1, &spec, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
  run_fixture_tear_down(&still);
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
  ADD("/report/figure-flow/arrows-follow-the-velocity", test_arrows_follow_the_velocity);
  ADD("/report/figure-flow/every-panel-has-its-velocity", test_every_panel_has_its_velocity);
  ADD("/report/figure-flow/namesakes-keep-their-velocity", test_namesakes_keep_their_velocity);
  ADD("/report/figure-flow/texture-is-finer-than-the-cells", test_texture_is_finer_than_the_cells);
  ADD("/report/figure-flow/flow-needs-a-velocity", test_flow_needs_a_velocity);
  return g_test_run();
}
