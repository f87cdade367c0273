/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of recent files is one key of the settings; menus follow it. */
#include "app/toolkit/recent-files.h"

#include "app/toolkit/preferences.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define KEY "recent-files"

/* ---- the list ---- */

static void
store(GPtrArray *paths)
{
  g_ptr_array_add(paths, NULL);
  g_settings_set_strv(lac_preferences_get(), KEY, (const char *const *) paths->pdata);
}

/* Returns: (transfer container): the paths of @list other than @path; borrowed. */
static GPtrArray *
without(char **list, const char *path)
{
  GPtrArray *kept = g_ptr_array_new();
  for (char **each = list; *each != NULL; each++)
    if (!g_str_equal(*each, path))
      g_ptr_array_add(kept, *each);
  return kept;
}

void
lac_recent_files_add(const char *path)
{
  if (lac_preferences_get() == NULL || path == NULL || *path == '\0')
    return;
  g_autofree char *whole = g_canonicalize_filename(path, NULL);
  if (!g_file_test(whole, G_FILE_TEST_EXISTS) || !g_utf8_validate(whole, -1, NULL))
    return;
  g_auto(GStrv)        list = lac_recent_files_list();
  g_autoptr(GPtrArray) paths = without(list, whole);
  g_ptr_array_insert(paths, 0, whole);
  if (paths->len > LAC_RECENT_MOST)
    g_ptr_array_set_size(paths, LAC_RECENT_MOST);
  store(paths);
}

void
lac_recent_files_remove(const char *path)
{
  if (lac_preferences_get() == NULL)
    return;
  g_auto(GStrv)        list = lac_recent_files_list();
  g_autoptr(GPtrArray) paths = without(list, path);
  store(paths);
}

void
lac_recent_files_clear(void)
{
  if (lac_preferences_get() != NULL)
    g_settings_reset(lac_preferences_get(), KEY);
}

GStrv
lac_recent_files_list(void)
{
  GSettings *settings = lac_preferences_get();
  return settings != NULL ? g_settings_get_strv(settings, KEY) : g_new0(char *, 1);
}

/* ---- the menu ---- */

/* Classifies by file name: a menu opens no files. Anything unknown is data. */
enum { RUNS, PLANS, DATA };
static const struct {
  const char *title, *endings[3];
} kinds[] = {
  [RUNS] = {N_("Recent Runs"), {".lacuna", NULL}},
  [PLANS] = {N_("Recent Set-ups"), {".yaml", ".yml", NULL}},
  {N_("Recent Data"), {NULL}},
};

static gsize
kind_of(const char *path)
{
  for (gsize kind = 0; kind < G_N_ELEMENTS(kinds); kind++)
    for (const char *const *ending = kinds[kind].endings; *ending != NULL; ending++)
      if (g_str_has_suffix(path, *ending))
        return kind;
  return G_N_ELEMENTS(kinds) - 1;
}

/* Returns the file name, with the folder if two have the same name. */
static char *
dup_label(char **list, const char *path)
{
  g_autofree char *name = g_path_get_basename(path), *folder = g_path_get_dirname(path);
  g_autofree char *parent = g_path_get_basename(folder);
  guint            n = 0;
  for (char **each = list; *each != NULL; each++) {
    g_autofree char *other = g_path_get_basename(*each);
    n += g_str_equal(other, name);
  }
  if (kind_of(path) == RUNS)
    name[strlen(name) - strlen(kinds[RUNS].endings[0])] = '\0';
  g_autofree char *label = n > 1 ? g_strdup_printf("%s (%s)", name, parent) : g_strdup(name);
  g_auto(GStrv)    parts = g_strsplit(label, "_", -1); /* escapes mnemonics */
  return g_strjoinv("__", parts);
}

static gboolean
shows(GMenuModel *section, int at, const char *label, const char *path)
{
  g_autofree char *shown = NULL, *target = NULL;
  return g_menu_model_get_item_attribute(section, at, G_MENU_ATTRIBUTE_LABEL, "s", &shown) &&
         g_menu_model_get_item_attribute(section, at, G_MENU_ATTRIBUTE_TARGET, "s", &target) &&
         g_str_equal(shown, label) && g_str_equal(target, path);
}

/* Leaves unchanged items in place: GTK 4.8 leaks part of each removed item. */
static void
put(GMenu *section, int at, const char *label, const char *path)
{
  int n = g_menu_model_get_n_items(G_MENU_MODEL(section)), same = at;
  while (same < n && !shows(G_MENU_MODEL(section), same, label, path))
    same++;
  if (same < n) {
    for (int i = at; i < same; i++)
      g_menu_remove(section, at);
    return;
  }
  g_autoptr(GMenuItem) item = g_menu_item_new(label, NULL);
  g_menu_item_set_action_and_target(item, "win.open-recent", "s", path);
  g_menu_insert_item(section, at, item);
}

static void
cut(GMenu *section, int n)
{
  while (g_menu_model_get_n_items(G_MENU_MODEL(section)) > n)
    g_menu_remove(section, g_menu_model_get_n_items(G_MENU_MODEL(section)) - 1);
}

static void
fill_kind(GMenu *section, char **list, gsize kind)
{
  int n = 0;
  for (char **path = list; *path != NULL; path++) {
    if (kind_of(*path) != kind)
      continue;
    g_autofree char *label = dup_label(list, *path);
    put(section, n++, label, *path);
  }
  cut(section, n);
}

static void
put_command(GMenu *section, const char *label, const char *action)
{
  g_autofree char *shown = NULL;
  if (g_menu_model_get_n_items(G_MENU_MODEL(section)) > 0 &&
      g_menu_model_get_item_attribute(G_MENU_MODEL(section), 0, G_MENU_ATTRIBUTE_LABEL, "s",
                                      &shown) &&
      g_str_equal(shown, label))
    return;
  g_menu_remove_all(section);
  g_menu_append(section, label, action);
}

static GMenu *
section_of(GMenu *menu, gsize at)
{
  return G_MENU(g_menu_model_get_item_link(G_MENU_MODEL(menu), (int) at, G_MENU_LINK_SECTION));
}

static void
fill(GMenu *menu)
{
  g_auto(GStrv)    list = lac_recent_files_list();
  g_autoptr(GMenu) last = section_of(menu, G_N_ELEMENTS(kinds));
  for (gsize kind = 0; kind < G_N_ELEMENTS(kinds); kind++) {
    g_autoptr(GMenu) section = section_of(menu, kind);
    fill_kind(section, list, kind);
  }
  if (*list != NULL)
    put_command(last, _("Clear Recent Files"), "win.clear-recent");
  else
    put_command(last, _("No Recent Files"), "win.no-such-action"); /* shows a disabled item */
}

static void
on_changed(GSettings *settings, const char *key, GMenu *menu)
{
  fill(menu);
}

GMenuModel *
lac_recent_files_menu_new(void)
{
  GMenu *menu = g_menu_new();
  for (gsize at = 0; at <= G_N_ELEMENTS(kinds); at++) { /* a section without items is not shown */
    g_autoptr(GMenu) section = g_menu_new();
    g_menu_append_section(menu, at < G_N_ELEMENTS(kinds) ? _(kinds[at].title) : NULL,
                          G_MENU_MODEL(section));
  }
  if (lac_preferences_get() != NULL)
    g_signal_connect_object(lac_preferences_get(), "changed::" KEY, G_CALLBACK(on_changed), menu,
                            0);
  fill(menu);
  return G_MENU_MODEL(menu);
}
