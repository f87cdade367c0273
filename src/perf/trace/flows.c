/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links operations to frames: those of the iteration after which the frame was written, in that iteration's lane. */
#include "perf/analysis/iterations.h"
#include "perf/trace/trace-private.h"

#include <string.h>

static gboolean
is_frame(const LacCapture *capture, const LacRecord *record)
{
  return record->kind == LAC_RECORD_SPAN && record->step >= 0 &&
         record->name < lac_capture_get_n_names(capture) &&
         strcmp(lac_capture_get_name(capture, record->name), LAC_SPAN_FRAME) == 0;
}

/* The last iteration that began before @time_ns. Returns: (nullable) */
static const LacIteration *
find_iteration(const LacIterations *all, gint64 time_ns)
{
  gsize low = 0, high = all->n;
  while (low < high) {
    const gsize middle = (low + high) / 2;
    if (all->iterations[middle].start_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? &all->iterations[low - 1] : NULL;
}

static gint
compare(gconstpointer a, gconstpointer b)
{
  const LacTraceFlow *x = a, *y = b;
  return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

GArray *
lac_trace_dup_flows(const LacCapture *capture)
{
  GArray               *flows = g_array_new(FALSE, FALSE, sizeof(LacTraceFlow));
  g_auto(LacIterations) all = lac_iterations_find(capture);
  for (gsize i = 0, n = lac_capture_get_n_records(capture); i < n; i++) {
    const LacRecord *frame = lac_capture_at(capture, i);
    if (!is_frame(capture, frame))
      continue;
    const LacIteration *made_by = find_iteration(&all, frame->start_ns);
    if (made_by == NULL || made_by->step != frame->step)
      continue; /* initial frame, or a step recorded elsewhere */
    const LacTraceFlow flow = {
      .begin_ns = made_by->start_ns,
      .end_ns = made_by->start_ns + made_by->duration_ns,
      .lane = lac_capture_at(capture, made_by->record)->lane,
      .frame = frame,
    };
    g_array_append_val(flows, flow);
  }
  g_array_sort(flows, compare);
  return flows;
}

const LacRecord *
lac_trace_find_frame(const GArray *flows, const LacTraceEvent *event)
{
  const LacRecord *record = event->record;
  guint            low = 0, high = flows->len;
  if (record->kind != LAC_RECORD_AGGREGATE || event->width_ns == 0)
    return NULL;
  while (low < high) {
    const guint middle = (low + high) / 2;
    if (g_array_index(flows, LacTraceFlow, middle).begin_ns <= record->start_ns)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return NULL;
  const LacTraceFlow *flow = &g_array_index(flows, LacTraceFlow, low - 1);
  const gboolean      leads = record->lane == flow->lane && record->start_ns <= flow->end_ns;
  return leads ? flow->frame : NULL;
}
