/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run that computes: its start, and what follows its end. */
#include "app/session/words.h"
#include "app/session/workbench-private.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/recent-files.h"
#include "run/plan/launch-options.h"
#include "run/plan/run-child.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* ---- the end of a run ---- */

void
lac_workbench_describe_end(LacWorkbench *self, LacSession *session)
{
  const LacRunStatus *status = lac_session_get_status(session);
  const char         *title = lac_session_get_title(session);
  g_autofree char    *words = lac_run_status_dup_words(status);
  gboolean            is_reported =
    status->message[0] == '\0' || g_str_equal(status->message, status->fallback);
  g_autofree char *sentence = is_reported ? g_strdup_printf("%s: %s.", title, words)
                                          : g_strdup_printf("%s: %s", title, status->message);
  lac_workbench_show_message(self, sentence);
}

static void
decide_what_follows(LacWorkbench *self)
{
  const char *folder = lac_session_get_folder(self->latest);
  gboolean    stopped = g_str_equal(lac_session_get_status(self->latest)->outcome, "stopped");
  if (self->replay != NULL)
    lac_replay_runs_notify_ended(self->replay, folder);
  lac_workbench_emit_text(self, LAC_WORKBENCH_RUN_ENDED, folder);
  lac_workbench_notify_changed(self);
  lac_workbench_emit(self, LAC_WORKBENCH_ACTIVE_PROGRESSED);
  if (lac_workbench_go_on_with_sweep(self))
    return;
  lac_workbench_describe_end(self, self->latest);
  lac_workbench_compare_repetition(self);
  lac_run_store_refresh(self->run_store);
  lac_workbench_emit(self, LAC_WORKBENCH_SETTLED);
  lac_workbench_go_on_with_queue(self, stopped);
}

void
lac_workbench_finish_run(LacWorkbench *self)
{
  self->is_finishing = TRUE;
  decide_what_follows(self);
  self->is_finishing = FALSE;
}

/* For a child process, its end counts and not that of its folder. */
static void
on_ended(LacWorkbench *self)
{
  if (self->child == NULL)
    lac_workbench_finish_run(self);
}

static void
on_status(LacWorkbench *self)
{
  lac_workbench_notify_states(self);
  lac_workbench_emit(self, LAC_WORKBENCH_ACTIVE_PROGRESSED);
}

void
lac_workbench_ignore_latest(LacWorkbench *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS(self->heard_latest); i++)
    g_clear_signal_handler(&self->heard_latest[i], self->latest);
}

void
lac_workbench_hear_latest(LacWorkbench *self)
{
  lac_workbench_ignore_latest(self);
  self->heard_latest[0] = g_signal_connect_object(self->latest, "status-changed",
                                                  G_CALLBACK(on_status), self, G_CONNECT_SWAPPED);
  self->heard_latest[1] =
    g_signal_connect_object(self->latest, "ended", G_CALLBACK(on_ended), self, G_CONNECT_SWAPPED);
}

/* ---- a run begins ---- */

gboolean
lac_workbench_shows_next(LacWorkbench *self)
{
  gboolean shows = self->shows_next;
  self->shows_next = FALSE;
  return shows ||
         (self->opening_path == NULL && (self->session == NULL || self->session == self->latest));
}

void
lac_workbench_leave_latest(LacWorkbench *self)
{
  lac_workbench_ignore_latest(self);
  g_clear_object(&self->latest);
}

void
lac_workbench_set_latest(LacWorkbench *self, LacSession *session, gboolean shows)
{
  lac_workbench_leave_latest(self);
  self->latest = g_object_ref(session);
  if (shows) {
    lac_workbench_show(self, session);
  } else {
    lac_session_set_shown(session, FALSE);
    lac_workbench_hear_latest(self);
    lac_workbench_notify_changed(self);
  }
  lac_workbench_emit(self, LAC_WORKBENCH_ACTIVE_PROGRESSED);
}

