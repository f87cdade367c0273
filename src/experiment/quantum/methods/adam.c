/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Method "adam": the plain energy gradient with a learning rate per parameter.
 * Source: Kingma and Ba (2015), arXiv 1412.6980 */
#include "experiment/quantum/methods/adam-descent.h"
#include "experiment/quantum/methods/energy-method.h"

#include <glib/gi18n-lib.h>

#include <string.h>

typedef struct {
  LacMethodSettings settings;
  LacAdamDescent   *descent;
  double           *seed;            /* [n_walkers] */
  double           *gradient, *part; /* [n_params] */
} Adam;

static void
destroy(gpointer data)
{
  Adam *self = data;

  lac_adam_descent_free(self->descent);
  g_free(self->seed);
  g_free(self->gradient);
  g_free(self->part);
  g_free(self);
}

static gpointer
create(const LacMethodSettings *settings, GError **error)
{
  const gsize n_params = lac_wavefunction_get_n_params(settings->wave);
  Adam       *self = g_new0(Adam, 1);

  self->settings = *settings;
  self->seed = g_new0(double, settings->n_walkers);
  self->gradient = g_new0(double, n_params);
  self->part = g_new0(double, n_params);
  self->descent = lac_adam_descent_new(n_params, settings->pool, error);
  if (self->descent)
    return self;
  destroy(self);
  return NULL;
}

static gboolean
step(gpointer data, double *theta, const double *energies, const LacMethodTunables *tunables)
{
  Adam         *self = data;
  const gsize   n = self->settings.n_walkers;
  const gsize   n_params = lac_wavefunction_get_n_params(self->settings.wave);
  LacWalkerPart part = {0};

  for (gsize b = 0; b < n; b++)
    self->seed[b] = 2 * energies[b] / (double) n;
  memset(self->gradient, 0, n_params * sizeof *self->gradient);
  while (lac_walker_part_next(&part, &self->settings, theta, tunables)) {
    lac_wavefunction_gradient(self->settings.wave, self->seed + part.first, self->part);
    for (gsize p = 0; p < n_params; p++)
      self->gradient[p] += self->part[p];
  }
  return lac_adam_descent_step(self->descent, theta, self->gradient, tunables->rate);
}

static void
pack(gpointer data, LacPacking *packing)
{
  lac_adam_descent_pack(((Adam *) data)->descent, packing);
}

static void
describe(gconstpointer data, LacDeviceUpdate *update)
{
  lac_adam_descent_describe(((const Adam *) data)->descent, update);
}

const LacEnergyMethod lac_energy_method_adam = {
  .name = "adam",
  .title = N_("Adam: plain gradient"),
  .source = "Kingma and Ba (2015), arXiv 1412.6980",
  .create = create,
  .destroy = destroy,
  .step = step,
  .describe = describe,
  .pack = pack,
};
