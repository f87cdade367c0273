/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of a forecast went: ticks per operation and worker, summed into one record an operation. */
#include "solver/vorticity-private.h"

#include <math.h>

static const char *const names[LAC_VORTICITY_N_OPERATIONS] = {
  [LAC_VORTICITY_DERIVE] = "velocity and gradient spectra",
  [LAC_VORTICITY_INVERSE] = "inverse transform",
  [LAC_VORTICITY_ADVECT] = "advection product",
  [LAC_VORTICITY_FORWARD] = "forward transform",
  [LAC_VORTICITY_STAGE] = "Runge-Kutta stage",
};

typedef struct {
  double flops, bytes; /* of one call */
} Cost;

/* Real transforms count half of 5 N log2 N; every array counts once for each pass over it. */
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

void
lac_vorticity_init_timing(LacVorticitySolver *solver)
{
  const LacVorticitySettings *settings = &solver->settings;

  solver->timed =
    settings->lane && settings->perf && lac_perf_get_detail(settings->perf) != LAC_PERF_OFF;
  for (guint i = 0; solver->timed && i < LAC_VORTICITY_N_OPERATIONS; i++)
    solver->names[i] = lac_perf_name(settings->perf, names[i]);
}

void
lac_vorticity_emit_timing(LacVorticitySolver *solver, gint64 start_ns, gint64 step)
{
  for (guint i = 0; solver->timed && i < LAC_VORTICITY_N_OPERATIONS; i++) {
    const Cost cost = cost_of(solver, i);
    guint64    ticks = 0, calls = 0;

    for (guint w = 0; w < solver->n_workers; w++) {
      ticks += solver->workers[w].ticks[i];
      calls += solver->workers[w].calls[i];
      solver->workers[w].ticks[i] = solver->workers[w].calls[i] = 0;
    }
    if (calls > 0)
      lac_lane_push(solver->settings.lane,
                    (LacRecord){
                      .kind = LAC_RECORD_AGGREGATE,
                      .start_ns = start_ns,
                      .duration_ns = (gint64) ((double) ticks * lac_clock_tick_ns()),
                      .step = step,
                      .count = calls,
                      .flops = cost.flops * (double) calls,
                      .bytes = cost.bytes * (double) calls,
                      .memory = (gint64) solver->n_bytes,
                      .name = solver->names[i],
                    });
  }
}