/* Adds the run and its input files to the recent files. @draft: (nullable): of a new run. */
static void
remember_files(LacSession *session, const LacDraft *draft)
{
  const LacParamTable *table = draft != NULL ? lac_draft_get_table(draft) : NULL;
  for (gsize i = 0; table != NULL && i < table->n_rows; i++) {
    if (table->rows[i].kind != LAC_PARAM_FILE)
      continue;
    g_autofree char *file = lac_draft_dup_text(draft, &table->rows[i]);
    char            *field = g_file_test(file, G_FILE_TEST_EXISTS) ? NULL : strrchr(file, '#');
    if (field != NULL)
      *field = '\0'; /* strips the name of a single field in the file */
    lac_recent_files_add(file);
  }
  lac_recent_files_add(lac_session_get_folder(session));
}

static gboolean
on_recorded(gpointer user_data)
{
  LacWorkbench *self = user_data;
  if (self->latest == NULL || !lac_session_is_file(self->latest) ||
      lac_workbench_go_on_with_sweep(self))
    return G_SOURCE_REMOVE;
  lac_workbench_emit(self, LAC_WORKBENCH_REPLAYED);
  lac_workbench_compare_repetition(self);
  lac_workbench_go_on_with_queue(self, FALSE);
  return G_SOURCE_REMOVE;
}

void
lac_workbench_go_on_with_recorded(LacWorkbench *self, LacSession *session)
{
  lac_workbench_set_latest(self, session, TRUE);
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_recorded, g_object_ref(self), g_object_unref);
}

static gboolean
refuse_while_busy(LacWorkbench *self)
{
  if (lac_workbench_is_busy(self))
    lac_workbench_show_message(self, _("A run is in progress. Stop it first, or let it finish."));
  return lac_workbench_is_busy(self);
}

static gboolean
refuse_while_measuring(LacWorkbench *self)
{
  if (self->measuring)
    lac_workbench_show_message(
      self, _("A benchmark is in progress, and a run would falsify it. Stop it first."));
  return self->measuring;
}

static LacSession *
start(LacWorkbench *self, const LacRunSettings *settings)
{
  g_autoptr(GError) error = NULL;
  LacRunSettings    placed = *settings;
  if (placed.out == NULL)
    placed.out = lac_run_store_get_folder(self->run_store);
  placed.disk_budget_bytes = lac_preferences_get_disk_budget();
  LacSession *session = lac_session_new_run(&placed, &error);
  if (session == NULL)
    lac_workbench_show_message(self, error->message);
  return session;
}

gboolean
lac_workbench_begin(LacWorkbench *self, const LacRunSettings *settings, gboolean shows)
{
  g_autofree char *recorded = self->replay != NULL ? lac_replay_runs_take(self->replay) : NULL;
  if (recorded != NULL) {
    g_clear_pointer(&self->repeated, g_free);
    lac_workbench_open_recorded(self, recorded);
    return TRUE;
  }
  if (refuse_while_busy(self) || refuse_while_measuring(self))
    return FALSE;
  if (lac_run_wants_child(settings) && lac_workbench_launch_child(self, settings, NULL, shows))
    return TRUE;
  g_autoptr(LacSession) session = start(self, settings);
  if (session == NULL)
    return FALSE;
  lac_workbench_set_latest(self, session, shows);
  remember_files(session, settings->draft);
  if (self->replay != NULL)
    lac_replay_runs_notify_launched(self->replay, lac_session_get_folder(session));
  lac_workbench_emit_text(self, LAC_WORKBENCH_RUN_BEGAN, lac_session_get_folder(session));
  g_clear_pointer(&self->repeated, g_free);
  lac_run_store_refresh(self->run_store);
  return TRUE;
}

gboolean
lac_workbench_launch(LacWorkbench *self, const LacRunSettings *settings)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self) && settings != NULL, FALSE);
  return lac_workbench_begin(self, settings, TRUE);
}

gboolean
lac_workbench_resume(LacWorkbench *self, const char *path)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self) && path != NULL, FALSE);
  g_autoptr(LacDraft) launch = lac_preferences_new_launch(NULL, NULL);
  LacRunSettings      usual = {0};
  lac_launch_params_fill(launch, &usual);
  return lac_workbench_launch(
    self, &(LacRunSettings){.resume = path, .threads = usual.threads, .detail = usual.detail});
}
