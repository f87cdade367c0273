/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and ticks; texts of a plot never overlap or leave their box. */
#include "base/unit.h"
#include "report/plot/plot-private.h"
#include "report/plot/plot.h"
#include "report/text/number.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static void
test_numbers(void)
{
  static const struct {
    double      value;
    const char *text;
  } rows[] = {
    {0, "0"},           {-0.0, "0"},          {44.1, "44.1"},     {1.2e-3, "0.0012"},
    {1.2e-4, "1.2e−4"}, {-1.5e-5, "−1.5e−5"}, {6.7e-4, "6.7e−4"}, {1234.56, "1235"},
    {12345, "12345"},   {12345.6, "1.235e4"}, {100000, "1e5"},    {1e300, "1e300"},
    {0.1 + 0.2, "0.3"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autofree char *text = lac_number_text(rows[i].value);
    g_assert_cmpstr(text, ==, rows[i].text);
  }
  g_autofree char *none = lac_number_text((double) NAN);
  g_assert_cmpstr(none, ==, "–");
}

static void
test_number_reads_back(void)
{
  for (int i = 0; i < 2000; i++) {
    double value = g_test_rand_double_range(-1, 1) * pow(10, g_test_rand_int_range(-12, 12));
    g_autofree char *text = lac_number_text(value);
    g_auto(GStrv)    parts = g_strsplit(text, "−", -1);
    g_autofree char *plain = g_strjoinv("-", parts);
    g_assert_null(strchr(text, '-'));
    g_assert_cmpfloat(fabs(g_ascii_strtod(plain, NULL) - value), <=, 5.001e-4 * fabs(value));
  }
}

static void
test_ticks_are_round(void)
{
  for (int i = 0; i < 5000; i++) {
    double low = g_test_rand_double_range(-1, 1) * pow(10, g_test_rand_int_range(-6, 6));
    double high =
      low + fabs(g_test_rand_double_range(0.01, 1)) * pow(10, g_test_rand_int_range(-3, 6));
    gsize  max = (gsize) g_test_rand_int_range(2, 12);
    double ticks[12];
    gsize  n = lac_ticks(low, high, max, ticks);
    g_assert_cmpuint(n, <=, max);
    if (max >= 5)
      g_assert_cmpuint(n, >=, 2);
    for (gsize k = 0; k < n; k++) {
      g_assert_cmpfloat(ticks[k], >=, low - 1e-8 * (high - low));
      g_assert_cmpfloat(ticks[k], <=, high + 1e-8 * (high - low));
    }
    if (n < 2)
      continue;
    /* Ticks far from 0 have a difference with few significant digits, which may fall short of a power of 10. */
    double step = ticks[1] - ticks[0], power = pow(10, floor(log10(1.01 * step)));
    double factor = step / power;
    g_assert_true(fabs(factor - 1) < 1e-2 || fabs(factor - 2) < 2e-2 || fabs(factor - 5) < 5e-2);
    for (gsize k = 2; k < n; k++)
      g_assert_cmpfloat(fabs(ticks[k] - ticks[k - 1] - step), <,
                        1e-6 * step + 1e-12 * fabs(ticks[k]));
  }
  double none[4];
  g_assert_cmpuint(lac_ticks(1, 1, 4, none), ==, 0);
  g_assert_cmpuint(lac_ticks((double) NAN, 1, 4, none), ==, 0);
}

typedef struct {
  double left, right, top, bottom;
} Extent;

static Extent
text_extent(const LacDrawing *drawing, const LacDrawItem *item)
{
  double width = lac_text_width(lac_drawing_get_text(drawing, item), item->size, item->bold);
  double shift = item->align == LAC_ALIGN_LEFT     ? 0
                 : item->align == LAC_ALIGN_CENTRE ? width / 2
                                                   : width;
  double up = 0.74 * item->size,
         down = 0.2 * item->size; /* height of figures and capitals; depth of letters */
  if (item->vertical)
    return (Extent){item->x - up, item->x + down, item->y + shift - width, item->y + shift};
  return (Extent){item->x - shift, item->x - shift + width, item->y - up, item->y + down};
}

/* Asserts that every text is within the box, and no two texts overlap. */
static void
assert_words_apart(const LacDrawing *drawing, double width, double height)
{
  g_autoptr(GArray) seen = g_array_new(FALSE, FALSE, sizeof(Extent));
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    if (item->kind != LAC_DRAW_TEXT)
      continue;
    Extent at = text_extent(drawing, item);
    g_assert_cmpfloat(at.left, >=, -1);
    g_assert_cmpfloat(at.right, <=, width + 1);
    g_assert_cmpfloat(at.top, >=, -1);
    g_assert_cmpfloat(at.bottom, <=, height + 1);
    for (guint k = 0; k < seen->len; k++) {
      const Extent *other = &g_array_index(seen, Extent, k);
      gboolean      apart = at.left >= other->right || at.right <= other->left ||
                       at.top >= other->bottom || at.bottom <= other->top;
      g_assert_true(apart);
    }
    g_array_append_val(seen, at);
  }
}

