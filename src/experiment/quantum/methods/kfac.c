/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Method "kfac": the natural gradient with a Fisher matrix that is a Kronecker product per layer; scalar blocks have
 * a diagonal one. Source: Pfau et al. (2020), doi:10.1103/PhysRevResearch.2.033429, section "Optimization" */
#include "experiment/quantum/methods/kfac.h"

#include "backend/dense.h"
#include "base/memory-part.h"
#include "experiment/quantum/methods/energy-method.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define MEMORY 0.95 /* decay of the factors per step */

/* ---- two Cholesky solves, one from each side ---- */

static double
mean_of_diagonal(const double *matrix, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += matrix[i * n + i];
  return sum / (double) n;
}

static void
copy_damped(const double *matrix, gsize n, double damping, double *to)
{
  memcpy(to, matrix, n * n * sizeof *to);
  for (gsize i = 0; i < n; i++)
    to[i * n + i] += damping;
}

static void
transpose(const double *matrix, gsize rows, gsize columns, double *to)
{
  for (gsize i = 0; i < rows; i++)
    for (gsize k = 0; k < columns; k++)
      to[k * rows + i] = matrix[i * columns + k];
}

gboolean
lac_kronecker_solve(const LacKroneckerBlock *block,
                    double                   damping,
                    const double            *gradient,
                    double                  *step,
                    double                  *work)
{
  const gsize  rows = block->rows, columns = block->columns;
  const double in = mean_of_diagonal(block->a, rows);
  const double out = mean_of_diagonal(block->g, columns);
  const double share = sqrt(damping / (double) block->repeats);
  const double pi = sqrt(MAX(in, 1e-30) / MAX(out, 1e-30));
  double      *a = work, *g = a + rows * rows, *turned = g + columns * columns;

  if (!isfinite(in) || !isfinite(out))
    return FALSE;
  copy_damped(block->a, rows, pi * share, a);
  copy_damped(block->g, columns, share / pi, g);
  memcpy(step, gradient, rows * columns * sizeof *step);
  if (!lac_dense_cholesky_solve(a, rows, step, columns))
    return FALSE;
  transpose(step, rows, columns, turned);
  if (!lac_dense_cholesky_solve(g, columns, turned, rows))
    return FALSE;
  transpose(turned, columns, rows, step);
  for (gsize i = 0; i < rows * columns; i++)
    step[i] /= (double) block->repeats;
  return TRUE;
}

/* ---- the method ---- */

typedef struct {
  gsize a, g; /* offsets of the block's factors in the state */
  gsize n_a, n_g;
} Place;

typedef struct {
  LacMethodMemory   memory; /* total weight of the past, then the weighted sums of the factors */
  LacMethodSettings settings;
  gsize             n_params, n_blocks;
  const LacParameterBlock *blocks;
  Place                   *places;          /* [n_blocks] */
  double                  *fresh;           /* factors of the largest block, one batch */
  double                  *mean_a, *mean_g; /* the same, averaged over batches */
  double                  *sums;            /* [memory.n]: the factors of this batch */
  double                  *seed, *gradient, *part, *step, *work;
  LacMemoryClaim           claim;
} Kfac;

static void
destroy(gpointer data)
{
  Kfac *self = data;

  g_free(self->places);
  g_free(self->memory.numbers);
  g_free(self->fresh);
  g_free(self->mean_a);
  g_free(self->mean_g);
  g_free(self->seed);
  g_free(self->gradient);
  g_free(self->part);
  g_free(self->sums);
  g_free(self->step);
  g_free(self->work);
  lac_memory_unclaim(&self->claim);
  g_free(self);
}

static gpointer
create(const LacMethodSettings *settings, GError **error G_GNUC_UNUSED)
{
  Kfac *self = g_new0(Kfac, 1);
  gsize most_a = 0, most_g = 0, most_work = 0;

  self->settings = *settings;
  self->n_params = lac_wavefunction_get_n_params(settings->wave);
  self->blocks = lac_wavefunction_get_blocks(settings->wave, &self->n_blocks);
  self->places = g_new0(Place, self->n_blocks);
  self->memory.n = 1;
  for (gsize i = 0; i < self->n_blocks; i++) {
    const LacParameterBlock *block = &self->blocks[i];
    const gboolean           is_matrix = block->kind != LAC_BLOCK_SINGLE;
    Place                   *place = &self->places[i];

    place->n_a = is_matrix ? block->rows * block->rows : 0;
    place->n_g = is_matrix ? block->columns * block->columns : block->rows * block->columns;
    place->a = self->memory.n;
    place->g = place->a + place->n_a;
    self->memory.n = place->g + place->n_g;
    most_a = MAX(most_a, place->n_a);
    most_g = MAX(most_g, place->n_g);
    most_work = MAX(most_work, LAC_KRONECKER_WORK(block->rows, block->columns));
  }
  self->memory.numbers = g_new0(double, self->memory.n);
  self->sums = g_new0(double, self->memory.n);
  self->fresh = g_new0(double, most_a + most_g);
  self->mean_a = g_new0(double, most_a);
  self->mean_g = g_new0(double, most_g);
  self->seed = g_new0(double, settings->n_walkers);
  self->gradient = g_new0(double, self->n_params);
  self->part = g_new0(double, self->n_params);
  self->step = g_new0(double, self->n_params);
  self->work = g_new0(double, most_work);
  lac_memory_claim(&self->claim, LAC_MEMORY_OPTIMISER,
                   sizeof(double) * (2 * self->memory.n + 2 * (most_a + most_g) + most_work +
                                     settings->n_walkers + 2 * self->n_params));
  lac_memory_claim(&self->claim, LAC_MEMORY_GRADIENTS, sizeof(double) * self->n_params);
  return self;
}

