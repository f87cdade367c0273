/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run for the pages, active or read back from its folder. Owns the run, drains it when woken and announces new data;
 * for new records its LacRecording emits "changed". Signals: frame-changed (LacFrame *, the one to show),
 * series-changed, status-changed (a new state at once, changing numbers ten times a second), file-changed (saved
 * frames have become known), message (a sentence for the user), ended. Main thread, except where noted. */
#pragma once

#include "app/session/recording.h"
#include "io/runfile/run-file.h"
#include "run/core/run.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define LAC_TYPE_SESSION (lac_session_get_type())
G_DECLARE_FINAL_TYPE(LacSession, lac_session, LAC, SESSION, GObject)

/* Checks the settings, opens and starts the run. A resumed run first reads the metrics and records from before its
 * checkpoint, so that its series begin where the run began. Returns: NULL with an error to display. */
LacSession *lac_session_new_run(const LacRunSettings *settings, GError **error);
/* Reads the last saved frame. Any thread. */
LacSession *lac_session_new_file(LacRunFile *file);

/* Follows a run while another program writes to its folder; emits "ended" when the run has ended. */
LacSession *lac_session_new_followed(LacRunFile *file);
gboolean lac_session_is_followed(LacSession *session); /* TRUE until the followed run has ended */
double
lac_session_get_age(LacSession *session); /* age of a followed run's newest data in seconds */
/* Marks the writing process as a child of this program, which can stop it. */
void     lac_session_set_own(LacSession *session);
gboolean lac_session_is_own(LacSession *session);

gboolean    lac_session_is_active(LacSession *session); /* TRUE until the run has ended */
gboolean    lac_session_is_file(LacSession *session);
const char *lac_session_get_title(LacSession *session);      /* of the experiment, translated */
const char *lac_session_get_experiment(LacSession *session); /* its name */
const char *lac_session_get_folder(LacSession *session);
LacRun     *lac_session_get_run(LacSession *session); /* (nullable) */

const LacRunStatus *lac_session_get_status(LacSession *session);

const LacChannel *lac_session_get_channels(LacSession *session, gsize *n);
const LacMetric  *lac_session_get_metrics(LacSession *session, gsize *n);

LacFrame *lac_session_get_frame(LacSession *session); /* (transfer none) (nullable) */
guint64   lac_session_get_n_shown(LacSession *session);
guint64   lac_session_get_n_skipped(LacSession *session);

/* ---- saved frames: known for a run that is read back or followed, and from "file-changed" on for others ---- */

/* Reads by a worker which frames a run of this process has saved so far; emits "file-changed". Called by the session
 * itself when the run has ended. */
void lac_session_read_file(LacSession *session);
/* (transfer none) (nullable): the run file, without records unless it was opened with them. */
LacRunFile *lac_session_get_file(LacSession *session);
gsize       lac_session_get_n_frames(LacSession *session);
/* Returns: the steps of the saved frames, ascending, valid until "file-changed"; NULL if none are known. */
const gint64 *lac_session_get_frame_steps(LacSession *session, gsize *n);
/* Requests a saved frame, which a worker reads: "frame-changed" shows it, unless another one is requested meanwhile.
 * From then on the frames of an active run are not shown. */
void lac_session_show_frame(LacSession *session, gsize index);
/* Requests the saved frame nearest to @step. Returns: its step; -1 with an error if none is known. */
gint64 lac_session_show_step(LacSession *session, gint64 step, GError **error);
/* Shows a frame of this run that was not saved, in place of one requested before; takes a reference. */
void     lac_session_show_other_frame(LacSession *session, LacFrame *frame);
gboolean lac_session_stays(LacSession *session); /* TRUE while a chosen frame is shown */
/* Shows the newest frame, and those that follow it. */
void lac_session_show_newest(LacSession *session);

typedef struct {
  gsize         n;
  const double *step, *seconds;
  const double *values; /* [n], of one metric, finite */
} LacSessionSeries;
LacSessionSeries lac_session_get_series(LacSession *session, gsize metric);
double           lac_session_get_last(LacSession *session, gsize metric); /* NaN: none yet */

LacRecording *lac_session_get_recording(LacSession *session); /* (transfer none) */

/* Records the drawing of a picture of the run, while the run is active. */
void
lac_session_record_drawing(LacSession *session, gint64 begin_ns, gint64 upload_ns, gint64 end_ns);
/* Records a stall of the main loop, while the run is active. */
void lac_session_record_stall(LacSession *session, gint64 begin_ns, gint64 end_ns);

/* @shown: the session is visible; otherwise its frames are not fetched. Records are always drained. */
void lac_session_set_shown(LacSession *session, gboolean shown);

G_END_DECLS
