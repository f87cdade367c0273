/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step of a forecast against the flow it has to follow. */
#include "experiment/flow/time-step.h"

#include "base/error.h"
#include "experiment/flow/forecast.h"

#include <math.h>

/* From where a solver is sure to follow (half its reach along the imaginary axis, as if the fastest place moved every wave,
 * and both velocities along it) to where it blows up unless viscosity saves it: measured at 2.8 to 3.5. */
#define REACH (2 * G_SQRT2)

/* What is known of the coefficients before a run. */
static void
fill_parameters(const LacCase *subject, double *parameters)
{
  for (guint p = 0; p < subject->solver->n_parameters; p++) {
    const int coefficient = subject->parameter_coefficient[p];

    parameters[p] = coefficient >= 0 && subject->unknown[coefficient]
                      ? subject->guesses[coefficient]
                      : subject->parameters[p];
  }
}

static double
judge(const LacProblem *problem, gconstpointer solver)
{
  const LacCase  *subject = problem->subject;
  const LacTruth *grid = problem->grid;
  const gsize     n = lac_truth_get_length(grid);
  double          parameters[LAC_SOLVER_MAX_PARAMETERS], largest = INFINITY;

  fill_parameters(subject, parameters);
  if (subject->initial) {
    g_autofree double *state =
      g_new(double, subject->solver->n_fields * subject->model.nx * subject->model.ny);

    subject->initial(subject, state);
    largest = subject->solver->largest_step(solver, state, parameters);
  }
  for (gsize i = 0; i < grid->n_training; i++)
    largest =
      MIN(largest, subject->solver->largest_step(solver, grid->training + i * n, parameters));
  return REACH * largest;
}

double
lac_time_step_find_largest(const LacProblem *problem, GError **error)
{
  const LacSolver *row = problem->subject->solver;
  LacDevice        device;
  gpointer         solver;
  double           largest = NAN;

  if (!lac_device_open(&device, "cpu", error))
    return NAN;
  solver = lac_forecast_new(problem->subject, problem->context, device, LAC_F64, 1, error);
  if (solver) {
    largest = judge(problem, solver);
    row->destroy(solver);
  }
  lac_device_close(&device);
  return largest;
}

gboolean
lac_time_step_check(const LacProblem *problem, GError **error)
{
  const LacSolverSettings *model = &problem->subject->model;
  const double             largest = lac_time_step_find_largest(problem, error);

  if (isnan(largest))
    return FALSE;
  if (model->time_step <= largest)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "the forecast steps by %.4g, and the largest step that follows this flow on a grid "
              "of %" G_GSIZE_FORMAT " points a side is %.4g; shorten the step or the interval "
              "between observations, or take a coarser grid",
              model->time_step, model->nx, largest);
  return FALSE;
}
