/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of a quantum run, phase by phase. */
#include "experiment/quantum/laboratory/laboratory-private.h"

#include <math.h>
#include <string.h>

#define BURN_IN_GAIN 0.3  /* adaptation gain of the move width during burn-in */
#define FADE         0.98 /* decay of the picture per step while psi improves */

/* Number of parameters above which steps are bounded like those of the papers' large networks. */
#define LARGE_NETWORK 100000

static LacSpan
begin(const LacQuantumState *state, guint32 name)
{
  return state->context.lane ? lac_span_begin(state->context.lane, name) : (LacSpan){0};
}

static void
end(const LacQuantumState *state, LacSpan span)
{
  if (state->context.lane)
    lac_span_end(state->context.lane, span, state->step);
}

static double
move(LacQuantumState *state, gint64 n_moves)
{
  const LacSpan span = begin(state, state->name_move);
  const double  acceptance = lac_sampler_move(state->sampler, (guint) n_moves);

  end(state, span);
  return acceptance;
}

typedef struct {
  LacQuantumState *state;
  const double    *positions;
} PotentialJob;

static void
find_potential(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const PotentialJob *job = user_data;
  LacQuantumState    *state = job->state;
  const double        nuclei = lac_molecule_get_repulsion(state->molecule);

  for (gsize b = item * 32; b < MIN((item + 1) * 32, state->n_walkers); b++) {
    lac_local_energy_potential(state->molecule, job->positions + 3 * b * state->n_electrons,
                               &state->attraction[b], &state->repulsion[b]);
    state->energies[b] = state->kinetic[b] + state->attraction[b] + state->repulsion[b] + nuclei;
  }
}

/* Computes the energies and their parts, and the other requested outputs of @local. */
void
lac_quantum_find_energies(LacQuantumState *state, LacLocal local)
{
  const LacSpan span = begin(state, state->name_energy);
  PotentialJob  job = {state, lac_sampler_get_positions(state->sampler)};

  local.kinetic = state->kinetic;
  lac_wavefunction_local(state->wave, state->optimiser.theta, job.positions, state->n_walkers,
                         &local);
  lac_pool_run(state->context.pool, (state->n_walkers + 31) / 32, find_potential, &job);
  lac_quantum_keep_energies(state, state->step);
  end(state, span);
}

void
lac_quantum_keep_energies(LacQuantumState *state, gint64 step)
{
  if (state->views.history)
    lac_energy_history_add(state->views.history, step, state->energies, state->n_walkers);
  if (state->views.distributions)
    lac_distributions_add_energies(state->views.distributions, state->energies, state->n_walkers);
}

static void
smooth_potential(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const PotentialJob *job = user_data;
  LacQuantumState    *state = job->state;
  const double        nuclei = lac_molecule_get_repulsion(state->molecule);
  const gsize         width = 3 * state->n_electrons;

  for (gsize b = item * 32; b < MIN((item + 1) * 32, state->n_walkers); b++) {
    lac_local_energy_smooth(state->molecule, job->positions + b * width,
                            state->measured.gradients + b * width, &state->attraction[b],
                            &state->repulsion[b]);
    state->kinetic[b] = state->energies[b] - nuclei - state->attraction[b] - state->repulsion[b];
  }
}

/* Replaces the parts of the energies by the low-variance form, with the same means and the same sums. */
static void
smooth_parts(LacQuantumState *state)
{
  PotentialJob job = {state, lac_sampler_get_positions(state->sampler)};

  lac_pool_run(state->context.pool, (state->n_walkers + 31) / 32, smooth_potential, &job);
}

/* ---- phases ---- */

/* Adds the walkers at @positions to the pictures. */
static void
look_at(LacQuantumState *state, const double *positions, double share)
{
  if (share < 1) {
    lac_picture_fade(state->views.picture, share);
    if (state->views.density)
      lac_density_fade(state->views.density, share);
    if (state->views.pairs)
      lac_pair_correlation_fade(state->views.pairs, share);
    if (state->views.distributions)
      lac_distributions_fade(state->views.distributions, share);
  }
  lac_picture_add(state->views.picture, positions, state->n_walkers);
  if (state->views.density)
    lac_density_add(state->views.density, positions, state->n_walkers);
  if (state->views.pairs)
    lac_pair_correlation_add(state->views.pairs, positions, state->n_walkers);
  if (state->views.distributions)
    lac_distributions_look(state->views.distributions, positions, state->n_walkers);
}

void
lac_quantum_look(LacQuantumState *state, double share)
{
  look_at(state, lac_sampler_get_positions(state->sampler), share);
}

