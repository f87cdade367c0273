/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exponential solvers as registry entries, and their reverse pass. */
#include "base/clock.h"
#include "base/error.h"
#include "solver/exponential/exponential-private.h"
#include "solver/refusal.h"

#include <math.h>
#include <string.h>

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
      is_flat
        ? "%s needs an even number of grid points along y, 4 or more, not %" G_GSIZE_FORMAT "."
        : "%s is defined in one dimension: it needs 1 grid point along y, not %" G_GSIZE_FORMAT ".",
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

/* ---- the flow backwards ---- */

/* A gradient g with respect to a half-spectrum is stored as h, g = h m / (nx ny) with m = 1 in the columns kx = 0 and
 * n/2 and m = 2 in the others, which represent two modes. The transpose of the forward transform is then the inverse
 * transform and vice versa, and weights are transposed by conjugation alone. */

/* Propagates self->product_bar through N at @stage; accumulates into @state_bar. */
static LacStatus
reverse_multiply(LacExponential *self, gsize stage, double *state_bar)
{
  const LacExponentialEquation *equation = self->equation;
  LacStatus                     status;

  for (gsize i = 0; i < self->length; i++)
    self->product_bar[i] *= self->mask[i / 2 % self->n_modes];
  status = lac_exponential_to_grid(self, self->row->n_fields, self->product_bar, self->grid);
  equation->reverse_product(self->parameters, self->n_points, self->planes[stage], self->grid,
                            self->plane_bars, self->parameters_bar);
  if (status == LAC_STATUS_OK)
    status = lac_exponential_to_modes(self, equation->n_planes, self->plane_bars, self->spectra);
  for (gsize i = 0; i < equation->n_planes; i++) {
    double *spectrum = self->spectra + i * 2 * self->n_modes;
    double *to = state_bar + equation->planes[i].field * 2 * self->n_modes;

    lac_exponential_derive(self, equation->planes[i].along, -1, spectrum, spectrum);
    for (gsize k = 0; k < 2 * self->n_modes; k++)
      to[k] += spectrum[k];
  }
  return status;
}

/* Accumulates the gradient with respect to L, mode by mode, of applying weight @w to @from, given the gradient @bar
 * of the result. */
static void
differentiate(LacExponential *self, LacWeight w, const double *from, const double *bar)
{
  const double *slope = self->slopes[w];

  for (gsize f = 0; f < self->row->n_fields;
       f++, from += 2 * self->n_modes, bar += 2 * self->n_modes)
    for (gsize i = 0; i < self->n_modes; i++) {
      /* from conj(bar) slope, whose conjugate is the derivative with respect to L */
      const double re = from[2 * i] * bar[2 * i] + from[2 * i + 1] * bar[2 * i + 1];
      const double im = from[2 * i + 1] * bar[2 * i] - from[2 * i] * bar[2 * i + 1];

      self->gradient[2 * i] += slope[2 * i] * re - slope[2 * i + 1] * im;
      self->gradient[2 * i + 1] += slope[2 * i] * im + slope[2 * i + 1] * re;
    }
}

static LacStatus
reverse_linear(LacExponential *self, const double *before, double *bar)
{
  memcpy(self->bars[0], bar, self->length * sizeof *bar);
  memset(bar, 0, self->length * sizeof *bar);
  differentiate(self, LAC_WEIGHT_E, before, self->bars[0]);
  lac_exponential_add_transposed(self, 1, self->weights[LAC_WEIGHT_E], self->bars[0], bar);
  return LAC_STATUS_OK;
}

/* Computes one step's gradient with respect to L: @bar: gradient of the state after it, bars[1..3]: of its stages. */
static void
differentiate_step(LacExponential *self, const double *bar)
{
  double *const *n = self->products, *const *s = self->stages, *const *bars = self->bars;

  differentiate(self, LAC_WEIGHT_E, s[0], bar);
  differentiate(self, LAC_WEIGHT_F1, n[0], bar);
  differentiate(self, LAC_WEIGHT_F3, n[3], bar);
  for (gsize i = 1; i < 3; i++) {
    differentiate(self, LAC_WEIGHT_F2, n[i], bar);
    differentiate(self, LAC_WEIGHT_G, s[0], bars[i]);
    differentiate(self, LAC_WEIGHT_Q, n[i - 1], bars[i]);
  }
  for (gsize i = 0; i < self->length; i++)
    self->scratch[i] = 2 * n[2][i] - n[0][i];
  differentiate(self, LAC_WEIGHT_G, s[1], bars[3]);
  differentiate(self, LAC_WEIGHT_Q, self->scratch, bars[3]);
}

