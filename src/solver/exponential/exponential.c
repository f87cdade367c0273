/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exponential solvers as registry entries, and their reverse pass. */
#include "base/clock.h"
#include "base/error.h"
#include "solver/exponential/exponential-private.h"
#include "solver/refusal.h"
#include "solver/span.h"

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

/* Adds the gradients of the parameters of N at a stage: self->grid holds that of N on the grid. */
static void
differentiate_product(LacExponential *self, gsize stage)
{
  for (guint p = 0; p < self->row->n_parameters; p++) {
    LacPolynomial *derivative = &self->derivatives[p];

    if (derivative->n_monomials == 0)
      continue;
    derivative->planes = self->planes[stage];
    derivative->out = self->term;
    lac_spectra_multiply(&self->spectra, derivative);
    lac_spectra_dot(&self->spectra, self->row->n_fields * self->spectra.n_points, self->term,
                    self->grid, self->sums + p);
  }
}

/* Propagates self->product_bar, without what the 2/3 rule removes, through N at @stage to @state_bar. @added: terms of
 * @state_bar besides, for all fields, or NULL */
static void
reverse_multiply(LacExponential *self, gsize stage, const LacModeTerm *added, double *state_bar)
{
  const LacExponentialEquation *equation = self->equation;
  LacSpectra                   *spectra = &self->spectra;
  LacPolynomial                *product = &self->product;

  lac_spectra_to_grid(spectra, self->row->n_fields, self->product_bar, self->grid);
  product->planes = self->planes[stage];
  product->out_bar = self->grid;
  product->planes_bar = self->plane_bars;
  lac_spectra_multiply_reverse(spectra, product);
  differentiate_product(self, stage);
  lac_spectra_to_modes(spectra, equation->n_planes, self->plane_bars, self->modes);
  for (guint f = 0; f < self->row->n_fields; f++) {
    const gsize at = f * 2 * spectra->n_modes;
    LacCombine  sum = {.n_fields = 1, .y = state_bar + at};

    if (added) {
      sum.terms[sum.n_terms] = *added;
      sum.terms[sum.n_terms++].x = (const double *) added->x + at;
    }
    for (gsize i = 0; i < equation->n_planes; i++)
      if (equation->planes[i].field == f)
        sum.terms[sum.n_terms++] = lac_exponential_derive(self, equation->planes[i].along, -1,
                                                          self->modes + i * 2 * spectra->n_modes);
    lac_spectra_combine(spectra, &sum);
  }
}

/* A weight applied to a spectrum, @factor times. */
typedef struct {
  LacWeight     weight;
  double        factor;
  const double *from;
} Applied;

/* Adds the gradient with respect to L, mode by mode, of applying weights, given the gradient @bar of their sum. */
static void
differentiate(LacExponential *self, int n_applied, const Applied *applied, const double *bar)
{
  LacCombine sum = {.n_fields = self->row->n_fields, .n_terms = n_applied, .y = self->scratch};

  for (int i = 0; i < n_applied; i++)
    sum.terms[i] = (LacModeTerm){LAC_MODE_COMPLEX, applied[i].factor, applied[i].from,
                                 lac_exponential_get_slope(self, applied[i].weight)};
  lac_spectra_combine(&self->spectra, &sum);
  /* the correlation is the conjugate of the derivative with respect to L */
  lac_spectra_correlate(&self->spectra, sum.n_fields, self->scratch, bar, self->gradient);
}

static void
reverse_linear(LacExponential *self, const double *before, double *bar)
{
  differentiate(self, 1, &(Applied){LAC_WEIGHT_E, 1, before}, bar);
  lac_spectra_combine(&self->spectra, &(LacCombine){
                                        .n_fields = self->row->n_fields,
                                        .n_terms = 1,
                                        .terms = {{LAC_MODE_CONJUGATE, 1, bar,
                                                   lac_exponential_get_weight(self, LAC_WEIGHT_E)}},
                                        .y = bar,
                                      });
}

/* Computes one step's gradient with respect to L: @bar: gradient of the state after it, bars[1..3]: of its stages. */
static void
differentiate_step(LacExponential *self, const double *bar)
{
  double *const *n = self->products, *const *s = self->stages, *const *bars = self->bars;

  differentiate(self, 5,
                (Applied[]){{LAC_WEIGHT_E, 1, s[0]},
                            {LAC_WEIGHT_F1, 1, n[0]},
                            {LAC_WEIGHT_F2, 1, n[1]},
                            {LAC_WEIGHT_F2, 1, n[2]},
                            {LAC_WEIGHT_F3, 1, n[3]}},
                bar);
  for (gsize i = 1; i < 3; i++)
    differentiate(self, 2, (Applied[]){{LAC_WEIGHT_G, 1, s[0]}, {LAC_WEIGHT_Q, 1, n[i - 1]}},
                  bars[i]);
  differentiate(
    self, 3,
    (Applied[]){{LAC_WEIGHT_G, 1, s[1]}, {LAC_WEIGHT_Q, 2, n[2]}, {LAC_WEIGHT_Q, -1, n[0]}},
    bars[3]);
}

