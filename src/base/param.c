/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drafts: the values of a parameter table, set from text and validated with an error message. */
#include "base/param.h"

#include "base/error.h"
#include "base/number.h"

#include <glib/gi18n-lib.h>

#include <string.h>

struct _LacDraft {
  const LacParamTable *table;
  char                *values; /* table->size bytes: the parameter struct */
};

static double *
real_at(const LacDraft *draft, const LacParam *row)
{
  return (double *) (gpointer) (draft->values + row->offset);
}

static gint64 *
whole_at(const LacDraft *draft, const LacParam *row)
{
  return (gint64 *) (gpointer) (draft->values + row->offset);
}

/* Returns the draft's string of a file or text row. */
static char **
string_at(const LacDraft *draft, const LacParam *row)
{
  return (char **) (gpointer) (draft->values + row->offset);
}

static gboolean
is_string(const LacParam *row)
{
  return row->kind == LAC_PARAM_FILE || row->kind == LAC_PARAM_TEXT;
}

/* Returns the content slot of a file row that has one. */
static LacFileContent **
given_at(const LacDraft *draft, const LacParam *row)
{
  return (LacFileContent **) (gpointer) (draft->values + row->given);
}

static void
forget_given(LacDraft *draft, const LacParam *row)
{
  LacFileContent *given = row->given != 0 ? *given_at(draft, row) : NULL;
  if (given == NULL)
    return;
  *given_at(draft, row) = NULL;
  if (!g_atomic_int_dec_and_test(&given->ref_count))
    return;
  given->destroy(given->data);
  g_free(given);
}

static const char *
default_string(const LacParam *row)
{
  return row->kind == LAC_PARAM_TEXT ? row->text : NULL;
}

LacDraft *
lac_draft_new(const LacParamTable *table)
{
  g_return_val_if_fail(table != NULL, NULL);
  LacDraft *draft = g_new(LacDraft, 1);
  draft->table = table;
  draft->values = g_malloc0(table->size);
  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam *row = &table->rows[i];
    g_assert(row->offset + sizeof(gint64) <= table->size);
    if (row->kind == LAC_PARAM_REAL)
      *real_at(draft, row) = row->fallback;
    else if (is_string(row))
      *string_at(draft, row) = g_strdup(default_string(row));
    else
      *whole_at(draft, row) = (gint64) row->fallback;
  }
  return draft;
}

LacDraft *
lac_draft_copy(const LacDraft *draft)
{
  g_return_val_if_fail(draft != NULL, NULL);
  LacDraft *copy = g_new(LacDraft, 1);
  copy->table = draft->table;
  copy->values = g_malloc(draft->table->size);
  memcpy(copy->values, draft->values, draft->table->size);
  for (gsize i = 0; i < draft->table->n_rows; i++) {
    const LacParam *row = &draft->table->rows[i];
    if (is_string(row))
      *string_at(copy, row) = g_strdup(*string_at(draft, row));
    if (row->given != 0 && *given_at(copy, row) != NULL)
      g_atomic_int_inc(&(*given_at(copy, row))->ref_count);
  }
  return copy;
}

void
lac_draft_free(LacDraft *draft)
{
  if (draft == NULL)
    return;
  for (gsize i = 0; i < draft->table->n_rows; i++) {
    const LacParam *row = &draft->table->rows[i];
    if (is_string(row))
      g_free(*string_at(draft, row));
    forget_given(draft, row);
  }
  g_free(draft->values);
  g_free(draft);
}

const LacParamTable *
lac_draft_get_table(const LacDraft *draft)
{
  g_return_val_if_fail(draft != NULL, NULL);
  return draft->table;
}

gconstpointer
lac_draft_get_values(const LacDraft *draft)
{
  g_return_val_if_fail(draft != NULL, NULL);
  return draft->values;
}

/* Returns " (unit m/s)", or "" for a dimensionless row. */
static char *
dup_unit(const LacParam *row)
{
  gboolean number = row->kind == LAC_PARAM_REAL || row->kind == LAC_PARAM_INTEGER;
  return number && row->unit != NULL && strcmp(row->unit, "1") != 0
           ? g_strdup_printf(_(" (unit %s)"), row->unit)
           : g_strdup("");
}

/* @sentence: format with key, value, allowed values, and the unit in brackets */
static gboolean
refuse(const LacParam *row, const char *text, const char *sentence, GError **error)
{
  g_autofree char *allowed = lac_param_dup_allowed(row);
  g_autofree char *unit = dup_unit(row);
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, sentence, row->key,
              *text == '\0' ? _("(empty)") : text, allowed, unit);
  return FALSE;
}

