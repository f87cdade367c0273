/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adam. Source: Kingma and Ba (2015), algorithm 1. */
#include "graph/optimiser-private.h"

#include <math.h>

#define ELEMENTS 16384 /* updated by one worker at a time */

typedef struct {
  LacOptimiser *optimiser;
  LacAdam       args;
  gint          status; /* atomic: any that is not LAC_STATUS_OK */
} Update;

/* One rate over @args.n elements from @first on. */
static void
update_part(Update *update, LacAdam args, gsize first, double factor)
{
  LacDevice device = update->optimiser->device;
  gsize     shift = first * lac_type_size(update->args.type);
  LacStatus status;

  args.rate *= factor;
  args.gradient = (const guint8 *) args.gradient + shift;
  args.m = (guint8 *) args.m + shift;
  args.v = (guint8 *) args.v + shift;
  args.theta = (guint8 *) args.theta + shift;
  status = device.table->adam(device.self, &args);
  if (status != LAC_STATUS_OK)
    g_atomic_int_set(&update->status, (gint) status);
}

/* memory: m, v | gradient */
static void
lay_out(LacOptimiser *optimiser)
{
  optimiser->n_kept = 2 * optimiser->n;
  optimiser->n_scratch = optimiser->n;
  optimiser->n_numbers = LAC_N_NUMBERS;
}

static void
update_range(gsize item, guint worker, gpointer user_data)
{
  Update *update = user_data;
  LacAdam args = update->args;
  gsize   first = item * ELEMENTS, end = MIN(first + ELEMENTS, update->args.n);

  while (first < end) {
    double factor;
    gsize  next = MIN(lac_optimiser_rate_range(update->optimiser, first, &factor), end);

    args.n = next - first;
    update_part(update, args, first, factor);
    first = next;
  }
}

static gboolean
step(LacOptimiser *optimiser, gpointer theta, LacOptimiserReport *report, GError **error)
{
  const LacOptimiserSettings *settings = &optimiser->settings;
  gpointer                    gradient = lac_vector(optimiser, 2 * optimiser->n);
  double                      t = ++optimiser->numbers[LAC_NUMBER_UPDATES];
  gsize                       n_items = (optimiser->n + ELEMENTS - 1) / ELEMENTS;
  Update                      update = {
                         .optimiser = optimiser,
                         .args =
                           {
                             .type = optimiser->type,
                             .n = optimiser->n,
                             .rate = settings->rate,
                             .beta1 = settings->beta1,
                             .beta2 = settings->beta2,
                             .epsilon = settings->epsilon,
                             .correction1 = 1 / (1 - pow(settings->beta1, t)),
                             .correction2 = 1 / (1 - pow(settings->beta2, t)),
                             .gradient = gradient,
                             .m = lac_vector(optimiser, 0),
                             .v = lac_vector(optimiser, optimiser->n),
                             .theta = theta,
      },
  };

  if (!lac_optimiser_evaluate(optimiser, theta, gradient, &report->loss, error))
    return FALSE;
  lac_vector_over_pool(optimiser, n_items, update_range, &update);
  if (optimiser->status == LAC_STATUS_OK)
    optimiser->status = (LacStatus) update.status;
  return TRUE;
}

const LacMethod lac_method_adam = {
  .defaults = {.rate = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8},
  .lay_out = lay_out,
  .step = step,
};
