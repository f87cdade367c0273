/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of a recording as a report table and as JSON. */
#pragma once

#include "perf/analysis/aggregate.h"
#include "report/text/pages-private.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* @table: filled, to be cleared by the caller. @all_columns: FALSE: only the columns that fit on a page */
void lac_operations_fill(const LacCapture   *capture,
                         const LacAggregate *rows,
                         gsize               n_rows,
                         gboolean            all_columns,
                         LacTable           *table);

/* Returns: (transfer full): the rows as CSV, with the keys of the JSON as header; unknown values are empty. */
char *lac_operations_dup_csv(const LacCapture *capture, const LacAggregate *rows, gsize n_rows);

/* Adds the member "operations", an array of objects; times in seconds, null where unknown. */
void lac_operations_add_json(const LacCapture   *capture,
                             const LacAggregate *rows,
                             gsize               n_rows,
                             JsonBuilder        *builder);

G_END_DECLS
