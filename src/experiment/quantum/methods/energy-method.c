/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iteration over the walkers in parts, and the state that several methods have. */
#include "experiment/quantum/methods/energy-method.h"

gboolean
lac_walker_part_next(LacWalkerPart           *part,
                     const LacMethodSettings *settings,
                     const double            *theta,
                     const LacMethodTunables *tunables)
{
  const gsize coordinates = 3 * lac_wavefunction_get_n_electrons(settings->wave);

  part->first += part->n;
  if (part->first >= settings->n_walkers)
    return FALSE;
  part->n = settings->n_walkers - part->first;
  if (settings->at_once > 0)
    part->n = MIN(part->n, settings->at_once);
  lac_wavefunction_tape(settings->wave, theta, tunables->positions + part->first * coordinates,
                        part->n, NULL, NULL);
  return TRUE;
}

void
lac_method_memory_pack(gpointer self, LacPacking *packing)
{
  LacMethodMemory *memory = self;

  lac_packing_values(packing, memory->numbers, memory->n);
}
