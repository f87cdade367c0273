/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder's exposures by the waves of the CPU and of the emulated device, against those by the optics: losses,
 * misfits, derivatives and results of training; and the requests that a step makes to the device. */
#include "emulated.h"

#include "experiment/imaging/helpers/decoder-oracle.h"
#include "experiment/imaging/helpers/retrieval-bed.h"
#include "helpers/sanitized.h"

#include <math.h>

#define N_TERMS 4

typedef struct {
  LacImagingEstimate *h;
  LacDecoderFit      *fit;
} Side;

static Side
side_of(const Bed *bed, LacContext *context, const LacDecoderFitSettings *settings)
{
  g_autoptr(GError) error = NULL;
  LacImagingProblem problem = bed->problem;
  Side              side;

  problem.context = context;
  side.h = lac_imaging_estimate_new(&problem, &error);
  g_assert_no_error(error);
  side.fit = lac_decoder_fit_new(side.h, settings, &error);
  g_assert_no_error(error);
  return side;
}

static void
side_clear(Side *side)
{
  g_autoptr(GError) error = NULL;

  g_assert_true(lac_decoder_fit_is_sound(side->fit, &error));
  lac_decoder_fit_free(side->fit);
  lac_imaging_estimate_free(side->h);
}

/* Allows for a different summation order: some thousand roundings of the largest value. */
static void
assert_near(const double *a, const double *b, gsize n)
{
  double size = 0;

  for (gsize i = 0; i < n; i++)
    size = fmax(size, fabs(b[i]));
  g_assert_cmpfloat(size, >, 0);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon(a[i], b[i], 1e-10 * size);
}

static void
assert_numbers_agree(double a, double b, double epsilon)
{
  g_assert_cmpfloat(fabs(a - b), <=, epsilon * fabs(b));
}

static void
assert_terms_agree(const Side *device, const Side *optics, gsize n, double epsilon)
{
  if (optics->fit->has_memory)
    assert_numbers_agree(device->fit->memory_loss, optics->fit->memory_loss, epsilon);
  for (gsize i = 0; i < n; i++) {
    const LacDecoderTerm *a = &device->fit->terms[i], *b = &optics->fit->terms[i];
    assert_numbers_agree(a->loss, b->loss, epsilon);
    assert_numbers_agree(a->misfit.distance, b->misfit.distance, epsilon);
    assert_numbers_agree(a->misfit.expected, b->misfit.expected, epsilon);
    assert_numbers_agree(a->misfit.variance, b->misfit.variance, epsilon);
    assert_numbers_agree(a->misfit.energy, b->misfit.energy, epsilon);
  }
}

static void
assert_bars_agree(const LacDevice *device, LacDecoder *network, const double *expected)
{
  g_autofree double *bars = g_new(double, BED_PIXELS);

  g_assert_cmpint(device->table->download(device->self, bars, lac_decoder_get_picture_bar(network),
                                          BED_PIXELS * sizeof *bars),
                  ==, LAC_STATUS_OK);
  assert_near(bars, expected, BED_PIXELS);
}

/* Fewer scan positions than slots, one of them excluded; then others; with apertures moved in between. */
static void
compare_steps(Side *device, Side *optics, DecoderOracle *oracle, const LacDevice *opened)
{
  const LacScanBox from = lac_optics_get_settings(optics->h->optics)->scan[7];
  Side *const      sides[] = {device, optics};

  for (gsize step = 0; step < 4; step++) {
    const gsize n = step == 1 ? N_TERMS : N_TERMS - 1;

    for (gsize s = 0; s < 2; s++) {
      for (gsize i = 0; i < n; i++)
        sides[s]->fit->terms[i].position = (5 * i + step) % BED_SCAN;
      sides[s]->h->rests[5] = step == 0;
      if (step == 2) {
        lac_decoder_fit_look(sides[s]->fit);
        g_assert_true(lac_optics_move(sides[s]->h->optics, 7, 0.9 * from.y, 0.9 * from.x));
      }
    }
    lac_decoder_fit_see(device->fit, n);
    decoder_oracle_see(oracle, n);
    /* Adam's first steps are g / |g|, even where g is nearly 0 */
    assert_terms_agree(device, optics, n, step == 0 ? 1e-10 : 1e-6);
    decoder_oracle_learn(oracle, 1e-3);
    lac_decoder_fit_learn(device->fit, 1e-3);
    if (step == 0) {
      assert_bars_agree(opened, device->fit->network, oracle->picture_bar);
      if (device->fit->phase)
        assert_bars_agree(opened, device->fit->phase_network, oracle->phase_bar);
    }
  }
}

/* Makes the present output the rehearsed one, and the network another one: the same network would have no loss. */
static void
rehearse(Side *side)
{
  lac_decoder_fit_remember(side->fit, 5);
  lac_decoder_init(side->fit->network, 99);
  if (side->fit->phase_network)
    lac_decoder_init(side->fit->phase_network, 98);
}

typedef gboolean (*OpenFunc)(LacDevice *device);

