/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queue of runs in the window: what waits starts when what goes on has ended, unless the person stopped that. */
#include "app/accessible.h"
#include "app/preferences.h"
#include "app/queue-window.h"
#include "app/toast.h"
#include "app/window-private.h"
#include "run/plan/run-child.h"

#include <glib/gi18n-lib.h>

#define UNDO_S 10 /* as long a removal can be undone from its message */

static gboolean
is_busy(LacWindow *self)
{
  return lac_window_is_busy(self) || self->series != NULL;
}

void
lac_window_update_queue(LacWindow *self)
{
  if (self->queue == NULL) /* the window is going away */
    return;
  guint            n = lac_run_queue_get_n(self->queue);
  GAction         *start = g_action_map_lookup_action(G_ACTION_MAP(self), "queue-start");
  GAction         *length = g_action_map_lookup_action(G_ACTION_MAP(self), "queue-length");
  g_autofree char *count = g_strdup_printf("+%u", n);
  g_autofree char *words = g_strdup_printf(ngettext("%u run waits", "%u runs wait", n), n);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(start), n > 0);
  g_simple_action_set_state(G_SIMPLE_ACTION(length), g_variant_new_uint64(n));
  gtk_widget_set_visible(GTK_WIDGET(self->queue_button), n > 0);
  if (g_strcmp0(gtk_button_get_label(self->queue_button), count) != 0) {
    gtk_button_set_label(self->queue_button, count);
    gtk_widget_set_tooltip_text(GTK_WIDGET(self->queue_button), words);
    lac_accessible_name(self->queue_button, words);
  }
}

/* The list is made anew only when the queue has changed, not with every step of a run. */
static void
show_queue(LacWindow *self)
{
  lac_window_update_queue(self);
  if (self->queue_window != NULL)
    lac_queue_window_show(LAC_QUEUE_WINDOW(self->queue_window), self->queue, self->queue_goes,
                          is_busy(self));
}

/* @launch: the preferences; they hold where this machine lacks the threads or the device of the plan */
static LacRunSettings
settings_of(const LacRunPlan *plan, LacDraft *launch)
{
  LacRunSettings settings = {.experiment = plan->experiment, .draft = plan->draft};
  LacRunSettings here = {0};
  lac_launch_fill(&plan->launch, &settings);
  lac_draft_set(launch, "backend", settings.backend, NULL);
  if (plan->launch.stated[LAC_LAUNCH_THREADS] != NULL)
    lac_draft_set(launch, "threads", plan->launch.stated[LAC_LAUNCH_THREADS], NULL);
  lac_launch_params_fill(launch, &here);
  settings.threads = here.threads;
  settings.backend = here.backend;
  return settings;
}

/* The first one leaves the queue when it has begun. Returns: FALSE when it could not; it stays then, and the queue is held. */
static gboolean
start_next(LacWindow *self)
{
  const LacQueued *next = lac_run_queue_get(self->queue, 0);
  if (next->plan == NULL) {
    self->queue_goes = FALSE;
    lac_window_say(self, next->wrong);
    return FALSE;
  }
  g_autoptr(LacDraft)   launch = lac_preferences_new_launch(NULL, NULL);
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunPlan) plan = lac_yaml_read_text(next->text, next->path, &error);
  if (plan == NULL) {
    self->queue_goes = FALSE;
    lac_window_say(self, error->message);
    return FALSE;
  }
  LacRunSettings settings = settings_of(plan, launch);
  const char    *sweep = plan->launch.stated[LAC_LAUNCH_SWEEP];
  if (sweep != NULL) {
    g_free(lac_run_queue_remove(self->queue, 0));
    lac_window_launch_sweep(self, &settings, sweep);
    return TRUE;
  }
  if (!(lac_run_wants_child(&settings) && lac_window_launch_child(self, &settings, next->text)) &&
      !lac_window_launch(self, &settings)) {
    self->queue_goes = FALSE;
    return FALSE;
  }
  g_free(lac_run_queue_remove(self->queue, 0));
  g_autofree char *sentence =
    g_strdup_printf(_("%s has started"), g_dgettext(GETTEXT_PACKAGE, plan->experiment->title));
  if (self->child == NULL)
    lac_window_say(self, sentence); /* whoever sets up the next one is left in peace */
  return TRUE;
}

static gboolean
on_next(gpointer user_data)
{
  LacWindow *self = user_data;
  if (self->queue != NULL && self->queue_goes && !is_busy(self) &&
      lac_run_queue_get_n(self->queue) > 0)
    start_next(self);
  if (self->queue != NULL)
    show_queue(self);
  return G_SOURCE_REMOVE;
}

