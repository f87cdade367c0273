/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels of drop-downs that may be cut. */
#include "app/runs/narrow-drop-down.h"

static void
on_setup(GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer ellipsize)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), (PangoEllipsizeMode) GPOINTER_TO_INT(ellipsize));
  gtk_widget_set_hexpand(label, TRUE);
  gtk_list_item_set_child(cell, label);
}

static void
on_bind(GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer user_data)
{
  const char *word = gtk_string_object_get_string(gtk_list_item_get_item(cell));
  gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(cell)), word);
}

static GtkListItemFactory *
make_factory(PangoEllipsizeMode ellipsize)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(on_setup), GINT_TO_POINTER(ellipsize));
  g_signal_connect(factory, "bind", G_CALLBACK(on_bind), NULL);
  return factory;
}

void
lac_drop_down_make_narrow(GtkDropDown *drop)
{
  g_return_if_fail(GTK_IS_DROP_DOWN(drop));
  g_autoptr(GtkListItemFactory) chosen = make_factory(PANGO_ELLIPSIZE_END);
  g_autoptr(GtkListItemFactory) offered = make_factory(PANGO_ELLIPSIZE_NONE);
  gtk_drop_down_set_factory(drop, chosen);
  gtk_drop_down_set_list_factory(drop, offered);
}
