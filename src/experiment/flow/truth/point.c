/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth from scattered values of a file. */
#include "experiment/flow/truth/point.h"

#include "base/error.h"
#include "field/scattered.h"

#include <math.h>

/* The values of one quantity. */
typedef struct {
  gsize   n;
  double *places, *values; /* [n][2], [n] */
  double  lower[2], upper[2];
} Points;

static void
points_clear(Points *points)
{
  g_free(points->places);
  g_free(points->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Points, points_clear)

static void
take(const LacMeasurements *measurements, const char *name, Points *points)
{
  points->places = g_new(double, 2 * measurements->n + 1);
  points->values = g_new(double, measurements->n + 1);
  for (gsize i = 0; i < measurements->n; i++) {
    const LacMeasurement *row = &measurements->rows[i];
    const double          place[] = {row->x, row->y};

    if (!g_str_equal(measurements->quantities[row->quantity], name) || !isfinite(row->value))
      continue;
    for (guint axis = 0; axis < 2; axis++) {
      points->places[2 * points->n + axis] = place[axis];
      points->lower[axis] = points->n ? MIN(points->lower[axis], place[axis]) : place[axis];
      points->upper[axis] = points->n ? MAX(points->upper[axis], place[axis]) : place[axis];
    }
    points->values[points->n++] = row->value;
  }
}

static gboolean
check(const LacTruth        *truth,
      const LacMeasurements *measurements,
      const char            *name,
      const Points          *points,
      GError               **error)
{
  static const char axes[] = {'x', 'y'};

  if (points->n == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s holds no %s; this scene needs a column for each of its fields",
                measurements->source, name);
    return FALSE;
  }
  for (guint axis = 0; axis < 2; axis++)
    if (points->lower[axis] > truth->lower[axis] || points->upper[axis] < truth->upper[axis]) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s covers %s from %c = %g to %g; this scene needs it from %g to %g",
                  measurements->source, name, axes[axis], points->lower[axis], points->upper[axis],
                  truth->lower[axis], truth->upper[axis]);
      return FALSE;
    }
  return TRUE;
}

static void
read_grid(const LacTruth *truth, const Points *points, double *values)
{
  g_autoptr(LacScattered) scattered = lac_scattered_new(points->places, points->n);

  for (gsize i = 0; i < truth->nx * truth->ny; i++) {
    gsize  indices[LAC_SCATTERED_NEIGHBOURS], n;
    double weights[LAC_SCATTERED_NEIGHBOURS];

    values[i] = 0;
    if (truth->mask && !truth->mask[i])
      continue;
    n = lac_scattered_weigh(scattered, lac_truth_get_x(truth, i % truth->nx),
                            lac_truth_get_y(truth, i / truth->nx), indices, weights);
    for (gsize k = 0; k < n; k++)
      values[i] += weights[k] * points->values[indices[k]];
  }
}

gboolean
lac_point_truth_fill(LacTruth *truth, const LacMeasurements *measurements, GError **error)
{
  g_assert(truth->n_times == 1);
  for (guint f = 0; f < truth->n_fields; f++) {
    g_auto(Points) points = {0};

    take(measurements, truth->fields[f], &points);
    if (!check(truth, measurements, truth->fields[f], &points, error))
      return FALSE;
    read_grid(truth, &points, truth->observed + f * truth->nx * truth->ny);
  }
  return TRUE;
}
