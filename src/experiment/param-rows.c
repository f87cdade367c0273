/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Composition of parameter tables. */
#include "experiment/param-rows.h"

#include "base/number.h"

static gsize
aligned(gsize size)
{
  return (size + 15) / 16 * 16;
}

gsize
lac_rows_append(GArray *rows, const LacParamTable *part, gsize offset)
{
  for (gsize i = 0; i < part->n_rows; i++) {
    LacParam row = part->rows[i];

    row.offset += offset;
    g_array_append_val(rows, row);
  }
  return offset + aligned(part->size);
}

void
lac_rows_bind(GArray *rows, gsize n, const char *list, const char *entry)
{
  for (guint i = rows->len - (guint) n; i < rows->len; i++) {
    g_array_index(rows, LacParam, i).list = list;
    g_array_index(rows, LacParam, i).entry = entry;
  }
}

LacParam *
lac_rows_find(GArray *rows, const char *key)
{
  for (guint i = 0; i < rows->len; i++) {
    LacParam *row = &g_array_index(rows, LacParam, i);

    if (g_str_equal(row->key, key))
      return row;
  }
  return NULL;
}

static guint
choice_of(const LacParam *row, const char *text)
{
  guint choice = 0;

  while (row->choices[choice] && !g_str_equal(row->choices[choice], text))
    choice++;
  g_assert(row->choices[choice] != NULL);
  return choice;
}

static gint64
list_of(const LacParam *row, const char *text)
{
  g_auto(GStrv) words = g_strsplit(text, ",", -1);
  gint64        list = 0;

  for (guint i = 0; words[i]; i++)
    list = lac_list_append(list, choice_of(row, words[i]));
  return list;
}

void
lac_row_set_fallback(LacParam *row, const char *text)
{
  double value = 0;

  switch (row->kind) {
  case LAC_PARAM_LIST: value = (double) list_of(row, text); break;
  case LAC_PARAM_CHOICE: value = (double) choice_of(row, text); break;
  case LAC_PARAM_SWITCH: value = g_str_equal(text, "yes"); break;
  case LAC_PARAM_REAL:
  case LAC_PARAM_INTEGER: {
    gboolean is_number = lac_number_parse(text, &value);

    g_assert(is_number);
    break;
  }
  case LAC_PARAM_FILE: g_assert_not_reached();
  case LAC_PARAM_TEXT: row->text = text; break;
  }
  row->fallback = value;
}

void
lac_rows_forget_texts(const LacParamTable *table, gpointer values)
{
  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam *row = &table->rows[i];

    if (row->kind == LAC_PARAM_FILE || row->kind == LAC_PARAM_TEXT)
      *(char **) (gpointer) ((char *) values + row->offset) = NULL;
  }
}
