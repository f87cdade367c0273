/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recovery by the methods: frequencies beyond the apertures, the pupil's phase, the centres; and stopping at the
 * noise level. */
#include "experiment/imaging/helpers/retrieval-bed.h"
#include "experiment/imaging/methods/estimate.h"
#include "experiment/imaging/optics/noise-level.h"

#include <math.h>

/* Methods that take the pupil as known unless Zernike terms are requested; the first one is the reference for the
 * others. */
static const char *const solvers[] = {"pie", "raar", "dm", "ml", "cg"};

/* Bounds and support restore frequencies that no aperture covers; every method comes within 3 dB of the reference,
 * whose ability is known. */
static void
test_beyond_the_band(void)
{
  Bed    bed = BED_DEFAULTS;
  double band, reference = 0;

  bed_open(&bed);
  band = bed_psnr_of_band(&bed);
  for (gsize m = 0; m < G_N_ELEMENTS(solvers); m++) {
    const LacImagingMethod *method = bed_find(solvers[m]);
    gpointer                running = bed_create(&bed, method, "");
    double                  psnr;

    bed_run(method, running, 40, NULL);
    psnr = bed_psnr_of(&bed, method, running);
    g_test_message("%s: %.1f dB, band-limited truth %.1f dB", method->name, psnr, band);
    if (m == 0)
      reference = psnr;
    g_assert_cmpfloat(psnr, >, reference - 3);
    g_assert_cmpfloat(psnr, >, band);
    method->destroy(running);
  }
  bed_close(&bed);
}

static void
test_complex(void)
{
  Bed bed = BED_DEFAULTS;

  bed.is_complex = TRUE;
  bed_open(&bed);
  for (gsize m = 0; m < G_N_ELEMENTS(solvers); m++) {
    const LacImagingMethod *method = bed_find(solvers[m]);
    gpointer                running = bed_create(&bed, method, "");
    LacMethodReport         report;

    bed_run(method, running, 60, &report);
    g_test_message("%s: misfit %g", method->name, report.curves[0]);
    g_assert_cmpfloat(report.curves[0], <, 0.01);
    method->destroy(running);
  }
  bed_close(&bed);
}

static void
test_lines(void)
{
  Bed bed = BED_DEFAULTS;

  bed.has_lines = TRUE;
  bed_open(&bed);
  g_assert_cmpuint(bed.exposures->n_along, >, 1);
  for (gsize m = 0; m < G_N_ELEMENTS(solvers); m++) {
    const LacImagingMethod *method = bed_find(solvers[m]);
    gpointer                running = bed_create(&bed, method, "");
    LacMethodReport         first, last;

    bed_run(method, running, 1, &first);
    bed_run(method, running, 40, &last);
    g_test_message("%s: misfit %g to %g", method->name, first.curves[0], last.curves[0]);
    g_assert_cmpfloat(last.curves[0], <, first.curves[0] / 10);
    method->destroy(running);
  }
  bed_close(&bed);
}

static void
test_aberrations(void)
{
  Bed bed = BED_DEFAULTS;

  bed.aberrations[0] = 1;
  bed.aberrations[1] = -1;
  bed.aberrations[2] = 0.5;
  bed_open(&bed);
  for (gsize m = 0; m < G_N_ELEMENTS(solvers); m++) {
    const LacImagingMethod *method = bed_find(solvers[m]);
    gpointer                running = bed_create(&bed, method, "aberrations=3");
    double                  found[3];

    bed_run(method, running, 60, NULL);
    method->aberrations(running, found);
    g_test_message("%s: %.3f %.3f %.3f", method->name, found[0], found[1], found[2]);
    for (gsize i = 0; i < 3; i++)
      g_assert_cmpfloat_with_epsilon(found[i], bed.aberrations[i], 0.1);
    method->destroy(running);
  }
  bed_close(&bed);
}

