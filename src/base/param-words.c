/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts for parameter rows: values by their names, allowed values, and suggestions for mistyped keys. */
#include "base/number-display.h"
#include "base/number.h"
#include "base/param.h"

#include <glib/gi18n-lib.h>

#include <string.h>

const LacParam *
lac_param_find(const LacParamTable *table, const char *key)
{
  g_return_val_if_fail(table != NULL && key != NULL, NULL);
  for (gsize i = 0; i < table->n_rows; i++) {
    if (strcmp(table->rows[i].key, key) == 0)
      return &table->rows[i];
  }
  return NULL;
}

static char *
dup_range(const LacParam *row)
{
  gboolean         below = row->min > -G_MAXDOUBLE, above = row->max < G_MAXDOUBLE;
  g_autofree char *min = lac_number_localise(lac_number_dup_text(row->min));
  g_autofree char *max = lac_number_localise(lac_number_dup_text(row->max));
  if (below && above)
    return g_strdup_printf(_("%s to %s"), min, max);
  if (below)
    return g_strdup_printf(_("%s or more"), min);
  if (above)
    return g_strdup_printf(_("%s or less"), max);
  return g_strdup(row->kind == LAC_PARAM_INTEGER ? _("any whole number") : _("any number"));
}

char *
lac_param_dup_allowed(const LacParam *row)
{
  g_return_val_if_fail(row != NULL, NULL);
  switch (row->kind) {
  case LAC_PARAM_REAL:
  case LAC_PARAM_INTEGER: return dup_range(row);
  case LAC_PARAM_LIST:
  case LAC_PARAM_CHOICE: return g_strjoinv(", ", (char **) row->choices);
  case LAC_PARAM_SWITCH: return g_strdup(_("yes or no"));
  case LAC_PARAM_FILE:
    return g_strdup_printf(_("a %s file, or none"), row->file_type ? row->file_type : _("data"));
  case LAC_PARAM_TEXT: return g_strdup(_("any text"));
  }
  g_return_val_if_reached(NULL);
}

const char *
lac_param_get_title(const LacParam *row, guint choice)
{
  g_return_val_if_fail(row != NULL && row->choices != NULL, NULL);
  return row->titles != NULL ? g_dgettext(GETTEXT_PACKAGE, row->titles[choice])
                             : row->choices[choice];
}

/* Returns the name of the choice @key, or @key itself. */
static const char *
find_title(const LacParam *row, const char *key)
{
  for (guint i = 0; row->choices[i] != NULL; i++)
    if (strcmp(row->choices[i], key) == 0)
      return lac_param_get_title(row, i);
  return key;
}

/* Joins the names of the choices in @list. */
static char *
dup_titles(const LacParam *row, const char *list, const char *separator)
{
  g_auto(GStrv) keys = g_strsplit(list, ",", -1);
  GString      *text = g_string_new(NULL);
  for (guint i = 0; keys[i] != NULL; i++)
    g_string_append_printf(text, "%s%s", i > 0 ? separator : "",
                           find_title(row, g_strstrip(keys[i])));
  return g_string_free(text, FALSE);
}

char *
lac_param_dup_shown(const LacParam *row, const char *text)
{
  g_return_val_if_fail(row != NULL && text != NULL, NULL);
  if (row->kind == LAC_PARAM_CHOICE)
    return g_strdup(find_title(row, text));
  if (row->kind == LAC_PARAM_LIST)
    return dup_titles(row, text, ", ");
  if (row->kind == LAC_PARAM_SWITCH)
    return g_strdup(strcmp(text, "yes") == 0 ? _("yes") : _("no"));
  if (*text == '\0')
    return g_strdup(_("none"));
  return g_strdup(
    row->zero != NULL && strcmp(text, "0") == 0 ? g_dgettext(GETTEXT_PACKAGE, row->zero) : text);
}

char *
lac_param_dup_allowed_shown(const LacParam *row)
{
  g_return_val_if_fail(row != NULL, NULL);
  g_autofree char *keys = lac_param_dup_allowed(row);
  if (row->kind == LAC_PARAM_CHOICE || row->kind == LAC_PARAM_LIST)
    return dup_titles(row, keys, "; "); /* a name may contain a comma */
  if (row->zero != NULL)
    return g_strconcat(g_dgettext(GETTEXT_PACKAGE, row->zero), _(" or "), keys, NULL);
  return g_steal_pointer(&keys);
}

#define N_SUGGESTIONS 3

/* Levenshtein distance from @a to @b: insertions, deletions and replacements. */
static gsize
distance(const char *a, const char *b)
{
  gsize             n_a = strlen(a), n_b = strlen(b);
  g_autofree gsize *line = g_new(gsize, n_b + 1);
  for (gsize j = 0; j <= n_b; j++)
    line[j] = j;
  for (gsize i = 1; i <= n_a; i++) {
    gsize diagonal = line[0];
    line[0] = i;
    for (gsize j = 1; j <= n_b; j++) {
      gsize replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = line[j];
      line[j] = MIN(replaced, MIN(line[j], line[j - 1]) + 1);
    }
  }
  return line[n_b];
}

static gboolean
is_near(const char *key, const char *meant)
{
  if (*key == '\0')
    return FALSE;
  return g_str_has_prefix(meant, key) || distance(key, meant) <= 1 + strlen(meant) / 4;
}

typedef struct {
  const char *key;
  gboolean    is_near;
  gsize       away, place; /* @place: in the table */
} Suggestion;

static int
compare_suggestions(gconstpointer a, gconstpointer b)
{
  const Suggestion *one = a, *other = b;
  return one->is_near != other->is_near ? (one->is_near ? -1 : 1)
         : one->away != other->away     ? (one->away < other->away ? -1 : 1)
         : one->place < other->place    ? -1
                                        : 1;
}

char *
lac_param_dup_keys_near(const LacParamTable *table, const char *key)
{
  g_return_val_if_fail(table != NULL && key != NULL, NULL);
  g_autoptr(GArray)    all = g_array_new(FALSE, FALSE, sizeof(Suggestion));
  g_autoptr(GPtrArray) shown = g_ptr_array_new();
  if (table->n_rows == 0)
    return g_strdup(_("there are no parameters"));
  for (gsize i = 0; i < table->n_rows; i++) {
    const char *known = table->rows[i].key;
    Suggestion  one = {known, is_near(key, known), distance(key, known), i};
    g_array_append_val(all, one);
  }
  g_array_sort(all, compare_suggestions);
  const gboolean has_near = g_array_index(all, Suggestion, 0).is_near;
  for (guint i = 0; i < MIN(all->len, N_SUGGESTIONS); i++) {
    const Suggestion *one = &g_array_index(all, Suggestion, i);
    if (one->is_near || !has_near)
      g_ptr_array_add(shown, (gpointer) one->key);
  }
  g_ptr_array_add(shown, NULL);
  g_autofree char *names = g_strjoinv(has_near ? _(" or ") : ", ", (char **) shown->pdata);
  return has_near ? g_strdup_printf(_("did you mean %s?"), names)
                  : g_strdup_printf(_("the nearest of %u are %s"), all->len, names);
}
