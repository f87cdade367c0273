/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links operations to frames: those of the iteration after which the frame was written, in that iteration's lane. Links
 * launches of timed steps to their first kernels. */
#include "perf/analysis/iterations.h"
#include "perf/recorder/gauges.h"
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

static GArray *
find_frames(const LacCapture *capture)
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

/* ---- launches ---- */

static gpointer
key_of(gint64 step)
{
  return GSIZE_TO_POINTER((gsize) step + 1);
}

static void
free_queue(gpointer queue)
{
  g_queue_free(queue);
}

/* Returns: (transfer full): step -> GQueue of its launches */
static GHashTable *
find_launches(const LacCapture *capture)
{
  GHashTable  *launches = g_hash_table_new_full(NULL, NULL, NULL, free_queue);
  const gint64 name = lac_capture_find_name(capture, LAC_SPAN_LAUNCH);

  for (gsize i = 0, n = name < 0 ? 0 : lac_capture_get_n_records(capture); i < n; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind != LAC_RECORD_SPAN || record->name != name)
      continue;
    GQueue *queue = g_hash_table_lookup(launches, key_of(record->step));
    if (queue == NULL)
      g_hash_table_insert(launches, key_of(record->step), queue = g_queue_new());
    g_queue_push_tail(queue, (gpointer) record);
  }
  return launches;
}

/* The kernels of a launch follow each other without a gap. */
static GHashTable *
link_launches(const LacCapture *capture)
{
  GHashTable           *links = g_hash_table_new(NULL, NULL);
  g_autoptr(GHashTable) launches = find_launches(capture);
  const LacRecord      *before = NULL;

  for (gsize i = 0, n = lac_capture_get_n_records(capture);
       i < n && g_hash_table_size(launches) > 0; i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    if (record->kind != LAC_RECORD_KERNEL)
      continue;
    const gboolean is_first = before == NULL || before->step != record->step ||
                              before->start_ns + before->duration_ns != record->start_ns;
    GQueue  *queue = is_first ? g_hash_table_lookup(launches, key_of(record->step)) : NULL;
    gpointer launch = queue != NULL ? g_queue_pop_head(queue) : NULL;
    if (launch != NULL)
      g_hash_table_insert(links, launch, (gpointer) record);
    before = record;
  }
  return links;
}

/* ---- both ---- */

void
lac_trace_flows_init(LacTraceFlows *flows, const LacCapture *capture)
{
  *flows = (LacTraceFlows){find_frames(capture), link_launches(capture)};
}

void
lac_trace_flows_clear(LacTraceFlows *flows)
{
  g_clear_pointer(&flows->frames, g_array_unref);
  g_clear_pointer(&flows->launches, g_hash_table_unref);
}

static const LacRecord *
find_frame(const GArray *flows, const LacTraceEvent *event)
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

const LacRecord *
lac_trace_find_target(const LacTraceFlows *flows, const LacTraceEvent *event)
{
  return event->record->kind == LAC_RECORD_SPAN
           ? g_hash_table_lookup(flows->launches, event->record)
           : find_frame(flows->frames, event);
}
