/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements from any table. */
#include "io/input/measurements-table.h"

#include "base/error.h"
#include "io/format/table-choice.h"
#include "io/format/table-columns.h"
#include "io/format/whole-file.h"
#include "io/input/measurements-arrays.h"
#include "io/input/measurements-csv.h"

#include <math.h>
#include <string.h>

static gboolean
is_value(const LacTableColumn *column)
{
  return column->axis == '\0' && column->odd == NULL;
}

/* Checks the coordinates: finite, and z constant. */
static gboolean
check_places(const LacTableColumns *columns, GError **error)
{
  const char *path = columns->text->path;
  const int   z = lac_table_columns_find_axis(columns, 'z');

  if (lac_table_columns_find_axis(columns, 'x') < 0) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "%s has no column x; measurements are rows of x, y, t, quantity, value, sigma, or of "
      "x, y, t and a column for each quantity. Columns with other names are named behind the file: "
      "FILE#x=easting,u=speed",
      path);
    return FALSE;
  }
  for (gsize i = 0; i < columns->n_columns; i++) {
    const LacTableColumn *column = &columns->columns[i];

    if (column->axis != '\0' && column->odd != NULL) {
      g_set_error(
        error, LAC_ERROR, LAC_ERROR_BAD_FILE,
        "%s: column %s has %s; a place and a time are finite numbers with a decimal point", path,
        column->name, column->odd);
      return FALSE;
    }
    for (gsize row = 0; row < columns->n_rows && column->axis != '\0'; row++) {
      const double at = lac_table_columns_get(columns, row, i);

      if (isfinite(at) && ((int) i != z || at == lac_table_columns_get(columns, 0, i)))
        continue;
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s, row %" G_GSIZE_FORMAT ": %s", path,
                  row + 1,
                  isfinite(at) ? "z is not that of the first row; measurements lie in one plane"
                               : "positions and times must be finite numbers");
      return FALSE;
    }
  }
  return TRUE;
}

/* Collects the quantities. Returns: FALSE when there are none, or too many. */
static gboolean
name_quantities(const LacTableColumns *columns,
                LacMeasurements       *measurements,
                int                   *quantities,
                gsize                 *n_values,
                GError               **error)
{
  *n_values = 0;
  for (gsize i = 0; i < columns->n_columns; i++) {
    const LacTableColumn *column = &columns->columns[i];

    if (!is_value(column))
      continue;
    quantities[i] = lac_measurements_quantity(measurements, column->name);
    if (quantities[i] < 0) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s: column %" G_GSIZE_FORMAT " is a quantity too many; measurements take %d",
                  columns->text->path, i + 1, LAC_MEASUREMENTS_MAX_QUANTITIES);
      return FALSE;
    }
    measurements->has_t = measurements->has_t || !isnan(column->time);
    (*n_values)++;
  }
  if (*n_values > 0)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s has positions but no numeric column of measurements", columns->text->path);
  return FALSE;
}

static void
fill_rows(const LacTableColumns *columns, const int *quantities, LacMeasurements *measurements)
{
  const int       x = lac_table_columns_find_axis(columns, 'x');
  const int       y = lac_table_columns_find_axis(columns, 'y');
  const int       t = lac_table_columns_find_axis(columns, 't');
  LacMeasurement *next = measurements->rows;

  for (gsize row = 0; row < columns->n_rows; row++)
    for (gsize i = 0; i < columns->n_columns; i++) {
      const double time = columns->columns[i].time;

      if (!is_value(&columns->columns[i]))
        continue;
      *next++ = (LacMeasurement){
        .x = lac_table_columns_get(columns, row, (gsize) x),
        .y = y >= 0 ? lac_table_columns_get(columns, row, (gsize) y) : 0,
        .t = !isnan(time) ? time
             : t >= 0     ? lac_table_columns_get(columns, row, (gsize) t)
                          : 0,
        .value = lac_table_columns_get(columns, row, i),
        .sigma = NAN,
        .quantity = (guint) quantities[i],
      };
    }
}

static LacMeasurements *
make_measurements(const LacTableColumns *columns, GError **error)
{
  const char                *choice;
  g_autofree char           *file = lac_table_choice_dup_file(columns->text->path, &choice);
  g_autofree char           *source = lac_file_dup_source(file);
  g_autoptr(LacMeasurements) measurements = lac_measurements_new(source, 0);
  g_autofree int            *quantities = g_new0(int, columns->n_columns);
  gsize                      n_values;

  measurements->has_y = lac_table_columns_find_axis(columns, 'y') >= 0;
  measurements->has_t = lac_table_columns_find_axis(columns, 't') >= 0;
  if (!check_places(columns, error) ||
      !name_quantities(columns, measurements, quantities, &n_values, error))
    return NULL;
  measurements->n = columns->n_rows * n_values;
  g_free(measurements->rows);
  measurements->rows = g_new0(LacMeasurement, measurements->n);
  fill_rows(columns, quantities, measurements);
  return g_steal_pointer(&measurements);
}

LacMeasurements *
lac_measurements_read(const char *path, GError **error)
{
  if (lac_measurements_are_arrays(path))
    return lac_measurements_read_arrays(path, error);
  g_autoptr(LacTableColumns) columns = lac_table_columns_read(path, error);
  if (columns == NULL)
    return NULL;
  return lac_table_text_find(columns->text, "quantity") >= 0
           ? lac_measurements_read_csv(path, error)
           : make_measurements(columns, error);
}

GStrv
lac_measurements_dup_columns(const char *path, GError **error)
{
  if (lac_measurements_are_arrays(path))
    return lac_measurements_dup_arrays(path, error);
  const char             *choice;
  g_autofree char        *file = lac_table_choice_dup_file(path, &choice);
  gsize                   length;
  char                   *head = lac_file_read_head(file, &length, error);
  g_autoptr(LacTableText) table = head ? lac_table_text_new(file, head, length, error) : NULL;
  g_autoptr(GPtrArray)    names = g_ptr_array_new();

  if (table == NULL)
    return NULL;
  for (guint i = 0; i < table->n_names; i++)
    if (lac_table_text_find(table, table->names[i]) == (int) i &&
        strpbrk(table->names[i], ",#") == NULL)
      g_ptr_array_add(names, g_utf8_make_valid(table->names[i], -1));
  g_ptr_array_add(names, NULL);
  return (GStrv) g_ptr_array_free(g_steal_pointer(&names), FALSE);
}
