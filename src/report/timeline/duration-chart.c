/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram of durations on a logarithmic axis. */
#include "report/timeline/duration-chart.h"

#include "base/number-display.h"
#include "report/plot/plot.h"

#include <math.h>

#define LINES   1.35 /* line height, relative to the font size */
#define MOST    9    /* number of ticks */
#define PALE    0.35F
#define LEAST   1.5 /* pixels; minimum height of a non-empty bin */
#define MARGIN  6.0
#define NARROW  8.0 /* ranges with a smaller ratio of their ends have linear ticks */
#define AIR     1.4 /* between labels, relative to the font size */
#define BRUSHED 0.16F

/* Formats a tick in the unit that leaves 1 ... 999. */
static char *
dup_tick(double ns)
{
  static const char *const units[] = {"ns", "µs", "ms", "s"};
  gsize                    unit = 0;
  char                     number[32];
  while (ns >= 999.5 && unit < G_N_ELEMENTS(units) - 1) {
    ns /= 1000;
    unit++;
  }
  g_ascii_formatd(number, sizeof number, "%.4g", ns);
  return g_strdup_printf("%s %s", lac_number_localise(number), units[unit]);
}

gboolean
lac_duration_chart_take(LacDurationChart *chart, LacDurations *const *durations, gsize n)
{
  double low, high;
  g_return_val_if_fail(chart != NULL && durations != NULL && n >= 1 && n <= 2, FALSE);
  chart->n = 0;
  if (!lac_durations_find_ends(durations, n, &low, &high))
    return FALSE;
  chart->n = n;
  for (gsize k = 0; k < n; k++) {
    chart->series[k].bins = lac_durations_bin(durations[k], low, high);
    for (LacPercentile p = 0; p < LAC_N_PERCENTILES; p++)
      chart->series[k].percentiles_ns[p] = lac_durations_get_percentile(durations[k], p);
  }
  return TRUE;
}

static void
get_ends(const LacDurationChart *chart, double *low, double *high)
{
  *low = chart->series[0].bins.low_ns;
  *high = chart->series[0].bins.high_ns;
}

double
lac_duration_chart_get_x(const LacDurationChart *chart, double ns)
{
  double low, high;
  g_return_val_if_fail(chart != NULL && chart->n > 0, 0);
  get_ends(chart, &low, &high);
  return MARGIN + log(MAX(ns, 1e-3) / low) / log(high / low) * (chart->width - 2 * MARGIN);
}

double
lac_duration_chart_get_ns(const LacDurationChart *chart, double x)
{
  double low, high;
  g_return_val_if_fail(chart != NULL && chart->n > 0, 0);
  get_ends(chart, &low, &high);
  double place = CLAMP((x - MARGIN) / MAX(chart->width - 2 * MARGIN, 1), 0, 1);
  return low * pow(high / low, place);
}

/* ---- the axis ---- */

static gsize
find_ticks(double low, double high, double *ticks)
{
  static const double factors[] = {1, 2, 5};
  gsize               n = 0;
  if (high / low < NARROW)
    return lac_ticks(low, high, MOST, ticks);
  gboolean decades = high / low > 1e3;
  for (int power = (int) floor(log10(low)); power <= (int) ceil(log10(high)); power++)
    for (gsize i = 0; i < (decades ? 1 : G_N_ELEMENTS(factors)); i++) {
      double tick = factors[i] * pow(10, power);
      if (tick >= low && tick <= high && n < 2 * MOST)
        ticks[n++] = tick;
    }
  return n;
}

static void
draw_axis(const LacDurationChart *chart,
          LacDrawing             *drawing,
          const LacPalette       *palette,
          double                  base)
{
  double low, high, ticks[2 * MOST], end = 0, size = chart->font_size;
  get_ends(chart, &low, &high);
  lac_draw_rectangle(drawing, 0, base, chart->width, 1, palette->faint);
  for (gsize i = 0, n = find_ticks(low, high, ticks); i < n; i++) {
    double           x = lac_duration_chart_get_x(chart, ticks[i]);
    g_autofree char *text = dup_tick(ticks[i]);
    double           half = lac_text_width(text, size, FALSE) / 2;
    lac_draw_rectangle(drawing, x - 0.5, base, 1, 4, palette->faint);
    if (x - half < end || x + half > chart->width)
      continue;
    lac_draw_text(drawing, x, base + 4 + size, LAC_ALIGN_CENTRE, size, palette->foreground, text);
    end = x + half + AIR * size;
  }
}

