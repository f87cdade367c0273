/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of known work and time against known peaks. */
#include "perf/analysis/roofline.h"

#include <math.h>

static const LacPeak peak = {64e9, 16e9}; /* they meet at four FLOP per byte */

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
  const LacPeak      none = {NAN, NAN};
  const LacRoofline  without = lac_roofline_of(&row, none), short_of = roofline_of(0, 0, 1);

  g_assert_true(isnan(without.of_peak) && isnan(without.of_roof) && isnan(without.attainable));
  g_assert_cmpfloat(without.rate, ==, 1e9);
  g_assert_cmpint(without.bound, ==, LAC_BOUND_UNKNOWN);
  g_assert_true(isnan(short_of.of_roof) && isnan(short_of.rate));
  g_assert_true(isnan(lac_roofline_of(&no_bytes, peak).of_roof));
  g_assert_cmpfloat(lac_roofline_of(&no_bytes, peak).of_peak, ==, 1.0 / 64);
}

static LacRecord
make_counter(guint32 name, double value)
{
  return (LacRecord){
    .kind = LAC_RECORD_COUNTER, .name = name, .count = 1, .value = value, .memory = -1};
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
  g_assert_true(isnan(lac_peak_of_capture(without).flops));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/roofline/as-much-as-can-be-is-on-the-roof", test_on_the_roof);
  g_test_add_func("/perf/roofline/copies-are-held-against-memory",
                  test_copies_are_held_against_memory);
  g_test_add_func("/perf/roofline/unknown-stays-unknown", test_unknown_stays_unknown);
  g_test_add_func("/perf/roofline/the-first-peaks-of-a-recording-count", test_peaks_of_a_recording);
  return g_test_run();
}
