/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test bed for phase retrieval, built on the program's own optics; the true optics differ by the faults added here. */
#include "retrieval-bed.h"

#include "base/rng.h"
#include "experiment/imaging/optics/zernike.h"

#include <math.h>
#include <string.h>

const char *const bed_methods[] = {"pie", "rpie", "raar", "dm", "ml", "cg", "decoder"};
const gsize       bed_n_methods = G_N_ELEMENTS(bed_methods);

static double
draw(gsize y, gsize x)
{
  const double slope = 0.35 + 0.3 * sin(0.31 * (double) y) * cos(0.23 * (double) x);

  if (y >= 6 && y < 12 && x >= 5 && x < 20)
    return 1;
  if (y >= 18 && y < 28 && x >= 17 && x < 22)
    return 0;
  return slope;
}

static void
make_truth(Bed *bed)
{
  for (gsize i = 0; i < BED_PIXELS; i++) {
    const gsize y = i / BED_SIDE, x = i % BED_SIDE;

    bed->truth[i] = draw(y, x);
    if (bed->is_complex)
      bed->truth[i] *= cexp(I * 0.7 * sin(0.2 * (double) y + 0.13 * (double) x));
  }
}

static void
place(Bed *bed)
{
  LacRng rng = lac_rng(bed->seed, 1);

  for (gsize k = 0; k < BED_SCAN; k++) {
    const double spread = bed->is_whole ? BED_SIDE / 2.0 - BED_RADIUS - 1 : BED_SPREAD;
    const double r = spread * sqrt((double) k / BED_SCAN);
    const double angle = (double) k * G_PI * (3 - sqrt(5));
    const double y = r * sin(angle), x = r * cos(angle), end = bed->has_lines ? 6 : 0;
    const double turn = 2 * G_PI * lac_rng_uniform(&rng);
    const double off = bed->moved * sqrt(lac_rng_uniform(&rng));
    const double dy = off * sin(turn), dx = off * cos(turn);

    bed->scan[k] = (LacScanBox){y, x, y + end, x - end};
    bed->true_scan[k] = (LacScanBox){y + dy, x + dx, y + end + dy, x - end + dx};
  }
}

static void
blur(Bed *bed)
{
  const gsize                box = lac_optics_get_box(bed->optics), n = box * box;
  g_autofree double         *terms = g_new(double, 3 * n);
  g_autofree double complex *pupil = g_new(double complex, n);

  lac_zernike_sample(LAC_ZERNIKE_DEFOCUS, 3, box, BED_RADIUS, terms);
  lac_zernike_pupil(bed->aberrations, 3, terms, n, pupil);
  lac_optics_set_pupil(bed->optics, pupil);
}

/* Adds a standard deviation that varies from pixel to pixel. */
static void
add_sigma(Bed *bed)
{
  const gsize n = BED_SCAN * bed->exposures->d * bed->exposures->d;

  bed->exposures->sigma = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    bed->exposures->sigma[i] = 0.01 + 0.002 * (double) (i % 11);
}

void
bed_open(Bed *bed)
{
  const LacOpticsSettings settings = {
    .grid = bed->is_whole ? BED_SIDE : BED_GRID,
    .support = BED_SIDE,
    .aperture = {.shape = LAC_APERTURE_CIRCLE, .radius = BED_RADIUS},
    .unit = bed->unit,
    .n_positions = BED_SCAN,
    .scan = bed->true_scan,
  };
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacDraft) draft = lac_draft_new(&lac_imaging_method_common);

  make_truth(bed);
  place(bed);
  bed->pool = lac_pool_new(bed->n_threads);
  bed->context = (LacContext){.pool = bed->pool, .precision = "f64", .seed = bed->seed};
  bed->optics = lac_optics_new(&settings, bed->pool, &error);
  g_assert_no_error(error);
  blur(bed);
  bed->exposures = lac_exposures_simulate(bed->optics, bed->truth, &bed->noise, bed->pool);
  memcpy(bed->exposures->scan, bed->scan, sizeof bed->scan);
  if (bed->has_sigma)
    add_sigma(bed);
  memcpy(&bed->common, lac_draft_get_values(draft), sizeof bed->common);
  bed->problem = (LacImagingProblem){
    .context = &bed->context,
    .exposures = bed->exposures,
    .common = &bed->common,
    .is_real = !bed->is_complex,
    .bounded = !bed->is_unbounded,
    .high = 1,
  };
}

void
bed_close(Bed *bed)
{
  lac_exposures_free(bed->exposures);
  lac_optics_free(bed->optics);
  lac_pool_free(bed->pool);
}

const LacImagingMethod *
bed_find(const char *name)
{
  gsize                          n;
  const LacImagingMethod *const *methods = lac_imaging_methods(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(methods[i]->name, name))
      return methods[i];
  g_assert_not_reached();
}

gpointer
bed_create(Bed *bed, const LacImagingMethod *method, const char *params)
{
  g_auto(GStrv)       words = g_strsplit(params, ";", -1);
  g_autoptr(LacDraft) own = lac_draft_new(&method->params),
                      common = lac_draft_new(&lac_imaging_method_common);
  g_autoptr(GError) error = NULL;
  gpointer          running;

  for (guint i = 0; words[i] && *words[i]; i++) {
    g_auto(GStrv) pair = g_strsplit(words[i], "=", 2);

    lac_draft_set(lac_param_find(&method->params, pair[0]) ? own : common, pair[0], pair[1],
                  &error);
    g_assert_no_error(error);
  }
  memcpy(&bed->common, lac_draft_get_values(common), sizeof bed->common);
  running = method->create(lac_draft_get_values(own), &bed->problem, &error);
  g_assert_no_error(error);
  return running;
}

gsize
bed_run(const LacImagingMethod *method, gpointer running, gsize n, LacMethodReport *last)
{
  g_autoptr(GError) error = NULL;
  LacMethodReport   report = {0};

  for (gsize i = 0; i < n; i++) {
    report = (LacMethodReport){.outcome = LAC_OUTCOME_CONTINUE};
    g_assert_true(method->step(running, &report, &error));
    g_assert_no_error(error);
    g_assert_cmpint(report.outcome, !=, LAC_OUTCOME_DIVERGED);
    if (last)
      *last = report;
    if (report.outcome == LAC_OUTCOME_FINISHED)
      return i + 1;
  }
  return n;
}

double
bed_psnr(const Bed *bed, const double complex *object)
{
  double sum = 0;

  for (gsize i = 0; i < BED_PIXELS; i++) {
    const double off = cabs(object[i] - bed->truth[i]);

    sum += off * off;
  }
  return -10 * log10(sum / BED_PIXELS);
}

double
bed_psnr_of(const Bed *bed, const LacImagingMethod *method, gpointer running)
{
  double complex object[BED_PIXELS];

  method->object(running, object);
  return bed_psnr(bed, object);
}

double
bed_psnr_of_band(const Bed *bed)
{
  const LacBand              band = lac_optics_get_band(bed->optics);
  const gsize                n = band.height * band.width;
  g_autofree double complex *spectrum = g_new0(double complex, n);
  g_autofree guint8         *mask = g_new0(guint8, n);
  double complex             object[BED_PIXELS];

  lac_optics_spectrum(bed->optics, bed->truth, spectrum);
  for (gsize v = 0; v < BED_SCAN; v++)
    lac_optics_mark(bed->optics, v, mask);
  for (gsize i = 0; i < n; i++)
    if (!mask[i])
      spectrum[i] = 0;
  lac_optics_object(bed->optics, spectrum, object);
  return bed_psnr(bed, object);
}
