/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The imaging laboratory apart from its methods: evaluation of patterns before a run, export and import of exposures,
 * the two references. */
#include "base/error.h"
#include "experiment/experiment.h"
#include "experiment/imaging/helpers/subject.h"

#include <math.h>
#include <string.h>

/* Imports the exposures of a run as user measurements: the reconstruction is bitwise identical, without access to a
 * truth. */
static void
test_exposures_handed_on(gconstpointer settings)
{
  Subject whole, blind;

  subject_init(&whole, "usaf");
  subject_init(&blind, "picture");
  g_auto(GStrv) pairs = g_strsplit(settings, " ", -1);
  for (gsize i = 0; pairs[i] && *pairs[i]; i++) {
    g_auto(GStrv) pair = g_strsplit(pairs[i], "=", 2);

    subject_set(&whole, pair[0], pair[1]);
  }
  subject_set(&whole, "pie_sweeps", "5");
  subject_set(&blind, "pie_sweeps", "5");
  subject_set(&blind, "grid", "128"); /* the file's value takes precedence */
  subject_set(&blind, "measurements", "own.h5");
  LacImagingState *first = subject_new_state(&whole);
  LacStore        *exposures = whole.experiment->exposures(first);
  g_hash_table_insert(blind.context.exposures, (gpointer) "measurements", exposures);
  LacImagingState *second = subject_new_state(&blind);
  g_assert_null(second->truth);
  g_assert_nonnull(first->truth);
  subject_run_to_the_end(whole.experiment, first);
  subject_run_to_the_end(blind.experiment, second);
  first->slots[0].solver->object(first->slots[0].self, first->object);
  second->slots[0].solver->object(second->slots[0].self, second->object);
  g_assert_cmpuint(first->side, ==, second->side);
  g_assert_cmpmem(first->object, first->side * first->side * sizeof *first->object, second->object,
                  second->side * second->side * sizeof *second->object);
  whole.experiment->destroy(first);
  blind.experiment->destroy(second);
  lac_store_free(exposures);
  subject_clear(&whole);
  subject_clear(&blind);
}

/* A standard deviation per pixel is stored; a zero deviation among non-zero ones is refused. */
static void
test_sigma(void)
{
  Subject           subject;
  g_autoptr(GError) error = NULL;

  subject_init(&subject, "usaf");
  LacImagingState    *state = subject_new_state(&subject);
  g_autoptr(LacStore) store = subject.experiment->exposures(state);
  const LacExposures *seen = state->exposures;
  const gsize         cells = seen->d * seen->d, n = seen->n_positions * cells;
  double          *sigma = lac_store_put(store, "sigma", seen->n_positions, cells, sizeof *sigma);
  LacImagingParams common = *lac_imaging_common(state->laboratory, state->params);

  for (gsize i = 0; i < n; i++)
    sigma[i] = 0.01;
  g_autoptr(LacExposures) even = lac_imaging_read_exposures(store, &common, &error);
  g_assert_no_error(error);
  g_assert_null(even->sigma);
  g_assert_cmpfloat_with_epsilon(even->noise.snr_db, -20 * log10(2 * 0.01), 1e-12);
  sigma[5] = 0.02;
  g_autoptr(LacExposures) uneven = lac_imaging_read_exposures(store, &common, &error);
  g_assert_no_error(error);
  g_assert_cmpmem(uneven->sigma, n * sizeof *sigma, sigma, n * sizeof *sigma);
  sigma[5] = 0;
  g_assert_null(lac_imaging_read_exposures(store, &common, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "sigma is 0 at exposure 1, row 0, column 5"));
  subject.experiment->destroy(state);
  subject_clear(&subject);
}

/* A camera counts photons: no object of amplitude 1 is that bright, unless its bounds are lifted. Noise of the usual
 * size passes. */
static void
test_brightness(void)
{
  Subject           subject;
  g_autoptr(GError) error = NULL;

  subject_init(&subject, "usaf");
  subject_set(&subject, "snr", "15");
  LacImagingState *state = subject_new_state(&subject);
  LacExposures    *exposures = state->exposures;
  const gsize      n = exposures->n_positions * exposures->d * exposures->d;
  LacImagingParams common = *lac_imaging_common(state->laboratory, state->params);

  g_assert_true(lac_imaging_check_brightness(exposures, state->optics, &common, NULL, &error));
  g_assert_no_error(error);
  for (gsize i = 0; i < n; i++)
    exposures->images[i] *= 50;
  g_assert_false(lac_imaging_check_brightness(exposures, state->optics, &common, NULL, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "times the light"));
  common.high = 60;
  g_assert_true(lac_imaging_check_brightness(exposures, state->optics, &common, NULL, NULL));
  common.high = 1;
  common.bounds = FALSE;
  g_assert_true(lac_imaging_check_brightness(exposures, state->optics, &common, NULL, NULL));
  subject.experiment->destroy(state);
  subject_clear(&subject);
}

