/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs in the commands of a recording, and beside them. */
#include "app/script/runs-of-script.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define RUN_ENDING  ".lacuna"
#define PATH_PREFIX "recording:"
#define OLD_PREFIX  "sitting:" /* of PATH_PREFIX in formats 1 and 2 */
#define NAME_PREFIX "run:"

char *
lac_ui_script_runs_dup_place(const char *folder, const char *name)
{
  g_autofree char *alone =
    g_path_get_basename(name); /* guards against paths: the name comes from a file */
  return g_build_filename(folder, LAC_UI_SCRIPT_RUNS, alone, NULL);
}

/* ---- texts within values ---- */

/* Returns: (transfer full): the replacement of @text. */
typedef char *(*Replace)(const char *text, gpointer user_data);

/* Replaces texts within a value. Returns: floating if new, hence for g_variant_take_ref(). */
static GVariant *
replace_texts(GVariant *value, Replace replace, gpointer user_data)
{
  GVariantBuilder builder;
  if (g_variant_is_of_type(value, G_VARIANT_TYPE_STRING))
    return g_variant_new_take_string(replace(g_variant_get_string(value, NULL), user_data));
  if (!g_variant_is_container(value))
    return g_variant_ref(value);
  g_variant_builder_init(&builder, g_variant_get_type(value));
  for (gsize i = 0; i < g_variant_n_children(value); i++) {
    g_autoptr(GVariant) child = g_variant_get_child_value(value, i);
    g_autoptr(GVariant) replaced = g_variant_take_ref(replace_texts(child, replace, user_data));
    g_variant_builder_add_value(&builder, replaced);
  }
  return g_variant_builder_end(&builder);
}

/* Replaces each match of @pattern in @text by the result of @evaluate. */
static char *
replace_matches(const char *pattern, const char *text, GRegexEvalCallback evaluate, gpointer data)
{
  g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_OPTIMIZE, 0, NULL);
  char             *replaced = g_regex_replace_eval(regex, text, -1, 0, 0, evaluate, data, NULL);
  return replaced != NULL ? replaced : g_strdup(text);
}

static gboolean
shorten_path(const GMatchInfo *match, GString *result, gpointer shown)
{
  g_autofree char *path = g_match_info_fetch(match, 0);
  g_autofree char *name = g_path_get_basename(path);
  if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
    g_string_append(result, path);
    return FALSE;
  }
  g_hash_table_add(shown, g_steal_pointer(&path));
  g_string_append_printf(result, PATH_PREFIX "%s", name);
  return FALSE;
}

static char *
shorten_text(const char *text, gpointer shown)
{
  if (g_str_has_suffix(text, RUN_ENDING) && strchr(text, '/') == NULL &&
      !g_str_has_prefix(text, PATH_PREFIX) && !g_str_has_prefix(text, OLD_PREFIX) &&
      !g_str_has_prefix(text, NAME_PREFIX))
    return g_strconcat(NAME_PREFIX, text, NULL);
  return replace_matches("/(?:[^/\"\\n]+/)*[^/\"\\n]+\\.lacuna(?=[/\"]|$)", text, shorten_path,
                         shown);
}

GVariant *
lac_ui_script_runs_shorten(GVariant *value, GHashTable *shown)
{
  g_return_val_if_fail(value != NULL && shown != NULL, NULL);
  return g_variant_take_ref(replace_texts(value, shorten_text, shown));
}

typedef struct {
  LacUiScriptFind find;
  gpointer        user_data;
} Finding;

static gboolean
expand_path(const GMatchInfo *match, GString *result, gpointer data)
{
  const Finding   *finding = data;
  g_autofree char *name = g_match_info_fetch(match, 1);
  g_autofree char *path = finding->find(name, finding->user_data);
  g_string_append(result, path);
  return FALSE;
}

static char *
expand_text(const char *text, gpointer data)
{
  const Finding *finding = data;
  if (g_str_has_prefix(text, NAME_PREFIX) && g_str_has_suffix(text, RUN_ENDING)) {
    g_autofree char *path = finding->find(text + strlen(NAME_PREFIX), finding->user_data);
    return g_path_get_basename(path);
  }
  return replace_matches("(?:" PATH_PREFIX "|" OLD_PREFIX ")([^/\"\\n]+\\.lacuna)(?=[/\"]|$)", text,
                         expand_path, data);
}

GVariant *
lac_ui_script_runs_expand(GVariant *value, LacUiScriptFind find, gpointer user_data)
{
  g_return_val_if_fail(value != NULL && find != NULL, NULL);
  return g_variant_take_ref(replace_texts(value, expand_text, &(Finding){find, user_data}));
}

/* ---- folders ---- */

static gboolean
refuse(const char *path, const char *why, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, _("could not save %s with the recording: %s"),
              path, why);
  return FALSE;
}

static gboolean
keep_file(const char *from, const char *to, GCancellable *cancellable, GError **error)
{
  if (link(from, to) == 0)
    return TRUE;
  g_autoptr(GFile)  source = g_file_new_for_path(from);
  g_autoptr(GFile)  target = g_file_new_for_path(to);
  g_autoptr(GError) why = NULL;
  if (g_file_copy(source, target, G_FILE_COPY_OVERWRITE, cancellable, NULL, NULL, &why))
    return TRUE;
  return refuse(from, why->message, error);
}

static void
remove_tree(const char *path)
{
  g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
  const char     *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *child = g_build_filename(path, name, NULL);
    if (g_file_test(child, G_FILE_TEST_IS_DIR) && !g_file_test(child, G_FILE_TEST_IS_SYMLINK))
      remove_tree(child);
    else
      g_unlink(child);
  }
  g_rmdir(path);
}

static gboolean
keep_tree(const char *from, const char *to, GCancellable *cancellable, GError **error)
{
  g_autoptr(GError) why = NULL;
  g_autoptr(GDir)   dir = g_dir_open(from, 0, &why);
  const char       *name;
  if (dir == NULL)
    return refuse(from, why->message, error);
  if (g_mkdir_with_parents(to, 0755) != 0)
    return refuse(from, g_strerror(errno), error);
  while ((name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *source = g_build_filename(from, name, NULL);
    g_autofree char *target = g_build_filename(to, name, NULL);
    if (g_cancellable_set_error_if_cancelled(cancellable, error))
      return FALSE;
    if (g_file_test(source, G_FILE_TEST_IS_DIR) ? !keep_tree(source, target, cancellable, error)
        : g_file_test(source, G_FILE_TEST_IS_REGULAR)
          ? !keep_file(source, target, cancellable, error)
          : FALSE)
      return FALSE;
  }
  return TRUE;
}

gboolean
lac_ui_script_runs_keep(const char   *folder,
                        const char   *run,
                        GCancellable *cancellable,
                        GError      **error)
{
  g_return_val_if_fail(folder != NULL && run != NULL, FALSE);
  g_autofree char *place = lac_ui_script_runs_dup_place(folder, run);
  g_autofree char *part = g_strconcat(place, ".part", NULL);
  if (g_file_test(place, G_FILE_TEST_IS_DIR))
    return TRUE;
  remove_tree(part);
  if (keep_tree(run, part, cancellable, error) &&
      (g_rename(part, place) == 0 || refuse(run, g_strerror(errno), error)))
    return TRUE;
  remove_tree(part);
  return FALSE;
}