static void
remember(double *sums, const double *fresh, gsize n, double weight, double *mean)
{
  for (gsize i = 0; i < n; i++) {
    sums[i] = MEMORY * sums[i] + fresh[i];
    mean[i] = sums[i] / weight;
  }
}

/* Adds gradient and factors of @n walkers, those after the first @first. */
static void
gather_part(Kfac *self, const double *theta, const double *positions, gsize first, gsize n)
{
  LacWavefunction *wave = self->settings.wave;
  const double     share = (double) n / (double) self->settings.n_walkers;

  lac_wavefunction_tape(wave, theta, positions + first * 3 * lac_wavefunction_get_n_electrons(wave),
                        n, NULL, NULL);
  lac_wavefunction_gradient(wave, self->seed + first, self->part);
  for (gsize p = 0; p < self->n_params; p++)
    self->gradient[p] += self->part[p];
  for (gsize i = 0; i < self->n_blocks; i++) {
    const Place *place = &self->places[i];
    double      *to = self->sums + place->a;

    lac_wavefunction_factors(wave, i, self->fresh, self->fresh + place->n_a);
    for (gsize k = 0; k < place->n_a + place->n_g; k++)
      to[k] += share * self->fresh[k];
  }
}

/* Sums gradient and factors over all walkers, as many at a time as are held in memory. */
static void
gather(Kfac *self, const double *theta, const double *positions)
{
  const gsize n = self->settings.n_walkers;
  const gsize most = self->settings.at_once > 0 ? MIN(self->settings.at_once, n) : n;

  memset(self->gradient, 0, self->n_params * sizeof *self->gradient);
  memset(self->sums, 0, self->memory.n * sizeof *self->sums);
  for (gsize first = 0; first < n; first += most)
    gather_part(self, theta, positions, first, MIN(most, n - first));
}

/* Computes the step of one block. */
static gboolean
solve_block(Kfac *self, gsize i, double damping)
{
  const LacParameterBlock *block = &self->blocks[i];
  const Place             *place = &self->places[i];
  const double            *gradient = self->gradient + block->offset;
  double                  *step = self->step + block->offset;

  remember(self->memory.numbers + place->a, self->sums + place->a, place->n_a,
           self->memory.numbers[0], self->mean_a);
  remember(self->memory.numbers + place->g, self->sums + place->g, place->n_g,
           self->memory.numbers[0], self->mean_g);
  if (block->kind != LAC_BLOCK_SINGLE) {
    const LacKroneckerBlock known = {block->rows, block->columns, block->repeats, self->mean_a,
                                     self->mean_g};

    return lac_kronecker_solve(&known, damping, gradient, step, self->work);
  }
  for (gsize k = 0; k < place->n_g; k++)
    step[k] = gradient[k] / (self->mean_g[k] + damping);
  return TRUE;
}

static gboolean
step(gpointer data, double *theta, const LacMethodBatch *batch, const LacMethodTunables *tunables)
{
  Kfac       *self = data;
  const gsize n = self->settings.n_walkers;
  double      length = 0, rate = tunables->rate;

  for (gsize b = 0; b < n; b++)
    self->seed[b] = batch->energies[b] / (double) n;
  gather(self, theta, batch->positions);
  self->memory.numbers[0] = MEMORY * self->memory.numbers[0] + 1;
  for (gsize i = 0; i < self->n_blocks; i++)
    if (!solve_block(self, i, tunables->damping))
      return FALSE;
  for (gsize p = 0; p < self->n_params; p++)
    length += self->step[p] * self->gradient[p];
  length *= rate * rate;
  if (!isfinite(length))
    return FALSE;
  if (length > tunables->norm)
    rate *= sqrt(tunables->norm / length);
  for (gsize p = 0; p < self->n_params; p++)
    theta[p] -= rate * self->step[p];
  return TRUE;
}

static void
describe(gconstpointer self G_GNUC_UNUSED, LacUpdate *update)
{
  *update = (LacUpdate){.kind = LAC_UPDATE_HOST};
}

const LacEnergyMethod lac_energy_method_kfac = {
  .name = "kfac",
  .needs_factors = TRUE,
  .title = N_("KFAC: natural gradient by Kronecker factors"),
  .source = "Martens, Grosse (2015), arXiv 1503.05671",
  .create = create,
  .destroy = destroy,
  .describe = describe,
  .step = step,
  .pack = lac_method_memory_pack,
};
