/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replay of a finished run: recomputes the frame of any step with the same settings, seed, inputs, FFT plans and live
 * changes. The frame is bitwise equal to the original. */
#pragma once

#include "experiment/experiment.h"
#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct {
  gboolean (*cancelled)(gpointer user_data);                               /* (nullable) */
  void (*progress)(double fraction, const char *what, gpointer user_data); /* (nullable) */
  gpointer user_data;
} LacReplayWatch;

/**
 * lac_replay_frame:
 * @experiment: (nullable): that of the run, if it is not registered
 * @step: 0 to the run's last
 *
 * Begins at the run's checkpoint if that is not after @step, else at the start. Call on a separate thread; it uses all
 * processors.
 * Returns: (transfer full): the frame; its time and metrics are those of the run. %NULL with an error for the user, or
 *   with %G_IO_ERROR_CANCELLED.
 */
LacFrame *lac_replay_frame(const LacRunFile     *run,
                           const LacExperiment  *experiment,
                           gint64                step,
                           const LacReplayWatch *watch,
                           GError              **error);

/* Receives the estimate at time @i of @n. @frame: borrowed during the call. Returns: FALSE with an error to stop. */
typedef gboolean (*LacReplayTimeFunc)(gsize           i,
                                      gsize           n,
                                      double          time,
                                      const LacFrame *frame,
                                      gpointer        user_data,
                                      GError        **error);

/**
 * lac_replay_times:
 *
 * Passes the estimate of the run's last step at all its times to @func, in their order, as lac_replay_frame() finds it.
 * Returns: FALSE with an error: %LAC_ERROR_USAGE for a run whose frames show all there is, and those of lac_replay_frame().
 */
gboolean lac_replay_times(const LacRunFile     *run,
                          const LacExperiment  *experiment,
                          const LacReplayWatch *watch,
                          LacReplayTimeFunc     func,
                          gpointer              user_data,
                          GError              **error);

/* Writes the estimates of lac_replay_times() to a file, as lac_times_export_new() describes. @channel: (nullable). Returns:
 * FALSE with an error of either. */
gboolean lac_replay_export_times(const LacRunFile     *run,
                                 const char           *channel,
                                 const char           *path,
                                 const LacReplayWatch *watch,
                                 GError              **error);

G_END_DECLS
