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
} Turns;

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

static void go_on(Turns *turns);

/* The frame in which it has come is the last but one: the end of its coming may be told after this. */
static gboolean
on_frame(GtkWidget *overlay, GdkFrameClock *clock, gpointer data)
{
  Turns *turns = data;
  if (turns->since > 0 && gdk_frame_clock_get_frame_time(clock) - turns->since <= COMES_US)
    return G_SOURCE_CONTINUE;
  if (turns->since > 0) {
    turns->since = 0;
    return G_SOURCE_CONTINUE;
  }
  turns->comes = FALSE;
  if (turns->to_go && turns->shown != NULL)
    g_signal_emit_by_name(turns->shown, "dismissed"); /* what stopped before the overlay heard it */
  go_on(turns);
  return G_SOURCE_REMOVE;
}

/* Whoever dismisses it: its buttons, the time, the program. What is not seen does not take time to come. */
static void
on_dismissed(AdwToast *toast, Turns *turns)
{
  if (toast != turns->shown || !turns->comes || !gtk_widget_get_mapped(GTK_WIDGET(turns->overlay)))
    return;
  turns->to_go = TRUE;
  g_signal_stop_emission_by_name(toast, "dismissed");
}

static void
begin(Turns *turns, AdwToast *toast)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(turns->overlay));
  g_set_weak_pointer(&turns->shown, toast);
  turns->to_go = FALSE;
  turns->comes = clock != NULL;
  if (clock != NULL) {
    turns->since = gdk_frame_clock_get_frame_time(clock);
    gtk_widget_add_tick_callback(GTK_WIDGET(turns->overlay), on_frame, turns, NULL);
  }
  adw_toast_overlay_add_toast(turns->overlay, toast);
}

static gboolean
on_idle(gpointer data)
{
  Turns *turns = data;
  turns->idle = 0;
  if (name_toasts(turns->overlay) && !turns->comes && !g_queue_is_empty(&turns->waiting))
    begin(turns, g_queue_pop_head(&turns->waiting));
  return G_SOURCE_REMOVE;
}

/* Not from within the change of the children. */
static void
go_on(Turns *turns)
{
  name_toasts(turns->overlay);
  if (turns->idle == 0)
    turns->idle = g_idle_add_full(G_PRIORITY_DEFAULT, on_idle, turns, NULL);
}

static void
forget(AdwToast *toast, Turns *turns)
{
  g_signal_handlers_disconnect_by_data(toast, turns);
  g_object_unref(toast);
}

static void
turns_free(gpointer data)
{
  Turns *turns = data;
  if (turns->shown != NULL)
    g_signal_handlers_disconnect_by_data(turns->shown, turns);
  g_signal_handlers_disconnect_by_data(turns->children, turns);
  g_clear_object(&turns->children);
  g_clear_handle_id(&turns->idle, g_source_remove);
  g_clear_weak_pointer(&turns->shown);
  for (GList *link = turns->waiting.head; link != NULL; link = link->next)
    forget(link->data, turns);
  g_queue_clear(&turns->waiting);
  g_free(turns);
}

static Turns *
get_turns(AdwToastOverlay *overlay)
{
  static const char key[] = "lac-toasts";
  Turns            *turns = g_object_get_data(G_OBJECT(overlay), key);
  if (turns != NULL)
    return turns;
  turns = g_new0(Turns, 1);
  turns->overlay = overlay;
  turns->children = gtk_widget_observe_children(GTK_WIDGET(overlay));
  g_queue_init(&turns->waiting);
  g_signal_connect_swapped(turns->children, "items-changed", G_CALLBACK(go_on), turns);
  g_object_set_data_full(G_OBJECT(overlay), key, turns, turns_free);
  return turns;
}

void
lac_toast_show(AdwToastOverlay *overlay, AdwToast *toast)
{
  g_return_if_fail(ADW_IS_TOAST_OVERLAY(overlay) && ADW_IS_TOAST(toast));
  Turns *turns = get_turns(overlay);
  g_signal_connect(toast, "dismissed", G_CALLBACK(on_dismissed), turns);
  if (adw_toast_get_priority(toast) == ADW_TOAST_PRIORITY_HIGH) {
    g_queue_push_head(&turns->waiting, toast);
    if (turns->shown != NULL)
      adw_toast_dismiss(turns->shown);
  } else
    g_queue_push_tail(&turns->waiting, toast);
  go_on(turns);
}

void
lac_toast_dismiss(AdwToastOverlay *overlay, AdwToast *toast)
{
  g_return_if_fail(ADW_IS_TOAST_OVERLAY(overlay) && ADW_IS_TOAST(toast));
  Turns *turns = get_turns(overlay);
  if (g_queue_remove(&turns->waiting, toast))
    forget(toast, turns);
  else
    adw_toast_dismiss(toast);
}
