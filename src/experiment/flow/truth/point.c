/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth from scattered values of a file. */
#include "experiment/flow/truth/point.h"

#include "base/error.h"
#include "experiment/flow/truth/agreement.h"
#include "field/scattered.h"

#include <math.h>

#define SLACK 0.01 /* of the domain's length */

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
check_field(const LacMeasurements *measurements,
            const char            *name,
            const Points          *points,
            GError               **error)
{
  if (points->n > 0)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s holds no %s; this scene needs a column for each of its fields",
              measurements->source, name);
  return FALSE;
}

static gboolean
check(const LacTruth        *truth,
      const LacMeasurements *measurements,
      const char            *name,
      const Points          *points,
      GError               **error)
{
  static const char axes[] = {'x', 'y'};

  if (!check_field(measurements, name, points, error))
    return FALSE;
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

/* ---- agreement with the scene ---- */

/* Checks the domain: the points of a steady plane reach from one end to the other, and not beyond. */
static gboolean
check_domain(const LacCase *subject, const Points *points, GError **error)
{
  for (guint axis = 0; axis < 2; axis++) {
    const double low = subject->lower[axis], high = subject->upper[axis];
    const double slack = SLACK * (high - low);

    if (fabs(points->lower[axis] - low) <= slack && fabs(points->upper[axis] - high) <= slack)
      continue;
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "the truth file runs from %s = %g to %g, but the domain of this scene from %g to %g",
      subject->pde->axes[axis], points->lower[axis], points->upper[axis], low, high);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_holes(const LacCase *subject, const Points *points, GError **error)
{
  for (gsize i = 0; i < points->n; i++) {
    const double *place = points->places + 2 * i;

    for (gsize k = 0; k < subject->n_holes; k++) {
      const LacHole *hole = &subject->holes[k];
      const double   radius = (1 - SLACK) * hole->radius;

      if (!(hypot(place[0] - hole->centre[0], place[1] - hole->centre[1]) < radius))
        continue;
      g_set_error(
        error, LAC_ERROR, LAC_ERROR_BAD_FILE,
        "the truth file has a point at %g, %g, inside the disc of radius %g at %g, %g, where this "
        "scene has no flow",
        place[0], place[1], hole->radius, hole->centre[0], hole->centre[1]);
      return FALSE;
    }
  }
  return TRUE;
}

/* All fields with one interpolation each. */
typedef struct {
  Points        points[LAC_PDE_MAX_FIELDS];
  LacScattered *scattered[LAC_PDE_MAX_FIELDS];
  guint         n;
} Fields;

static void
fields_clear(Fields *fields)
{
  for (guint f = 0; f < fields->n; f++) {
    points_clear(&fields->points[f]);
    g_clear_pointer(&fields->scattered[f], lac_scattered_free);
  }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Fields, fields_clear)

static gboolean
get_value(gconstpointer data, const double *x, guint field, double *value)
{
  const Fields *fields = data;
  gsize         indices[LAC_SCATTERED_NEIGHBOURS];
  double        weights[LAC_SCATTERED_NEIGHBOURS];
  const gsize   n = lac_scattered_weigh(fields->scattered[field], x[0], x[1], indices, weights);

  *value = 0;
  for (gsize k = 0; k < n; k++)
    *value += weights[k] * fields->points[field].values[indices[k]];
  return TRUE;
}

gboolean
lac_point_truth_agrees(gconstpointer params      G_GNUC_UNUSED,
                       const LacCase            *subject,
                       const LacGridField *field G_GNUC_UNUSED,
                       const LacMeasurements    *measurements,
                       GError                  **error)
{
  g_auto(Fields) fields = {.n = subject->n_fields};

  g_return_val_if_fail(subject->steady && subject->pde->n_axes == 2, FALSE);
  for (guint f = 0; f < subject->n_fields; f++) {
    Points *points = &fields.points[f];

    take(measurements, subject->pde->fields[f], points);
    if (!check_field(measurements, subject->pde->fields[f], points, error) ||
        !check_domain(subject, points, error) || !check_holes(subject, points, error))
      return FALSE;
    fields.scattered[f] = lac_scattered_new(points->places, points->n);
  }
  return lac_agreement_check(subject, &(LacFileValues){"the truth file", &fields, get_value},
                             error);
}
