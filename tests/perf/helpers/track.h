/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library lacuna-perf, by its public header only, adapted to the tests' device and sink. */
#pragma once

#include "perf/helpers/work.h"

#include <glib.h>

#include <lacuna-perf.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTracker, lac_tracker_free)

static inline void
track_read_device(LacTrackMemory *memory, void *user_data)
{
  const WorkDevice *device = user_data;

  *memory = (LacTrackMemory){device->used, device->reserved, device->peak};
}

static inline void
track_reset_device(void *user_data)
{
  WorkDevice *device = user_data;

  device->peak = device->used;
}

static inline LacTrackDevice
track_device(WorkDevice *device)
{
  return (LacTrackDevice){
    .read = track_read_device, .reset_peak = track_reset_device, .user_data = device};
}

/* Returns: (transfer full): both tables */
static inline char *
track_dup_summary(LacTracker *tracker)
{
  WorkSink sink;

  work_sink_open(&sink);
  lac_tracker_print(tracker, LAC_TRACK_ALL, sink.file);
  return work_sink_close(&sink);
}