static void
test_curve_words_stay_apart(void)
{
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  for (int i = 0; i < 300; i++) {
    enum { N = 40 };
    double x[N], y[2][N];
    double scale = pow(10, g_test_rand_double_range(-9, 9)),
           decades = g_test_rand_double_range(0, 9);
    for (gsize k = 0; k < N; k++) {
      x[k] = (double) k * scale;
      for (gsize s = 0; s < 2; s++)
        y[s][k] = pow(10, g_test_rand_double_range(-decades, 0)) * scale;
    }
    LacSeries series[] = {{"ensemble filter", x, y[0], N}, {"static reconstruction", x, y[1], N}};
    LacPlotStyle style = {"step (1)", "relative error (1)", i % 2 == 0, 9};
    double width = g_test_rand_double_range(180, 700), height = g_test_rand_double_range(110, 400);
    lac_drawing_clear(drawing);
    lac_plot_curves(drawing, 0, 0, width, height, series, 2, &style, &lac_palette_paper);
    assert_words_apart(drawing, width, height);
  }
}

/* 1e5 points in a plot of 300 columns: at most two per column, including the peak. */
static void
test_decimation_keeps_the_peak(void)
{
  gsize                 n = 100000;
  g_autofree double    *x = g_new(double, n), *y = g_new(double, n);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  for (gsize i = 0; i < n; i++) {
    x[i] = (double) i;
    y[i] = i == 31415 ? 100 : sin((double) i);
  }
  LacSeries    series = {NULL, x, y, n};
  LacPlotStyle style = {NULL, NULL, FALSE, 9};
  lac_plot_curves(drawing, 0, 0, 300, 200, &series, 1, &style, &lac_palette_paper);
  gsize  most = 0;
  double highest = G_MAXDOUBLE, lowest = 0;
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    if (item->kind != LAC_DRAW_LINES || item->n_points < 10)
      continue;
    most = MAX(most, item->n_points);
    for (guint k = 0; k < item->n_points; k++) {
      highest = MIN(highest, lac_drawing_get_points(drawing)[item->first_point + k].y);
      lowest = MAX(lowest, lac_drawing_get_points(drawing)[item->first_point + k].y);
    }
  }
  g_assert_cmpuint(most, <=, 602);
  g_assert_cmpuint(most, >, 300);
  g_assert_cmpfloat(lowest - highest, >, 120); /* the peak spans most of the box */
}

static void
test_gap_breaks_the_line(void)
{
  double                x[] = {0, 1, 2, 3, 4}, y[] = {1, 2, (double) NAN, 3, 4};
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  LacSeries             series = {NULL, x, y, 5};
  LacPlotStyle          style = {NULL, NULL, FALSE, 9};
  lac_plot_curves(drawing, 0, 0, 300, 200, &series, 1, &style, &lac_palette_paper);
  gsize pieces = 0;
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    pieces += item->kind == LAC_DRAW_LINES && item->line_width > 1.1;
  }
  g_assert_cmpuint(pieces, ==, 2);
}

/* Three values and a gap: three dots at the distances of the values, on an axis up to 8. */
static void
test_dots_at_values(void)
{
  double                x[] = {0, 2, 3, 4}, y[] = {1, 2, (double) NAN, 3};
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  LacSeries             series = {.x = x, .y = y, .n = 4, .dots = TRUE};
  LacPlotStyle          style = {.font_size = 9, .x_to = 8};
  double                middles[4] = {0}, right = 0;
  gsize                 n = 0;
  lac_plot_curves(drawing, 0, 0, 300, 200, &series, 1, &style, &lac_palette_paper);
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    const LacPoint    *points = lac_drawing_get_points(drawing) + item->first_point;
    double             sum = 0;
    for (guint k = 0; k < item->n_points; k++) {
      sum += points[k].x;
      right = MAX(right, points[k].x);
    }
    if (item->filled && n < G_N_ELEMENTS(middles))
      middles[n++] = sum / item->n_points;
  }
  g_assert_cmpuint(n, ==, 3);
  g_assert_cmpfloat_with_epsilon(middles[2] - middles[0], 2 * (middles[1] - middles[0]), 1e-3);
  g_assert_cmpfloat_with_epsilon(right - middles[0], 2 * (middles[2] - middles[0]), 1);
}

static void
test_scale_of_a_field(void)
{
  float    data[] = {-1, 3, (float) NAN, 2};
  LacPlane plane = {.nx = 2, .ny = 2, .data = data};
  double   low, high;
  lac_scale_of(&plane, FALSE, &low, &high);
  g_assert_cmpfloat(low, ==, -1);
  g_assert_cmpfloat(high, ==, 3);
  lac_scale_of(&plane, TRUE, &low, &high);
  g_assert_cmpfloat(low, ==, -3);
  g_assert_cmpfloat(high, ==, 3);
  float constant[] = {5, 5, 5, 5};
  plane.data = constant;
  lac_scale_of(&plane, FALSE, &low, &high);
  g_assert_true(low < 5 && high > 5);
}

