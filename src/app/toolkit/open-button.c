/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A menu button whose menu follows the list of recent files. */
#include "app/toolkit/open-button.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/recent-files.h"

#include <glib/gi18n-lib.h>

struct _LacOpenButton {
  GtkWidget  parent_instance;
  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE(LacOpenButton, lac_open_button, GTK_TYPE_WIDGET)

static void
lac_open_button_dispose(GObject *object)
{
  LacOpenButton *self = LAC_OPEN_BUTTON(object);
  g_clear_pointer(&self->button, gtk_widget_unparent);
  G_OBJECT_CLASS(lac_open_button_parent_class)->dispose(object);
}

static void
lac_open_button_class_init(LacOpenButtonClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_open_button_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_open_button_init(LacOpenButton *self)
{
  g_autoptr(GMenu)      menu = g_menu_new(), choosers = g_menu_new();
  g_autoptr(GMenuModel) recent = lac_recent_files_menu_new();
  g_menu_append(choosers, _("Open Run…"), "win.open");
  g_menu_append(choosers, _("Open Data or Trace…"), "win.open-data");
  g_menu_append_section(menu, NULL, G_MENU_MODEL(choosers));
  g_menu_append_section(menu, NULL, recent);
  self->button = gtk_menu_button_new();
  gtk_menu_button_set_label(GTK_MENU_BUTTON(self->button), _("Open"));
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(self->button), G_MENU_MODEL(menu));
  gtk_widget_set_tooltip_text(self->button, _("Open a run, data or a recent file"));
  lac_accessible_name(self->button, _("Open"));
  gtk_widget_set_parent(self->button, GTK_WIDGET(self));
}
