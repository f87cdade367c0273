/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling of the unit cube with rejection, and selection among candidates. */
#include "experiment/flow/methods/pinn/points.h"

#include "base/error.h"

#include <math.h>

#define MOST_TRIES 100000 /* per point */

static gsize
find_cell(double x, double lower, double upper, gsize n)
{
  const double at = n > 1 && upper > lower ? (x - lower) / (upper - lower) * (double) (n - 1) : 0;

  return (gsize) CLAMP(floor(at + 0.5), 0, (double) (n - 1));
}

static gboolean
contains(const LacPinnDomain *domain, const double *x)
{
  const LacCase  *subject = domain->subject;
  const LacTruth *grid = domain->grid;
  const guint     first = lac_case_first_axis(subject);
  const double   *place = x + first;

  if (subject->pde->n_axes - first < 2)
    return TRUE;
  for (gsize i = 0; i < subject->n_holes; i++)
    if (lac_hole_contains(&subject->holes[i], place[0], place[1]))
      return FALSE;
  if (grid && grid->mask)
    return grid->mask[find_cell(place[1], grid->lower[1], grid->upper[1], grid->ny) * grid->nx +
                      find_cell(place[0], grid->lower[0], grid->upper[0], grid->nx)] != 0;
  return TRUE;
}

/* Computes the direction numbers m_k of the first axes; the first axis is the van der Corput sequence. */
static void
make_directions(guint axis, guint32 *directions)
{
  static const guint   degrees[] = {0, 1, 2, 3};
  static const guint   polynomials[] = {0, 0, 1, 1};
  static const guint32 starts[][3] = {{0}, {1}, {1, 3}, {1, 3, 1}};
  const guint          s = degrees[axis];

  for (guint k = 0; k < 32; k++) {
    if (s == 0) {
      directions[k] = 1u << (31 - k);
      continue;
    }
    if (k < s) {
      directions[k] = starts[axis][k] << (31 - k);
      continue;
    }
    directions[k] = directions[k - s] ^ (directions[k - s] >> s);
    for (guint i = 1; i < s; i++)
      if ((polynomials[axis] >> (s - 1 - i)) & 1)
        directions[k] ^= directions[k - i];
  }
}

static void
fill_sobol(LacRng *rng, gsize n, guint n_axes, double *unit)
{
  for (guint axis = 0; axis < n_axes; axis++) {
    const guint32 shift = lac_rng_word(rng);
    guint32       directions[32], word = 0;

    make_directions(axis, directions);
    for (gsize i = 0; i < n; i++) {
      unit[i * n_axes + axis] = ((double) (word ^ shift) + 0.5) / 4294967296.0;
      word ^= directions[g_bit_nth_lsf(~(gulong) i, -1)];
    }
  }
}

static void
fill_latin(LacRng *rng, gsize n, guint n_axes, gsize *order, double *unit)
{
  for (guint axis = 0; axis < n_axes; axis++) {
    for (gsize i = 0; i < n; i++)
      order[i] = i;
    lac_rng_shuffle(rng, order, n);
    for (gsize i = 0; i < n; i++)
      unit[i * n_axes + axis] = ((double) order[i] + lac_rng_uniform(rng)) / (double) n;
  }
}

void
lac_sampling_fill(LacSampling sampling,
                  LacRng     *rng,
                  gsize       n,
                  guint       n_axes,
                  gsize      *order,
                  double     *unit)
{
  g_return_if_fail(n_axes <= 4);
  switch (sampling) {
  case LAC_SAMPLING_LATIN: fill_latin(rng, n, n_axes, order, unit); break;
  case LAC_SAMPLING_SOBOL: fill_sobol(rng, n, n_axes, unit); break;
  case LAC_SAMPLING_UNIFORM:
    for (gsize i = 0; i < n * n_axes; i++)
      unit[i] = lac_rng_uniform(rng);
    break;
  }
}

static void
place(const LacPinnDomain *domain, double *x)
{
  const LacCase *subject = domain->subject;

  for (guint j = 0; j < subject->pde->n_axes; j++) {
    const double length = subject->upper[j] - subject->lower[j];
    const double part = j == 0 && !subject->steady ? domain->last : 1;

    if (domain->half && j == subject->mirror)
      x[j] = subject->upper[j] - length / 2 * x[j];
    else
      x[j] = subject->lower[j] + part * length * x[j];
  }
}

gboolean
lac_pinn_domain_sample(const LacPinnDomain *domain,
                       LacSampling          sampling,
                       LacRng              *rng,
                       gsize                n,
                       double              *x,
                       GError             **error)
{
  const guint n_axes = domain->subject->pde->n_axes;

  lac_sampling_fill(sampling, rng, n, n_axes, domain->order, x);
  for (gsize i = 0; i < n; i++) {
    double *point = x + i * n_axes;
    guint   tries = 0;

    place(domain, point);
    while (!contains(domain, point)) {
      if (++tries > MOST_TRIES) {
        g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                    "%d random points all lie in holes of the domain; make the holes smaller",
                    MOST_TRIES);
        return FALSE;
      }
      lac_sampling_fill(LAC_SAMPLING_UNIFORM, rng, 1, n_axes, domain->order, point);
      place(domain, point);
    }
  }
  return TRUE;
}

/* ---- residual-adaptive points ---- */

/* Exponential keys: candidate i draws an exponential variate with its weight as rate; the n smallest are chosen. */

/* Returns keys[n] of the sorted array; Hoare (1961), algorithm 65. Reorders @keys. */
static double
nth_smallest(double *keys, gsize n_keys, gsize n)
{
  gssize low = 0, high = (gssize) n_keys - 1, wanted = (gssize) n;

  while (low < high) {
    const double pivot = keys[wanted];
    gssize       i = low, j = high;

    while (i <= j) {
      while (keys[i] < pivot)
        i++;
      while (pivot < keys[j])
        j--;
      if (i <= j) {
        const double kept = keys[i];

        keys[i++] = keys[j];
        keys[j--] = kept;
      }
    }
    if (j < wanted)
      low = i;
    if (wanted < i)
      high = j;
  }
  return keys[wanted];
}

void
lac_collocation_weigh(const double *residuals,
                      gsize         n_pool,
                      double        power,
                      double        offset,
                      double       *weights)
{
  double mean = 0;

  for (gsize i = 0; i < n_pool; i++) {
    weights[i] = power == 1 ? fabs(residuals[i]) : pow(fabs(residuals[i]), power);
    mean += weights[i];
  }
  mean /= (double) n_pool;
  for (gsize i = 0; i < n_pool; i++)
    weights[i] = mean > 0 ? MAX(weights[i] / mean + offset, 1e-12) : 1;
}

void
lac_collocation_choose_weighted(LacRng       *rng,
                                const double *weights,
                                double       *keys,
                                gsize         n_pool,
                                gsize        *chosen,
                                gsize         n)
{
  const LacRng start = *rng;
  double       last;
  gsize        n_chosen = 0;

  g_return_if_fail(n <= n_pool);
  if (n == 0)
    return;
  for (gsize i = 0; i < n_pool; i++)
    keys[i] = -log(1 - lac_rng_uniform(rng)) / weights[i];
  last = nth_smallest(keys, n_pool, n - 1);
  *rng = start; /* draws the same keys again, in the order of the candidates */
  for (gsize i = 0; i < n_pool; i++) {
    const double time = -log(1 - lac_rng_uniform(rng)) / weights[i];

    if (time <= last && n_chosen < n)
      chosen[n_chosen++] = i;
  }
}
