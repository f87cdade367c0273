/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting the outcome of a run. */
#include "run/core/outcome.h"

#include "field/composed-label.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

gboolean
lac_blow_up_watch(LacBlowUp *watch, double value)
{
  if (!isfinite(value))
    return FALSE;
  if (watch->n_seen < LAC_BLOW_UP_FIRST) {
    watch->n_seen++;
    watch->start = MAX(watch->start, fabs(value));
    return FALSE;
  }
  /* a metric that begins at rounding error is not a reference: require at least 1 in its own unit */
  if (fabs(value) > LAC_BLOW_UP_FACTOR * watch->start && fabs(value) > 1)
    watch->n_above++;
  else
    watch->n_above = 0;
  return watch->n_above >= LAC_BLOW_UP_ROWS;
}

void
lac_run_outcome_init(LacRunOutcome *outcome, gsize n_metrics)
{
  outcome->blow_ups = g_new0(LacBlowUp, n_metrics + 1);
}

void
lac_run_outcome_clear(LacRunOutcome *outcome)
{
  g_clear_pointer(&outcome->blow_ups, g_free);
  g_clear_error(&outcome->error);
}

void
lac_run_outcome_set(LacRunOutcome *outcome, const LacStepReport *report)
{
  outcome->value = report->outcome;
  g_strlcpy(outcome->why, report->why, sizeof outcome->why);
  g_strlcpy(outcome->who, report->who, sizeof outcome->who);
}

/* The part of a key before its last point is the name of the solver. */
static void
set_grown(LacRunOutcome *outcome, const LacMetric *metric, double start, double value)
{
  const char      *point = strrchr(metric->key, '.');
  g_autofree char *who = g_strndup(metric->key, point != NULL ? (gsize) (point - metric->key) : 0);
  char             value_text[G_ASCII_DTOSTR_BUF_SIZE], start_text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd(value_text, sizeof value_text, "%.3g", value);
  g_ascii_formatd(start_text, sizeof start_text, "%.3g", start);
  outcome->value = LAC_OUTCOME_DIVERGED;
  g_strlcpy(outcome->who, who, sizeof outcome->who);
  g_snprintf(outcome->why, sizeof outcome->why, _("%s grew from %s to %s"),
             lac_label_translate(metric->label), start_text, value_text);
}

/* Several methods: one whose error grows does not end the others. */
static gboolean
has_one_method(const LacOutline *outline)
{
  const char *first = NULL;

  for (gsize m = 0; m < outline->n_metrics; m++) {
    const char *key = outline->metrics[m].key, *point = strchr(key, '.');

    if (point == NULL)
      continue;
    if (first != NULL && strncmp(first, key, (gsize) (point - key) + 1) != 0)
      return FALSE;
    first = key;
  }
  return TRUE;
}

void
lac_run_outcome_watch(LacRunOutcome *outcome, const LacOutline *outline, const double *metrics)
{
  for (gsize m = 0; m < outline->n_metrics; m++) {
    LacBlowUp *watch = &outcome->blow_ups[m];
    if (!outline->metrics[m].log_axis || !lac_blow_up_watch(watch, metrics[m]))
      continue;
    if (has_one_method(outline))
      set_grown(outcome, &outline->metrics[m], watch->start, metrics[m]);
    return;
  }
}

const char *
lac_run_outcome_get_word(const LacRunOutcome *outcome)
{
  if (outcome->error != NULL)
    return "failed";
  switch (outcome->value) {
  case LAC_OUTCOME_FINISHED: return "finished";
  case LAC_OUTCOME_DIVERGED: return "diverged";
  case LAC_OUTCOME_CONTINUE: break;
  }
  return "stopped";
}
