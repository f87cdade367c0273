/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An exponential solver as the registry wants it: its members dealt to the threads, one flow a thread. */
#include "base/clock.h"
#include "base/error.h"
#include "solver/exponential-private.h"
#include "solver/span.h"

#include <math.h>

typedef struct {
  LacSolverSettings             settings;
  const LacSolver              *row;
  const LacExponentialEquation *equation;
  guint                         n_workers;
  LacExponential              **flows; /* one a worker; the first runs backwards too */
  LacStatus                    *status;
  LacSolverSpan                 forwards, backwards;
  /* arguments of the advance() under way */
  double       *states;
  const double *parameters;
  gsize         n_steps;
} Members;

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

void
lac_exponential_destroy(gpointer solver)
{
  Members *self = solver;

  for (guint i = 0; i < self->n_workers; i++)
    lac_exponential_free(self->flows[i]);
  g_free(self->flows);
  g_free(self->status);
  g_free(self);
}

gpointer
lac_exponential_create(const LacSolver *row, const LacSolverSettings *settings, GError **error)
{
  const LacExponentialEquation *equation = row->equation;
  Members                      *self;
  g_autofree char              *backwards = g_strdup_printf("%s backwards", equation->work);

  if (!check_settings(row, equation, settings, error))
    return NULL;
  self = g_new0(Members, 1);
  self->settings = *settings;
  self->row = row;
  self->equation = equation;
  self->n_workers = settings->device.table->concurrent ? lac_pool_get_n_threads(settings->pool) : 1;
  self->flows = g_new0(LacExponential *, self->n_workers);
  self->status = g_new0(LacStatus, self->n_workers);
  self->forwards = lac_solver_span(settings, equation->work);
  self->backwards = lac_solver_span(settings, backwards);
  for (guint i = 0; i < self->n_workers; i++) {
    self->flows[i] = lac_exponential_new(row, settings, i == 0, error);
    if (!self->flows[i]) {
      lac_exponential_destroy(self);
      return NULL;
    }
  }
  return self;
}

static void
advance_member(gsize member, guint worker, gpointer user_data)
{
  Members        *self = user_data;
  LacExponential *flow = self->flows[worker];
  double         *fields =
    self->states + member * self->row->n_fields * self->settings.nx * self->settings.ny;
  LacStatus status;

  lac_exponential_set_parameters(flow, self->parameters + member * self->row->n_parameters);
  status = lac_exponential_read(flow, fields, flow->state);
  for (gsize i = 0; i < self->n_steps && status == LAC_STATUS_OK; i++)
    status = lac_exponential_step(flow, flow->state);
  if (status == LAC_STATUS_OK)
    status = lac_exponential_write(flow, flow->state, fields);
  if (status != LAC_STATUS_OK)
    self->status[worker] = status;
}

gboolean
lac_exponential_advance(gpointer      solver,
                        double       *states,
                        gsize         n_members,
                        const double *parameters,
                        gsize         n_steps,
                        GError      **error)
{
  Members     *self = solver;
  const gint64 start_ns = lac_clock_ns();

  self->states = states;
  self->parameters = parameters;
  self->n_steps = n_steps;
  for (guint i = 0; i < self->n_workers; i++)
    self->status[i] = LAC_STATUS_OK;
  if (self->n_workers > 1)
    lac_pool_run(self->settings.pool, n_members, advance_member, self);
  else
    for (gsize i = 0; i < n_members; i++)
      advance_member(i, 0, self);
  for (guint i = 0; i < self->n_workers; i++)
    if (!lac_exponential_check(self->status[i], error))
      return FALSE;
  lac_solver_span_push(&self->forwards, start_ns, n_steps * n_members,
                       lac_exponential_flops(self) * (double) (n_steps * n_members));
  return TRUE;
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
  Members        *self = solver;
  LacExponential *flow = self->flows[0];
  const gint64    start_ns = lac_clock_ns();

  if (n_steps > LAC_TRAJECTORY_LONGEST) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "%" G_GSIZE_FORMAT " time steps are more than can be walked back, %" G_GSIZE_FORMAT
                "; take a shorter window or longer steps.",
                n_steps, LAC_TRAJECTORY_LONGEST);
    return FALSE;
  }
  lac_exponential_set_parameters(flow, parameters);
  if (!lac_exponential_check(
        lac_exponential_transpose(flow, state, n_steps, state_bar, parameters_bar), error))
    return FALSE;
  lac_solver_span_push(&self->backwards, start_ns, n_steps,
                       3 * lac_exponential_flops(self) * (double) n_steps);
  return TRUE;
}

/* Half of what Runge-Kutta 4 bears on the imaginary axis, 2 sqrt 2. */
double
lac_exponential_largest_step(gconstpointer solver, const double *state, const double *parameters)
{
  const Members *self = solver;
  const gsize    n = self->settings.nx * self->settings.ny;
  double         largest[LAC_SOLVER_MAX_FIELDS] = {0}, finest = INFINITY, rate;

  if (self->equation->n_planes == 0)
    return INFINITY;
  for (guint f = 0; f < self->row->n_fields; f++)
    for (gsize i = 0; i < n; i++)
      largest[f] = MAX(largest[f], fabs(state[f * n + i]));
  finest = self->settings.length[0] / (double) self->settings.nx;
  if (self->row->n_axes == 2)
    finest = MIN(finest, self->settings.length[1] / (double) self->settings.ny);
  rate = self->equation->rate(parameters, largest, 2 * G_PI / (3 * finest));
  return rate > 0 ? G_SQRT2 / rate : (double) INFINITY;
}

gsize
lac_exponential_bytes(gconstpointer solver)
{
  const Members *self = solver;
  gsize          n_bytes = lac_trajectory_get_bytes(self->flows[0]->trajectory);

  for (guint i = 0; i < self->n_workers; i++) {
    const LacExponential *flow = self->flows[i];

    n_bytes +=
      (flow->n_numbers + flow->n_batch * (flow->n_points + 2 * flow->n_modes)) * sizeof(double);
  }
  return n_bytes;
}

/* Transforms of real planes, half a complex one each, and the weights. */
double
lac_exponential_flops(gconstpointer solver)
{
  const LacExponential *flow = ((const Members *) solver)->flows[0];
  const double          n = (double) flow->n_points, n_planes = flow->equation->n_planes;

  if (n_planes == 0)
    return 4 * (double) flow->length;
  return 4 * (n_planes + flow->row->n_fields) * 2.5 * n * log2(n) + 12 * 4 * (double) flow->length;
}

double
lac_exponential_mean(gconstpointer solver, const double *state)
{
  const Members *self = solver;
  const gsize    n = self->settings.nx * self->settings.ny;
  double         sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += state[i];
  return sum / (double) n;
}

double
lac_exponential_mean_square(gconstpointer solver, const double *state)
{
  const Members *self = solver;
  const gsize    n = self->settings.nx * self->settings.ny;
  double         sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += state[i] * state[i];
  return sum / (double) n;
}
