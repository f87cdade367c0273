/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tooltip text is data of the widget; the signal is connected with the first text. */
#include "app/toolkit/tip.h"

#define TIP "lac-tip"

static gboolean
on_query(GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *tooltip, gpointer user_data)
{
  const char *text = g_object_get_data(G_OBJECT(widget), TIP);
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text(tooltip, text);
  return TRUE;
}

void
lac_tip_set(GtkWidget *widget, const char *text)
{
  g_return_if_fail(GTK_IS_WIDGET(widget));
  if (g_strcmp0(g_object_get_data(G_OBJECT(widget), TIP), text) == 0)
    return;
  g_object_set_data_full(G_OBJECT(widget), TIP, g_strdup(text), g_free);
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 text != NULL ? text : "", -1);
  if (gtk_widget_get_has_tooltip(widget))
    return;
  gtk_widget_set_has_tooltip(widget, TRUE);
  g_signal_connect(widget, "query-tooltip", G_CALLBACK(on_query), NULL);
}
