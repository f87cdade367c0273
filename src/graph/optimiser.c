/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one face of the optimisers: settings, memory on the device, state in and out. */
#include "graph/optimiser.h"

#include "base/error.h"
#include "graph/optimiser-private.h"

#include <string.h>

static const LacMethod *
method_of(LacOptimiserKind kind)
{
  switch (kind) {
  case LAC_OPTIMISER_ADAM: return &lac_method_adam;
  case LAC_OPTIMISER_LBFGS: return &lac_method_lbfgs;
  case LAC_OPTIMISER_SSBROYDEN: return &lac_method_ssbroyden;
  case LAC_OPTIMISER_BFGS: return &lac_method_bfgs;
  }
  g_assert_not_reached();
}

LacOptimiserSettings
lac_optimiser_defaults(LacOptimiserKind kind)
{
  LacOptimiserSettings settings = method_of(kind)->defaults;

  settings.kind = kind;
  return settings;
}

static gboolean
check(LacOptimiser *optimiser, GError **error)
{
  LacStatus status = optimiser->status;

  optimiser->status = LAC_STATUS_OK;
  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
              "%s could not keep %zu MB for the optimiser of %zu parameters: %s",
              optimiser->device.table->name,
              (optimiser->n_kept + optimiser->n_scratch) * lac_type_size(optimiser->type) >> 20,
              optimiser->n, lac_status_text(status));
  return FALSE;
}

LacOptimiser *
lac_optimiser_new(const LacOptimiserSettings *settings,
                  gsize                       n,
                  LacDevice                   device,
                  LacType                     type,
                  LacPool                    *pool,
                  GError                    **error)
{
  g_autoptr(LacOptimiser) optimiser = g_new0(LacOptimiser, 1);
  void                   *memory = NULL;

  g_return_val_if_fail(n > 0, NULL);
  optimiser->method = method_of(settings->kind);
  optimiser->settings = *settings;
  optimiser->n = n;
  optimiser->device = device;
  optimiser->type = type;
  optimiser->pool = pool;
  optimiser->method->lay_out(optimiser);
  optimiser->numbers = g_new0(double, optimiser->n_numbers);
  optimiser->work = g_new0(double, optimiser->n_numbers);
  optimiser->status = device.table->alloc(
    device.self, (optimiser->n_kept + optimiser->n_scratch) * lac_type_size(type), &memory);
  if (optimiser->status != LAC_STATUS_OK) {
    check(optimiser, error);
    return NULL;
  }
  optimiser->memory = memory;
  optimiser->status = device.table->fill(device.self, type, memory, 0, optimiser->n_kept);
  if (optimiser->method->start)
    optimiser->method->start(optimiser);
  return check(optimiser, error) ? g_steal_pointer(&optimiser) : NULL;
}

void
lac_optimiser_free(LacOptimiser *optimiser)
{
  if (!optimiser)
    return;
  if (optimiser->memory)
    optimiser->device.table->release(optimiser->device.self, optimiser->memory);
  g_free(optimiser->numbers);
  g_free(optimiser->work);
  g_free(optimiser);
}

void
lac_optimiser_set_rate(LacOptimiser *optimiser, double rate)
{
  optimiser->settings.rate = rate;
}

gboolean
lac_optimiser_step(LacOptimiser       *optimiser,
                   gpointer            theta,
                   LacEvaluate         evaluate,
                   gpointer            user_data,
                   LacOptimiserReport *report,
                   GError            **error)
{
  LacOptimiserReport own;

  report = report ? report : &own;
  memset(report, 0, sizeof *report);
  optimiser->evaluate = evaluate;
  optimiser->user_data = user_data;
  optimiser->n_evaluations = 0;
  if (!optimiser->method->step(optimiser, theta, report, error))
    return FALSE;
  report->n_evaluations = optimiser->n_evaluations;
  return check(optimiser, error);
}

void
lac_optimiser_refresh(LacOptimiser *optimiser)
{
  optimiser->numbers[LAC_NUMBER_FRESH] = 0;
}

