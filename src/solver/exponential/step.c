/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward pass of exponential solvers: memory, wavenumbers, stages, step. */
#include "solver/exponential/exponential-private.h"
#include "solver/refusal.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* ---- weights ---- */

/* Weights of ETDRK4 and their derivatives, through phi_k(z) = sum_j z^j / (j + k)!: the series for small z, otherwise
 * the recurrence phi_(k+1) = (phi_k - 1/k!) / z, which avoids cancellation (the purpose of the contour of Kassam and
 * Trefethen); phi_k' = phi_k - k phi_(k+1). */

#define N_PHI 5

/* 24 terms: the first omitted one is below 1e-27 of the sum for |z| <= 1. */
static void
fill_phi(double complex z, double complex *phi)
{
  static const double inverse_factorials[N_PHI] = {1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24};

  if (cabs(z) <= 1) {
    double complex sum = 0;

    for (int j = 24; j > 0; j--)
      sum = (sum + 1) * z / (j + N_PHI - 1);
    phi[N_PHI - 1] = (sum + 1) * inverse_factorials[N_PHI - 1];
    for (gsize k = N_PHI - 1; k-- > 0;)
      phi[k] = inverse_factorials[k] + z * phi[k + 1];
  } else {
    phi[0] = cexp(z);
    for (gsize k = 1; k < N_PHI; k++)
      phi[k] = (phi[k - 1] - inverse_factorials[k - 1]) / z;
  }
}

static void
store(double (*to)[2], const double complex *from)
{
  for (gsize i = 0; i < LAC_WEIGHT_N; i++) {
    to[i][0] = creal(from[i]);
    to[i][1] = cimag(from[i]);
  }
}

/* @growth: L of the mode (re, im). */
static void
exponential_weigh(const double *growth, double time_step, LacWeights *weights)
{
  const double         dt = time_step;
  const double complex z = dt * CMPLX(growth[0], growth[1]);
  double complex       whole[N_PHI], half[N_PHI], d[N_PHI - 1], d_half[2];

  fill_phi(z, whole);
  fill_phi(z / 2, half);
  for (gsize k = 0; k < G_N_ELEMENTS(d); k++)
    d[k] = whole[k] - (double) k * whole[k + 1];
  for (gsize k = 0; k < G_N_ELEMENTS(d_half); k++)
    d_half[k] = (half[k] - (double) k * half[k + 1]) / 2;
  store(weights->value, (double complex[]){
                          [LAC_WEIGHT_E] = whole[0],
                          [LAC_WEIGHT_G] = half[0],
                          [LAC_WEIGHT_Q] = dt / 2 * half[1],
                          [LAC_WEIGHT_F1] = dt * (whole[1] - 3 * whole[2] + 4 * whole[3]),
                          [LAC_WEIGHT_F2] = dt * (2 * whole[2] - 4 * whole[3]),
                          [LAC_WEIGHT_F3] = dt * (4 * whole[3] - whole[2]),
                        });
  store(weights->slope, (double complex[]){
                          [LAC_WEIGHT_E] = dt * d[0],
                          [LAC_WEIGHT_G] = dt * d_half[0],
                          [LAC_WEIGHT_Q] = dt * dt / 2 * d_half[1],
                          [LAC_WEIGHT_F1] = dt * dt * (d[1] - 3 * d[2] + 4 * d[3]),
                          [LAC_WEIGHT_F2] = dt * dt * (2 * d[2] - 4 * d[3]),
                          [LAC_WEIGHT_F3] = dt * dt * (4 * d[3] - d[2]),
                        });
}

/* ---- stages and steps ---- */

LacStatus
lac_exponential_to_modes(LacExponential *self,
                         gsize           n_planes,
                         const double   *planes,
                         double         *spectra)
{
  const LacDevice device = self->device;
  const gsize     n_plane = self->n_points * sizeof *planes;
  const gsize     n_spectrum = 2 * self->n_modes * sizeof *spectra;
  const LacFft    args = {LAC_F64,  self->nx,     self->ny,
                          n_planes, self->memory, self->memory + self->n_batch * n_plane};
  LacStatus       status = device.table->upload(device.self, args.real, planes, n_planes * n_plane);

  if (status == LAC_STATUS_OK)
    status = device.table->fft_forward(device.self, &args);
  return status == LAC_STATUS_OK
           ? device.table->download(device.self, spectra, args.spectrum, n_planes * n_spectrum)
           : status;
}

