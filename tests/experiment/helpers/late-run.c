/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "late-run.h"

#include <math.h>

void
late_rows_finish(LateRows *rows, guint n_open)
{
  g_autoptr(GError) error = NULL;

  for (; rows->n_steps - rows->n_finished > n_open; rows->n_finished++) {
    LacStepReport report = {.metrics = rows->rows[rows->n_finished]};

    g_assert_true(lac_pending_finish(&rows->pending[rows->n_finished], &report, &error));
    g_assert_cmpint(report.outcome, ==, LAC_OUTCOME_CONTINUE);
  }
}

LacOutcome
late_rows_step(LateRows *rows, const LacExperiment *experiment, gpointer state, gboolean may_lag)
{
  LacStepReport     report = {.metrics = rows->rows[rows->n_steps]};
  g_autoptr(GError) error = NULL;

  g_assert_cmpuint(rows->n_steps, <, LATE_MOST_STEPS);
  for (gsize i = 0; i < LATE_MOST_METRICS; i++)
    report.metrics[i] = NAN;
  g_assert_true(experiment->step(state, &report, &error));
  rows->pending[rows->n_steps++] = report.pending;
  while (rows->n_finished < rows->n_steps && lac_pending_is_ready(&rows->pending[rows->n_finished]))
    late_rows_finish(rows, (guint) (rows->n_steps - rows->n_finished - 1));
  late_rows_finish(rows, may_lag ? LAC_STEP_MOST_OPEN - 1 : 0);
  rows->most_open = MAX(rows->most_open, (guint) (rows->n_steps - rows->n_finished));
  return report.outcome;
}

gpointer
late_run_new(const LateBed *bed, LacContext *context, LacDraft **draft)
{
  const LacExperiment *experiment = lac_experiment_find(bed->experiment, NULL);
  g_autoptr(GError)    error = NULL;
  gpointer             state;

  *draft = lac_draft_new(&experiment->params);
  context->seed = 3;
  context->precision = bed->precision ? bed->precision : "f32";
  for (gsize i = 0; bed->settings[i] && !error; i += 2)
    lac_draft_set(*draft, bed->settings[i], bed->settings[i + 1], &error);
  g_assert_no_error(error);
  state = experiment->create(experiment, lac_draft_get_values(*draft), context, &error);
  g_assert_no_error(error);
  return state;
}

LateRows *
late_run_walk(const LateBed *bed, LacDevice device, gboolean may_lag)
{
  const LacExperiment *experiment = lac_experiment_find(bed->experiment, NULL);
  g_autoptr(LacPool)   pool = lac_pool_new(1);
  g_autoptr(LacDraft)  draft = NULL;
  LacContext           context = {.device = device, .pool = pool};
  LateRows            *rows = g_new0(LateRows, 1);
  LacOutcome           outcome = LAC_OUTCOME_CONTINUE;
  gpointer             state = late_run_new(bed, &context, &draft);

  while (outcome == LAC_OUTCOME_CONTINUE) {
    outcome = late_rows_step(rows, experiment, state, may_lag);
    if (rows->n_steps == 13 || outcome != LAC_OUTCOME_CONTINUE)
      late_rows_finish(rows, 0);
  }
  experiment->destroy(state);
  return rows;
}

void
late_run_compare(const LateBed *bed, const LacBackend *table)
{
  LacBackend           serial = *table;
  LacDevice            device = {&serial, NULL};
  g_autofree LateRows *now = NULL, *late = NULL;

  serial.concurrent = 0;
  g_assert_cmpint(serial.open(&device.self, 0), ==, LAC_STATUS_OK);
  now = late_run_walk(bed, device, FALSE);
  late = late_run_walk(bed, device, TRUE);
  lac_device_close(&device);
  g_assert_cmpuint(now->most_open, ==, 0);
  g_assert_cmpuint(late->most_open, ==, bed->most_open);
  g_assert_cmpuint(late->n_steps, ==, now->n_steps);
  for (gsize i = 0; i < now->n_steps; i++)
    g_assert_cmpmem(now->rows[i], sizeof now->rows[i], late->rows[i], sizeof late->rows[i]);
}

LacFrame *
late_run_new_frame(const LacExperiment *experiment, gconstpointer params, gpointer state)
{
  g_auto(LacOutline) outline = lac_experiment_outline(experiment, params);
  g_autofree gsize  *sizes = g_new0(gsize, 2 * outline.n_channels);
  gsize              n_markers = 0;

  experiment->shapes(state, (gsize(*)[2]) sizes, &n_markers);
  return lac_frame_new(outline.n_channels, (const gsize(*)[2]) sizes, n_markers, outline.n_metrics);
}
