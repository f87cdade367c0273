/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks of an axis and their labels. */
#include "base/number-display.h"
#include "base/unit.h"
#include "report/plot/plot-private.h"
#include "report/text/number.h"

#include <math.h>
#include <string.h>

/* Computes multiples of step = @factor * 10^@power within [low, high]; exact decimals where doubles can represent
 * them. */
static gsize
multiples(double low, double high, int factor, int power, gsize max, double *ticks)
{
  double scale = pow(10, abs(power));
  double step = power < 0 ? factor / scale : factor * scale;
  double slack = 1e-9 * (high - low) / step;
  double first = ceil(low / step - slack), last = floor(high / step + slack);
  if (!(last - first < (double) max))
    return max + 1;
  gsize n = 0;
  for (double i = first; i <= last; i++)
    ticks[n++] = power < 0 ? i * factor / scale : i * factor * scale;
  for (gsize i = 0; i < n; i++)
    ticks[i] = ticks[i] == 0 ? 0 : ticks[i]; /* never -0 */
  return n;
}

gsize
lac_ticks(double low, double high, gsize max, double *ticks)
{
  g_return_val_if_fail(ticks != NULL, 0);
  static const int factors[] = {1, 2, 5};
  if (!isfinite(low) || !isfinite(high) || !(high > low) || max == 0)
    return 0;
  int power = (int) floor(log10((high - low) / (double) max)) - 1;
  for (;; power++)
    for (gsize i = 0; i < G_N_ELEMENTS(factors); i++) {
      gsize n = multiples(low, high, factors[i], power, max, ticks);
      if (n <= max)
        return n;
    }
}

LacScale
lac_scale_make(double low, double high, gboolean logarithmic)
{
  LacScale scale = {.logarithmic = logarithmic};
  scale.low = logarithmic ? log10(low) : low;
  scale.high = logarithmic ? log10(high) : high;
  if (!(scale.high > scale.low)) {
    double middle = isfinite(scale.low) ? scale.low : 0;
    double half = logarithmic ? 0.5 : MAX(fabs(middle) * 0.05, 1e-12);
    if (!logarithmic && middle == 0)
      half = 1;
    scale.low = middle - half;
    scale.high = middle + half;
  }
  return scale;
}

void
lac_scale_show(LacScale *scale, const char *unit)
{
  const LacShown shown = lac_shown(unit);
  g_return_if_fail(!scale->logarithmic);
  scale->low = lac_shown_value(&shown, scale->low);
  scale->high = lac_shown_value(&shown, scale->high);
}

static void
label_power(char *label, gsize size, int power)
{
  static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  g_strlcpy(label, power < 0 ? "10⁻" : "10", size);
  g_autofree char *plain = g_strdup_printf("%d", abs(power));
  for (const char *p = plain; *p != '\0'; p++)
    g_strlcat(label, digits[*p - '0'], size);
}

static void
label_number(char *label, gsize size, double value)
{
  g_autofree char *text = lac_number_text(value);
  g_strlcpy(label, text, size);
}

/* Formats all labels of an axis with the same number of decimals. */
static void
label_linear(LacScale *scale)
{
  double largest = MAX(fabs(scale->low), fabs(scale->high));
  double step = scale->n_ticks > 1 ? scale->ticks[1] - scale->ticks[0] : largest;
  int    decimals = MAX(0, (int) -floor(log10(step) + 1e-9));
  for (gsize i = 0; i < scale->n_ticks; i++) {
    if (largest >= 1e5 || step < 1e-4) {
      label_number(scale->labels[i], sizeof scale->labels[i], scale->ticks[i]);
      continue;
    }
    g_autofree char *format = g_strdup_printf("%%.%df", decimals);
    lac_number_localise(
      g_ascii_formatd(scale->labels[i], sizeof scale->labels[i], format, scale->ticks[i]));
    g_autofree char *text = lac_number_take_minus(g_strdup(scale->labels[i]));
    g_strlcpy(scale->labels[i], text, sizeof scale->labels[i]);
  }
}