/* ---- bars ---- */

static double
height_of(const LacDurationChart *chart, gsize k, gsize bin, double room)
{
  const LacDurationBins *bins = &chart->series[k].bins;
  double                 most = 0;
  for (gsize i = 0; i < chart->n; i++) {
    const LacDurationBins *other = &chart->series[i].bins;
    most = MAX(most, (double) other->most / MAX((double) other->n_calls, 1));
  }
  double share = (double) bins->counts[bin] / MAX((double) bins->n_calls, 1);
  return bins->counts[bin] == 0 || most <= 0 ? 0 : MAX(share / most * room, LEAST);
}

static void
draw_bars(const LacDurationChart *chart,
          gsize                   k,
          LacDrawing             *drawing,
          const LacPalette       *palette,
          const double            ends[2])
{
  const LacDurationBins *bins = &chart->series[k].bins;
  LacColour              strong = lac_look_colour(palette, (guint) k + 1), fill = strong;
  LacPoint               points[2 * LAC_DURATION_BINS];
  fill.alpha = chart->n > 1 ? PALE : 0.85F;
  for (gsize i = 0; i < LAC_DURATION_BINS; i++) {
    double left = lac_duration_chart_get_x(chart, lac_duration_bins_get_edge(bins, i));
    double right = lac_duration_chart_get_x(chart, lac_duration_bins_get_edge(bins, i + 1));
    double height = height_of(chart, k, i, ends[1] - ends[0]);
    points[2 * i] = (LacPoint){left, ends[1] - height};
    points[2 * i + 1] = (LacPoint){right, ends[1] - height};
    if (height > 0)
      lac_draw_rectangle(drawing, left, ends[1] - height,
                         MAX(right - left - (chart->n > 1 ? 0 : 0.7), 1), height, fill);
  }
  if (chart->n > 1)
    lac_draw_lines(drawing, points, G_N_ELEMENTS(points), 1.4, strong);
}

static void
draw_brush(const LacDurationChart *chart,
           LacDrawing             *drawing,
           const LacPalette       *palette,
           double                  base)
{
  LacColour fill = palette->foreground;
  if (chart->low_ns >= chart->high_ns)
    return;
  double left = MAX(lac_duration_chart_get_x(chart, chart->low_ns), 0);
  double right = MIN(lac_duration_chart_get_x(chart, chart->high_ns), chart->width);
  fill.alpha = BRUSHED;
  if (right <= left)
    return;
  lac_draw_rectangle(drawing, left, 0, right - left, base, fill);
  fill.alpha = 0.8F;
  lac_draw_rectangle(drawing, left - 0.5, 0, 1, base, fill);
  lac_draw_rectangle(drawing, right - 0.5, 0, 1, base, fill);
}

/* ---- percentiles ---- */

#define ROWS 3 /* rows of text above the bars of a single series */

typedef struct {
  double      ns, base; /* base: lower end of the line */
  guint       row;      /* of the label above the bars */
  const char *name;
  LacColour   colour;
} Percentile;

static char *
dup_words(const Percentile *percentile)
{
  g_autofree char *value = dup_tick(percentile->ns);
  return g_strdup_printf("%s %s", percentile->name, value);
}

/* Finds the horizontal extent of the label: right of the line, or left of it near the right edge. */
static void
find_chip(const LacDurationChart *chart, const Percentile *percentile, double ends[2])
{
  g_autofree char *text = dup_words(percentile);
  const double     x = lac_duration_chart_get_x(chart, percentile->ns);
  const double     width = lac_text_width(text, chart->font_size, FALSE) + 4;
  const gboolean   left = x + width > chart->width;
  ends[0] = left ? x - width - 2 : x + 2;
  ends[1] = ends[0] + width;
}

