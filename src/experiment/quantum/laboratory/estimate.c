/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost estimates and validation of settings. */
#include "base/error.h"
#include "experiment/quantum/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <unistd.h>

enum { LEAST_WALKERS = 8, LEAST_VOLUME = 4 };

#define FLOPS_PER_SECOND 1e11 /* per thread in the kernels of psi, f32, vectors of 16 */
#define SECONDS_A_NORMAL 3e-8 /* random number and its share of a move */

/* Returns the numbers that derivatives need besides psi's tape: the Gram matrix of spring, the factors of kfac. */
static double
method_numbers(const LacQuantumParams *params, const LacWavefunction *wave)
{
  const double             n = (double) params->walkers;
  gsize                    n_blocks, n_methods;
  const LacParameterBlock *blocks = lac_wavefunction_get_blocks(wave, &n_blocks);
  const char              *name = lac_energy_methods(&n_methods)[params->optimizer]->name;
  double                   factors = 0;

  if (g_str_equal(name, "spring"))
    return n * n;
  if (!g_str_equal(name, "kfac"))
    return 0;
  for (gsize i = 0; i < n_blocks; i++) {
    const double rows = (double) blocks[i].rows, columns = (double) blocks[i].columns;

    factors += 7 * (rows * rows + columns * columns);
  }
  return factors;
}

/* Returns the FLOPs of one step of the method, in addition to tape and gradient. */
static double
method_flops(const LacQuantumParams *params, const LacWavefunction *wave)
{
  const double             n = (double) params->walkers;
  gsize                    n_blocks, n_methods;
  const LacParameterBlock *blocks = lac_wavefunction_get_blocks(wave, &n_blocks);
  const char              *name = lac_energy_methods(&n_methods)[params->optimizer]->name;
  double                   flops = 0;

  for (gsize i = 0; i < n_blocks; i++) {
    const double rows = (double) blocks[i].rows, columns = (double) blocks[i].columns;
    const double passes = n * (double) blocks[i].repeats;

    if (g_str_equal(name, "spring"))
      flops += passes * passes * (rows + columns);
    else if (g_str_equal(name, "kfac"))
      flops += passes * (rows * rows + columns * columns) +
               (rows * rows * rows + columns * columns * columns) / 3;
  }
  return g_str_equal(name, "spring") ? flops + n * n * n / 3 : flops;
}

gsize
lac_quantum_stretch_every(const LacMolecule *molecule)
{
  return MAX(1, lac_molecule_get_n_electrons(molecule) / 4);
}

static LacWavefunction *
make_wave(const LacExperiment *self, const LacQuantumParams *params, GError **error)
{
  g_autoptr(LacMolecule) molecule = lac_quantum_molecule(self->data, params, error);
  const LacAnsatz        ansatz = lac_quantum_ansatz(params);

  if (!molecule || !lac_ansatz_check(&ansatz, error))
    return NULL;
  return lac_wavefunction_new(molecule, &ansatz, "f32", NULL, error);
}

static double
find_memory(const LacQuantumParams *params, const LacWavefunction *wave)
{
  const LacMolecule *molecule = lac_wavefunction_get_molecule(wave);
  const double       n_params = (double) lac_wavefunction_get_n_params(wave);
  const double       n_electrons = (double) lac_molecule_get_n_electrons(molecule);
  const double       walkers = (double) params->walkers;
  const gint64       taped =
    params->at_once > 0 ? MIN(params->at_once, params->walkers) : params->walkers;
  const double entries = (double) params->determinants * n_electrons * n_electrons;

  return (double) lac_wavefunction_estimate(molecule, lac_wavefunction_get_ansatz(wave), "f64",
                                            lac_pool_available(), (gsize) taped) +
         sizeof(double) *
           (18 * n_params + walkers * (24 * n_electrons + 18) +
            (params->pretraining ? 2 * walkers * entries : 0) + method_numbers(params, wave) +
            2 * (double) (params->picture * params->picture) + 2 * pow((double) params->volume, 3));
}