static gboolean
check_range(const LacParam *row, double value, const char *text, GError **error)
{
  if (value >= row->min && value <= row->max)
    return TRUE;
  return refuse(row, text, _("%s = %s is outside %s%s"), error);
}

static gboolean
set_real(LacDraft *draft, const LacParam *row, const char *text, GError **error)
{
  double value;
  if (!lac_number_parse(text, &value))
    return refuse(row, text, _("%s = %s is not a number; allowed: %s%s"), error);
  if (!check_range(row, value, text, error))
    return FALSE;
  *real_at(draft, row) = value;
  return TRUE;
}

static gboolean
set_integer(LacDraft *draft, const LacParam *row, const char *text, GError **error)
{
  gint64 value;
  double real;
  if (!lac_number_parse_whole(text, &value)) {
    if (!lac_number_parse(text, &real))
      return refuse(row, text, _("%s = %s is not a number; allowed: %s%s"), error);
    if (!check_range(row, real, text, error))
      return FALSE;
    return refuse(row, text, _("%s = %s is not a whole number; allowed: %s%s"), error);
  }
  if (!check_range(row, (double) value, text, error))
    return FALSE;
  *whole_at(draft, row) = value;
  return TRUE;
}

static gboolean
set_choice(LacDraft *draft, const LacParam *row, const char *text, GError **error)
{
  for (gint64 i = 0; row->choices[i] != NULL; i++) {
    if (strcmp(row->choices[i], text) == 0) {
      *whole_at(draft, row) = i;
      return TRUE;
    }
  }
  return refuse(row, text, _("%s = %s is not allowed; it may be one of %s%s"), error);
}

int
lac_list_get(gint64 list, guint i)
{
  return i < LAC_LIST_MAX_ENTRIES ? (int) (list >> (4 * i) & 15) - 1 : -1;
}

gint64
lac_list_append(gint64 list, guint choice)
{
  guint n = 0;

  g_return_val_if_fail(choice < 15, list);
  while (lac_list_get(list, n) >= 0)
    n++;
  g_return_val_if_fail(n < LAC_LIST_MAX_ENTRIES, list);
  return list | (gint64) (choice + 1) << (4 * n);
}

gboolean
lac_list_has(gint64 list, guint choice)
{
  for (guint i = 0; lac_list_get(list, i) >= 0; i++)
    if (lac_list_get(list, i) == (int) choice)
      return TRUE;
  return FALSE;
}

static char *
dup_list(const LacParam *row, gint64 list)
{
  GString *text = g_string_new(NULL);

  for (guint i = 0; lac_list_get(list, i) >= 0; i++)
    g_string_append_printf(text, "%s%s", i ? "," : "", row->choices[lac_list_get(list, i)]);
  return g_string_free(text, FALSE);
}

static gboolean
set_list(LacDraft *draft, const LacParam *row, const char *text, GError **error)
{
  g_auto(GStrv) words = g_strsplit(text, ",", LAC_LIST_MAX_ENTRIES + 1);
  gint64        list = 0;

  for (guint i = 0; words[i] != NULL; i++) {
    const char *word = g_strstrip(words[i]);
    guint       choice = 0;

    while (row->choices[choice] != NULL && strcmp(row->choices[choice], word) != 0)
      choice++;
    if (row->choices[choice] == NULL)
      return refuse(row, text, _("%s = %s is not allowed; choose one or more of %s%s"), error);
    if (lac_list_has(list, choice))
      return refuse(row, text, _("%s = %s lists an entry twice; each of %s%s may occur only once"),
                    error);
    list = lac_list_append(list, choice);
  }
  if (list == 0)
    return refuse(row, text, _("%s = %s is not allowed; choose one or more of %s%s"), error);
  *whole_at(draft, row) = list;
  return TRUE;
}

static gboolean
set_switch(LacDraft *draft, const LacParam *row, const char *text, GError **error)
{
  static const struct {
    const char *yes, *no;
  } words[] = {{"yes", "no"}, {"true", "false"}, {"on", "off"}, {"1", "0"}};
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
    gboolean yes = g_ascii_strcasecmp(words[i].yes, text) == 0;
    if (yes || g_ascii_strcasecmp(words[i].no, text) == 0) {
      *whole_at(draft, row) = yes;
      return TRUE;
    }
  }
  return refuse(row, text, _("%s = %s is not allowed; it may be %s%s"), error);
}

static void
set_string(LacDraft *draft, const LacParam *row, const char *text)
{
  char *copy = *text == '\0' ? NULL : g_strdup(text); /* @text may alias the current value */
  g_free(*string_at(draft, row));
  *string_at(draft, row) = copy;
  forget_given(draft, row);
}

