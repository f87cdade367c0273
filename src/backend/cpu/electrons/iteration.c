/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In sequence: a few operations per walker and per parameter. */
#include "backend/cpu/electrons/iteration.h"

#include "backend/electron-energy.h"
#include "backend/electron-moves.h"

#include <glib.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

LacStatus
lac_cpu_adapt(void *self, const LacElectronBatch *batch, const LacElectronAdapt *args)
{
  double accepted = 0;

  for (gsize b = 0; b < batch->n; b++)
    accepted += args->accepted[b];
  const double acceptance = accepted / (double) (batch->n * args->n_moves);

  args->walk[LAC_WALK_WIDTH] =
    lac_adapted_width(args->walk[LAC_WALK_WIDTH], acceptance, args->target, args->gain);
  args->walk[LAC_WALK_STEP] += args->n_moves;
  args->reported[LAC_REPORTED_ACCEPTANCE] = acceptance;
  args->reported[LAC_REPORTED_WIDTH] = args->walk[LAC_WALK_WIDTH];
  return LAC_STATUS_OK;
}

/* ---- energies, and their contribution to the gradient ---- */

LacStatus
lac_cpu_energies(void *self, const LacElectronBatch *batch, const LacElectronEnergies *args)
{
  const LacElectronShape *shape = batch->shape;

  for (gsize b = 0; b < batch->n; b++) {
    double attraction, repulsion;

    lac_potential(batch->nuclei, args->charges, shape->n_nuclei,
                  batch->positions + 3 * b * shape->n_electrons, shape->n_electrons, &attraction,
                  &repulsion);
    args->energies[b] = args->kinetic[b] + attraction + repulsion + args->repulsion;
  }
  return LAC_STATUS_OK;
}

static int
compare_numbers(const void *a, const void *b)
{
  const double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

static double
get_median(const double *sorted, gsize n)
{
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

LacStatus
lac_cpu_clip(void *self, const LacElectronBatch *batch, const LacElectronClip *args)
{
  gsize  n = 0;
  double sum = 0, squares = 0, deviations = 0, centre = 0;

  for (gsize b = 0; b < batch->n; b++)
    if (isfinite(args->energies[b]))
      args->sorted[n++] = args->energies[b];
  qsort(args->sorted, n, sizeof *args->sorted, compare_numbers);
  const double good = (double) n, median = n > 0 ? get_median(args->sorted, n) : 0;

  for (gsize i = 0; i < n; i++) {
    const double above = args->sorted[i] - median;

    sum += above;
    squares += above * above;
    deviations += fabs(above);
  }
  const double bound = args->width * deviations / good;

  for (gsize i = 0; i < n; i++)
    centre += CLAMP(args->sorted[i] - median, -bound, bound) / good;
  for (gsize b = 0; b < batch->n; b++)
    args->clipped[b] =
      isfinite(args->energies[b]) ? CLAMP(args->energies[b] - median, -bound, bound) - centre : 0;
  args->reported[LAC_REPORTED_N_GOOD] = good;
  args->reported[LAC_REPORTED_MEAN] = n > 0 ? median + sum / good : (double) NAN;
  args->reported[LAC_REPORTED_VARIANCE] =
    n > 0 ? MAX(0, squares - sum * sum / good) / MAX(1, good - 1) : (double) NAN;
  return LAC_STATUS_OK;
}

LacStatus
lac_cpu_reseed(void *self, const LacElectronBatch *batch, const LacElectronReseed *args)
{
  const gsize n = batch->n, width = 3 * batch->shape->n_electrons;

  for (gsize b = 0; b < n; b++) {
    gsize other = b;

    for (gsize k = 1; k < n && !isfinite(args->energies[other]); k++)
      other = (b + k) % n;
    if (other == b || !isfinite(args->energies[other]))
      continue;
    memcpy(args->positions + b * width, args->positions + other * width, width * sizeof(double));
    if (args->gradient)
      memcpy(args->gradient + b * width, args->gradient + other * width, width * sizeof(double));
    args->log_abs[b] = args->log_abs[other];
  }
  return LAC_STATUS_OK;
}

/* ---- the step of the optimiser ---- */

LacStatus
lac_cpu_centre(void *self, const LacElectronBatch *batch, const LacElectronCentre *args)
{
  const gsize  n = batch->n;
  const double factor = args->factor ? *args->factor : -1;
  double       mean = 0;

  for (gsize b = 0; b < n; b++)
    mean += args->y[b] / (double) n;
  for (gsize b = 0; b < n; b++)
    args->y[b] = args->scale * ((args->add ? args->add[b] : 0) - factor * (args->y[b] - mean));
  return LAC_STATUS_OK;
}

static gboolean
is_good(const LacElectronKept *kept, gsize n)
{
  return (double) n - kept->reported[LAC_REPORTED_N_GOOD] <= kept->most_bad;
}

LacStatus
lac_cpu_remember(void *self, const LacElectronBatch *batch, const LacElectronKept *args)
{
  if (!is_good(args, batch->n))
    return LAC_STATUS_OK;
  memcpy(args->theta_before, args->theta, batch->shape->n_params * sizeof(double));
  memcpy(args->memory_before, args->memory, args->n_memory * sizeof(double));
  return LAC_STATUS_OK;
}

LacStatus
lac_cpu_conclude(void *self, const LacElectronBatch *batch, const LacElectronKept *args)
{
  const gsize    n_params = batch->shape->n_params;
  const gboolean right = is_good(args, batch->n) && isfinite(*args->length) &&
                         !(args->info && (args->info[0] || args->info[1]));

  if (!right) {
    memcpy(args->theta, args->theta_before, n_params * sizeof(double));
    memcpy(args->memory, args->memory_before, args->n_memory * sizeof(double));
  }
  for (gsize p = 0; p < n_params && args->tunables[LAC_TUNABLE_SUMMED] != 0; p++)
    args->theta_sum[p] += args->theta[p];
  args->reported[LAC_REPORTED_RESTORED] = right ? 0 : args->reported[LAC_REPORTED_RESTORED] + 1;
  return LAC_STATUS_OK;
}

LacStatus
lac_cpu_count(void *self, const LacElectronBatch *batch, const LacElectronCount *args)
{
  const double t = ++*args->updates;

  args->numbers[0] = args->tunables[LAC_TUNABLE_RATE];
  args->numbers[1] = 1 / (1 - pow(args->beta1, t));
  args->numbers[2] = 1 / (1 - pow(args->beta2, t));
  return LAC_STATUS_OK;
}

LacStatus
lac_cpu_descend(void *self, const LacElectronBatch *batch, const LacElectronDescend *args)
{
  const double rate = args->tunables[LAC_TUNABLE_RATE], norm = args->tunables[LAC_TUNABLE_NORM];
  const double square = *args->length * rate * rate;
  const double limited = square > norm ? rate * sqrt(norm / square) : rate;

  for (gsize p = 0; p < batch->shape->n_params; p++) {
    args->last[p] = args->step[p];
    args->theta[p] -= limited * args->step[p];
  }
  return LAC_STATUS_OK;
}
