/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of the USAF-1951 chart: two groups around two finer ones, and so on inwards; and measurement of its bars. */
#include "experiment/imaging/objects/usaf-chart.h"

#include <math.h>

/* Layer of two groups, in widths of the first bar: elements 2 to 6 of the coarse group on the left, the fine group on
 * the right, element 1 of the coarse group below it; the next layer, four times as fine, lies between. */
#define LAYER_WIDTH  28.0
#define LAYER_HEIGHT 24.4
#define BETWEEN      2.0  /* widths between the two triplets of an element */
#define MARGIN       0.94 /* fraction of the side used */
#define SQUARE       3.4
#define INNER_X      16.4 /* centre of the next layer */
#define INNER_Y      9.2
#define FINEST_BAR   0.5 /* pixels */
#define RAYLEIGH     0.153

typedef struct {
  LacUsafChart *chart;
  double        y, x; /* upper left corner of the layer, pixels */
  double        unit; /* width of the first bar, pixels */
  guint         group;
} Layer;

static void
add_element(const Layer *layer, guint group, guint number, double y, double x)
{
  const double     w = layer->unit * pow(2, -(double) (group - layer->group) - (number - 1) / 6.0);
  LacChartElement *element = &layer->chart->elements[layer->chart->n];

  if (w < FINEST_BAR)
    return;
  layer->chart->n++;
  *element = (LacChartElement){.group = group, .element = number, .width = w};
  for (int bar = 0; bar < 3; bar++) {
    const double from = 2 * bar * w, beside = x + (5 + BETWEEN) * w;

    element->lying[bar] = (LacChartBox){y + from, x, y + from + w, x + 5 * w};
    element->standing[bar] = (LacChartBox){y, beside + from, y + 5 * w, beside + from + w};
  }
}

/* Adds elements below one another, separated by two widths of the upper one. @numbers: first and last. */
static void
add_column(const Layer *layer, guint group, guint first, double y, double right, double left)
{
  for (guint number = first; number <= 6; number++) {
    const double w = layer->unit * pow(2, -(double) (group - layer->group) - (number - 1) / 6.0);

    add_element(layer, group, number, y, isnan(left) ? right - (10 + BETWEEN) * w : left);
    y += 5 * w + 1.6 * w;
  }
}

static void
add_layer(const Layer *layer)
{
  const double u = layer->unit;

  add_element(layer, layer->group, 1, layer->y + (LAYER_HEIGHT - 5) * u,
              layer->x + (LAYER_WIDTH - 10 - BETWEEN) * u);
  add_column(layer, layer->group, 2, layer->y, NAN, layer->x);
  add_column(layer, layer->group + 1, 1, layer->y, layer->x + LAYER_WIDTH * u, NAN);
}

/* Insertion sort: the elements are nearly sorted. */
static void
sort_by_width(LacUsafChart *chart)
{
  for (gsize i = 1; i < chart->n; i++) {
    const LacChartElement element = chart->elements[i];
    gsize                 at = i;

    for (; at > 0 && chart->elements[at - 1].width < element.width; at--)
      chart->elements[at] = chart->elements[at - 1];
    chart->elements[at] = element;
  }
}

LacUsafChart
lac_usaf_chart_lay_out(gsize side, LacChartElement *elements)
{
  const double u = MARGIN * (double) side / LAYER_WIDTH;
  LacUsafChart chart = {.elements = elements};
  Layer        layer = {
           &chart, ((double) side - LAYER_HEIGHT * u) / 2, ((double) side - LAYER_WIDTH * u) / 2, u, 0,
  };

  chart.square = (LacChartBox){
    layer.y + (LAYER_HEIGHT - SQUARE) * u,
    layer.x + 11.6 * u,
    layer.y + LAYER_HEIGHT * u,
    layer.x + (11.6 + SQUARE) * u,
  };
  while (layer.unit >= FINEST_BAR && chart.n + 12 <= LAC_USAF_MOST_ELEMENTS) {
    add_layer(&layer);
    layer.y += (INNER_Y - LAYER_HEIGHT / 8) * layer.unit;
    layer.x += (INNER_X - LAYER_WIDTH / 8) * layer.unit;
    layer.unit /= 4;
    layer.group += 2;
  }
  sort_by_width(&chart);
  return chart;
}

LacUsafChart *
lac_usaf_chart_new(gsize side)
{
  g_return_val_if_fail(side > 0, NULL);
  LacUsafChart *chart = g_new(LacUsafChart, 1);

  *chart = lac_usaf_chart_lay_out(side, g_new(LacChartElement, LAC_USAF_MOST_ELEMENTS));
  return chart;
}

void
lac_usaf_chart_free(LacUsafChart *chart)
{
  if (chart == NULL)
    return;
  g_free(chart->elements);
  g_free(chart);
}

void
lac_usaf_chart_keep(LacUsafChart *chart, double finest)
{
  while (chart->n > 0 && chart->elements[chart->n - 1].width < finest)
    chart->n--;
}

/* Lays out three bars from the corner of the first, bars and gaps of equal @width. */
static void
align_triplet(LacChartBox *bars, gboolean is_lying, double width)
{
  const double y = round(bars[0].y0), x = round(bars[0].x0);

  for (int bar = 0; bar < 3; bar++) {
    const double along = 2 * bar * width;

    bars[bar] = is_lying ? (LacChartBox){y + along, x, y + along + width, x + 5 * width}
                         : (LacChartBox){y, x + along, y + 5 * width, x + along + width};
  }
}

