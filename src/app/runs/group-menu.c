/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouping of the list of runs by menu, and folding by keys. */
#include "app/runs/group-menu.h"

#include "app/session/run-group-item.h"
#include "app/toolkit/accessible.h"
#include "run/library/group.h"

#include <glib/gi18n-lib.h>

#define MOST_SETTINGS 12 /* maximum number offered */

static void
append_grouping(GMenu *menu, const char *title, const char *key)
{
  g_autoptr(GMenuItem) item = g_menu_item_new(title, NULL);
  g_menu_item_set_action_and_target(item, "win.runs-group", "s", key);
  g_menu_append_item(menu, item);
}

static GPtrArray *
list_headlines(GListModel *runs)
{
  guint      n = g_list_model_get_n_items(runs);
  GPtrArray *headlines = g_ptr_array_sized_new(n);
  for (guint i = 0; i < n; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(runs, i);
    g_ptr_array_add(headlines, (gpointer) lac_run_item_get(item));
  }
  return headlines;
}

/* Returns: (transfer full): the label that the first run with a setting gives it; its key if there is none. */
static char *
dup_setting_label(const GPtrArray *headlines, const char *key)
{
  for (guint i = 0; i < headlines->len; i++) {
    g_autofree char *text = lac_run_headline_dup_setting(headlines->pdata[i], key);
    if (text != NULL)
      return lac_run_dup_setting_label(headlines->pdata[i], key);
  }
  return g_strdup(key);
}

static GMenuModel *
make_settings_menu(GListModel *runs)
{
  GMenu               *menu = g_menu_new();
  g_autoptr(GPtrArray) headlines = list_headlines(runs);
  g_auto(GStrv)        keys = lac_run_group_settings(headlines, MOST_SETTINGS);
  for (char **key = keys; *key != NULL; key++) {
    g_autofree char *label = dup_setting_label(headlines, *key);
    append_grouping(menu, label, *key);
  }
  return G_MENU_MODEL(menu);
}

/* Rebuilt at each opening, since the runs may have changed. */
static void
on_menu(GtkMenuButton *button, gpointer runs)
{
  g_autoptr(GMenu)      menu = g_menu_new(), fixed = g_menu_new(), folds = g_menu_new();
  g_autoptr(GMenuModel) settings = make_settings_menu(runs);
  for (LacRunGrouping i = 0; i < LAC_GROUP_SETTING; i++)
    append_grouping(fixed, _(lac_run_grouping_title(i)), lac_run_grouping_key(i));
  g_menu_append_section(menu, _("Group by"), G_MENU_MODEL(fixed));
  if (g_menu_model_get_n_items(settings) > 0)
    g_menu_append_submenu(fixed, _("Setting"), settings);
  g_menu_append(folds, _("Expand All"), "win.runs-unfold");
  g_menu_append(folds, _("Collapse All"), "win.runs-fold");
  g_menu_append_section(menu, NULL, G_MENU_MODEL(folds));
  gtk_menu_button_set_menu_model(button, G_MENU_MODEL(menu));
}

void
lac_group_menu_attach(GtkMenuButton *button, GListModel *runs)
{
  g_return_if_fail(GTK_IS_MENU_BUTTON(button) && G_IS_LIST_MODEL(runs));
  gtk_menu_button_set_create_popup_func(button, on_menu, runs, NULL);
}

void
lac_group_menu_show(GtkMenuButton *button, GListModel *runs, const char *key)
{
  g_return_if_fail(GTK_IS_MENU_BUTTON(button) && key != NULL);
  LacRunGrouping       grouping = lac_run_grouping_find(key);
  g_autoptr(GPtrArray) headlines = list_headlines(runs);
  g_autofree char     *title = grouping == LAC_GROUP_SETTING
                                 ? dup_setting_label(headlines, key)
                                 : g_strdup(_(lac_run_grouping_title(grouping)));
  g_autofree char     *label =
    grouping == LAC_GROUP_NONE ? g_strdup(_("Group")) : g_strdup_printf(_("Group: %s"), title);
  gtk_menu_button_set_label(button, label);
  lac_accessible_name(button, label);
}

/* ---- keys ---- */

/* Returns: (nullable): the expander in @widget or below it. */
static GtkWidget *
find_expander(GtkWidget *widget)
{
  GtkWidget *found = widget != NULL && GTK_IS_TREE_EXPANDER(widget) ? widget : NULL;
  for (GtkWidget *child = widget != NULL ? gtk_widget_get_first_child(widget) : NULL;
       child != NULL && found == NULL; child = gtk_widget_get_next_sibling(child))
    found = find_expander(child);
  return found;
}

/* Folds or unfolds the focused row; passes the key on if there is nothing to fold. */
static gboolean
on_fold_key(GtkWidget *list, GVariant *is_expanded, gpointer user_data)
{
  GtkWidget      *focus = gtk_root_get_focus(gtk_widget_get_root(list));
  GtkWidget      *expander = focus != list ? find_expander(focus) : NULL;
  GtkTreeListRow *row =
    expander != NULL ? gtk_tree_expander_get_list_row(GTK_TREE_EXPANDER(expander)) : NULL;
  gboolean wanted = g_variant_get_boolean(is_expanded);
  if (row == NULL || !gtk_tree_list_row_is_expandable(row) ||
      gtk_tree_list_row_get_expanded(row) == wanted)
    return FALSE;
  gtk_tree_list_row_set_expanded(row, wanted);
  return TRUE;
}

static void
add_fold_key(GtkShortcutController *keys, guint key, gboolean is_expanded)
{
  GtkShortcut *shortcut = gtk_shortcut_new(gtk_keyval_trigger_new(key, 0),
                                           gtk_callback_action_new(on_fold_key, NULL, NULL));
  gtk_shortcut_set_arguments(shortcut, g_variant_new_boolean(is_expanded));
  gtk_shortcut_controller_add_shortcut(keys, shortcut);
}

void
lac_group_keys_add(GtkColumnView *view)
{
  g_return_if_fail(GTK_IS_COLUMN_VIEW(view));
  GtkEventController *keys = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(keys),
                                       gtk_shortcut_new(gtk_shortcut_trigger_parse_string("Delete"),
                                                        gtk_named_action_new("win.runs-delete")));
  gtk_event_controller_set_propagation_phase(keys,
                                             GTK_PHASE_CAPTURE); /* before the list handles them */
  add_fold_key(GTK_SHORTCUT_CONTROLLER(keys), GDK_KEY_Left, FALSE);
  add_fold_key(GTK_SHORTCUT_CONTROLLER(keys), GDK_KEY_Right, TRUE);
  gtk_widget_add_controller(GTK_WIDGET(view), keys);
}
