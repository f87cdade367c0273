/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libadwaita 1.2 leaves undone with toasts. The button that closes one has no name, and is made when the toast's turn comes.
 * One that has gone before it had quite come, as where it replaces another (500 ms to come, 300 to go) or where both ends fall
 * into one late frame, is freed while it still comes, and the end of that writes into it. So here none replaces another, each
 * waits until the one before has gone, and none goes before it has come. */
#include "app/toast.h"

#include "app/accessible.h"

#include <glib/gi18n-lib.h>

#define COMES_US 300000 /* what it takes to come: SHOW_DURATION of adw-toast-overlay.c */

typedef struct {
  AdwToastOverlay *overlay; /* whose data this is */
  GListModel      *children;
  GQueue           waiting;      /* AdwToast */
  AdwToast        *shown;        /* (nullable), weak: the last that was its turn */
  gint64           since;        /* when it began to come, in the time of frames, us */
  gboolean         comes, to_go; /* it still does; it was dismissed meanwhile */
  guint            idle;
} Scheduler;

AdwToast *
lac_toast_new(const char *sentence)
{
  g_autofree char *escaped = g_markup_escape_text(sentence, -1);
  return adw_toast_new(escaped);
}

static void
name_buttons(GtkWidget *widget)
{
  if (GTK_IS_BUTTON(widget) && gtk_button_get_icon_name(GTK_BUTTON(widget)) != NULL) {
    lac_accessible_name(widget, _("Close"));
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    name_buttons(child);
}

/* All that lies over the page, not the page. Returns whether there is nothing: neither what is shown nor what goes. */
static gboolean
name_toasts(AdwToastOverlay *overlay)
{
  GtkWidget *page = adw_toast_overlay_get_child(overlay);
  gboolean   is_free = page != NULL; /* without one the overlay itself goes */
  for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(overlay)); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (child != page) {
      name_buttons(child);
      is_free = FALSE;
    }
  return is_free;
}

static void go_on(Scheduler *scheduler);

/* The frame in which it has come is the last but one: the end of its coming may be told after this. */
static gboolean
on_frame(GtkWidget *overlay, GdkFrameClock *clock, gpointer data)
{
  Scheduler *scheduler = data;
  if (scheduler->since > 0 && gdk_frame_clock_get_frame_time(clock) - scheduler->since <= COMES_US)
    return G_SOURCE_CONTINUE;
  if (scheduler->since > 0) {
    scheduler->since = 0;
    return G_SOURCE_CONTINUE;
  }
  scheduler->comes = FALSE;
  if (scheduler->to_go && scheduler->shown != NULL)
    g_signal_emit_by_name(scheduler->shown,
                          "dismissed"); /* what stopped before the overlay heard it */
  go_on(scheduler);
  return G_SOURCE_REMOVE;
}

/* Whoever dismisses it: its buttons, the time, the program. What is not seen does not take time to come. */
static void
on_dismissed(AdwToast *toast, Scheduler *scheduler)
{
  if (toast != scheduler->shown || !scheduler->comes ||
      !gtk_widget_get_mapped(GTK_WIDGET(scheduler->overlay)))
    return;
  scheduler->to_go = TRUE;
  g_signal_stop_emission_by_name(toast, "dismissed");
}

static void
begin(Scheduler *scheduler, AdwToast *toast)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(scheduler->overlay));
  g_set_weak_pointer(&scheduler->shown, toast);
  scheduler->to_go = FALSE;
  scheduler->comes = clock != NULL;
  if (clock != NULL) {
    scheduler->since = gdk_frame_clock_get_frame_time(clock);
    gtk_widget_add_tick_callback(GTK_WIDGET(scheduler->overlay), on_frame, scheduler, NULL);
  }
  adw_toast_overlay_add_toast(scheduler->overlay, toast);
}

static gboolean
on_idle(gpointer data)
{
  Scheduler *scheduler = data;
  scheduler->idle = 0;
  if (name_toasts(scheduler->overlay) && !scheduler->comes &&
      !g_queue_is_empty(&scheduler->waiting))
    begin(scheduler, g_queue_pop_head(&scheduler->waiting));
  return G_SOURCE_REMOVE;
}

/* Not from within the change of the children. */
static void
go_on(Scheduler *scheduler)
{
  name_toasts(scheduler->overlay);
  if (scheduler->idle == 0)
    scheduler->idle = g_idle_add_full(G_PRIORITY_DEFAULT, on_idle, scheduler, NULL);
}

static void
forget(AdwToast *toast, Scheduler *scheduler)
{
  g_signal_handlers_disconnect_by_data(toast, scheduler);
  g_object_unref(toast);
}

static void
scheduler_free(gpointer data)
{
  Scheduler *scheduler = data;
  if (scheduler->shown != NULL)
    g_signal_handlers_disconnect_by_data(scheduler->shown, scheduler);
  g_signal_handlers_disconnect_by_data(scheduler->children, scheduler);
  g_clear_object(&scheduler->children);
  g_clear_handle_id(&scheduler->idle, g_source_remove);
  g_clear_weak_pointer(&scheduler->shown);
  for (GList *link = scheduler->waiting.head; link != NULL; link = link->next)
    forget(link->data, scheduler);
  g_queue_clear(&scheduler->waiting);
  g_free(scheduler);
}

static Scheduler *
get_scheduler(AdwToastOverlay *overlay)
{
  static const char key[] = "lac-toasts";
  Scheduler        *scheduler = g_object_get_data(G_OBJECT(overlay), key);
  if (scheduler != NULL)
    return scheduler;
  scheduler = g_new0(Scheduler, 1);
  scheduler->overlay = overlay;
  scheduler->children = gtk_widget_observe_children(GTK_WIDGET(overlay));
  g_queue_init(&scheduler->waiting);
  g_signal_connect_swapped(scheduler->children, "items-changed", G_CALLBACK(go_on), scheduler);
  g_object_set_data_full(G_OBJECT(overlay), key, scheduler, scheduler_free);
  return scheduler;
}

void
lac_toast_show(AdwToastOverlay *overlay, AdwToast *toast)
{
  g_return_if_fail(ADW_IS_TOAST_OVERLAY(overlay) && ADW_IS_TOAST(toast));
  Scheduler *scheduler = get_scheduler(overlay);
  g_signal_connect(toast, "dismissed", G_CALLBACK(on_dismissed), scheduler);
  if (adw_toast_get_priority(toast) == ADW_TOAST_PRIORITY_HIGH) {
    g_queue_push_head(&scheduler->waiting, toast);
    if (scheduler->shown != NULL)
      adw_toast_dismiss(scheduler->shown);
  } else
    g_queue_push_tail(&scheduler->waiting, toast);
  go_on(scheduler);
}

void
lac_toast_dismiss(AdwToastOverlay *overlay, AdwToast *toast)
{
  g_return_if_fail(ADW_IS_TOAST_OVERLAY(overlay) && ADW_IS_TOAST(toast));
  Scheduler *scheduler = get_scheduler(overlay);
  if (g_queue_remove(&scheduler->waiting, toast))
    forget(toast, scheduler);
  else
    adw_toast_dismiss(toast);
}