void
lac_usaf_chart_align(LacUsafChart *chart)
{
  const LacChartBox *square = &chart->square;
  const double       side = fmax(1, floor(square->y1 - square->y0));
  const double       y = round(square->y0), x = round(square->x0);

  chart->square = (LacChartBox){y, x, y + side, x + side};
  for (gsize i = 0; i < chart->n; i++) {
    LacChartElement *element = &chart->elements[i];

    element->width = fmax(1, floor(element->width));
    align_triplet(element->lying, TRUE, element->width);
    align_triplet(element->standing, FALSE, element->width);
  }
}

/* ---- drawing ---- */

/* Returns the share of [i, i + 1) within [low, high). */
static double
cover(gsize i, double low, double high)
{
  return MAX(0, MIN(high, (double) (i + 1)) - MAX(low, (double) i));
}

typedef void (*PixelFunc)(gsize at, double share, gpointer user_data);

static void
position_pixels(const LacChartBox *box, gsize side, PixelFunc func, gpointer user_data)
{
  const gsize y_end = MIN((gsize) ceil(MAX(box->y1, 0)), side);
  const gsize x_end = MIN((gsize) ceil(MAX(box->x1, 0)), side);

  for (gsize y = (gsize) MAX(box->y0, 0); y < y_end; y++)
    for (gsize x = (gsize) MAX(box->x0, 0); x < x_end; x++)
      func(y * side + x, cover(y, box->y0, box->y1) * cover(x, box->x0, box->x1), user_data);
}

static void
brighten(gsize at, double share, gpointer user_data)
{
  double *intensity = user_data;

  intensity[at] = MIN(1, intensity[at] + share);
}

void
lac_usaf_chart_draw(const LacUsafChart *chart, gsize side, double *intensity)
{
  for (gsize i = 0; i < side * side; i++)
    intensity[i] = 0;
  position_pixels(&chart->square, side, brighten, intensity);
  for (gsize i = 0; i < chart->n; i++)
    for (int bar = 0; bar < 3; bar++) {
      position_pixels(&chart->elements[i].lying[bar], side, brighten, intensity);
      position_pixels(&chart->elements[i].standing[bar], side, brighten, intensity);
    }
}

/* ---- reading ---- */

typedef struct {
  const double *image;
  double        sum, weight;
} Mean;

static void
add_to_mean(gsize at, double share, gpointer user_data)
{
  Mean *mean = user_data;

  mean->sum += share * mean->image[at];
  mean->weight += share;
}

static double
get_mean(const double *image, gsize side, const LacChartBox *box)
{
  Mean mean = {image, 0, 0};

  position_pixels(box, side, add_to_mean, &mean);
  return mean.weight > 0 ? mean.sum / mean.weight : 0;
}

/* Returns the middle half, in both directions, of a bar or gap: least affected by blur. @n: bars 0, 2, 4, gaps 1, 3 */
static LacChartBox
get_middle(const LacChartBox *bars, gboolean is_lying, double width, int n)
{
  LacChartBox  box = bars[n / 2];
  const double inset = width / 4, ends = 5 * width / 4;

  if (n % 2 && is_lying)
    box = (LacChartBox){box.y1, box.x0, bars[n / 2 + 1].y0, box.x1};
  else if (n % 2)
    box = (LacChartBox){box.y0, box.x1, box.y1, bars[n / 2 + 1].x0};
  if (is_lying)
    return (LacChartBox){box.y0 + inset, box.x0 + ends, box.y1 - inset, box.x1 - ends};
  return (LacChartBox){box.y0 + ends, box.x0 + inset, box.y1 - ends, box.x1 - inset};
}

static double
get_contrast(double bright, double dark)
{
  return bright + dark > 0 ? (bright - dark) / (bright + dark) : 0;
}

static void
read_triplet(const double      *image,
             gsize              side,
             const LacChartBox *bars,
             gboolean           is_lying,
             LacChartReading   *reading)
{
  const double width = is_lying ? bars->y1 - bars->y0 : bars->x1 - bars->x0;
  double       level[5];

  for (int n = 0; n < 5; n++) {
    const LacChartBox box = get_middle(bars, is_lying, width, n);
    level[n] = get_mean(image, side, &box);
  }
  const double bright = (level[0] + level[2] + level[4]) / 3, dark = (level[1] + level[3]) / 2;
  reading->contrast = MIN(reading->contrast, get_contrast(bright, dark));
  for (int gap = 1; gap < 5; gap += 2)
    reading->is_resolved = reading->is_resolved && get_contrast(MIN(level[gap - 1], level[gap + 1]),
                                                                level[gap]) >= RAYLEIGH;
}

double
lac_usaf_chart_read(const LacUsafChart *chart,
                    const double       *image,
                    gsize               side,
                    LacChartReading    *readings)
{
  double   finest = INFINITY;
  gboolean so_far = TRUE;

  for (gsize i = 0; i < chart->n; i++) {
    const LacChartElement *element = &chart->elements[i];

    readings[i] = (LacChartReading){1, TRUE};
    read_triplet(image, side, element->lying, TRUE, &readings[i]);
    read_triplet(image, side, element->standing, FALSE, &readings[i]);
    so_far = so_far && readings[i].is_resolved;
    if (so_far)
      finest = element->width;
  }
  return finest;
}
