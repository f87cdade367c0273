/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set-up of a quantum run. */
#include "experiment/quantum/laboratory/laboratory-private.h"
#include "experiment/set-up-part.h"

#include <math.h>
#include <string.h>

#define FIRST_SPREAD 0.2  /* initial spread of local energies, relative or in hartree */
#define FIRST_WIDTH  0.3  /* bohr */
#define CUSP_RANGE   0.75 /* bohr, divided by the highest charge */

static void
free_state(LacQuantumState *state)
{
  if (state->optimiser.method_self)
    state->optimiser.method->destroy(state->optimiser.method_self);
  lac_quantum_loop_free(state->loop);
  lac_pretraining_free(state->pretraining);
  lac_sampler_free(state->sampler);
  lac_wavefunction_free(state->wave);
  lac_stretch_free(state->views.stretch);
  lac_molecule_unref(state->molecule);
  lac_evaluation_free(state->measured.evaluation);
  lac_observables_free(state->measured.observables);
  g_free(state->measured.gradients);
  g_free(state->measured.log_abs);
  g_free(state->measured.spin_squared);
  g_free(state->measured.spin_scratch);
  lac_picture_free(state->views.picture);
  lac_pair_correlation_free(state->views.pairs);
  lac_pair_cusp_free(state->views.cusp);
  lac_density_free(state->views.density);
  lac_energy_history_free(state->views.history);
  lac_distributions_free(state->views.distributions);
  g_free(state->optimiser.theta);
  g_free(state->optimiser.theta_before);
  g_free(state->optimiser.theta_sum);
  g_free(state->optimiser.method_before);
  g_free(state->kinetic);
  g_free(state->attraction);
  g_free(state->repulsion);
  g_free(state->energies);
  g_free(state->clipped);
  g_free(state->scratch);
  g_free(state->optimiser.trail);
  g_free(state->optimiser.trail_scratch);
  g_free(state->signs);
  g_free(state);
}

void
lac_quantum_destroy(gpointer state)
{
  free_state(state);
}

/* ---- psi as the sampler sees it ---- */

static void
amplitude(const double *positions,
          gsize         n_walkers,
          double       *log_abs,
          double       *gradient,
          gpointer      user_data)
{
  LacQuantumState *state = user_data;

  if (gradient) {
    const LacLocal local = {.log_abs = log_abs, .gradient = gradient};

    lac_wavefunction_local(state->wave, state->optimiser.theta, positions, n_walkers, &local);
  } else {
    lac_wavefunction_value(state->wave, state->optimiser.theta, positions, n_walkers, log_abs,
                           state->signs);
  }
}

static void
move_walkers(const LacElectronMoves *moves, gsize n_walkers, gpointer user_data)
{
  LacQuantumState *state = user_data;

  lac_wavefunction_move(state->wave, state->optimiser.theta, moves, n_walkers);
}

/* ---- parts ---- */

static gboolean
make_pretraining(LacQuantumState *state, GError **error)
{
  LAC_SET_UP_PART(&state->context, "orbitals of Hartree and Fock");
  const LacPretrainingSettings settings = {
    .wave = state->wave,
    .basis = lac_pretraining_bases()[state->params.basis],
    .n_walkers = state->n_walkers,
    .n_moves = (guint) state->params.moves,
    .seed = state->context.seed,
    .pool = state->context.pool,
  };

  state->pretraining = lac_pretraining_new(&settings, error);
  return state->pretraining != NULL;
}

static gboolean
make_stretch(LacQuantumState *state, const LacAnsatz *ansatz, const char *precision, GError **error)
{
  const LacStretchSettings settings = {
    .molecule = state->molecule,
    .bond = state->params.bond_length,
    .ansatz = ansatz,
    .precision = precision,
    .n_walkers = state->n_walkers,
    .n_steps = (gsize) state->params.evaluation,
    .pool = state->context.pool,
    .device = &state->context.device,
  };

  state->views.stretch = lac_stretch_new(&settings, error);
  return state->views.stretch != NULL;
}

