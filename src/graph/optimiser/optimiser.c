/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common part of the optimisers: table of kinds, settings, device memory, saving and loading state. */
#include "graph/optimiser/optimiser.h"

#include "base/error.h"
#include "graph/optimiser/optimiser-private.h"

#include <math.h>
#include <string.h>

static const LacMethod *
method_of(LacOptimiserKind kind)
{
  switch (kind) {
  case LAC_OPTIMISER_ADAM: return &lac_method_adam;
  case LAC_OPTIMISER_LBFGS: return &lac_method_lbfgs;
  case LAC_OPTIMISER_SSBROYDEN: return &lac_method_ssbroyden;
  case LAC_OPTIMISER_BFGS: return &lac_method_bfgs;
  case LAC_OPTIMISER_SSBROYDEN1: return &lac_method_ssbroyden1;
  case LAC_OPTIMISER_SSBFGS: return &lac_method_ssbfgs;
  case LAC_OPTIMISER_SOAP: return &lac_method_soap;
  case LAC_N_OPTIMISERS: break;
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
              "%s could not allocate %zu MB for the optimiser of %zu parameters: %s",
              optimiser->device.table->name,
              (optimiser->n_kept + optimiser->n_scratch) * lac_type_size(optimiser->type) >> 20,
              optimiser->n, lac_status_text(status));
  return FALSE;
}

/* Allocates on the device; a failure is noted. */
static void
take_memory(LacOptimiser *optimiser)
{
  const LacDevice device = optimiser->device;
  const gsize     n = optimiser->n_kept + optimiser->n_scratch;
  void           *memory = NULL, *numbers = NULL;

  optimiser->status = device.table->alloc(device.self, n * lac_type_size(optimiser->type), &memory);
  if (optimiser->status == LAC_STATUS_OK && optimiser->n_device_numbers > 0)
    optimiser->status =
      device.table->alloc(device.self, optimiser->n_device_numbers * sizeof(double), &numbers);
  optimiser->memory = memory;
  optimiser->device_numbers = numbers;
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

  g_return_val_if_fail(n > 0, NULL);
  optimiser->method = method_of(settings->kind);
  optimiser->settings = *settings;
  if (settings->kind == LAC_OPTIMISER_ADAM || settings->kind == LAC_OPTIMISER_SOAP)
    optimiser->settings.transform = LAC_TRANSFORM_NONE;
  optimiser->settings.ranges =
    g_memdup2(settings->ranges, settings->n_ranges * sizeof *settings->ranges);
  optimiser->settings.matrices =
    g_memdup2(settings->matrices, settings->n_matrices * sizeof *settings->matrices);
  optimiser->n = n;
  optimiser->device = device;
  optimiser->type = type;
  optimiser->pool = pool;
  optimiser->method->lay_out(optimiser);
  optimiser->numbers = g_new0(double, optimiser->n_numbers);
  optimiser->work = g_new0(double, MAX(optimiser->n_numbers, optimiser->n_work));
  take_memory(optimiser);
  if (optimiser->status != LAC_STATUS_OK) {
    check(optimiser, error);
    return NULL;
  }
  lac_memory_claim(&optimiser->claim, LAC_MEMORY_OPTIMISER,
                   (optimiser->n_kept + optimiser->n_scratch) * lac_type_size(type) +
                     (optimiser->n_numbers + MAX(optimiser->n_numbers, optimiser->n_work)) *
                       sizeof(double));
  optimiser->status =
    device.table->fill(device.self, type, optimiser->memory, 0, optimiser->n_kept);
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
  if (optimiser->device_numbers)
    optimiser->device.table->release(optimiser->device.self, optimiser->device_numbers);
  g_free((gpointer) optimiser->settings.ranges);
  g_free((gpointer) optimiser->settings.matrices);
  g_free(optimiser->numbers);
  g_free(optimiser->work);
  lac_memory_unclaim(&optimiser->claim);
  g_free(optimiser);
}

void
lac_optimiser_set_rate(LacOptimiser *optimiser, double rate)
{
  optimiser->settings.rate = rate;
}

static double
loss_behind(const LacOptimiser *optimiser, double transformed)
{
  switch (optimiser->settings.transform) {
  case LAC_TRANSFORM_NONE: return transformed;
  case LAC_TRANSFORM_SQRT: return transformed * transformed;
  case LAC_TRANSFORM_LOG: return exp(transformed);
  }
  g_assert_not_reached();
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
  report->loss = loss_behind(optimiser, report->loss);
  return check(optimiser, error);
}

gboolean
lac_optimiser_is_blind(const LacOptimiser *optimiser)
{
  return optimiser->method->advance != NULL;
}

gboolean
lac_optimiser_descend(LacOptimiser       *optimiser,
                      LacObjective       *objective,
                      LacOptimiserReport *report,
                      GError            **error)
{
  gpointer theta = lac_program_get_theta(objective->program);

  if (!optimiser->method->advance || !lac_program_reads_back(objective->program))
    return lac_optimiser_step(optimiser, theta, lac_program_evaluate, objective, report, error);
  *report = (LacOptimiserReport){.n_evaluations = 1};
  optimiser->theta = theta;
  objective->follow = optimiser->method->advance;
  objective->user_data = optimiser;
  optimiser->method->prepare(optimiser);
  return check(optimiser, error) &&
         lac_program_evaluate(theta, lac_vector(optimiser, optimiser->n_kept), &report->loss,
                              objective, error);
}

void
lac_optimiser_refresh(LacOptimiser *optimiser)
{
  optimiser->numbers[LAC_NUMBER_FRESH] = 0;
}

gboolean
lac_optimiser_precondition(LacOptimiser *optimiser, const double *x, double *y)
{
  return optimiser->method->precondition && optimiser->method->precondition(optimiser, x, y);
}

void
lac_optimiser_pack(gpointer data, LacPacking *packing)
{
  LacOptimiser *optimiser = data;

  if (packing->from)
    optimiser->yy = 0;
  lac_packing_values(packing, optimiser->numbers, optimiser->n_numbers);
  if (packing->to)
    lac_vector_read(optimiser, optimiser->memory, packing->to + packing->n, optimiser->n_kept);
  else if (packing->from)
    lac_vector_upload(optimiser, optimiser->memory, packing->from + packing->n, optimiser->n_kept);
  packing->n += optimiser->n_kept;
}