static void
check_with_settings(Bed *bed, const LacDecoderFitSettings *settings, OpenFunc open)
{
  LacDevice      opened;
  LacContext     context;
  Side           device, optics;
  DecoderOracle *oracle;

  if (!open(&opened))
    return;
  bed_open(bed);
  context = bed->context;
  context.device = opened;
  device = side_of(bed, &context, settings);
  optics = side_of(bed, &bed->context, settings);
  oracle = decoder_oracle_new(optics.fit);
  for (gsize s = 0; s < 2 && settings->remembers; s++)
    rehearse(s == 0 ? &device : &optics);
  compare_steps(&device, &optics, oracle, &opened);
  decoder_oracle_free(oracle);
  side_clear(&device);
  side_clear(&optics);
  bed_close(bed);
  lac_device_close(&opened);
}

static LacDecoderFitSettings
settings_of(LacAmplitudeLossKind loss, gboolean normalised)
{
  return (LacDecoderFitSettings){
    .bound = LAC_BOUND_SIGMOID,
    .loss = loss,
    .weights =
      {[LAC_LOSS_L1] = 0.6, [LAC_LOSS_L2] = 0.4, [LAC_LOSS_SSIM] = 0.3, [LAC_LOSS_MS_SSIM] = 0.2},
    .normalised = normalised,
    .most_terms = N_TERMS};
}

static void
check_against_optics(Bed *bed, LacAmplitudeLossKind loss, gboolean normalised, OpenFunc open)
{
  const LacDecoderFitSettings settings = settings_of(loss, normalised);

  check_with_settings(bed, &settings, open);
}

static gboolean
open_cpu(LacDevice *device)
{
  return lac_device_open(device, "cpu", NULL);
}

static void
test_plain(void)
{
  Bed bed = BED_DEFAULTS;

  check_against_optics(&bed, LAC_LOSS_L1, TRUE, open_cpu);
  bed = BED_DEFAULTS;

  check_against_optics(&bed, LAC_LOSS_L1, TRUE, emulated_open);
}

static void
test_squares(void)
{
  Bed bed = BED_DEFAULTS;

  bed.noise.snr_db = 30;
  check_against_optics(&bed, LAC_LOSS_L2, TRUE, emulated_open);
  bed = BED_DEFAULTS;
  check_against_optics(&bed, LAC_LOSS_L2, FALSE, emulated_open_strict);
}

static void
test_complex(void)
{
  Bed bed = BED_DEFAULTS;

  bed.is_complex = TRUE;
  check_against_optics(&bed, LAC_LOSS_L1, TRUE, emulated_open_strict);
  bed = BED_DEFAULTS;
  bed.is_complex = TRUE;
  check_against_optics(&bed, LAC_LOSS_L1, TRUE, open_cpu);
}

static void
test_lines(void)
{
  Bed bed = BED_DEFAULTS;

  bed.has_lines = TRUE;
  bed.noise.read_sigma = 0.01;
  check_against_optics(&bed, LAC_LOSS_L1, FALSE, emulated_open_strict);
  bed = BED_DEFAULTS;
  bed.has_lines = TRUE;
  bed.noise.read_sigma = 0.01;
  check_against_optics(&bed, LAC_LOSS_L1, FALSE, open_cpu);
}

static void
test_sum(void)
{
  Bed bed = BED_DEFAULTS;

  bed.noise.snr_db = 30;
  check_against_optics(&bed, LAC_LOSS_COMPOSITE, TRUE, emulated_open);
  bed = BED_DEFAULTS;
  check_against_optics(&bed, LAC_LOSS_COMPOSITE, FALSE, emulated_open_strict);
}

static void
test_sigma(void)
{
  static const LacDetectorUnit units[] = {LAC_DETECTOR_AMPLITUDE, LAC_DETECTOR_INTENSITY};

  for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
    Bed bed = BED_DEFAULTS;

    bed.unit = units[i];
    bed.has_sigma = TRUE;
    check_against_optics(&bed, LAC_LOSS_L2, TRUE, i == 0 ? open_cpu : emulated_open_strict);
  }
}

static void
test_structure(void)
{
  static const LacAmplitudeLossKind losses[] = {LAC_LOSS_SSIM, LAC_LOSS_MS_SSIM};

  for (gsize i = 0; i < G_N_ELEMENTS(losses); i++) {
    Bed bed = BED_DEFAULTS;

    bed.noise = (LacNoise){.snr_db = 30, .bad_fraction = 0.05};
    check_against_optics(&bed, losses[i], TRUE, emulated_open_strict);
    bed = BED_DEFAULTS;
    bed.has_lines = TRUE;
    check_against_optics(&bed, losses[i], TRUE, open_cpu);
  }
}

static void
test_rehearsal(void)
{
  static const OpenFunc devices[] = {open_cpu, emulated_open, emulated_open_strict};

  for (gsize i = 0; i < 2 * G_N_ELEMENTS(devices); i++) {
    Bed                   bed = BED_DEFAULTS;
    LacDecoderFitSettings settings =
      settings_of(i % 2 ? LAC_LOSS_COMPOSITE : LAC_LOSS_L1, i % 2 == 0);

    settings.remembers = TRUE;
    bed.is_complex = i % 2;
    bed.has_lines = i == 2;
    bed.noise.snr_db = i == 4 ? 30 : bed.noise.snr_db;
    check_with_settings(&bed, &settings, devices[i / 2]);
  }
}

