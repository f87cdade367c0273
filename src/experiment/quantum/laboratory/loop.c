/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The optimisation: iterations on the device of the run, whose results are processed in order. Where the device computes
 * beside the host, iterations are enqueued in advance, and their results come some steps later. */
#include "experiment/quantum/laboratory/laboratory-private.h"

#include <math.h>
#include <string.h>

/* Each iteration is first enqueued, then processed (pictures and metrics of the run include it), then reported in the row of
 * its step. */
struct _LacQuantumLoop {
  LacIteration *iteration;
  gboolean      is_entered; /* the device holds the current state */
  double       *memory;     /* [length of the method's state] */
  double       *walkers;    /* [length of the sampler's state] */
  gint64        n_asked, n_seen;
  LacPending    asked[LAC_ITERATION_MOST_OPEN];
  gint64        last_step; /* last enqueued step of the run */
  gsize         n_metrics;
  double *
    metrics; /* [LAC_ITERATION_MOST_OPEN][n_metrics]: processed iterations, NaN where not reported */
  gint64    restored[LAC_ITERATION_MOST_OPEN];
  LacFrame *frame; /* (nullable): requested of the state after iteration frame_at */
  gint64    frame_at;
  guint32   name_in_flight;
};

void
lac_quantum_loop_free(LacQuantumLoop *loop)
{
  if (!loop)
    return;
  lac_iteration_free(loop->iteration);
  g_free(loop->memory);
  g_free(loop->walkers);
  g_free(loop->metrics);
  g_free(loop);
}

gboolean
lac_quantum_loop_new(LacQuantumState *state, gsize n_metrics, GError **error)
{
  const LacQuantumOptimiser *optimiser = &state->optimiser;
  LacIterationSettings       settings = {
          .wave = state->wave,
          .n_walkers = state->n_walkers,
          .at_once = (gsize) state->params.at_once,
          .moves = lac_sampler_describe(state->sampler, (guint) state->params.moves),
          .gain = LAC_QUANTUM_GAIN,
          .clip = state->params.clip,
          .most_bad = LAC_QUANTUM_MOST_DROPPED * (double) state->n_walkers,
          .n_memory = optimiser->n_memory,
          .method = optimiser->method,
          .method_self = optimiser->method_self,
  };
  LacQuantumLoop *loop;

  if (state->params.iterations == 0)
    return TRUE;
  optimiser->method->describe(optimiser->method_self, &settings.update);
  state->loop = loop = g_new0(LacQuantumLoop, 1);
  loop->memory = g_new0(double, settings.n_memory);
  loop->walkers = g_new0(double, lac_packing_get_length(lac_sampler_pack, state->sampler));
  loop->n_metrics = n_metrics;
  loop->metrics = g_new0(double, LAC_ITERATION_MOST_OPEN *n_metrics);
  loop->iteration = lac_iteration_new(&settings, error);
  return loop->iteration != NULL;
}

void
lac_quantum_loop_record(LacQuantumState *state)
{
  if (!state->loop)
    return;
  state->loop->name_in_flight = lac_perf_name(state->context.perf, "ask for an iteration");
  lac_iteration_record(state->loop->iteration, state->context.perf, state->context.lane);
}

/* ---- from the host to the device, and back ---- */

static LacIterationState
state_of(LacQuantumState *state)
{
  return (LacIterationState){
    .theta = state->optimiser.theta,
    .theta_before = state->optimiser.theta_before,
    .theta_sum = state->optimiser.theta_sum,
    .memory = state->loop->memory,
    .memory_before = state->optimiser.method_before,
    .walkers = state->loop->walkers,
  };
}

static void
enter(LacQuantumState *state)
{
  LacQuantumLoop         *loop = state->loop;
  const LacIterationState goes_on = state_of(state);

  if (loop->is_entered)
    return;
  lac_packing_save(state->optimiser.method->pack, state->optimiser.method_self, loop->memory);
  lac_packing_save(lac_sampler_pack, state->sampler, loop->walkers);
  lac_iteration_enter(loop->iteration, &goes_on, (double) state->optimiser.n_restored);
  loop->is_entered = TRUE;
}

