/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builder of a recording from another program's events: each thread of a process becomes a lane of nested spans, with
 * their depths. Spans that overlap on a thread without nesting go to an additional lane. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

typedef struct _LacTraceBuilder LacTraceBuilder;

/* Identifier of a process or thread in the file: a number, a text (its interned name), or none. */
typedef struct {
  enum { LAC_TRACE_NOBODY, LAC_TRACE_NUMBER, LAC_TRACE_TEXT } kind;
  gint64 value;
} LacTraceId;

/* Maximum number of threads: records store the lane in 16 bits. */
#define LAC_TRACE_MOST_THREADS 32768

LacTraceBuilder *lac_trace_builder_new(void);
void             lac_trace_builder_free(LacTraceBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTraceBuilder, lac_trace_builder_free)

/* Interns a text. Returns: its index, counted from 0; equal texts have the same index. */
guint32     lac_trace_builder_intern(LacTraceBuilder *builder, const char *bytes, gsize n);
const char *lac_trace_builder_get_text(const LacTraceBuilder *builder, guint32 text);

/* Finds or adds a thread. Returns: its index; -1: too many threads. */
gint lac_trace_builder_thread(LacTraceBuilder *builder, LacTraceId process, LacTraceId thread);

/* Returns: the name of the first process that has a name; "": none has. */
const char *lac_trace_builder_get_title(const LacTraceBuilder *builder);

/* Set names, labels and sort indices of processes and threads. @name, @labels: interned texts; @rank: sorts in ascending
 * order. Labels distinguish processes of one name: "GPU 0". */
void lac_trace_builder_name_process(LacTraceBuilder *builder, LacTraceId process, guint32 name);
void lac_trace_builder_label_process(LacTraceBuilder *builder, LacTraceId process, guint32 labels);
void lac_trace_builder_sort_process(LacTraceBuilder *builder, LacTraceId process, gint64 rank);
void lac_trace_builder_name_thread(LacTraceBuilder *builder, gint thread, guint32 name);
void lac_trace_builder_sort_thread(LacTraceBuilder *builder, gint thread, gint64 rank);

/* Adds a record. @record: its lane is the index of a thread, its name that of an interned text; depth and sequence
 * are computed. A memory record must be added after its span. */
void lac_trace_builder_add(LacTraceBuilder *builder, const LacRecord *record);

/* Begin and end a span, matched per thread. lac_trace_builder_end() returns %FALSE when no span is open. */
void     lac_trace_builder_begin(LacTraceBuilder *builder, const LacRecord *record);
gboolean lac_trace_builder_end(LacTraceBuilder *builder, gint thread, gint64 time_ns);

typedef struct {
  gsize
    n_open; /* number of spans without an end; they are ended at the last event of their thread */
  gsize n_left; /* number of spans dropped for lack of lanes to resolve their overlaps */
} LacTraceLeft;

/* Builds the capture from all added records. Returns: (transfer full) */
LacCapture *
lac_trace_builder_finish(LacTraceBuilder *builder, const char *title, LacTraceLeft *left);

G_END_DECLS
