/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracks and the strip of iterations: extremes against a scan of all samples, and a bounded number of items. */
#include "report/timeline/strip.h"
#include "report/timeline/track.h"

#include <math.h>
#include <string.h>

#define N_SAMPLES 30000

static LacTrack *
make_track(gint64 *times, double *values)
{
  LacTrack *track = lac_track_new("a quantity", "B");
  gint64    time = 500;
  for (gsize i = 0; i < N_SAMPLES; i++) {
    times[i] = time;
    values[i] = g_test_rand_double_range(-1, 1) * pow(10, g_test_rand_double_range(0, 3));
    lac_track_add(track, time, values[i]);
    time += g_test_rand_int_range(0, 40);
  }
  return track;
}

static void
test_extremes(void)
{
  g_autofree gint64  *times = g_new(gint64, N_SAMPLES);
  g_autofree double  *values = g_new(double, N_SAMPLES);
  g_autoptr(LacTrack) track = make_track(times, values);
  g_assert_cmpuint(lac_track_get_n(track), ==, N_SAMPLES);
  for (int round = 0; round < 200; round++) {
    gsize  first = (gsize) g_test_rand_int_range(0, N_SAMPLES);
    gsize  n = (gsize) g_test_rand_int_range(1, (gint32) (N_SAMPLES - first) + 1);
    double low, high, least = values[first], most = values[first];
    for (gsize i = first; i < first + n; i++) {
      least = MIN(least, values[i]);
      most = MAX(most, values[i]);
    }
    lac_track_get_range(track, first, n, &low, &high);
    g_assert_cmpfloat(low, ==, least);
    g_assert_cmpfloat(high, ==, most);
  }
}

static void
test_values(void)
{
  g_autofree gint64  *times = g_new(gint64, N_SAMPLES);
  g_autofree double  *values = g_new(double, N_SAMPLES);
  g_autoptr(LacTrack) track = make_track(times, values);
  double              value;
  g_assert_false(lac_track_get_at(track, times[0] - 1, &value));
  for (int round = 0; round < 200; round++) {
    gint64 time = times[g_test_rand_int_range(0, N_SAMPLES)] + g_test_rand_int_range(0, 20);
    gsize  last = 0;
    while (last + 1 < N_SAMPLES && times[last + 1] <= time)
      last++;
    g_assert_true(lac_track_get_at(track, time, &value));
    g_assert_cmpfloat(value, ==, values[last]);
  }
}

/* Every sample lies within the box, the lowest and the highest on its edges, and a pixel column has five points at
 * most. */
static void
test_line(void)
{
  g_autofree gint64    *times = g_new(gint64, N_SAMPLES);
  g_autofree double    *values = g_new(double, N_SAMPLES);
  g_autoptr(LacTrack)   track = make_track(times, values);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  LacTimelineView       view = {.begin_ns = 0, .end_ns = times[N_SAMPLES - 1] + 1, .width = 300};
  double                top = G_MAXDOUBLE, bottom = -G_MAXDOUBLE;
  lac_track_draw(track, drawing, &view, 10, 40, lac_palette_light.series[0]);
  g_assert_cmpuint(lac_drawing_get_n_items(drawing), ==, 1);
  const LacDrawItem *item = lac_drawing_get_item(drawing, 0);
  const LacPoint    *points = lac_drawing_get_points(drawing) + item->first_point;
  g_assert_cmpuint(item->n_points, <=, 5 * 301);
  for (guint i = 0; i < item->n_points; i++) {
    top = MIN(top, points[i].y);
    bottom = MAX(bottom, points[i].y);
    g_assert_true(i == 0 || points[i].x >= points[i - 1].x);
  }
  g_assert_cmpfloat(fabs(top - 10), <, 1e-9);
  g_assert_cmpfloat(fabs(bottom - 50), <, 1e-9);
}

/* Makes iterations of 1000 ns each; every thousandth, from the 500th on, of 10000 ns. */
static LacIterations
make_iterations(gsize n)
{
  LacIterations all = {.n = n, .median_ns = 1000, .deviation_ns = 10};
  gint64        time = 0;
  all.iterations = g_new0(LacIteration, n);
  for (gsize i = 0; i < n; i++) {
    gboolean slow = i % 1000 == 500;
    all.iterations[i] = (LacIteration){
      .step = (gint64) i, .start_ns = time, .duration_ns = slow ? 10000 : 1000, .is_outlier = slow};
    all.n_outliers += slow;
    time += all.iterations[i].duration_ns + 5;
  }
  return all;
}

static gint64
end_of(const LacIterations *iterations)
{
  const LacIteration *last = &iterations->iterations[iterations->n - 1];
  return last->start_ns + last->duration_ns;
}

static gsize
count(const LacDrawing *drawing, gboolean filled)
{
  gsize n = 0;
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    n += filled ? item->kind == LAC_DRAW_LINES && item->filled : item->kind == LAC_DRAW_RECTANGLE;
  }
  return n;
}

static void
test_strip(void)
{
  g_auto(LacIterations) few = make_iterations(2000), many = make_iterations(1000000);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  LacTimelineView       view = {.end_ns = end_of(&few), .width = 1000};
  lac_timeline_draw_strip(&few, drawing, &view, 40, 0, &lac_palette_light);
  g_assert_cmpuint(count(drawing, TRUE), ==, few.n_outliers); /* one triangle each */

  lac_drawing_clear(drawing);
  view.end_ns = end_of(&many);
  lac_timeline_draw_strip(&many, drawing, &view, 40, 0, &lac_palette_light);
  g_assert_cmpuint(count(drawing, FALSE), <=, 2 * 1001); /* at most two rectangles per pixel */
  g_assert_cmpuint(count(drawing, TRUE), >, 100);
}

