/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A constructed recording of a run with two methods, whose times are known. */
#pragma once

#include "field/frame.h"
#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* Set-up 200; ten steps of 100: solver 60, of which 50 flow steps backwards, filter 25 with 20 forecast, comparison 10;
 * a checkpoint of 60. In units of @unit_ns. The whole is 1300, of which 90 in no phase. @without_filter: the
 * forecast is a phase then. Returns: (transfer full). */
LacCapture *recording_new(gint64 unit_ns, gboolean without_filter);

/* Metrics of the run: one error for each method, the filter first. */
extern const LacMetric recording_metrics[2];

/* Returns the id of a name; fails without it. */
guint32 recording_name(const LacCapture *capture, const char *name);

G_END_DECLS
