/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening the traces of others: Chrome's JSON, as torch.profiler, JAX and viztracer write it, and Perfetto's protobuf as this
 * program writes it; packed by gzip or not. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

typedef struct {
  const char *format;  /* static: "Chrome trace", "Perfetto trace" */
  char       *program; /* that wrote it, as far as it can be told; "": it cannot */
  char
    *caution; /* what is not in the recording and why, sentences with a period; "": everything is */
  guint64 n_events;  /* read */
  guint64 n_flows;   /* arrows between events; not kept */
  guint64 n_skipped; /* of kinds that are not known, or without what their kind needs */
} LacTraceFacts;

void lac_trace_facts_clear(LacTraceFacts *facts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacTraceFacts, lac_trace_facts_clear)

/**
 * lac_trace_open:
 * @facts: (out) (optional): to be cleared
 *
 * Spans of one thread that do not nest come to lie on lanes beside it. Times are whole nanoseconds, exactly those of the file.
 * A file that ends early, as that of a program that was killed, gives what is in it, with a caution.
 *
 * Returns: (transfer full): %NULL with %LAC_ERROR_BAD_FILE: missing, empty, no trace, damaged (the sentence says at which byte).
 */
LacCapture *lac_trace_open(const char *path, LacTraceFacts *facts, GError **error);

/* Whether the name is one of a trace: .json, .pftrace, .perfetto-trace, and each with .gz. */
gboolean lac_trace_is_named(const char *path);

/* Returns: (transfer full): for `info`: who wrote it, how many records over what time, the lanes, the five operations that
 * took longest. */
char *lac_trace_describe(const LacCapture *capture, const char *path, const LacTraceFacts *facts);

G_END_DECLS
