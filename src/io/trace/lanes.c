/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of threads to lanes: in the order that the file requests, with unique names. */
#include "io/trace/trace-private.h"

typedef struct {
  LacTraceBuilder *builder;
  guint            n_processes; /* with records */
} Naming;

static LacTraceThread *
thread_at(LacTraceBuilder *builder, guint i)
{
  return &g_array_index(builder->threads, LacTraceThread, i);
}

static LacTraceProcess *
process_of(LacTraceBuilder *builder, const LacTraceThread *thread)
{
  return &g_array_index(builder->processes, LacTraceProcess, thread->process);
}

/* Compares by rank of process, process, rank of thread, thread. */
static gint
compare_threads(gconstpointer a, gconstpointer b, gpointer user_data)
{
  LacTraceBuilder       *builder = user_data;
  const guint            i = *(const guint *) a, k = *(const guint *) b;
  const LacTraceThread  *x = thread_at(builder, i), *y = thread_at(builder, k);
  const LacTraceProcess *of_x = process_of(builder, x);
  const LacTraceProcess *of_y = process_of(builder, y);
  if (of_x->rank != of_y->rank)
    return of_x->rank < of_y->rank ? -1 : 1;
  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return i < k ? -1 : i > k;
}

static char *
dup_called(LacTraceBuilder *builder, LacTraceId id, guint32 name, const char *kind)
{
  if (name != LAC_TRACE_UNNAMED && lac_trace_builder_get_text(builder, name)[0] != '\0')
    return g_utf8_make_valid(lac_trace_builder_get_text(builder, name), -1);
  if (id.kind == LAC_TRACE_NUMBER)
    return g_strdup_printf("%s %" G_GINT64_FORMAT, kind, id.value);
  if (id.kind == LAC_TRACE_TEXT && lac_trace_builder_get_text(builder, (guint32) id.value)[0])
    return g_utf8_make_valid(lac_trace_builder_get_text(builder, (guint32) id.value), -1);
  return g_strdup(kind);
}

/* Returns TRUE when @process has labels and another process has its name, as in traces of PyTorch, where the processor
 * and each GPU are a process "python". */
static gboolean
needs_labels(LacTraceBuilder *builder, const LacTraceProcess *process)
{
  if (process->labels == LAC_TRACE_UNNAMED)
    return FALSE;
  guint n = 0;
  for (guint i = 0; i < builder->processes->len; i++)
    n += g_array_index(builder->processes, LacTraceProcess, i).name == process->name;
  return n > 1;
}

static char *
dup_lane_name(Naming *naming, const LacTraceThread *thread, guint beside)
{
  LacTraceProcess *process = process_of(naming->builder, thread);
  g_autofree char *of =
    dup_called(naming->builder, process->id,
               needs_labels(naming->builder, process) ? process->labels : process->name, "process");
  g_autofree char *own = dup_called(naming->builder, thread->id, thread->name, "thread");
  GString         *name = g_string_new(NULL);
  if (naming->n_processes > 1)
    g_string_append_printf(name, "%s: ", of);
  g_string_append(name, own);
  if (beside > 0)
    g_string_append_printf(name, " (%u)", beside + 1);
  return g_string_free(name, FALSE);
}

static guint
count_processes(LacTraceBuilder *builder)
{
  g_autofree gboolean *is_used = g_new0(gboolean, builder->processes->len + 1);
  guint                n = 0;
  for (guint i = 0; i < builder->threads->len; i++) {
    const LacTraceThread *thread = thread_at(builder, i);
    if (thread->n_lanes == 0)
      continue;
    n += !is_used[thread->process];
    is_used[thread->process] = TRUE;
  }
  return n;
}

/* Adds the lanes. A capture has at most 2^16: the remainder shares the last one. */
static void
add_lanes(LacTraceBuilder *builder, LacCapture *capture)
{
  Naming            naming = {builder, count_processes(builder)};
  g_autofree guint *order = g_new(guint, builder->threads->len + 1);
  for (guint i = 0; i < builder->threads->len; i++)
    order[i] = i;
  g_qsort_with_data(order, (gint) builder->threads->len, sizeof *order, compare_threads, builder);
  for (guint i = 0; i < builder->threads->len; i++) {
    LacTraceThread *thread = thread_at(builder, order[i]);
    thread->lane = (guint16) lac_capture_get_n_lanes(capture);
    for (guint k = 0; k < thread->n_lanes && lac_capture_get_n_lanes(capture) < G_MAXUINT16; k++) {
      g_autofree char *name = dup_lane_name(&naming, thread, k);
      lac_capture_add_lane(capture, name);
    }
  }
}

/* Renumbers the names used by records, in order of first use, and drops others. */
static void
renumber(LacTraceBuilder *builder, LacCapture *capture)
{
  g_autofree guint32 *names = g_new(guint32, builder->texts->len + 1);
  g_autofree guint64 *sequences = g_new0(guint64, G_MAXUINT16 + 1);
  for (guint32 i = 0; i < builder->texts->len; i++)
    names[i] = LAC_TRACE_UNNAMED;
  for (gsize i = 0; i < builder->n_records; i++) {
    LacRecord *record = &builder->records[i];
    guint32   *name = &names[record->name];
    if (*name == LAC_TRACE_UNNAMED) {
      g_autofree char *valid =
        g_utf8_make_valid(lac_trace_builder_get_text(builder, record->name), -1);
      *name = lac_capture_add_name(capture, valid);
    }
    const guint64 lane = thread_at(builder, record->lane)->lane + record->sequence;
    record->name = *name;
    record->lane = (guint16) MIN(lane, G_MAXUINT16 - 1);
    record->sequence = sequences[record->lane]++;
  }
}

static gsize
end_open(LacTraceBuilder *builder)
{
  gsize n = 0;
  for (guint i = 0; i < builder->threads->len; i++) {
    while (lac_trace_builder_end(builder, (gint) i, thread_at(builder, i)->last_ns))
      n++;
  }
  return n;
}

LacCapture *
lac_trace_builder_finish(LacTraceBuilder *builder, const char *title, LacTraceLeft *left)
{
  LacCapture *capture = lac_capture_new(title);
  left->n_open = end_open(builder);
  left->n_left = lac_trace_nest(builder);
  add_lanes(builder, capture);
  renumber(builder, capture);
  if (builder->n_records > 0)
    builder->records = g_renew(LacRecord, builder->records, builder->n_records);
  lac_capture_adopt(capture, g_steal_pointer(&builder->records), builder->n_records);
  builder->n_records = builder->n_room = 0;
  return capture;
}
