/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the session share. */
#pragma once

#include "app/follower.h"
#include "app/main-loop.h"
#include "app/session.h"

G_BEGIN_DECLS

/* The finite values of one metric; some are only measured now and then. */
typedef struct {
  GArray *step, *seconds, *values; /* double */
} LacSessionCurve;

struct _LacSession {
  GObject parent_instance;
  LacRun *run;
  LacRunFile
    *file; /* of a run read back; of one that has ended, once a kept frame of it was asked for */
  LacRunFile
    *declared; /* of a followed run: what it was first read from, whose words are borrowed */
  LacFollower     *follower; /* (nullable) */
  gboolean         read_back, is_own;
  LacWakeSource   *wake;
  char            *title;
  LacChannel      *channels; /* of a file: strings borrowed from it */
  LacMetric       *metrics;
  gsize            n_channels, n_metrics;
  LacRunStatus     status;
  LacFrame        *frame;
  guint64          n_shown;
  gboolean         shown, ended;
  gint64           reported_ns; /* when the status was told last */
  guint            telling;     /* it will be again */
  guint64          n_rows;      /* of metrics */
  LacSessionCurve *curves;      /* [n_metrics] */
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

/* Channels and metrics of a run that is read back; then curves for these. */
void lac_session_copy_declarations(LacSession *session, const LacRunFile *file);
void lac_session_prepare_series(LacSession *session);
/* What computed it, and the sentence of a device that could not go on. */
void lac_session_take_device(LacSession *session, const LacRunFile *file);
/* @user_data: a session */
void lac_session_add_row(gint64 step, double seconds, const double *metrics, gpointer user_data);

G_END_DECLS
