/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of reading a trace share. Used by io/trace/ alone. */
#pragma once

#include "io/format/text-source.h"
#include "io/trace/builder.h"
#include "io/trace/trace-file.h"

G_BEGIN_DECLS

#define LAC_TRACE_UNNAMED G_MAXUINT32

enum { LAC_TRACE_N_RECENT = 1024 };

typedef struct {
  const char *bytes; /* terminated */
  gsize       n;
  guint32     hash;
} LacTraceText;

typedef struct {
  LacTraceId id;
  guint32    name;
  gint64     rank;
} LacTraceProcess;

typedef struct {
  LacTraceId id;
  guint      process;
  guint32    name;
  gint64     rank;
  gsize      n_records;
  gint64     last_ns; /* of its records */
  /* How its spans have come so far, and the last of them: see nesting.c. */
  gint64   span_begin_ns, span_end_ns, other_ns;
  gboolean has_span, has_other, has_memory, is_not_forwards, is_not_backwards, is_not_timely;
  GArray  *open; /* LacRecord: begun and not ended; NULL: never any */
  guint16  lane; /* in the end: its first */
  guint    n_lanes;
} LacTraceThread;

struct _LacTraceBuilder {
  GArray       *texts; /* LacTraceText */
  guint32      *slots;
  gsize         n_slots;
  GStringChunk *chunk;
  GArray       *processes, *threads;
  guint32    recent[LAC_TRACE_N_RECENT]; /* threads plus one, by a hash of what they are called */
  LacRecord *records;                    /* lane: the thread */
  gsize      n_records, n_room;
};

/* Takes notice of the order in which records of @thread come. */
void lac_trace_watch(LacTraceThread *thread, const LacRecord *record);

/* Depth of every span, and the lane beside its thread's it lies on, in its sequence; records of a thread in an order that
 * lanes may have. Returns: how many had no lane; they are out of builder->records. */
gsize lac_trace_nest(LacTraceBuilder *builder);

typedef struct {
  LacTraceBuilder *builder;
  LacTraceFacts   *facts;
  const char      *path;
  GString         *caution;
  gboolean         is_crowded; /* of more threads than this program shows */
} LacTraceReading;

gboolean lac_trace_read_chrome(LacTraceReading *reading, LacTextSource *source, GError **error);
gboolean lac_trace_read_perfetto(LacTraceReading *reading, LacTextSource *source, GError **error);

/* Appends a sentence. */
void lac_trace_caution(LacTraceReading *reading, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Who wrote it; the first that is told counts. */
void lac_trace_describe_program(LacTraceReading *reading, const char *program);

G_END_DECLS
