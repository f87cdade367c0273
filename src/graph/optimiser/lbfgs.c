/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L-BFGS. Source: Nocedal and Wright (2006), algorithms 7.4 and 7.5. */
#include "graph/optimiser/optimiser-private.h"

#include <math.h>

#define LEAST_CURVATURE \
  1e-10 /* y.s below this fraction of |s||y| carries no information about the objective */

enum { RHO = LAC_N_NUMBERS }; /* rho of the pair in slot i: numbers[RHO + i] */
enum { YS, SS, YY, N_PRODUCTS };

/* memory: gradient, s[history], y[history] | direction, trial, trial gradient
 * numbers on the device: one of each pair; those of a new pair */
static void
lay_out(LacOptimiser *optimiser)
{
  optimiser->n_kept = (1 + 2 * (gsize) optimiser->settings.history) * optimiser->n;
  optimiser->n_scratch = 3 * optimiser->n;
  optimiser->n_numbers = RHO + optimiser->settings.history;
  optimiser->n_device_numbers = MAX(optimiser->settings.history, N_PRODUCTS);
}

static gpointer
slot_s(LacOptimiser *optimiser, guint pair)
{
  return lac_vector(optimiser, (1 + pair % optimiser->settings.history) * optimiser->n);
}

static gpointer
slot_y(LacOptimiser *optimiser, guint pair)
{
  guint history = optimiser->settings.history;

  return lac_vector(optimiser, (1 + history + pair % history) * optimiser->n);
}

/* direction = -H gradient by the two-loop recursion, of which no product is waited for. The first loop subtracts rho (s.q) y
 * from q, beginning with the gradient. The second adds rho (s.q - y.r) s to r; it is done for -r, of which it makes the
 * direction, so that each difference is a sum on the device. */
static void
find_direction(LacOptimiser *optimiser, gconstpointer gradient, gpointer direction)
{
  const guint   history = optimiser->settings.history;
  const guint   end = (guint) optimiser->numbers[LAC_NUMBER_UPDATES];
  const guint   begin = end > history ? end - history : 0;
  const double *rho = optimiser->numbers + RHO;
  double       *sums = optimiser->device_numbers;

  if (end == begin) {
    lac_vector_axpby(optimiser, -1, gradient, 0, direction);
    return;
  }
  if (optimiser->yy == 0)
    optimiser->yy =
      lac_vector_dot(optimiser, slot_y(optimiser, end - 1), slot_y(optimiser, end - 1));
  const double gamma = 1 / (rho[(end - 1) % history] * optimiser->yy);

  lac_vector_clear_numbers(optimiser, MIN(end, history));
  lac_vector_axpby(optimiser, 1, gradient, 0, direction);
  for (guint k = end; k-- > begin;) {
    lac_vector_add_dot(optimiser, slot_s(optimiser, k), direction, &sums[k % history]);
    lac_vector_add(optimiser, -rho[k % history], &sums[k % history], slot_y(optimiser, k),
                   direction);
  }
  lac_vector_axpby(optimiser, -gamma, direction, 0, direction);
  for (guint k = begin; k < end; k++) {
    lac_vector_add_dot(optimiser, slot_y(optimiser, k), direction, &sums[k % history]);
    lac_vector_add(optimiser, -rho[k % history], &sums[k % history], slot_s(optimiser, k),
                   direction);
  }
}

/* Saves the pair of a step unless its curvature is too small. Overwrites direction and gradient. */
static void
keep_pair(LacOptimiser        *optimiser,
          const LacLineSearch *search,
          gpointer             direction,
          gpointer             gradient)
{
  const guint pair = (guint) optimiser->numbers[LAC_NUMBER_UPDATES];
  double     *sums = optimiser->device_numbers, products[N_PRODUCTS] = {0};

  lac_vector_axpby(optimiser, search->length, direction, 0, direction); /* s */
  lac_vector_axpby(optimiser, 1, search->gradient, -1, gradient);       /* y */
  lac_vector_clear_numbers(optimiser, N_PRODUCTS);
  lac_vector_add_dot(optimiser, gradient, direction, &sums[YS]);
  lac_vector_add_dot(optimiser, direction, direction, &sums[SS]);
  lac_vector_add_dot(optimiser, gradient, gradient, &sums[YY]);
  lac_vector_read_numbers(optimiser, products, N_PRODUCTS);
  if (!(products[YS] > LEAST_CURVATURE * sqrt(products[SS] * products[YY])))
    return;
  lac_vector_axpby(optimiser, 1, direction, 0, slot_s(optimiser, pair));
  lac_vector_axpby(optimiser, 1, gradient, 0, slot_y(optimiser, pair));
  optimiser->numbers[RHO + pair % optimiser->settings.history] = 1 / products[YS];
  optimiser->yy = products[YY];
  optimiser->numbers[LAC_NUMBER_UPDATES]++;
}

static gboolean
step(LacOptimiser *optimiser, gpointer theta, LacOptimiserReport *report, GError **error)
{
  double       *numbers = optimiser->numbers;
  gpointer      gradient = lac_vector(optimiser, 0);
  gpointer      direction = lac_vector(optimiser, optimiser->n_kept);
  LacLineSearch search = {
    .start = theta,
    .direction = direction,
    .trial = lac_vector(optimiser, optimiser->n_kept + optimiser->n),
    .gradient = lac_vector(optimiser, optimiser->n_kept + 2 * optimiser->n),
    .first = 1,
  };

  if (numbers[LAC_NUMBER_FRESH] == 0 &&
      !lac_optimiser_evaluate(optimiser, theta, gradient, &numbers[LAC_NUMBER_LOSS], error))
    return FALSE;
  numbers[LAC_NUMBER_FRESH] = 1;
  search.loss = report->loss = numbers[LAC_NUMBER_LOSS];
  find_direction(optimiser, gradient, direction);
  search.slope = lac_vector_dot(optimiser, gradient, direction);
  if (!(search.slope < 0) && numbers[LAC_NUMBER_UPDATES] > 0) {
    numbers[LAC_NUMBER_UPDATES] = 0;
    report->restarted = TRUE;
    find_direction(optimiser, gradient, direction);
    search.slope = lac_vector_dot(optimiser, gradient, direction);
  }
  if (numbers[LAC_NUMBER_UPDATES] == 0)
    search.first = fmin(1, 1 / sqrt(-search.slope));
  if (!(search.slope < 0)) {
    report->stalled = TRUE;
    return TRUE;
  }
  if (!lac_line_search(optimiser, &search, error))
    return FALSE;
  if (search.length <= 0) {
    report->stalled = numbers[LAC_NUMBER_UPDATES] == 0;
    report->restarted = !report->stalled;
    numbers[LAC_NUMBER_UPDATES] = 0;
    return TRUE;
  }
  keep_pair(optimiser, &search, direction, gradient);
  lac_vector_axpby(optimiser, 1, search.trial, 0, theta);
  lac_vector_axpby(optimiser, 1, search.gradient, 0, gradient);
  report->loss = numbers[LAC_NUMBER_LOSS] = search.trial_loss;
  return TRUE;
}

const LacMethod lac_method_lbfgs = {
  .defaults = {.history = 50, .max_line_evaluations = 25, .curvature = 0.9},
  .lay_out = lay_out,
  .step = step,
};
