/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors in the memory of an optimiser, and evaluation of its objective on them. */
#include "backend/device-log.h"
#include "graph/optimiser/optimiser-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define UPLOADED 8192 /* floats per transfer */

static void
keep_status(LacOptimiser *optimiser, LacStatus status)
{
  if (optimiser->status == LAC_STATUS_OK)
    optimiser->status = status;
}

gpointer
lac_vector(LacOptimiser *optimiser, gsize offset)
{
  return optimiser->memory + offset * lac_type_size(optimiser->type);
}

/* One of @out, on the host, and @sum, on the device, is NULL. */
static void
multiply(LacOptimiser *optimiser, gconstpointer x, gconstpointer y, double *out, double *sum)
{
  const LacDot args = {
    .type = optimiser->type, .n = optimiser->n, .x = x, .y = y, .out = out, .sum = sum};

  keep_status(optimiser, optimiser->device.table->dot(optimiser->device.self, &args));
}

double
lac_vector_dot(LacOptimiser *optimiser, gconstpointer x, gconstpointer y)
{
  double out = 0;

  multiply(optimiser, x, y, &out, NULL);
  return out;
}

void
lac_vector_add_dot(LacOptimiser *optimiser, gconstpointer x, gconstpointer y, double *sum)
{
  multiply(optimiser, x, y, NULL, sum);
}

/* @factor: of alpha, on the device; NULL: 1 */
static void
combine(LacOptimiser *optimiser,
        double        alpha,
        const double *factor,
        gconstpointer x,
        double        beta,
        gpointer      y)
{
  const LacStrided args = {
    .type = optimiser->type,
    .n_rows = 1,
    .n_columns = optimiser->n,
    .alpha = alpha,
    .beta = beta,
    .x = x,
    .y = y,
    .scale = factor,
  };

  keep_status(optimiser, optimiser->device.table->strided(optimiser->device.self, &args));
}

void
lac_vector_axpby(LacOptimiser *optimiser, double alpha, gconstpointer x, double beta, gpointer y)
{
  combine(optimiser, alpha, NULL, x, beta, y);
}

void
lac_vector_add(LacOptimiser *optimiser,
               double        alpha,
               const double *factor,
               gconstpointer x,
               gpointer      y)
{
  combine(optimiser, alpha, factor, x, 1, y);
}

void
lac_vector_clear_numbers(LacOptimiser *optimiser, gsize n)
{
  const LacDevice device = optimiser->device;

  keep_status(optimiser, device.table->fill(device.self, LAC_F64, optimiser->device_numbers, 0, n));
}

void
lac_vector_read_numbers(LacOptimiser *optimiser, double *numbers, gsize n)
{
  const LacDevice device = optimiser->device;

  keep_status(optimiser,
              lac_device_download(device, numbers, optimiser->device_numbers, n * sizeof *numbers));
}

void
lac_vector_fill(LacOptimiser *optimiser, gpointer y, double value)
{
  LacDevice device = optimiser->device;

  keep_status(optimiser, device.table->fill(device.self, optimiser->type, y, value, optimiser->n));
}

LacStatus
lac_vector_read(const LacOptimiser *optimiser, gconstpointer x, double *values, gsize n)
{
  LacDevice device = optimiser->device;
  LacStatus status = lac_device_download(device, values, x, n * lac_type_size(optimiser->type));

  /* from the end, so that no float is overwritten before it is read */
  for (gsize i = n; optimiser->type == LAC_F32 && i-- > 0;) {
    float narrow;

    memcpy(&narrow, (const guint8 *) values + i * sizeof narrow, sizeof narrow);
    values[i] = (double) narrow;
  }
  return status;
}

void
lac_vector_download(LacOptimiser *optimiser, gconstpointer x, double *values, gsize n)
{
  keep_status(optimiser, lac_vector_read(optimiser, x, values, n));
}

/* Allocates nothing: may be called within a step. */
void
lac_vector_upload(LacOptimiser *optimiser, gpointer x, const double *values, gsize n)
{
  LacDevice device = optimiser->device;
  float     narrow[UPLOADED];

  if (optimiser->type == LAC_F64) {
    keep_status(optimiser, lac_device_upload(device, x, values, n * sizeof *values));
    return;
  }
  for (gsize first = 0; first < n; first += UPLOADED) {
    const gsize count = MIN(UPLOADED, n - first);

    for (gsize i = 0; i < count; i++)
      narrow[i] = (float) values[first + i];
    keep_status(optimiser,
                lac_device_upload(device, (float *) x + first, narrow, count * sizeof *narrow));
  }
}

gsize
lac_optimiser_rate_range(const LacOptimiser *optimiser, gsize first, double *factor)
{
  const LacOptimiserSettings *settings = &optimiser->settings;

  *factor = 1;
  for (gsize i = 0; i < settings->n_ranges; i++) {
    const LacRateRange *range = &settings->ranges[i];

    if (first < range->offset)
      return MIN(range->offset, optimiser->n);
    if (first < range->offset + range->n) {
      *factor = range->factor;
      return MIN(range->offset + range->n, optimiser->n);
    }
  }
  return optimiser->n;
}

void
lac_vector_over_pool(LacOptimiser *optimiser, gsize n_items, LacPoolFunc func, gpointer user_data)
{
  if (optimiser->pool && optimiser->device.table->concurrent) {
    lac_pool_run(optimiser->pool, n_items, func, user_data);
    return;
  }
  for (gsize i = 0; i < n_items; i++)
    func(i, 0, user_data);
}

/* Replaces f by t(f), and its gradient by t'(f) times itself. */
static void
transform(LacOptimiser *optimiser, double *loss, gpointer gradient)
{
  const double f = fmax(*loss, DBL_MIN);

  switch (optimiser->settings.transform) {
  case LAC_TRANSFORM_NONE: return;
  case LAC_TRANSFORM_SQRT:
    *loss = sqrt(f);
    lac_vector_axpby(optimiser, 0.5 / sqrt(f), gradient, 0, gradient);
    return;
  case LAC_TRANSFORM_LOG:
    *loss = log(f);
    lac_vector_axpby(optimiser, 1 / f, gradient, 0, gradient);
    return;
  }
}

gboolean
lac_optimiser_evaluate(LacOptimiser *optimiser,
                       gconstpointer theta,
                       gpointer      gradient,
                       double       *loss,
                       GError      **error)
{
  optimiser->n_evaluations++;
  if (!optimiser->evaluate(theta, gradient, loss, optimiser->user_data, error))
    return FALSE;
  if (isfinite(*loss))
    transform(optimiser, loss, gradient);
  return TRUE;
}