/* The exposures determine the default chart: twenty sweeps of PIE recover it. */
static void
test_default_chart(void)
{
  static const char *const settings[][2] = {
    {"grid", "128"},     {"size", "128"}, {"diameter", "30.26"}, {"roi", "79.74"},
    {"apertures", "25"}, {"snr", "0"},    {"pie_sweeps", "20"},  {"square_pixels", "no"},
  };
  Subject           subject;
  g_autoptr(GError) error = NULL;
  LacStepReport     report = {.outcome = LAC_OUTCOME_CONTINUE};

  subject_init(&subject, "usaf");
  for (gsize i = 0; i < G_N_ELEMENTS(settings); i++)
    subject_set(&subject, settings[i][0], settings[i][1]);
  LacImagingState   *state = subject_new_state(&subject);
  g_autofree double *metrics = g_new(double, state->places.n_metrics);
  report.metrics = metrics;
  while (report.outcome == LAC_OUTCOME_CONTINUE)
    g_assert_true(lac_experiment_step(subject.experiment, state, &report, &error));
  g_test_message("%.1f dB, bars to %g a pixel", metrics[state->places.key],
                 metrics[state->places.slots[0].reading]);
  g_assert_cmpfloat(metrics[state->places.key], >, 70);
  g_assert_cmpfloat(metrics[state->places.slots[0].reading], ==, 0.25); /* bars of two pixels */
  subject.experiment->destroy(state);
  subject_clear(&subject);
}

