/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reaches into widgets of the toolkit where it has no other way to name their parts. */
#include "app/accessible.h"

void
lac_accessible_name_drop_down(GtkDropDown *drop, const char *name)
{
  g_return_if_fail(GTK_IS_DROP_DOWN(drop) && name != NULL);
  GtkWidget *button = gtk_widget_get_first_child(GTK_WIDGET(drop));
  gtk_accessible_update_property(GTK_ACCESSIBLE(drop), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (GTK_IS_TOGGLE_BUTTON(button))
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}
