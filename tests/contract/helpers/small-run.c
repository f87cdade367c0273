/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set-up, steps and comparisons of small runs. */
#include "small-run.h"

#include "experiment-settings.h"

#include <math.h>
#include <string.h>

const SmallRunWay small_run_plain = {"cpu", "auto", 1, 5, NULL, NULL, 0};

LacDraft *
small_run_new_draft(const LacExperiment *experiment)
{
  LacDraft *draft = lac_draft_new(&experiment->params);

  for (const ExperimentSettings *small = small_settings; small->experiment; small++)
    if (g_str_equal(small->experiment, experiment->name)) {
      apply_settings(draft, small->settings);
      return draft;
    }
  g_error("%s has no small settings in this test", experiment->name);
}

static gboolean
open_device(LacDevice *device, const SmallRunWay *way)
{
  g_autoptr(GError) error = NULL;

  if (way->open)
    return way->open(device, way->backend);
  lac_device_open(device, way->backend, &error);
  g_assert_no_error(error);
  return TRUE;
}

gboolean
small_run_init_with(SmallRun            *run,
                    const LacExperiment *experiment,
                    const SmallRunWay   *way,
                    LacMeasurements     *own)
{
  g_autoptr(GError) error = NULL;
  gsize(*sizes)[2];
  gsize n_markers = 0;

  memset(run, 0, sizeof *run);
  if (!open_device(&run->context.device, way))
    return FALSE;
  run->experiment = experiment;
  run->draft = small_run_new_draft(experiment);
  if (way->settings)
    apply_settings(run->draft, way->settings);
  run->context.measurements = g_hash_table_new(g_str_hash, g_str_equal);
  if (own) {
    apply_settings(run->draft, "measurements=own.csv");
    g_hash_table_insert(run->context.measurements, (gpointer) "measurements", own);
  }
  run->outline = lac_experiment_outline(experiment, lac_draft_get_values(run->draft));
  sizes = g_malloc0_n(run->outline.n_channels, sizeof *sizes);
  run->context.pool = lac_pool_new(way->n_threads);
  run->context.seed = way->seed;
  run->context.precision = way->precision;
  run->context.without = way->without;
  run->context.inputs = g_hash_table_new(g_str_hash, g_str_equal);
  run->state =
    experiment->create(experiment, lac_draft_get_values(run->draft), &run->context, &error);
  g_assert_no_error(error);
  g_assert_nonnull(run->state);
  run->n_steps = experiment->n_steps(run->state);
  g_assert_cmpint(run->n_steps, <=, SMALL_RUN_MAX_STEPS);
  g_assert_cmpuint(run->outline.n_metrics, <=, SMALL_RUN_MAX_METRICS);
  experiment->shapes(run->state, sizes, &n_markers);
  run->frame = lac_frame_new(run->outline.n_channels, (const gsize(*)[2]) sizes, n_markers,
                             run->outline.n_metrics);
  g_free(sizes);
  return TRUE;
}

gboolean
small_run_init(SmallRun *run, const LacExperiment *experiment, const SmallRunWay *way)
{
  return small_run_init_with(run, experiment, way, NULL);
}

void
small_run_clear(SmallRun *run)
{
  run->experiment->destroy(run->state);
  lac_frame_unref(run->frame);
  lac_outline_clear(&run->outline);
  g_hash_table_unref(run->context.inputs);
  g_hash_table_unref(run->context.measurements);
  lac_pool_free(run->context.pool);
  lac_device_close(&run->context.device);
  lac_draft_free(run->draft);
}

void
small_run_step(SmallRun *run)
{
  g_autoptr(GError) error = NULL;
  LacStepReport     report = {.metrics = run->metrics[run->n_done]};

  for (gsize i = 0; i < SMALL_RUN_MAX_METRICS; i++)
    report.metrics[i] = NAN;
  lac_experiment_step(run->experiment, run->state, &report, &error);
  g_assert_no_error(error);
  run->n_done++;
  g_assert_cmpint(report.outcome, ==,
                  run->n_done == run->n_steps ? LAC_OUTCOME_FINISHED : LAC_OUTCOME_CONTINUE);
}

void
small_run_to(SmallRun *run, gint64 n_steps)
{
  while (run->n_done < n_steps)
    small_run_step(run);
}

LacFrame *
small_run_snap(SmallRun *run)
{
  run->experiment->snapshot(run->state, run->frame, NULL);
  for (gsize i = 0; i < run->frame->n_planes; i++)
    lac_plane_measure(&run->frame->planes[i]);
  return run->frame;
}

void
assert_same_frame(SmallRun *a, SmallRun *b)
{
  const LacFrame *first = small_run_snap(a), *second = small_run_snap(b);

  for (gsize i = 0; i < first->n_planes; i++) {
    const LacPlane *p = &first->planes[i], *q = &second->planes[i];

    g_assert_cmpmem(p->data, p->nx * p->ny * sizeof(float), q->data, q->nx * q->ny * sizeof(float));
  }
}

void
assert_same_metrics(const SmallRun *a, const SmallRun *b, gint64 first)
{
  const gsize n = (gsize) (a->n_steps - first) * sizeof *a->metrics;

  g_assert_cmpint(a->n_steps, ==, b->n_steps);
  g_assert_cmpmem(a->metrics[first], n, b->metrics[first], n);
}