/* A step replays one graph to predict and one to train, with messages before and after; it allocates nothing and
 * waits only for the losses. */
static void
test_steady(void)
{
  const LacDecoderFitSettings settings = {
    .bound = LAC_BOUND_SIGMOID, .loss = LAC_LOSS_L1, .normalised = TRUE, .most_terms = N_TERMS};
  enum { N_STEPS = 5 };
  Bed            bed = BED_DEFAULTS;
  LacDevice      opened;
  LacContext     context;
  EmulatedCounts before, after;
  Side           side;

  if (!emulated_open_counted(&opened))
    return;
  bed_open(&bed);
  context = bed.context;
  context.device = opened;
  side = side_of(&bed, &context, &settings);
  for (gsize step = 0; step < 2 + N_STEPS; step++) {
    if (step == 2)
      before = emulated_get_counts();
    for (gsize i = 0; i < N_TERMS; i++)
      side.fit->terms[i].position = step + i;
    lac_decoder_fit_see(side.fit, N_TERMS);
    lac_decoder_fit_learn(side.fit, 1e-3);
  }
  after = emulated_get_counts();
  g_assert_cmpuint(after.allocations, ==, before.allocations);
  g_assert_cmpuint(after.captures, ==, before.captures);
  g_assert_cmpuint(after.graphs - before.graphs, ==, 2 * N_STEPS);
  g_assert_cmpuint(after.waits - before.waits, <=, N_STEPS);
  side_clear(&side);
  bed_close(&bed);
  lac_device_close(&opened);
}

enum { N_FAULTY_STEPS = 2 };

/* Computes the losses of some steps of an object with phase. Returns: number of graph nodes replayed. */
static guint64
see_with(Bed *bed, const EmulatedFaults *faults, double losses[N_FAULTY_STEPS][N_TERMS])
{
  const LacDecoderFitSettings settings = {
    .bound = LAC_BOUND_SIGMOID, .loss = LAC_LOSS_L1, .normalised = TRUE, .most_terms = N_TERMS};
  const EmulatedCounts before = emulated_get_counts();
  LacContext           context = bed->context;
  Side                 side;

  emulated_set_faults(faults);
  g_assert_true(emulated_open(&context.device));
  side = side_of(bed, &context, &settings);
  for (gsize step = 0; step < N_FAULTY_STEPS; step++) {
    for (gsize i = 0; i < N_TERMS; i++)
      side.fit->terms[i].position = step + i;
    lac_decoder_fit_see(side.fit, N_TERMS);
    for (gsize i = 0; i < N_TERMS; i++)
      losses[step][i] = side.fit->terms[i].loss;
    lac_decoder_fit_learn(side.fit, 1e-3);
  }
  side_clear(&side);
  lac_device_close(&context.device);
  emulated_set_faults(NULL);
  return emulated_get_counts().nodes - before.nodes;
}

/* Results are bitwise identical, whichever node the device fails to record. Tests every thirteenth; nodes of the
 * network's passes have their own test. */
static void
test_not_recorded(void)
{
  double         wanted[N_FAULTY_STEPS][N_TERMS], found[N_FAULTY_STEPS][N_TERMS];
  EmulatedFaults faults = {.node = 1};
  Bed            bed = BED_DEFAULTS;
  guint64        whole;

  if (!emulated_backend()) {
    g_test_skip("the emulated device was not built");
    return;
  }
  bed.is_complex = TRUE;
  bed_open(&bed);
  whole = see_with(&bed, NULL, wanted);
  for (guint64 part = 0; part != whole; faults.node += TEST_IS_SANITIZED ? 29 : 13) {
    part = see_with(&bed, &faults, found);
    g_assert_cmpmem(wanted, sizeof wanted, found, sizeof found);
  }
  g_assert_cmpuint(faults.node, >, 20);
  bed_close(&bed);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/decoder-fit-waves/losses-and-derivatives-are-the-opticss", test_plain);
  g_test_add_func("/imaging/decoder-fit-waves/squares-with-and-without-noise", test_squares);
  g_test_add_func("/imaging/decoder-fit-waves/objects-with-a-phase", test_complex);
  g_test_add_func("/imaging/decoder-fit-waves/apertures-along-lines", test_lines);
  g_test_add_func("/imaging/decoder-fit-waves/weighted-sums-of-distances", test_sum);
  g_test_add_func("/imaging/decoder-fit-waves/pixels-with-a-deviation-of-their-own", test_sigma);
  g_test_add_func("/imaging/decoder-fit-waves/structural-losses-agree-with-the-optics",
                  test_structure);
  g_test_add_func("/imaging/decoder-fit-waves/rehearsed-output-agrees-with-the-optics",
                  test_rehearsal);
  g_test_add_func("/imaging/decoder-fit-waves/steady-step-is-two-graphs", test_steady);
  g_test_add_func("/imaging/decoder/fit/device/what-cannot-be-recorded-is-called",
                  test_not_recorded);
  return g_test_run();
}
