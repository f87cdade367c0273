/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements as CSV. */
#include "io/input/measurements-csv.h"

#include "base/error.h"
#include "io/format/table-choice.h"
#include "io/format/whole-file.h"
#include "io/format/write-error.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { X, Y, T, QUANTITY, VALUE, SIGMA, N_COLUMNS };

static const struct {
  const char *name;
  gboolean    is_needed;
} columns[N_COLUMNS] = {
  [X] = {"x", TRUE},         [Y] = {"y", FALSE},
  [T] = {"t", FALSE},        [QUANTITY] = {"quantity", TRUE},
  [VALUE] = {"value", TRUE}, [SIGMA] = {"sigma", FALSE},
};

#define ALLOWED "x, y, t, quantity, value and sigma"

/* @places: (out): [N_COLUMNS], -1 for missing columns */
static gboolean
find_columns(const LacTableText *table, int *places, GError **error)
{
  guint n_found = 0;

  for (guint c = 0; c < N_COLUMNS; c++) {
    places[c] = lac_table_text_find(table, columns[c].name);
    n_found += places[c] >= 0;
    if (places[c] >= 0 || !columns[c].is_needed)
      continue;
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s, line %u: there is no column %s; the line of names takes " ALLOWED
                ", and x, quantity and value must be there",
                table->path, table->line, columns[c].name);
    return FALSE;
  }
  for (guint i = 0; n_found < table->n_names && i < table->n_names; i++) {
    gboolean is_known = *table->names[i] == '\0'; /* not used */
    for (guint c = 0; c < N_COLUMNS; c++)
      is_known = is_known || places[c] == (int) i;
    if (is_known)
      continue;
    g_autofree char *name = g_utf8_make_valid(table->names[i], -1);
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s, line %u: \"%s\" is not a column of measurements; there are " ALLOWED,
                table->path, table->line, name);
    return FALSE;
  }
  return TRUE;
}

static gboolean
set_refusal(const LacTableText *table, int column, const char *allowed, GError **error)
{
  g_autofree char *cell = g_utf8_make_valid(table->cells[column], -1);

  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s, line %u: %s = \"%.40s\" is refused; %s",
              table->path, table->line, table->names[column], cell, allowed);
  return FALSE;
}

static gboolean
read_place(const LacTableText *table, int column, double *value, GError **error)
{
  *value = 0;
  if (column < 0)
    return TRUE;
  if (!lac_table_text_number(table, (guint) column, value, error))
    return FALSE;
  return isfinite(*value) ||
         set_refusal(table, column, "positions and times must be finite numbers", error);
}

static gboolean
read_quantity(const LacTableText *table,
              int                 column,
              LacMeasurements    *measurements,
              LacMeasurement     *row,
              GError            **error)
{
  const char *name = table->cells[column];
  int         quantity;

  if (*name == '\0' || strpbrk(name, ",;\t\"#") != NULL || !g_utf8_validate(name, -1, NULL))
    return set_refusal(
      table, column, "it takes the name of what was measured, as u or p, without , ; # and quotes",
      error);
  quantity = lac_measurements_quantity(measurements, name);
  if (quantity < 0)
    return set_refusal(
      table, column,
      "a file holds at most " G_STRINGIFY(LAC_MEASUREMENTS_MAX_QUANTITIES) " quantities", error);
  row->quantity = (guint) quantity;
  return TRUE;
}

static gboolean
read_row(const LacTableText *table,
         const int          *places,
         LacMeasurements    *measurements,
         LacMeasurement     *row,
         GError            **error)
{
  row->line = table->line;
  row->sigma = NAN;
  if (!read_place(table, places[X], &row->x, error) ||
      !read_place(table, places[Y], &row->y, error) ||
      !read_place(table, places[T], &row->t, error) ||
      !read_quantity(table, places[QUANTITY], measurements, row, error) ||
      !lac_table_text_number(table, (guint) places[VALUE], &row->value, error))
    return FALSE;
  if (places[SIGMA] < 0)
    return TRUE;
  if (!lac_table_text_number(table, (guint) places[SIGMA], &row->sigma, error))
    return FALSE;
  return isnan(row->sigma) || row->sigma > 0 ||
         set_refusal(table, places[SIGMA],
                     "a standard deviation is above 0, or empty where it is not known", error);
}

LacMeasurements *
lac_measurements_read_csv(const char *path, GError **error)
{
  g_autoptr(LacTableText)    table = lac_table_choice_open(path, error);
  g_autoptr(GArray)          rows = g_array_new(FALSE, TRUE, sizeof(LacMeasurement));
  g_autoptr(GError)          why = NULL;
  g_autoptr(LacMeasurements) measurements = NULL;
  g_autofree char           *source = NULL, *file = NULL;
  const char                *choice;
  int                        places[N_COLUMNS];

  if (table == NULL || !find_columns(table, places, error))
    return NULL;
  file = lac_table_choice_dup_file(path, &choice);
  source = lac_file_dup_source(file);
  measurements = lac_measurements_new(source, 0);
  measurements->has_y = places[Y] >= 0;
  measurements->has_t = places[T] >= 0;
  while (why == NULL && lac_table_text_next(table, &why)) {
    g_array_set_size(rows, rows->len + 1);
    if (!read_row(table, places, measurements, &g_array_index(rows, LacMeasurement, rows->len - 1),
                  &why))
      break;
  }
  if (why == NULL && rows->len == 0)
    g_set_error(&why, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s names its columns and holds no measurement below them", path);
  if (why != NULL) {
    g_propagate_error(error, g_steal_pointer(&why));
    return NULL;
  }
  measurements->n = rows->len;
  g_free(measurements->rows);
  measurements->rows = (LacMeasurement *) (gpointer) g_array_free(g_steal_pointer(&rows), FALSE);
  return g_steal_pointer(&measurements);
}

/* Writes with the shortest of three precisions that reads back exactly; a missing value is empty. */
static void
put_number(FILE *out, double value)
{
  static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
  char                     text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan(value))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
    g_ascii_formatd(text, sizeof text, formats[i], value);
    if (g_ascii_strtod(text, NULL) == value)
      break;
  }
  fputs(text, out);
}

static void
put_row(FILE *out, const LacMeasurements *measurements, const LacMeasurement *row)
{
  put_number(out, row->x);
  if (measurements->has_y) {
    fputc(',', out);
    put_number(out, row->y);
  }
  if (measurements->has_t) {
    fputc(',', out);
    put_number(out, row->t);
  }
  fprintf(out, ",%s,", measurements->quantities[row->quantity]);
  put_number(out, row->value);
  fputc(',', out);
  put_number(out, row->sigma);
  fputc('\n', out);
}

gboolean
lac_measurements_write_csv(const LacMeasurements *measurements, const char *path, GError **error)
{
  g_autofree char *temporary = g_strconcat(path, ".tmp", NULL);
  FILE            *out = fopen(temporary, "wbe");
  gboolean         done;
  int              code;

  if (out == NULL)
    return lac_write_error(error, errno, path, 0);
  errno = 0;
  fprintf(out, "x%s%s,quantity,value,sigma\n", measurements->has_y ? ",y" : "",
          measurements->has_t ? ",t" : "");
  for (gsize i = 0; i < measurements->n; i++)
    put_row(out, measurements, &measurements->rows[i]);
  done = fflush(out) == 0 && !ferror(out) && fsync(fileno(out)) == 0;
  code = errno;
  fclose(out);
  if (done && g_rename(temporary, path) == 0)
    return TRUE;
  code = done ? errno : code != 0 ? code : EIO;
  g_unlink(temporary);
  return lac_write_error(error, code, path, 0);
}