static gboolean
pretrain(LacQuantumState *state, LacStepReport *report)
{
  const LacSpan        span = begin(state, state->name_pretrain);
  LacPretrainingReport done;
  const gboolean       is_right = lac_pretraining_step(state->pretraining, state->optimiser.theta,
                                                       state->params.pretraining_rate, &done);

  end(state, span);
  state->last_loss = done.loss;
  report->metrics[state->indices.pretraining] = done.loss;
  lac_quantum_report_moves(state, done.acceptance, report->metrics);
  look_at(state, lac_pretraining_get_positions(state->pretraining), FADE);
  if (!is_right) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_strlcpy(report->who, "pretraining", sizeof report->who);
    g_strlcpy(report->why, "the gradient of the pretraining is not finite; lower pretraining_rate",
              sizeof report->why);
  }
  if (state->step + 1 == state->phase_steps[LAC_PHASE_PRETRAINING])
    lac_sampler_place(state->sampler, lac_pretraining_get_positions(state->pretraining));
  return TRUE;
}

static void
burn_in(LacQuantumState *state, LacStepReport *report)
{
  const double acceptance = move(state, state->params.moves);

  lac_sampler_adapt(state->sampler, acceptance, BURN_IN_GAIN);
  lac_quantum_report_moves(state, acceptance, report->metrics);
  lac_quantum_look(state, FADE);
}

/* Moves walkers without an energy to the next one that has an energy. */
static void
reseed(LacQuantumState *state)
{
  for (gsize b = 0; b < state->n_walkers; b++) {
    gsize other = b;

    for (gsize k = 1; k < state->n_walkers && !isfinite(state->energies[other]); k++)
      other = (b + k) % state->n_walkers;
    if (other != b)
      lac_sampler_reseed(state->sampler, b, other);
  }
}

/* Returns the iteration of the optimisation. */
static gint64
find_iteration(const LacQuantumState *state, gint64 step)
{
  return step - state->phase_steps[LAC_PHASE_PRETRAINING] - state->phase_steps[LAC_PHASE_BURN_IN];
}

static double
or_usual(double value, double usual)
{
  return value > 0 ? value : usual;
}

/* Returns the parameters of iteration @i. */
LacMethodTunables
lac_quantum_find_tunables(const LacQuantumState *state, gint64 i)
{
  const LacQuantumParams *params = &state->params;
  const gboolean          is_spring = g_str_equal(state->optimiser.method->name, "spring");
  const gboolean          is_adam = g_str_equal(state->optimiser.method->name, "adam");
  const gboolean          is_large = state->n_params > LARGE_NETWORK;
  const double            n = (double) MAX(1, params->iterations);
  const double            first = or_usual(params->norm, is_spring && !is_large ? 0.1 : 1e-3);
  const double            last = or_usual(params->norm_end, is_spring && !is_large ? 0.01 : 1e-3);

  return (LacMethodTunables){
    .rate = or_usual(params->rate, is_adam ? 2e-3 : 0.05) / (1 + (double) i / params->delay),
    .damping = params->damping,
    .momentum = params->momentum,
    .norm = first * pow(last / first, (double) i / n),
    .step = state->step,
  };
}

void
lac_quantum_give_up(gint64 step, LacStepReport *report)
{
  report->outcome = LAC_OUTCOME_DIVERGED;
  g_strlcpy(report->who, "optimisation", sizeof report->who);
  g_snprintf(report->why, sizeof report->why,
             "psi was not finite %d times in a row at step %" G_GINT64_FORMAT
             "; lower the learning rate or raise the damping",
             LAC_QUANTUM_MOST_RESTORED, step + 1);
}

gboolean
lac_quantum_is_averaged(const LacQuantumState *state, gint64 i)
{
  const gint64 n = state->params.iterations;

  return i >= n - (gint64) round((double) n * state->params.averaging / 100);
}

/* Averages the parameters of the last iterations; call after the last one. Their mean is nearer to the minimum than
 * any of them: the noise of a step is of first order in psi. Source: B. T. Polyak and A. B. Juditsky, SIAM J. Control
 * Optim. 30, 838 (1992). */
static void
average(LacQuantumState *state)
{
  if (!state->optimiser.n_summed)
    return;
  for (gsize p = 0; p < state->n_params; p++)
    state->optimiser.theta[p] = state->optimiser.theta_sum[p] / (double) state->optimiser.n_summed;
  lac_sampler_refresh(state->sampler);
}

void
lac_quantum_add_batch(LacQuantumState      *state,
                      gint64                step,
                      const LacEnergyBatch *batch,
                      double                acceptance,
                      double               *metrics)
{
  const gsize n_bad = state->n_walkers - batch->n_good;

  state->n_dropped += (gint64) n_bad;
  state->optimiser.trail[find_iteration(state, step)] = batch->mean;
  lac_quantum_report_batch(state, batch, metrics);
  lac_quantum_report_moves(state, acceptance, metrics);
  lac_quantum_look(state, FADE);
  if (n_bad)
    reseed(state);
}

