/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Method "spring": the natural gradient in the space of the walkers, with a momentum from the last step; without
 * momentum it is MinSR. Its formulas are those of the iteration.
 * Source: Goldshlager, Abrahamsen, Lin (2024), arXiv 2401.10190, algorithm 1; MinSR: Chen, Heyl (2024), arXiv
 * 2302.01941 */
#include "base/memory-part.h"
#include "experiment/quantum/methods/energy-method.h"

#include <glib/gi18n-lib.h>

typedef struct {
  LacMethodMemory memory; /* phi, [n_params]: last step, before multiplication by the rate */
  LacMemoryClaim  claim;
} Spring;

static void
destroy(gpointer data)
{
  Spring *self = data;

  g_free(self->memory.numbers);
  lac_memory_unclaim(&self->claim);
  g_free(self);
}

static gpointer
create(const LacMethodSettings *settings, GError **error G_GNUC_UNUSED)
{
  Spring *self = g_new0(Spring, 1);

  self->memory.n = lac_wavefunction_get_n_params(settings->wave);
  self->memory.numbers = g_new0(double, self->memory.n);
  lac_memory_claim(&self->claim, LAC_MEMORY_OPTIMISER, sizeof(double) * self->memory.n);
  return self;
}

static void
describe(gconstpointer data G_GNUC_UNUSED, LacUpdate *update)
{
  *update = (LacUpdate){.kind = LAC_UPDATE_SPRING};
}

const LacEnergyMethod lac_energy_method_spring = {
  .name = "spring",
  .title = N_("SPRING: natural gradient with momentum"),
  .source = "Goldshlager, Abrahamsen, Lin (2024), arXiv 2401.10190",
  .create = create,
  .destroy = destroy,
  .describe = describe,
  .pack = lac_method_memory_pack,
};
