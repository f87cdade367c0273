/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording: its records, the names they use and the lanes that produced them. Its source is a running or saved run,
 * or another program's trace; timeline, tables, analysis, traces and reports read nothing else. Append-only. Used by
 * one thread while records are appended; afterwards any number of threads may read it. A shared snapshot may be read
 * by any number of threads at any time. */
#pragma once

#include "perf/recorder/perf.h"

G_BEGIN_DECLS

typedef struct _LacCapture LacCapture;

#define LAC_NO_NAME G_MAXUINT32 /* no name */

/* @title: (nullable): title of the recording */
LacCapture *lac_capture_new(const char *title);
LacCapture *lac_capture_ref(LacCapture *capture);
void        lac_capture_unref(LacCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacCapture, lac_capture_unref)

/* Returns: (transfer full): a read-only snapshot of the present content, for reading on another thread while @capture
 * is appended to. Records are not copied. */
LacCapture *lac_capture_share(const LacCapture *capture);
/* Returns: (transfer full): a copy of a time range, with the same ids of names and lanes. A span across an end of the
 * range is clipped and loses its step, since half an iteration is not an iteration. */
LacCapture *lac_capture_dup_range(const LacCapture *capture, gint64 begin_ns, gint64 end_ns);

const char *lac_capture_get_title(const LacCapture *capture); /* "": no title */

/* Add a name or a lane; ids are numbered from 0 in order of addition. Return: the id. */
guint32 lac_capture_add_name(LacCapture *capture, const char *name);
guint16 lac_capture_add_lane(LacCapture *capture, const char *lane);
/* Adds the names and lanes that @perf has gained since the last call, under the same ids, to a capture fed by @perf
 * alone. Call it after draining the records. */
void lac_capture_follow(LacCapture *capture, LacPerf *perf);

guint32 lac_capture_get_n_names(const LacCapture *capture);
guint   lac_capture_get_n_lanes(const LacCapture *capture);
/* Return the name with an id; "?" for an unknown id. Valid as long as the capture exists. */
const char *lac_capture_get_name(const LacCapture *capture, guint32 name);
const char *lac_capture_get_lane(const LacCapture *capture, guint16 lane);
/* Returns: the id of a name; -1 when unknown. */
gint64 lac_capture_find_name(const LacCapture *capture, const char *name);

/* Appends copies of records. The spans of a lane must be ordered by their end, outer spans after inner ones, and have
 * their nesting depth set. 256 MiB are held in memory, the rest in a memory-mapped temporary file. */
void lac_capture_append(LacCapture *capture, const LacRecord *records, gsize n);
/* Adopts @records, (transfer full) from g_malloc(), without copying. Call it only once, on an empty capture; nothing
 * may be appended later. */
void lac_capture_adopt(LacCapture *capture, LacRecord *records, gsize n);

gsize lac_capture_get_n_records(const LacCapture *capture);
/* Returns: (transfer none): contiguous records from @first on, at most *n of them, valid until the next append; *n is
 * set to their number. NULL and 0 past the end. */
const LacRecord *lac_capture_get(const LacCapture *capture, gsize first, gsize *n);
/* Returns record @i, which must exist; valid until the next append. */
const LacRecord *lac_capture_at(const LacCapture *capture, gsize i);

/* Returns the time range from the first start to the last end; both 0 when empty. */
void lac_capture_get_extent(const LacCapture *capture, gint64 *begin_ns, gint64 *end_ns);

G_END_DECLS