LacStatus
lac_exponential_to_grid(LacExponential *self, gsize n_planes, const double *spectra, double *planes)
{
  const LacDevice device = self->device;
  const gsize     n_plane = self->n_points * sizeof *planes;
  const gsize     n_spectrum = 2 * self->n_modes * sizeof *spectra;
  const LacFft    args = {LAC_F64,  self->nx,     self->ny,
                          n_planes, self->memory, self->memory + self->n_batch * n_plane};
  LacStatus       status =
    device.table->upload(device.self, args.spectrum, spectra, n_planes * n_spectrum);

  if (status == LAC_STATUS_OK)
    status = device.table->fft_inverse(device.self, &args);
  return status == LAC_STATUS_OK
           ? device.table->download(device.self, planes, args.real, n_planes * n_plane)
           : status;
}

void
lac_exponential_derive(const LacExponential *self,
                       LacAlong              along,
                       double                sign,
                       const double         *in,
                       double               *out)
{
  const double *k = along == LAC_ALONG_X ? self->kx : self->ky;

  if (along == LAC_ALONG_NONE) {
    if (in != out)
      memcpy(out, in, 2 * self->n_modes * sizeof *out);
    return;
  }
  if (along == LAC_ALONG_BOTH_TWICE) {
    for (gsize i = 0; i < 2 * self->n_modes; i++)
      out[i] = -(self->kx[i / 2] * self->kx[i / 2] + self->ky[i / 2] * self->ky[i / 2]) * in[i];
    return;
  }
  for (gsize i = 0; i < self->n_modes; i++) {
    const double f = sign * k[i], re = in[2 * i];

    out[2 * i] = -f * in[2 * i + 1];
    out[2 * i + 1] = f * re;
  }
}

static void
add_weighted(const LacExponential *self,
             double                sign,
             const double         *weights,
             const double         *from,
             double               *to)
{
  for (gsize f = 0; f < self->row->n_fields;
       f++, from += 2 * self->n_modes, to += 2 * self->n_modes)
    for (gsize i = 0; i < self->n_modes; i++) {
      const double re = sign * weights[2 * i], im = sign * weights[2 * i + 1];

      to[2 * i] += re * from[2 * i] - im * from[2 * i + 1];
      to[2 * i + 1] += re * from[2 * i + 1] + im * from[2 * i];
    }
}

void
lac_exponential_add_transposed(const LacExponential *self,
                               double                sign,
                               const double         *weights,
                               const double         *from,
                               double               *to)
{
  for (gsize f = 0; f < self->row->n_fields;
       f++, from += 2 * self->n_modes, to += 2 * self->n_modes)
    for (gsize i = 0; i < self->n_modes; i++) {
      const double re = sign * weights[2 * i], im = sign * weights[2 * i + 1];

      to[2 * i] += re * from[2 * i] + im * from[2 * i + 1];
      to[2 * i + 1] += re * from[2 * i + 1] - im * from[2 * i];
    }
}

void
lac_exponential_set_parameters(LacExponential *self, const double *parameters)
{
  const gsize n_bytes = self->row->n_parameters * sizeof *parameters;

  if (self->is_ready && memcmp(self->parameters, parameters, n_bytes) == 0)
    return;
  memcpy(self->parameters, parameters, n_bytes);
  self->is_ready = TRUE;
  for (gsize i = 0; i < self->n_modes; i++) {
    double     growth[2] = {0, 0};
    LacWeights weights;

    for (gsize p = 0; p < self->row->n_parameters; p++) {
      growth[0] += parameters[p] * self->symbols[p][2 * i];
      growth[1] += parameters[p] * self->symbols[p][2 * i + 1];
    }
    exponential_weigh(growth, self->time_step, &weights);
    for (gsize w = 0; w < LAC_WEIGHT_N; w++) {
      memcpy(self->weights[w] + 2 * i, weights.value[w], sizeof weights.value[w]);
      if (self->trajectory)
        memcpy(self->slopes[w] + 2 * i, weights.slope[w], sizeof weights.slope[w]);
    }
  }
}

/* Computes the odd extension, twice as long minus the ends. */
static void
extend(const LacExponential *self, const double *field, double *plane)
{
  const gsize last = self->nx_given - 1;

  plane[0] = plane[last] = 0;
  for (gsize i = 1; i < last; i++) {
    plane[i] = field[i];
    plane[self->nx - i] = -field[i];
  }
}

LacStatus
lac_exponential_read(LacExponential *self, const double *fields, double *state)
{
  const gsize n_fields = self->row->n_fields;
  LacStatus   status;

  if (self->equation->is_sine) {
    for (gsize f = 0; f < n_fields; f++)
      extend(self, fields + f * self->nx_given, self->grid + f * self->n_points);
    fields = self->grid;
  }
  status = lac_exponential_to_modes(self, n_fields, fields, state);
  for (gsize i = 0; i < self->length; i++)
    state[i] *= self->mask[i / 2 % self->n_modes];
  return status;
}

