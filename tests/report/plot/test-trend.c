/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trend of constructed results: levels, limit, colours and positions of what is drawn. */
#include "perf/analysis/change-points.h"
#include "report/plot/bars.h"
#include "report/plot/trend.h"

#include <glib.h>

#include <math.h>

#define N      16
#define WIDTH  600.0
#define HEIGHT 200.0
#define SIZE   10.0

static const LacTrendColours colours = {{0.8F, 0.1F, 0.1F, 1}, {0.1F, 0.6F, 0.3F, 1}};

typedef struct {
  double      values[N];
  const char *labels[N];
  gsize       changes[N];
  LacTrend    trend;
} Fixture;

/* Twelve results near 40 ms, then four near @after; the baseline is the tenth. */
static void
make(Fixture *fixture, double after)
{
  for (gsize i = 0; i < N; i++) {
    fixture->values[i] = (i < 12 ? 0.040 : after) * (1 + 0.002 * (double) (i % 3));
    fixture->labels[i] = i % 2 == 0 ? "aaaaaaa" : "bbbbbbb";
  }
  fixture->trend = (LacTrend){.values = fixture->values,
                              .labels = fixture->labels,
                              .n = N,
                              .changes = fixture->changes,
                              .unit = "s",
                              .baseline = 0.040,
                              .baseline_at = 9,
                              .allowed = 1.1,
                              .chosen = G_MAXSIZE};
  fixture->trend.n_changes = lac_change_points(fixture->values, N, fixture->changes);
}

static gboolean
is_colour(LacColour a, LacColour b)
{
  return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

/* Returns: (nullable): the text item that reads @text. */
static const LacDrawItem *
find_text(const LacDrawing *drawing, const char *text)
{
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);

    if (item->kind == LAC_DRAW_TEXT && g_str_equal(lac_drawing_get_text(drawing, item), text))
      return item;
  }
  return NULL;
}

static LacDrawing *
draw(const Fixture *fixture)
{
  LacDrawing *drawing = lac_drawing_new();

  lac_trend_draw(drawing, &fixture->trend, (LacBox){0, 0, WIDTH, HEIGHT}, SIZE, &lac_palette_light,
                 &colours);
  return drawing;
}

static guint
count_points(const LacDrawing *drawing, LacColour colour)
{
  guint n = 0;

  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);

    n += item->kind == LAC_DRAW_LINES && item->filled && is_colour(item->colour, colour);
  }
  return n;
}

static void
test_loss(void)
{
  Fixture fixture;

  make(&fixture, 0.046);
  g_assert_cmpuint(fixture.trend.n_changes, ==, 1);
  g_assert_cmpuint(fixture.changes[0], ==, 12);
  g_assert_cmpfloat_with_epsilon(lac_trend_get_level(&fixture.trend, 3), 0.04008, 1e-9);
  g_assert_cmpfloat_with_epsilon(lac_trend_get_level(&fixture.trend, 15), 0.046046, 1e-9);
  for (gsize i = 0; i < N; i++)
    g_assert_cmpint(lac_trend_is_beyond(&fixture.trend, i), ==, i >= 12);
  g_autoptr(LacDrawing) drawing = draw(&fixture);
  const LacDrawItem    *change = find_text(drawing, "+15 %");
  g_assert_nonnull(change);
  g_assert_true(is_colour(change->colour, colours.worse));
  g_assert_nonnull(find_text(drawing, "limit +10 %"));
  g_assert_cmpuint(count_points(drawing, colours.worse), ==, 4);
  g_assert_cmpuint(count_points(drawing, lac_palette_light.series[0]), ==, 12);
}

/* Within the limit a loss has no colour of its own; a gain is green; more may be better. */
static void
test_colours(void)
{
  Fixture fixture;

  make(&fixture, 0.042);
  g_autoptr(LacDrawing) small = draw(&fixture);
  g_assert_true(is_colour(find_text(small, "+5 %")->colour, lac_palette_light.faint));
  make(&fixture, 0.030);
  g_autoptr(LacDrawing) gain = draw(&fixture);
  g_assert_true(is_colour(find_text(gain, "−25 %")->colour, colours.better));
  fixture.trend.more_is_better = TRUE;
  g_autoptr(LacDrawing) loss = draw(&fixture);
  g_assert_true(is_colour(find_text(loss, "−25 %")->colour, colours.worse));
  g_assert_nonnull(find_text(loss, "limit −9 %")); /* 1 / 1.1 */
}

/* All that is drawn lies within the box, with one result too; the axis is in milliseconds. */
static void
test_inside(void)
{
  Fixture fixture;

  make(&fixture, 0.046);
  for (gsize n = 1; n <= N; n += N - 1) {
    fixture.trend.n = n;
    fixture.trend.n_changes = n == N;
    g_autoptr(LacDrawing) drawing = draw(&fixture);
    const LacPoint       *points = lac_drawing_get_points(drawing);
    for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
      const LacDrawItem *item = lac_drawing_get_item(drawing, i);
      for (guint k = 0; item->kind == LAC_DRAW_LINES && k < item->n_points; k++) {
        g_assert_cmpfloat(points[item->first_point + k].x, >=, 0);
        g_assert_cmpfloat(points[item->first_point + k].x, <=, WIDTH);
        g_assert_cmpfloat(points[item->first_point + k].y, >=, 0);
        g_assert_cmpfloat(points[item->first_point + k].y, <=, HEIGHT);
      }
    }
  }
  g_autofree char *text = lac_trend_value_text(&fixture.trend, 0.046);
  g_assert_cmpstr(text, ==, "46 ms");
}

static void
test_find(void)
{
  Fixture      fixture;
  const LacBox box = {0, 0, WIDTH, HEIGHT};

  make(&fixture, 0.046);
  g_assert_cmpuint(lac_trend_find(&fixture.trend, box, SIZE, -5), ==, 0);
  g_assert_cmpuint(lac_trend_find(&fixture.trend, box, SIZE, WIDTH), ==, N - 1);
  gsize before = 0;
  for (double x = 0; x < WIDTH; x += 5) {
    const gsize i = lac_trend_find(&fixture.trend, box, SIZE, x);
    g_assert_cmpuint(i - before, <=, 1);
    before = i;
  }
}

static void
test_bars(void)
{
  const LacColour       colour = {1, 0, 0, 1};
  const LacBar          bars[] = {{0.5, colour}, {3, colour}, {NAN, colour}};
  g_autoptr(LacDrawing) drawing = lac_drawing_new();

  lac_bars_draw(drawing, (LacBox){10, 0, 80, 20}, bars, 3, 2, NULL);
  g_assert_cmpuint(lac_drawing_get_n_items(drawing), ==, 2);
  g_assert_cmpfloat(lac_drawing_get_item(drawing, 0)->width, ==, 20); /* a quarter */
  g_assert_cmpfloat(lac_drawing_get_item(drawing, 1)->width, ==,
                    80); /* not beyond the full width */
  g_assert_cmpfloat(lac_drawing_get_item(drawing, 1)->x, ==, 10);
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/trend/a-loss-beyond-the-limit-is-marked", test_loss);
  g_test_add_func("/report/trend/colours-follow-the-limit", test_colours);
  g_test_add_func("/report/trend/everything-is-inside", test_inside);
  g_test_add_func("/report/trend/the-pointer-finds-results", test_find);
  g_test_add_func("/report/bars/lengths", test_bars);
  return g_test_run();
}
