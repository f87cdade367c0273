/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run shown by the pages, active or read back from its folder. Owns the run, drains it when woken and announces
 * new data; for new records its LacRecording emits "changed". Signals: frame-changed (LacFrame *, the one to show),
 * series-changed, status-changed (a new state at once, changing numbers ten times a second), ended. */
#pragma once

#include "app/session/recording.h"
#include "io/runfile/run-file.h"
#include "run/core/run.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define LAC_TYPE_SESSION (lac_session_get_type())
G_DECLARE_FINAL_TYPE(LacSession, lac_session, LAC, SESSION, GObject)

/* Checks the settings, opens and starts the run. Returns: NULL with an error to display. */
LacSession *lac_session_new_run(const LacRunSettings *settings, GError **error);
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
const char *lac_session_get_title(LacSession *session); /* of the experiment, translated */
const char *lac_session_get_folder(LacSession *session);
LacRun     *lac_session_get_run(LacSession *session); /* (nullable) */

const LacRunStatus *lac_session_get_status(LacSession *session);

const LacChannel *lac_session_get_channels(LacSession *session, gsize *n);
const LacMetric  *lac_session_get_metrics(LacSession *session, gsize *n);

LacFrame *lac_session_get_frame(LacSession *session); /* (transfer none) (nullable) */
guint64   lac_session_get_n_shown(LacSession *session);
guint64   lac_session_get_n_skipped(LacSession *session);

/* Returns: the number of saved frames of a run read back. */
gsize    lac_session_get_n_frames(LacSession *session);
gboolean lac_session_show_frame(LacSession *session, gsize index, GError **error);
/* Returns: the steps of the saved frames, ascending. Available for a run read back, and for an ended run after
 * lac_session_show_step(); NULL if none can be read. */
const gint64 *lac_session_get_frame_steps(LacSession *session, gsize *n);
/* Shows the saved frame nearest to @step; only for a run that has ended. Returns: the step shown; -1 with an error. */
gint64 lac_session_show_step(LacSession *session, gint64 step, GError **error);
/* Shows a frame of this run that was not saved; takes a reference. */
void lac_session_show_other_frame(LacSession *session, LacFrame *frame);
/* (transfer none) (nullable): the run file, once it has been read. */
LacRunFile *lac_session_get_file(LacSession *session);

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
