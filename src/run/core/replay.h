/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of any step of a run that has ended, computed again: the same settings, seed, inputs and FFT plans, the same
 * changes at the same steps, so that it is the very one that was there, bit by bit. */
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
 * @experiment: (nullable): what was run, when it is in no list
 * @step: 0 to the run's last
 *
 * Begins at the run's checkpoint where that lies before @step, else at the start. A thread of its own; it computes with all
 * threads there are.
 * Returns: (transfer full): the frame; its time and metrics are those of the run. %NULL with an error for the person, or
 *   with %G_IO_ERROR_CANCELLED.
 */
LacFrame *lac_replay_frame(const LacRunFile     *run,
                           const LacExperiment  *experiment,
                           gint64                step,
                           const LacReplayWatch *watch,
                           GError              **error);

G_END_DECLS