/* Once the session that ended has said so to everybody. */
static void
start_soon(LacWindow *self)
{
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_next, g_object_ref(self), g_object_unref);
}

void
lac_window_go_on_with_queue(LacWindow *self, gboolean stopped)
{
  if (stopped && self->queue_goes && lac_run_queue_get_n(self->queue) > 0) {
    self->queue_goes = FALSE;
    lac_window_say(self, _("The queue is held, because you stopped a run of it."));
  }
  start_soon(self);
}

/* ---- commands ---- */

static void
on_add(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow        *self = window;
  g_autoptr(GError) error = NULL;
  g_autofree char  *text = lac_window_dup_form(self);
  if (text == NULL)
    return;
  if (!lac_run_queue_add(self->queue, text, G_MAXUINT, &error)) {
    lac_window_say(self, error->message);
    return;
  }
  if (lac_run_queue_get_n(self->queue) == 1)
    self->queue_goes = TRUE;
  if (is_busy(self) || !self->queue_goes)
    lac_window_say(self, _("Added to the queue"));
  start_soon(self);
}

static void
on_start(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  self->queue_goes = TRUE;
  start_soon(self);
}

static void
on_move(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow        *self = window;
  g_autoptr(GError) error = NULL;
  guint             from, to, n = lac_run_queue_get_n(self->queue);
  g_variant_get(parameter, "(uu)", &from, &to);
  if (from < n && to < n && !lac_run_queue_move(self->queue, from, to, &error))
    lac_window_say(self, error->message);
  show_queue(self);
}

static void
on_remove(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  guint      i = g_variant_get_uint32(parameter);
  if (i >= lac_run_queue_get_n(self->queue))
    return;
  g_autofree char *text = lac_run_queue_remove(self->queue, i);
  AdwToast        *toast = lac_toast_new(_("Removed from the queue"));
  adw_toast_set_button_label(toast, _("Undo"));
  adw_toast_set_action_name(toast, "win.queue-undo-remove");
  adw_toast_set_action_target(toast, "(us)", i, text);
  adw_toast_set_timeout(toast, UNDO_S);
  lac_toast_show(self->toasts, toast);
  show_queue(self);
}

static void
on_undo_remove(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow        *self = window;
  g_autoptr(GError) error = NULL;
  guint             i;
  const char       *text;
  g_variant_get(parameter, "(u&s)", &i, &text);
  if (!lac_run_queue_add(self->queue, text, i, &error))
    lac_window_say(self, error->message);
  show_queue(self);
}

static void
on_show(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  if (self->queue_window == NULL) {
    self->queue_window = lac_queue_window_new(GTK_WINDOW(self));
    g_object_add_weak_pointer(G_OBJECT(self->queue_window), (gpointer *) &self->queue_window);
  }
  show_queue(self);
  gtk_window_present(self->queue_window);
}

static const GActionEntry entries[] = {
  {"queue-add", on_add},
  {"queue-start", on_start},
  {"queue-move", on_move, "(uu)"},
  {"queue-remove", on_remove, "u"},
  {"queue-undo-remove", on_undo_remove, "(us)"},
  {"show-queue", on_show},
};

/* What waited when the program ended waits still: nothing starts before the person says so. */
void
lac_window_add_queue_actions(LacWindow *self)
{
  self->queue = lac_run_queue_new(NULL);
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  guint n = lac_run_queue_get_n(self->queue);
  if (n == 0)
    return;
  g_autofree char *words =
    g_strdup_printf(ngettext("%u run waits in the queue", "%u runs wait in the queue", n), n);
  AdwToast *toast = lac_toast_new(words);
  adw_toast_set_button_label(toast, _("Start"));
  adw_toast_set_action_name(toast, "win.queue-start");
  lac_toast_show(self->toasts, toast);
}

/* ---- the machine ---- */

void
lac_window_update_inhibition(LacWindow *self)
{
  GtkApplication *application = gtk_window_get_application(GTK_WINDOW(self));
  gboolean        busy = lac_window_is_busy(self);
  if (application == NULL)
    return;
  if (busy && self->inhibited == 0)
    self->inhibited = gtk_application_inhibit(
      application, GTK_WINDOW(self), GTK_APPLICATION_INHIBIT_SUSPEND, _("A run is going on"));
  if (busy || self->inhibited == 0)
    return;
  gtk_application_uninhibit(application, self->inhibited);
  self->inhibited = 0;
}