LacStatus
lac_exponential_write(LacExponential *self, const double *state, double *fields)
{
  const gsize n_fields = self->row->n_fields;
  LacStatus   status =
    lac_exponential_to_grid(self, n_fields, state, self->equation->is_sine ? self->grid : fields);

  if (self->equation->is_sine)
    for (gsize f = 0; f < n_fields; f++) {
      double *field = fields + f * self->nx_given;

      memcpy(field, self->grid + f * self->n_points, self->nx_given * sizeof *field);
      field[0] = field[self->nx_given - 1] = 0;
    }
  return status;
}

/* Computes N at a stage, in Fourier space. */
static LacStatus
multiply(LacExponential *self, gsize stage)
{
  const LacExponentialEquation *equation = self->equation;
  const gsize                   n_fields = self->row->n_fields;
  double                       *product = self->products[stage];
  LacStatus                     status;

  for (gsize i = 0; i < equation->n_planes; i++)
    lac_exponential_derive(self, equation->planes[i].along, 1,
                           self->stages[stage] + equation->planes[i].field * 2 * self->n_modes,
                           self->spectra + i * 2 * self->n_modes);
  status = lac_exponential_to_grid(self, equation->n_planes, self->spectra, self->planes[stage]);
  equation->product(self->parameters, self->n_points, self->planes[stage], self->grid);
  if (status == LAC_STATUS_OK)
    status = lac_exponential_to_modes(self, n_fields, self->grid, product);
  for (gsize i = 0; i < self->length; i++)
    product[i] *= self->mask[i / 2 % self->n_modes];
  return status;
}

LacStatus
lac_exponential_step(LacExponential *self, double *state)
{
  double *const *w = self->weights, *const *n = self->products, *const *s = self->stages;
  const gsize    n_bytes = self->length * sizeof *state;
  LacStatus      status = LAC_STATUS_OK;

  memcpy(s[0], state, n_bytes);
  memset(state, 0, n_bytes);
  add_weighted(self, 1, w[LAC_WEIGHT_E], s[0], state);
  if (self->equation->n_planes == 0)
    return status;
  for (gsize i = 0; i < 4 && status == LAC_STATUS_OK; i++) {
    if (i > 0) {
      memset(s[i], 0, n_bytes);
      add_weighted(self, 1, w[LAC_WEIGHT_G], s[i == 3 ? 1 : 0], s[i]);
      add_weighted(self, i == 3 ? 2 : 1, w[LAC_WEIGHT_Q], n[i - 1], s[i]);
    }
    if (i == 3)
      add_weighted(self, -1, w[LAC_WEIGHT_Q], n[0], s[3]);
    status = multiply(self, i);
  }
  add_weighted(self, 1, w[LAC_WEIGHT_F1], n[0], state);
  add_weighted(self, 1, w[LAC_WEIGHT_F2], n[1], state);
  add_weighted(self, 1, w[LAC_WEIGHT_F2], n[2], state);
  add_weighted(self, 1, w[LAC_WEIGHT_F3], n[3], state);
  return status;
}

/* ---- memory, wavenumbers and symbols ---- */

static double *
take(LacExponential *self, gsize n)
{
  self->n_numbers += n;
  return g_new0(double, n);
}

static void
allocate_reverse(LacExponential *self)
{
  self->trajectory = lac_trajectory_new(self->length);
  for (gsize i = 0; i < LAC_WEIGHT_N; i++)
    self->slopes[i] = take(self, 2 * self->n_modes);
  for (gsize i = 0; i < 4; i++)
    self->bars[i] = take(self, self->length);
  self->product_bar = take(self, self->length);
  self->state_bar = take(self, self->length);
  self->plane_bars = take(self, self->n_batch * self->n_points);
  self->gradient = take(self, 2 * self->n_modes);
}

static void
allocate(LacExponential *self)
{
  const gsize n_planes = self->equation->n_planes;

  self->kx = take(self, self->n_modes);
  self->ky = take(self, self->n_modes);
  self->mask = take(self, self->n_modes);
  for (gsize p = 0; p < self->row->n_parameters; p++)
    self->symbols[p] = take(self, 2 * self->n_modes);
  for (gsize i = 0; i < LAC_WEIGHT_N; i++)
    self->weights[i] = take(self, 2 * self->n_modes);
  self->state = take(self, self->length);
  self->scratch = take(self, self->length);
  for (gsize i = 0; i < 4; i++) {
    self->stages[i] = take(self, self->length);
    self->products[i] = take(self, self->length);
    self->planes[i] = take(self, n_planes * self->n_points);
  }
  self->spectra = take(self, self->n_batch * 2 * self->n_modes);
  self->grid = take(self, self->n_batch * self->n_points);
}

