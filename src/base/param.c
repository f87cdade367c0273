/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drafts: the values of a parameter table, set and read as text. */
#include "base/param.h"

#include "base/error.h"

#include <errno.h>
#include <math.h>
#include <string.h>

struct _LacDraft {
  const LacParamTable *table;
  guint8              *values; /* the experiment's parameter struct */
};

static gpointer
slot(const LacDraft *draft, const LacParam *row)
{
  return draft->values + row->offset;
}

static void
put_number(LacDraft *draft, const LacParam *row, double number)
{
  switch (row->kind) {
  case LAC_PARAM_REAL: *(double *) slot(draft, row) = number; break;
  case LAC_PARAM_INTEGER:
  case LAC_PARAM_CHOICE:
  case LAC_PARAM_SWITCH: *(gint64 *) slot(draft, row) = (gint64) number; break;
  case LAC_PARAM_FILE: break;
  }
}

static void
put_file(LacDraft *draft, const LacParam *row, const char *path)
{
  char **file = slot(draft, row);
  char  *copy = path && *path ? g_strdup(path) : NULL;

  g_free(*file);
  *file = copy;
}

LacDraft *
lac_draft_new(const LacParamTable *table)
{
  LacDraft *draft = g_new0(LacDraft, 1);

  draft->table = table;
  draft->values = g_malloc0(MAX(table->size, 1));
  for (gsize i = 0; i < table->n_rows; i++)
    put_number(draft, &table->rows[i], table->rows[i].fallback);
  return draft;
}

LacDraft *
lac_draft_copy(const LacDraft *draft)
{
  LacDraft *copy = lac_draft_new(draft->table);

  for (gsize i = 0; i < draft->table->n_rows; i++) {
    const LacParam *row = &draft->table->rows[i];

    if (row->kind == LAC_PARAM_FILE)
      put_file(copy, row, lac_draft_get_file(draft, row));
    else
      memcpy(slot(copy, row), slot(draft, row), 8);
  }
  return copy;
}

void
lac_draft_free(LacDraft *draft)
{
  if (!draft)
    return;
  for (gsize i = 0; i < draft->table->n_rows; i++)
    if (draft->table->rows[i].kind == LAC_PARAM_FILE)
      put_file(draft, &draft->table->rows[i], NULL);
  g_free(draft->values);
  g_free(draft);
}

const LacParamTable *
lac_draft_get_table(const LacDraft *draft)
{
  return draft->table;
}

gconstpointer
lac_draft_get_values(const LacDraft *draft)
{
  return draft->values;
}

const LacParam *
lac_param_find(const LacParamTable *table, const char *key)
{
  for (gsize i = 0; i < table->n_rows; i++)
    if (g_str_equal(table->rows[i].key, key))
      return &table->rows[i];
  return NULL;
}

/* The shortest text that reads back as the same double. */
static char *
dup_shortest(double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 1; digits <= 17; digits++) {
    char format[8];

    g_snprintf(format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd(text, sizeof text, format, number);
    if (g_ascii_strtod(text, NULL) == number) /* bitwise but for the sign of zero */
      break;
  }
  return g_strdup(text);
}

char *
lac_param_dup_allowed(const LacParam *row)
{
  g_autofree char *low = NULL, *high = NULL;

  switch (row->kind) {
  case LAC_PARAM_CHOICE: return g_strjoinv(", ", (char **) row->choices);
  case LAC_PARAM_SWITCH: return g_strdup("yes or no");
  case LAC_PARAM_FILE: return g_strdup_printf("a file that holds a %s", row->file_type);
  case LAC_PARAM_REAL:
  case LAC_PARAM_INTEGER: break;
  }
  low = dup_shortest(row->min);
  high = dup_shortest(row->max);
  return g_strdup_printf(row->kind == LAC_PARAM_INTEGER ? "a whole number, %s to %s" : "%s to %s",
                         low, high);
}

static gboolean
refuse(const LacParam *row, const char *text, GError **error)
{
  g_autofree char *allowed = lac_param_dup_allowed(row);
  const gboolean   has_unit = row->unit && !g_str_equal(row->unit, "1");

  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "%s = %s is not allowed; it takes %s%s%s",
              row->key, *text ? text : "(empty)", allowed, has_unit ? " " : "",
              has_unit ? row->unit : "");
  return FALSE;
}

