/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records a part of an experiment's set-up as a span with its memory use, up to the end of the enclosing block.
 * Compute thread. */
#pragma once

#include "experiment/experiment.h"
#include "perf/recorder/memory-scope.h"

G_BEGIN_DECLS

typedef struct {
  LacLane       *lane; /* NULL: nothing is recorded */
  LacMemoryProbe probe;
  LacMemorySpan  span;
} LacSetUpPart;

void lac_set_up_part_begin(LacSetUpPart *part, const LacContext *context, const char *name);
void lac_set_up_part_end(LacSetUpPart *part);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacSetUpPart, lac_set_up_part_end)

#define LAC_SET_UP_PART(context, name)                        \
  g_auto(LacSetUpPart) G_PASTE(set_up_part_, __LINE__) = {0}; \
  lac_set_up_part_begin(&G_PASTE(set_up_part_, __LINE__), (context), (name))

G_END_DECLS
