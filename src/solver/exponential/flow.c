/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of an exponential solver's flow, its wavenumbers and symbols. */
#include "solver/exponential/exponential-private.h"
#include "solver/refusal.h"

#include <math.h>

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

/* Wavenumbers of the mode in column @x and row @y; the imaginary part of a symbol would not be that of a real field at a
 * Nyquist wavenumber, which stands for both signs. */
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
