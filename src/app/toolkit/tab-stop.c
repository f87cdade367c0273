/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GTK 4.8 moves Tab through every row of a list; an alternative exists from 4.12 on. */
#include "app/toolkit/tab-stop.h"

struct _LacTabStop {
  AdwBin parent_instance;
};

G_DEFINE_FINAL_TYPE(LacTabStop, lac_tab_stop, ADW_TYPE_BIN)

static gboolean
lac_tab_stop_focus(GtkWidget *widget, GtkDirectionType direction)
{
  const gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  if (is_tab && gtk_widget_get_focus_child(widget) != NULL)
    return FALSE;
  return GTK_WIDGET_CLASS(lac_tab_stop_parent_class)->focus(widget, direction);
}

static void
lac_tab_stop_class_init(LacTabStopClass *class)
{
  GTK_WIDGET_CLASS(class)->focus = lac_tab_stop_focus;
}

static void
lac_tab_stop_init(LacTabStop *self)
{
}

GtkWidget *
lac_tab_stop_new(GtkWidget *child)
{
  g_return_val_if_fail(GTK_IS_WIDGET(child), NULL);
  return g_object_new(LAC_TYPE_TAB_STOP, "child", child, NULL);
}
