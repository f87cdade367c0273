/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Import of traces of other programs: Chrome's JSON, as written by torch.profiler, JAX and viztracer, and Perfetto's
 * protobuf as written by Lacuna; optionally gzip-compressed. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

typedef struct {
  const char *format;  /* static: "Chrome trace", "Perfetto trace" */
  char       *program; /* program that wrote the trace; "": unknown */
  char *caution; /* full sentences on what was not imported and why; "": everything was imported */
  guint64 n_events; /* number of events read */
  guint64 n_flows;  /* number of flow events (arrows), which are not imported */
  guint64
    n_skipped; /* number of events of an unknown kind, or without a member that their kind requires */
} LacTraceFacts;

void lac_trace_facts_clear(LacTraceFacts *facts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacTraceFacts, lac_trace_facts_clear)

/**
 * lac_trace_open:
 * @facts: (out) (optional): to be cleared by the caller
 *
 * Reads a trace. Spans of a thread that do not nest are moved to additional lanes next to it. Times are whole
 * nanoseconds, exactly as in the file. A truncated file, as left by a program that was killed, is imported up to its
 * end, with a caution.
 *
 * Returns: (transfer full): %NULL with %LAC_ERROR_BAD_FILE if the file is missing, empty, not a trace, or damaged (the
 * message then gives the byte offset).
 */
LacCapture *lac_trace_open(const char *path, LacTraceFacts *facts, GError **error);

/* Returns TRUE when @path has the extension of a trace: .json, .pftrace, .perfetto-trace, or one of these with .gz. */
gboolean lac_trace_is_named(const char *path);

/* Returns: (transfer full): description for `info`: program, number of records and their duration, lanes, the five
 * slowest operations. */
char *lac_trace_describe(const LacCapture *capture, const char *path, const LacTraceFacts *facts);

G_END_DECLS
