/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings that make every object of the laboratory small. */
#include "experiment/imaging/helpers/subject.h"

static const char *const small[][2] = {
  {"grid", "64"}, {"size", "32"},      {"diameter", "14"},
  {"roi", "40"},  {"apertures", "12"}, {"snr", "40"},
};

void
subject_init(Subject *subject, const char *name)
{
  g_autoptr(GError) error = NULL;

  *subject = (Subject){0};
  subject->experiment = lac_experiment_find(name, &error);
  g_assert_no_error(error);
  subject->draft = lac_draft_new(&subject->experiment->params);
  for (gsize i = 0; i < G_N_ELEMENTS(small); i++)
    lac_draft_set(subject->draft, small[i][0], small[i][1], &error);
  g_assert_no_error(error);
  lac_device_open(&subject->context.device, "cpu", &error);
  g_assert_no_error(error);
  subject->context.pool = lac_pool_new(2);
  subject->context.seed = 3;
  subject->context.precision = "f64";
  subject->context.exposures = g_hash_table_new(g_str_hash, g_str_equal);
}

void
subject_clear(Subject *subject)
{
  g_hash_table_unref(subject->context.exposures);
  lac_pool_free(subject->context.pool);
  lac_device_close(&subject->context.device);
  lac_draft_free(subject->draft);
}

void
subject_set(Subject *subject, const char *key, const char *text)
{
  g_autoptr(GError) error = NULL;

  lac_draft_set(subject->draft, key, text, &error);
  g_assert_no_error(error);
}

LacImagingState *
subject_new_state(Subject *subject)
{
  g_autoptr(GError) error = NULL;
  LacImagingState  *state = subject->experiment->create(
     subject->experiment, lac_draft_get_values(subject->draft), &subject->context, &error);

  g_assert_no_error(error);
  g_assert_nonnull(state);
  return state;
}

void
subject_run_to_the_end(const LacExperiment *experiment, LacImagingState *state)
{
  g_autofree double *metrics = g_new(double, state->places.n_metrics);
  LacStepReport      report = {.metrics = metrics};
  g_autoptr(GError)  error = NULL;

  while (report.outcome == LAC_OUTCOME_CONTINUE) {
    lac_experiment_step(experiment, state, &report, &error);
    g_assert_no_error(error);
  }
  g_assert_cmpint(report.outcome, ==, LAC_OUTCOME_FINISHED);
}
