/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/styles-ahead.h"

#include "base/clock.h"

#define SLICE_NS 2000000

static void
free_queue(gpointer queue)
{
  g_queue_free_full(queue, g_object_unref);
}

static gboolean
on_idle(gpointer user_data)
{
  GQueue      *left = user_data;
  const gint64 until_ns = lac_clock_ns() + SLICE_NS;
  while (!g_queue_is_empty(left) && lac_clock_ns() < until_ns) {
    g_autoptr(GtkWidget) widget = g_queue_pop_head(left);
    GdkRGBA              colour;
    if (gtk_widget_get_root(widget) == NULL)
      continue;
    gtk_style_context_get_color(gtk_widget_get_style_context(widget),
                                &colour); /* asks for all of it */
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child))
      g_queue_push_tail(left, g_object_ref(child));
  }
  return !g_queue_is_empty(left);
}

void
lac_styles_ahead(GtkWidget *widget)
{
  g_return_if_fail(GTK_IS_WIDGET(widget));
  GQueue *left = g_queue_new();
  g_queue_push_tail(left, g_object_ref(widget));
  g_idle_add_full(G_PRIORITY_LOW, on_idle, left, free_queue);
}
