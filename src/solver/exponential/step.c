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

const double *
lac_exponential_get_weight(const LacExponential *self, LacWeight weight)
{
  return self->weights + weight * 2 * self->spectra.n_modes;
}

const double *
lac_exponential_get_slope(const LacExponential *self, LacWeight weight)
{
  return self->slopes + weight * 2 * self->spectra.n_modes;
}

LacModeTerm
lac_exponential_derive(const LacExponential *self, LacAlong along, double sign, const double *x)
{
  switch (along) {
  case LAC_ALONG_X: return (LacModeTerm){LAC_MODE_IMAGINARY, sign, x, self->kx};
  case LAC_ALONG_Y: return (LacModeTerm){LAC_MODE_IMAGINARY, sign, x, self->ky};
  case LAC_ALONG_BOTH_TWICE: return (LacModeTerm){LAC_MODE_REAL, 1, x, self->laplacian};
  case LAC_ALONG_NONE:
  default: return (LacModeTerm){LAC_MODE_ONE, 1, x, NULL};
  }
}

static void
add_monomial(LacPolynomial *product, const LacMonomial *monomial)
{
  product->monomials[product->n_monomials++] = *monomial;
}

/* Sets N, which is linear in the parameters, and its derivatives. */
static void
lay_out_products(LacExponential *self)
{
  const LacExponentialEquation *equation = self->equation;
  const LacPolynomial none = {.n_planes = equation->n_planes, .n_out = self->row->n_fields};

  self->product = none;
  self->product.coefficients = self->coefficients;
  for (guint p = 0; p < self->row->n_parameters; p++)
    self->derivatives[p] = none;
  for (guint t = 0; t < equation->n_terms; t++) {
    const LacNonlinearTerm *term = &equation->terms[t];
    const gint              p = term->parameter;

    add_monomial(&self->product, &term->product);
    if (p != LAC_NO_PARAMETER)
      add_monomial(&self->derivatives[p], &term->product);
  }
}

static void
put_coefficients(LacExponential *self)
{
  const LacExponentialEquation *equation = self->equation;
  double                        coefficients[LAC_MOST_MONOMIALS];

  for (guint t = 0; t < equation->n_terms; t++) {
    const LacNonlinearTerm *term = &equation->terms[t];
    const gint              p = term->parameter;

    coefficients[t] = term->product.coefficient * (p == LAC_NO_PARAMETER ? 1 : self->parameters[p]);
  }
  if (equation->n_terms > 0)
    lac_spectra_upload(&self->spectra, self->coefficients, coefficients, equation->n_terms);
}

void
lac_exponential_set_parameters(LacExponential *self, const double *parameters)
{
  const gsize n_bytes = self->row->n_parameters * sizeof *parameters;
  const gsize n_modes = self->spectra.n_modes, n_weights = LAC_WEIGHT_N * 2 * n_modes;

  if (self->is_ready && memcmp(self->parameters, parameters, n_bytes) == 0)
    return;
  memcpy(self->parameters, parameters, n_bytes);
  self->is_ready = TRUE;
  put_coefficients(self);
  for (gsize i = 0; i < n_modes; i++) {
    double     growth[2] = {0, 0};
    LacWeights weights;

    for (gsize p = 0; p < self->row->n_parameters; p++) {
      growth[0] += parameters[p] * self->symbols[p][2 * i];
      growth[1] += parameters[p] * self->symbols[p][2 * i + 1];
    }
    exponential_weigh(growth, self->time_step, &weights);
    for (gsize w = 0; w < LAC_WEIGHT_N; w++) {
      double *value = self->host + 2 * (w * n_modes + i);

      memcpy(value, weights.value[w], sizeof weights.value[w]);
      memcpy(value + n_weights, weights.slope[w], sizeof weights.slope[w]);
    }
  }
  lac_spectra_upload(&self->spectra, self->weights, self->host, n_weights);
  if (self->is_reversible)
    lac_spectra_upload(&self->spectra, self->slopes, self->host + n_weights, n_weights);
}