static void see(LacQuantumState *state);

/* Reports all iterations in flight. */
static void
catch_up(LacQuantumState *state)
{
  while (state->loop && state->loop->n_seen < state->loop->n_asked)
    see(state);
}

void
lac_quantum_fetch(LacQuantumState *state)
{
  LacQuantumLoop *loop = state->loop;

  if (!loop || !loop->is_entered)
    return;
  catch_up(state);
  const LacIterationState goes_on = state_of(state);

  lac_iteration_leave(loop->iteration, &goes_on);
  lac_packing_load(state->optimiser.method->pack, state->optimiser.method_self, loop->memory);
  lac_packing_load(lac_sampler_pack, state->sampler, loop->walkers);
}

void
lac_quantum_loop_stop(LacQuantumState *state)
{
  LacQuantumLoop *loop = state->loop;

  if (!loop)
    return;
  loop->is_entered = FALSE;
  loop->n_seen = loop->n_asked;
  loop->frame = NULL;
}

/* Runs an iteration as single calls, and one captured where that is done. */
void
lac_quantum_loop_warm_up(LacQuantumState *state)
{
  const LacMethodTunables tunables = lac_quantum_find_tunables(state, 0);
  LacIterationReport      report;

  enter(state);
  for (guint i = 0; i < (lac_iteration_is_asynchronous(state->loop->iteration) ? 2 : 1); i++) {
    LacPending asked = lac_iteration_enqueue(state->loop->iteration, &tunables, FALSE);

    lac_pending_finish(&asked, &report, NULL);
  }
  lac_packing_load(state->optimiser.method->pack, state->optimiser.method_self,
                   state->loop->memory); /* a step in host memory has changed it */
  lac_quantum_loop_stop(state);
}

/* ---- one iteration ---- */

static double *
row_of(const LacQuantumLoop *loop, gint64 i)
{
  return loop->metrics + (gsize) (i % LAC_ITERATION_MOST_OPEN) * loop->n_metrics;
}

/* Returns the step of the run in which iteration @i was enqueued. */
static gint64
find_step(const LacQuantumLoop *loop, gint64 i)
{
  return loop->last_step - (loop->n_asked - i - 1);
}

static void
take_in(LacQuantumState *state, const LacIterationReport *report, gint64 step, double *metrics)
{
  const LacEnergyBatch batch = {
    .n_good = (gsize) report->reported[LAC_REPORTED_N_GOOD],
    .mean = report->reported[LAC_REPORTED_MEAN],
    .variance = report->reported[LAC_REPORTED_VARIANCE],
  };

  memcpy(state->energies, report->energies, state->n_walkers * sizeof *state->energies);
  lac_sampler_show(state->sampler, report->positions, report->reported[LAC_REPORTED_WIDTH]);
  lac_quantum_keep_energies(state, step);
  lac_quantum_add_batch(state, step, &batch, report->reported[LAC_REPORTED_ACCEPTANCE], metrics);
}

/* Processes the oldest unprocessed iteration. */
static void
see(LacQuantumState *state)
{
  LacQuantumLoop    *loop = state->loop;
  const gint64       step = find_step(loop, loop->n_seen);
  double            *metrics = row_of(loop, loop->n_seen);
  LacIterationReport report = {0};

  for (gsize i = 0; i < loop->n_metrics; i++)
    metrics[i] = NAN;
  if (lac_pending_finish(&loop->asked[loop->n_seen % LAC_ITERATION_MOST_OPEN], &report, NULL)) {
    take_in(state, &report, step, metrics);
    state->optimiser.n_restored = (gint64) report.reported[LAC_REPORTED_RESTORED];
  }
  loop->restored[loop->n_seen % LAC_ITERATION_MOST_OPEN] = state->optimiser.n_restored;
  loop->n_seen++;
  if (loop->frame && loop->n_seen == loop->frame_at)
    lac_quantum_fill_frame(state, g_steal_pointer(&loop->frame));
}