/* A manual pattern with a gap scores below the automatic one, and a single aperture below both. */
static void
test_planning(void)
{
  Subject            subject;
  g_autoptr(GError)  error = NULL;
  LacLayoutFigures   pattern, gap, one;
  const LacPlanning *planning;
  gpointer           plan;
  double             places[12][2];

  subject_init(&subject, "usaf");
  planning = subject.experiment->planning;
  plan = planning->open(subject.experiment, lac_draft_get_values(subject.draft), &subject.context,
                        &error);
  g_assert_no_error(error);
  g_autoptr(LacFrame) frame = planning->draw(plan);
  g_assert_cmpuint(frame->n_markers, ==, 12);
  g_assert_cmpuint(frame->planes[0].n_not_finite, ==, 0);
  g_assert_cmpfloat(frame->planes[0].max, ==, 0); /* decades below the peak, which is displayed */
  for (gsize i = 0; i < 12; i++) {
    places[i][0] = frame->markers[i].x;
    places[i][1] = frame->markers[i].y;
  }
  g_assert_true(planning->score(plan, (const double(*)[2]) places, 12, &pattern, &error));
  g_assert_true(planning->score(plan, (const double(*)[2]) places, 1, &one, &error));
  places[11][0] = places[11][1] = 21; /* far out: no overlap with any other */
  g_assert_true(planning->score(plan, (const double(*)[2]) places, 12, &gap, &error));
  g_assert_cmpfloat(pattern.values[0], >, one.values[0]);
  g_assert_cmpfloat(pattern.values[1], >, gap.values[1]);
  places[0][0] = 200;
  g_assert_false(planning->score(plan, (const double(*)[2]) places, 12, &gap, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  planning->close(plan);
  subject_clear(&subject);
}

/* Manual positions coincide with their markers: x to the right, y upwards. */
static void
test_places_by_hand(void)
{
  Subject           subject;
  gsize             n;
  g_autofree gsize *sizes = NULL;

  subject_init(&subject, "usaf");
  subject_set(&subject, "sensor_positions", "0 0; 8 5; -6.5 3");
  LacImagingState   *state = subject_new_state(&subject);
  g_auto(LacOutline) outline =
    lac_experiment_outline(subject.experiment, lac_draft_get_values(subject.draft));
  sizes = g_new(gsize, 2 * outline.n_channels);
  subject.experiment->shapes(state, (gsize(*)[2]) sizes, &n);
  g_assert_cmpuint(n, ==, 4);
  g_autoptr(LacFrame) frame = lac_frame_new(outline.n_channels, (const gsize(*)[2]) sizes, n, 0);
  subject.experiment->snapshot(state, frame, NULL);
  g_assert_cmpfloat(frame->markers[1].x, ==, 8);
  g_assert_cmpfloat(frame->markers[1].y, ==, 5);
  g_assert_cmpfloat(state->exposures->scan[1].y, ==, -5);
  g_assert_cmpfloat(frame->markers[2].x, ==, -6.5);
  subject.experiment->destroy(state);
  subject_clear(&subject);
}

/* The mean of the picture is the metric of the same image. */
static void
test_similarity_has_the_mean_of_its_metric(void)
{
  Subject subject;

  subject_init(&subject, "moon");
  subject_set(&subject, "ssim_map", "yes");
  subject_set(&subject, "judge", "1");
  LacImagingState   *state = subject_new_state(&subject);
  g_auto(LacOutline) outline =
    lac_experiment_outline(subject.experiment, lac_draft_get_values(subject.draft));
  g_autofree gsize  *sizes = g_new(gsize, 2 * outline.n_channels);
  g_autofree double *metrics = g_new0(double, outline.n_metrics);
  LacStepReport      report = {.metrics = metrics};
  gsize              n, n_found = 0;

  g_assert_true(lac_experiment_step(subject.experiment, state, &report, NULL));
  subject.experiment->shapes(state, (gsize(*)[2]) sizes, &n);
  g_autoptr(LacFrame) frame = lac_frame_new(outline.n_channels, (const gsize(*)[2]) sizes, n, 0);
  subject.experiment->snapshot(state, frame, NULL);
  for (gsize c = 0; c < outline.n_channels; c++) {
    const LacPlane *plane = &frame->planes[c];
    double          sum = 0;
    if (g_strcmp0(outline.channels[c].quantity, "similarity") != 0)
      continue;
    g_assert_cmpuint(plane->nx, ==, state->side);
    for (gsize i = 0; i < plane->nx * plane->ny; i++)
      sum += (double) plane->data[i];
    g_assert_cmpfloat_with_epsilon(sum / (double) (plane->nx * plane->ny),
                                   metrics[state->places.slots[0].quality[LAC_QUALITY_SSIM_TORCH]],
                                   1e-5);
    n_found++;
  }
  g_assert_cmpuint(n_found, ==, 1);
  subject.experiment->destroy(state);
  subject_clear(&subject);
}

/* Coherent light through one aperture keeps the full contrast up to the aperture's edge in k-space and none beyond: the
 * slanted edge reads half the modulation there. */
static void
test_edge_reads_the_aperture(gconstpointer diameter)
{
  Subject subject;

  subject_init(&subject, "edge");
  subject_set(&subject, "snr", "0");
  subject_set(&subject, "grid", "128");
  subject_set(&subject, "size", "64");
  subject_set(&subject, "roi", "64");
  subject_set(&subject, "apertures", "32");
  subject_set(&subject, "diameter", diameter);
  LacImagingState *state = subject_new_state(&subject);
  const double     half = g_ascii_strtod(diameter, NULL) / 2;

  g_assert_cmpfloat_with_epsilon(
    state->fixed[state->places.references[LAC_REFERENCE_SINGLE].reading], half / 128,
    0.05 * half / 128);
  subject.experiment->destroy(state);
  subject_clear(&subject);
}

/* A truth that is shifted, as a picture beside exposures from elsewhere may be, is found again; what the methods
 * reconstruct is shown and scored in its place. */
static void
test_alignment_finds_the_shift(gconstpointer choice)
{
  enum { DOWN = 3, LEFT = 2 };
  Subject subject;

  subject_init(&subject, "moon");
  subject_set(&subject, "align", choice);
  LacImagingState           *state = subject_new_state(&subject);
  const gsize                n = state->side;
  const gboolean             is_aligned = !g_str_equal(choice, "no");
  g_autofree double complex *plain = g_new(double complex, n *n);
  g_autofree double complex *truth = g_memdup2(state->truth, n * n * sizeof *truth);
  double                     largest = 0;

  subject_run_to_the_end(subject.experiment, state);
  state->slots[0].solver->object(state->slots[0].self, plain);
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++)
      state->truth[(y + DOWN) % n * n + (x + n - LEFT) % n] = truth[y * n + x];
  state->slots[0].alignment_at = 0; /* found before the truth was moved */
  const double shift = lac_imaging_take_object(state, 0);
  g_assert_cmpfloat_with_epsilon(shift, is_aligned ? hypot(DOWN, LEFT) : 0, 0.1);
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      const gsize at = is_aligned ? (y + DOWN) % n * n + (x + n - LEFT) % n : y * n + x;

      largest = MAX(largest, cabs(state->object[at] - plain[y * n + x]));
    }
  g_assert_cmpfloat(largest, <, 0.1); /* the shift is found to a few hundredths of a pixel */
  g_assert_true((state->places.slots[0].shift != G_MAXSIZE) == is_aligned);
  subject.experiment->destroy(state);
  subject_clear(&subject);
}

