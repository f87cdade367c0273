/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libadwaita 1.2 leaves the button that closes a toast without a name, and makes it when the toast's turn comes. */
#include "app/toast.h"

#include <glib/gi18n-lib.h>

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
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("Close"), -1);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    name_buttons(child);
}

/* All that lies over the page, not the page. */
static void
name_toasts(GtkWidget *overlay)
{
  GtkWidget *page = adw_toast_overlay_get_child(ADW_TOAST_OVERLAY(overlay));
  if (page == NULL) /* it goes */
    return;
  for (GtkWidget *child = gtk_widget_get_first_child(overlay); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (child != page)
      name_buttons(child);
}

void
lac_toast_show(AdwToastOverlay *overlay, AdwToast *toast)
{
  static const char key[] = "lac-toasts";
  g_return_if_fail(ADW_IS_TOAST_OVERLAY(overlay) && ADW_IS_TOAST(toast));
  if (g_object_get_data(G_OBJECT(overlay), key) == NULL) {
    GListModel *children = gtk_widget_observe_children(GTK_WIDGET(overlay));
    g_signal_connect_swapped(children, "items-changed", G_CALLBACK(name_toasts), overlay);
    g_object_set_data_full(G_OBJECT(overlay), key, children, g_object_unref);
  }
  adw_toast_overlay_add_toast(overlay, toast);
}
