/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the session. */
#pragma once

#include "app/session/follower.h"
#include "app/session/session.h"
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
    *file; /* file of a run read back, or of an ended run once a saved frame has been requested */
  LacRunFile  *declared; /* file of a followed run as first read, which owns the borrowed strings */
  LacFollower *follower; /* (nullable) */
  gboolean     read_back, is_own;
  LacWakeSource   *wake;
  char            *title;
  LacChannel      *channels; /* strings borrowed from the run file, if there is one */
  LacMetric       *metrics;
  gsize            n_channels, n_metrics;
  LacRunStatus     status;
  LacFrame        *frame;
  guint64          n_shown;
  gboolean         shown, ended;
  gint64           reported_ns;  /* time of the last status report */
  guint            status_timer; /* GSource of the next status report; 0: none */
  guint64          n_rows;       /* rows of metrics */
  LacSessionCurve *curves;       /* [n_metrics] */
  double          *last;
  LacRecording    *recording;
};

typedef enum {
  LAC_SESSION_FRAME_CHANGED,
  LAC_SESSION_SERIES_CHANGED,
  LAC_SESSION_STATUS_CHANGED,
  LAC_SESSION_ENDED,
  LAC_SESSION_N_SIGNALS
} LacSessionSignal;
void lac_session_emit(LacSession *session, LacSessionSignal signal);

/* Copy the channels and metrics of a run that is read back, and allocate a curve for each metric. */
void lac_session_copy_declarations(LacSession *session, const LacRunFile *file);
void lac_session_prepare_series(LacSession *session);
/* Copies the run's device, the reason for its choice, and the message of a fallback to another device into the
 * status. */
void lac_session_take_device(LacSession *session, const LacRunFile *file);
/* @user_data: a session */
void lac_session_add_row(gint64 step, double seconds, const double *metrics, gpointer user_data);

G_END_DECLS
