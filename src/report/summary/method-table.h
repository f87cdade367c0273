/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of the methods of a run: one row per method, one column per kind of metric, from the declarations of the
 * metrics. The window fills it while the run goes on, the report at its end. Any thread. */
#pragma once

#include "io/runfile/run-file.h"
#include "perf/analysis/aggregate.h"
#include "report/text/pages-private.h"

G_BEGIN_DECLS

/* Key of the column that no metric fills: the mean duration of one step of the method. */
#define LAC_METHOD_SECONDS "seconds_per_step"

typedef struct {
  double value, error; /* in the unit of the metric, or seconds; NaN: missing */
  char  *text;         /* with unit or per cent sign; "–" when missing */
} LacMethodCell;

typedef struct {
  const char     *key;         /* interned: key of its metrics within their method, "psnr_db" */
  char           *title;       /* translated: "Mean 101–150" */
  char           *explanation; /* translated: "mean over observations 101–150, so far" */
  LacMetricColumn kind;
  LacRank         rank;
} LacMethodColumn;

typedef struct {
  const char
    *group; /* interned: prefix of its metrics, "enkf"; a comparison without metrics: its label */
  char          *name;          /* translated */
  gboolean       is_comparison; /* no method of the run: never the best */
  LacMethodCell *cells;         /* [n_columns] */
} LacMethodRow;

typedef struct {
  gsize            n_columns, n_rows;
  LacMethodColumn *columns; /* in reading order: the further ones last */
  LacMethodRow    *rows;    /* methods in the order of the run, then comparisons */
  gssize           ranking; /* column that decides which method is the best; -1: none yet */
  gssize           best;    /* row; also of a single method; -1: none yet */
} LacMethodTable;

/* Everything is borrowed. */
typedef struct {
  const LacMetric    *metrics; /* [n_metrics] */
  const double       *values;  /* [n_metrics]; NaN: none yet */
  gsize               n_metrics;
  const LacChannel   *channels; /* [n_channels]: their labels name the methods */
  gsize               n_channels;
  const LacCapture   *capture; /* (nullable): names of @aggregates */
  const LacAggregate *aggregates;
  gsize               n_aggregates;
  gboolean
    is_final; /* the values are those of the end of the run: columns without any are left out */
} LacMethodSource;

void lac_method_table_fill(LacMethodTable *table, const LacMethodSource *source);
/* Fills the table of a saved run with its last values. @aggregates: (nullable): [n_aggregates], of its capture */
void lac_method_table_fill_run(LacMethodTable     *table,
                               const LacRunFile   *run,
                               const LacAggregate *aggregates,
                               gsize               n_aggregates);
void lac_method_table_clear(LacMethodTable *table);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacMethodTable, lac_method_table_clear)

/* Sorts the rows by their values in @column: the best first, by value if the column has no rank; missing values and
 * comparisons last. -1: does nothing. */
void lac_method_table_sort(LacMethodTable *table, gssize column);

/* Fills a table for a document, without the further columns; the best row is strong. */
void lac_method_table_print(const LacMethodTable *table, LacTable *printed);

G_END_DECLS
