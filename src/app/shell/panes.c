/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panes of the window by keys: sidebar, header, page, side of the page, bottom bar. */
#include "app/shell/window-private.h"

#define MOST_PANES 5

/* Returns: (nullable): the side of the page shown: its first AdwFlap at the end. */
static AdwFlap *
find_details(GtkWidget *widget)
{
  if (ADW_IS_FLAP(widget) && adw_flap_get_flap_position(ADW_FLAP(widget)) == GTK_PACK_END)
    return ADW_FLAP(widget);
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    AdwFlap *found = gtk_widget_get_child_visible(child) && gtk_widget_get_visible(child)
                       ? find_details(child)
                       : NULL;
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
on_details(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  GtkWidget *page = adw_view_stack_get_visible_child(((LacWindow *) window)->stack);
  AdwFlap   *details = page != NULL ? find_details(page) : NULL;
  if (details != NULL)
    adw_flap_set_reveal_flap(details, !adw_flap_get_reveal_flap(details));
}

/* Fills in the panes that are shown, in reading order. Returns: their number. */
static guint
list_panes(LacWindow *self, GtkWidget *panes[MOST_PANES])
{
  GtkWidget *page = adw_view_stack_get_visible_child(self->stack);
  AdwFlap   *details = page != NULL ? find_details(page) : NULL;
  guint      n = 0;
  if (adw_flap_get_reveal_flap(self->flap))
    panes[n++] = GTK_WIDGET(self->sidebar);
  panes[n++] = gtk_widget_get_ancestor(GTK_WIDGET(self->switcher), ADW_TYPE_HEADER_BAR);
  if (details != NULL)
    panes[n++] = adw_flap_get_content(details);
  else if (page != NULL)
    panes[n++] = page;
  if (details != NULL && adw_flap_get_reveal_flap(details))
    panes[n++] = adw_flap_get_flap(details);
  if (gtk_widget_get_visible(GTK_WIDGET(self->bars)))
    panes[n++] = GTK_WIDGET(self->bars);
  return n;
}

/* Moves the focus to the next pane, or to the previous one, that can take it. */
static void
on_pane(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  GtkWidget *panes[MOST_PANES], *focus = gtk_window_get_focus(GTK_WINDOW(self));
  guint      n = list_panes(self, panes), at = n - 1;
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
