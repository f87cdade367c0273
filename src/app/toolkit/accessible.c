/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of widgets for screen readers. */
#include "app/toolkit/accessible.h"

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

/* Returns: (nullable): the first label within @widget */
static GtkLabel *
label_within(GtkWidget *widget)
{
  GtkLabel *found = GTK_IS_LABEL(widget) ? GTK_LABEL(widget) : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = label_within(child);
  return found;
}

static gboolean
on_map(GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  GtkWidget *item = g_value_get_object(&values[0]);
  GtkLabel  *label =
    g_str_equal(G_OBJECT_TYPE_NAME(item), "GtkModelButton") ? label_within(item) : NULL;
  if (label != NULL && *gtk_label_get_text(label) != '\0')
    lac_accessible_name(item, gtk_label_get_text(label));
  return TRUE;
}

void
lac_accessible_name_menu_items(void)
{
  g_autoptr(GTypeClass) class = g_type_class_ref(GTK_TYPE_WIDGET); /* registers the signal */
  if (gtk_get_minor_version() >= 10)
    g_signal_add_emission_hook(g_signal_lookup("map", GTK_TYPE_WIDGET), 0, on_map, NULL, NULL);
}
