/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session of the workbench: how it is shown, and the actions after its end. */
#include "app/session/follower.h"
#include "app/session/words.h"
#include "app/session/workbench-private.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/recent-files.h"
#include "io/runfile/place.h"
#include "run/plan/run-child.h"

#include <glib/gi18n-lib.h>

#include <string.h>

G_DEFINE_FINAL_TYPE(LacWorkbench, lac_workbench, G_TYPE_OBJECT)

static guint signals[LAC_WORKBENCH_N_SIGNALS];

void
lac_workbench_emit(LacWorkbench *self, LacWorkbenchSignal signal)
{
  g_signal_emit(self, signals[signal], 0);
}

void
lac_workbench_emit_text(LacWorkbench *self, LacWorkbenchSignal signal, const char *text)
{
  g_signal_emit(self, signals[signal], 0, text);
}

void
lac_workbench_show_message(LacWorkbench *self, const char *sentence)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self) && sentence != NULL);
  lac_workbench_emit_text(self, LAC_WORKBENCH_MESSAGE, sentence);
}

/* ---- status ---- */

LacSession *
lac_workbench_get_session(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  return self->session;
}

LacRunStore *
lac_workbench_get_run_store(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  return self->run_store;
}

gboolean
lac_workbench_is_busy(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), FALSE);
  return self->child != NULL || (self->session != NULL && lac_session_is_active(self->session));
}

gboolean
lac_workbench_has_child(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), FALSE);
  return self->child != NULL;
}

LacRun *
lac_workbench_get_active_run(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  return self->session != NULL && lac_session_is_active(self->session)
           ? lac_session_get_run(self->session)
           : NULL;
}

gboolean
lac_workbench_is_measuring(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), FALSE);
  return self->measuring;
}

void
lac_workbench_set_measuring(LacWorkbench *self, gboolean measuring)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  if (measuring == self->measuring)
    return;
  self->measuring = measuring;
  lac_workbench_notify_changed(self);
  if (!measuring)
    lac_workbench_go_on_with_queue(self, FALSE);
}

void
lac_workbench_stop(LacWorkbench *self)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  if (!lac_workbench_stop_child(self) && lac_workbench_get_active_run(self) != NULL)
    lac_run_stop(lac_workbench_get_active_run(self));
}

/* Without a GtkApplication, as in tests, suspend cannot be inhibited. */
static void
update_inhibition(LacWorkbench *self, gboolean busy)
{
  GApplication *application = g_application_get_default();
  if (application == NULL || !GTK_IS_APPLICATION(application))
    return;
  GtkApplication *asked = GTK_APPLICATION(application);
  if (busy && self->inhibited == 0)
    self->inhibited =
      gtk_application_inhibit(asked, gtk_application_get_active_window(asked),
                              GTK_APPLICATION_INHIBIT_SUSPEND, _("A run is in progress"));
  if (busy || self->inhibited == 0)
    return;
  gtk_application_uninhibit(asked, self->inhibited);
  self->inhibited = 0;
}

void
lac_workbench_notify_changed(LacWorkbench *self)
{
  if (self->session != NULL)
    self->reported = lac_session_get_status(self->session)->state;
  update_inhibition(self, lac_workbench_is_busy(self) || self->measuring);
  lac_workbench_emit(self, LAC_WORKBENCH_CHANGED);
}

/* ---- the end of a run ---- */

static void
describe_end(LacWorkbench *self)
{
  const LacRunStatus *status = lac_session_get_status(self->session);
  const char         *title = lac_session_get_title(self->session);
  g_autofree char    *words = lac_run_status_dup_words(status);
  gboolean            is_reported =
    status->message[0] == '\0' || g_str_equal(status->message, status->fallback);
  g_autofree char *sentence = is_reported ? g_strdup_printf("%s: %s.", title, words)
                                          : g_strdup_printf("%s: %s", title, status->message);
  lac_workbench_show_message(self, sentence);
}

/* Opens the ended run with all its data, unless another run has begun. */
static gboolean
on_open_whole(gpointer user_data)
{
  LacWorkbench *self = user_data;
  if (self->session == NULL || !lac_session_is_file(self->session))
    return G_SOURCE_REMOVE;
  g_autofree char      *folder = g_strdup(lac_session_get_folder(self->session));
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) file = lac_run_file_open(folder, &error);
  if (file == NULL) {
    lac_workbench_show_message(self, error->message);
    return G_SOURCE_REMOVE;
  }
  g_autoptr(LacSession) session = lac_session_new_file(file);
  lac_workbench_show(self, session, NULL);
  return G_SOURCE_REMOVE;
}