/* Estimating the pupil's phase recovers detail that is lost when the pupil is taken as ideal. */
static void
test_free_pupil(void)
{
  const LacImagingMethod *blind = bed_find("pie"), *method = bed_find("rpie");
  Bed                     bed = BED_DEFAULTS;
  gpointer                one, other;
  LacMethodReport         reports[2];
  double                  found[3];

  bed.aberrations[0] = 1;
  bed.aberrations[1] = -0.5;
  bed_open(&bed);
  one = bed_create(&bed, blind, "");
  bed_run(blind, one, 60, &reports[0]);
  other = bed_create(&bed, method, "aberrations=3");
  bed_run(method, other, 60, &reports[1]);
  g_test_message("perfect: misfit %g, %.1f dB; sought: %g, %.1f dB", reports[0].curves[0],
                 bed_psnr_of(&bed, blind, one), reports[1].curves[0],
                 bed_psnr_of(&bed, method, other));
  method->aberrations(other, found);
  for (gsize i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon(found[i], bed.aberrations[i], 0.1);
  g_assert_cmpfloat(reports[1].curves[0], <, reports[0].curves[0] / 10);
  g_assert_cmpfloat(bed_psnr_of(&bed, method, other), >, bed_psnr_of(&bed, blind, one) + 18);
  blind->destroy(one);
  method->destroy(other);
  bed_close(&bed);
}

/* Returns the RMS distance of the centres from the true ones. */
static double
find_displacement(const Bed *bed, const LacImagingMethod *method, gpointer running)
{
  double found[BED_SCAN][2], square = 0;

  method->positions(running, found);
  for (gsize v = 0; v < BED_SCAN; v++) {
    const LacScanBox position = {found[v][0], found[v][1], found[v][0], found[v][1]};

    square += pow(lac_scan_distance(position, bed->true_scan[v], !bed->is_complex), 2);
  }
  return sqrt(square / BED_SCAN);
}

/* The first aperture is nominally in the middle, so it has an indistinguishable mate. Exposures absorbed from wrong
 * positions reinforce these, so they have to be excluded from the object for a while. "cg" fits a wrong position too well
 * in the last of these cases. */
static void
test_positions(void)
{
  static const char *const names[] = {"pie", "raar", "ml", "cg"};
  static const struct {
    guint64     seed;
    double      moved;
    const char *params;
  } beds[] = {
    {6, 1.5, "position_error=2"},
    {6, 2, "position_error=2.5"},
    {6, 3.5, "position_error=4"},
    {3, 3.5, "position_error=4"},
  };

  for (gsize b = 0; b < G_N_ELEMENTS(beds); b++) {
    Bed bed = BED_DEFAULTS;

    bed.moved = beds[b].moved;
    bed.seed = beds[b].seed;
    bed_open(&bed);
    for (gsize m = 0; m < G_N_ELEMENTS(names) - (b == 3); m++) {
      const LacImagingMethod *method = bed_find(names[m]);
      gpointer                running = bed_create(&bed, method, beds[b].params);
      double                  found[BED_SCAN][2], off;

      bed_run(method, running, 60, NULL);
      off = find_displacement(&bed, method, running);
      g_test_message("bed %zu, %s: rms %.3f", b, method->name, off);
      g_assert_cmpfloat(off, <, 0.2);
      /* the right one of two mates equally far from the middle */
      method->positions(running, found);
      g_assert_cmpfloat(found[0][1], >, 0);
      method->destroy(running);
    }
    bed_close(&bed);
  }
}

/* Fitting the noise adds it to the image: stopping at the noise level gives a better image than ten times as many
 * steps. */
static void
test_stops(void)
{
  Bed bed = BED_DEFAULTS;

  bed.noise.snr_db = 20;
  bed_open(&bed);
  for (gsize m = 0; m < 2; m++) {
    const LacImagingMethod *method = bed_find(m ? "ml" : "pie");
    gpointer                stopped =
      bed_create(&bed, method, m ? "ml_variation=0;hold_out=0" : "pie_decay=0;hold_out=0");
    LacMethodReport report;
    const gsize     n = bed_run(method, stopped, 50, &report);
    gpointer        further = bed_create(
             &bed, method, m ? "ml_variation=0;stop_at_noise=no" : "pie_decay=0;stop_at_noise=no");

    g_assert_cmpuint(n, <, 50);
    g_assert_cmpint(report.outcome, ==, LAC_OUTCOME_FINISHED);
    g_assert_cmpint(report.why[0], !=, 0);
    /* one standard deviation of a mean of squares of at least 10000 values is at most 1.4 % of it */
    g_assert_cmpfloat(report.curves[1], <, 1.014);
    bed_run(method, further, 10 * n, NULL);
    g_test_message("%s: %.1f dB after %zu steps, %.1f dB after %zu", method->name,
                   bed_psnr_of(&bed, method, stopped), n, bed_psnr_of(&bed, method, further),
                   10 * n);
    g_assert_cmpfloat(bed_psnr_of(&bed, method, stopped), >, bed_psnr_of(&bed, method, further));
    method->destroy(stopped);
    method->destroy(further);
  }
  bed_close(&bed);
}

/* Pixels held out end a run later than the noise level, but not after the noise is fitted: the image is as good as
 * without them and never worse than either. */
static void
test_held_out(void)
{
  Bed bed = BED_DEFAULTS;

  bed.noise.snr_db = 20;
  bed_open(&bed);
  for (gsize m = 0; m < 2; m++) {
    static const char *const plain[] = {"pie_decay=0;", "ml_variation=0;"};
    static const char *const ends[] = {"hold_out=2", "hold_out=0", "stop_at_noise=no"};
    const LacImagingMethod  *method = bed_find(m ? "ml" : "pie");
    double                   psnr[G_N_ELEMENTS(ends)];

    for (gsize e = 0; e < G_N_ELEMENTS(ends); e++) {
      g_autofree char *params = g_strconcat(plain[m], ends[e], NULL);
      gpointer         running = bed_create(&bed, method, params);
      LacMethodReport  report;
      const gsize      n = bed_run(method, running, 300, &report);

      psnr[e] = bed_psnr_of(&bed, method, running);
      g_test_message("%s, %s: %.2f dB after %zu steps: %s", method->name, ends[e], psnr[e], n,
                     report.why);
      method->destroy(running);
    }
    g_assert_cmpfloat(psnr[0], >, psnr[1] - 0.2);
    g_assert_cmpfloat(psnr[0], >, psnr[2] - 0.2);
  }
  bed_close(&bed);
}

/* Exposures without light are left out; the image is then as good as with the others alone. */
static void
test_empty_exposures(void)
{
  static const char *const names[] = {"pie", "raar", "ml", "cg"};
  const gsize              empty[] = {3, 8};
  Bed                      bed = BED_DEFAULTS;

  bed_open(&bed);
  const gsize n = bed.exposures->d * bed.exposures->d;
  for (gsize e = 0; e < G_N_ELEMENTS(empty); e++)
    memset(bed.exposures->images + empty[e] * n, 0, n * sizeof *bed.exposures->images);
  for (gsize m = 0; m < G_N_ELEMENTS(names); m++) {
    const LacImagingMethod *method = bed_find(names[m]);
    gpointer                without = bed_create(&bed, method, "");

    bed_run(method, without, 60, NULL);
    gpointer with = bed_create(&bed, method, "leave_out_exposures=no");
    bed_run(method, with, 60, NULL);
    const double gain = bed_psnr_of(&bed, method, without) - bed_psnr_of(&bed, method, with);
    g_test_message("%s: %.1f dB, %.1f dB better than with them", method->name,
                   bed_psnr_of(&bed, method, without), gain);
    for (gsize v = 0; v < bed.exposures->n_positions; v++)
      g_assert_cmpint(method->leaves_out(without, v), ==, v == empty[0] || v == empty[1]);
    g_assert_cmpfloat(gain, >, 5);
    method->destroy(without);
    method->destroy(with);

    gpointer sought = bed_create(&bed, method, "leave_out_exposures=yes;position_error=1");
    for (guint step = 0; step < 12; step++) { /* a position search does not take them back */
      bed_run(method, sought, 1, NULL);
      g_assert_true(method->leaves_out(sought, empty[0]) && method->leaves_out(sought, empty[1]));
    }
    method->destroy(sought);
  }
  bed_close(&bed);
}

/* The worst goes first, then what is still as bad without it; one that is merely above the median stays, as does one
 * whose energy is large beside what is not explained. */
static void
test_outliers(void)
{
  Bed               bed = BED_DEFAULTS;
  g_autoptr(GError) error = NULL;
  double            excesses[BED_SCAN];

  bed_open(&bed);
  {
    g_autoptr(LacImagingEstimate) h = lac_imaging_estimate_new(&bed.problem, &error);

    g_assert_no_error(error);
    for (gsize v = 0; v < BED_SCAN; v++) {
      h->misfits[v] = (LacMisfit){.energy = v == 9 ? 1e6 : 100};
      excesses[v] = 1;
    }
    excesses[4] = 100;
    excesses[7] = 40;
    excesses[5] = 12;
    excesses[9] = 90;
    excesses[11] = 4;
    lac_imaging_estimate_leave_out(h, excesses, 0, 5, 0.3, 0.1);
    for (gsize v = 0; v < BED_SCAN; v++)
      g_assert_cmpint(h->rests[v], ==, v == 4 || v == 7);
    excesses[9] = 1;
    lac_imaging_estimate_leave_out(h, excesses, 0, 5, 0.3, 0.1);
    for (gsize v = 0; v < BED_SCAN; v++)
      g_assert_cmpint(h->rests[v], ==, v == 4 || v == 5 || v == 7);
    excesses[4] = 1;
    lac_imaging_estimate_leave_out(h, excesses, 0, 5, 0.3, 0.1);
    g_assert_false(h->rests[4]);
  }
  bed_close(&bed);
}

/* Linear interpolation in the table: a second derivative of about 1 times (1/64)^2 / 8. */
static void
test_noise_level(void)
{
  static const LacNoise noises[] = {{.snr_db = 20},
                                    {.snr_db = 40, .read_sigma = 0.01},
                                    {.snr_db = (double) INFINITY, .read_sigma = 0.1}};

  for (gsize n = 0; n < G_N_ELEMENTS(noises); n++) {
    g_autoptr(LacNoiseLevel) level = lac_noise_level_new(&noises[n]);

    for (double x = 0; x <= 1.5; x += 0.0137) {
      const double expected = lac_noise_expected_square(&noises[n], LAC_DETECTOR_AMPLITUDE, x);

      g_assert_cmpfloat_with_epsilon(lac_noise_level_expect(level, x), expected,
                                     3e-3 * expected + 1e-12);
    }
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/recovery/more-comes-back-than-the-apertures-let-through",
                  test_beyond_the_band);
  g_test_add_func("/imaging/recovery/an-object-with-a-phase", test_complex);
  g_test_add_func("/imaging/recovery/apertures-that-move-along-lines", test_lines);
  g_test_add_func("/imaging/recovery/the-phase-of-the-pupil", test_aberrations);
  g_test_add_func("/imaging/recovery/a-pupil-that-is-sought-pixel-by-pixel", test_free_pupil);
  g_test_add_func("/imaging/recovery/where-the-apertures-were", test_positions);
  g_test_add_func("/imaging/recovery/it-ends-where-only-noise-is-left", test_stops);
  g_test_add_func("/imaging/recovery/pixels-held-out-end-it-at-its-best", test_held_out);
  g_test_add_func("/imaging/recovery/exposures-without-light-are-left-out", test_empty_exposures);
  g_test_add_func("/imaging/recovery/outliers-are-left-out-one-after-the-other", test_outliers);
  g_test_add_func("/imaging/recovery/the-table-of-the-noise-is-its-formula", test_noise_level);
  return g_test_run();
}
