/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The optimisation of a quantum run where a device does whole iterations by itself: they are asked for ahead, and what they say is
 * looked at in their order, some steps later. */
#include "experiment/quantum/laboratory/laboratory-private.h"

#include <math.h>
#include <string.h>

/* Iterations go through three states: asked for, seen (pictures and numbers of the run have them), reported. */
struct _LacQuantumAhead {
  LacIteration *iteration;
  gboolean      is_entered; /* the device has what the run goes on from */
  double       *memory;     /* [of the method's state] */
  double       *walkers;    /* [of the sampler's state] */
  gint64        n_asked, n_seen, n_reported;
  gint64        last_step; /* of the run, that was asked for */
  gsize         n_metrics;
  double
    *metrics; /* [LAC_ITERATION_MOST_OPEN][n_metrics]: of those seen, NaN where nothing is said */
  gint64    restored[LAC_ITERATION_MOST_OPEN];
  LacFrame *frame; /* (nullable): wanted of the state after iteration frame_at */
  gint64    frame_at;
};

void
lac_quantum_ahead_free(LacQuantumAhead *ahead)
{
  if (!ahead)
    return;
  lac_iteration_free(ahead->iteration);
  g_free(ahead->memory);
  g_free(ahead->walkers);
  g_free(ahead->metrics);
  g_free(ahead);
}

gboolean
lac_quantum_make_ahead(LacQuantumState *state, gsize n_metrics, GError **error)
{
  LacIterationSettings settings = {
    .wave = state->wave,
    .n_walkers = state->n_walkers,
    .at_once = (gsize) state->params.at_once,
    .moves = lac_sampler_describe(state->sampler, (guint) state->params.moves),
    .gain = LAC_QUANTUM_GAIN,
    .clip = state->params.clip,
    .most_bad = LAC_QUANTUM_MOST_DROPPED * (double) state->n_walkers,
    .n_memory = state->optimiser.method->get_state_length(state->optimiser.method_self),
  };
  const LacBackend *table = state->context.device.table;
  LacQuantumAhead  *ahead;

  if (!table || !table->post || !table->parcel_new || !lac_wavefunction_is_on_device(state->wave) ||
      !state->optimiser.method->describe || state->params.iterations == 0)
    return TRUE;
  state->optimiser.method->describe(state->optimiser.method_self, &settings.update);
  state->ahead = ahead = g_new0(LacQuantumAhead, 1);
  ahead->memory = g_new0(double, settings.n_memory);
  ahead->walkers = g_new0(double, lac_sampler_get_state_length(state->sampler));
  ahead->n_metrics = n_metrics;
  ahead->metrics = g_new0(double, LAC_ITERATION_MOST_OPEN *n_metrics);
  ahead->iteration = lac_iteration_new(&settings, error);
  return ahead->iteration != NULL;
}

/* ---- from the host to the device, and back ---- */

static LacIterationState
state_of(LacQuantumState *state)
{
  return (LacIterationState){
    .theta = state->optimiser.theta,
    .theta_before = state->optimiser.theta_before,
    .theta_sum = state->optimiser.theta_sum,
    .memory = state->ahead->memory,
    .memory_before = state->optimiser.method_before,
    .walkers = state->ahead->walkers,
  };
}

static void
enter(LacQuantumState *state)
{
  LacQuantumAhead        *ahead = state->ahead;
  const LacIterationState goes_on = state_of(state);

  if (ahead->is_entered)
    return;
  state->optimiser.method->save(state->optimiser.method_self, ahead->memory);
  lac_sampler_save(state->sampler, ahead->walkers);
  lac_iteration_enter(ahead->iteration, &goes_on, (double) state->optimiser.n_restored);
  ahead->is_entered = TRUE;
}

static void see(LacQuantumState *state);

void
lac_quantum_catch_up(LacQuantumState *state)
{
  while (state->ahead && state->ahead->n_seen < state->ahead->n_asked)
    see(state);
}

void
lac_quantum_fetch(LacQuantumState *state)
{
  LacQuantumAhead *ahead = state->ahead;

  if (!ahead || !ahead->is_entered)
    return;
  lac_quantum_catch_up(state);
  const LacIterationState goes_on = state_of(state);

  lac_iteration_leave(ahead->iteration, &goes_on);
  state->optimiser.method->load(state->optimiser.method_self, ahead->memory);
  lac_sampler_load(state->sampler, ahead->walkers);
}

void
lac_quantum_forget_ahead(LacQuantumState *state)
{
  LacQuantumAhead *ahead = state->ahead;

  if (!ahead)
    return;
  ahead->is_entered = FALSE;
  ahead->n_seen = ahead->n_reported = ahead->n_asked;
  ahead->frame = NULL;
}

/* Twice: as single calls, and recorded. */
void
lac_quantum_rehearse_ahead(LacQuantumState *state)
{
  const LacMethodKnobs knobs = lac_quantum_find_knobs(state, 0);
  LacIterationReport   report;

  enter(state);
  for (guint i = 0; i < 2; i++) {
    lac_iteration_ask(state->ahead->iteration, &knobs, FALSE);
    lac_iteration_collect(state->ahead->iteration, &report);
  }
  lac_quantum_forget_ahead(state);
}

