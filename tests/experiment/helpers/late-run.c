/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows are those of the steps before, as run/ moves them. */
#include "late-run.h"

#include <math.h>

void
late_rows_open(LateRows *rows, LacStepReport *report, gboolean may_lag)
{
  *report = (LacStepReport){.metrics = rows->rows[rows->n_steps]};
  for (gsize i = 0; i < LATE_MOST_METRICS; i++)
    report->metrics[i] = NAN;
  for (gsize i = 0; i < LAC_STEP_MOST_OPEN - 1; i++)
    rows->earlier[i] = i < rows->n_steps ? rows->rows[rows->n_steps - 1 - i] : rows->nowhere;
  report->earlier = may_lag ? rows->earlier : NULL;
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
  g_autoptr(GError)    error = NULL;
  LacContext           context = {.device = device, .pool = pool};
  LateRows            *rows = g_new0(LateRows, 1);
  LacStepReport        report = {0};
  gpointer             state = late_run_new(bed, &context, &draft);

  while (report.outcome == LAC_OUTCOME_CONTINUE) {
    g_assert_cmpuint(rows->n_steps, <, LATE_MOST_STEPS);
    late_rows_open(rows, &report, may_lag);
    g_assert_true(experiment->step(state, &report, &error));
    rows->n_steps++;
    rows->most_open = MAX(rows->most_open, report.n_open);
    if (rows->n_steps == 13 && may_lag) { /* requested by the caller */
      report.n_open = 0;
      g_assert_true(experiment->settle(state, &report, &error));
      g_assert_cmpuint(report.n_open, ==, 0);
    }
  }
  g_assert_cmpuint(report.n_open, ==, 0);
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
