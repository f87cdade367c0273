/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lifecycle of an experiment without a run. */
#include "bench/tiers/training.h"

#include "backend/device-log.h"
#include "backend/registry.h"
#include "base/error.h"

#include <math.h>

LacBenchWay
lac_bench_way(guint n_threads, const char *precision)
{
  return (LacBenchWay){.n_threads = n_threads, .precision = precision, .cpu = {.most = LAC_CPU_V4}};
}

gboolean
lac_bench_training_set(LacBenchTraining *training, const char *key, gint64 number, GError **error)
{
  g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, number);

  return lac_draft_set(training->draft, key, text, error);
}

static gboolean
open_device(LacBenchTraining *training, GError **error)
{
  const LacBenchWay *way = &training->way;

  if (way->backend)
    return lac_device_open(&training->device, way->backend, error) &&
           lac_device_set_precision(training->device, way->precision, error);
  if (lac_cpu_open(&training->device, &way->cpu) == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the cpu backend is unavailable");
  return FALSE;
}

gboolean
lac_bench_training_open(LacBenchTraining      *training,
                        const LacBenchWay     *way,
                        const char            *experiment,
                        const LacBenchSetting *settings,
                        GError               **error)
{
  *training = (LacBenchTraining){.way = *way};
  training->experiment = lac_experiment_find(experiment, error);
  if (!training->experiment)
    return FALSE;
  if (!open_device(training, error))
    return FALSE;
  training->draft = lac_draft_new(&training->experiment->params);
  training->pool = lac_pool_new(way->n_threads);
  training->perf = lac_perf_new(LAC_PERF_COARSE);
  for (; settings->key; settings++)
    if (!lac_draft_set(training->draft, settings->key, settings->value, error))
      return FALSE;
  return TRUE;
}

gboolean
lac_bench_training_set_up(LacBenchTraining *training, GError **error)
{
  LacLane *lane = lac_perf_lane(training->perf, "compute");

  lac_device_log_open(&training->device, training->perf, lane);
  const LacContext context = {
    .device = training->device,
    .pool = training->pool,
    .perf = training->perf,
    .lane = lane,
    .precision = training->way.precision,
    .memory = training->way.cached && training->memory ? &training->memory->memory : NULL,
    .without = training->way.without,
    .seed = training->seed,
    .measurements = training->measurements,
  };
  gconstpointer values = lac_draft_get_values(training->draft);

  training->outline = lac_experiment_outline(training->experiment, values);
  training->metrics = g_new(double, training->outline.n_metrics + 1);
  training->last = g_new(double, training->outline.n_metrics + 1);
  for (gsize i = 0; i < training->outline.n_metrics; i++)
    training->last[i] = NAN;
  training->state = training->experiment->create(training->experiment, values, &context, error);
  return training->state != NULL;
}

gboolean
lac_bench_training_step(LacBenchTraining *training, LacOutcome *outcome, GError **error)
{
  LacStepReport report = {.metrics = training->metrics};

  for (gsize i = 0; i < training->outline.n_metrics; i++)
    training->metrics[i] = NAN;
  if (!lac_experiment_step(training->experiment, training->state, &report, error))
    return FALSE;
  for (gsize i = 0; i < training->outline.n_metrics; i++)
    if (isfinite(training->metrics[i]))
      training->last[i] = training->metrics[i];
  training->n_done++;
  *outcome = report.outcome;
  return TRUE;
}

gboolean
lac_bench_training_finish(LacBenchTraining *training, GError **error)
{
  LacOutcome outcome = LAC_OUTCOME_CONTINUE;

  while (outcome == LAC_OUTCOME_CONTINUE)
    if (!lac_bench_training_step(training, &outcome, error))
      return FALSE;
  return TRUE;
}

double
lac_bench_training_get(const LacBenchTraining *training, const char *key)
{
  for (gsize i = 0; i < training->outline.n_metrics; i++)
    if (g_str_equal(training->outline.metrics[i].key, key))
      return training->last[i];
  return NAN;
}

void
lac_bench_training_close(LacBenchTraining *training)
{
  if (training->state)
    training->experiment->destroy(training->state);
  lac_outline_clear(&training->outline);
  g_clear_pointer(&training->measurements, g_hash_table_unref);
  g_free(training->metrics);
  g_free(training->last);
  if (training->perf)
    lac_perf_free(training->perf);
  if (training->pool)
    lac_pool_free(training->pool);
  lac_draft_free(training->draft);
  if (training->device.table)
    lac_device_close(&training->device);
  *training = (LacBenchTraining){0};
}

void
lac_bench_add_quality(LacBenchFile *file,
                      const char   *name,
                      const char   *metric,
                      double        value,
                      double        limit)
{
  const LacBenchRow row = {
    .name = name, .metric = metric, .unit = "1", .kind = LAC_BENCH_QUALITY, .limit = limit};

  lac_bench_row_sample(lac_bench_file_add(file, &row), value);
}
