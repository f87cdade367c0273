/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roofline chart: points at their values, labels within the frame and without overlap. */
#include "report/plot/roofline-chart.h"
#include "report/summary/operation-columns.h"

#include <math.h>
#include <string.h>

#define WIDTH 480.0

static const LacPeak peak = {.flops = 64e9, .bytes = 16e9};

/* Makes ten operations with long names, crowded or at the very ends. */
static LacRooflineChart
make_crowd(gboolean at_the_ends)
{
  static const char *const names[LAC_ROOFLINE_MOST] = {
    "layer forward, fused, first to last",
    "layer backward, fused",
    "tanh",
    "sum",
    "product of matrices",
    "transform, forward, of two dimensions",
    "transform, backward",
    "scale",
    "copy",
    "an operation whose name is longer than any chart is wide, by far and away"};
  LacRooflineChart chart = {.peak = peak, .n = LAC_ROOFLINE_MOST};
  for (gsize i = 0; i < chart.n; i++) {
    double intensity = at_the_ends ? (i % 2 ? 1e-3 : 1e4) : 1 + 0.1 * (double) i;
    chart.points[i] = (LacRooflinePoint){
      names[i], intensity, fmin(peak.flops, intensity * peak.bytes) / (1 + (double) i), 0.1};
  }
  return chart;
}

typedef struct {
  double x, y, width, height;
} Box;

static void
check(const LacRooflineChart *chart, LacPoint at)
{
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  Box                   labels[64];
  gsize                 n = 0, n_shares = 0, n_points = 0;
  lac_roofline_draw(chart, drawing, at, WIDTH, &lac_palette_light);
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    n_points += item->kind == LAC_DRAW_LINES && item->filled;
    if (item->kind != LAC_DRAW_TEXT || item->vertical)
      continue;
    const char *text = lac_drawing_get_text(drawing, item);
    double      width = lac_text_width(text, item->size, FALSE);
    double      left = item->x - (item->align == LAC_ALIGN_CENTRE  ? width / 2
                                  : item->align == LAC_ALIGN_RIGHT ? width
                                                                   : 0);
    g_assert_cmpfloat(left, >=, at.x);
    g_assert_cmpfloat(left + width, <=, at.x + WIDTH);
    g_assert_cmpfloat(item->y - item->size * 0.75, >=, at.y);
    g_assert_cmpfloat(item->y, <=, at.y + LAC_ROOFLINE_HEIGHT);
    labels[n++] = (Box){left, item->y - item->size * 0.75, width, item->size * 0.75};
    n_shares += g_str_has_suffix(text, " %");
  }
  g_assert_cmpuint(n_points, ==, chart->n);
  g_assert_cmpuint(n_shares, ==, chart->n);
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < i; k++)
      g_assert_true(labels[i].x + labels[i].width <= labels[k].x ||
                    labels[k].x + labels[k].width <= labels[i].x ||
                    labels[i].y + labels[i].height <= labels[k].y ||
                    labels[k].y + labels[k].height <= labels[i].y);
}

static void
test_labels_have_room(void)
{
  for (int at_the_ends = 0; at_the_ends < 2; at_the_ends++) {
    const LacRooflineChart chart = make_crowd(at_the_ends);
    check(&chart, (LacPoint){0, 0});
    check(&chart, (LacPoint){70, 30});
  }
}

/* Returns the vertical middle of a filled polygon. */
static double
middle_of(const LacDrawing *drawing, const LacDrawItem *item)
{
  const LacPoint *points = lac_drawing_get_points(drawing) + item->first_point;
  double          low = G_MAXDOUBLE, high = -G_MAXDOUBLE;
  for (guint i = 0; i < item->n_points; i++) {
    low = MIN(low, points[i].y);
    high = MAX(high, points[i].y);
  }
  return (low + high) / 2;
}

/* The roofline has three points: an operation at the peak lies on its flat part. */
static void
test_what_reaches_the_peak_is_on_the_flat_roof(void)
{
  const LacRooflineChart chart = {.peak = peak, .n = 1, .points = {{"product", 40, peak.flops, 1}}};
  g_autoptr(LacDrawing)  drawing = lac_drawing_new();
  double                 roof = NAN, point = NAN;
  lac_roofline_draw(&chart, drawing, (LacPoint){0, 0}, WIDTH, &lac_palette_dark);
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    if (item->kind == LAC_DRAW_LINES && !item->filled && item->n_points == 3)
      roof = lac_drawing_get_points(drawing)[item->first_point + 2].y;
    if (item->kind == LAC_DRAW_LINES && item->filled)
      point = middle_of(drawing, item);
  }
  g_assert_cmpfloat_with_epsilon(roof, point, 1e-6);
}

static void
test_columns_without_peak_say_so(void)
{
  const LacAggregate row = {
    .is_operation = TRUE, .count = 1, .flops = 32e9, .bytes = 1e9, .total_ns = 1e9, .memory = -1};
  const LacPeak             none = {.flops = NAN, .bytes = NAN};
  gsize                     n;
  guint                     found = 0;
  const LacOperationColumn *columns = lac_operation_columns(&n);
  for (gsize i = 0; i < n; i++) {
    if (!g_str_equal(columns[i].key, "share_of_peak") &&
        !g_str_equal(columns[i].key, "share_of_roof"))
      continue;
    g_autofree char *known = lac_operation_cell_text(&columns[i], &row, &peak);
    g_autofree char *unknown = lac_operation_cell_text(&columns[i], &row, &none);
    g_assert_cmpstr(known, ==, "50.0 %");
    g_assert_cmpstr(unknown, ==, "–");
    found++;
  }
  g_assert_cmpuint(found, ==, 2);
}

/* The chart excludes phases and operations without computation; it is empty without the machine's peaks. */
static void
test_what_is_in_the_chart(void)
{
  const LacAggregate rows[] = {
    {.is_operation = FALSE, .flops = 1e9, .bytes = 1e9, .total_ns = 1e9},
    {.is_operation = TRUE, .flops = 0, .bytes = 1e9, .total_ns = 1e9},
    {.is_operation = TRUE, .flops = 2e9, .bytes = 1e9, .total_ns = 1e9, .share = 0.3},
  };
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  LacRecord             records[2] = {{.kind = LAC_RECORD_COUNTER, .value = peak.flops},
                                      {.kind = LAC_RECORD_COUNTER, .value = peak.bytes}};
  g_assert_cmpuint(lac_roofline_chart_of(capture, rows, G_N_ELEMENTS(rows)).n, ==, 0);
  records[0].name = lac_capture_add_name(capture, LAC_COUNTER_PEAK_FLOPS);
  records[1].name = lac_capture_add_name(capture, LAC_COUNTER_PEAK_BYTES);
  lac_capture_append(capture, records, 2);
  const LacRooflineChart chart = lac_roofline_chart_of(capture, rows, G_N_ELEMENTS(rows));
  g_assert_cmpuint(chart.n, ==, 1);
  g_assert_cmpfloat(chart.points[0].intensity, ==, 2);
  g_assert_cmpfloat(chart.points[0].rate, ==, 2e9);
  g_assert_cmpfloat(chart.points[0].share, ==, 0.3);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/roofline/labels-have-room", test_labels_have_room);
  g_test_add_func("/report/roofline/what-reaches-the-peak-is-on-the-flat-roof",
                  test_what_reaches_the_peak_is_on_the_flat_roof);
  g_test_add_func("/report/roofline/columns-without-peak-say-so", test_columns_without_peak_say_so);
  g_test_add_func("/report/roofline/what-is-in-the-chart", test_what_is_in_the_chart);
  return g_test_run();
}
