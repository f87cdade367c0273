/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the timeline page shows: the records of a run, going on or read back, or of another program's trace, with the
 * sums and rows made of them. Signal: changed. */
#pragma once

#include "perf/analysis/iterations.h"
#include "report/timeline/track.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define LAC_TYPE_RECORDING (lac_recording_get_type())
G_DECLARE_FINAL_TYPE(LacRecording, lac_recording, LAC, RECORDING, GObject)

typedef struct _LacSession LacSession;

/* Takes a reference to @capture; what it holds so far is taken by the first update or close. @session: (nullable): of
 * whose run the records are; not kept alive. */
LacRecording *lac_recording_new(LacCapture *capture, LacSession *session);

/* Takes what the capture has more than at the last call, and announces it. */
void lac_recording_update(LacRecording *recording);
/* No more records come. @n_lost: of them; 0 unless something is wrong */
void lac_recording_close(LacRecording *recording, guint64 n_lost);

LacCapture         *lac_recording_get_capture(LacRecording *recording);  /* (transfer none) */
LacTimeline        *lac_recording_get_timeline(LacRecording *recording); /* (transfer none) */
LacSession         *lac_recording_get_session(LacRecording *recording);  /* (nullable) */
guint64             lac_recording_get_n_records(LacRecording *recording);
guint64             lac_recording_get_n_lost(LacRecording *recording);
gboolean            lac_recording_is_closed(LacRecording *recording);
const LacAggregate *lac_recording_get_aggregates(LacRecording *recording, gsize *n);
/* Of all records; while more come, of nearly all. Valid until the next call. */
const LacIterations *lac_recording_get_iterations(LacRecording *recording);
/* How the counter called @key is to be shown, before its first sample: @label: translated; @is_leading: among the first. */
void lac_recording_declare(LacRecording *recording,
                           const char   *key,
                           const char   *label,
                           const char   *unit,
                           gboolean      is_leading);
/* One for each counter, what leads first. (transfer none) */
LacTrack *const *lac_recording_get_tracks(LacRecording *recording, gsize *n);

G_END_DECLS
