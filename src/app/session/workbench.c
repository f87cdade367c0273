/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workbench: its state, and the run on display. */
#include "app/session/workbench-private.h"

#include <glib/gi18n-lib.h>

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
  return self->child != NULL || (self->latest != NULL && lac_session_is_active(self->latest));
}

gboolean
lac_workbench_is_computing(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), FALSE);
  return lac_workbench_is_busy(self) || lac_workbench_get_n_beside(self) > 0;
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
  return self->latest != NULL && lac_session_is_active(self->latest)
           ? lac_session_get_run(self->latest)
           : NULL;
}

LacSession *
lac_workbench_get_active_session(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  return lac_workbench_is_busy(self) ? self->latest : NULL;
}

LacSession *
lac_workbench_get_latest_session(LacWorkbench *self)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(self), NULL);
  return self->latest;
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
    self->inhibited = gtk_application_inhibit(
      asked, gtk_application_get_active_window(asked), GTK_APPLICATION_INHIBIT_SUSPEND,
      self->measuring ? _("A benchmark is in progress") : _("A run is in progress"));
  if (busy || self->inhibited == 0)
    return;
  gtk_application_uninhibit(asked, self->inhibited);
  self->inhibited = 0;
}

static LacRunState
state_of(LacSession *session)
{
  return session != NULL ? lac_session_get_status(session)->state : LAC_RUN_ENDED;
}

void
lac_workbench_notify_states(LacWorkbench *self)
{
  if (state_of(self->session) != self->reported[0] || state_of(self->latest) != self->reported[1])
    lac_workbench_notify_changed(self);
}

void
lac_workbench_notify_changed(LacWorkbench *self)
{
  self->reported[0] = state_of(self->session);
  self->reported[1] = state_of(self->latest);
  update_inhibition(self, lac_workbench_is_computing(self) || self->measuring);
  lac_workbench_emit(self, LAC_WORKBENCH_CHANGED);
}

/* ---- the run on display ---- */

/* Forwards progress: once per frame and ten times a second. Conditions of commands depend on the state alone. */
static void
on_progress(LacWorkbench *self)
{
  lac_workbench_notify_states(self);
  lac_workbench_emit(self, LAC_WORKBENCH_PROGRESSED);
}

/* The end of a run of this window is handled where it computes. */
static void
on_ended(LacWorkbench *self)
{
  if (self->session == self->latest || !lac_session_is_file(self->session))
    return;
  lac_workbench_describe_end(self, self->session);
  lac_run_store_refresh(self->run_store);
  lac_workbench_open_whole(self);
}

/* Connected after the pages, which have then handled the end before the next run begins. */
static void
hear_session(LacWorkbench *self)
{
  const struct {
    const char *signal;
    GCallback   callback;
  } rows[] = {{"status-changed", G_CALLBACK(on_progress)},
              {"frame-changed", G_CALLBACK(on_progress)},
              {"message", G_CALLBACK(lac_workbench_show_message)},
              {"ended", G_CALLBACK(on_ended)}};
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
    self->heard[i] = g_signal_connect_object(self->session, rows[i].signal, rows[i].callback, self,
                                             G_CONNECT_SWAPPED);
}

static void
ignore_session(LacWorkbench *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS(self->heard); i++)
    g_clear_signal_handler(&self->heard[i], self->session);
}

void
lac_workbench_show(LacWorkbench *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  lac_workbench_stop_opening(self);
  ignore_session(self);
  if (self->session != NULL)
    lac_session_set_shown(self->session, FALSE);
  g_set_object(&self->session, session);
  if (session != NULL)
    lac_session_set_shown(session, self->is_shown);
  if (self->latest != session && !self->is_finishing && !lac_workbench_is_busy(self))
    lac_workbench_leave_latest(self); /* frees its memory */
  LacRun *run =
    session != NULL && lac_session_is_active(session) ? lac_session_get_run(session) : NULL;
  g_signal_emit(self, signals[LAC_WORKBENCH_SESSION_CHANGED], 0,
                run != NULL ? lac_run_get_controls(run) : NULL);
  if (session != NULL && session == self->session)
    hear_session(self);
  if (session != NULL && session == self->latest)
    lac_workbench_hear_latest(self);
  lac_workbench_notify_changed(self);
  lac_workbench_emit(self, LAC_WORKBENCH_PROGRESSED);
}

void
lac_workbench_show_active(LacWorkbench *self)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  LacSession *active = lac_workbench_get_active_session(self);
  if (active != NULL && active != self->session)
    lac_workbench_show(self, active);
  else if (active != NULL)
    lac_workbench_stop_opening(self);
}

void
lac_workbench_set_shown(LacWorkbench *self, gboolean is_shown)
{
  g_return_if_fail(LAC_IS_WORKBENCH(self));
  self->is_shown = is_shown;
  if (self->session != NULL)
    lac_session_set_shown(self->session, is_shown);
}

/* ---- the object ---- */

static void
lac_workbench_dispose(GObject *object)
{
  LacWorkbench *self = LAC_WORKBENCH(object);
  lac_workbench_leave_child(self);
  lac_workbench_leave_beside(self);
  ignore_session(self);
  lac_workbench_leave_latest(self);
  g_clear_pointer(&self->opening, lac_latest_job_free);
  g_clear_pointer(&self->opening_path, g_free);
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
    [LAC_WORKBENCH_OPENING_CHANGED] = {"opening-changed", 0},
    [LAC_WORKBENCH_OPENED] = {"opened", 0},
    [LAC_WORKBENCH_CHANGED] = {"changed", 0},
    [LAC_WORKBENCH_PROGRESSED] = {"progressed", 0},
    [LAC_WORKBENCH_ACTIVE_PROGRESSED] = {"active-progressed", 0},
    [LAC_WORKBENCH_RUN_BEGAN] = {"run-began", G_TYPE_STRING},
    [LAC_WORKBENCH_RUN_ENDED] = {"run-ended", G_TYPE_STRING},
    [LAC_WORKBENCH_SWEEP_CHANGED] = {"sweep-changed", 0},
    [LAC_WORKBENCH_REPLAYED] = {"replayed", 0},
    [LAC_WORKBENCH_SETTLED] = {"settled", 0},
    [LAC_WORKBENCH_BESIDE_ENDED] = {"beside-ended", 0},
    [LAC_WORKBENCH_BESIDE_PROGRESSED] = {"beside-progressed", 0},
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
  self->is_shown = TRUE;
  self->reported[0] = self->reported[1] = LAC_RUN_ENDED;
  self->run_store = lac_run_store_new();
  self->queue = lac_run_queue_new(NULL);
  lac_workbench_init_beside(self);
}

LacWorkbench *
lac_workbench_new(void)
{
  return g_object_new(LAC_TYPE_WORKBENCH, NULL);
}
