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
} LacColumnKind;

typedef struct {
  const char   *key;   /* in JSON: "total_seconds" */
  const char   *title; /* in a table, translatable: "total" */
  LacColumnKind kind;
  gboolean      is_narrow; /* also shown in tables of page width */
  double (*get)(const LacAggregate *row, const LacPeak *peak); /* NaN: unknown */
} LacOperationColumn;

const LacOperationColumn *lac_operation_columns(gsize *n_columns);

/* Formats a cell, as "3.21 ms", "48.0 %", "–". @peak: of the recording machine. Returns: (transfer full) */
char *lac_operation_cell_text(const LacOperationColumn *column,
                              const LacAggregate       *row,
                              const LacPeak            *peak);

G_END_DECLS
