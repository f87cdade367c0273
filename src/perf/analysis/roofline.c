/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roofline model of one operation. */
#include "perf/analysis/roofline.h"

#include <math.h>

LacPeak
lac_peak_of_capture(const LacCapture *capture)
{
  LacPeak          peak = {NAN, NAN};
  const LacRecord *records;
  gsize            n;

  g_return_val_if_fail(capture != NULL, peak);
  const gint64 flops = lac_capture_find_name(capture, LAC_COUNTER_PEAK_FLOPS);
  const gint64 bytes = lac_capture_find_name(capture, LAC_COUNTER_PEAK_BYTES);
  if (flops < 0 || bytes < 0)
    return peak;
  for (gsize first = 0; (records = lac_capture_get(capture, first, &n)) != NULL; first += n) {
    for (gsize i = 0; i < n; i++) {
      if (records[i].kind != LAC_RECORD_COUNTER || !(records[i].value > 0))
        continue;
      if (isnan(peak.flops) && records[i].name == flops)
        peak.flops = records[i].value;
      if (isnan(peak.bytes) && records[i].name == bytes)
        peak.bytes = records[i].value;
      if (!isnan(peak.flops) && !isnan(peak.bytes))
        return peak;
    }
  }
  return peak;
}

LacRoofline
lac_roofline_of(const LacAggregate *row, LacPeak peak)
{
  LacRoofline roofline = {NAN, NAN, NAN, NAN, NAN, LAC_BOUND_UNKNOWN};

  g_return_val_if_fail(row != NULL, roofline);
  const double seconds = row->total_ns * 1e-9;
  if (!(seconds > 0))
    return roofline;
  if (row->flops <= 0) {
    if (row->bytes > 0 && peak.bytes > 0) {
      roofline.of_roof = row->bytes / seconds / peak.bytes;
      roofline.bound = LAC_BOUND_MEMORY;
    }
    return roofline;
  }
  roofline.rate = row->flops / seconds;
  if (peak.flops > 0)
    roofline.of_peak = roofline.rate / peak.flops;
  if (!(row->bytes > 0))
    return roofline;
  roofline.intensity = row->flops / row->bytes;
  if (!(peak.flops > 0) || !(peak.bytes > 0))
    return roofline;
  const double slope = roofline.intensity * peak.bytes;
  roofline.attainable = MIN(peak.flops, slope);
  roofline.of_roof = roofline.rate / roofline.attainable;
  roofline.bound = slope < peak.flops ? LAC_BOUND_MEMORY : LAC_BOUND_COMPUTE;
  return roofline;
}
