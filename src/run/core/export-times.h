/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export of the truth and of a run's last estimates at all times, recomputed from its checkpoint. */
#pragma once

#include "run/core/replay.h"

G_BEGIN_DECLS

/* @channel: (nullable): see lac_times_export_new(); @watch: (nullable). Call on a separate thread. Returns: FALSE with an
 * error of lac_replay_times() or of lac_times_export_new(). */
gboolean lac_run_export_times(const LacRunFile     *run,
                              const char           *channel,
                              const char           *path,
                              const LacReplayWatch *watch,
                              GError              **error);

G_END_DECLS