/* The few pixels of the detector hold the complete field through one aperture: resampled to the object's pixels they
 * equal the inverse transform of the masked spectrum. */
static void
test_single_aperture(void)
{
  Subject subject;

  subject_init(&subject, "moon");
  subject_set(&subject, "snr", "0");
  subject_set(&subject, "apertures", "1");
  LacImagingState *state = subject_new_state(&subject);
  const gsize      n = state->side * state->side;
  double           largest = 0;

  memcpy(state->object, state->truth, n * sizeof *state->object);
  lac_imaging_band_limit(state->optics, state->object);
  for (gsize i = 0; i < n; i++)
    largest =
      MAX(largest, fabs(cabs(state->object[i]) - state->references[LAC_REFERENCE_SINGLE][i]));
  /* square root of an intensity with rounding errors of 1e-16 */
  g_assert_cmpfloat(largest, <, 1e-7);
  subject.experiment->destroy(state);
  subject_clear(&subject);
}

/* The rows behind the sources are the truth's own. The band-limited truth correlates fully and transfers the full
 * contrast at every frequency it contains. */
static void
test_charts(void)
{
  Subject         subject;
  LacChannel      channels[LAC_N_IMAGING_CHARTS];
  gsize           sizes[64][2], n_markers, n_charts;
  LacStepReport   report = {0};
  const gsize     first = 1; /* index of the references: one method precedes them */
  const LacPlane *correlation, *transfer, *bars;

  subject_init(&subject, "usaf");
  subject_set(&subject, "solver", "pie");
  subject_set(&subject, "size", "128");
  subject_set(&subject, "grid", "128");
  LacImagingState *state = subject_new_state(&subject);
  LacOutline       outline =
    lac_experiment_outline(subject.experiment, lac_draft_get_values(subject.draft));
  report.metrics = g_new0(double, outline.n_metrics);
  g_assert_true(lac_experiment_step(subject.experiment, state, &report, NULL));
  subject.experiment->shapes(state, sizes, &n_markers);
  g_autoptr(LacFrame) frame =
    lac_frame_new(outline.n_channels, (const gsize(*)[2]) sizes, n_markers, outline.n_metrics);
  subject.experiment->snapshot(state, frame, NULL);
  n_charts = lac_imaging_outline_charts(state->laboratory, state->params, channels);
  g_assert_cmpuint(n_charts, ==, LAC_N_IMAGING_CHARTS);
  for (gsize c = 0; c < n_charts; c++) {
    const gsize at = outline.n_channels - n_charts + c;

    g_assert_cmpstr(outline.channels[at].key, ==, channels[c].key);
    g_assert_cmpuint(frame->planes[at].ny, ==, lac_chart_rows(&outline.channels[at].chart));
    lac_plane_measure(&frame->planes[at]);
    g_assert_cmpuint(frame->planes[at].n_not_finite, ==, 0);
  }
  correlation = &frame->planes[outline.n_channels - 3];
  transfer = &frame->planes[outline.n_channels - 2];
  bars = &frame->planes[outline.n_channels - 1];
  for (gsize r = 0; r < transfer->nx; r++)
    g_assert_cmpfloat(transfer->data[3 * transfer->nx + r], ==, 1);
  /* complete coverage in the middle of k-space, none at its edge */
  for (gsize r = 0; r < 3; r++) {
    g_assert_cmpfloat(correlation->data[(first + 1) * correlation->nx + r], >, 0.99);
    g_assert_cmpfloat(transfer->data[(first + 1) * transfer->nx + r], >, 0.9);
  }
  g_assert_cmpfloat(transfer->data[(first + 1) * transfer->nx + transfer->nx - 1], <, 0.2);
  for (gsize i = 0; i < bars->nx; i++)
    g_assert_cmpfloat_with_epsilon(bars->data[3 * bars->nx + i], 1, 1e-6);
  g_free(report.metrics);
  lac_outline_clear(&outline);
  lac_imaging_destroy(state);
  subject_clear(&subject);
}

