/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording: its records, the names they use and the lanes that produced them. It comes from a running or saved
 * run, or from another program's trace; timeline, tables, analysis, traces and reports read only this. Append-only;
 * one thread, or any number of readers once appending has ended, or of a shared copy. */
#pragma once

#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct _LacCapture LacCapture;

/* @title: (nullable): title of the recording */
LacCapture *lac_capture_new(const char *title);
LacCapture *lac_capture_ref(LacCapture *capture);
void        lac_capture_unref(LacCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacCapture, lac_capture_unref)

/* Snapshots the present content for reading on another thread while this one is appended to; records are not copied.
 * Read-only. Returns: (transfer full) */
LacCapture *lac_capture_share(const LacCapture *capture);
/* Copies a time range, with the same ids of names and lanes. A span across an end is clipped and loses its step,
 * since half an iteration is none. Returns: (transfer full) */
LacCapture *lac_capture_dup_range(const LacCapture *capture, gint64 begin_ns, gint64 end_ns);

const char *lac_capture_get_title(const LacCapture *capture); /* "" without one */

/* Names and lanes are numbered from 0 in order of addition. Returns: the id. */
guint32 lac_capture_add_name(LacCapture *capture, const char *name);
guint16 lac_capture_add_lane(LacCapture *capture, const char *lane);
/* Adds the names that @perf has interned since the last call, under the same ids: for a capture fed by a single
 * recorder. Call it after draining the records. */
void lac_capture_follow(LacCapture *capture, LacPerf *perf);

guint32 lac_capture_get_n_names(const LacCapture *capture);
guint   lac_capture_get_n_lanes(const LacCapture *capture);
/* Valid as long as the capture; "?" for an unknown id. */
const char *lac_capture_get_name(const LacCapture *capture, guint32 name);
const char *lac_capture_get_lane(const LacCapture *capture, guint16 lane);
/* Returns: the id of a name; -1 when unknown. */
gint64 lac_capture_find_name(const LacCapture *capture, const char *name);

/* Within a lane spans are ordered by their end, outer spans after inner ones, with their depth. Copies into memory up
 * to a budget of a quarter gigabyte, beyond it into a memory-mapped temporary file. */
void lac_capture_append(LacCapture *capture, const LacRecord *records, gsize n);
/* Takes @records, (transfer full) from g_malloc(), without a copy. Only once, on an empty capture; nothing may be
 * appended later. */
void lac_capture_adopt(LacCapture *capture, LacRecord *records, gsize n);

gsize lac_capture_get_n_records(const LacCapture *capture);
/* Contiguous records from @first on. Returns: (transfer none): at most *n of them, valid until the next append; NULL
 * and *n 0 past the end. */
const LacRecord *lac_capture_get(const LacCapture *capture, gsize first, gsize *n);
/* Record @i, which must exist; valid until the next append. */
const LacRecord *lac_capture_at(const LacCapture *capture, gsize i);

/* From the first start to the last end; both 0 when empty. */
void lac_capture_get_extent(const LacCapture *capture, gint64 *begin_ns, gint64 *end_ns);

G_END_DECLS
