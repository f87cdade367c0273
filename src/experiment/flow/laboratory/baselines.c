/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/flow/laboratory/baselines.h"

#include "experiment/flow/forecast.h"
#include "experiment/flow/sensors/static-pod.h"
#include "sensor/expansion.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

enum { STREAM_NOISE = 1 << 25 };

const LacBaselineRow lac_baseline_rows[LAC_N_BASELINES] = {
  [LAC_BASELINE_FORECAST] = {"baseline_forecast", N_("Baseline: forecast without sensors")},
  [LAC_BASELINE_PERSISTENCE] = {"baseline_persistence", N_("Baseline: last known state")},
  [LAC_BASELINE_CLIMATOLOGY] = {"baseline_climatology", N_("Baseline: mean of the training part")},
  [LAC_BASELINE_STATIC_POD] = {"baseline_static_pod", N_("Baseline: static POD")},
};

/* Training snapshots of a closed form or of a family do not lead up to the observations; an initial condition with a
 * field that is sought is not known. */
static gboolean
has_last_state(const LacCase *subject)
{
  return (subject->initial && !subject->sought) ||
         (!subject->initial && !subject->exact && subject->simulation.n_family == 0);
}

gboolean
lac_baselines_have(const LacCase *subject, guint baseline)
{
  switch (baseline) {
  case LAC_BASELINE_FORECAST: return subject->solver && has_last_state(subject);
  case LAC_BASELINE_PERSISTENCE: return has_last_state(subject);
  default: return TRUE;
  }
}

/* Fills @state, [n], with the last known state; NaN where it is unknown. @squares: [n_fields]: sums of the squared
 * fluctuation over all observation times. */
static void
find_last_state(const LacProblem *problem, double noise, const double *squares, double *state)
{
  const LacTruth *grid = problem->grid;
  const gsize     n = lac_truth_get_length(grid), cells = grid->nx * grid->ny;
  const double   *last = grid->file       ? grid->file->last
                         : grid->training ? grid->training + (grid->n_training - 1) * n
                                          : NULL;
  LacRng          rng = lac_rng(problem->context->seed, STREAM_NOISE);

  for (gsize i = 0; i < n; i++)
    state[i] = NAN;
  if (problem->subject->initial)
    problem->subject->initial(problem->subject, state);
  else if (last)
    for (gsize i = 0; i < n; i++)
      state[i] = last[i] + noise * sqrt(squares[i / cells] / (double) (grid->n_times * cells)) *
                             lac_rng_normal(&rng);
}

/* An unknown coefficient has the value from which the methods start. */
static void
guess_parameters(const LacCase *subject, double *parameters)
{
  guint       unknowns[LAC_SOLVER_MAX_PARAMETERS];
  const guint n = lac_case_list_unknowns(subject, unknowns);

  memcpy(parameters, subject->parameters, sizeof subject->parameters);
  for (guint u = 0; u < n; u++)
    parameters[unknowns[u]] = subject->guesses[subject->parameter_coefficient[unknowns[u]]];
}

/* One interval before the first observation, unless it is the state at that observation. */
static gboolean
forecast(const LacProblem   *problem,
         const LacErrorNorm *norm,
         double             *state,
         LacErrorSums       *sums,
         GError            **error)
{
  const LacCase *subject = problem->subject;
  double         parameters[LAC_SOLVER_MAX_PARAMETERS];
  gpointer       solver = lac_forecast_new(
          subject, problem->context,
          &(LacForecastSettings){.device = problem->context->device, .type = LAC_F64, .n_members = 1},
          error);
  gboolean is_done = solver != NULL;

  guess_parameters(subject, parameters);
  for (gsize k = 0; is_done && k < problem->grid->n_times; k++) {
    if (k > 0 || !subject->initial)
      is_done =
        subject->solver->advance(solver, state, 1, parameters, subject->steps_between, error);
    lac_error_sums_add(sums, norm, k, state);
  }
  if (solver)
    subject->solver->destroy(solver);
  return is_done;
}

static gboolean
reconstruct(const LacProblem   *problem,
            const LacErrorNorm *norm,
            double             *field,
            LacErrorSums       *sums,
            GError            **error)
{
  const LacPod           *pod = problem->pod;
  const LacObservations  *observations = problem->observations;
  g_autoptr(LacExpansion) expansion = NULL;
  g_autoptr(LacGappy)     gappy = pod && observations->n_sensors > 0
                                    ? lac_static_pod_new(pod, observations, 1, LAC_GAPPY_BAYES, NULL)
                                    : NULL;
  g_autofree double      *coefficients = g_new0(double, pod ? pod->n_modes : 0);

  if (gappy && !(expansion = lac_expansion_new(pod, &problem->context->device, error)))
    return FALSE;
  for (gsize k = 0; k < problem->grid->n_times; k++) {
    memcpy(field, gappy ? pod->mean : norm->mean,
           lac_truth_get_length(problem->grid) * sizeof *field);
    if (gappy) {
      lac_gappy_get_coefficients(gappy, observations->values + k * observations->n_sensors,
                                 coefficients);
      if (!lac_expansion_add(expansion, coefficients, field, error))
        return FALSE;
    }
    lac_error_sums_add(sums, norm, k, field);
  }
  return TRUE;
}

static void
hold(const LacProblem *problem, const LacErrorNorm *norm, const double *field, LacErrorSums *sums)
{
  for (gsize k = 0; k < problem->grid->n_times; k++)
    lac_error_sums_add(sums, norm, k, field);
}

gboolean
lac_baselines_find(const LacProblem   *problem,
                   const LacErrorNorm *norm,
                   double              noise,
                   LacBaselines       *baselines,
                   GError            **error)
{
  g_autofree double *field = g_new0(double, lac_truth_get_length(problem->grid));
  LacErrorSums       sums[LAC_N_BASELINES] = {{{0}}};

  for (guint b = 0; b < LAC_N_BASELINES; b++)
    baselines->errors[b] = NAN;
  if (!norm->truth->observed)
    return TRUE;
  hold(problem, norm, norm->mean, &sums[LAC_BASELINE_CLIMATOLOGY]);
  find_last_state(problem, noise, sums[LAC_BASELINE_CLIMATOLOGY].fluctuation, field);
  if (lac_baselines_have(problem->subject, LAC_BASELINE_PERSISTENCE))
    hold(problem, norm, field, &sums[LAC_BASELINE_PERSISTENCE]);
  if (lac_baselines_have(problem->subject, LAC_BASELINE_FORECAST) &&
      !forecast(problem, norm, field, &sums[LAC_BASELINE_FORECAST], error))
    return FALSE;
  if (!reconstruct(problem, norm, field, &sums[LAC_BASELINE_STATIC_POD], error))
    return FALSE;
  for (guint b = 0; b < LAC_N_BASELINES; b++)
    if (lac_baselines_have(problem->subject, b))
      baselines->errors[b] = lac_error_sums_combine(&sums[b], norm, sums[b].fluctuation);
  return TRUE;
}

double
lac_baselines_get_skill(const LacBaselines *baselines, double error)
{
  double best = INFINITY;

  for (guint b = 0; b < LAC_N_BASELINES; b++)
    best = fmin(best, baselines->errors[b]);
  return best > 0 && isfinite(best) ? 1 - error / best : (double) NAN;
}