static void
optimise(LacQuantumState *state, LacStepReport *report)
{
  const gint64 i = find_iteration(state, state->step);

  lac_quantum_loop_optimise(state, i, report);
  if (i + 1 < state->params.iterations)
    return;
  average(state);
  state->drift = lac_quantum_find_drift(state->optimiser.trail, state->params.iterations);
}

static void
signed_amplitude(const double *positions,
                 gsize         n_walkers,
                 double       *log_abs,
                 gint8        *sign,
                 gpointer      user_data)
{
  LacQuantumState *state = user_data;

  lac_wavefunction_value(state->wave, state->optimiser.theta, positions, n_walkers, log_abs, sign);
}

static void
observe(LacQuantumState *state)
{
  const double          *positions = lac_sampler_get_positions(state->sampler);
  const LacSpan          span = begin(state, state->name_observe);
  const LacSpinSquared   spin = {state->molecule, state->n_walkers, signed_amplitude, state,
                                 state->measured.spin_scratch};
  const LacObservedBatch batch = {
    .n_walkers = state->n_walkers,
    .positions = positions,
    .gradients = state->measured.gradients,
    .spin_squared = state->indices.spin ? state->measured.spin_squared : NULL,
  };

  if (state->indices.spin)
    lac_spin_squared(&spin, positions, state->measured.log_abs, state->signs,
                     state->measured.spin_squared);
  if (state->views.stretch && lac_observables_get_n_batches(state->measured.observables) %
                                  lac_quantum_stretch_every(state->molecule) ==
                                0)
    lac_stretch_add(state->views.stretch, state->optimiser.theta, positions, state->energies);
  lac_observables_add(state->measured.observables, &batch);
  if (state->views.cusp)
    lac_pair_cusp_add(state->views.cusp, positions, state->measured.gradients, state->n_walkers);
  end(state, span);
}

static void
evaluate(LacQuantumState *state, LacStepReport *report)
{
  const double acceptance = move(state, state->params.evaluation_moves);
  gsize        n_bad = 0;

  lac_quantum_find_energies(state, (LacLocal){.log_abs = state->measured.log_abs,
                                              .sign = state->signs,
                                              .gradient = state->measured.gradients});
  for (gsize b = 0; b < state->n_walkers; b++)
    n_bad += !isfinite(state->energies[b]);
  state->n_dropped += (gint64) n_bad;
  smooth_parts(state);
  lac_evaluation_add(
    state->measured.evaluation,
    &(LacEnergyParts){state->kinetic, state->attraction, state->repulsion, state->n_walkers});
  observe(state);
  if (n_bad)
    reseed(state);
  lac_quantum_report_evaluation(state, report->metrics);
  lac_quantum_report_observables(state, report->metrics);
  lac_quantum_report_spread(state, report->metrics);
  lac_quantum_report_moves(state, acceptance, report->metrics);
  lac_quantum_look(state, state->step + state->params.evaluation == state->n_steps ? 0 : 1);
  lac_quantum_report_space(state, report->metrics);
}

/* An epoch is a phase of the run, a batch an iteration within it. */
static void
place_in_loop(const LacQuantumState *state, LacStepReport *report)
{
  gint64 before = state->step;
  for (guint phase = 0; phase < LAC_N_PHASES; phase++) {
    report->epoch += state->phase_steps[phase] > 0;
    if (before < state->phase_steps[phase])
      break;
    before -= state->phase_steps[phase];
  }
  report->batch = (guint) before + 1;
}

gboolean
lac_quantum_step(gpointer data, LacStepReport *report, GError **error)
{
  LacQuantumState *state = data;

  place_in_loop(state, report);
  switch (lac_quantum_phase_at(state->phase_steps, state->step)) {
  case LAC_PHASE_PRETRAINING: pretrain(state, report); break;
  case LAC_PHASE_BURN_IN:
  case LAC_PHASE_SECOND_BURN_IN: burn_in(state, report); break;
  case LAC_PHASE_OPTIMISATION: optimise(state, report); break;
  case LAC_PHASE_EVALUATION:
  case LAC_N_PHASES: evaluate(state, report); break;
  }
  report->samples = (double) state->n_walkers;
  if (!lac_wavefunction_check_device(state->wave, error))
    return FALSE;
  if (report->outcome == LAC_OUTCOME_DIVERGED)
    return TRUE;
  if (++state->step == state->n_steps)
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

gint64
lac_quantum_n_steps(gconstpointer state)
{
  return ((const LacQuantumState *) state)->n_steps;
}

void
lac_quantum_retune(gpointer data, gconstpointer values)
{
  LacQuantumState        *state = data;
  const LacQuantumParams *params = values;

  state->params.rate = params->rate;
  state->params.damping = params->damping;
}
