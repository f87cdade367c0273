/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that a comparison shows, read and computed in a worker thread. Immutable afterwards. */
#pragma once

#include "perf/analysis/time-parts.h"
#include "report/compare/comparison.h"
#include "report/summary/method-table.h"
#include "report/timeline/flame.h"
#include "report/timeline/span-looks.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Times of one run. */
typedef struct {
  LacCallTree   tree;
  LacSpanLooks *looks;
  LacTimeParts  phases, operations;
} LacComparedTime;

typedef struct {
  GPtrArray       *runs; /* LacRunFile, the first is the reference */
  gboolean         are_of_one_experiment;
  char            *answer, *basis; /* (nullable): the sentence, and the numbers behind it */
  GPtrArray       *rows[3];        /* lac_comparison_rows(), by LacComparisonPart */
  GArray          *operations;     /* LacComparedOperation */
  LacMethodTable  *methods;        /* [runs] */
  guint          **looks;          /* [runs][rows of @methods]: of the curves of each method */
  LacComparedCost  costs[LAC_COMPARISON_MOST];
  LacComparedTime *times; /* [2]; NULL if a run has no records */
  LacFlame         flame; /* change from the first to the second run; empty without @times */
} LacCompared;

/* @paths: two to LAC_COMPARISON_MOST runs. Returns: (transfer full): %NULL with an error. */
LacCompared *lac_compared_new(const char *const *paths, GCancellable *cancellable, GError **error);
void         lac_compared_free(LacCompared *compared);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacCompared, lac_compared_free)

LacRunFile *lac_compared_get_run(const LacCompared *compared, guint i);

G_END_DECLS
