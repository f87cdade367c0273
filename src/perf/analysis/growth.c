/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that grows. The trend is Theil and Sen's median of slopes over the last two thirds of a recording, tested by
 * Mann and Kendall's count of rises (P. K. Sen, J. Am. Stat. Assoc. 63, 1968; H. B. Mann, Econometrica 13, 1945). */
#include "perf/analysis/analysis-private.h"
#include "perf/analysis/ratio.h"

#include <math.h>

#define MOST_POINTS  200 /* of the trend: pairs are their square */
#define LEAST_POINTS 8
#define CERTAINTY    3.3 /* standard deviations of the count of rises: one in a thousand */
#define LEAST_BYTES  (1024 * 1024) /* less is the allocator's business */
#define LEAST_SHARE  0.01          /* of what is resident at the end */
#define GOING_ON \
  0.25 /* growth of the second half to that of the first: below it is levelling off */

typedef struct {
  double ns, bytes;
} Point;

/* The sampled resident size where it was sampled, else what the outermost scopes added up to. */
static GArray *
collect(const LacCapture *capture)
{
  gint64  resident = lac_capture_find_name(capture, LAC_COUNTER_RESIDENT);
  GArray *sampled = g_array_new(FALSE, FALSE, sizeof(Point));
  GArray *summed = g_array_new(FALSE, FALSE, sizeof(Point));
  double  sum = 0;
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    double           end = (double) (record->start_ns + record->duration_ns);
    if (record->kind == LAC_RECORD_COUNTER && record->name == resident) {
      Point point = {(double) record->start_ns, record->value};
      g_array_append_val(sampled, point);
    } else if (record->kind == LAC_RECORD_MEMORY && record->depth == 0 &&
               record->cpu_delta != LAC_RECORD_UNKNOWN) {
      Point point = {end, sum += (double) record->cpu_delta};
      g_array_append_val(summed, point);
    }
  }
  gboolean use_sampled = sampled->len >= LEAST_POINTS;
  g_array_unref(use_sampled ? summed : sampled);
  return use_sampled ? sampled : summed;
}

/* The last two thirds, by time, thinned evenly. */
static Point *
choose(const GArray *all, gsize *n)
{
  const Point *points = (const Point *) (gconstpointer) all->data;
  double       begin = points[0].ns, end = points[all->len - 1].ns;
  guint        first = 0;
  while (points[first].ns < begin + (end - begin) / 3)
    first++;
  gsize  there = all->len - first;
  Point *chosen = g_new(Point, MOST_POINTS);
  *n = MIN(there, MOST_POINTS);
  for (gsize i = 0; i < *n; i++)
    chosen[i] = points[first + (*n > 1 ? i * (there - 1) / (*n - 1) : 0)];
  return chosen;
}

/* Returns: bytes a nanosecond; @certainty: standard deviations of the count of rises less that of falls. */
static double
find_slope(const Point *points, gsize n, double *certainty)
{
  g_autofree double *slopes = g_new(double, n *(n - 1) / 2 + 1);
  gsize              m = 0;
  double             rises = 0;
  for (gsize i = 0; i < n; i++)
    for (gsize k = i + 1; k < n; k++) {
      double by = points[k].bytes - points[i].bytes, in = points[k].ns - points[i].ns;
      rises += (by > 0) - (by < 0);
      if (in > 0)
        slopes[m++] = by / in;
    }
  double count = (double) n, variance = count * (count - 1) * (2 * count + 5) / 18;
  *certainty = variance > 0 ? rises / sqrt(variance) : 0;
  return m > 0 ? lac_median(slopes, m) : 0;
}

/* The name whose scopes added most, less what scopes within added; LAC_NO_NAME when none added half of @grown. */
static guint32
blame(const LacInquiry *inquiry, double grown)
{
  guint32            n_names = lac_capture_get_n_names(inquiry->capture), most = LAC_NO_NAME;
  g_autofree double *added = g_new0(double, n_names + 1);
  double             within[G_MAXUINT8 + 2] = {0};
  for (gsize i = 0, n = lac_capture_get_n_records(inquiry->capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(inquiry->capture, i);
    if (record->kind != LAC_RECORD_MEMORY || record->cpu_delta == LAC_RECORD_UNKNOWN ||
        record->name >= n_names || record->lane != 0)
      continue;
    added[record->name] += (double) record->cpu_delta - within[record->depth + 1];
    within[record->depth + 1] = 0;
    within[record->depth] += (double) record->cpu_delta;
  }
  for (guint32 name = 0; name < n_names; name++)
    if (added[name] > grown / 2 && (most == LAC_NO_NAME || added[name] > added[most]))
      most = name;
  return most;
}

void
lac_inquire_growth(const LacInquiry *inquiry)
{
  g_autoptr(GArray) all = collect(inquiry->capture);
  gsize             n = 0;
  double            certainty = 0;
  if (all->len < LEAST_POINTS)
    return;
  g_autofree Point *points = choose(all, &n);
  if (n < LEAST_POINTS)
    return;
  const Point *first = &points[0], *middle = &points[n / 2], *last = &points[n - 1];
  double       slope = find_slope(points, n, &certainty), grown = last->bytes - first->bytes;
  double       early = middle->bytes - first->bytes, late = last->bytes - middle->bytes;
  if (certainty < CERTAINTY || slope <= 0 || grown < LEAST_BYTES ||
      grown < LEAST_SHARE * last->bytes)
    return;
  const LacIterations *iterations = inquiry->iterations;
  double               per_ns = slope;
  if (iterations->n > 0) {
    const LacIteration *begin = &iterations->iterations[0];
    const LacIteration *end = &iterations->iterations[iterations->n - 1];
    double              span_ns = (double) (end->start_ns + end->duration_ns - begin->start_ns);
    per_ns *= span_ns / (double) iterations->n;
  }
  LacFinding finding = {
    .kind = late > GOING_ON * early ? LAC_FINDING_LEAK : LAC_FINDING_GROWTH,
    .name = blame(inquiry, grown),
    .step = -1,
    .ratio = iterations->n > 0 ? 100 * per_ns : (double) NAN,
    .ns = last->ns - first->ns,
    .bytes = grown,
    .count = iterations->n,
    .begin_ns = (gint64) first->ns,
    .end_ns = (gint64) last->ns,
  };
  g_array_append_val(inquiry->findings, finding);
}
