/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/core/export-times.h"

#include "io/export/times.h"

static gboolean
add_time(gsize i         G_GNUC_UNUSED,
         gsize           n,
         double          time,
         const LacFrame *frame,
         gpointer        user_data,
         GError        **error)
{
  return lac_times_export_add(user_data, n, time, frame, error);
}

gboolean
lac_run_export_times(const LacRunFile     *run,
                     const char           *channel,
                     const char           *path,
                     const LacReplayWatch *watch,
                     GError              **error)
{
  g_autoptr(LacTimesExport) file = lac_times_export_new(run, channel, path, error);

  return file != NULL && lac_replay_times(run, NULL, watch, add_time, file, error) &&
         lac_times_export_finish(file, error);
}