/* Fills the step of @settings and the length of its memory from a method that is made for it. */
static gboolean
describe_step(const LacEnergyMethod *method, LacIterationSettings *settings)
{
  const LacMethodSettings of_method = {.wave = settings->wave, .n_walkers = settings->n_walkers};
  gpointer                self = method->create(&of_method, NULL);

  if (!self)
    return FALSE;
  method->describe(self, &settings->update);
  settings->n_memory = lac_packing_get_length(method->pack, self);
  method->destroy(self);
  return TRUE;
}

/* Returns the device memory: psi and its optimiser, and two more psi for the bond stretch. */
static double
find_device_memory(const LacExperiment *self, const LacQuantumParams *params, LacWavefunction *wave)
{
  const LacKnownMolecule *known = self->data;
  gsize                   n_methods;
  const LacEnergyMethod  *method = lac_energy_methods(&n_methods)[params->optimizer];
  LacIterationSettings    settings = {
       .wave = wave,
       .n_walkers = (gsize) params->walkers,
       .at_once =
      params->pretraining ? 0 : (gsize) params->at_once, /* pretraining holds all walkers */
       .moves = {.proposal = (LacProposal) params->proposal},
  };
  double n_bytes;

  if (!describe_step(method, &settings))
    return 0;
  n_bytes = (double) lac_iteration_estimate(&settings, params->iterations > 0);

  if (known && known->bond > 0)
    n_bytes += 2 * (double) lac_iteration_estimate(&settings, FALSE);
  return n_bytes;
}

/* Returns half of the machine's memory, the limit for a run. */
static double
most_memory(void)
{
  return 0.5 * (double) sysconf(_SC_PHYS_PAGES) * (double) sysconf(_SC_PAGESIZE);
}

/* Returns the number of walkers that fit, halving it until they do. */
static gint64
advise_walkers(LacQuantumParams params, const LacWavefunction *wave)
{
  while (params.walkers > LEAST_WALKERS && find_memory(&params, wave) > most_memory())
    params.walkers /= 2;
  return params.walkers;
}

/* Everything on walkers runs on the device except Kronecker factors. */
gboolean
lac_quantum_uses_device(const LacExperiment *self G_GNUC_UNUSED,
                        gconstpointer             values,
                        GString                  *apart)
{
  const LacQuantumParams *params = values;
  gsize                   n_methods;
  const LacEnergyMethod  *method = lac_energy_methods(&n_methods)[params->optimizer];

  if (params->iterations > 0 && method->needs_factors)
    lac_experiment_add_apart(apart, method->name);
  return TRUE;
}

/* Checks the width: the initial orbitals are sums of `width` functions, so more of them are linearly dependent. */
static gboolean
check_width(const LacQuantumParams *params, const LacMolecule *molecule, GError **error)
{
  const guint n = MAX(molecule->n_up, molecule->n_down);

  if (params->width >= (gint64) n)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "width = %" G_GINT64_FORMAT " is less than the %u electrons of one spin, so that the "
              "initial psi is zero everywhere; use width = %u or more",
              params->width, n, n);
  return FALSE;
}

gboolean
lac_quantum_check(const LacExperiment *self, gconstpointer values, GError **error)
{
  const LacQuantumParams    *params = values;
  g_autoptr(LacWavefunction) wave = make_wave(self, params, error);
  double                     memory;

  if (!wave)
    return FALSE;
  if (params->at_once > 0 && params->at_once < params->walkers && params->optimizer == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "at_once = %" G_GINT64_FORMAT " is less than walkers = %" G_GINT64_FORMAT
                ", but spring needs all walkers at once; use optimizer = kfac or adam",
                params->at_once, params->walkers);
    return FALSE;
  }
  if (params->volume > 0 && params->volume < LEAST_VOLUME) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "volume = %" G_GINT64_FORMAT " is too coarse; use 0 or at least %d", params->volume,
                LEAST_VOLUME);
    return FALSE;
  }
  if (!check_width(params, lac_wavefunction_get_molecule(wave), error))
    return FALSE;
  memory = find_memory(params, wave);
  if (memory <= most_memory())
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "walkers = %" G_GINT64_FORMAT " with a network of %" G_GSIZE_FORMAT
              " parameters need %.1f GB, but the limit is %.1f GB, half of this machine's memory; "
              "try walkers = %" G_GINT64_FORMAT " or lower width or determinants",
              params->walkers, lac_wavefunction_get_n_params(wave), memory / 1e9,
              most_memory() / 1e9, advise_walkers(*params, wave));
  return FALSE;
}

