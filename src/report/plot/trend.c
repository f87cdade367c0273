/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trend of a measured quantity. */
#include "report/plot/trend.h"

#include "perf/analysis/ratio.h"
#include "report/plot/plot-private.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define ROOM   0.12 /* free part of the axis above and below the values */
#define RADIUS 3.0
#define RIM    12 /* corners of a point */

typedef struct {
  const LacTrend        *trend;
  LacDrawing            *drawing;
  const LacPalette      *palette;
  const LacTrendColours *colours;
  double                 size;
  const char            *unit; /* of the axis */
  double                 factor;
  LacScale               up;
  LacBox                 box;
} Plot;

/* ---- values ---- */

static double
find_limit(const LacTrend *trend)
{
  return trend->more_is_better ? trend->baseline / trend->allowed
                               : trend->baseline * trend->allowed;
}

static gboolean
is_beyond(const LacTrend *trend, double value)
{
  return trend->more_is_better ? value < find_limit(trend) : value > find_limit(trend);
}

gboolean
lac_trend_is_beyond(const LacTrend *trend, gsize i)
{
  return i >= trend->baseline_at && is_beyond(trend, trend->values[i]);
}

/* Finds the part [from, to) between the change points around value @i. */
static void
find_part(const LacTrend *trend, gsize i, gsize *from, gsize *to)
{
  *from = 0;
  *to = trend->n;
  for (gsize c = 0; c < trend->n_changes; c++) {
    if (trend->changes[c] <= i)
      *from = trend->changes[c];
    else
      *to = MIN(*to, trend->changes[c]);
  }
}

double
lac_trend_get_level(const LacTrend *trend, gsize i)
{
  gsize from, to;

  find_part(trend, i, &from, &to);
  return lac_median(trend->values + from, to - from);
}

/* ---- units ---- */

static void
find_unit(const LacTrend *trend, const char **unit, double *factor)
{
  static const struct {
    const char *of, *unit;
    double      least, factor;
  } units[] = {{"s", "s", 1, 1},    {"s", "ms", 1e-3, 1e3}, {"s", "µs", 1e-6, 1e6},
               {"s", "ns", 0, 1e9}, {"B", "GB", 1e9, 1e-9}, {"B", "MB", 1e6, 1e-6},
               {"B", "kB", 0, 1e-3}};
  double most = 0;

  for (gsize i = 0; i < trend->n; i++)
    most = MAX(most, trend->values[i]);
  *unit = g_str_equal(trend->unit, "1") ? "" : trend->unit;
  *factor = 1;
  for (gsize i = 0; i < G_N_ELEMENTS(units); i++)
    if (g_str_equal(units[i].of, trend->unit) && most >= units[i].least) {
      *unit = units[i].unit;
      *factor = units[i].factor;
      return;
    }
}

static char *
with_unit(const char *number, const char *unit)
{
  return *unit != '\0' ? g_strdup_printf("%s %s", number, unit) : g_strdup(number);
}

char *
lac_trend_value_text(const LacTrend *trend, double value)
{
  const char *unit;
  double      factor;

  find_unit(trend, &unit, &factor);
  g_autofree char *number = lac_number_text(value * factor);
  return with_unit(number, unit);
}

/* ---- layout ---- */

static void
lay_out(Plot *plot, LacBox box)
{
  const LacTrend *trend = plot->trend;
  double          low = INFINITY, high = -INFINITY, room, left = 0;

  find_unit(trend, &plot->unit, &plot->factor);
  for (gsize i = 0; i < trend->n; i++) {
    low = MIN(low, trend->values[i]);
    high = MAX(high, trend->values[i]);
  }
  if (isfinite(trend->baseline)) {
    low = MIN(low, find_limit(trend));
    high = MAX(high, find_limit(trend));
  }
  room = high > low ? ROOM * (high - low) : ROOM * high;
  plot->up = lac_scale_make((low - room) * plot->factor, (high + room) * plot->factor, FALSE);
  plot->box = (LacBox){box.x, box.y + plot->size * 1.5, box.width, box.height - plot->size * 3.4};
  lac_scale_fit_y(&plot->up, plot->box.height, plot->size);
  for (gsize i = 0; i < plot->up.n_ticks; i++) {
    g_autofree char *text = with_unit(plot->up.labels[i], plot->unit);

    left = MAX(left, lac_text_width(text, plot->size, FALSE));
  }
  left += plot->size * 0.6;
  plot->box.x += left;
  plot->box.width = MAX(plot->box.width - left, 1);
}