static gboolean
is_marked(const LacDrawItem *item)
{
  return item->kind == LAC_DRAW_RECTANGLE &&
         memcmp(&item->colour, &lac_palette_light.alert, sizeof(float[3])) == 0;
}

/* With a target, exactly the bars longer than it have another colour and exceed its line. */
static void
test_target(void)
{
  g_auto(LacIterations) all = make_iterations(60);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  LacTimelineView       view = {.end_ns = end_of(&all), .width = 6000};
  gint64                target = all.iterations[7].duration_ns;
  gsize                 n_over = 0, n_marked = 0;
  gssize                at = -1;
  for (gsize i = 0; i < all.n; i++)
    n_over += all.iterations[i].duration_ns > target;
  g_assert_cmpuint(lac_iterations_count_over(&all, target), ==, n_over);
  g_assert_cmpuint(lac_iterations_count_over(&all, 0), ==, 0);
  for (gsize i = 0; i < n_over; i++) {
    at = lac_iterations_next_over(&all, target, at, 1);
    g_assert_cmpint(at, >=, 0);
    g_assert_cmpint(all.iterations[at].duration_ns, >, target);
  }
  g_assert_cmpint(lac_iterations_next_over(&all, target, at, 1), ==, -1);
  g_assert_cmpint(lac_iterations_next_over(&all, target, (gssize) all.n, -1), ==, at);
  lac_timeline_draw_strip(&all, drawing, &view, 40, target, &lac_palette_light);
  const LacDrawItem *last = lac_drawing_get_item(drawing, lac_drawing_get_n_items(drawing) - 1);
  double             line = lac_drawing_get_points(drawing)[last->first_point].y;
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    n_marked += is_marked(item);
    if (item->kind == LAC_DRAW_RECTANGLE)
      g_assert_cmpint(is_marked(item), ==, item->y < line - 1e-9);
  }
  g_assert_cmpuint(n_marked, ==, n_over);
}

/* A pixel with many iterations picks the longest; a point beside them picks none. */
static void
test_pick(void)
{
  g_auto(LacIterations) many = make_iterations(100000);
  LacTimelineView       view = {.end_ns = end_of(&many), .width = 50};
  gssize                found = lac_timeline_pick_strip(&many, &view, 25.5);
  g_assert_cmpint(found, >=, 0);
  g_assert_true(many.iterations[found].is_outlier);
  for (gsize i = 0; i < 2000; i++) {
    gint64 time = many.iterations[i].start_ns;
    g_assert_cmpint(lac_timeline_find_iteration(&many, time), ==, (gssize) i);
    g_assert_cmpint(lac_timeline_find_iteration(&many, time - 1), ==, (gssize) i - 1);
  }
  many.n = 0;
  g_assert_cmpint(lac_timeline_pick_strip(&many, &view, 25.5), ==, -1);
}

/* Between two bars the nearer one is picked, far from any bar none. */
static void
test_pick_beside_a_bar(void)
{
  LacIteration    bars[] = {{.step = 0, .start_ns = 100, .duration_ns = 10},
                            {.step = 1, .start_ns = 120, .duration_ns = 10}};
  LacIterations   two = {.iterations = bars, .n = 2};
  LacTimelineView view = {.end_ns = 300, .width = 300}; /* one pixel per nanosecond */
  const struct {
    double x;
    gssize wanted;
  } rows[] = {{90, -1}, {93, 0}, {105, 0}, {113, 0}, {117, 1}, {125, 1}, {137, 1}, {145, -1}};
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
    g_assert_cmpint(lac_timeline_pick_strip(&two, &view, rows[i].x), ==, rows[i].wanted);
}

/* On a logarithmic axis an exponential decay is a straight line. */
static void
test_logarithm_is_straight(void)
{
  LacTrack             *track = lac_track_new("error", NULL);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  LacTimelineView       view = {.begin_ns = 0, .end_ns = 1000, .width = 100, .font_size = 10};
  for (gint64 i = 0; i < 10; i++)
    lac_track_add(track, 100 * i, pow(10, -(double) i));
  lac_track_set_logarithmic(track);
  lac_track_draw(track, drawing, &view, 0, 90, (LacColour){0});
  const LacDrawItem *item = lac_drawing_get_item(drawing, 0);
  const LacPoint    *points = lac_drawing_get_points(drawing) + item->first_point;
  guint              n_steps = 0;
  for (guint i = 1; i < item->n_points; i++)
    if (points[i].y != points[i - 1].y) {
      g_assert_cmpfloat_with_epsilon(points[i].y - points[i - 1].y, 10, 1e-9);
      n_steps++;
    }
  g_assert_cmpuint(n_steps, ==, 9);
  lac_track_free(track);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/timeline-track/extremes-are-those-of-every-sample", test_extremes);
  g_test_add_func("/report/timeline-track/a-value-holds-until-the-next", test_values);
  g_test_add_func("/report/timeline-track/the-line-fills-its-box-with-few-points", test_line);
  g_test_add_func("/report/timeline-strip/outliers-are-marked-and-a-million-folds", test_strip);
  g_test_add_func("/report/timeline-track/a-target-is-a-line-and-a-colour", test_target);
  g_test_add_func("/report/timeline-strip/a-pixel-gives-its-longest-iteration", test_pick);
  g_test_add_func("/report/timeline-strip/pick-beside-a-bar", test_pick_beside_a_bar);
  g_test_add_func("/report/timeline-track/the-logarithm-of-a-decay-is-straight",
                  test_logarithm_is_straight);
  return g_test_run();
}