static double
find_frame(const LacExperiment *self, const LacQuantumParams *params)
{
  g_autoptr(LacMolecule) molecule = lac_quantum_molecule(self->data, params, NULL);
  guint                  elements[LAC_N_ELEMENTS];
  gsize                  n =
    2 * (gsize) (params->picture * params->picture) + LAC_HISTORY_COLUMNS * LAC_HISTORY_BINS;

  if (molecule)
    n += 2 * (lac_distribution_elements(molecule, elements) * LAC_DISTRIBUTION_RADII +
              LAC_DISTRIBUTION_ENERGIES +
              lac_distribution_pair_rows(molecule) * LAC_DISTRIBUTION_DISTANCES);
  if (molecule && params->volume) {
    const LacDensityGrid grid = lac_quantum_grid(molecule, params);

    n += grid.n[0] * grid.n[1] * grid.n[2];
  }
  return sizeof(float) * (double) n;
}

/* Returns the mean number of local energies per measurement for the force. */
static double
stretches(const LacExperiment *self, const LacWavefunction *wave)
{
  const LacKnownMolecule *known = self->data;

  return known && known->bond > 0
           ? 2 / (double) lac_quantum_stretch_every(lac_wavefunction_get_molecule(wave))
           : 0;
}

void
lac_quantum_estimate(const LacExperiment *self, gconstpointer values, LacEstimate *estimate)
{
  const LacQuantumParams    *params = values;
  g_autoptr(LacWavefunction) wave = make_wave(self, params, NULL);
  gint64                     n[LAC_N_PHASES];
  LacWavefunctionCost        cost;
  double                     move, moved, flops = 0;

  *estimate = (LacEstimate){.frame_bytes = find_frame(self, params)};
  lac_quantum_count_steps(params, n);
  for (guint phase = 0; phase < LAC_N_PHASES; phase++)
    estimate->n_steps += n[phase];
  if (!wave)
    return;
  estimate->n_parameters = lac_wavefunction_get_n_params(wave);
  cost = lac_wavefunction_get_cost(wave);
  move = (params->proposal == LAC_PROPOSAL_LANGEVIN ? cost.local : cost.value) +
         SECONDS_A_NORMAL * FLOPS_PER_SECOND * 3 * (double) lac_wavefunction_get_n_electrons(wave);
  moved = move * (double) params->moves;
  flops += (double) n[LAC_PHASE_PRETRAINING] * (moved + cost.value + cost.tape);
  flops += (double) (n[LAC_PHASE_BURN_IN] + n[LAC_PHASE_SECOND_BURN_IN]) * moved;
  flops +=
    (double) n[LAC_PHASE_OPTIMISATION] * (moved + cost.value + cost.local + 2 * cost.tape +
                                          method_flops(params, wave) / (double) params->walkers);
  flops += (double) n[LAC_PHASE_EVALUATION] *
           (move * (double) params->evaluation_moves + cost.local * (1 + stretches(self, wave)));
  flops *= (double) params->walkers;
  estimate->seconds_per_step = flops / FLOPS_PER_SECOND / (double) estimate->n_steps;
  estimate->seconds_setup = 0.05 + (params->pretraining ? 0.2 : 0);
  estimate->memory_bytes = find_memory(params, wave);
  estimate->device_bytes = find_device_memory(self, params, wave);
}
