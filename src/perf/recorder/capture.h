/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One recording: its records, the names they use and the lanes that made them. Of a run that goes on, of one read back,
 * of another program's trace: timeline, tables, analysis, traces and reports read this and nothing else. Append-only;
 * one thread, or any number of readers once nothing is appended any more, or of what was shared. */
#pragma once

#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct _LacCapture LacCapture;

/* @title: what was recorded; (nullable) */
LacCapture *lac_capture_new(const char *title);
LacCapture *lac_capture_ref(LacCapture *capture);
void        lac_capture_unref(LacCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacCapture, lac_capture_unref)

/* What it holds now, to be read on another thread while more is appended here; records are not copied. Nothing is appended to it.
 * Returns: (transfer full) */
LacCapture *lac_capture_share(const LacCapture *capture);
/* A copy of a range of time, with the same numbers of names and lanes. Of a span that reaches over an end the part within, which
 * belongs to no step: half an iteration is none. Returns: (transfer full) */
LacCapture *lac_capture_dup_range(const LacCapture *capture, gint64 begin_ns, gint64 end_ns);

const char *lac_capture_get_title(const LacCapture *capture); /* "" where it has none */

/* Names and lanes are numbered from 0 in the order they are added. Returns: the number. */
guint32 lac_capture_add_name(LacCapture *capture, const char *name);
guint16 lac_capture_add_lane(LacCapture *capture, const char *lane);
/* Adds what @perf has named since the last call, under the same numbers: for a capture fed by one recorder alone. Call it
 * after the records were drained. */
void lac_capture_follow(LacCapture *capture, LacPerf *perf);

guint32 lac_capture_get_n_names(const LacCapture *capture);
guint   lac_capture_get_n_lanes(const LacCapture *capture);
/* Valid as long as the capture; "?" for a number that was never added. */
const char *lac_capture_get_name(const LacCapture *capture, guint32 name);
const char *lac_capture_get_lane(const LacCapture *capture, guint16 lane);
/* Returns: the number of a name; -1 where nothing is called so. */
gint64 lac_capture_find_name(const LacCapture *capture, const char *name);

/* Within a lane spans come in the order they end, one that holds others after them, with its depth.
 * Copies: in memory up to a budget of a quarter gigabyte, beyond it in a temporary file that is read through a mapping. */
void lac_capture_append(LacCapture *capture, const LacRecord *records, gsize n);
/* Takes @records, (transfer full) from g_malloc(), without a copy. Of an empty capture, once; nothing is appended later. */
void lac_capture_adopt(LacCapture *capture, LacRecord *records, gsize n);

gsize lac_capture_get_n_records(const LacCapture *capture);
/* Records from @first on that lie together. Returns: (transfer none): at most *n of them, valid until the next append; NULL
 * and *n 0 past the end. */
const LacRecord *lac_capture_get(const LacCapture *capture, gsize first, gsize *n);
/* Record @i, which exists; valid until the next append. */
const LacRecord *lac_capture_at(const LacCapture *capture, gsize i);

/* From the first start to the last end; both 0 of an empty one. */
void lac_capture_get_extent(const LacCapture *capture, gint64 *begin_ns, gint64 *end_ns);

G_END_DECLS
