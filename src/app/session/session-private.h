/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the session. */
#pragma once

#include "app/session/earlier.h"
#include "app/session/follower.h"
#include "app/session/session.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/main-loop.h"

G_BEGIN_DECLS

/* The finite values of one metric, which need not be measured at every step. */
typedef struct {
  GArray *step, *seconds, *values; /* double */
} LacSessionCurve;

struct _LacSession {
  GObject parent_instance;
  LacRun *run;
  LacRunFile
    *file; /* (nullable): of a run read back, followed or ended, or as it was when last asked for */
  LacRunFile  *declared; /* file of a followed run as first read, which owns the borrowed strings */
  LacFollower *follower; /* (nullable) */
  LacLatestJob      *loading; /* (nullable): a saved frame */
  LacLatestJob      *reading; /* (nullable): @file */
  LacEarlierRecords *earlier; /* (nullable): of a resumed run */
  gboolean           read_back, is_own;
  LacWakeSource     *wake;
  char              *title;
  LacChannel        *channels; /* strings borrowed from the run file, if there is one */
  LacMetric         *metrics;
  gsize              n_channels, n_metrics;
  LacRunStatus       status;
  LacFrame          *frame;
  guint64            n_shown;
  gboolean           shown, ended;
  gboolean           stays;        /* shows a chosen frame, not the newest */
  gint64             reported_ns;  /* time of the last status report */
  guint              status_timer; /* GSource of the next status report; 0: none */
  guint64            n_rows;       /* rows of metrics */
  LacSessionCurve   *curves;       /* [n_metrics] */
  double            *last;
  LacRecording      *recording;
};

typedef enum {
  LAC_SESSION_FRAME_CHANGED,
  LAC_SESSION_SERIES_CHANGED,
  LAC_SESSION_STATUS_CHANGED,
  LAC_SESSION_FILE_CHANGED,
  LAC_SESSION_MESSAGE,
  LAC_SESSION_ENDED,
  LAC_SESSION_N_SIGNALS
} LacSessionSignal;
void lac_session_emit(LacSession *session, LacSessionSignal signal);
void lac_session_emit_message(LacSession *session, const char *sentence);
/* Shows a frame. @frame: (transfer full) */
void lac_session_hand_on(LacSession *session, LacFrame *frame);

/* saved-frames.c */
void lac_session_clear_jobs(LacSession *session);

/* resumed.c: adds what a resumed run wrote before, then calls @begin. */
void lac_session_take_earlier(LacSession *session, void (*begin)(LacSession *session));

/* Copy the channels and metrics of a run that is read back, and allocate a curve for each metric. */
void lac_session_copy_declarations(LacSession *session, const LacRunFile *file);
void lac_session_prepare_series(LacSession *session);
/* Copies the run's device, the reason for its choice, and the message of a fallback to another device into the
 * status. */
void lac_session_take_device(LacSession *session, const LacRunFile *file);
/* @user_data: a session */
void lac_session_add_row(gint64 step, double seconds, const double *metrics, gpointer user_data);

G_END_DECLS
