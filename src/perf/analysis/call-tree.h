/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call tree of a recording: spans summed by path, with the operations that ran within them, on the clock of one lane.
 * One thread per call. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

#define LAC_CALL_NONE G_MAXUINT /* no parent: an outermost span */

/* All calls with one path of names from the outermost span. Times on the clock are nanoseconds, exact to the last:
 * total_ns is self_ns plus the sum of total_ns over the children. */
typedef struct {
  guint32  name; /* id in the capture */
  guint    parent, depth;
  gboolean is_operation; /* from aggregate records */
  guint64  count;
  gint64   total_ns, self_ns;
  double
         summed_ns; /* as recorded; of an operation: summed over threads, total_ns is its share of its parent */
  gint64 first_ns; /* start of the first call */
} LacCallNode;

typedef struct {
  LacCallNode *nodes; /* [n]: each after its parent, siblings by their first call */
  gsize        n;
  gint64       begin_ns, end_ns; /* range that the tree covers */
  guint16      lane;
  guint32      iteration; /* name of the iteration spans; LAC_NO_NAME: none */
} LacCallTree;

/**
 * lac_call_tree_make:
 * @begin_ns, @end_ns: time range; spans across an end are clipped. Both 0: the whole recording
 *
 * The lane is that of the iterations, else the one with the most time in outermost spans. An operation recorded after
 * the spans in which it ran becomes a child of the longest of these. Operations that took longer than their parent,
 * since several threads worked, are scaled down to fit. Sums of dropped records are shared among the paths of their
 * name.
 *
 * Returns: the tree, to be cleared after use; empty for a recording without spans.
 */
LacCallTree lac_call_tree_make(const LacCapture *capture, gint64 begin_ns, gint64 end_ns);
void        lac_call_tree_clear(LacCallTree *tree);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacCallTree, lac_call_tree_clear)

G_END_DECLS
