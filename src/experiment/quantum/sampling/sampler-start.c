/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where electrons begin: at the nuclei, as many as belong there, with the spins of the atoms as far as the total allows. */
#include "base/rng.h"
#include "experiment/quantum/sampling/sampler.h"

#include <stdlib.h>

/* What every nucleus holds on to; sums to the electrons of the molecule by giving or taking one at a time. */
static void
count_electrons(const LacMolecule *molecule, guint *counts)
{
  int excess = -lac_molecule_get_charge(molecule);

  for (guint a = 0; a < molecule->n_nuclei; a++)
    counts[a] = molecule->nuclei[a].charge;
  for (; excess != 0; excess += excess > 0 ? -1 : 1) {
    guint best = 0;

    for (guint a = 1; a < molecule->n_nuclei; a++) {
      const int here = (int) molecule->nuclei[a].charge - (int) counts[a];
      const int there = (int) molecule->nuclei[best].charge - (int) counts[best];

      /* a lacking electron leaves where most are, one too many goes where the pull is strongest */
      if (excess > 0 ? here > there : counts[a] > counts[best])
        best = a;
    }
    counts[best] += excess > 0 ? 1u : (guint) -1;
  }
}

/* Unpaired electrons of the ground state with @n electrons, at most ten; beyond, of none. */
static guint
unpaired(guint n)
{
  const LacElement *element = n ? lac_element(n) : NULL;

  return element ? element->n_up - element->n_down : n % 2;
}

/* One more electron up, one fewer down, at the atom that has most of them down, or the other way round. */
static void
turn_one(guint n_nuclei, guint *up, const guint *counts, gboolean to_up)
{
  guint best = 0;
  int   most = G_MININT;

  for (guint a = 0; a < n_nuclei; a++) {
    const int turnable = (int) (to_up ? counts[a] - up[a] : up[a]);
    const int leaning = 2 * turnable - (int) counts[a];

    if (turnable > 0 && leaning > most) {
      most = leaning;
      best = a;
    }
  }
  up[best] += to_up ? 1u : (guint) -1;
}

void
lac_sampler_assign(const LacMolecule *molecule, guint64 seed, guint64 draw, guint *homes)
{
  const guint       n = molecule->n_nuclei;
  g_autofree guint *counts = g_new(guint, n), *up = g_new(guint, n);
  g_autofree gsize *order = g_new(gsize, n);
  LacRng            rng = lac_rng(seed, draw);
  int               spin = 0, missing = (int) molecule->n_up;
  guint             i = 0;

  count_electrons(molecule, counts);
  for (guint a = 0; a < n; a++)
    order[a] = a;
  lac_rng_shuffle(&rng, order, n);
  for (guint k = 0; k < n; k++) {
    const gsize    a = order[k];
    const guint    alone = unpaired(counts[a]);
    const int      target = (int) molecule->n_up - (int) molecule->n_down;
    const gboolean is_up = k == 0 && target == 0 ? lac_rng_word(&rng) & 1 : spin < target;

    up[a] = is_up ? (counts[a] + alone) / 2 : (counts[a] - alone) / 2;
    spin += is_up ? (int) alone : -(int) alone;
    missing -= (int) up[a];
  }
  /* each turn brings the total one nearer: it ends whatever the molecule */
  for (; missing != 0; missing += missing > 0 ? -1 : 1)
    turn_one(n, up, counts, missing > 0);
  for (guint a = 0; a < n; a++)
    for (guint k = 0; k < up[a]; k++)
      homes[i++] = a;
  for (guint a = 0; a < n; a++)
    for (guint k = up[a]; k < counts[a]; k++)
      homes[i++] = a;
}