/* 64 discs of diameter 17 over 1024 pixels do not touch. */
static void
test_warning(void)
{
  Subject          subject;
  g_autofree char *none = NULL, *some = NULL;

  subject_init(&subject, "europa");
  none = subject.experiment->warn(subject.experiment, lac_draft_get_values(subject.draft));
  g_assert_null(none);
  subject_set(&subject, "grid", "1024");
  subject_set(&subject, "roi", "1024");
  subject_set(&subject, "diameter", "17");
  subject_set(&subject, "apertures", "64");
  some = subject.experiment->warn(subject.experiment, lac_draft_get_values(subject.draft));
  g_assert_nonnull(some);
  subject_clear(&subject);
}

/* Nothing of a decoder is left to the CPU, whatever it compares. */
static void
test_apart(void)
{
  static const char *const rehearsals[] = {"replay", "all", "self"};

  for (gsize i = 0; i < G_N_ELEMENTS(rehearsals); i++) {
    g_autoptr(GString) apart = g_string_new(NULL);
    Subject            subject;

    subject_init(&subject, "europa");
    subject_set(&subject, "solver", "decoder");
    subject_set(&subject, "decoder_data", rehearsals[i]);
    g_assert_true(
      lac_experiment_uses_device(subject.experiment, lac_draft_get_values(subject.draft), apart));
    g_assert_cmpstr(apart->str, ==, "");
    subject_clear(&subject);
  }
}

/* A body's size in pixels follows from its width, its distance and the grid: 73 for Europa, as in the specification. */
static void
test_scale(void)
{
  Subject subject;

  subject_init(&subject, "europa");
  subject_set(&subject, "grid", "1024");
  subject_set(&subject, "size", "0");
  subject_set(&subject, "k_pixel", "0.01");
  const LacImaging     *laboratory = subject.experiment->data;
  const LacImagingScale scale =
    lac_imaging_find_scale(lac_imaging_common(laboratory, lac_draft_get_values(subject.draft)));
  g_assert_cmpuint(scale.side, ==, 73);
  g_assert_cmpfloat(fabs(scale.pixel / 42883 - 1), <, 1e-4);
  subject_clear(&subject);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/experiment/imaging/laboratory/exposures-handed-on-give-the-same-bits", "",
                       test_exposures_handed_on);
  g_test_add_data_func(
    "/experiment/imaging/laboratory/lines-of-intensity-with-bad-pixels-give-the-same-bits",
    "unit=intensity line_length=6 bad_pixels=4 read_noise=0.01 shape=obscured",
    test_exposures_handed_on);
  g_test_add_func("/imaging/laboratory/every-pixel-may-have-its-deviation", test_sigma);
  g_test_add_func("/experiment/imaging/laboratory/counts-of-a-camera-are-refused", test_brightness);
  g_test_add_func("/imaging/laboratory/the-chart-comes-back", test_default_chart);
  g_test_add_func("/experiment/imaging/laboratory/a-gap-in-the-pattern-shows", test_planning);
  g_test_add_func("/experiment/imaging/laboratory/places-by-hand-are-where-they-are-drawn",
                  test_places_by_hand);
  g_test_add_func("/experiment/imaging/laboratory/one-aperture-is-the-masked-spectrum",
                  test_single_aperture);
  g_test_add_func("/experiment/imaging/laboratory/discs-apart-are-warned-of", test_warning);
  g_test_add_func("/experiment/imaging/laboratory/nothing-of-a-decoder-is-left-to-the-cpu",
                  test_apart);
  g_test_add_func("/experiment/imaging/laboratory/a-body-has-its-pixels", test_scale);
  g_test_add_func("/experiment/imaging/laboratory/curves-against-the-truth", test_charts);
  g_test_add_func("/experiment/imaging/laboratory/similarity-has-the-mean-of-its-metric",
                  test_similarity_has_the_mean_of_its_metric);
  g_test_add_data_func("/experiment/imaging/laboratory/edge-reads-the-aperture/20", "20",
                       test_edge_reads_the_aperture);
  g_test_add_data_func("/experiment/imaging/laboratory/edge-reads-the-aperture/28", "28",
                       test_edge_reads_the_aperture);
  for (gsize i = 0; i < 3; i++) {
    static const char *const choices[] = {"no", "shift", "twin"};
    g_autofree char         *path =
      g_strdup_printf("/experiment/imaging/laboratory/alignment-finds-the-shift/%s", choices[i]);

    g_test_add_data_func(path, choices[i], test_alignment_finds_the_shift);
  }
  return g_test_run();
}