static gboolean
make_wave(LacQuantumState *state, GError **error)
{
  const LacAnsatz ansatz = lac_quantum_ansatz(&state->params);
  const char     *precision = g_strcmp0(state->context.precision, "f32") == 0 ? "f32" : "f64";

  state->wave =
    lac_wavefunction_new(state->molecule, &ansatz, precision, state->context.pool, error);
  if (!state->wave || !lac_wavefunction_set_device(state->wave, &state->context.device, error))
    return FALSE;
  state->n_params = lac_wavefunction_get_n_params(state->wave);
  state->optimiser.theta = g_new0(double, state->n_params);
  state->optimiser.theta_before = g_new0(double, state->n_params);
  state->optimiser.theta_sum = g_new0(double, state->n_params);
  lac_wavefunction_init(state->wave, state->context.seed, state->optimiser.theta);
  return !state->indices.stretch || make_stretch(state, &ansatz, precision, error);
}

static gboolean
make_method(LacQuantumState *state, GError **error)
{
  gsize                   n_methods;
  const LacMethodSettings settings = {
    .wave = state->wave,
    .n_walkers = state->n_walkers,
    .at_once = (gsize) state->params.at_once,
    .pool = state->context.pool,
  };

  state->optimiser.method = lac_energy_methods(&n_methods)[state->params.optimizer];
  if (state->optimiser.method->needs_factors &&
      !lac_wavefunction_keep_derivatives(state->wave, error))
    return FALSE;
  state->optimiser.method_self = state->optimiser.method->create(&settings, error);
  if (!state->optimiser.method_self)
    return FALSE;
  state->optimiser.n_memory =
    lac_packing_get_length(state->optimiser.method->pack, state->optimiser.method_self);
  state->optimiser.method_before = g_new0(double, state->optimiser.n_memory);
  return TRUE;
}

static void
make_walkers(LacQuantumState *state)
{
  LAC_SET_UP_PART(&state->context, "place the walkers");
  const LacSamplerSettings settings = {
    .molecule = state->molecule,
    .n_walkers = state->n_walkers,
    .proposal = (LacProposal) state->params.proposal,
    .exchange = state->params.exchange / 100,
    .width = FIRST_WIDTH,
    .seed = state->context.seed,
    .pool = state->context.pool,
    .amplitude = amplitude,
    .moves = move_walkers,
    .user_data = state,
  };

  state->sampler = lac_sampler_new(&settings);
  lac_quantum_look(state, 0);
}

/* Returns the range within which a parabola fits the pair slopes: shorter for higher charges. */
static double
find_cusp_range(const LacMolecule *molecule)
{
  guint highest = 1;

  for (guint a = 0; a < molecule->n_nuclei; a++)
    highest = MAX(highest, molecule->nuclei[a].charge);
  return CUSP_RANGE / highest;
}

static void
make_numbers(LacQuantumState *state)
{
  const gsize n = state->n_walkers;

  state->kinetic = g_new0(double, n);
  state->attraction = g_new0(double, n);
  state->repulsion = g_new0(double, n);
  state->energies = g_new0(double, n);
  state->clipped = g_new0(double, n);
  state->scratch = g_new0(double, n);
  state->signs = g_new0(gint8, n);
  state->measured.gradients = g_new0(double, n * 3 * state->n_electrons);
  state->measured.log_abs = g_new0(double, n);
  state->measured.spin_squared = g_new0(double, n);
  state->measured.spin_scratch = g_malloc0(LAC_SPIN_SQUARED_SCRATCH(n, state->n_electrons));
  state->measured.observables =
    lac_observables_new(state->molecule, (gsize) state->params.evaluation);
  state->optimiser.trail = g_new0(double, MAX(1, state->params.iterations));
  state->optimiser.trail_scratch = g_new0(double, state->params.iterations / 4 + 1);
  state->measured.evaluation = lac_evaluation_new((gsize) state->params.evaluation,
                                                  lac_molecule_get_repulsion(state->molecule));
  if (state->params.volume) {
    const LacDensityGrid grid = lac_quantum_grid(state->molecule, &state->params);

    state->views.density = lac_density_new(state->molecule, &grid);
  }
  if (state->planes.pairs)
    state->views.pairs = lac_pair_correlation_new(state->molecule, LAC_PAIR_REACH, LAC_PAIR_BINS);
  if (state->indices.cusp)
    state->views.cusp = lac_pair_cusp_new(state->molecule, find_cusp_range(state->molecule),
                                          (gsize) state->params.evaluation);
  state->views.picture = lac_picture_new(state->molecule, (gsize) state->params.picture);
}