/* Computes the odd extension, twice as long minus the ends. */
static void
extend(const LacExponential *self, const double *field, double *plane)
{
  const gsize last = self->nx_given - 1;

  plane[0] = plane[last] = 0;
  for (gsize i = 1; i < last; i++) {
    plane[i] = field[i];
    plane[self->spectra.nx - i] = -field[i];
  }
}

void
lac_exponential_truncate(LacExponential *self, double *state)
{
  lac_spectra_combine(&self->spectra, &(LacCombine){
                                        .n_fields = self->row->n_fields,
                                        .n_terms = 1,
                                        .terms = {{LAC_MODE_ONE, 1, state, NULL}},
                                        .mask = self->mask,
                                        .y = state,
                                      });
}

void
lac_exponential_read(LacExponential *self, const double *fields, double *state)
{
  const gsize n_fields = self->row->n_fields, n_points = self->spectra.n_points;

  if (self->equation->is_sine) {
    for (gsize f = 0; f < n_fields; f++)
      extend(self, fields + f * self->nx_given, self->host_grid + f * n_points);
    fields = self->host_grid;
  }
  lac_spectra_upload(&self->spectra, self->grid, fields, n_fields * n_points);
  lac_spectra_to_modes(&self->spectra, n_fields, self->grid, state);
  lac_exponential_truncate(self, state);
}

void
lac_exponential_write(LacExponential *self, double *state, double *fields)
{
  const gsize n_fields = self->row->n_fields, n_points = self->spectra.n_points;
  double     *planes = self->equation->is_sine ? self->host_grid : fields;

  lac_spectra_to_grid(&self->spectra, n_fields, state, self->grid);
  lac_spectra_download(&self->spectra, planes, self->grid, n_fields * n_points);
  if (self->equation->is_sine)
    for (gsize f = 0; f < n_fields; f++) {
      double *field = fields + f * self->nx_given;

      memcpy(field, planes + f * n_points, self->nx_given * sizeof *field);
      field[0] = field[self->nx_given - 1] = 0;
    }
}

/* Computes N at a stage, in Fourier space. */
static void
multiply(LacExponential *self, gsize stage)
{
  const LacExponentialEquation *equation = self->equation;
  LacSpectra                   *spectra = &self->spectra;

  for (gsize i = 0; i < equation->n_planes; i++) {
    const double *field = self->stages[stage] + equation->planes[i].field * 2 * spectra->n_modes;

    lac_spectra_combine(
      spectra, &(LacCombine){
                 .n_fields = 1,
                 .n_terms = 1,
                 .terms = {lac_exponential_derive(self, equation->planes[i].along, 1, field)},
                 .y = self->modes + i * 2 * spectra->n_modes,
               });
  }
  lac_spectra_to_grid(spectra, equation->n_planes, self->modes, self->planes[stage]);
  self->product.planes = self->planes[stage];
  self->product.out = self->grid;
  lac_spectra_multiply(spectra, &self->product);
  lac_spectra_to_modes(spectra, self->row->n_fields, self->grid, self->products[stage]);
  lac_exponential_truncate(self, self->products[stage]);
}

/* Computes the state of a stage after the first. */
static void
find_stage(LacExponential *self, gsize stage)
{
  const double  *g = lac_exponential_get_weight(self, LAC_WEIGHT_G);
  const double  *q = lac_exponential_get_weight(self, LAC_WEIGHT_Q);
  double *const *n = self->products, *const *s = self->stages;

  lac_spectra_combine(&self->spectra,
                      &(LacCombine){
                        .n_fields = self->row->n_fields,
                        .n_terms = stage == 3 ? 3 : 2,
                        .terms = {{LAC_MODE_COMPLEX, 1, s[stage == 3 ? 1 : 0], g},
                                  {LAC_MODE_COMPLEX, stage == 3 ? 2 : 1, n[stage - 1], q},
                                  {LAC_MODE_COMPLEX, -1, n[0], q}},
                        .y = s[stage],
                      });
}

