/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creation of the forecast solver and its curves. */
#include "experiment/flow/forecast.h"

#include <math.h>
#include <string.h>

gpointer
lac_forecast_new(const LacCase             *subject,
                 const LacContext          *context,
                 const LacForecastSettings *wanted,
                 GError                   **error)
{
  LacSolverSettings settings = subject->model;

  settings.device = wanted->device;
  settings.pool = context->pool;
  settings.type = wanted->type;
  settings.is_reversed = wanted->is_reversed;
  settings.perf = context->perf;
  settings.lane = context->lane;
  settings.n_members = wanted->n_members;
  return subject->solver->create(subject->solver, &settings, error);
}

gsize
lac_forecast_list_curves(const LacCase *subject, LacCurve *curves)
{
  guint       unknowns[LAC_SOLVER_MAX_PARAMETERS];
  const guint n = lac_case_list_unknowns(subject, unknowns);

  for (guint i = 0; i < n; i++)
    curves[i] = (LacCurve){
      .key = subject->solver->parameters[unknowns[i]],
      .label = subject->solver->parameters[unknowns[i]],
      .unit = "1",
      .is_result = TRUE,
      .reference = subject->coefficients[subject->parameter_coefficient[unknowns[i]]],
    };
  return n;
}

gsize
lac_forecast_list_errors(const LacCase *subject, LacCurve *curves)
{
  guint       unknowns[LAC_SOLVER_MAX_PARAMETERS];
  const guint n = lac_case_list_unknowns(subject, unknowns);

  for (guint i = 0; i < n; i++)
    curves[i] = lac_curve_standard_error(subject->solver->parameters[unknowns[i]]);
  return n;
}

void
lac_forecast_show(const double *state, gsize n_model, gsize n, double *values, double *deviation)
{
  memcpy(values, state, n_model * sizeof *values);
  for (gsize i = n_model; i < n; i++)
    values[i] = NAN;
  for (gsize i = 0; deviation && i < n; i++)
    deviation[i] = NAN;
}
