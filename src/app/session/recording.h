/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data of the timeline page: the records of a run (active or read back) or of another program's trace, with derived
 * sums and rows. Signal: changed. */
#pragma once

#include "perf/analysis/iterations.h"
#include "report/timeline/track.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define LAC_TYPE_RECORDING (lac_recording_get_type())
G_DECLARE_FINAL_TYPE(LacRecording, lac_recording, LAC, RECORDING, GObject)

typedef struct _LacSession LacSession;

/* Takes a reference to @capture; its present contents are processed by the first update or close. @session:
 * (nullable): the session whose run was recorded; not kept alive. */
LacRecording *lac_recording_new(LacCapture *capture, LacSession *session);

/* Processes the records added to the capture since the last call, and emits "changed". */
void lac_recording_update(LacRecording *recording);
/* Marks the recording as complete. @n_lost: number of lost records; 0 unless something is wrong */
void lac_recording_close(LacRecording *recording, guint64 n_lost);

LacCapture         *lac_recording_get_capture(LacRecording *recording);  /* (transfer none) */
LacTimeline        *lac_recording_get_timeline(LacRecording *recording); /* (transfer none) */
LacSession         *lac_recording_get_session(LacRecording *recording);  /* (nullable) */
guint64             lac_recording_get_n_records(LacRecording *recording);
guint64             lac_recording_get_n_lost(LacRecording *recording);
gboolean            lac_recording_is_closed(LacRecording *recording);
const LacAggregate *lac_recording_get_aggregates(LacRecording *recording, gsize *n);
/* Returns: the iterations of all records; of nearly all while more arrive. Valid until the next call. */
const LacIterations *lac_recording_get_iterations(LacRecording *recording);
/* Declares the presentation of the counter @key; called before its first sample. @label: translated; @is_leading:
 * TRUE to list it first. */
void lac_recording_declare(LacRecording *recording,
                           const char   *key,
                           const char   *label,
                           const char   *unit,
                           gboolean      is_leading);
/* Returns: (transfer none): one track per counter, leading ones first. */
LacTrack *const *lac_recording_get_tracks(LacRecording *recording, gsize *n);
/* Returns: (transfer none) (nullable): the track of the counter @key. */
LacTrack *lac_recording_find_track(LacRecording *recording, const char *key);

G_END_DECLS