/* Draws a line with its name and value beside it. */
static void
draw_percentile(const LacDurationChart *chart,
                LacDrawing             *drawing,
                const LacPalette       *palette,
                const Percentile       *percentile)
{
  double           size = chart->font_size, x = lac_duration_chart_get_x(chart, percentile->ns);
  double           y = (percentile->row + 1) * LINES * size - 2, ends[2];
  g_autofree char *text = dup_words(percentile);
  LacPoint         line[] = {{x, y - size}, {x, percentile->base}};
  LacColour        chip = palette->background;
  chip.alpha = 0.8F;
  find_chip(chart, percentile, ends);
  lac_draw_dashed(drawing, line, 2, 1.2, percentile->colour, LAC_DASH_DASHED);
  lac_draw_rectangle(drawing, ends[0], y - size, ends[1] - ends[0], size + 3, chip);
  lac_draw_text(drawing, ends[0] + 2, y, LAC_ALIGN_LEFT, size, percentile->colour, text);
}

/* Finds a row in which the label of @one overlaps no other label and no line. Returns: FALSE without one. */
static gboolean
find_room(const LacDurationChart *chart, const Percentile *drawn, gsize n, Percentile *one)
{
  double ends[2], others[2];
  find_chip(chart, one, ends);
  for (one->row = 0; one->row < ROWS; one->row++) {
    gboolean is_free = TRUE;
    for (gsize i = 0; i < n; i++) {
      const double x = lac_duration_chart_get_x(chart, drawn[i].ns);
      find_chip(chart, &drawn[i], others);
      if (drawn[i].row == one->row && others[0] < ends[1] + 2 && ends[0] < others[1] + 2)
        is_free = FALSE;
      if (drawn[i].row < one->row && x > ends[0] - 2 && x < ends[1] + 2)
        is_free = FALSE;
    }
    if (is_free)
      return TRUE;
  }
  return FALSE;
}

/* Draws all percentiles: those of the operation table have a row each, the others are drawn where they fit. */
static void
draw_all_of_one(const LacDurationChart *chart,
                LacDrawing             *drawing,
                const LacPalette       *palette,
                double                  base)
{
  static const LacPercentile order[LAC_N_PERCENTILES] = {
    LAC_PERCENTILE_50, LAC_PERCENTILE_90, LAC_PERCENTILE_99, LAC_PERCENTILE_75, LAC_PERCENTILE_999};
  Percentile drawn[LAC_N_PERCENTILES];
  gsize      n = 0;
  for (guint i = 0; i < LAC_N_PERCENTILES; i++) {
    Percentile one = {chart->series[0].percentiles_ns[order[i]], base, i,
                      lac_percentile_get_name(order[i]), palette->foreground};
    if (i < ROWS || find_room(chart, drawn, n, &one))
      drawn[n++] = one;
  }
  for (gsize i = 0; i < n; i++)
    draw_percentile(chart, drawing, palette, &drawn[i]);
}

static void
draw_medians(const LacDurationChart *chart,
             LacDrawing             *drawing,
             const LacPalette       *palette,
             double                  base)
{
  for (guint k = 0; k < chart->n; k++) {
    const LacDurationSeries *series = &chart->series[k];
    g_autofree char         *name =
      g_strdup_printf("%s %s", series->label, lac_percentile_get_name(LAC_PERCENTILE_50));
    LacColour colour = lac_look_colour(palette, k + 1);
    if (series->bins.n_calls > 0)
      draw_percentile(
        chart, drawing, palette,
        &(Percentile){series->percentiles_ns[LAC_PERCENTILE_50], base, k, name, colour});
  }
}

void
lac_duration_chart_draw(const LacDurationChart *chart,
                        LacDrawing             *drawing,
                        const LacPalette       *palette)
{
  g_return_if_fail(chart != NULL && drawing != NULL && palette != NULL);
  if (chart->n == 0 || chart->width < 4 * MARGIN)
    return;
  double size = chart->font_size, rows = chart->n > 1 ? 2 : ROWS;
  double ends[] = {rows * LINES * size, chart->height - size - 8};
  for (gsize k = 0; k < chart->n; k++)
    draw_bars(chart, k, drawing, palette, ends);
  draw_brush(chart, drawing, palette, ends[1]);
  draw_axis(chart, drawing, palette, ends[1]);
  if (chart->n > 1)
    draw_medians(chart, drawing, palette, ends[1]);
  else
    draw_all_of_one(chart, drawing, palette, ends[1]);
}