gboolean
lac_draft_set(LacDraft *draft, const char *key, const char *text, GError **error)
{
  g_return_val_if_fail(draft != NULL && key != NULL && text != NULL, FALSE);
  const LacParam *row = lac_param_find(draft->table, key);
  if (row == NULL) {
    g_autofree char *keys = lac_param_dup_keys_near(draft->table, key);
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY, _("no parameter is named %s; %s"), key,
                keys);
    return FALSE;
  }
  switch (row->kind) {
  case LAC_PARAM_REAL: return set_real(draft, row, text, error);
  case LAC_PARAM_INTEGER: return set_integer(draft, row, text, error);
  case LAC_PARAM_CHOICE: return set_choice(draft, row, text, error);
  case LAC_PARAM_SWITCH: return set_switch(draft, row, text, error);
  case LAC_PARAM_LIST: return set_list(draft, row, text, error);
  case LAC_PARAM_FILE:
  case LAC_PARAM_TEXT: set_string(draft, row, text); return TRUE;
  }
  g_return_val_if_reached(FALSE);
}

char *
lac_draft_dup_text(const LacDraft *draft, const LacParam *row)
{
  g_return_val_if_fail(draft != NULL && row != NULL, NULL);
  switch (row->kind) {
  case LAC_PARAM_REAL: return lac_number_dup_text(*real_at(draft, row));
  case LAC_PARAM_INTEGER: return g_strdup_printf("%" G_GINT64_FORMAT, *whole_at(draft, row));
  case LAC_PARAM_CHOICE: return g_strdup(row->choices[*whole_at(draft, row)]);
  case LAC_PARAM_SWITCH: return g_strdup(*whole_at(draft, row) ? "yes" : "no");
  case LAC_PARAM_LIST: return dup_list(row, *whole_at(draft, row));
  case LAC_PARAM_FILE:
  case LAC_PARAM_TEXT: return g_strdup(*string_at(draft, row) ? *string_at(draft, row) : "");
  }
  g_return_val_if_reached(NULL);
}

double
lac_draft_get_number(const LacDraft *draft, const LacParam *row)
{
  g_return_val_if_fail(draft != NULL && row != NULL && !is_string(row), 0);
  if (row->kind == LAC_PARAM_REAL)
    return *real_at(draft, row);
  return (double) *whole_at(draft, row);
}

const char *
lac_draft_get_file(const LacDraft *draft, const LacParam *row)
{
  g_return_val_if_fail(draft != NULL && row != NULL && row->kind == LAC_PARAM_FILE, NULL);
  return *string_at(draft, row);
}

void
lac_draft_give(LacDraft *draft, const LacParam *row, gpointer data, GDestroyNotify destroy)
{
  g_return_if_fail(draft != NULL && row != NULL && row->given != 0 && destroy != NULL);
  const LacFileContent given = {1, data, destroy};
  forget_given(draft, row);
  *given_at(draft, row) = g_memdup2(&given, sizeof given);
}

gpointer
lac_draft_get_given(const LacDraft *draft, const LacParam *row)
{
  g_return_val_if_fail(draft != NULL && row != NULL, NULL);
  const LacFileContent *given = row->given != 0 ? *given_at(draft, row) : NULL;
  return given != NULL ? given->data : NULL;
}

const char *
lac_draft_get_text(const LacDraft *draft, const LacParam *row)
{
  g_return_val_if_fail(draft != NULL && row != NULL && row->kind == LAC_PARAM_TEXT, NULL);
  return *string_at(draft, row);
}

gboolean
lac_draft_is_in_use(const LacDraft *draft, const LacParam *row)
{
  g_return_val_if_fail(draft != NULL && row != NULL, FALSE);
  if (row->list == NULL)
    return TRUE;
  const LacParam *list = lac_param_find(draft->table, row->list);
  g_return_val_if_fail(
    list != NULL && (list->kind == LAC_PARAM_LIST || list->kind == LAC_PARAM_CHOICE), TRUE);
  const gboolean is_without = *row->entry == '!';
  for (guint i = 0; list->choices[i] != NULL; i++)
    if (strcmp(list->choices[i], row->entry + is_without) == 0) {
      const gint64   value = *whole_at(draft, list);
      const gboolean is_chosen = list->kind == LAC_PARAM_LIST ? lac_list_has(value, i) : value == i;
      return is_chosen != is_without;
    }
  g_return_val_if_reached(TRUE);
}

gboolean
lac_draft_is_default(const LacDraft *draft, const LacParam *row)
{
  g_return_val_if_fail(draft != NULL && row != NULL, FALSE);
  if (is_string(row))
    return g_strcmp0(*string_at(draft, row), default_string(row)) == 0;
  if (row->kind == LAC_PARAM_REAL)
    return *real_at(draft, row) == row->fallback;
  return *whole_at(draft, row) == (gint64) row->fallback;
}