static double
place_x(const Plot *plot, double i)
{
  return plot->box.x + (i + 0.5) / (double) plot->trend->n * plot->box.width;
}

static double
place_y(const Plot *plot, double value)
{
  return plot->box.y + (1 - lac_scale_place(&plot->up, value * plot->factor)) * plot->box.height;
}

gsize
lac_trend_find(const LacTrend *trend, LacBox box, double font_size, double x)
{
  Plot plot = {.trend = trend, .size = font_size};

  if (trend->n == 0)
    return G_MAXSIZE;
  lay_out(&plot, box);
  const double i = floor((x - plot.box.x) / plot.box.width * (double) trend->n);
  return (gsize) CLAMP(i, 0, (double) (trend->n - 1));
}

/* ---- parts ---- */

static void
draw_axis(const Plot *plot)
{
  const LacBox *box = &plot->box;

  for (gsize i = 0; i < plot->up.n_ticks; i++) {
    const double y =
      box->y +
      (1 - (plot->up.ticks[i] - plot->up.low) / (plot->up.high - plot->up.low)) * box->height;
    const LacPoint   line[] = {{box->x, y}, {box->x + box->width, y}};
    g_autofree char *text = with_unit(plot->up.labels[i], plot->unit);

    lac_draw_lines(plot->drawing, line, 2, 1, plot->palette->grid);
    lac_draw_text(plot->drawing, box->x - plot->size * 0.6, y + plot->size * 0.36, LAC_ALIGN_RIGHT,
                  plot->size, plot->palette->faint, text);
  }
  const LacPoint frame[] = {
    {box->x, box->y}, {box->x, box->y + box->height}, {box->x + box->width, box->y + box->height}};
  lac_draw_lines(plot->drawing, frame, 3, 1, plot->palette->faint);
}

/* Draws the version at value @i if it does not touch those in @taken: [2], the left and right ends. */
static void
draw_version(const Plot *plot, gsize i, double taken[2])
{
  const char  *text = plot->trend->labels[i];
  const double width = lac_text_width(text, plot->size, FALSE);
  const double x = CLAMP(place_x(plot, (double) i), plot->box.x + width / 2,
                         MAX(plot->box.x + plot->box.width - width / 2, plot->box.x + width / 2));

  if (x - width / 2 < taken[0] || x + width / 2 > taken[1])
    return;
  lac_draw_text(plot->drawing, x, plot->box.y + plot->box.height + plot->size * 1.5,
                LAC_ALIGN_CENTRE, plot->size, plot->palette->faint, text);
  if (i + 1 == plot->trend->n)
    taken[1] = x - width / 2 - plot->size;
  else
    taken[0] = x + width / 2 + plot->size;
}

/* The last version has priority, then the first and those of the change points. */
static void
draw_versions(const Plot *plot)
{
  double taken[2] = {-INFINITY, INFINITY};

  draw_version(plot, plot->trend->n - 1, taken);
  if (plot->trend->n > 1)
    draw_version(plot, 0, taken);
  for (gsize c = 0; c < plot->trend->n_changes; c++)
    if (plot->trend->changes[c] + 1 < plot->trend->n)
      draw_version(plot, plot->trend->changes[c], taken);
}

static void
draw_levels(const Plot *plot)
{
  gsize from, to;

  for (gsize i = 0; i < plot->trend->n; i = to) {
    find_part(plot->trend, i, &from, &to);
    const double   y = place_y(plot, lac_trend_get_level(plot->trend, i));
    const LacPoint line[] = {{place_x(plot, (double) from - 0.5), y},
                             {place_x(plot, (double) to - 0.5), y}};
    lac_draw_lines(plot->drawing, line, 2, 1, plot->palette->foreground);
  }
}

