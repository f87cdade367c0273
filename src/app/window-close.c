/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closing the window while a run is going on: the person decides what becomes of it. */
#include "app/window-private.h"

#include <glib/gi18n-lib.h>

static void
keep_computing(LacWindow *self)
{
  if (!self->held)
    g_application_hold(G_APPLICATION(gtk_window_get_application(GTK_WINDOW(self))));
  self->held = TRUE;
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
}

static void
on_answer(AdwMessageDialog *dialog, const char *answer, LacWindow *self)
{
  if (!lac_window_is_busy(self)) { /* it ended while the question stood */
    if (!g_str_equal(answer, "stay"))
      gtk_window_close(GTK_WINDOW(self));
    return;
  }
  if (g_str_equal(answer, "keep")) {
    keep_computing(self);
  } else if (g_str_equal(answer, "quit")) {
    self->quitting = TRUE;
    lac_window_say(self, _("Writing a checkpoint, then closing."));
    if (!lac_window_stop_child(self))
      lac_run_stop(lac_session_get_run(self->session));
  }
}

gboolean
lac_window_ask_before_close(LacWindow *self)
{
  if (!lac_window_is_busy(self))
    return FALSE;
  GtkWidget *dialog =
    adw_message_dialog_new(GTK_WINDOW(self), _("A Run Is Going On"),
                           _("It can go on without the window; starting Lacuna again "
                             "shows it. A checkpoint lets it be resumed later."));
  adw_message_dialog_add_responses(ADW_MESSAGE_DIALOG(dialog), "stay", _("_Stay"), "quit",
                                   _("_Checkpoint and Quit"), "keep", _("_Keep Computing"), NULL);
  adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(dialog), "keep",
                                             ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response(ADW_MESSAGE_DIALOG(dialog), "stay");
  adw_message_dialog_set_close_response(ADW_MESSAGE_DIALOG(dialog), "stay");
  g_signal_connect_object(dialog, "response", G_CALLBACK(on_answer), self, 0);
  gtk_window_present(GTK_WINDOW(dialog));
  return TRUE;
}

static gboolean
on_close_later(gpointer user_data)
{
  gtk_window_close(GTK_WINDOW(user_data));
  return G_SOURCE_REMOVE;
}

static void
notify_end(LacWindow *self)
{
  g_autofree char *words = lac_run_bar_dup_words(lac_session_get_status(self->session));
  g_autofree char *title = g_strdup_printf("%s: %s", lac_session_get_title(self->session), words);
  g_autoptr(GNotification) notification = g_notification_new(title);
  g_application_send_notification(G_APPLICATION(gtk_window_get_application(GTK_WINDOW(self))),
                                  "run-ended", notification);
}

/* Nobody who looks at the window needs telling, nor who waited for a moment only. */
static gboolean
is_out_of_sight(LacWindow *self)
{
  const LacRunStatus *status = lac_session_get_status(self->session);
  return !gtk_window_is_active(GTK_WINDOW(self)) && status->seconds + status->setup_seconds > 10;
}

void
lac_window_end_hold(LacWindow *self)
{
  gboolean hidden = self->held && !gtk_widget_get_visible(GTK_WIDGET(self));
  if (hidden || is_out_of_sight(self))
    notify_end(self);
  if (self->held)
    g_application_release(G_APPLICATION(gtk_window_get_application(GTK_WINDOW(self))));
  self->held = FALSE;
  if (hidden || self->quitting)
    g_idle_add_full(G_PRIORITY_DEFAULT, on_close_later, g_object_ref(self), g_object_unref);
}