static gboolean
unknown_key(const LacParamTable *table, const char *key, GError **error)
{
  g_autoptr(GString) keys = g_string_new(NULL);

  for (gsize i = 0; i < table->n_rows; i++)
    g_string_append_printf(keys, "%s%s", i ? ", " : "", table->rows[i].key);
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY, "there is no parameter \"%s\"; there are %s",
              key, keys->str);
  return FALSE;
}

static gboolean
parse_switch(const char *text, double *number)
{
  static const struct {
    const char *text;
    int         value;
  } words[] = {
    {"yes",   1},
    {"true",  1},
    {"on",    1},
    {"1",     1},
    {"no",    0},
    {"false", 0},
    {"off",   0},
    {"0",     0}
  };

  for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
    if (!g_ascii_strcasecmp(words[i].text, text)) {
      *number = words[i].value;
      return TRUE;
    }
  return FALSE;
}

static gboolean
parse_choice(const LacParam *row, const char *text, double *number)
{
  for (gsize i = 0; row->choices[i]; i++)
    if (g_str_equal(row->choices[i], text)) {
      *number = (double) i;
      return TRUE;
    }
  return FALSE;
}

static gboolean
parse_number(const LacParam *row, const char *text, double *number)
{
  char *end = NULL;

  if (!*text || g_ascii_isspace(*text))
    return FALSE;
  *number = g_ascii_strtod(text, &end);
  if (*end || !isfinite(*number) || *number < row->min || *number > row->max)
    return FALSE;
  return row->kind == LAC_PARAM_REAL || floor(*number) == *number;
}

gboolean
lac_draft_set(LacDraft *draft, const char *key, const char *text, GError **error)
{
  const LacParam *row = lac_param_find(draft->table, key);
  double          number = 0;
  gboolean        understood = FALSE;

  if (!row)
    return unknown_key(draft->table, key, error);
  switch (row->kind) {
  case LAC_PARAM_REAL:
  case LAC_PARAM_INTEGER: understood = parse_number(row, text, &number); break;
  case LAC_PARAM_CHOICE: understood = parse_choice(row, text, &number); break;
  case LAC_PARAM_SWITCH: understood = parse_switch(text, &number); break;
  case LAC_PARAM_FILE: put_file(draft, row, text); return TRUE;
  }
  if (!understood)
    return refuse(row, text, error);
  put_number(draft, row, number);
  return TRUE;
}

char *
lac_draft_dup_text(const LacDraft *draft, const LacParam *row)
{
  switch (row->kind) {
  case LAC_PARAM_REAL: return dup_shortest(*(double *) slot(draft, row));
  case LAC_PARAM_INTEGER: return g_strdup_printf("%" G_GINT64_FORMAT, *(gint64 *) slot(draft, row));
  case LAC_PARAM_CHOICE: return g_strdup(row->choices[*(gint64 *) slot(draft, row)]);
  case LAC_PARAM_SWITCH: return g_strdup(*(gint64 *) slot(draft, row) ? "yes" : "no");
  case LAC_PARAM_FILE: break;
  }
  return g_strdup(lac_draft_get_file(draft, row) ? lac_draft_get_file(draft, row) : "");
}

double
lac_draft_get_number(const LacDraft *draft, const LacParam *row)
{
  g_return_val_if_fail(row->kind != LAC_PARAM_FILE, 0);
  return row->kind == LAC_PARAM_REAL ? *(double *) slot(draft, row)
                                     : (double) *(gint64 *) slot(draft, row);
}

const char *
lac_draft_get_file(const LacDraft *draft, const LacParam *row)
{
  g_return_val_if_fail(row->kind == LAC_PARAM_FILE, NULL);
  return *(char **) slot(draft, row);
}

gboolean
lac_draft_is_default(const LacDraft *draft, const LacParam *row)
{
  if (row->kind == LAC_PARAM_FILE)
    return lac_draft_get_file(draft, row) == NULL;
  return lac_draft_get_number(draft, row) == row->fallback;
}
