/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adam. Source: Kingma and Ba (2015), algorithm 1. */
#include "backend/device-log.h"
#include "graph/optimiser/optimiser-private.h"

#include <math.h>

#define ELEMENTS 16384 /* elements per item of the pool */

typedef struct {
  LacOptimiser *optimiser;
  LacAdam       args;
  gsize         n_share; /* elements of an item */
  gint          status;  /* atomic: any status other than LAC_STATUS_OK */
} Update;

/* Updates @args.n elements from @first on with one rate. */
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
  optimiser->n_device_numbers = 3;
}

static void
update_range(gsize item, guint worker, gpointer user_data)
{
  Update *update = user_data;
  LacAdam args = update->args;
  gsize   first = item * update->n_share, end = MIN(first + update->n_share, update->args.n);

  while (first < end) {
    double factor;
    gsize  next = MIN(lac_optimiser_rate_range(update->optimiser, first, &factor), end);

    args.n = next - first;
    update_part(update, args, first, factor);
    first = next;
  }
}

static LacAdam
get_args(LacOptimiser *optimiser, gpointer theta)
{
  const LacOptimiserSettings *settings = &optimiser->settings;

  return (LacAdam){
    .type = optimiser->type,
    .n = optimiser->n,
    .rate = settings->rate,
    .beta1 = settings->beta1,
    .beta2 = settings->beta2,
    .epsilon = settings->epsilon,
    .gradient = lac_vector(optimiser, 2 * optimiser->n),
    .m = lac_vector(optimiser, 0),
    .v = lac_vector(optimiser, optimiser->n),
    .theta = theta,
  };
}

/* 1 / (1 - beta^t) */
static double
correct(double beta, double t)
{
  return 1 / (1 - pow(beta, t));
}

LacAdamPlaces
lac_optimiser_get_adam_places(const LacOptimiser *optimiser)
{
  const gsize first = optimiser->n_numbers;

  return (LacAdamPlaces){LAC_NUMBER_UPDATES, first, first + optimiser->n};
}

static gboolean
step(LacOptimiser *optimiser, gpointer theta, LacOptimiserReport *report, GError **error)
{
  const LacOptimiserSettings *settings = &optimiser->settings;
  const double                t = ++optimiser->numbers[LAC_NUMBER_UPDATES];
  gsize  n_share = optimiser->device.table->concurrent ? ELEMENTS : optimiser->n;
  gsize  n_items = (optimiser->n + n_share - 1) / n_share;
  Update update = {
    .optimiser = optimiser,
    .n_share = n_share,
    .args = get_args(optimiser, theta),
  };

  update.args.correction1 = correct(settings->beta1, t);
  update.args.correction2 = correct(settings->beta2, t);
  if (!lac_optimiser_evaluate(optimiser, theta, (gpointer) update.args.gradient, &report->loss,
                              error))
    return FALSE;
  lac_vector_over_pool(optimiser, n_items, update_range, &update);
  if (optimiser->status == LAC_STATUS_OK)
    optimiser->status = (LacStatus) update.status;
  return TRUE;
}

/* Sends rate and corrections: few enough bytes to be launch arguments. */
static void
prepare(LacOptimiser *optimiser)
{
  const LacOptimiserSettings *settings = &optimiser->settings;
  const LacDevice             device = optimiser->device;
  const double                t = ++optimiser->numbers[LAC_NUMBER_UPDATES];
  const double                numbers[] = {settings->rate, correct(settings->beta1, t),
                                           correct(settings->beta2, t)};

  optimiser->status = lac_device_upload(device, optimiser->device_numbers, numbers, sizeof numbers);
}

static LacStatus
advance(gpointer user_data)
{
  LacOptimiser *optimiser = user_data;
  Update        update = {
           .optimiser = optimiser,
           .n_share = optimiser->n,
           .args = get_args(optimiser, optimiser->theta),
  };

  update.args.rate = 1;
  update.args.numbers = optimiser->device_numbers;
  update_range(0, 0, &update);
  return (LacStatus) update.status;
}

const LacMethod lac_method_adam = {
  .defaults = {.rate = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8},
  .lay_out = lay_out,
  .step = step,
  .prepare = prepare,
  .advance = advance,
};
