/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the counters that a run samples. Metrics of a run are also counters, under their keys. */
#pragma once

#include "base/memory-part.h"
#include "perf/recorder/record.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_LANE_DEVICE "GPU" /* lane of device activity, on the device clock */
/* Span in which the host waits for the device; the operations of the device are recorded within. */
#define LAC_SPAN_DEVICE_WAIT "wait for the device"
/* Copies between host and device, by the link between them. */
#define LAC_SPAN_UPLOAD   "copy to the device"
#define LAC_SPAN_DOWNLOAD "copy from the device"
/* Span in which the host enqueues a step whose kernels are timed. */
#define LAC_SPAN_LAUNCH "launch of a timed step"

typedef enum {
#define LAC_GAUGE(ID, name, unit) LAC_GAUGE_##ID,
#include "perf/recorder/gauges.def"
#undef LAC_GAUGE
  LAC_N_GAUGES
} LacGauge;

G_STATIC_ASSERT(LAC_GAUGE_MEMORY_DATA - LAC_GAUGE_MEMORY_PARAMETERS + 1 == LAC_N_MEMORY_PARTS);

static inline LacGauge
lac_gauge_of_memory(LacMemoryPart part)
{
  return (LacGauge) (LAC_GAUGE_MEMORY_PARAMETERS + part);
}

const char *lac_gauge_name(LacGauge gauge);
/* Returns: (nullable): the unit of the counter @name; %NULL when it is not one of these counters. */
const char *lac_gauge_find_unit(const char *name);

G_END_DECLS