void
lac_workbench_finish_run(LacWorkbench *self)
{
  const char *folder = lac_session_get_folder(self->session);
  gboolean    stopped = g_str_equal(lac_session_get_status(self->session)->outcome, "stopped");
  if (self->replay != NULL)
    lac_replay_runs_notify_ended(self->replay, folder);
  lac_workbench_emit_text(self, LAC_WORKBENCH_RUN_ENDED, folder);
  lac_workbench_notify_changed(self);
  if (lac_workbench_go_on_with_sweep(self))
    return;
  describe_end(self);
  lac_workbench_compare_repetition(self);
  lac_run_store_refresh(self->run_store);
  lac_workbench_emit(self, LAC_WORKBENCH_SETTLED);
  lac_workbench_go_on_with_queue(self, stopped);
}

static void
on_ended(LacWorkbench *self)
{
  if (self->child != NULL) /* the end of its process counts */
    return;
  if (lac_session_is_file(self->session)) { /* it was followed */
    describe_end(self);
    lac_run_store_refresh(self->run_store);
    g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_open_whole, g_object_ref(self), g_object_unref);
    return;
  }
  lac_workbench_finish_run(self);
}

/* Forwards progress: once per frame and ten times a second. Conditions of commands depend on the state alone. */
static void
on_progress(LacWorkbench *self)
{
  if (lac_session_get_status(self->session)->state != self->reported)
    lac_workbench_notify_changed(self);
  lac_workbench_emit(self, LAC_WORKBENCH_PROGRESSED);
}

/* ---- another session ---- */

static void
forget_session(LacWorkbench *self)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
}

void
lac_workbench_show(LacWorkbench *self, LacSession *session, const LacDraft *draft)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  forget_session(self);
  g_set_object(&self->session, session);
  g_signal_emit(self, signals[LAC_WORKBENCH_SESSION_CHANGED], 0, draft);
  if (session !=
      NULL) { /* after the pages, which have handled the end before the next run begins */
    g_signal_connect_object(session, "status-changed", G_CALLBACK(on_progress), self,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "frame-changed", G_CALLBACK(on_progress), self,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "ended", G_CALLBACK(on_ended), self, G_CONNECT_SWAPPED);
  }
  lac_workbench_notify_changed(self);
  lac_workbench_emit(self, LAC_WORKBENCH_PROGRESSED);
}

LacRunFile *
lac_workbench_open_growing(const char *path)
{
  g_autofree char      *folder = lac_run_place_dup_folder(path, NULL);
  g_autoptr(LacRunFile) run = folder != NULL ? lac_run_file_open_fields(folder, NULL) : NULL;
  if (run == NULL || (!g_str_equal(run->outcome, "running") &&
                      !(g_str_equal(run->outcome, "interrupted") && lac_follower_is_fresh(folder))))
    return NULL;
  return g_steal_pointer(&run);
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

gboolean
lac_workbench_open(LacWorkbench *self, const char *path)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self) && path != NULL, FALSE);
  g_autoptr(GError) error = NULL;
  if (refuse_while_busy(self))
    return FALSE;
  g_autoptr(LacRunFile) growing = lac_workbench_open_growing(path);
  g_autoptr(LacRunFile) file = growing == NULL ? lac_run_file_open(path, &error) : NULL;
  if (file == NULL && growing == NULL) {
    lac_workbench_show_message(self, error->message);
    return FALSE;
  }
  g_autoptr(LacSession) session =
    growing != NULL ? lac_session_new_followed(growing) : lac_session_new_file(file);
  lac_workbench_show(self, session, NULL);
  lac_recent_files_add(lac_session_get_folder(session));
  return TRUE;
}

/* ---- a run begins ---- */

/* Adds the run and its input files to the recent files. @draft: (nullable): of an active run. */
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

/* Continues after the end of a run that is shown from a recording. */
static gboolean
on_recorded(gpointer user_data)
{
  LacWorkbench *self = user_data;
  if (self->session == NULL || !lac_session_is_file(self->session) ||
      lac_workbench_go_on_with_sweep(self))
    return G_SOURCE_REMOVE;
  lac_workbench_emit(self, LAC_WORKBENCH_REPLAYED);
  lac_workbench_compare_repetition(self);
  lac_workbench_go_on_with_queue(self, FALSE);
  return G_SOURCE_REMOVE;
}

