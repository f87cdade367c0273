/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iteration over the walkers in parts, and the state functions shared by several methods. */
#include "experiment/quantum/methods/energy-method.h"

#include <string.h>

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

gsize
lac_method_memory_get_length(gconstpointer self)
{
  return ((const LacMethodMemory *) self)->n;
}

void
lac_method_memory_save(gconstpointer self, double *state)
{
  const LacMethodMemory *memory = self;

  memcpy(state, memory->numbers, memory->n * sizeof *state);
}

void
lac_method_memory_load(gpointer self, const double *state)
{
  LacMethodMemory *memory = self;

  memcpy(memory->numbers, state, memory->n * sizeof *state);
}
