/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L-BFGS with an optimiser that expects a device; the device is the CPU. */
#include "experiment/descent.h"

#include "backend/device-log.h"
#include "base/error.h"
#include "graph/optimiser/optimiser.h"

#include <math.h>

#define MAX_EVALUATIONS 64

struct _LacDescent {
  LacDescentFunc objective;
  gpointer       user_data;
  gsize          length;
  LacDevice      device;
  LacOptimiser  *optimiser;
  gpointer       x;                /* [length] on the device */
  double        *trial, *gradient; /* [length] */
  double        *fresh;            /* a state of the optimiser without history */
  struct {
    double value, norm;
  } evaluations[MAX_EVALUATIONS]; /* of the current step */
  gsize n_evaluations;
};

static gboolean
check(LacStatus status, GError **error)
{
  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the optimised parameters: %s",
              lac_status_text(status));
  return FALSE;
}

void
lac_descent_free(LacDescent *descent)
{
  if (!descent)
    return;
  lac_optimiser_free(descent->optimiser);
  if (descent->x)
    descent->device.table->release(descent->device.self, descent->x);
  lac_device_close(&descent->device);
  g_free(descent->trial);
  g_free(descent->gradient);
  g_free(descent->fresh);
  g_free(descent);
}

LacDescent *
lac_descent_new(gsize          length,
                LacDescentFunc objective,
                gpointer       user_data,
                LacPool       *pool,
                GError       **error)
{
  const LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_LBFGS);
  g_autoptr(LacDescent)      descent = g_new0(LacDescent, 1);
  const LacDevice           *device = &descent->device;

  descent->objective = objective;
  descent->user_data = user_data;
  descent->length = length;
  if (!lac_device_open(&descent->device, "cpu", error) ||
      !check(device->table->alloc(device->self, length * sizeof(double), &descent->x), error))
    return NULL;
  descent->trial = g_new0(double, length);
  descent->gradient = g_new0(double, length);
  descent->optimiser = lac_optimiser_new(&settings, length, *device, LAC_F64, pool, error);
  if (!descent->optimiser)
    return NULL;
  descent->fresh = g_new0(double, lac_packing_get_length(lac_optimiser_pack, descent->optimiser));
  return g_steal_pointer(&descent);
}

static gboolean
evaluate(gconstpointer x, gpointer gradient, double *value, gpointer user_data, GError **error)
{
  LacDescent     *descent = user_data;
  const LacDevice device = descent->device;
  const gsize     n_bytes = descent->length * sizeof(double);
  double          norm = 0;

  if (!check(lac_device_download(device, descent->trial, x, n_bytes), error) ||
      !descent->objective(descent->trial, descent->gradient, value, descent->user_data, error) ||
      !check(lac_device_upload(device, gradient, descent->gradient, n_bytes), error))
    return FALSE;
  for (gsize i = 0; i < descent->length; i++)
    norm += descent->gradient[i] * descent->gradient[i];
  if (descent->n_evaluations < MAX_EVALUATIONS) {
    descent->evaluations[descent->n_evaluations].value = *value;
    descent->evaluations[descent->n_evaluations++].norm = sqrt(norm);
  }
  return TRUE;
}

gboolean
lac_descent_step(LacDescent *descent, double *x, LacDescentReport *report, GError **error)
{
  const LacDevice    device = descent->device;
  const gsize        n_bytes = descent->length * sizeof(double);
  LacOptimiserReport done = {0};

  descent->n_evaluations = 0;
  if (!check(lac_device_upload(device, descent->x, x, n_bytes), error) ||
      !lac_optimiser_step(descent->optimiser, descent->x, evaluate, descent, &done, error) ||
      !check(lac_device_download(device, x, descent->x, n_bytes), error))
    return FALSE;
  *report = (LacDescentReport){done.loss, NAN, descent->n_evaluations, done.stalled};
  for (gsize i = 0; i < descent->n_evaluations; i++)
    if (descent->evaluations[i].value == done.loss)
      report->norm = descent->evaluations[i].norm;
  return TRUE;
}

void
lac_descent_refresh(LacDescent *descent)
{
  lac_optimiser_refresh(descent->optimiser);
}

void
lac_descent_forget(LacDescent *descent)
{
  lac_packing_load(lac_optimiser_pack, descent->optimiser, descent->fresh);
}

void
lac_descent_pack(gpointer data, LacPacking *packing)
{
  lac_optimiser_pack(((LacDescent *) data)->optimiser, packing);
}
