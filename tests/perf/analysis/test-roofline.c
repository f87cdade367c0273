/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of known work and time against known peaks. */
#include "perf/analysis/roofline.h"
#include "perf/recorder/gauges.h"

#include <math.h>

static const LacPeak peak = {.flops = 64e9, .bytes = 16e9}; /* they meet at four FLOP per byte */

static LacAggregate
make_row(double flops, double bytes, double seconds)
{
  return (LacAggregate){.is_operation = TRUE,
                        .count = 1,
                        .flops = flops,
                        .bytes = bytes,
                        .total_ns = seconds * 1e9,
                        .memory = -1};
}

static LacRoofline
roofline_of(double flops, double bytes, double seconds)
{
  const LacAggregate row = make_row(flops, bytes, seconds);
  return lac_roofline_of(&row, peak);
}

/* At any intensity, an operation at the attainable rate is on the roof, and at half of it in twice the time. */
static void
test_on_the_roof(void)
{
  for (double intensity = 1.0 / 64; intensity <= 1024; intensity *= 2) {
    const double      bytes = 3e6, flops = intensity * bytes;
    const double      seconds = fmax(flops / peak.flops, bytes / peak.bytes);
    const LacRoofline full = roofline_of(flops, bytes, seconds);
    const LacRoofline half = roofline_of(flops, bytes, 2 * seconds);

    g_assert_cmpfloat_with_epsilon(full.of_roof, 1, 1e-12);
    g_assert_cmpfloat_with_epsilon(half.of_roof, 0.5, 1e-12);
    g_assert_cmpfloat_with_epsilon(full.intensity, intensity, 1e-12 * intensity);
    g_assert_cmpfloat_with_epsilon(full.rate, full.attainable, 1e-12 * full.rate);
    g_assert_cmpfloat_with_epsilon(full.of_peak, fmin(1, intensity / 4), 1e-12);
    g_assert_cmpint(full.bound, ==, intensity < 4 ? LAC_BOUND_MEMORY : LAC_BOUND_COMPUTE);
  }
}

static void
test_copies_are_held_against_memory(void)
{
  const LacRoofline copy = roofline_of(0, 8e9, 1);

  g_assert_cmpfloat_with_epsilon(copy.of_roof, 0.5, 1e-12);
  g_assert_cmpint(copy.bound, ==, LAC_BOUND_MEMORY);
  g_assert_true(isnan(copy.of_peak) && isnan(copy.rate) && isnan(copy.intensity));
}

static void
test_unknown_stays_unknown(void)
{
  const LacAggregate row = make_row(1e9, 1e9, 1), no_bytes = make_row(1e9, 0, 1);
  const LacPeak      none = {.flops = NAN, .bytes = NAN};
  const LacRoofline  without = lac_roofline_of(&row, none), short_of = roofline_of(0, 0, 1);

  g_assert_true(isnan(without.of_peak) && isnan(without.of_roof) && isnan(without.attainable));
  g_assert_cmpfloat(without.rate, ==, 1e9);
  g_assert_cmpint(without.bound, ==, LAC_BOUND_UNKNOWN);
  g_assert_true(isnan(short_of.of_roof) && isnan(short_of.rate));
  g_assert_true(isnan(lac_roofline_of(&no_bytes, peak).of_roof));
  g_assert_cmpfloat(lac_roofline_of(&no_bytes, peak).of_peak, ==, 1.0 / 64);
}

/* A machine with caches of 256, 128 and 64 GB/s, memory of 16. */
static const LacPeak cached = {.flops = 1e15, .bytes = 16e9, .caches = {256e9, 128e9, 64e9}};

static LacRoofline
cached_roofline_of(double bytes_per_call, double rate)
{
  const double count = 1000;
  LacAggregate row =
    make_row(bytes_per_call * count / 8, bytes_per_call * count, bytes_per_call * count / rate);
  row.count = (guint64) count;
  return lac_roofline_of(&row, cached);
}