void
lac_exponential_step(LacExponential *self)
{
  double *const *n = self->products;

  if (self->equation->n_planes > 0)
    for (gsize i = 0; i < 4; i++) {
      if (i > 0)
        find_stage(self, i);
      multiply(self, i);
    }
  lac_spectra_combine(
    &self->spectra,
    &(LacCombine){
      .n_fields = self->row->n_fields,
      .n_terms = self->equation->n_planes > 0 ? 5 : 1,
      .terms = {{LAC_MODE_COMPLEX, 1, self->stages[0],
                 lac_exponential_get_weight(self, LAC_WEIGHT_E)},
                {LAC_MODE_COMPLEX, 1, n[0], lac_exponential_get_weight(self, LAC_WEIGHT_F1)},
                {LAC_MODE_COMPLEX, 1, n[1], lac_exponential_get_weight(self, LAC_WEIGHT_F2)},
                {LAC_MODE_COMPLEX, 1, n[2], lac_exponential_get_weight(self, LAC_WEIGHT_F2)},
                {LAC_MODE_COMPLEX, 1, n[3], lac_exponential_get_weight(self, LAC_WEIGHT_F3)}},
      .y = self->state,
    });
}

/* ---- memory, wavenumbers and symbols ---- */

static void
lay_out_reverse(LacExponential *self)
{
  LacSpectra *spectra = &self->spectra;

  self->slopes = lac_spectra_take(spectra, LAC_WEIGHT_N * 2 * spectra->n_modes);
  for (gsize i = 0; i < 4; i++)
    self->bars[i] = lac_spectra_take(spectra, self->length);
  self->product_bar = lac_spectra_take(spectra, self->length);
  self->state_bar = lac_spectra_take(spectra, self->length);
  self->plane_bars = lac_spectra_take(spectra, self->equation->n_planes * spectra->n_points);
  self->term = lac_spectra_take(spectra, self->row->n_fields * spectra->n_points);
  self->gradient = lac_spectra_take(spectra, 2 * spectra->n_modes);
  self->sums = lac_spectra_take(spectra, LAC_SOLVER_MAX_PARAMETERS);
  self->slots = lac_spectra_take(spectra, LAC_TRAJECTORY_SLOTS * self->length);
}

static void
lay_out(gpointer data)
{
  LacExponential *self = data;
  LacSpectra     *spectra = &self->spectra;

  self->kx = lac_spectra_take(spectra, spectra->n_modes);
  self->ky = lac_spectra_take(spectra, spectra->n_modes);
  self->laplacian = lac_spectra_take(spectra, spectra->n_modes);
  self->mask = lac_spectra_take(spectra, spectra->n_modes);
  self->coefficients = lac_spectra_take(spectra, LAC_MOST_MONOMIALS);
  self->weights = lac_spectra_take(spectra, LAC_WEIGHT_N * 2 * spectra->n_modes);
  self->state = lac_spectra_take(spectra, self->length);
  self->scratch = lac_spectra_take(spectra, self->length);
  for (gsize i = 0; i < 4; i++) {
    self->stages[i] = lac_spectra_take(spectra, self->length);
    self->products[i] = lac_spectra_take(spectra, self->length);
    self->planes[i] = lac_spectra_take(spectra, self->equation->n_planes * spectra->n_points);
  }
  self->modes = lac_spectra_take(spectra, self->n_batch * 2 * spectra->n_modes);
  self->grid = lac_spectra_take(spectra, self->n_batch * spectra->n_points);
  if (self->is_reversible)
    lay_out_reverse(self);
}

/* Arrays over the modes that are made on the host. */
typedef struct {
  double *kx, *ky, *laplacian, *mask;
} Modes;

/* Sets the wavenumbers of the mode in column @x and row @y. At a Nyquist wavenumber, which represents both signs, the
 * imaginary part of a symbol is omitted because the field would not be real. */
