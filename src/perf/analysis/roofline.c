/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roofline model of one operation. */
#include "perf/analysis/roofline.h"

#include "perf/recorder/gauges.h"

#include <math.h>

#define MEASUREMENT_ERROR 1.05 /* ratio to the memory roof that the two measurements explain */

static const gsize       cache_sizes[LAC_N_PEAK_CACHES] = LAC_PEAK_CACHE_SIZES;
static const char *const cache_names[LAC_N_PEAK_CACHES] = LAC_COUNTERS_PEAK_CACHES;

typedef struct {
  gint64   flops, bytes, link, caches[LAC_N_PEAK_CACHES]; /* names; -1: not in the recording */
  gboolean of_gpu;
} Names;

/* Takes the first value of each counter. Returns TRUE when flops and bytes, recorded last, are known. */
static gboolean
take(LacPeak *peak, const LacRecord *record, const Names *names)
{
  if (record->kind != LAC_RECORD_COUNTER || !(record->value > 0))
    return FALSE;
  if (isnan(peak->flops) && record->name == names->flops)
    peak->flops = record->value;
  if (isnan(peak->bytes) && record->name == names->bytes)
    peak->bytes = record->value;
  if (peak->link == 0 && record->name == names->link)
    peak->link = record->value;
  for (gsize i = 0; i < LAC_N_PEAK_CACHES; i++)
    if (peak->caches[i] == 0 && record->name == names->caches[i])
      peak->caches[i] = record->value;
  return !isnan(peak->flops) && !isnan(peak->bytes);
}

static Names
find_names(const LacCapture *capture)
{
  Names names = {.flops = lac_capture_find_name(capture, LAC_COUNTER_GPU_FLOPS),
                 .link = lac_capture_find_name(capture, LAC_COUNTER_GPU_LINK)};

  names.of_gpu = names.flops >= 0;
  if (!names.of_gpu)
    names.flops = lac_capture_find_name(capture, LAC_COUNTER_PEAK_FLOPS);
  names.bytes =
    lac_capture_find_name(capture, names.of_gpu ? LAC_COUNTER_GPU_BYTES : LAC_COUNTER_PEAK_BYTES);
  for (gsize i = 0; i < LAC_N_PEAK_CACHES; i++)
    names.caches[i] = names.of_gpu ? -1 : lac_capture_find_name(capture, cache_names[i]);
  return names;
}

LacPeak
lac_peak_of_capture(const LacCapture *capture)
{
  LacPeak          peak = {.flops = NAN, .bytes = NAN, .copies = {-1, -1}};
  const LacRecord *records;
  gsize            n;

  g_return_val_if_fail(capture != NULL, peak);
  const Names names = find_names(capture);
  peak.of_gpu = names.of_gpu;
  peak.copies[0] = lac_capture_find_name(capture, LAC_SPAN_UPLOAD);
  peak.copies[1] = lac_capture_find_name(capture, LAC_SPAN_DOWNLOAD);
  if (names.flops < 0 || names.bytes < 0)
    return peak;
  for (gsize first = 0; (records = lac_capture_get(capture, first, &n)) != NULL; first += n)
    for (gsize i = 0; i < n; i++)
      if (take(&peak, &records[i], &names))
        return peak;
  return peak;
}

gboolean
lac_peak_is_counter(const char *name)
{
  static const char *const others[] = {LAC_COUNTER_PEAK_FLOPS, LAC_COUNTER_PEAK_BYTES,
                                       LAC_COUNTER_GPU_FLOPS, LAC_COUNTER_GPU_BYTES,
                                       LAC_COUNTER_GPU_LINK};

  g_return_val_if_fail(name != NULL, FALSE);
  for (gsize i = 0; i < LAC_N_PEAK_CACHES; i++)
    if (g_str_equal(name, cache_names[i]))
      return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
    if (g_str_equal(name, others[i]))
      return TRUE;
  return FALSE;
}

/* ---- the bandwidth roof ---- */

