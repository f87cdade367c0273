/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterations of variational Monte Carlo, with all walkers at once or one by one. */
#include "bench/tiers/vmc.h"

#include "base/error.h"
#include "experiment/quantum/methods/adam-descent.h"
#include "experiment/quantum/molecules.h"
#include "experiment/quantum/sampling/local-energy.h"
#include "experiment/quantum/sampling/sampler.h"

#include <string.h>

#define RATE  3e-3
#define CLIP  5.0 /* mean distances from the median */
#define WIDTH 0.4 /* bohr, initial width of a move */
#define GAIN  0.1 /* of its adaptation */

enum { N_MOVES = 5, BURN_IN = 50 };

struct _LacVmc {
  LacMolecule     *molecule;
  LacPool         *pool;
  LacWavefunction *wave;
  LacSampler      *sampler;
  LacAdamDescent  *descent;
  gsize            n, n_params, n_electrons;
  gsize            at_once;                                          /* walkers per call */
  double          *theta, *gradient, *part;                          /* [n_params] */
  double          *log_abs, *kinetic, *energies, *clipped, *scratch; /* [n] */
  gint8           *sign;                                             /* [n] */
  double           energy;
};

static void
find_values(LacVmc *vmc, const double *positions, gsize n, double *log_abs, double *gradient)
{
  const gsize n_coordinates = 3 * vmc->n_electrons;

  for (gsize first = 0; first < n; first += vmc->at_once) {
    const gsize    some = MIN(vmc->at_once, n - first);
    const double  *at = positions + first * n_coordinates;
    const LacLocal local = {.log_abs = log_abs + first,
                            .gradient = gradient ? gradient + first * n_coordinates : NULL};

    if (gradient)
      lac_wavefunction_local(vmc->wave, vmc->theta, at, some, &local);
    else
      lac_wavefunction_value(vmc->wave, vmc->theta, at, some, log_abs + first, vmc->sign + first);
  }
}

static void
amplitude(const double *positions, gsize n, double *log_abs, double *gradient, gpointer user_data)
{
  find_values(user_data, positions, n, log_abs, gradient);
}

static LacSampler *
new_sampler(LacVmc *vmc)
{
  const LacSamplerSettings settings = {.molecule = vmc->molecule,
                                       .n_walkers = vmc->n,
                                       .proposal = LAC_PROPOSAL_NORMAL,
                                       .width = WIDTH,
                                       .seed = 1,
                                       .pool = vmc->pool,
                                       .amplitude = amplitude,
                                       .user_data = vmc};

  return lac_sampler_new(&settings);
}

static void
take_memory(LacVmc *vmc)
{
  vmc->theta = g_new0(double, vmc->n_params);
  vmc->gradient = g_new0(double, vmc->n_params);
  vmc->part = g_new0(double, vmc->n_params);
  vmc->log_abs = g_new0(double, vmc->n);
  vmc->kinetic = g_new0(double, vmc->n);
  vmc->energies = g_new0(double, vmc->n);
  vmc->clipped = g_new0(double, vmc->n);
  vmc->scratch = g_new0(double, vmc->n);
  vmc->sign = g_new0(gint8, vmc->n);
}

LacVmc *
lac_vmc_new(const LacVmcCase *subject, const LacBenchWay *way, GError **error)
{
  g_autoptr(LacVmc) vmc = g_new0(LacVmc, 1);

  vmc->molecule = lac_known_molecule_make(lac_known_molecule_find(subject->molecule), 0);
  vmc->pool = lac_pool_new(way->n_threads);
  vmc->wave = lac_wavefunction_new_without(vmc->molecule, &subject->ansatz, way->precision,
                                           vmc->pool, way->wavefunction, error);
  if (!vmc->wave)
    return NULL;
  vmc->n = subject->n_walkers;
  vmc->at_once = way->one_by_one ? 1 : vmc->n;
  vmc->n_params = lac_wavefunction_get_n_params(vmc->wave);
  vmc->n_electrons = lac_wavefunction_get_n_electrons(vmc->wave);
  vmc->descent = lac_adam_descent_new(vmc->n_params, vmc->pool, error);
  if (!vmc->descent)
    return NULL;
  take_memory(vmc);
  lac_wavefunction_init(vmc->wave, 1, vmc->theta);
  vmc->sampler = new_sampler(vmc);
  for (guint i = 0; i < BURN_IN; i++)
    lac_sampler_adapt(vmc->sampler, lac_sampler_move(vmc->sampler, 1), GAIN);
  return lac_vmc_find_gradient(vmc, error) ? g_steal_pointer(&vmc) : NULL;
}