/* Asks no device: an iteration is reported after the same number of further ones in every run, or at their end. */
static gboolean
iteration_is_ready(gpointer owner, guint64 i)
{
  return !((const LacQuantumState *) owner)->loop->is_entered;
}

static gboolean
report_iteration(gpointer owner, guint64 i, gpointer result, GError **error)
{
  LacQuantumState *state = owner;
  LacQuantumLoop  *loop = state->loop;
  LacStepReport   *report = result;
  const double    *row = row_of(loop, (gint64) i);

  while (loop->n_seen <= (gint64) i)
    see(state);
  for (gsize k = 0; k < loop->n_metrics; k++)
    if (!isnan(row[k]))
      report->metrics[k] = row[k];
  if (loop->restored[i % LAC_ITERATION_MOST_OPEN] >= LAC_QUANTUM_MOST_RESTORED)
    lac_quantum_give_up(find_step(loop, (gint64) i), report);
  return lac_wavefunction_check_device(state->wave, error);
}

/* Enqueues iteration @i of the optimisation, the next of the loop. */
static void
enqueue(LacQuantumState *state, gint64 i)
{
  LacQuantumLoop         *loop = state->loop;
  LacLane                *lane = state->context.lane;
  const LacMethodTunables tunables = lac_quantum_find_tunables(state, i);
  const gboolean          summed = lac_quantum_is_averaged(state, i);
  const gboolean          waits = lane && lac_iteration_is_asynchronous(loop->iteration);
  const LacSpan           span = waits ? lac_span_begin(lane, loop->name_in_flight) : (LacSpan){0};

  enter(state);
  loop->asked[loop->n_asked % LAC_ITERATION_MOST_OPEN] =
    lac_iteration_enqueue(loop->iteration, &tunables, summed);
  if (waits)
    lac_span_end(lane, span, state->step);
  loop->last_step = state->step;
  loop->n_asked++;
  state->optimiser.n_summed += summed;
}

void
lac_quantum_loop_optimise(LacQuantumState *state, gint64 i, LacStepReport *report)
{
  static const LacPendingType type = {iteration_is_ready, report_iteration};
  LacQuantumLoop             *loop = state->loop;

  enqueue(state, i);
  report->pending = (LacPending){&type, state, (guint64) loop->n_asked - 1};
  if (!lac_iteration_is_asynchronous(loop->iteration))
    lac_pending_finish(&report->pending, report, NULL);
  if (i + 1 < state->params.iterations)
    return;
  lac_quantum_fetch(state);
  lac_quantum_loop_stop(state);
}

/* ---- frames beside the steps ---- */

static gboolean
frame_is_ready(gpointer owner, guint64 ticket)
{
  LacQuantumState *state = owner;
  LacQuantumLoop  *loop = state->loop;

  while (loop->frame && lac_pending_is_ready(&loop->asked[loop->n_seen % LAC_ITERATION_MOST_OPEN]))
    see(state);
  return loop->frame == NULL;
}

static gboolean
finish_frame(gpointer owner, guint64 ticket, gpointer frame, GError **error)
{
  LacQuantumState *state = owner;

  while (state->loop->frame)
    see(state);
  return TRUE;
}

void
lac_quantum_snapshot(gpointer data, LacFrame *frame, LacPending *pending)
{
  static const LacPendingType type = {frame_is_ready, finish_frame};
  LacQuantumState            *state = data;
  LacQuantumLoop             *loop = state->loop;

  if (pending && loop && loop->n_seen < loop->n_asked) {
    loop->frame = frame;
    loop->frame_at = loop->n_asked;
    *pending = (LacPending){&type, state, 0};
    return;
  }
  catch_up(state);
  lac_quantum_fill_frame(state, frame);
}