/* Returns the slowest bandwidth that is above @rate and whose level holds @working_set, or a smaller level's; the
 * fastest one without such. */
static double
find_bandwidth(const LacPeak *peak, double working_set, double rate)
{
  double fastest = peak->bytes;

  for (gsize i = 0; i < LAC_N_PEAK_CACHES; i++)
    fastest = MAX(fastest, peak->caches[i]);
  if (working_set > (double) cache_sizes[LAC_N_PEAK_CACHES - 1] && peak->bytes >= rate)
    return peak->bytes;
  for (gsize i = LAC_N_PEAK_CACHES; i-- > 0;) {
    const gboolean is_smallest = i == 0 || working_set > (double) cache_sizes[i - 1];
    if (is_smallest && peak->caches[i] > 0 && peak->caches[i] >= rate)
      return MAX(peak->caches[i], peak->bytes);
  }
  return fastest;
}

static gboolean
knows_caches(const LacPeak *peak)
{
  for (gsize i = 0; i < LAC_N_PEAK_CACHES; i++)
    if (!(peak->caches[i] > 0))
      return FALSE;
  return TRUE;
}

/* Bounds the share by 1; see LacRoofline. */
static void
cap(LacRoofline *roofline, const LacPeak *peak)
{
  if (!(roofline->of_roof > 1))
    return;
  roofline->is_capped = TRUE;
  if (roofline->bound == LAC_BOUND_MEMORY && !knows_caches(peak) &&
      roofline->of_roof > MEASUREMENT_ERROR) {
    roofline->of_roof = (double) NAN;
    roofline->is_capped = FALSE;
    return;
  }
  roofline->of_roof = 1;
}

static gboolean
is_copy(const LacAggregate *row, const LacPeak *peak)
{
  return peak->of_gpu && (row->name == peak->copies[0] || row->name == peak->copies[1]);
}

static void
hold_against_link(LacRoofline *roofline, double rate, double link)
{
  if (!(link > 0) || !(rate > 0))
    return;
  roofline->bandwidth = link;
  roofline->bound = LAC_BOUND_LINK;
  roofline->is_capped = rate > link;
  roofline->of_roof = MIN(rate / link, 1);
}

LacRoofline
lac_roofline_of(const LacAggregate *row, LacPeak peak)
{
  LacRoofline roofline = {.intensity = NAN,
                          .rate = NAN,
                          .attainable = NAN,
                          .of_peak = NAN,
                          .of_roof = NAN,
                          .bandwidth = NAN};

  g_return_val_if_fail(row != NULL, roofline);
  const double seconds = row->total_ns * 1e-9;
  if (!(seconds > 0))
    return roofline;
  if (is_copy(row, &peak)) {
    hold_against_link(&roofline, row->bytes / seconds, peak.link);
    return roofline;
  }
  const gboolean has_bandwidth = row->bytes > 0 && peak.bytes > 0;
  if (has_bandwidth)
    roofline.bandwidth =
      find_bandwidth(&peak, row->bytes / (double) MAX(row->count, 1), row->bytes / seconds);
  if (row->flops <= 0) {
    if (has_bandwidth) {
      roofline.of_roof = row->bytes / seconds / roofline.bandwidth;
      roofline.bound = LAC_BOUND_MEMORY;
      cap(&roofline, &peak);
    }
    return roofline;
  }
  roofline.rate = row->flops / seconds;
  if (peak.flops > 0)
    roofline.of_peak = MIN(roofline.rate / peak.flops, 1);
  if (!(row->bytes > 0))
    return roofline;
  roofline.intensity = row->flops / row->bytes;
  if (!(peak.flops > 0) || !has_bandwidth)
    return roofline;
  const double slope = roofline.intensity * roofline.bandwidth;
  roofline.attainable = MIN(peak.flops, slope);
  roofline.of_roof = roofline.rate / roofline.attainable;
  roofline.bound = slope < peak.flops ? LAC_BOUND_MEMORY : LAC_BOUND_COMPUTE;
  cap(&roofline, &peak);
  return roofline;
}
