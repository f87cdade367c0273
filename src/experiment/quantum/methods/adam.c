/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Method "adam": the plain energy gradient with a learning rate per parameter.
 * Source: Kingma and Ba (2015), arXiv 1412.6980 */
#include "experiment/quantum/methods/adam-descent.h"
#include "experiment/quantum/methods/energy-method.h"

#include <glib/gi18n-lib.h>

static gpointer
create(const LacMethodSettings *settings, GError **error)
{
  return lac_adam_descent_new(lac_wavefunction_get_n_params(settings->wave), settings->pool, error);
}

static void
destroy(gpointer self)
{
  lac_adam_descent_free(self);
}

static void
describe(gconstpointer self, LacUpdate *update)
{
  lac_adam_descent_describe(self, update);
}

const LacEnergyMethod lac_energy_method_adam = {
  .name = "adam",
  .title = N_("Adam: plain gradient"),
  .source = "Kingma and Ba (2015), arXiv 1412.6980",
  .create = create,
  .destroy = destroy,
  .describe = describe,
  .pack = lac_adam_descent_pack,
};
