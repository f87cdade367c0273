/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the keys go, as a state: what kind of thing has the focus, what it is called, and where it is in the window. Whoever tests
 * the keyboard sees by it that the focus arrives, can be seen and goes on. */
#include "app/window-private.h"

/* Returns: (transfer none) (nullable): what is written on it or about it. */
static const char *
name_of(GtkWidget *widget)
{
  const char *name = NULL;
  for (; widget != NULL && name == NULL; widget = gtk_widget_get_parent(widget)) {
    if (GTK_IS_BUTTON(widget))
      name = gtk_button_get_label(GTK_BUTTON(widget));
    else if (GTK_IS_MENU_BUTTON(widget))
      name = gtk_menu_button_get_label(GTK_MENU_BUTTON(widget));
    else if (ADW_IS_PREFERENCES_ROW(widget))
      name = adw_preferences_row_get_title(ADW_PREFERENCES_ROW(widget));
    else if (GTK_IS_ENTRY(widget))
      name = gtk_entry_get_placeholder_text(GTK_ENTRY(widget));
    if (name == NULL)
      name = gtk_widget_get_tooltip_text(widget);
    if (name == NULL)
      name = gtk_buildable_get_buildable_id(GTK_BUILDABLE(widget));
  }
  return name;
}

static gboolean
on_settled(gpointer user_data)
{
  LacWindow      *self = user_data;
  GtkWidget      *widget = gtk_window_get_focus(GTK_WINDOW(self));
  GAction        *action = g_action_map_lookup_action(G_ACTION_MAP(self), "focus");
  graphene_rect_t box = {0};
  self->focus_source = 0;
  if (widget != NULL && !gtk_widget_compute_bounds(widget, GTK_WIDGET(self), &box))
    box = (graphene_rect_t){0};
  g_simple_action_set_state(
    G_SIMPLE_ACTION(action),
    g_variant_new("(ssiiii)", widget != NULL ? G_OBJECT_TYPE_NAME(widget) : "",
                  name_of(widget) != NULL ? name_of(widget) : "", (int) box.origin.x,
                  (int) box.origin.y, (int) box.size.width, (int) box.size.height));
  return G_SOURCE_REMOVE;
}

/* Once what has the focus was scrolled into view. */
static void
on_focus(LacWindow *self)
{
  if (self->focus_source == 0)
    self->focus_source = g_idle_add_full(G_PRIORITY_LOW, on_settled, self, NULL);
}

void
lac_window_add_focus(LacWindow *self)
{
  g_autoptr(GSimpleAction) focus =
    g_simple_action_new_stateful("focus", NULL, g_variant_new("(ssiiii)", "", "", 0, 0, 0, 0));
  g_simple_action_set_enabled(focus, FALSE);
  g_action_map_add_action(G_ACTION_MAP(self), G_ACTION(focus));
  g_signal_connect(self, "notify::focus-widget", G_CALLBACK(on_focus), NULL);
}

void
lac_window_end_focus(LacWindow *self)
{
  g_clear_handle_id(&self->focus_source, g_source_remove);
}