/* ---- one iteration ---- */

static double *
row_of(const LacQuantumAhead *ahead, gint64 i)
{
  return ahead->metrics + (gsize) (i % LAC_ITERATION_MOST_OPEN) * ahead->n_metrics;
}

static void
take_in(LacQuantumState *state, const LacIterationReport *report, gint64 step, double *metrics)
{
  const LacEnergyBatch batch = {
    .n_good = (gsize) report->told[LAC_TOLD_N_GOOD],
    .mean = report->told[LAC_TOLD_MEAN],
    .variance = report->told[LAC_TOLD_VARIANCE],
  };

  memcpy(state->energies, report->energies, state->n_walkers * sizeof *state->energies);
  lac_sampler_show(state->sampler, report->positions, report->told[LAC_TOLD_WIDTH]);
  lac_quantum_keep_energies(state, step);
  lac_quantum_tell_batch(state, step, &batch, report->told[LAC_TOLD_ACCEPTANCE], metrics);
}

/* The oldest that was not seen. */
static void
see(LacQuantumState *state)
{
  LacQuantumAhead   *ahead = state->ahead;
  const gint64       step = ahead->last_step - (ahead->n_asked - ahead->n_seen - 1);
  double            *metrics = row_of(ahead, ahead->n_seen);
  LacIterationReport report = {0};

  for (gsize i = 0; i < ahead->n_metrics; i++)
    metrics[i] = NAN;
  if (lac_iteration_collect(ahead->iteration, &report)) {
    take_in(state, &report, step, metrics);
    state->optimiser.n_restored = (gint64) report.told[LAC_TOLD_RESTORED];
  }
  ahead->restored[ahead->n_seen % LAC_ITERATION_MOST_OPEN] = state->optimiser.n_restored;
  ahead->n_seen++;
  if (ahead->frame && ahead->n_seen == ahead->frame_at)
    lac_quantum_fill_frame(state, g_steal_pointer(&ahead->frame));
}

/* Until @most iterations are open: the oldest in the row that is its own. */
static void
report_until(LacQuantumState *state, gint64 most, LacStepReport *report)
{
  LacQuantumAhead *ahead = state->ahead;

  while (ahead->n_asked - ahead->n_reported > most && report->outcome == LAC_OUTCOME_CONTINUE) {
    const gint64 i = ahead->n_reported++, back = ahead->n_asked - ahead->n_reported;
    double      *to = back ? report->earlier[back - 1] : report->metrics;

    if (i == ahead->n_seen)
      see(state);
    for (gsize k = 0; k < ahead->n_metrics; k++)
      if (!isnan(row_of(ahead, i)[k]))
        to[k] = row_of(ahead, i)[k];
    if (ahead->restored[i % LAC_ITERATION_MOST_OPEN] >= LAC_QUANTUM_MOST_RESTORED)
      lac_quantum_give_up(ahead->last_step - back, report);
  }
  report->n_open = (guint) (ahead->n_asked - ahead->n_reported);
}

void
lac_quantum_optimise_ahead(LacQuantumState *state, gint64 i, LacStepReport *report)
{
  LacQuantumAhead     *ahead = state->ahead;
  const LacMethodKnobs knobs = lac_quantum_find_knobs(state, i);
  const gboolean       is_last = i + 1 == state->params.iterations;
  const gboolean       summed = lac_quantum_is_averaged(state, i);

  enter(state);
  lac_iteration_ask(ahead->iteration, &knobs, summed);
  ahead->last_step = state->step;
  ahead->n_asked++;
  state->optimiser.n_summed += summed;
  report_until(state, report->earlier && !is_last ? LAC_ITERATION_MOST_OPEN - 1 : 0, report);
  if (!is_last)
    return;
  lac_quantum_fetch(state);
  lac_quantum_forget_ahead(state);
}

gboolean
lac_quantum_settle(gpointer data, LacStepReport *report, GError **error)
{
  LacQuantumState *state = data;

  if (state->ahead)
    report_until(state, 0, report);
  return lac_wavefunction_check_device(state->wave, error);
}

/* ---- frames beside the steps ---- */

gboolean
lac_quantum_snapshot_begin(gpointer data, LacFrame *frame)
{
  LacQuantumState *state = data;
  LacQuantumAhead *ahead = state->ahead;

  if (!ahead || ahead->n_seen == ahead->n_asked)
    return FALSE;
  ahead->frame = frame;
  ahead->frame_at = ahead->n_asked;
  return TRUE;
}

gboolean
lac_quantum_snapshot_is_here(gpointer data)
{
  LacQuantumState *state = data;
  LacQuantumAhead *ahead = state->ahead;

  while (ahead->frame && lac_iteration_is_here(ahead->iteration))
    see(state);
  return ahead->frame == NULL;
}

void
lac_quantum_snapshot_finish(gpointer data, LacFrame *frame G_GNUC_UNUSED)
{
  LacQuantumState *state = data;

  while (state->ahead->frame)
    see(state);
}
