/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workarounds for toasts of libadwaita 1.2. Their close button has no name, and is created when the toast is shown. A
 * toast dismissed during its show animation, by replacement (500 ms to show, 300 to hide) or when both animations end
 * within one late frame, is freed early, and the end of the show animation writes into it. Therefore toasts never
 * replace each other, each waits until the previous one is gone, and none is dismissed before its show animation has
 * ended. */
#include "app/toolkit/toast.h"

#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

#define COMES_US 300000 /* show animation: SHOW_DURATION of adw-toast-overlay.c */

typedef struct {
  AdwToastOverlay *overlay; /* owner of this data */
  GListModel      *children;
  GQueue           waiting;      /* AdwToast */
  AdwToast        *shown;        /* (nullable), weak: the last one shown */
  gint64           since;        /* start of the show animation, frame time, us */
  gboolean         comes, to_go; /* show animation in progress; dismissed during it */
  guint            idle;
} Toasts;

AdwToast *
lac_toast_new(const char *sentence)
{
  g_autofree char *escaped = g_markup_escape_text(sentence, -1);
  return adw_toast_new(escaped);
}

void
lac_toast_set_title(AdwToast *toast, const char *sentence)
{
  g_autofree char *escaped = g_markup_escape_text(sentence, -1);
  adw_toast_set_title(toast, escaped);
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

/* Names the buttons of all toasts over the page. Returns: TRUE when no toast is shown or hiding. */
static gboolean
name_toasts(AdwToastOverlay *overlay)
{
  GtkWidget *page = adw_toast_overlay_get_child(overlay);
  gboolean   is_free = page != NULL; /* without a page the overlay is being disposed of */
  for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(overlay)); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (child != page) {
      name_buttons(child);
      is_free = FALSE;
    }
  return is_free;
}

static void go_on(Toasts *toasts);

/* Waits one more frame after the show animation: its end may be delivered after this callback. */
static gboolean
on_frame(GtkWidget *overlay, GdkFrameClock *clock, gpointer data)
{
  Toasts *toasts = data;
  if (toasts->since > 0 && gdk_frame_clock_get_frame_time(clock) - toasts->since <= COMES_US)
    return G_SOURCE_CONTINUE;
  if (toasts->since > 0) {
    toasts->since = 0;
    return G_SOURCE_CONTINUE;
  }
  toasts->comes = FALSE;
  if (toasts->to_go && toasts->shown != NULL)
    g_signal_emit_by_name(
      toasts->shown, "dismissed"); /* repeats the emission stopped before the overlay received it */
  go_on(toasts);
  return G_SOURCE_REMOVE;
}

/* Delays a dismissal by button, timeout or program until the show animation has ended. Unmapped toasts are not
 * animated. */
static void
on_dismissed(AdwToast *toast, Toasts *toasts)
{
  if (toast != toasts->shown || !toasts->comes ||
      !gtk_widget_get_mapped(GTK_WIDGET(toasts->overlay)))
    return;
  toasts->to_go = TRUE;
  g_signal_stop_emission_by_name(toast, "dismissed");
}

static void
begin(Toasts *toasts, AdwToast *toast)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(toasts->overlay));
  g_set_weak_pointer(&toasts->shown, toast);
  toasts->to_go = FALSE;
  toasts->comes = clock != NULL;
  if (clock != NULL) {
    toasts->since = gdk_frame_clock_get_frame_time(clock);
    gtk_widget_add_tick_callback(GTK_WIDGET(toasts->overlay), on_frame, toasts, NULL);
  }
  adw_toast_overlay_add_toast(toasts->overlay, toast);
}

static gboolean
on_idle(gpointer data)
{
  Toasts *toasts = data;
  toasts->idle = 0;
  if (name_toasts(toasts->overlay) && !toasts->comes && !g_queue_is_empty(&toasts->waiting))
    begin(toasts, g_queue_pop_head(&toasts->waiting));
  return G_SOURCE_REMOVE;
}

/* Deferred: not during the change of the children. */
static void
go_on(Toasts *toasts)
{
  name_toasts(toasts->overlay);
  if (toasts->idle == 0)
    toasts->idle = g_idle_add_full(G_PRIORITY_DEFAULT, on_idle, toasts, NULL);
}

static void
forget(AdwToast *toast, Toasts *toasts)
{
  g_signal_handlers_disconnect_by_data(toast, toasts);
  g_object_unref(toast);
}

static void
scheduler_free(gpointer data)
{
  Toasts *toasts = data;
  if (toasts->shown != NULL)
    g_signal_handlers_disconnect_by_data(toasts->shown, toasts);
  g_signal_handlers_disconnect_by_data(toasts->children, toasts);
  g_clear_object(&toasts->children);
  g_clear_handle_id(&toasts->idle, g_source_remove);
  g_clear_weak_pointer(&toasts->shown);
  for (GList *link = toasts->waiting.head; link != NULL; link = link->next)
    forget(link->data, toasts);
  g_queue_clear(&toasts->waiting);
  g_free(toasts);
}

static Toasts *
get_scheduler(AdwToastOverlay *overlay)
{
  static const char key[] = "lac-toasts";
  Toasts           *toasts = g_object_get_data(G_OBJECT(overlay), key);
  if (toasts != NULL)
    return toasts;
  toasts = g_new0(Toasts, 1);
  toasts->overlay = overlay;
  toasts->children = gtk_widget_observe_children(GTK_WIDGET(overlay));
  g_queue_init(&toasts->waiting);
  g_signal_connect_swapped(toasts->children, "items-changed", G_CALLBACK(go_on), toasts);
  g_object_set_data_full(G_OBJECT(overlay), key, toasts, scheduler_free);
  return toasts;
}

void
lac_toast_show(AdwToastOverlay *overlay, AdwToast *toast)
{
  g_return_if_fail(ADW_IS_TOAST_OVERLAY(overlay) && ADW_IS_TOAST(toast));
  Toasts *toasts = get_scheduler(overlay);
  g_signal_connect(toast, "dismissed", G_CALLBACK(on_dismissed), toasts);
  if (adw_toast_get_priority(toast) == ADW_TOAST_PRIORITY_HIGH) {
    g_queue_push_head(&toasts->waiting, toast);
    if (toasts->shown != NULL)
      adw_toast_dismiss(toasts->shown);
  } else
    g_queue_push_tail(&toasts->waiting, toast);
  go_on(toasts);
}

void
lac_toast_dismiss(AdwToastOverlay *overlay, AdwToast *toast)
{
  g_return_if_fail(ADW_IS_TOAST_OVERLAY(overlay) && ADW_IS_TOAST(toast));
  Toasts *toasts = get_scheduler(overlay);
  if (g_queue_remove(&toasts->waiting, toast))
    forget(toast, toasts);
  else
    adw_toast_dismiss(toast);
}