static void
tick_decades(LacScale *scale, gsize max)
{
  int first = (int) ceil(scale->low - 1e-9), last = (int) floor(scale->high + 1e-9);
  int stride = 1;
  while ((gsize) (last / stride - (first - 1) / stride + 1) > max)
    stride++;
  for (int power = first; power <= last && scale->n_ticks < max; power++)
    if (power % stride == 0) {
      scale->ticks[scale->n_ticks] = power;
      label_power(scale->labels[scale->n_ticks], sizeof scale->labels[0], power);
      scale->n_ticks++;
    }
}

/* Ticks at 1, 2, 5 for a range of about one decade, which has too few powers of ten; at the powers alone where those
 * are too many; plain ticks for narrower ranges. */
static void
tick_narrow(LacScale *scale, gsize max)
{
  double              values[LAC_MAX_TICKS];
  gsize               n = 0;
  static const double factors[] = {1, 2, 5};
  for (int power = (int) floor(scale->low); power <= (int) floor(scale->high); power++)
    for (gsize i = 0; i < G_N_ELEMENTS(factors); i++) {
      double value = factors[i] * pow(10, power), place = log10(value);
      if (place >= scale->low - 1e-9 && place <= scale->high + 1e-9 && n < LAC_MAX_TICKS)
        values[n++] = value;
    }
  if (n > max)
    tick_decades(scale, max);
  if (scale->n_ticks > 0)
    return;
  if (n < 3 || n > max)
    n = lac_ticks(pow(10, scale->low), pow(10, scale->high), max, values);
  scale->n_ticks = n;
  for (gsize i = 0; i < n; i++) {
    scale->ticks[i] = log10(values[i]);
    label_number(scale->labels[i], sizeof scale->labels[i], values[i]);
  }
}

/* Chooses at most @max ticks. */
static void
choose_ticks(LacScale *scale, gsize max)
{
  g_return_if_fail(scale != NULL);
  max = CLAMP(max, 1, LAC_MAX_TICKS);
  scale->n_ticks = 0;
  if (!scale->logarithmic) {
    scale->n_ticks = lac_ticks(scale->low, scale->high, max, scale->ticks);
    label_linear(scale);
  } else if (floor(scale->high + 1e-9) - ceil(scale->low - 1e-9) >= 2) {
    tick_decades(scale, max);
  } else {
    tick_narrow(scale, max);
  }
}

double
lac_scale_label_width(const LacScale *scale, double font_size)
{
  g_return_val_if_fail(scale != NULL, 0);
  double widest = 0;
  for (gsize i = 0; i < scale->n_ticks; i++)
    widest = MAX(widest, lac_text_width(scale->labels[i], font_size, FALSE));
  return widest;
}

static gboolean
labels_fit(const LacScale *scale, double width, double font_size)
{
  double end = -G_MAXDOUBLE;
  for (gsize i = 0; i < scale->n_ticks; i++) {
    double half = lac_text_width(scale->labels[i], font_size, FALSE) / 2;
    double at = (scale->ticks[i] - scale->low) / (scale->high - scale->low) * width;
    if (at - half < end + font_size * 0.6)
      return FALSE;
    end = at + half;
  }
  return TRUE;
}

void
lac_scale_fit_x(LacScale *scale, double width, double font_size)
{
  g_return_if_fail(scale != NULL);
  for (gsize max = 7; max > 1; max--) {
    choose_ticks(scale, max);
    if (labels_fit(scale, width, font_size))
      return;
  }
  choose_ticks(scale, 1);
}

