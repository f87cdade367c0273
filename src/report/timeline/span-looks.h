/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels and colours of the spans and operations of a recording, the same in bars, flame graph, timeline and table.
 * One thread. */
#pragma once

#include "field/frame.h"
#include "perf/analysis/call-tree.h"
#include "report/canvas/palette.h"

G_BEGIN_DECLS

typedef struct _LacSpanLooks LacSpanLooks;

/* Metrics and channels of the run, from which its methods follow: a method's spans bear the label of its error
 * metric. All 0 for the trace of another program. Used in lac_span_looks_new() only. */
typedef struct {
  const LacMetric  *metrics;
  gsize             n_metrics;
  const LacChannel *channels;
  gsize             n_channels;
} LacSpanMethods;

/* Takes a reference to @capture. */
LacSpanLooks *lac_span_looks_new(LacCapture *capture, const LacSpanMethods *methods);
void          lac_span_looks_free(LacSpanLooks *looks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSpanLooks, lac_span_looks_free)

/* Gives the names that @other knows the same colours, for two recordings side by side. Call it before
 * lac_span_looks_update(). */
void lac_span_looks_adopt(LacSpanLooks *looks, const LacSpanLooks *other);

/**
 * lac_span_looks_update:
 * @tree: of the whole recording so far
 *
 * Colours the names that have no colour yet; those that have one keep it. A method has the colour of its curves, and so
 * have the spans within it where the recording has operations. Set-up, steps and other spans that hold phases are
 * neutral. Other phases and operations get the operation colours, those with the most time first; when all are used,
 * the remaining names have the colour of the rest.
 */
void lac_span_looks_update(LacSpanLooks *looks, const LacCallTree *tree);

/* Returns the colour of a name of the capture; LAC_NO_NAME and unknown names have the colour of the rest. */
LacColour
lac_span_looks_get_colour(const LacSpanLooks *looks, guint32 name, const LacPalette *palette);
/* Returns: (transfer none): the translated label of a name; "Other" for LAC_NO_NAME. */
const char *lac_span_looks_get_label(const LacSpanLooks *looks, guint32 name);
/* Returns: (transfer full): the label with a capital first letter, unless the second is one, for a legend or the start of a sentence. */
char *lac_span_looks_dup_title(const LacSpanLooks *looks, guint32 name);

gboolean lac_span_looks_is_method(const LacSpanLooks *looks, guint32 name);

G_END_DECLS