static void
name_spans(LacQuantumState *state)
{
  LacPerf *perf = state->context.perf;

  if (!perf || !state->context.lane) {
    state->context.lane = NULL;
    return;
  }
  state->name_move = lac_perf_name(perf, "move the walkers");
  state->name_energy = lac_perf_name(perf, "local energies");
  state->name_observe = lac_perf_name(perf, "observables");
  state->name_pretrain = lac_perf_name(perf, "pretrain");
}

/* Creates the energy history, centred on the reference energy or that of the initial walkers, wide enough for the
 * error of an initial psi. */
static void
make_history(LacQuantumState *state)
{
  const LacEnergyBatch batch = lac_local_energy_clip(
    state->energies, state->n_walkers, state->params.clip, state->clipped, state->scratch);
  const double                   first = isfinite(batch.median) ? batch.median : -1;
  const double                   middle = state->has_energy ? state->energy.energy : first;
  const double                   half = MAX(FIRST_SPREAD * fabs(middle), FIRST_SPREAD);
  const LacEnergyHistorySettings settings = {
    .n_columns = LAC_HISTORY_COLUMNS,
    .n_bins = LAC_HISTORY_BINS,
    .low = middle - half,
    .high = middle + half,
    .n_steps = state->n_steps,
  };

  const LacDistributionSettings of_distributions = lac_distribution_settings(
    state->molecule, middle, state->params.clip, lac_picture_margin(state->molecule));

  state->views.history = lac_energy_history_new(&settings);
  lac_energy_history_add(state->views.history, 0, state->energies, state->n_walkers);
  state->views.distributions =
    lac_distributions_new(state->molecule, &of_distributions, state->n_walkers);
  lac_distributions_add_energies(state->views.distributions, state->energies, state->n_walkers);
}

/* Runs one step of each later kind and discards the result, so that later steps need not allocate. */
static void
rehearse(LacQuantumState *state)
{
  LAC_SET_UP_PART(&state->context, "rehearse a step");

  lac_quantum_find_energies(state, (LacLocal){0});
  if (state->views.stretch) {
    lac_stretch_add(state->views.stretch, state->optimiser.theta,
                    lac_sampler_get_positions(state->sampler), state->energies);
    lac_stretch_forget(state->views.stretch);
  }
  make_history(state);
  if (state->loop)
    lac_quantum_loop_warm_up(state);
}

static gboolean
set_up(LacQuantumState *state, gsize n_metrics, GError **error)
{
  state->molecule = lac_quantum_molecule(state->known, &state->params, error);
  if (!state->molecule)
    return FALSE;
  state->n_electrons = lac_molecule_get_n_electrons(state->molecule);
  state->planes = lac_quantum_find_planes(state->molecule, &state->params);
  state->has_energy = lac_quantum_known_energy(state->known, &state->params, &state->energy);
  make_numbers(state);
  if (!make_wave(state, error))
    return FALSE;
  if (state->params.pretraining > 0 && !make_pretraining(state, error))
    return FALSE;
  if (!make_method(state, error) || lac_context_is_cancelled(&state->context, error))
    return FALSE;
  make_walkers(state);
  if (!lac_quantum_loop_new(state, n_metrics, error))
    return FALSE;
  rehearse(state);
  if (!lac_wavefunction_check_device(state->wave, error))
    return FALSE;
  if (state->context.lane) {
    lac_wavefunction_record(state->wave, state->context.perf, state->context.lane);
    lac_quantum_loop_record(state);
  }
  return !lac_context_is_cancelled(&state->context, error);
}

gpointer
lac_quantum_create(const LacExperiment *self,
                   gconstpointer        params,
                   const LacContext    *context,
                   GError             **error)
{
  LacQuantumState *state = g_new0(LacQuantumState, 1);
  gsize            n_metrics;

  state->context = *context;
  state->known = self->data;
  memcpy(&state->params, params, sizeof state->params);
  state->n_walkers = (gsize) state->params.walkers;
  state->drift = NAN;
  state->settling = (LacQuantumSettling){NAN, NAN};
  n_metrics = lac_quantum_find_indices(self, params, &state->indices);
  lac_quantum_count_steps(&state->params, state->phase_steps);
  for (guint phase = 0; phase < LAC_N_PHASES; phase++)
    state->n_steps += state->phase_steps[phase];
  name_spans(state);
  if (!set_up(state, n_metrics, error)) {
    free_state(state);
    return NULL;
  }
  state->params.geometry = state->params.structure = NULL; /* owned by the draft */
  state->params.molecule = NULL;
  return state;
}
