/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of what a view shows: derived quantities. */
#include "run-fixture.h"

#include "base/error.h"
#include "report/colour-map.h"
#include "report/figure.h"

#include <math.h>
#include <string.h>

#define N_CELLS (FIXTURE_NX * FIXTURE_NY)

static LacFigure *
make_figure(const RunFixture *fixture, const LacFigureSpec *spec)
{
  g_autoptr(GError) error = NULL;
  LacFigure        *figure = lac_figure_new(&fixture->run, 1, spec, &error);

  g_assert_no_error(error);
  return figure;
}

/* Cells of panel @n; NULL where there are fewer. */
static const LacDrawItem *
find_panel(const LacFigure *figure, gsize n)
{
  const LacDrawing *drawing = lac_figure_get_drawing(figure);

  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);

    if (item->kind == LAC_DRAW_IMAGE && item->image_width == FIXTURE_NX && n-- == 0)
      return item;
  }
  return NULL;
}

static gsize
count_panels(const LacFigure *figure)
{
  gsize n = 0;

  while (find_panel(figure, n) != NULL)
    n++;
  return n;
}

/* The top row of a picture is the last one of a plane. */
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

  return (double) sqrtf(u * u + v * v); /* whole numbers below the root: exact */
}

static void
test_derived_quantity_is_drawn(RunFixture *fixture, gconstpointer data)
{
  const LacFigureSpec  spec = {.step = -1, .channel = (char *) "speed.field"};
  g_autoptr(LacFigure) figure = make_figure(fixture, &spec);
  const LacDrawItem   *truth = find_panel(figure, 0);
  double               low = INFINITY, high = -INFINITY;

  g_assert_cmpuint(count_panels(figure), ==, 3);
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
  g_assert_null(strstr(error->message, "vorticity.")); /* which the run shows itself */
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
  return g_test_run();
}
