/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the optimiser of graph/ with the CPU as its device. */
#include "experiment/quantum/methods/adam-descent.h"

#include "backend/device-log.h"
#include "base/error.h"
#include "graph/optimiser/optimiser.h"

#include <math.h>

struct _LacAdamDescent {
  gsize         n_params;
  LacDevice     device;
  LacOptimiser *optimiser;
  gpointer      theta;    /* [n_params] on the device */
  const double *gradient; /* of the current step */
};

static gboolean
check(LacStatus status, GError **error)
{
  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the parameters of psi: %s",
              lac_status_text(status));
  return FALSE;
}

LacAdamDescent *
lac_adam_descent_new(gsize n_params, LacPool *pool, GError **error)
{
  const LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_ADAM);
  g_autoptr(LacAdamDescent)  descent = g_new0(LacAdamDescent, 1);
  const LacDevice           *device = &descent->device;

  descent->n_params = n_params;
  if (!lac_device_open(&descent->device, "cpu", error) ||
      !check(device->table->alloc(device->self, n_params * sizeof(double), &descent->theta), error))
    return NULL;
  descent->optimiser = lac_optimiser_new(&settings, n_params, *device, LAC_F64, pool, error);
  return descent->optimiser ? g_steal_pointer(&descent) : NULL;
}

void
lac_adam_descent_free(LacAdamDescent *descent)
{
  if (!descent)
    return;
  lac_optimiser_free(descent->optimiser);
  if (descent->theta)
    descent->device.table->release(descent->device.self, descent->theta);
  lac_device_close(&descent->device);
  g_free(descent);
}

static gboolean
evaluate(gconstpointer theta G_GNUC_UNUSED,
         gpointer            gradient,
         double             *loss,
         gpointer            user_data,
         GError            **error)
{
  const LacAdamDescent *descent = user_data;
  const LacDevice      *device = &descent->device;

  *loss = 0;
  return check(
    lac_device_upload(*device, gradient, descent->gradient, descent->n_params * sizeof(double)),
    error);
}

gboolean
lac_adam_descent_step(LacAdamDescent *descent, double *theta, const double *gradient, double rate)
{
  const LacDevice *device = &descent->device;
  const gsize      n_bytes = descent->n_params * sizeof(double);

  for (gsize p = 0; p < descent->n_params; p++)
    if (!isfinite(gradient[p]))
      return FALSE;
  descent->gradient = gradient;
  lac_optimiser_set_rate(descent->optimiser, rate);
  return lac_device_upload(*device, descent->theta, theta, n_bytes) == LAC_STATUS_OK &&
         lac_optimiser_step(descent->optimiser, descent->theta, evaluate, descent, NULL, NULL) &&
         lac_device_download(*device, theta, descent->theta, n_bytes) == LAC_STATUS_OK;
}

void
lac_adam_descent_describe(const LacAdamDescent *descent, LacUpdate *update)
{
  const LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_ADAM);

  *update = (LacUpdate){
    .kind = LAC_UPDATE_ADAM,
    .places = lac_optimiser_get_adam_places(descent->optimiser),
    .beta1 = settings.beta1,
    .beta2 = settings.beta2,
    .epsilon = settings.epsilon,
  };
}

void
lac_adam_descent_pack(gpointer data, LacPacking *packing)
{
  LacAdamDescent *descent = data;

  lac_optimiser_pack(descent->optimiser, packing);
}
