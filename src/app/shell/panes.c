/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panes of the window by keys: sidebar, header, page, side of the page, bottom bar. */
#include "app/shell/window-private.h"

static void
on_details(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  AdwFlap *details = lac_shell_find_details(((LacWindow *) window)->shell);
  if (details != NULL)
    adw_flap_set_reveal_flap(details, !adw_flap_get_reveal_flap(details));
}

/* Moves the focus to the next pane, or to the previous one, that can take it. */
static void
on_pane(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  GtkWidget *panes[LAC_SHELL_MOST_PANES], *focus = gtk_window_get_focus(GTK_WINDOW(self));
  guint      n = lac_shell_list_panes(self->shell, panes), at = n - 1;
  gboolean   back = g_str_equal(g_action_get_name(G_ACTION(action)), "pane-before");
  for (guint i = 0; i < n && focus != NULL; i++)
    if (focus == panes[i] || gtk_widget_is_ancestor(focus, panes[i]))
      at = i;
  for (guint step = 1; step < n; step++) {
    GtkWidget *pane = panes[(at + (back ? n - step : step)) % n];
    gtk_window_set_focus(GTK_WINDOW(self), NULL);
    if (gtk_widget_child_focus(pane, GTK_DIR_TAB_FORWARD))
      return;
  }
  gtk_window_set_focus(GTK_WINDOW(self), focus);
}

static const LacActionRow rows[] = {
  {{"show-details", on_details}},
  {{"pane-after", on_pane}},
  {{"pane-before", on_pane}},
};

void
lac_window_add_panes(LacWindow *self)
{
  lac_window_add_rows(self, rows, G_N_ELEMENTS(rows), self);
}