/* The working set selects the roof. */
static void
test_caches(void)
{
  static const struct {
    double bytes_per_call, roof;
  } cases[] = {{8e3, 256e9}, {16384, 256e9}, {17e3, 128e9}, {262144, 128e9},
               {1e6, 64e9},  {4e6, 64e9},    {5e6, 16e9},   {1e9, 16e9}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    const LacRoofline half = cached_roofline_of(cases[i].bytes_per_call, cases[i].roof / 2);
    const LacRoofline full = cached_roofline_of(cases[i].bytes_per_call, cases[i].roof);
    g_assert_cmpfloat(half.bandwidth, ==, cases[i].roof);
    g_assert_cmpfloat_with_epsilon(half.of_roof, 0.5, 1e-9);
    g_assert_cmpfloat_with_epsilon(full.of_roof, 1, 1e-9);
    g_assert_false(half.is_capped);
  }
}

/* Faster than its roof: the data were in a smaller cache. Faster than all: on the roof, and said to be capped. */
static void
test_no_share_above_one(void)
{
  const LacRoofline faster = cached_roofline_of(1e9, 100e9);
  const LacRoofline fastest = cached_roofline_of(1e3, 512e9);
  LacAggregate      row = make_row(1e9, 2e9, 1.0 / 32);

  g_assert_cmpfloat(faster.bandwidth, ==, 128e9);
  g_assert_cmpfloat_with_epsilon(faster.of_roof, 100.0 / 128, 1e-9);
  g_assert_cmpfloat(fastest.of_roof, ==, 1);
  g_assert_true(fastest.is_capped);
  for (double bytes = 1e2; bytes < 1e10; bytes *= 3)
    for (double rate = 1e8; rate < 1e13; rate *= 3) {
      const LacRoofline roofline = cached_roofline_of(bytes, rate);
      g_assert_cmpfloat(roofline.of_roof, >, 0);
      g_assert_cmpfloat(roofline.of_roof, <=, 1);
    }
  /* without known caches, four times the memory roof means nothing, and 3 % above it are errors of measurement */
  g_assert_true(isnan(lac_roofline_of(&row, peak).of_roof));
  row.total_ns = 1e9 * 2e9 / (1.03 * peak.bytes);
  g_assert_cmpfloat(lac_roofline_of(&row, peak).of_roof, ==, 1);
  g_assert_true(lac_roofline_of(&row, peak).is_capped);
}

static LacRecord
make_counter(guint32 name, double value)
{
  return (LacRecord){
    .kind = LAC_RECORD_COUNTER, .name = name, .count = 1, .value = value, .memory = -1};
}

static void
test_peaks_of_caches(void)
{
  static const char *const names[LAC_N_PEAK_CACHES] = LAC_COUNTERS_PEAK_CACHES;
  g_autoptr(LacCapture)    capture = lac_capture_new(NULL);
  LacRecord                records[LAC_N_PEAK_CACHES + 2];
  for (guint i = 0; i < LAC_N_PEAK_CACHES; i++)
    records[i] = make_counter(lac_capture_add_name(capture, names[i]), 1e9 * (i + 1));
  records[LAC_N_PEAK_CACHES] =
    make_counter(lac_capture_add_name(capture, LAC_COUNTER_PEAK_FLOPS), 2e9);
  records[LAC_N_PEAK_CACHES + 1] =
    make_counter(lac_capture_add_name(capture, LAC_COUNTER_PEAK_BYTES), 3e9);
  lac_capture_append(capture, records, G_N_ELEMENTS(records));
  for (guint32 i = 0; i < lac_capture_get_n_names(capture); i++)
    g_assert_true(lac_peak_is_counter(lac_capture_get_name(capture, i)));
  g_assert_false(lac_peak_is_counter(LAC_COUNTER_RESIDENT));
  for (guint i = 0; i < LAC_N_PEAK_CACHES; i++)
    g_assert_cmpfloat(lac_peak_of_capture(capture).caches[i], ==, 1e9 * (i + 1));
}