/* Computes the gradients of the stages, last first, into bars[3..0]; the final one excludes the linear part. */
static void
reverse_stages(LacExponential *self, const double *bar)
{
  static const LacWeight after[4] = {LAC_WEIGHT_F1, LAC_WEIGHT_F2, LAC_WEIGHT_F2, LAC_WEIGHT_F3};
  double *const         *bars = self->bars;
  const double          *q = lac_exponential_get_weight(self, LAC_WEIGHT_Q);
  const LacModeTerm      third = {LAC_MODE_CONJUGATE, 1, bars[3],
                                  lac_exponential_get_weight(self, LAC_WEIGHT_G)};

  for (gsize i = 4; i-- > 0;) {
    LacCombine sum = {
      .n_fields = self->row->n_fields,
      .n_terms = 1,
      .terms = {{LAC_MODE_CONJUGATE, 1, bar, lac_exponential_get_weight(self, after[i])}},
      .mask = self->mask,
      .y = self->product_bar,
    };

    if (i < 3)
      sum.terms[sum.n_terms++] = (LacModeTerm){LAC_MODE_CONJUGATE, i == 2 ? 2 : 1, bars[i + 1], q};
    if (i == 0)
      sum.terms[sum.n_terms++] = (LacModeTerm){LAC_MODE_CONJUGATE, -1, bars[3], q};
    lac_spectra_combine(&self->spectra, &sum);
    reverse_multiply(self, i, i == 1 ? &third : NULL, bars[i]);
  }
}

/* Transposes a step, from self->stages[0], of self->state_bar; destroys self->state. */
static void
enqueue_reverse_step(gpointer user_data)
{
  LacExponential *self = user_data;
  double         *bar = self->state_bar;
  const double   *g = lac_exponential_get_weight(self, LAC_WEIGHT_G);

  if (self->equation->n_planes == 0) {
    reverse_linear(self, self->stages[0], bar);
    return;
  }
  lac_exponential_step(self);
  reverse_stages(self, bar);
  differentiate_step(self, bar);
  lac_spectra_combine(&self->spectra, &(LacCombine){
                                        .n_fields = self->row->n_fields,
                                        .n_terms = 4,
                                        .terms = {{LAC_MODE_CONJUGATE, 1, bar,
                                                   lac_exponential_get_weight(self, LAC_WEIGHT_E)},
                                                  {LAC_MODE_CONJUGATE, 1, self->bars[1], g},
                                                  {LAC_MODE_CONJUGATE, 1, self->bars[2], g},
                                                  {LAC_MODE_ONE, 1, self->bars[0], NULL}},
                                        .y = bar,
                                      });
}

/* Converts the gradient of the fields to that of the internal state. */
static void
reverse_write(LacExponential *self, const double *bar, double *state_bar)
{
  const gsize n_fields = self->row->n_fields, n_points = self->spectra.n_points;
  const gsize last = self->nx_given - 1;

  if (self->equation->is_sine) {
    memset(self->host_grid, 0, n_fields * n_points * sizeof *bar);
    for (gsize f = 0; f < n_fields; f++)
      memcpy(self->host_grid + f * n_points + 1, bar + f * self->nx_given + 1,
             (last - 1) * sizeof *bar);
    bar = self->host_grid;
  }
  lac_spectra_upload(&self->spectra, self->grid, bar, n_fields * n_points);
  lac_spectra_to_modes(&self->spectra, n_fields, self->grid, state_bar);
}

static void
reverse_read(LacExponential *self, double *state_bar, double *bar)
{
  const gsize n_fields = self->row->n_fields, n_points = self->spectra.n_points;
  const gsize last = self->nx_given - 1;
  double     *planes = self->equation->is_sine ? self->host_grid : bar;

  lac_exponential_truncate(self, state_bar);
  lac_spectra_to_grid(&self->spectra, n_fields, state_bar, self->grid);
  lac_spectra_download(&self->spectra, planes, self->grid, n_fields * n_points);
  if (!self->equation->is_sine)
    return;
  for (gsize f = 0; f < n_fields; f++) {
    const double *plane = planes + f * n_points;
    double       *field = bar + f * self->nx_given;

    field[0] = field[last] = 0;
    for (gsize i = 1; i < last; i++)
      field[i] = plane[i] - plane[self->spectra.nx - i];
  }
}

