/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and writing the lines of a recording. */
#include "app/script/ui-script.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define FACT_PREFIX "recording."

/* formats 1 and 2 */
#define OLD_FACT_PREFIX "sitting."
#define OLD_TEXT        "sitting.txt"

LacUiScriptEntry *
lac_ui_script_entry_new(double seconds, const char *action, GVariant *value, gboolean is_state)
{
  g_return_val_if_fail(action != NULL, NULL);
  LacUiScriptEntry *entry = g_new0(LacUiScriptEntry, 1);
  entry->seconds = seconds;
  entry->action = g_strdup(action);
  entry->value = value != NULL ? g_variant_ref_sink(value) : NULL;
  entry->is_state = is_state;
  return entry;
}

void
lac_ui_script_entry_free(LacUiScriptEntry *entry)
{
  g_free(entry->action);
  g_clear_pointer(&entry->value, g_variant_unref);
  g_free(entry);
}

gboolean
lac_ui_script_entry_is_fact(const LacUiScriptEntry *entry)
{
  return g_str_has_prefix(entry->action, FACT_PREFIX);
}

static void
free_entry(gpointer entry)
{
  lac_ui_script_entry_free(entry);
}

void
lac_ui_script_free(LacUiScript *script)
{
  g_ptr_array_unref(script->entries);
  g_free(script->folder);
  g_free(script);
}

guint
lac_ui_script_count_runs(const LacUiScript *script)
{
  guint n = 0;
  for (guint i = 0; i < script->entries->len; i++)
    n +=
      g_str_equal(((LacUiScriptEntry *) script->entries->pdata[i])->action, LAC_UI_SCRIPT_FACT_RUN);
  return n;
}

char *
lac_ui_script_entry_dup_line(const LacUiScriptEntry *entry)
{
  char             when[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *said = NULL;
  g_return_val_if_fail(entry != NULL && entry->action != NULL, NULL);
  g_ascii_formatd(when, sizeof when, "%.3f", entry->seconds);
  if (entry->is_state) {
    g_autofree char *state = g_variant_print(entry->value, TRUE);
    said = g_strdup_printf("%s = %s", entry->action, state);
  } else {
    said = g_action_print_detailed_name(entry->action, entry->value);
  }
  return g_strdup_printf("%s %s", when, said);
}

/* Finds the = of a state, which any text may follow, ignoring = within a parameter. */
static const char *
find_equals(const char *said)
{
  const char *equals = strstr(said, " = "), *words = strpbrk(said, "(:");
  return words == NULL || words > equals ? equals : NULL;
}

/* Renames a fact of an earlier format. */
static void
update_name(LacUiScriptEntry *entry)
{
  if (!g_str_has_prefix(entry->action, OLD_FACT_PREFIX))
    return;
  g_autofree char *old = g_steal_pointer(&entry->action);
  entry->action = g_strconcat(FACT_PREFIX, old + strlen(OLD_FACT_PREFIX), NULL);
}

static LacUiScriptEntry *
parse_line(const char *text, GError **error)
{
  char             *rest;
  const char       *equals = NULL;
  LacUiScriptEntry *entry = g_new0(LacUiScriptEntry, 1);
  entry->seconds = g_ascii_strtod(text, &rest);
  if (rest == text || *rest != ' ' || !(entry->seconds >= 0))
    g_set_error_literal(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                        _("a line must begin with seconds and a space"));
  else
    equals = find_equals(++rest);
  entry->is_state = equals != NULL;
  if (*error == NULL && entry->is_state) {
    entry->action = g_strndup(rest, (gsize) (equals - rest));
    entry->value = g_variant_parse(NULL, equals + 3, NULL, NULL, error);
  } else if (*error == NULL) {
    g_action_parse_detailed_name(rest, &entry->action, &entry->value, error);
  }
  if (*error == NULL) {
    update_name(entry);
    return entry;
  }
  lac_ui_script_entry_free(entry);
  return NULL;
}

/* Reads the format version. Returns: FALSE with an error if it is newer than this program. */
static gboolean
take_format(const LacUiScriptEntry *entry, const char *path, GError **error)
{
  int format = entry->value != NULL && g_variant_is_of_type(entry->value, G_VARIANT_TYPE_INT32)
                 ? g_variant_get_int32(entry->value)
                 : 0;
  if (format > 0 && format <= LAC_UI_SCRIPT_FORMAT)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              _("%s was recorded by a newer version of Lacuna (format %d); this version reads "
                "formats up to %d. Update Lacuna to replay it."),
              path, format, LAC_UI_SCRIPT_FORMAT);
  return FALSE;
}

/* Parses the lines. In a recording a last line without line end is incomplete and ignored. */
static gboolean
parse_all(LacUiScript *script, const char *path, const char *text, GError **error)
{
  gboolean      is_recorded = FALSE, has_end = FALSE;
  gboolean      is_whole = *text == '\0' || text[strlen(text) - 1] == '\n';
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autoptr(GError) wrong = NULL;
    const char       *line = g_strstrip(lines[i]);
    LacUiScriptEntry *entry;
    if (*line == '\0' || *line == '#')
      continue;
    if (is_recorded && !is_whole && lines[i + 1] == NULL)
      break;
    entry = g_utf8_validate(line, -1, NULL) ? parse_line(line, &wrong) : NULL;
    if (entry == NULL) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, _("%s, line %u: %s"), path, i + 1,
                  wrong != NULL ? wrong->message : _("not a UTF-8 text file"));
      return FALSE;
    }
    entry->line = i + 1;
    g_ptr_array_add(script->entries, entry);
    has_end = has_end || g_str_equal(entry->action, LAC_UI_SCRIPT_FACT_END);
    if (!g_str_equal(entry->action, LAC_UI_SCRIPT_FACT_FORMAT))
      continue;
    is_recorded = TRUE;
    if (!take_format(entry, path, error))
      return FALSE;
  }
  script->is_cut_off = is_recorded && !has_end;
  return TRUE;
}

/* Returns: (transfer full): the text file of @folder: by its earlier name if only that exists. */
static char *
find_text(const char *folder)
{
  g_autofree char *file = g_build_filename(folder, LAC_UI_SCRIPT_TEXT, NULL);
  g_autofree char *old = g_build_filename(folder, OLD_TEXT, NULL);
  gboolean is_old = !g_file_test(file, G_FILE_TEST_EXISTS) && g_file_test(old, G_FILE_TEST_EXISTS);
  return is_old ? g_steal_pointer(&old) : g_steal_pointer(&file);
}

LacUiScript *
lac_ui_script_load(const char *path, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  g_autofree char *file = g_file_test(path, G_FILE_TEST_IS_DIR) ? find_text(path) : g_strdup(path);
  g_autofree char *text = NULL;
  if (!g_file_get_contents(file, &text, NULL, error))
    return NULL;
  g_autoptr(LacUiScript) script = g_new0(LacUiScript, 1);
  script->folder = g_path_get_dirname(file);
  script->entries = g_ptr_array_new_with_free_func(free_entry);
  return parse_all(script, file, text, error) ? g_steal_pointer(&script) : NULL;
}