static void
show_recorded(LacWorkbench *self, LacRunFile *recorded)
{
  g_autoptr(LacSession) shown = lac_session_new_file(recorded);
  lac_workbench_show(self, shown, NULL);
  g_clear_pointer(&self->repeated, g_free);
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_recorded, g_object_ref(self), g_object_unref);
}

gboolean
lac_workbench_launch(LacWorkbench *self, const LacRunSettings *settings)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self) && settings != NULL, FALSE);
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) recorded = self->replay != NULL ? lac_replay_runs_take(self->replay) : NULL;
  if (recorded != NULL) {
    show_recorded(self, recorded);
    return TRUE;
  }
  if (refuse_while_busy(self) || refuse_while_measuring(self))
    return FALSE;
  if (lac_run_wants_child(settings) && lac_workbench_launch_child(self, settings, NULL))
    return TRUE;
  LacRunSettings placed = *settings;
  if (placed.out == NULL)
    placed.out = lac_run_store_get_folder(self->run_store);
  placed.disk_budget_bytes = lac_preferences_get_disk_budget();
  g_autoptr(LacSession) session = lac_session_new_run(&placed, &error);
  if (session == NULL) {
    lac_workbench_show_message(self, error->message);
    return FALSE;
  }
  lac_workbench_show(self, session, settings->draft);
  remember_files(session, settings->draft);
  if (self->replay != NULL)
    lac_replay_runs_notify_launched(self->replay, lac_session_get_folder(session));
  lac_workbench_emit_text(self, LAC_WORKBENCH_RUN_BEGAN, lac_session_get_folder(session));
  g_clear_pointer(&self->repeated, g_free);
  lac_run_store_refresh(self->run_store);
  return TRUE;
}

/* ---- the object ---- */

static void
lac_workbench_dispose(GObject *object)
{
  LacWorkbench *self = LAC_WORKBENCH(object);
  lac_workbench_leave_child(self);
  forget_session(self);
  g_clear_object(&self->session);
  g_clear_object(&self->series);
  g_clear_object(&self->run_store);
  g_clear_pointer(&self->queue, lac_run_queue_free);
  g_clear_pointer(&self->replay, lac_replay_runs_free);
  g_clear_pointer(&self->repeated, g_free);
  g_clear_pointer(&self->aside, g_ptr_array_unref);
  g_clear_pointer(&self->source_text, g_free);
  g_clear_pointer(&self->source, lac_run_plan_free);
  update_inhibition(self, FALSE);
  G_OBJECT_CLASS(lac_workbench_parent_class)->dispose(object);
}

static void
lac_workbench_class_init(LacWorkbenchClass *class)
{
  static const struct {
    const char *name;
    GType       argument; /* 0: none */
  } rows[LAC_WORKBENCH_N_SIGNALS] = {
    [LAC_WORKBENCH_SESSION_CHANGED] = {"session-changed", G_TYPE_POINTER},
    [LAC_WORKBENCH_CHANGED] = {"changed", 0},
    [LAC_WORKBENCH_PROGRESSED] = {"progressed", 0},
    [LAC_WORKBENCH_RUN_BEGAN] = {"run-began", G_TYPE_STRING},
    [LAC_WORKBENCH_RUN_ENDED] = {"run-ended", G_TYPE_STRING},
    [LAC_WORKBENCH_SWEEP_CHANGED] = {"sweep-changed", 0},
    [LAC_WORKBENCH_REPLAYED] = {"replayed", 0},
    [LAC_WORKBENCH_SETTLED] = {"settled", 0},
    [LAC_WORKBENCH_QUEUE_CHANGED] = {"queue-changed", 0},
    [LAC_WORKBENCH_MESSAGE] = {"message", G_TYPE_STRING},
    [LAC_WORKBENCH_ANSWERED] = {"answered", G_TYPE_STRING},
  };
  G_OBJECT_CLASS(class)->dispose = lac_workbench_dispose;
  for (gsize i = 0; i < LAC_WORKBENCH_N_SIGNALS; i++)
    signals[i] = rows[i].argument == 0
                   ? g_signal_new(rows[i].name, LAC_TYPE_WORKBENCH, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0)
                   : g_signal_new(rows[i].name, LAC_TYPE_WORKBENCH, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, rows[i].argument);
}

static void
lac_workbench_init(LacWorkbench *self)
{
  self->run_store = lac_run_store_new();
  self->queue = lac_run_queue_new(NULL);
}

LacWorkbench *
lac_workbench_new(void)
{
  return g_object_new(LAC_TYPE_WORKBENCH, NULL);
}