static void
test_peaks_of_a_recording(void)
{
  g_autoptr(LacCapture) with = lac_capture_new(NULL), without = lac_capture_new(NULL);
  guint32               other = lac_capture_add_name(with, "other");
  guint32               flops = lac_capture_add_name(with, LAC_COUNTER_PEAK_FLOPS);
  guint32               bytes = lac_capture_add_name(with, LAC_COUNTER_PEAK_BYTES);
  const LacRecord       records[] = {make_counter(other, 1), make_counter(flops, 2e9),
                                     make_counter(bytes, 3e9),
                                     make_counter(flops, 4e9)}; /* of a resumed run */

  lac_capture_append(with, records, G_N_ELEMENTS(records));
  lac_capture_append(without, records, 1);
  g_assert_cmpfloat(lac_peak_of_capture(with).flops, ==, 2e9);
  g_assert_cmpfloat(lac_peak_of_capture(with).bytes, ==, 3e9);
  g_assert_cmpfloat(lac_peak_of_capture(with).caches[0], ==, 0);
  g_assert_true(isnan(lac_peak_of_capture(without).flops));
}

/* A run on a GPU has the peaks of the GPU, whatever else is recorded. */
static void
test_peaks_of_a_gpu(void)
{
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  const LacRecord       records[] = {
          make_counter(lac_capture_add_name(capture, LAC_COUNTER_PEAK_FLOPS), 2e9),
          make_counter(lac_capture_add_name(capture, LAC_COUNTER_PEAK_BYTES), 3e9),
          make_counter(lac_capture_add_name(capture, LAC_COUNTER_GPU_FLOPS), 6e13),
          make_counter(lac_capture_add_name(capture, LAC_COUNTER_GPU_BYTES), 4e12),
  };

  lac_capture_append(capture, records, 2);
  g_assert_true(isnan(lac_peak_of_capture(capture).flops));
  lac_capture_append(capture, records + 2, 2);
  for (guint32 i = 0; i < lac_capture_get_n_names(capture); i++)
    g_assert_true(lac_peak_is_counter(lac_capture_get_name(capture, i)));
  g_assert_true(lac_peak_of_capture(capture).of_gpu);
  g_assert_cmpfloat(lac_peak_of_capture(capture).flops, ==, 6e13);
  g_assert_cmpfloat(lac_peak_of_capture(capture).bytes, ==, 4e12);
}

/* Copies between host and GPU are held against their link, and without it against nothing. */
static void
test_link(void)
{
  for (guint is_known = 0; is_known < 2; is_known++) {
    g_autoptr(LacCapture) capture = lac_capture_new(NULL);
    LacAggregate          row = make_row(0, 16e9, 1);
    const LacRecord       records[] = {
            make_counter(lac_capture_add_name(capture, LAC_COUNTER_GPU_LINK), 64e9),
            make_counter(lac_capture_add_name(capture, LAC_COUNTER_GPU_FLOPS), 6e13),
            make_counter(lac_capture_add_name(capture, LAC_COUNTER_GPU_BYTES), 4e12),
    };

    row.name = lac_capture_add_name(capture, is_known ? LAC_SPAN_UPLOAD : LAC_SPAN_DOWNLOAD);
    lac_capture_append(capture, records + !is_known, 2 + is_known);
    const LacRoofline copy = lac_roofline_of(&row, lac_peak_of_capture(capture));
    g_assert_cmpint(copy.bound, ==, is_known ? LAC_BOUND_LINK : LAC_BOUND_UNKNOWN);
    g_assert_true(is_known ? copy.of_roof == 0.25 : isnan(copy.of_roof));
    row.name = lac_capture_add_name(capture, "another span");
    g_assert_cmpfloat(lac_roofline_of(&row, lac_peak_of_capture(capture)).of_roof, ==, 0.004);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/roofline/as-much-as-can-be-is-on-the-roof", test_on_the_roof);
  g_test_add_func("/perf/roofline/copies-are-held-against-memory",
                  test_copies_are_held_against_memory);
  g_test_add_func("/perf/roofline/the-working-set-selects-the-roof", test_caches);
  g_test_add_func("/perf/roofline/no-share-is-above-one", test_no_share_above_one);
  g_test_add_func("/perf/roofline/peaks-of-caches-are-read", test_peaks_of_caches);
  g_test_add_func("/perf/roofline/a-run-on-a-gpu-has-its-peaks", test_peaks_of_a_gpu);
  g_test_add_func("/perf/roofline/copies-of-a-gpu-are-held-against-the-link", test_link);
  g_test_add_func("/perf/roofline/unknown-stays-unknown", test_unknown_stays_unknown);
  g_test_add_func("/perf/roofline/the-first-peaks-of-a-recording-count", test_peaks_of_a_recording);
  return g_test_run();
}
