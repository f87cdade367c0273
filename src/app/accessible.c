/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of widgets for screen readers. */
#include "app/accessible.h"

void
lac_accessible_name(gpointer widget, const char *name)
{
  gtk_accessible_reset_relation(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
lac_accessible_name_cell(GtkListItem *item, const char *name)
{
  lac_accessible_name(gtk_list_item_get_child(item), name);
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(item), "accessible-label") != NULL)
    g_object_set(item, "accessible-label", name, NULL);
}

void
lac_accessible_name_drop_down(GtkDropDown *drop, const char *name)
{
  g_return_if_fail(GTK_IS_DROP_DOWN(drop) && name != NULL);
  GtkWidget *button = gtk_widget_get_first_child(GTK_WIDGET(drop));
  lac_accessible_name(drop, name);
  if (GTK_IS_TOGGLE_BUTTON(button))
    lac_accessible_name(button, name);
}