static void
fill_mode(LacExponential *self, const Modes *modes, gsize x, gsize y)
{
  const gsize    nx = self->spectra.nx, ny = self->spectra.ny, i = y * self->spectra.nxh + x;
  const double   row = 2 * y <= ny ? (double) y : (double) y - (double) ny;
  const double   kx = 2 * G_PI / self->side[0] * (double) x;
  const double   ky = ny > 1 ? 2 * G_PI / self->side[1] * row : 0;
  const gboolean nyquist = 2 * x == nx || 2 * y == ny;
  const gboolean is_kept = 3 * x < nx && (ny == 1 || 3 * fabs(row) < (double) ny);
  double         re[LAC_SOLVER_MAX_PARAMETERS] = {0}, im[LAC_SOLVER_MAX_PARAMETERS] = {0};

  modes->kx[i] = nyquist ? 0 : kx;
  modes->ky[i] = nyquist ? 0 : ky;
  modes->laplacian[i] = -(modes->kx[i] * modes->kx[i] + modes->ky[i] * modes->ky[i]);
  modes->mask[i] = self->equation->n_planes == 0 || is_kept;
  self->equation->symbols(kx, ky, re, im);
  for (gsize p = 0; p < self->row->n_parameters; p++) {
    self->symbols[p][2 * i] = re[p];
    self->symbols[p][2 * i + 1] = nyquist ? 0 : im[p];
  }
}

static void
fill_modes(LacExponential *self)
{
  LacSpectra        *spectra = &self->spectra;
  const gsize        n = spectra->n_modes;
  g_autofree double *host = g_new(double, 4 * n);
  const Modes        modes = {host, host + n, host + 2 * n, host + 3 * n};

  for (gsize y = 0; y < spectra->ny; y++)
    for (gsize x = 0; x < spectra->nxh; x++)
      fill_mode(self, &modes, x, y);
  lac_spectra_upload(spectra, self->kx, modes.kx, n);
  lac_spectra_upload(spectra, self->ky, modes.ky, n);
  lac_spectra_upload(spectra, self->laplacian, modes.laplacian, n);
  lac_spectra_upload(spectra, self->mask, modes.mask, n);
}

LacExponential *
lac_exponential_new(const LacSolver         *row,
                    const LacSolverSettings *settings,
                    gboolean                 is_reversible,
                    GError                 **error)
{
  const LacExponentialEquation *equation = row->equation;
  g_autoptr(LacExponential)     self = g_new0(LacExponential, 1);
  LacSpectra                   *spectra = &self->spectra;

  self->row = row;
  self->equation = equation;
  self->is_reversible = is_reversible;
  self->time_step = settings->time_step;
  self->nx_given = settings->nx;
  lac_spectra_init(spectra, &settings->device,
                   equation->is_sine ? 2 * (settings->nx - 1) : settings->nx, settings->ny);
  self->n_batch = MAX(row->n_fields, equation->n_planes);
  self->length = row->n_fields * 2 * spectra->n_modes;
  self->side[0] = (equation->is_sine ? 2 : 1) * settings->length[0];
  self->side[1] = settings->length[1];
  for (gsize p = 0; p < row->n_parameters; p++)
    self->symbols[p] = g_new0(double, 2 * spectra->n_modes);
  self->host = g_new0(double, 2 * LAC_WEIGHT_N * 2 * spectra->n_modes);
  self->host_grid = g_new0(double, row->n_fields * spectra->n_points);
  lac_spectra_allocate(spectra, lay_out, self, self->n_batch);
  if (spectra->status == LAC_STATUS_OK)
    fill_modes(self);
  lay_out_products(self);
  return lac_solver_check_status(lac_spectra_end(spectra), error) ? g_steal_pointer(&self) : NULL;
}

void
lac_exponential_free(LacExponential *self)
{
  if (!self)
    return;
  for (gsize p = 0; p < LAC_SOLVER_MAX_PARAMETERS; p++)
    g_free(self->symbols[p]);
  g_free(self->host);
  g_free(self->host_grid);
  lac_spectra_step_clear(&self->forwards);
  lac_spectra_step_clear(&self->backwards);
  lac_spectra_clear(&self->spectra);
  g_free(self);
}
