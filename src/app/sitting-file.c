/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and writing the lines of a sitting. */
#include "app/sitting-file.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <string.h>

void
lac_sitting_entry_free(LacSittingEntry *entry)
{
  g_free(entry->action);
  g_clear_pointer(&entry->value, g_variant_unref);
  g_free(entry);
}

static void
free_entry(gpointer entry)
{
  lac_sitting_entry_free(entry);
}

char *
lac_sitting_dup_line(const LacSittingEntry *entry)
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

/* Of a state, in which anything may stand, and not of the words of a parameter. */
static const char *
find_equals(const char *said)
{
  const char *equals = strstr(said, " = "), *words = strpbrk(said, "(:");
  return words == NULL || words > equals ? equals : NULL;
}

static LacSittingEntry *
parse_line(const char *text, GError **error)
{
  char            *rest;
  const char      *equals = NULL;
  LacSittingEntry *entry = g_new0(LacSittingEntry, 1);
  entry->seconds = g_ascii_strtod(text, &rest);
  if (rest == text || *rest != ' ' || !(entry->seconds >= 0))
    g_set_error_literal(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                        _("it has to begin with seconds and a space"));
  else
    equals = find_equals(++rest);
  entry->is_state = equals != NULL;
  if (*error == NULL && entry->is_state) {
    entry->action = g_strndup(rest, (gsize) (equals - rest));
    entry->value = g_variant_parse(NULL, equals + 3, NULL, NULL, error);
  } else if (*error == NULL) {
    g_action_parse_detailed_name(rest, &entry->action, &entry->value, error);
  }
  if (*error == NULL)
    return entry;
  lac_sitting_entry_free(entry);
  return NULL;
}

GPtrArray *
lac_sitting_load(const char *path, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  g_autofree char     *text = NULL;
  g_autoptr(GPtrArray) entries = g_ptr_array_new_with_free_func(free_entry);
  if (!g_file_get_contents(path, &text, NULL, error))
    return NULL;
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autoptr(GError) wrong = NULL;
    const char       *line = g_strstrip(lines[i]);
    LacSittingEntry  *entry;
    if (*line == '\0' || *line == '#')
      continue;
    entry = g_utf8_validate(line, -1, NULL) ? parse_line(line, &wrong) : NULL;
    if (entry == NULL) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, _("%s, line %u: %s"), path, i + 1,
                  wrong != NULL ? wrong->message : _("it is no text"));
      return NULL;
    }
    entry->line = i + 1;
    g_ptr_array_add(entries, entry);
  }
  return g_steal_pointer(&entries);
}