gsize
lac_optimiser_get_state_length(const LacOptimiser *optimiser)
{
  return optimiser->n_numbers + optimiser->n_kept;
}

void
lac_optimiser_save(const LacOptimiser *optimiser, double *state)
{
  LacDevice device = optimiser->device;
  double   *vectors = state + optimiser->n_numbers;
  gsize     n = optimiser->n_kept;

  memcpy(state, optimiser->numbers, optimiser->n_numbers * sizeof *state);
  device.table->download(device.self, vectors, optimiser->memory,
                         n * lac_type_size(optimiser->type));
  if (optimiser->type == LAC_F32) {
    /* from the end, so that no float is overwritten before it was read */
    for (gsize i = n; i-- > 0;) {
      float narrow;

      memcpy(&narrow, (const guint8 *) vectors + i * sizeof narrow, sizeof narrow);
      vectors[i] = (double) narrow;
    }
  }
}

gboolean
lac_optimiser_load(LacOptimiser *optimiser, const double *state, gsize length, GError **error)
{
  LacDevice     device = optimiser->device;
  const double *vectors = state + optimiser->n_numbers;
  gsize         n = optimiser->n_kept;

  if (length != lac_optimiser_get_state_length(optimiser)) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "the optimiser's memory has %zu numbers where %zu are expected: it belongs to other settings",
      length, lac_optimiser_get_state_length(optimiser));
    return FALSE;
  }
  memcpy(optimiser->numbers, state, optimiser->n_numbers * sizeof *state);
  if (optimiser->type == LAC_F64) {
    optimiser->status =
      device.table->upload(device.self, optimiser->memory, vectors, n * sizeof *vectors);
  } else {
    g_autofree float *narrow = g_new(float, n);

    for (gsize i = 0; i < n; i++)
      narrow[i] = (float) vectors[i];
    optimiser->status =
      device.table->upload(device.self, optimiser->memory, narrow, n * sizeof *narrow);
  }
  return check(optimiser, error);
}

/* ---- vectors ---- */

static void
keep_status(LacOptimiser *optimiser, LacStatus status)
{
  if (optimiser->status == LAC_STATUS_OK)
    optimiser->status = status;
}

gpointer
lac_vector(LacOptimiser *optimiser, gsize offset)
{
  return optimiser->memory + offset * lac_type_size(optimiser->type);
}

double
lac_vector_dot(LacOptimiser *optimiser, gconstpointer x, gconstpointer y)
{
  double out = 0;
  LacDot args = {.type = optimiser->type, .n = optimiser->n, .x = x, .y = y, .out = &out};

  keep_status(optimiser, optimiser->device.table->dot(optimiser->device.self, &args));
  return out;
}

void
lac_vector_axpby(LacOptimiser *optimiser, double alpha, gconstpointer x, double beta, gpointer y)
{
  LacStrided args = {
    .type = optimiser->type,
    .n_rows = 1,
    .n_columns = optimiser->n,
    .alpha = alpha,
    .beta = beta,
    .x = x,
    .y = y,
  };
  keep_status(optimiser, optimiser->device.table->strided(optimiser->device.self, &args));
}

void
lac_vector_fill(LacOptimiser *optimiser, gpointer y, double value)
{
  LacDevice device = optimiser->device;

  keep_status(optimiser, device.table->fill(device.self, optimiser->type, y, value, optimiser->n));
}

void
lac_vector_over_pool(LacOptimiser *optimiser, gsize n_items, LacPoolFunc func, gpointer user_data)
{
  if (optimiser->pool && optimiser->device.table->concurrent) {
    lac_pool_run(optimiser->pool, n_items, func, user_data);
    return;
  }
  for (gsize i = 0; i < n_items; i++)
    func(i, 0, user_data);
}

gboolean
lac_optimiser_evaluate(LacOptimiser *optimiser,
                       gconstpointer theta,
                       gpointer      gradient,
                       double       *loss,
                       GError      **error)
{
  optimiser->n_evaluations++;
  return optimiser->evaluate(theta, gradient, loss, optimiser->user_data, error);
}
