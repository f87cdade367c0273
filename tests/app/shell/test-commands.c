/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of commands agrees with the actions for scripts, the keys, the shortcuts window and the palette. */
#include "app/helpers/display.h"
#include "app/shell/application.h"
#include "app/shell/commands.h"
#include "app/shell/help.h"
#include "app/shell/window.h"

/* Returns the single application of all tests: a process can register only one. */
static GtkWindow *
open_window(GtkApplication **application)
{
  if (!display_open())
    return NULL;
  *application = GTK_APPLICATION(g_application_get_default());
  if (*application == NULL) {
    g_autoptr(GError) error = NULL;
    *application = GTK_APPLICATION(lac_application_new());
    g_application_set_flags(G_APPLICATION(*application),
                            G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_NON_UNIQUE);
    g_application_register(G_APPLICATION(*application), NULL, &error);
    g_assert_no_error(error);
    g_application_set_default(G_APPLICATION(*application));
  }
  LacWindow *window = lac_window_new(*application);
  lac_window_complete(window);
  return GTK_WINDOW(window);
}

static GActionGroup *
group_of(const char *detailed, GtkWindow *window, GtkApplication *application, const char **name)
{
  *name = strchr(detailed, '.') + 1;
  return g_str_has_prefix(detailed, "app.") ? G_ACTION_GROUP(application) : G_ACTION_GROUP(window);
}

static void
test_each_is_an_action(void)
{
  GtkApplication *application;
  GtkWindow      *window = open_window(&application);
  gsize           n;
  if (window == NULL)
    return;
  const LacCommand *commands = lac_commands(&n);
  for (gsize i = 0; i < n; i++) {
    g_autofree char    *detailed = NULL;
    g_autoptr(GVariant) target = NULL;
    const char         *name;
    const GVariantType *wanted;
    g_assert_true(g_action_parse_detailed_name(commands[i].action, &detailed, &target, NULL));
    GActionGroup *group = group_of(detailed, window, application, &name);
    g_test_message("%s", commands[i].action);
    g_assert_true(g_action_group_query_action(group, name, NULL, &wanted, NULL, NULL, NULL));
    g_assert_true((wanted == NULL) == (target == NULL));
    g_assert_true(target == NULL || g_variant_is_of_type(target, wanted));
  }
  gtk_window_destroy(window);
}

static gboolean
is_listed(const char *scope, const char *name)
{
  gsize             n;
  const LacCommand *commands = lac_commands(&n);
  g_autofree char  *full = g_strdup_printf("%s.%s", scope, name);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(commands[i].action, full))
      return TRUE;
  return FALSE;
}

/* Actions with a parameter are for scripts, those with a read-only state are for reading. */
static void
check_group(GActionGroup *group, const char *scope)
{
  g_auto(GStrv) names = g_action_group_list_actions(group);
  for (char **name = names; *name != NULL; name++) {
    const GVariantType *wanted;
    g_autoptr(GVariant) state = NULL;
    g_assert_true(g_action_group_query_action(group, *name, NULL, &wanted, NULL, NULL, &state));
    gboolean is_report = state != NULL && !g_variant_is_of_type(state, G_VARIANT_TYPE_BOOLEAN);
    if (wanted != NULL || is_report)
      continue;
    g_test_message("%s.%s", scope, *name);
    g_assert_true(is_listed(scope, *name));
  }
}

static void
test_no_action_is_missing(void)
{
  GtkApplication *application;
  GtkWindow      *window = open_window(&application);
  if (window == NULL)
    return;
  check_group(G_ACTION_GROUP(window), "win");
  check_group(G_ACTION_GROUP(application), "app");
  gtk_window_destroy(window);
}

static void
test_keys(void)
{
  GtkApplication *application;
  GtkWindow      *window = open_window(&application);
  gsize           n;
  if (window == NULL)
    return;
  const LacCommand     *commands = lac_commands(&n);
  g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (gsize i = 0; i < n; i++) {
    g_auto(GStrv) wanted = g_strsplit(commands[i].accels, " ", -1);
    g_auto(GStrv) bound = gtk_application_get_accels_for_action(application, commands[i].action);
    g_assert_cmpuint(g_strv_length(bound), ==,
                     *commands[i].accels == '\0' ? 0 : g_strv_length(wanted));
    for (char **accel = bound; *accel != NULL; accel++) {
      g_test_message("%s: %s", commands[i].action, *accel);
      g_assert_true(g_hash_table_add(seen, g_strdup(*accel))); /* no duplicate key */
    }
  }
  gtk_window_destroy(window);
}

static void
test_palette(void)
{
  GtkApplication *application;
  GtkWindow      *window = open_window(&application);
  gsize           n;
  if (window == NULL)
    return;
  const LacCommand  *commands = lac_commands(&n);
  LacCommandPalette *palette = LAC_COMMAND_PALETTE(lac_command_palette_new(window));
  g_auto(GStrv)      all = lac_command_palette_dup_shown(palette);
  g_assert_cmpuint(g_strv_length(all), ==, n);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpstr(all[i], ==, commands[i].action);

  lac_command_palette_search(palette, "FILM export");
  g_auto(GStrv) found = lac_command_palette_dup_shown(palette);
  g_assert_cmpuint(g_strv_length(found), ==, 1);
  g_assert_cmpstr(found[0], ==, "win.export-film");
  lac_command_palette_search(palette, "no such command");
  g_auto(GStrv) nothing = lac_command_palette_dup_shown(palette);
  g_assert_cmpuint(g_strv_length(nothing), ==, 0);
  gtk_window_destroy(GTK_WINDOW(palette));
  gtk_window_destroy(window);
}

static guint
count_shortcuts(GtkWidget *widget)
{
  guint n = g_str_equal(G_OBJECT_TYPE_NAME(widget), "GtkShortcutLabel");
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    n += count_shortcuts(child);
  return n;
}

static void
test_shortcuts(void)
{
  gsize n;
  guint n_keys = 0;
  if (!display_open())
    return;
  const LacCommand *commands = lac_commands(&n);
  for (gsize i = 0; i < n; i++)
    n_keys += *commands[i].accels != '\0';
  GtkWidget *shortcuts = lac_shortcuts_window_new();
  g_assert_cmpuint(count_shortcuts(shortcuts), >=, n_keys);
  gtk_window_destroy(GTK_WINDOW(shortcuts));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/commands/each-is-an-action-with-its-value", test_each_is_an_action);
  g_test_add_func("/app/commands/no-action-is-missing-from-the-list", test_no_action_is_missing);
  g_test_add_func("/app/commands/keys-are-bound-and-none-twice", test_keys);
  g_test_add_func("/app/commands/the-palette-shows-the-list-and-finds-by-words", test_palette);
  g_test_add_func("/app/commands/the-shortcuts-window-has-every-key", test_shortcuts);
  return g_test_run();
}