static void
test_fitted_text_fits(void)
{
  const char *text = "a rather long name of an operation";
  for (double width = 15; width < 250; width += 7) {
    g_autofree char *fitted = lac_text_dup_fitted(text, 9, FALSE, width);
    g_assert_cmpfloat(lac_text_width(fitted, 9, FALSE), <=, width);
    g_assert_true(strcmp(fitted, text) == 0 || g_str_has_suffix(fitted, "…"));
  }
}

/* ---- units ---- */

static void
assert_same_drawings(const LacDrawing *a, const LacDrawing *b)
{
  g_assert_cmpuint(lac_drawing_get_n_items(a), ==, lac_drawing_get_n_items(b));
  for (gsize i = 0; i < lac_drawing_get_n_items(a); i++) {
    const LacDrawItem *left = lac_drawing_get_item(a, i), *right = lac_drawing_get_item(b, i);
    g_assert_cmpint(left->kind, ==, right->kind);
    if (left->kind == LAC_DRAW_TEXT)
      g_assert_cmpstr(lac_drawing_get_text(a, left), ==, lac_drawing_get_text(b, right));
  }
}

/* A curve in hartree over bohr displayed in electronvolt over ångström equals the curve given in these units. */
static void
test_a_curve_is_drawn_in_the_unit_wanted(void)
{
  const double          angstrom = 0.529177210544, ev = 27.211386245981;
  const double          x[] = {1, 1.4, 2, 4}, y[] = {-1.12, -1.174, -1.13, -1.02};
  double                wanted_x[4], wanted_y[4];
  LacSeries             kept = {.x = x, .y = y, .n = 4, .low = y, .high = y, .unit = "Ha"};
  LacSeries             wanted = {.x = wanted_x, .y = wanted_y, .n = 4, .low = wanted_y};
  LacPlotStyle          style = {.font_size = 10, .x_unit = "bohr"};
  g_autoptr(LacDrawing) shown = lac_drawing_new(), plain = lac_drawing_new();
  g_autoptr(LacDrawing) native = lac_drawing_new();
  LacPlotAxis           axis;
  const double          size[2] = {400, 300};
  for (gsize i = 0; i < 4; i++) {
    wanted_x[i] = x[i] * angstrom;
    wanted_y[i] = y[i] * ev;
  }
  wanted.high = wanted_y;
  lac_plot_curves(native, 0, 0, 400, 300, &kept, 1, &style, &lac_palette_paper);
  g_assert_true(lac_unit_prefer("angstrom") && lac_unit_prefer("electronvolt"));
  lac_plot_curves(shown, 0, 0, 400, 300, &kept, 1, &style, &lac_palette_paper);
  g_assert_true(lac_plot_find_axis(size, &kept, 1, &style, &axis));
  g_assert_cmpfloat_with_epsilon(axis.to, 4 * angstrom, 1e-12);
  style.x_unit = NULL;
  lac_plot_curves(plain, 0, 0, 400, 300, &wanted, 1, &style, &lac_palette_paper);
  assert_same_drawings(shown, plain);
  g_assert_true(lac_unit_prefer("bohr") && lac_unit_prefer("hartree"));
  lac_drawing_clear(plain);
  style.x_unit = "bohr";
  lac_plot_curves(plain, 0, 0, 400, 300, &kept, 1, &style, &lac_palette_paper);
  assert_same_drawings(native, plain);
}

static void
test_a_label_names_the_unit_shown(void)
{
  g_assert_true(lac_unit_prefer("kilocalorie-per-mole"));
  g_autofree char *energy = lac_label_with_shown_unit("Energy", "Ha");
  g_autofree char *other = lac_label_with_shown_unit("speed", "m/s");
  g_autofree char *none = lac_label_with_shown_unit("ratio", "1");
  g_assert_true(lac_unit_prefer("hartree"));
  g_assert_cmpstr(energy, ==, "Energy (kcal/mol)");
  g_assert_cmpstr(other, ==, "speed (m/s)");
  g_assert_cmpstr(none, ==, "ratio");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/number/has-at-most-four-digits", test_numbers);
  g_test_add_func("/report/number/reads-back", test_number_reads_back);
  g_test_add_func("/report/ticks/are-round-and-few", test_ticks_are_round);
  g_test_add_func("/report/curves/words-stay-apart", test_curve_words_stay_apart);
  g_test_add_func("/report/curves/decimation-keeps-the-peak", test_decimation_keeps_the_peak);
  g_test_add_func("/report/curves/gap-breaks-the-line", test_gap_breaks_the_line);
  g_test_add_func("/report/curves/dots-stand-at-the-values", test_dots_at_values);
  g_test_add_func("/report/field/scale-holds-every-value", test_scale_of_a_field);
  g_test_add_func("/report/text/fitted-text-fits", test_fitted_text_fits);
  g_test_add_func("/report/plot/a-curve-is-drawn-in-the-unit-wanted",
                  test_a_curve_is_drawn_in_the_unit_wanted);
  g_test_add_func("/report/plot/a-label-names-the-unit-shown", test_a_label_names_the_unit_shown);
  return g_test_run();
}
