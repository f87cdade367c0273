/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggestions from a run's journal and the table of experiment/advice.h. */
#include "run/core/remedy.h"

#include "experiment/advice.h"
#include "io/format/segment.h"
#include "io/runfile/checkpoint.h"
#include "io/runfile/run-file.h"
#include "run/core/run-private.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

void
lac_remedy_free(LacRemedy *remedy)
{
  if (remedy == NULL)
    return;
  lac_draft_free(remedy->draft);
  g_free(remedy->backend);
  g_free(remedy->precision);
  g_free(remedy->outcome);
  g_free(remedy->what);
  g_free(remedy->before);
  g_free(remedy->text);
  g_free(remedy);
}

/* Returns: (nullable): the solver that diverged; NULL if none did. */
static const char *
find_who(const LacRunFile *run)
{
  for (gsize i = run->n_events; i-- > 0;)
    if (g_str_equal(run->events[i].what, LAC_EVENT_DIVERGED))
      return run->events[i].detail;
  return g_str_equal(run->outcome, "diverged") ? "" : NULL;
}

/* Applies the live changes, since the run ended with them. */
static void
take_changes(LacDraft *draft, const LacRunFile *run)
{
  for (gsize i = 0; i < run->n_events; i++) {
    const char *equals = strstr(run->events[i].detail, " = ");
    if (!g_str_equal(run->events[i].what, LAC_EVENT_SET) || equals == NULL)
      continue;
    g_autofree char *key =
      g_strndup(run->events[i].detail, (gsize) (equals - run->events[i].detail));
    lac_draft_set(draft, key, equals + 3, NULL);
  }
}

static gint64
find_checkpoint(const char *folder)
{
  g_autofree char            *path = lac_run_checkpoint_dup_path(folder);
  g_autoptr(LacSegmentReader) reader = lac_segment_reader_new(path, NULL);
  LacCheckpointEntry          entry;
  LacSegment                  segment;

  if (reader == NULL || !lac_segment_reader_next(reader, &segment) ||
      segment.type != LAC_SEGMENT_CHECKPOINT || segment.length < sizeof entry)
    return -1;
  memcpy(&entry, segment.payload, sizeof entry);
  return entry.step;
}

static void
advise(LacRemedy *remedy, const char *who)
{
  g_auto(LacAdvice) advice = {0};

  lac_advice_find(remedy->experiment, remedy->draft, who, &advice);
  remedy->cause = g_dgettext(GETTEXT_PACKAGE, advice.cause);
  if (advice.row == NULL)
    return;
  remedy->row = advice.row;
  remedy->before = lac_draft_dup_text(remedy->draft, advice.row);
  remedy->text = g_steal_pointer(&advice.text);
  lac_draft_set(remedy->draft, advice.row->key, remedy->text, NULL);
}

gboolean
lac_remedy_is_wanted(const char *outcome)
{
  static const char *const bad[] = {"diverged", "failed", "interrupted", NULL};
  g_return_val_if_fail(outcome != NULL, FALSE);
  return g_strv_contains(bad, outcome);
}

LacRemedy *
lac_remedy_find(const char *folder)
{
  g_autoptr(LacRunFile) run = lac_run_file_open_journal(folder, NULL);
  if (run == NULL || !lac_remedy_is_wanted(run->outcome))
    return NULL;
  g_autoptr(LacRunOrigin) origin = lac_run_origin_read(folder, NULL);
  const LacExperiment    *experiment =
    origin != NULL ? lac_experiment_find(run->experiment, NULL) : NULL;
  if (experiment == NULL)
    return NULL;
  g_autoptr(LacRemedy) remedy = g_new0(LacRemedy, 1);
  remedy->experiment = experiment;
  remedy->draft = lac_run_dup_draft(experiment, origin, NULL);
  if (remedy->draft == NULL)
    return NULL;
  take_changes(remedy->draft, run);
  remedy->seed = run->seed;
  remedy->backend = g_strdup(run->backend);
  remedy->precision = g_strdup(run->precision);
  remedy->outcome = g_strdup(run->outcome);
  remedy->what = g_strdup(run->detail);
  remedy->step = run->steps;
  remedy->seconds = run->seconds;
  remedy->checkpoint = find_checkpoint(folder);
  if (find_who(run) != NULL)
    advise(remedy, find_who(run));
  return g_steal_pointer(&remedy);
}

static char *
dup_value(const LacParam *row, const char *value)
{
  g_autofree char *shown = lac_param_dup_shown(row, value);

  if (row->unit == NULL || g_str_equal(row->unit, "1") || !g_str_equal(shown, value))
    return g_steal_pointer(&shown);
  return g_strdup_printf("%s %s", value, row->unit);
}

char *
lac_remedy_dup_change(const LacRemedy *remedy)
{
  if (remedy->row == NULL)
    return NULL;
  g_autofree char *value = dup_value(remedy->row, remedy->text);

  return g_strdup_printf("%s = %s", g_dgettext(GETTEXT_PACKAGE, remedy->row->label), value);
}

static void
add_happening(GString *text, const LacRemedy *remedy)
{
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd(seconds, sizeof seconds, "%.3g", remedy->seconds);
  if (g_str_equal(remedy->outcome, "diverged"))
    g_string_append_printf(text, _("Diverged at step %" PRId64 ", after %s s"), remedy->step,
                           seconds);
  else if (g_str_equal(remedy->outcome, "failed"))
    g_string_append_printf(text, _("Failed at step %" PRId64 ", after %s s"), remedy->step,
                           seconds);
  else
    g_string_append_printf(
      text, _("Interrupted after step %" PRId64 " (%s s): the program ended unexpectedly"),
      remedy->step, seconds);
  if (remedy->what != NULL && *remedy->what != '\0')
    g_string_append_printf(text, ": %s", remedy->what);
  g_string_append_c(text, '.');
}

char *
lac_remedy_dup_text(const LacRemedy *remedy)
{
  GString *text = g_string_new(NULL);

  add_happening(text, remedy);
  if (remedy->cause != NULL)
    g_string_append_printf(text, _("\nLikely cause: %s"), remedy->cause);
  if (remedy->row != NULL) {
    g_autofree char *change = lac_remedy_dup_change(remedy);
    g_autofree char *before = dup_value(remedy->row, remedy->before);
    g_string_append_printf(text, _("\nTry %s; it was %s."), change, before);
  }
  if (remedy->checkpoint > 0)
    g_string_append_printf(text, _("\nThe last good checkpoint is at step %" PRId64 "."),
                           remedy->checkpoint);
  return g_string_free(text, FALSE);
}
