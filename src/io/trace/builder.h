/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording made of another program's events: threads of processes become lanes on which spans nest, and know their depth.
 * What overlaps on its thread without nesting goes to a lane beside. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

typedef struct _LacTraceBuilder LacTraceBuilder;

/* A process or thread as the file calls it: a number, a text (its interned name) or, where it says nothing, neither. */
typedef struct {
  enum { LAC_TRACE_NOBODY, LAC_TRACE_NUMBER, LAC_TRACE_TEXT } kind;
  gint64 value;
} LacTraceId;

/* May be exceeded by no file: a lane is 16 bits of a record. */
#define LAC_TRACE_MOST_THREADS 32768

LacTraceBuilder *lac_trace_builder_new(void);
void             lac_trace_builder_free(LacTraceBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTraceBuilder, lac_trace_builder_free)

/* Returns: the same number for the same bytes; numbers count from 0. */
guint32     lac_trace_builder_intern(LacTraceBuilder *builder, const char *bytes, gsize n);
const char *lac_trace_builder_get_text(const LacTraceBuilder *builder, guint32 text);

/* Returns: the number of a thread; -1: there are too many. */
gint lac_trace_builder_thread(LacTraceBuilder *builder, LacTraceId process, LacTraceId thread);

/* Returns: of the first process that has a name; "": none has. */
const char *lac_trace_builder_get_title(const LacTraceBuilder *builder);

/* A name is an interned text. */
void lac_trace_builder_name_process(LacTraceBuilder *builder, LacTraceId process, guint32 name);
void lac_trace_builder_sort_process(LacTraceBuilder *builder, LacTraceId process, gint64 rank);
void lac_trace_builder_name_thread(LacTraceBuilder *builder, gint thread, guint32 name);
void lac_trace_builder_sort_thread(LacTraceBuilder *builder, gint thread, gint64 rank);

/* @record: its lane is a thread, its name an interned text; depth and sequence are found out. A memory record follows its span. */
void lac_trace_builder_add(LacTraceBuilder *builder, const LacRecord *record);

/* A span in two parts, which nest by thread. Returns: %FALSE where nothing had begun. */
void     lac_trace_builder_begin(LacTraceBuilder *builder, const LacRecord *record);
gboolean lac_trace_builder_end(LacTraceBuilder *builder, gint thread, gint64 time_ns);

typedef struct {
  gsize n_open; /* spans that had not ended, and end here with the last event of their thread */
  gsize n_left; /* overlapped with so many others that there was no lane for them */
} LacTraceLeft;

/* Takes what was added. Returns: (transfer full) */
LacCapture *
lac_trace_builder_finish(LacTraceBuilder *builder, const char *title, LacTraceLeft *left);

G_END_DECLS