void
lac_scale_fit_y(LacScale *scale, double height, double font_size)
{
  g_return_if_fail(scale != NULL && font_size > 0);
  choose_ticks(scale, (gsize) CLAMP(height / (font_size * 2.1), 1, 8));
  for (gsize max = 8; max > 1; max--) { /* unevenly spaced ticks may still overlap */
    double nearest = G_MAXDOUBLE;
    for (gsize i = 1; i < scale->n_ticks; i++)
      nearest = MIN(nearest, scale->ticks[i] - scale->ticks[i - 1]);
    if (nearest / (scale->high - scale->low) * height >= font_size * 1.2)
      return;
    choose_ticks(scale, MIN(max, MAX(scale->n_ticks, 2)) - 1);
  }
}

double
lac_scale_place(const LacScale *scale, double value)
{
  g_return_val_if_fail(scale != NULL, NAN);
  if (scale->logarithmic)
    value = value > 0 ? log10(value) : (double) NAN;
  return (value - scale->low) / (scale->high - scale->low);
}

/* ---- scales with a transfer function ---- */

gsize
lac_scale_marks(const LacWarp *warp, gsize most, double *marks)
{
  double low = warp->low, high = warp->high, knee = warp->knee;
  gsize  n = 0;
  g_return_val_if_fail(most >= 3 && most <= LAC_MAX_LEVELS, 0);
  if (!(high > low))
    return 0;
  if (warp->kind != LAC_TRANSFER_LOG && warp->kind != LAC_TRANSFER_SYMLOG)
    return lac_ticks(low, high, most, marks);
  double   first = floor(log10(warp->kind == LAC_TRANSFER_LOG ? low : knee));
  double   last = floor(log10(MAX(fabs(low), fabs(high))) + 1e-9);
  gboolean both = warp->kind == LAC_TRANSFER_SYMLOG && low < 0 && high > 0;
  double   room = both ? ((double) most - 1) / 2 : (double) most;
  double   step = MAX(ceil((last - first + 1) / room), 1);
  double   end = last - step * floor((last - first) / step);
  for (double e = last; low < 0 && e >= end - 0.5 && n < most; e -= step)
    if (-pow(10, e) >= low && -pow(10, e) <= high)
      marks[n++] = -pow(10, e);
  if (warp->kind == LAC_TRANSFER_SYMLOG && low <= 0 && high >= 0 && n < most)
    marks[n++] = 0;
  for (double e = end; high > 0 && e <= last + 0.5 && n < most; e += step)
    if (pow(10, e) >= low * (1 - 1e-9) && pow(10, e) <= high * (1 + 1e-9))
      marks[n++] = pow(10, e);
  return n;
}

gsize
lac_scale_levels(const LacWarp *warp, double *levels)
{
  return lac_scale_marks(warp, LAC_MAX_LEVELS - 4, levels);
}

/* ---- labels other than by default ---- */

void
lac_scale_label_percent(LacScale *scale)
{
  for (gsize i = 0; i < scale->n_ticks; i++) {
    if (scale->labels[i][0] == '\0')
      continue;
    double           value = scale->logarithmic ? pow(10, scale->ticks[i]) : scale->ticks[i];
    g_autofree char *text = lac_number_text(value);
    g_snprintf(scale->labels[i], sizeof scale->labels[i], "%s %%", text);
  }
}

void
lac_scale_put_ticks(LacScale *scale, const double *values, gsize n, double width, double font_size)
{
  double end = -INFINITY;
  scale->n_ticks = MIN(n, LAC_MAX_TICKS);
  for (gsize i = 0; i < scale->n_ticks; i++) {
    g_autofree char *text = lac_number_text(values[i]);
    double           half = lac_text_width(text, font_size, FALSE) / 2;
    double           at = lac_scale_place(scale, values[i]) * width;
    scale->ticks[i] = scale->logarithmic ? log10(values[i]) : values[i];
    scale->labels[i][0] = '\0';
    if (at - half < end + 0.5 * font_size)
      continue;
    g_strlcpy(scale->labels[i], text, sizeof scale->labels[i]);
    end = at + half;
  }
}
