/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An exponential solver as the registry wants it. */
#include "base/clock.h"
#include "base/error.h"
#include "solver/exponential/exponential-private.h"
#include "solver/refusal.h"

#include <math.h>

static gboolean
check_settings(const LacSolver              *row,
               const LacExponentialEquation *equation,
               const LacSolverSettings      *settings,
               GError                      **error)
{
  const gboolean is_flat = row->n_axes == 2;
  const gsize    nx = settings->nx, ny = settings->ny;

  if (equation->is_sine ? nx < 3 : nx < 4 || nx % 2 != 0) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      equation->is_sine
        ? "%s needs a grid of 3 points or more with its ends, not %" G_GSIZE_FORMAT "."
        : "%s needs an even number of grid points along x, 4 or more, not %" G_GSIZE_FORMAT ".",
      row->name, nx);
    return FALSE;
  }
  if (is_flat ? ny < 4 || ny % 2 != 0 : ny != 1) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      is_flat ? "%s needs an even number of grid points along y, 4 or more, not %" G_GSIZE_FORMAT
                "."
              : "%s lives in one dimension: 1 grid point along y, not %" G_GSIZE_FORMAT ".",
      row->name, ny);
    return FALSE;
  }
  for (guint i = 0; i < row->n_axes; i++)
    if (!(settings->length[i] > 0)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "%s needs a domain of a length above 0, not %g.", row->name, settings->length[i]);
      return FALSE;
    }
  if (!(settings->time_step > 0)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "%s needs a time step above 0, not %g.",
                row->name, settings->time_step);
    return FALSE;
  }
  return TRUE;
}

/* ---- one worker's flow ---- */

typedef struct {
  const LacSolver         *row;
  const LacSolverSettings *settings;
} Order;

static gpointer
create_flow(gconstpointer data, gboolean is_reversible, GError **error)
{
  const Order *order = data;

  return lac_exponential_new(order->row, order->settings, is_reversible, error);
}

static void
destroy_flow(gpointer flow)
{
  lac_exponential_free(flow);
}

static LacStatus
advance_flow(gpointer data, const double *parameters, double *state, gsize n_steps)
{
  LacExponential *flow = data;
  LacStatus       status;

  lac_exponential_set_parameters(flow, parameters);
  status = lac_exponential_read(flow, state, flow->state);
  for (gsize i = 0; i < n_steps && status == LAC_STATUS_OK; i++)
    status = lac_exponential_step(flow, flow->state);
  return status == LAC_STATUS_OK ? lac_exponential_write(flow, flow->state, state) : status;
}

static gsize
count_bytes(gconstpointer data)
{
  const LacExponential *flow = data;
  const gsize           n_batched = flow->n_batch * (flow->n_points + 2 * flow->n_modes);

  return (flow->trajectory ? lac_trajectory_get_bytes(flow->trajectory) : 0) +
         (flow->n_numbers + n_batched) * sizeof(double);
}

/* Transforms of real planes, half a complex one each, and the weights. */
static double
count_flops(gconstpointer data)
{
  const LacExponential *flow = data;
  const double          n = (double) flow->n_points, n_planes = flow->equation->n_planes;

  if (n_planes == 0)
    return 4 * (double) flow->length;
  return 4 * (n_planes + flow->row->n_fields) * 2.5 * n * log2(n) + 12 * 4 * (double) flow->length;
}

/* ---- the solver: its members ---- */

gpointer
lac_exponential_create(const LacSolver *row, const LacSolverSettings *settings, GError **error)
{
  const LacExponentialEquation *equation = row->equation;
  const Order                   order = {row, settings};
  const LacMembersFlow          flow = {
             .work = equation->work,
             .length = row->n_fields * settings->nx * settings->ny,
             .n_parameters = row->n_parameters,
             .create = create_flow,
             .destroy = destroy_flow,
             .advance = advance_flow,
             .bytes = count_bytes,
             .flops = count_flops,
  };

  if (!check_settings(row, equation, settings, error))
    return NULL;
  return lac_members_new(&flow, settings, &order, error);
}

gboolean
lac_exponential_reverse(gpointer      solver,
                        const double *state,
                        const double *parameters,
                        gsize         n_steps,
                        double       *state_bar,
                        double       *parameters_bar,
                        GError      **error)
{
  LacExponential *flow = lac_members_get_reversible(solver);
  const gint64    start_ns = lac_clock_ns();

  if (!lac_solver_check_reverse(n_steps, error))
    return FALSE;
  lac_exponential_set_parameters(flow, parameters);
  if (!lac_solver_check_status(
        lac_exponential_transpose(flow, state, n_steps, state_bar, parameters_bar), error))
    return FALSE;
  lac_members_record_reverse(solver, start_ns, n_steps);
  return TRUE;
}

/* Half of what Runge-Kutta 4 bears on the imaginary axis, 2 sqrt 2. */
double
lac_exponential_largest_step(gconstpointer solver, const double *state, const double *parameters)
{
  const LacExponential    *flow = lac_members_get_reversible(solver);
  const LacSolverSettings *settings = lac_members_get_settings(solver);
  const gsize              n = settings->nx * settings->ny;
  double                   largest[LAC_SOLVER_MAX_FIELDS] = {0}, finest = INFINITY, rate;

  if (flow->equation->n_planes == 0)
    return INFINITY;
  for (guint f = 0; f < flow->row->n_fields; f++)
    for (gsize i = 0; i < n; i++)
      largest[f] = MAX(largest[f], fabs(state[f * n + i]));
  finest = settings->length[0] / (double) settings->nx;
  if (flow->row->n_axes == 2)
    finest = MIN(finest, settings->length[1] / (double) settings->ny);
  rate = flow->equation->rate(parameters, largest, 2 * G_PI / (3 * finest));
  return rate > 0 ? G_SQRT2 / rate : (double) INFINITY;
}

double
lac_exponential_mean(gconstpointer solver, const double *state)
{
  const LacSolverSettings *settings = lac_members_get_settings(solver);
  const gsize              n = settings->nx * settings->ny;
  double                   sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += state[i];
  return sum / (double) n;
}

double
lac_exponential_mean_square(gconstpointer solver, const double *state)
{
  const LacSolverSettings *settings = lac_members_get_settings(solver);
  const gsize              n = settings->nx * settings->ny;
  double                   sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += state[i] * state[i];
  return sum / (double) n;
}
