/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analysis of the time of a recording: its call tree, phases, operations and flame graph, of the selected range or else
 * of everything. Computed in a thread while watched, at most twice a second; the last result stays until the next is
 * there. Main thread. Signal: changed. */
#pragma once

#include "app/timeline/scope.h"
#include "perf/analysis/operation-kinds.h"
#include "perf/analysis/time-parts.h"
#include "report/timeline/flame.h"

G_BEGIN_DECLS

typedef struct {
  gint64       begin_ns, end_ns; /* the range; both 0: the whole recording */
  LacCallTree  tree;
  guint32     *phase_of; /* [tree.n]: phase of each node; LAC_NO_NAME: none */
  LacTimeParts phases, operations;
  LacKindTimes kinds; /* own time of the operations by kind of work */
  LacFlame     flame; /* bar i is node i of @tree */
  GArray      *rows;  /* lac_own_times() of the range */
} LacTimes;

#define LAC_TYPE_TIMELINE_TIMES (lac_timeline_times_get_type())
G_DECLARE_FINAL_TYPE(LacTimelineTimes, lac_timeline_times, LAC, TIMELINE_TIMES, GObject)

LacTimelineTimes *lac_timeline_times_new(LacTimelineScope *scope);
LacTimelineScope *lac_timeline_times_get_scope(LacTimelineTimes *times);

/* Calls of watch and unwatch are paired. */
void lac_timeline_times_watch(LacTimelineTimes *times);
void lac_timeline_times_unwatch(LacTimelineTimes *times);

/* Returns: (nullable): valid until "changed" is emitted. NULL: none yet. */
const LacTimes *lac_timeline_times_get(LacTimelineTimes *times);
/* Returns: (transfer full) (nullable): the sentence of report/summary/answer.h. */
char *lac_timeline_times_dup_answer(LacTimelineTimes *times);
/* Returns: the sums of the operations and phases, whose own times do not overlap: of the path that limits the scope, of
 * which only counts and times are known; else of the range; else of the recording. Valid until the next call or
 * "changed". */
const LacAggregate *lac_timeline_times_get_rows(LacTimelineTimes *times, gsize *n);

/* Returns: the phase of the chosen name: the one in which it has the most time; LAC_NO_NAME: none */
guint32 lac_timeline_times_find_phase(LacTimelineTimes *times);
/* Returns: the bar of the flame graph whose path limits the scope; -1: none */
gssize lac_timeline_times_find_limit(LacTimelineTimes *times);
/* Limits the scope to the path of bar @bar. */
void lac_timeline_times_limit(LacTimelineTimes *times, gsize bar);
/* Limits the scope to a path of names, from the outermost; before there are results, its spans only are known. */
void lac_timeline_times_limit_path(LacTimelineTimes *times, const guint32 *path, gsize n);

G_END_DECLS
