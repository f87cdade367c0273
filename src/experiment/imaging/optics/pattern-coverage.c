/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage of a pattern, counted pixel by pixel, and overlap of each aperture with the union of the earlier ones. */
#include "experiment/imaging/optics/pattern.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

static void
mean_and_deviation(const double *numbers, gsize n, double *mean, double *deviation)
{
  double sum = 0, squares = 0;

  for (gsize i = 0; i < n; i++)
    sum += numbers[i];
  *mean = sum / (double) n;
  for (gsize i = 0; i < n; i++)
    squares += (numbers[i] - *mean) * (numbers[i] - *mean);
  *deviation = sqrt(squares / (double) n);
}

static double
middle_y(const LacScanBox *position)
{
  return (position->y + position->end_y) / 2;
}

static double
middle_x(const LacScanBox *position)
{
  return (position->x + position->end_x) / 2;
}

static void
score_places(const LacScanBox *scan, gsize n, LacPatternStatistics *s)
{
  g_autofree double *radii = g_new(double, n), *distances = g_new(double, n);

  s->radius_least = G_MAXDOUBLE;
  for (gsize i = 0; i < n; i++) {
    radii[i] = hypot(middle_y(&scan[i]), middle_x(&scan[i]));
    distances[i] = (double) NAN;
    s->radius_least = MIN(s->radius_least, radii[i]);
    s->radius_largest = MAX(s->radius_largest, radii[i]);
    for (gsize j = 0; j < n; j++)
      if (j != i)
        distances[i] = fmin(distances[i], hypot(middle_y(&scan[i]) - middle_y(&scan[j]),
                                                middle_x(&scan[i]) - middle_x(&scan[j])));
  }
  mean_and_deviation(radii, n, &s->radius_mean, &s->radius_deviation);
  mean_and_deviation(distances, n, &s->neighbour_mean, &s->neighbour_deviation);
}

typedef struct {
  const LacOpticsSettings *optics;
  gsize                    n_along;
  LacApertureRow          *spans; /* of one centre */
  guint32 *last;   /* [grid][grid]: index from 1 of the last scan position that covered a pixel */
  guint16 *counts; /* [grid][grid] */
} Coverage;

/* Returns: the share of the pixels of @position that were covered before. */
static double
cover_position(Coverage *coverage, gsize position)
{
  const LacOpticsSettings *optics = coverage->optics;
  const LacScanBox        *v = &optics->scan[position];
  const gint64             middle = (gint64) (optics->grid / 2);
  gsize                    n_pixels = 0, n_old = 0;

  for (gsize i = 0; i < coverage->n_along; i++) {
    const double share = coverage->n_along > 1 ? (double) i / (double) (coverage->n_along - 1) : 0;
    const gsize  n_spans =
      lac_aperture_trace(&optics->aperture, v->y + share * (v->end_y - v->y),
                         v->x + share * (v->end_x - v->x), optics->grid, coverage->spans);

    for (gsize j = 0; j < n_spans; j++) {
      const LacApertureRow *span = &coverage->spans[j];
      const gsize first = (gsize) (span->y + middle) * optics->grid + (gsize) (span->x + middle);

      for (gsize place = first; place < first + (gsize) span->n; place++) {
        if (coverage->last[place] == position + 1)
          continue;
        n_pixels++;
        n_old += coverage->last[place] > 0;
        coverage->last[place] = (guint32) position + 1;
        coverage->counts[place] += coverage->counts[place] < G_MAXUINT16;
      }
    }
  }
  return n_pixels ? (double) n_old / (double) n_pixels : 0;
}

static void
score_coverage(const guint16 *counts, gsize grid, double extent, LacPatternStatistics *s)
{
  const double middle = (double) (grid / 2);
  gsize        n_seen = 0, n_disc = 0, n_seen_disc = 0;

  for (gsize y = 0; y < grid; y++)
    for (gsize x = 0; x < grid; x++) {
      const double   ky = (double) y - middle, kx = (double) x - middle;
      const gboolean within = ky * ky + kx * kx <= extent * extent / 4,
                     seen = counts[y * grid + x] > 0;

      n_seen += seen;
      n_disc += within;
      n_seen_disc += within && seen;
    }
  s->covered_grid = (double) n_seen / (double) (grid * grid);
  s->covered_extent = n_disc ? (double) n_seen_disc / (double) n_disc : 0;
}

static int
compare(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Computes the overlap statistics. Sorts @overlaps, those of all scan positions but the first. */
static void
score_overlaps(double *overlaps, gsize n, LacPatternStatistics *s)
{
  s->overlap_least = s->overlap_median = (double) NAN;
  if (n == 0)
    return;
  qsort(overlaps, n, sizeof *overlaps, compare);
  s->overlap_least = overlaps[0];
  s->overlap_median = (overlaps[(n - 1) / 2] + overlaps[n / 2]) / 2;
  while (s->n_apart < n && overlaps[s->n_apart] < LAC_PATTERN_LEAST_OVERLAP)
    s->n_apart++;
}

void
lac_pattern_evaluate(const LacOpticsSettings *optics,
                     double                   extent,
                     guint16                 *counts,
                     LacPatternStatistics    *statistics)
{
  const gsize                n = optics->grid * optics->grid, n_positions = optics->n_positions;
  g_autofree guint16        *own = counts ? NULL : g_new(guint16, n);
  g_autofree guint32        *last = g_new0(guint32, n);
  g_autofree LacApertureRow *spans =
    g_new(LacApertureRow, lac_aperture_max_spans(&optics->aperture));
  g_autofree double *overlaps = g_new(double, n_positions);
  Coverage           coverage = {optics, lac_optics_choose_n_along(optics), spans, last,
                       counts ? counts : own};

  g_return_if_fail(n_positions > 0);
  *statistics = (LacPatternStatistics){.n_positions = n_positions};
  memset(coverage.counts, 0, n * sizeof *coverage.counts);
  for (gsize v = 0; v < n_positions; v++)
    overlaps[v] = cover_position(&coverage, v);
  score_places(optics->scan, n_positions, statistics);
  score_coverage(coverage.counts, optics->grid, extent, statistics);
  score_overlaps(overlaps + 1, n_positions - 1, statistics);
}

char *
lac_pattern_dup_warning(const LacPatternStatistics *statistics)
{
  if (statistics->n_apart == 0)
    return NULL;
  return g_strdup_printf(
    _("%u of %u apertures overlap earlier ones by less than %g %% of their pixels, so their "
      "relative phase is undetermined. Use more or larger apertures, or a smaller extent."),
    (guint) statistics->n_apart, (guint) statistics->n_positions, 100 * LAC_PATTERN_LEAST_OVERLAP);
}