void
lac_vmc_free(LacVmc *vmc)
{
  if (!vmc)
    return;
  lac_sampler_free(vmc->sampler);
  lac_adam_descent_free(vmc->descent);
  lac_wavefunction_free(vmc->wave);
  if (vmc->pool)
    lac_pool_free(vmc->pool);
  if (vmc->molecule)
    lac_molecule_unref(vmc->molecule);
  g_free(vmc->theta);
  g_free(vmc->gradient);
  g_free(vmc->part);
  g_free(vmc->log_abs);
  g_free(vmc->kinetic);
  g_free(vmc->energies);
  g_free(vmc->clipped);
  g_free(vmc->scratch);
  g_free(vmc->sign);
  g_free(vmc);
}

gboolean
lac_vmc_move(LacVmc *vmc, GError **error)
{
  lac_sampler_refresh(vmc->sampler);
  lac_sampler_move(vmc->sampler, N_MOVES);
  return TRUE;
}

static void
find_energies(LacVmc *vmc)
{
  const double *positions = lac_sampler_get_positions(vmc->sampler);
  const double  nuclei = lac_molecule_get_repulsion(vmc->molecule);

  for (gsize first = 0; first < vmc->n; first += vmc->at_once)
    lac_wavefunction_local(vmc->wave, vmc->theta, positions + first * 3 * vmc->n_electrons,
                           vmc->at_once, &(LacLocal){.kinetic = vmc->kinetic + first});
  for (gsize b = 0; b < vmc->n; b++) {
    double attraction, repulsion;

    lac_local_energy_potential(vmc->molecule, positions + b * 3 * vmc->n_electrons, &attraction,
                               &repulsion);
    vmc->energies[b] = vmc->kinetic[b] + attraction + repulsion + nuclei;
  }
}

gboolean
lac_vmc_find_gradient(LacVmc *vmc, GError **error)
{
  const double *positions = lac_sampler_get_positions(vmc->sampler);

  find_energies(vmc);
  vmc->energy = lac_local_energy_clip(vmc->energies, vmc->n, CLIP, vmc->clipped, vmc->scratch).mean;
  for (gsize b = 0; b < vmc->n; b++)
    vmc->clipped[b] *= 2 / (double) vmc->n;
  memset(vmc->gradient, 0, vmc->n_params * sizeof *vmc->gradient);
  for (gsize first = 0; first < vmc->n; first += vmc->at_once) {
    lac_wavefunction_tape(vmc->wave, vmc->theta, positions + first * 3 * vmc->n_electrons,
                          vmc->at_once, NULL, NULL);
    lac_wavefunction_gradient(vmc->wave, vmc->clipped + first, vmc->part);
    for (gsize p = 0; p < vmc->n_params; p++)
      vmc->gradient[p] += vmc->part[p];
  }
  return TRUE;
}

gboolean
lac_vmc_update(LacVmc *vmc, GError **error)
{
  if (lac_adam_descent_step(vmc->descent, vmc->theta, vmc->gradient, RATE))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "a step of Adam is not finite");
  return FALSE;
}

gboolean
lac_vmc_evaluate(LacVmc *vmc, GError **error)
{
  find_values(vmc, lac_sampler_get_positions(vmc->sampler), vmc->n, vmc->log_abs, NULL);
  return TRUE;
}

gboolean
lac_vmc_train(LacVmc *vmc, GError **error)
{
  return lac_vmc_move(vmc, error) && lac_vmc_find_gradient(vmc, error) &&
         lac_vmc_update(vmc, error);
}

double
lac_vmc_get_energy(const LacVmc *vmc)
{
  return vmc->energy;
}
