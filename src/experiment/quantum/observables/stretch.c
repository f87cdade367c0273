/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Central differences in the bond length: psi with the same parameters for a slightly shorter and a slightly longer
 * molecule. */
#include "experiment/quantum/observables/stretch.h"

#include "experiment/quantum/observables/blocking.h"
#include "experiment/quantum/sampling/local-energy.h"

#include <math.h>
#include <string.h>

/* Relative change of the bond on either side. The third derivative of H2's energy then adds 4e-5 to a force of 0.3 at
 * 1 bohr. */
#define SHARE 0.005

typedef struct {
  double           factor; /* scale of all lengths relative to the sampled molecule */
  LacWavefunction *wave;
  double          *positions;          /* [n_walkers][N][3] */
  double          *log_abs, *energies; /* [n_walkers] */
} Side;

struct _LacStretch {
  double  step; /* bohr between the two sides */
  gsize   n_walkers, n_electrons, n_steps, n_batches;
  Side    sides[2];
  double *series, *scratch; /* [n_steps] */
};

static LacMolecule *
scale(const LacMolecule *molecule, double factor)
{
  g_autofree LacNucleus *nuclei =
    g_memdup2(molecule->nuclei, molecule->n_nuclei * sizeof *molecule->nuclei);

  for (guint a = 0; a < molecule->n_nuclei; a++)
    for (guint k = 0; k < 3; k++)
      nuclei[a].position[k] *= factor;
  return lac_molecule_new(molecule->name, molecule->n_nuclei, nuclei, molecule->n_up,
                          molecule->n_down);
}

static gboolean
make_side(LacStretch *stretch, const LacStretchSettings *settings, Side *side, GError **error)
{
  g_autoptr(LacMolecule) molecule = scale(settings->molecule, side->factor);

  side->positions = g_new0(double, 3 * stretch->n_electrons * stretch->n_walkers);
  side->log_abs = g_new0(double, stretch->n_walkers);
  side->energies = g_new0(double, stretch->n_walkers);
  side->wave =
    lac_wavefunction_new(molecule, settings->ansatz, settings->precision, settings->pool, error);
  return side->wave &&
         (!settings->device || lac_wavefunction_set_device(side->wave, settings->device, error));
}

LacStretch *
lac_stretch_new(const LacStretchSettings *settings, GError **error)
{
  LacStretch *stretch = g_new0(LacStretch, 1);

  stretch->step = 2 * SHARE * settings->bond;
  stretch->n_walkers = settings->n_walkers;
  stretch->n_electrons = lac_molecule_get_n_electrons(settings->molecule);
  stretch->n_steps = settings->n_steps;
  stretch->series = g_new0(double, settings->n_steps);
  stretch->scratch = g_new0(double, settings->n_steps);
  stretch->sides[0].factor = 1 - SHARE;
  stretch->sides[1].factor = 1 + SHARE;
  for (guint i = 0; i < 2; i++)
    if (!make_side(stretch, settings, &stretch->sides[i], error)) {
      lac_stretch_free(stretch);
      return NULL;
    }
  return stretch;
}

void
lac_stretch_free(LacStretch *stretch)
{
  if (stretch == NULL)
    return;
  for (guint i = 0; i < 2; i++) {
    lac_wavefunction_free(stretch->sides[i].wave);
    g_free(stretch->sides[i].positions);
    g_free(stretch->sides[i].log_abs);
    g_free(stretch->sides[i].energies);
  }
  g_free(stretch->series);
  g_free(stretch->scratch);
  g_free(stretch);
}

static void
measure(const LacStretch *stretch, const Side *side, const double *theta, const double *positions)
{
  const gsize        width = 3 * stretch->n_electrons;
  const LacMolecule *molecule = lac_wavefunction_get_molecule(side->wave);
  const LacLocal     local = {.log_abs = side->log_abs, .kinetic = side->energies};

  for (gsize i = 0; i < width * stretch->n_walkers; i++)
    side->positions[i] = side->factor * positions[i];
  lac_wavefunction_local(side->wave, theta, side->positions, stretch->n_walkers, &local);
  for (gsize b = 0; b < stretch->n_walkers; b++) {
    double attraction, repulsion;

    lac_local_energy_potential(molecule, side->positions + b * width, &attraction, &repulsion);
    side->energies[b] += attraction + repulsion + lac_molecule_get_repulsion(molecule);
  }
}

/* Computes the contribution of walker @b: its energy, and the derivatives of energy and log |psi| with respect to the
 * bond. */
static gboolean
contribute(const LacStretch *stretch, const double *energies, gsize b, double values[3])
{
  const Side *low = &stretch->sides[0], *high = &stretch->sides[1];

  values[0] = energies[b];
  values[1] = (high->energies[b] - low->energies[b]) / stretch->step;
  values[2] = (high->log_abs[b] - low->log_abs[b]) / stretch->step;
  return isfinite(values[0] + values[1] + values[2]);
}

void
lac_stretch_add(LacStretch   *stretch,
                const double *theta,
                const double *positions,
                const double *energies)
{
  double values[3], mean[3] = {0}, covariance = 0;
  gsize  n = 0;

  g_return_if_fail(stretch->n_batches < stretch->n_steps);
  for (guint i = 0; i < 2; i++)
    measure(stretch, &stretch->sides[i], theta, positions);
  for (gsize b = 0; b < stretch->n_walkers; b++) {
    if (!contribute(stretch, energies, b, values))
      continue;
    for (guint k = 0; k < 3; k++)
      mean[k] += values[k];
    n++;
  }
  if (n < 2)
    return;
  for (guint k = 0; k < 3; k++)
    mean[k] /= (double) n;
  for (gsize b = 0; b < stretch->n_walkers; b++)
    if (contribute(stretch, energies, b, values))
      covariance += (values[0] - mean[0]) * (values[2] - mean[2]) / (double) (n - 1);
  stretch->series[stretch->n_batches++] = -(mean[1] + 2 * covariance);
}

void
lac_stretch_forget(LacStretch *stretch)
{
  stretch->n_batches = 0;
}

LacObserved
lac_stretch_find(LacStretch *stretch)
{
  LacBlocking blocking;

  memcpy(stretch->scratch, stretch->series, stretch->n_batches * sizeof *stretch->series);
  lac_blocking_find(stretch->scratch, stretch->n_batches, &blocking);
  return (LacObserved){blocking.mean, blocking.error};
}

void
lac_stretch_pack(gpointer data, LacPacking *packing)
{
  LacStretch *stretch = data;

  lac_packing_index(packing, &stretch->n_batches);
  lac_packing_values(packing, stretch->series, stretch->n_steps);
}
