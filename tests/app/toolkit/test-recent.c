/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saved preferences: recent files, most recent first, no duplicates, limited in number, with a menu that follows;
 * units of the table. */
#include "app/toolkit/preferences.h"
#include "app/toolkit/recent-files.h"

#include <glib/gstdio.h>

static char *
make_file(const char *folder, const char *name)
{
  char *path = g_build_filename(folder, name, NULL);
  g_assert_true(g_file_set_contents(path, "", 0, NULL));
  return path;
}

static void
assert_list(const char *expected)
{
  g_auto(GStrv)      list = lac_recent_files_list();
  g_autoptr(GString) words = g_string_new(NULL);
  for (char **path = list; *path != NULL; path++) {
    g_autofree char *name = g_path_get_basename(*path);
    g_string_append_printf(words, "%s ", name);
  }
  g_assert_cmpstr(g_strchomp(words->str), ==, expected);
}

/* Returns "name name" of all sections, in menu order. */
static char *
words_of(GMenuModel *menu)
{
  GString *words = g_string_new(NULL);
  for (int i = 0; i < g_menu_model_get_n_items(menu); i++) {
    g_autoptr(GMenuModel) section = g_menu_model_get_item_link(menu, i, G_MENU_LINK_SECTION);
    for (int k = 0; k < g_menu_model_get_n_items(section); k++) {
      g_autofree char *label = NULL;
      g_assert_true(
        g_menu_model_get_item_attribute(section, k, G_MENU_ATTRIBUTE_LABEL, "s", &label));
      g_string_append_printf(words, "%s%s", words->len > 0 ? "; " : "", label);
    }
  }
  return g_string_free(words, FALSE);
}

static void
assert_menu(GMenuModel *menu, const char *expected)
{
  while (g_main_context_iteration(NULL, FALSE)) {
  }
  g_autofree char *words = words_of(menu);
  g_assert_cmpstr(words, ==, expected);
}

static void
test_the_latest_is_first(gconstpointer folder)
{
  g_autoptr(GMenuModel) menu = lac_recent_files_menu_new();
  g_autofree char      *data = make_file(folder, "sensors.csv");
  g_autofree char      *plan = make_file(folder, "my_rod.yaml");
  g_autofree char      *run = make_file(folder, "heat1d-1.lacuna");
  lac_recent_files_clear();
  assert_menu(menu, "No Recent Files");
  lac_recent_files_add(data);
  lac_recent_files_add(plan);
  lac_recent_files_add(run);
  assert_list("heat1d-1.lacuna my_rod.yaml sensors.csv");
  lac_recent_files_add(data);
  assert_list("sensors.csv heat1d-1.lacuna my_rod.yaml"); /* no duplicate */
  /* grouped by kind; an underscore is not a mnemonic */
  assert_menu(menu, "heat1d-1; my__rod.yaml; sensors.csv; Clear Recent Files");
  lac_recent_files_remove(plan);
  assert_list("sensors.csv heat1d-1.lacuna");
  lac_recent_files_add("/no/such/file");
  lac_recent_files_add("");
  assert_list("sensors.csv heat1d-1.lacuna");
  lac_recent_files_clear();
  assert_list("");
}

static void
test_the_oldest_is_forgotten(gconstpointer folder)
{
  for (guint i = 0; i < LAC_RECENT_MOST + 3; i++) {
    g_autofree char *name = g_strdup_printf("%02u.csv", i);
    g_autofree char *path = make_file(folder, name);
    lac_recent_files_add(path);
  }
  g_auto(GStrv) list = lac_recent_files_list();
  g_assert_cmpuint(g_strv_length(list), ==, LAC_RECENT_MOST);
  g_assert_true(g_str_has_suffix(list[0], "14.csv"));
  g_assert_true(g_str_has_suffix(list[LAC_RECENT_MOST - 1], "03.csv"));
  lac_recent_files_clear();
}

static void
test_equal_names_show_their_folder(gconstpointer folder)
{
  g_autoptr(GMenuModel) menu = lac_recent_files_menu_new();
  g_autofree char      *other = g_build_filename(folder, "other", NULL);
  g_autofree char      *base = g_path_get_basename(folder);
  g_assert_cmpint(g_mkdir_with_parents(other, 0700), ==, 0);
  g_autofree char *first = make_file(folder, "a.h5"), *second = make_file(other, "a.h5");
  lac_recent_files_add(first);
  lac_recent_files_add(second);
  g_autofree char *expected = g_strdup_printf("a.h5 (other); a.h5 (%s); Clear Recent Files", base);
  assert_menu(menu, expected);
  lac_recent_files_clear();
  g_remove(second);
  g_rmdir(other);
}

/* The schema has exactly the units of the table. */
static void
test_units_are_those_of_the_table(void)
{
  g_autoptr(GSettingsSchema) schema = NULL;
  gsize                      n;
  const LacUnit             *units = lac_units(&n);
  g_object_get(lac_preferences_get(), "settings-schema", &schema, NULL);
  for (LacDimension dimension = 0; dimension < LAC_N_DIMENSIONS; dimension++) {
    g_autofree char              *key = lac_preferences_dup_unit_key(dimension);
    g_autoptr(GSettingsSchemaKey) made = g_settings_schema_get_key(schema, key);
    g_autoptr(GVariant)           range = g_settings_schema_key_get_range(made);
    g_autoptr(GVariant)           choices = NULL;
    gsize                         n_offered = 0;
    g_variant_get(range, "(sv)", NULL, &choices);
    for (gsize i = 0; i < n; i++) {
      if (units[i].dimension != dimension || !units[i].is_offered)
        continue;
      n_offered++;
      g_assert_true(g_settings_set_string(lac_preferences_get(), key, units[i].key));
      g_assert_true(lac_unit_preferred(dimension) == &units[i]); /* at once */
    }
    g_assert_cmpuint(g_variant_n_children(choices), ==, n_offered);
    g_settings_reset(lac_preferences_get(), key);
    g_assert_cmpfloat(lac_unit_preferred(dimension)->size, ==, 1);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_autofree char *schemas = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "data", NULL);
  g_setenv("GSETTINGS_SCHEMA_DIR", schemas, TRUE);
  g_autoptr(GApplication) application =
    g_application_new("io.github.lacuna.Lacuna.Test", G_APPLICATION_NON_UNIQUE);
  g_application_set_default(application);
  g_assert_nonnull(lac_preferences_get());
  lac_preferences_follow_units();
  g_autofree char *folder = g_dir_make_tmp("lacuna-Recent-XXXXXX", NULL);
  g_test_add_data_func("/app/recent/the-latest-is-first", folder, test_the_latest_is_first);
  g_test_add_data_func("/app/recent/the-oldest-is-forgotten", folder, test_the_oldest_is_forgotten);
  g_test_add_data_func("/app/recent/twins-are-told-by-their-folder", folder,
                       test_equal_names_show_their_folder);
  g_test_add_func("/app/recent/units-are-those-of-the-table", test_units_are_those_of_the_table);
  int             status = g_test_run();
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  for (const char *name = g_dir_read_name(dir); name != NULL; name = g_dir_read_name(dir)) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_remove(path);
  }
  g_rmdir(folder);
  return status;
}
