/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meaning of a table's columns: coordinates, times, and values under Lacuna's field names. */
#pragma once

#include "io/format/table-text.h"

G_BEGIN_DECLS

typedef struct {
  char   axis; /* 'x', 'y', 'z', 't': a coordinate; 0: a value */
  char  *name; /* name of the coordinate or the quantity: "u" for OpenFOAM's "U:0" */
  double time; /* time in the column name: 2 for "u @ t=2"; NaN: none */
  char  *odd;  /* (nullable): why the column is not numeric: "no number in line 7" */
} LacTableColumn;

typedef struct {
  LacTableText   *text;
  gsize           n_columns, n_rows;
  LacTableColumn *columns; /* [n_columns] */
  double         *numbers; /* [n_rows][n_columns]; NaN where a cell is empty or not a number */
} LacTableColumns;

/**
 * lac_table_columns_read:
 * @path: text with a line of names and rows of numbers, optionally gzip-compressed
 *
 * Columns are recognised by name: x, y, z, t, time, ParaView's Points:0 to Points:2; U:0 and Velocity[i] are u, and
 * so on.
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE: not text, no names, no rows, rows of different lengths, two columns for
 * one coordinate.
 */
LacTableColumns *lac_table_columns_read(const char *path, GError **error);
void             lac_table_columns_free(LacTableColumns *columns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTableColumns, lac_table_columns_free)

/* Returns: the column of a coordinate; -1: none. */
int lac_table_columns_find_axis(const LacTableColumns *columns, char axis);

static inline double
lac_table_columns_get(const LacTableColumns *columns, gsize row, gsize column)
{
  return columns->numbers[row * columns->n_columns + column];
}

G_END_DECLS
