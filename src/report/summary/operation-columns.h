/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of operation tables, which are also the members of their JSON. */
#pragma once

#include "perf/analysis/roofline.h"

G_BEGIN_DECLS

typedef enum {
  LAC_COLUMN_COUNT,
  LAC_COLUMN_SECONDS,
  LAC_COLUMN_SHARE, /* 0...1 */
  LAC_COLUMN_RATE,  /* in the unit of its title */
  LAC_COLUMN_BYTES,
  LAC_COLUMN_MEGABYTES, /* of bytes: "64.0", the unit is in the title */
  LAC_COLUMN_CHANGE,    /* the same with a sign: "+18.4", "−2.1", "0" */
} LacColumnKind;

typedef struct {
  const char   *key;   /* in JSON: "total_seconds" */
  const char   *title; /* in a table, translatable: "total" */
  LacColumnKind kind;
  gboolean      is_narrow;   /* also shown in tables of page width */
  gboolean      is_first;    /* shown in the window until the user chooses otherwise */
  gboolean      is_optional; /* left out where no row has a value */
  double (*get)(const LacAggregate *row, const LacPeak *peak); /* NaN: unknown */
} LacOperationColumn;

const LacOperationColumn *lac_operation_columns(gsize *n_columns);

/* Returns TRUE for a column that a table of these rows shows or offers: FALSE for an optional one that has no value in
 * them. */
gboolean lac_operation_column_applies(const LacOperationColumn *column,
                                      const LacAggregate       *rows,
                                      gsize                     n_rows,
                                      const LacPeak            *peak);

/* Finds the column for a word: its key, or the key without its unit, "self". "memory": the change of memory, of
 * operations without readings the bytes they hold. Returns: (nullable): NULL for an unknown word. */
const LacOperationColumn *lac_operation_column_find(const char *word);

/* Sorts rows by a column, largest first; unknown values last. */
void lac_operations_sort(LacAggregate             *rows,
                         gsize                     n_rows,
                         const LacOperationColumn *column,
                         const LacPeak            *peak);

/* Formats a cell, as "3.21 ms", "48.0 %", "–". @peak: of the recording machine. Returns: (transfer full) */
char *lac_operation_cell_text(const LacOperationColumn *column,
                              const LacAggregate       *row,
                              const LacPeak            *peak);

G_END_DECLS