/* Computes the gradients of the stages, last first, into bars[3..0]; the final one excludes the linear part. */
static LacStatus
reverse_stages(LacExponential *self, const double *bar)
{
  static const LacWeight after[4] = {LAC_WEIGHT_F1, LAC_WEIGHT_F2, LAC_WEIGHT_F2, LAC_WEIGHT_F3};
  double *const         *w = self->weights, *const *bars = self->bars;
  const gsize            n_bytes = self->length * sizeof *bar;
  LacStatus              status = LAC_STATUS_OK;

  for (gsize i = 4; i-- > 0 && status == LAC_STATUS_OK;) {
    memset(self->product_bar, 0, n_bytes);
    lac_exponential_add_transposed(self, 1, w[after[i]], bar, self->product_bar);
    if (i < 3)
      lac_exponential_add_transposed(self, i == 2 ? 2 : 1, w[LAC_WEIGHT_Q], bars[i + 1],
                                     self->product_bar);
    if (i == 0)
      lac_exponential_add_transposed(self, -1, w[LAC_WEIGHT_Q], bars[3], self->product_bar);
    memset(bars[i], 0, n_bytes);
    if (i == 1)
      lac_exponential_add_transposed(self, 1, w[LAC_WEIGHT_G], bars[3], bars[1]);
    status = reverse_multiply(self, i, bars[i]);
  }
  return status;
}

static LacStatus
reverse_step(gpointer user_data, const double *before, double *bar)
{
  LacExponential *self = user_data;
  LacStatus       status;

  if (self->equation->n_planes == 0)
    return reverse_linear(self, before, bar);
  memcpy(self->state, before, self->length * sizeof *before);
  status = lac_exponential_step(self, self->state);
  if (status == LAC_STATUS_OK)
    status = reverse_stages(self, bar);
  differentiate_step(self, bar);
  lac_exponential_add_transposed(self, 1, self->weights[LAC_WEIGHT_E], bar, self->bars[0]);
  lac_exponential_add_transposed(self, 1, self->weights[LAC_WEIGHT_G], self->bars[1],
                                 self->bars[0]);
  lac_exponential_add_transposed(self, 1, self->weights[LAC_WEIGHT_G], self->bars[2],
                                 self->bars[0]);
  memcpy(bar, self->bars[0], self->length * sizeof *bar);
  return status;
}

static LacStatus
step(gpointer user_data, double *state)
{
  return lac_exponential_step(user_data, state);
}

/* Converts the gradient of the fields to that of the internal state. */
static LacStatus
reverse_write(LacExponential *self, const double *bar, double *state_bar)
{
  const gsize n_fields = self->row->n_fields, last = self->nx_given - 1;

  if (!self->equation->is_sine)
    return lac_exponential_to_modes(self, n_fields, bar, state_bar);
  memset(self->grid, 0, n_fields * self->n_points * sizeof *bar);
  for (gsize f = 0; f < n_fields; f++)
    memcpy(self->grid + f * self->n_points + 1, bar + f * self->nx_given + 1,
           (last - 1) * sizeof *bar);
  return lac_exponential_to_modes(self, n_fields, self->grid, state_bar);
}

static LacStatus
reverse_read(LacExponential *self, double *state_bar, double *bar)
{
  const gsize n_fields = self->row->n_fields, last = self->nx_given - 1;
  LacStatus   status;

  for (gsize i = 0; i < self->length; i++)
    state_bar[i] *= self->mask[i / 2 % self->n_modes];
  if (!self->equation->is_sine)
    return lac_exponential_to_grid(self, n_fields, state_bar, bar);
  status = lac_exponential_to_grid(self, n_fields, state_bar, self->grid);
  for (gsize f = 0; f < n_fields; f++) {
    const double *plane = self->grid + f * self->n_points;
    double       *field = bar + f * self->nx_given;

    field[0] = field[last] = 0;
    for (gsize i = 1; i < last; i++)
      field[i] = plane[i] - plane[self->nx - i];
  }
  return status;
}

/* Converts the gradient with respect to L to that of the parameters: Re(symbol gradient) with each mode's
 * multiplicity. */
static void
collect(LacExponential *self)
{
  for (gsize p = 0; p < self->row->n_parameters; p++)
    for (gsize i = 0; i < self->n_modes; i++) {
      const gsize  x = i % self->nxh;
      const double share = (x == 0 || 2 * x == self->nx ? 1 : 2) / (double) self->n_points;

      self->parameters_bar[p] += share * (self->symbols[p][2 * i] * self->gradient[2 * i] -
                                          self->symbols[p][2 * i + 1] * self->gradient[2 * i + 1]);
    }
}

/* Computes the transposed derivative of @n_steps from @fields. */
static LacStatus
transpose(LacExponential *self,
          const double   *fields,
          gsize           n_steps,
          double         *bar,
          double         *parameters_bar)
{
  static const LacTrajectoryFuncs funcs = {step, reverse_step};
  LacStatus                       status;

  self->parameters_bar = parameters_bar;
  memset(self->gradient, 0, 2 * self->n_modes * sizeof *self->gradient);
  status = reverse_write(self, bar, self->state_bar);
  if (status == LAC_STATUS_OK)
    status = lac_exponential_read(self, fields, self->state);
  if (status == LAC_STATUS_OK)
    status =
      lac_trajectory_reverse(self->trajectory, &funcs, self, self->state, n_steps, self->state_bar);
  if (status == LAC_STATUS_OK)
    status = reverse_read(self, self->state_bar, bar);
  collect(self);
  return status;
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

/* Counts transforms of real planes, half a complex one each, and the weights. */
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
  if (!lac_solver_check_status(transpose(flow, state, n_steps, state_bar, parameters_bar), error))
    return FALSE;
  lac_members_record_reverse(solver, start_ns, n_steps);
  return TRUE;
}

/* Half the stability limit of Runge-Kutta 4 on the imaginary axis, 2 sqrt 2. */
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