/* A loss is coloured only beyond the limit. */
static LacColour
find_colour(const Plot *plot, double before, double after)
{
  const LacTrend *trend = plot->trend;
  const gboolean  is_gain = trend->more_is_better ? after > before : after < before;

  if (is_gain)
    return plot->colours->better;
  return is_beyond(trend, after) ? plot->colours->worse : plot->palette->faint;
}

static void
draw_change(const Plot *plot, gsize at)
{
  const double     x = place_x(plot, (double) at - 0.5);
  const double     before = lac_trend_get_level(plot->trend, at - 1);
  const double     after = lac_trend_get_level(plot->trend, at);
  const LacColour  colour = find_colour(plot, before, after);
  const LacPoint   line[] = {{x, plot->box.y - plot->size}, {x, plot->box.y + plot->box.height}};
  g_autofree char *text = lac_change_text(after / before - 1);
  const double     width = lac_text_width(text, plot->size, TRUE);
  const gboolean   fits = x + width + plot->size < plot->box.x + plot->box.width;

  lac_draw_dashed(plot->drawing, line, 2, 1.2, colour, LAC_DASH_DASHED);
  lac_draw_text_bold(plot->drawing, fits ? x + plot->size * 0.4 : x - plot->size * 0.4, plot->box.y,
                     fits ? LAC_ALIGN_LEFT : LAC_ALIGN_RIGHT, plot->size, colour, text);
}

static void
draw_limit(const Plot *plot)
{
  const LacTrend *trend = plot->trend;

  if (!isfinite(trend->baseline) || trend->baseline_at >= trend->n)
    return;
  const double y = place_y(plot, find_limit(trend)),
               x = place_x(plot, (double) trend->baseline_at - 0.5);
  const LacPoint   line[] = {{x, y}, {plot->box.x + plot->box.width, y}};
  g_autofree char *change = lac_change_text(find_limit(trend) / trend->baseline - 1);
  g_autofree char *text = g_strdup_printf(_("limit %s"), change);
  const double     width = lac_text_width(text, plot->size, FALSE) + plot->size;
  const gboolean   fits = x - width > plot->box.x; /* in front of the line, clear of the points */

  lac_draw_dashed(plot->drawing, line, 2, 1.2, plot->colours->worse, LAC_DASH_DASHED);
  lac_draw_text(plot->drawing, fits ? x - plot->size * 0.4 : x + plot->size * 0.4,
                y + plot->size * (fits ? 0.36 : -0.5), fits ? LAC_ALIGN_RIGHT : LAC_ALIGN_LEFT,
                plot->size, plot->colours->worse, text);
}

static void
draw_point(const Plot *plot, gsize i)
{
  const double    radius = i == plot->trend->chosen ? 1.6 * RADIUS : RADIUS;
  const LacPoint  at = {place_x(plot, (double) i), place_y(plot, plot->trend->values[i])};
  const LacColour colour =
    lac_trend_is_beyond(plot->trend, i) ? plot->colours->worse : plot->palette->series[0];
  LacPoint rim[RIM];

  for (gsize k = 0; k < RIM; k++) {
    const double angle = 2 * G_PI * (double) k / RIM;

    rim[k] = (LacPoint){at.x + radius * cos(angle), at.y + radius * sin(angle)};
  }
  lac_draw_polygon(plot->drawing, rim, RIM, colour);
}

void
lac_trend_draw(LacDrawing            *drawing,
               const LacTrend        *trend,
               LacBox                 box,
               double                 font_size,
               const LacPalette      *palette,
               const LacTrendColours *colours)
{
  g_return_if_fail(drawing != NULL && trend != NULL && trend->n > 0);
  Plot plot = {trend, drawing, palette, colours, font_size};

  lay_out(&plot, box);
  draw_axis(&plot);
  draw_levels(&plot);
  for (gsize c = 0; c < trend->n_changes; c++)
    draw_change(&plot, trend->changes[c]);
  draw_limit(&plot);
  for (gsize i = 0; i < trend->n; i++)
    draw_point(&plot, i);
  draw_versions(&plot);
}