/* Converts the gradient with respect to L to that of the parameters: Re(symbol gradient) with each mode's
 * multiplicity. Adds what came through N. */
static void
collect(LacExponential *self, double *parameters_bar)
{
  double *gradient = self->host; /* which is free between two changes of the parameters */
  double  sums[LAC_SOLVER_MAX_PARAMETERS] = {0};

  lac_spectra_download(&self->spectra, gradient, self->gradient, 2 * self->spectra.n_modes);
  lac_spectra_download(&self->spectra, sums, self->sums, G_N_ELEMENTS(sums));
  for (gsize p = 0; p < self->row->n_parameters; p++) {
    for (gsize i = 0; i < self->spectra.n_modes; i++)
      sums[p] += lac_spectra_get_share(&self->spectra, i) *
                 (self->symbols[p][2 * i] * gradient[2 * i] -
                  self->symbols[p][2 * i + 1] * gradient[2 * i + 1]);
    parameters_bar[p] += sums[p];
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
  lac_spectra_fill(&self->spectra, self->gradient, 2 * self->spectra.n_modes);
  lac_spectra_fill(&self->spectra, self->sums, LAC_SOLVER_MAX_PARAMETERS);
  reverse_write(self, bar, self->state_bar);
  lac_exponential_read(self, fields, self->state);
  lac_spectra_step_reverse(&self->forwards, &self->backwards, self->slots, self->state, n_steps);
  reverse_read(self, self->state_bar, bar);
  collect(self, parameters_bar);
  return lac_spectra_end(&self->spectra);
}

/* ---- one worker's flow ---- */

/* Counts transforms of real planes, half a complex one each, and the weights. */
static double
count_flops(gconstpointer data)
{
  const LacExponential *flow = data;
  const double          n = (double) flow->spectra.n_points, n_planes = flow->equation->n_planes;

  if (n_planes == 0)
    return 4 * (double) flow->length;
  return 4 * (n_planes + flow->row->n_fields) * 2.5 * n * log2(n) + 12 * 4 * (double) flow->length;
}

static void
enqueue_step(gpointer flow)
{
  lac_exponential_step(flow);
}

static void
init_steps(LacExponential *flow, const LacSolverSettings *settings)
{
  LacSpectraStepSettings step = {
    .perf = settings->perf,
    .lane = settings->lane,
    .name = flow->equation->work,
    .flops = count_flops(flow),
    .enqueue = enqueue_step,
    .user_data = flow,
    .from = flow->stages[0],
    .to = flow->state,
    .length = flow->length,
  };

  lac_spectra_step_init(&flow->forwards, &flow->spectra, &step);
  if (!flow->is_reversible)
    return;
  g_autofree char *backwards = g_strdup_printf(LAC_SOLVER_BACKWARDS, flow->equation->work);
  step.name = backwards;
  step.flops *= LAC_SOLVER_REVERSE_COST;
  step.enqueue = enqueue_reverse_step;
  step.to = flow->state_bar;
  lac_spectra_step_init(&flow->backwards, &flow->spectra, &step);
}

typedef struct {
  const LacSolver         *row;
  const LacSolverSettings *settings;
} Order;

static gpointer
create_flow(gconstpointer data, gboolean is_reversible, GError **error)
{
  const Order    *order = data;
  LacExponential *flow = lac_exponential_new(order->row, order->settings, is_reversible, error);

  if (flow)
    init_steps(flow, order->settings);
  return flow;
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

  lac_exponential_set_parameters(flow, parameters);
  lac_exponential_read(flow, state, n_steps > 0 ? flow->stages[0] : flow->state);
  lac_spectra_step_run(&flow->forwards, n_steps);
  lac_exponential_write(flow, flow->state, state);
  return lac_spectra_end(&flow->spectra);
}

static gsize
count_bytes(gconstpointer data)
{
  const LacExponential *flow = data;
  const gsize n_host = (2 * LAC_WEIGHT_N + flow->row->n_parameters) * 2 * flow->spectra.n_modes +
                       flow->row->n_fields * flow->spectra.n_points;

  return (flow->spectra.n_taken + n_host) * sizeof(double);
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

  g_return_val_if_fail(flow->is_reversible, FALSE);
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
lac_exponential_carry_rate(const double *parameters, const double *largest, double wavenumber)
{
  return fabs(parameters[0]) * largest[0] * wavenumber;
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
