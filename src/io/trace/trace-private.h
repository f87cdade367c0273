/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals that the readers of traces share. Used by io/trace/ alone. */
#pragma once

#include "io/format/text-source.h"
#include "io/trace/builder.h"
#include "io/trace/trace-file.h"

G_BEGIN_DECLS

#define LAC_TRACE_UNNAMED G_MAXUINT32

enum { LAC_TRACE_N_RECENT = 1024 };

typedef struct {
  const char *bytes; /* zero-terminated */
  gsize       n;
  guint32     hash;
} LacTraceText;

typedef struct {
  LacTraceId id;
  guint32    name, labels;
  gint64     rank;
} LacTraceProcess;

typedef struct {
  LacTraceId id;
  guint      process;
  guint32    name;
  gint64     rank;
  gsize      n_records;
  gint64     last_ns; /* latest end of its records */
  /* Order of its spans so far, and the last span: see nesting.c. */
  gint64   span_begin_ns, span_end_ns, other_ns;
  gboolean has_span, has_other, has_memory, is_not_forwards, is_not_backwards, is_not_timely;
  GArray *open; /* array of LacRecord: spans without an end yet; NULL until the first span begins */
  guint16 lane; /* first lane of the thread, set at the end */
  guint   n_lanes;
} LacTraceThread;

struct _LacTraceBuilder {
  GArray       *texts; /* LacTraceText */
  guint32      *slots;
  gsize         n_slots;
  GStringChunk *chunk;
  GArray       *processes, *threads;
  guint32       recent
    [LAC_TRACE_N_RECENT]; /* cache of threads by a hash of their identifiers: index plus one; 0: empty */
  LacRecord *records; /* records whose lane is still the index of the thread */
  gsize      n_records, n_room;
};

/* Tracks the order in which records of @thread arrive. */
void lac_trace_watch(LacTraceThread *thread, const LacRecord *record);

/* Computes the depth of every span, and stores in its sequence number the additional lane that holds it; 0: the
 * thread's own lane. Sorts the records of each thread by end, as lanes require. Returns: the number of records for
 * which there was no lane; they are removed from builder->records. */
gsize lac_trace_nest(LacTraceBuilder *builder);

typedef struct {
  LacTraceBuilder *builder;
  LacTraceFacts   *facts;
  const char      *path;
  GString         *caution;
  gboolean         is_crowded; /* more threads than Lacuna can show */
} LacTraceReading;

gboolean lac_trace_read_chrome(LacTraceReading *reading, LacTextSource *source, GError **error);
gboolean lac_trace_read_perfetto(LacTraceReading *reading, LacTextSource *source, GError **error);

/* Appends a sentence to the caution. */
void lac_trace_caution(LacTraceReading *reading, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Sets the program that wrote the trace; only the first call has an effect. */
void lac_trace_describe_program(LacTraceReading *reading, const char *program);

G_END_DECLS