/* Sets the wavenumbers of the mode in column @x and row @y. At a Nyquist wavenumber, which represents both signs, the
 * imaginary part of a symbol is omitted because the field would not be real. */
static void
fill_mode(LacExponential *self, gsize x, gsize y)
{
  const gsize    i = y * self->nxh + x;
  const double   row = 2 * y <= self->ny ? (double) y : (double) y - (double) self->ny;
  const double   kx = 2 * G_PI / self->side[0] * (double) x;
  const double   ky = self->ny > 1 ? 2 * G_PI / self->side[1] * row : 0;
  const gboolean nyquist = 2 * x == self->nx || 2 * y == self->ny;
  const gboolean is_kept = 3 * x < self->nx && (self->ny == 1 || 3 * fabs(row) < (double) self->ny);
  double         re[LAC_SOLVER_MAX_PARAMETERS] = {0}, im[LAC_SOLVER_MAX_PARAMETERS] = {0};

  self->kx[i] = nyquist ? 0 : kx;
  self->ky[i] = nyquist ? 0 : ky;
  self->mask[i] = self->equation->n_planes == 0 || is_kept;
  self->equation->symbols(kx, ky, re, im);
  for (gsize p = 0; p < self->row->n_parameters; p++) {
    self->symbols[p][2 * i] = re[p];
    self->symbols[p][2 * i + 1] = nyquist ? 0 : im[p];
  }
}

static LacStatus
prepare_device(LacExponential *self)
{
  const LacDevice device = self->device;
  const gsize     n_real = self->n_batch * self->n_points;
  const gsize     n_numbers = n_real + self->n_batch * 2 * self->n_modes;
  LacFft          plan = {LAC_F64, self->nx, self->ny, self->n_batch, NULL, NULL};
  LacStatus       status =
    device.table->alloc(device.self, n_numbers * sizeof(double), (void **) &self->memory);

  if (status != LAC_STATUS_OK)
    return status;
  plan.real = self->memory;
  plan.spectrum = self->memory + n_real * sizeof(double);
  status = device.table->fill(device.self, LAC_F64, self->memory, 0, n_numbers);
  for (gsize n = 1; n <= self->n_batch && status == LAC_STATUS_OK; n++) {
    plan.n_batch = n;
    if (n == self->n_batch || n == self->row->n_fields || n == self->equation->n_planes)
      status = device.table->fft_prepare(device.self, &plan);
  }
  return status;
}

LacExponential *
lac_exponential_new(const LacSolver         *row,
                    const LacSolverSettings *settings,
                    gboolean                 is_reversible,
                    GError                 **error)
{
  const LacExponentialEquation *equation = row->equation;
  g_autoptr(LacExponential)     self = g_new0(LacExponential, 1);

  self->row = row;
  self->equation = equation;
  self->device = settings->device;
  self->time_step = settings->time_step;
  self->nx_given = settings->nx;
  self->nx = equation->is_sine ? 2 * (settings->nx - 1) : settings->nx;
  self->ny = settings->ny;
  self->nxh = self->nx / 2 + 1;
  self->n_points = self->nx * self->ny;
  self->n_modes = self->nxh * self->ny;
  self->n_batch = MAX(row->n_fields, equation->n_planes);
  self->length = row->n_fields * 2 * self->n_modes;
  self->side[0] = (equation->is_sine ? 2 : 1) * settings->length[0];
  self->side[1] = settings->length[1];
  allocate(self);
  if (is_reversible)
    allocate_reverse(self);
  for (gsize y = 0; y < self->ny; y++)
    for (gsize x = 0; x < self->nxh; x++)
      fill_mode(self, x, y);
  return lac_solver_check_status(prepare_device(self), error) ? g_steal_pointer(&self) : NULL;
}

void
lac_exponential_free(LacExponential *self)
{
  if (!self)
    return;
  for (gsize p = 0; p < LAC_SOLVER_MAX_PARAMETERS; p++)
    g_free(self->symbols[p]);
  for (gsize i = 0; i < LAC_WEIGHT_N; i++) {
    g_free(self->weights[i]);
    g_free(self->slopes[i]);
  }
  for (gsize i = 0; i < 4; i++) {
    g_free(self->stages[i]);
    g_free(self->products[i]);
    g_free(self->planes[i]);
    g_free(self->bars[i]);
  }
  g_free(self->kx);
  g_free(self->ky);
  g_free(self->mask);
  g_free(self->state);
  g_free(self->scratch);
  g_free(self->spectra);
  g_free(self->grid);
  g_free(self->product_bar);
  g_free(self->state_bar);
  g_free(self->plane_bars);
  g_free(self->gradient);
  lac_trajectory_free(self->trajectory);
  if (self->memory)
    self->device.table->release(self->device.self, self->memory);
  g_free(self);
}
