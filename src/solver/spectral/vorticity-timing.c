/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing of forecasts: ticks per operation and worker, summed into one record per operation. Operations on small
 * grids take a microsecond and reading the ticks 10 ns: at coarse detail only few steps are timed, and their shares
 * divide the total time of all steps. */
#include "solver/spectral/vorticity-private.h"

#include <math.h>

#define TIMED_EVERY \
  31 /* every n-th step is timed; coprime to the usual number of steps in a forecast */

static const char *const names[LAC_VORTICITY_N_OPERATIONS] = {
  [LAC_VORTICITY_DERIVE] = "velocity and gradient spectra",
  [LAC_VORTICITY_INVERSE] = "inverse transform",
  [LAC_VORTICITY_ADVECT] = "advection product",
  [LAC_VORTICITY_FORWARD] = "forward transform",
  [LAC_VORTICITY_STAGE] = "Runge-Kutta stage",
};

typedef struct {
  double flops, bytes; /* per call */
} Cost;

/* Real transforms count half of 5 N log2 N; every array counts once per pass over it. */
static Cost
cost_of(const LacVorticitySolver *solver, LacVorticityOperation operation)
{
  const double n = (double) (solver->settings.n * solver->settings.n);
  const double plane = (double) lac_vorticity_plane_bytes(solver);
  const double spectrum = (double) lac_vorticity_spectrum_bytes(solver);
  const double numbers = spectrum / (double) solver->element;

  switch (operation) {
  case LAC_VORTICITY_DERIVE: return (Cost){4 * numbers, 5 * spectrum};
  case LAC_VORTICITY_INVERSE:
  case LAC_VORTICITY_FORWARD: return (Cost){2.5 * n * log2(n), plane + spectrum};
  case LAC_VORTICITY_ADVECT: return (Cost){3 * n, 5 * plane};
  case LAC_VORTICITY_STAGE: return (Cost){7 * numbers, 6.5 * spectrum};
  case LAC_VORTICITY_N_OPERATIONS: break;
  }
  g_assert_not_reached();
}

/* Calls per step, which has four stages. */
static const guint calls_of_step[LAC_VORTICITY_N_OPERATIONS] = {
  [LAC_VORTICITY_DERIVE] = 4,  [LAC_VORTICITY_INVERSE] = 16, [LAC_VORTICITY_ADVECT] = 4,
  [LAC_VORTICITY_FORWARD] = 4, [LAC_VORTICITY_STAGE] = 4,
};

void
lac_vorticity_mark(LacVorticitySolver *solver, LacVorticityOperation operation, gsize n)
{
  const Cost               cost = cost_of(solver, operation);
  const double             calls = (double) n * (operation == LAC_VORTICITY_INVERSE ? 4 : 1);
  const LacDeviceOperation marked = {
    .name = solver->names[operation],
    .flops = calls * cost.flops,
    .bytes = calls * cost.bytes,
    .memory = (gint64) solver->n_bytes,
  };

  lac_device_times_mark(lac_recorded_step_get_times(solver->step), &marked);
}

void
lac_vorticity_init_timing(LacVorticitySolver *solver)
{
  const LacVorticitySettings *settings = &solver->settings;
  const LacPerfDetail         detail =
    settings->lane && settings->perf ? lac_perf_get_detail(settings->perf) : LAC_PERF_OFF;

  solver->timed = detail != LAC_PERF_OFF;
  solver->timed_every = detail == LAC_PERF_FULL ? 1 : TIMED_EVERY;
  for (guint i = 0; solver->timed && i < LAC_VORTICITY_N_OPERATIONS; i++)
    solver->names[i] = lac_perf_name(settings->perf, names[i]);
}

gboolean
lac_vorticity_is_timed(const LacVorticitySolver *solver, gsize i)
{
  const gsize n_groups = (solver->n_members + solver->n_together - 1) / solver->n_together;
  const gsize n = n_groups * solver->n_steps, every = solver->timed_every;

  return solver->timed && i % every == (MIN(n, every) - 1) / 2;
}

/* Sums and resets the counters of all workers. */
static LacVorticityWorker
sum_workers(LacVorticitySolver *solver)
{
  LacVorticityWorker sum = {0};

  for (guint w = 0; w < solver->n_workers; w++) {
    LacVorticityWorker *worker = &solver->workers[w];

    sum.n_steps += worker->n_steps;
    sum.step_ticks += worker->step_ticks;
    worker->n_steps = worker->step_ticks = 0;
    for (guint i = 0; i < LAC_VORTICITY_N_OPERATIONS; i++) {
      sum.ticks[i] += worker->ticks[i];
      worker->ticks[i] = 0;
    }
  }
  return sum;
}

void
lac_vorticity_emit_timing(LacVorticitySolver *solver, gint64 start_ns, gint64 step)
{
  if (!solver->timed)
    return;
  const LacVorticityWorker sum = sum_workers(solver);
  guint64                  timed_ticks = 0;

  for (guint i = 0; i < LAC_VORTICITY_N_OPERATIONS; i++)
    timed_ticks += sum.ticks[i];
  if (timed_ticks == 0)
    return;
  const double ns = lac_clock_tick_ns() * (double) sum.step_ticks / (double) timed_ticks;
  for (guint i = 0; i < LAC_VORTICITY_N_OPERATIONS; i++) {
    const Cost    cost = cost_of(solver, i);
    const guint64 calls = sum.n_steps * calls_of_step[i];

    lac_lane_push(solver->settings.lane, (LacRecord){
                                           .kind = LAC_RECORD_AGGREGATE,
                                           .start_ns = start_ns,
                                           .duration_ns = (gint64) ((double) sum.ticks[i] * ns),
                                           .step = step,
                                           .count = calls,
                                           .flops = cost.flops * (double) calls,
                                           .bytes = cost.bytes * (double) calls,
                                           .memory = (gint64) solver->n_bytes,
                                           .name = solver->names[i],
                                         });
  }
}
