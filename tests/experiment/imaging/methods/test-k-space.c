/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterations over exit waves and descents on the emulated device against the CPU. Sweeps in k-space, on the CPU and on the emulated device, against those that transform the object for every exposure,
 * which a mask of ones asks for; with priors on the emulated device against the CPU; in single precision; and their return
 * from a checkpoint. */
#include "emulated.h"

#include "backend/registry.h"
#include "experiment/imaging/helpers/retrieval-bed.h"
#include "experiment/imaging/methods/estimate.h"

#include <math.h>

/* A case: the bed, the method and its parameters. */
typedef struct {
  Bed         bed;
  const char *method, *params;
  gboolean    has_prior; /* the object is as the bed says it, within a disc */
  double      allowed;   /* in single precision; 0: 3e-4 */
} Case;

typedef struct {
  double complex  object[BED_PIXELS];
  LacMethodReport report;
} Found;

static gboolean
open_cpu(LacDevice *device)
{
  return lac_device_open(device, "cpu", NULL);
}

/* A way to compute: @open: NULL: without k-space */
typedef struct {
  gboolean (*open)(LacDevice *device);
  const char *precision;
} Way;

static double *
new_mask(gboolean is_disc)
{
  const double middle = BED_SIDE / 2.0;
  double      *mask = g_new(double, BED_PIXELS);

  for (gsize i = 0; i < BED_PIXELS; i++)
    mask[i] = !is_disc || hypot((double) (i / BED_SIDE) - middle,
                                (double) (i % BED_SIDE) - middle) < 0.9 * middle;
  return mask;
}

static gboolean
find(const Case *subject, const Way *way, Found *found)
{
  const LacImagingMethod *method = bed_find(subject->method);
  g_autofree double      *mask = new_mask(subject->has_prior);
  Bed                     bed = subject->bed;
  LacDevice               device = {NULL};
  gpointer                running;

  if (way->open && !way->open(&device))
    return FALSE;
  if (!subject->has_prior)
    bed.is_complex = bed.is_unbounded = bed.is_whole = TRUE;
  bed_open(&bed);
  bed.context.device = device;
  bed.context.precision = way->precision;
  bed.problem.mask = subject->has_prior || !way->open ? mask : NULL;
  running = bed_create(&bed, method, subject->params);
  bed_run(method, running, 4, &found->report);
  method->object(running, found->object);
  method->destroy(running);
  bed_close(&bed);
  lac_device_close(&device);
  return TRUE;
}

static void
assert_agree(const Found *a, const Found *b, double allowed)
{
  for (gsize i = 0; i < BED_PIXELS; i++)
    g_assert_cmpfloat(cabs(a->object[i] - b->object[i]), <, allowed);
  for (gsize c = 0; c < LAC_CURVE_FIRST_ABERRATION; c++)
    if (isfinite(b->report.curves[c]))
      g_assert_cmpfloat_with_epsilon(a->report.curves[c], b->report.curves[c],
                                     allowed * (1 + fabs(b->report.curves[c])));
}

static void
check(const Case *subject)
{
  const double single = subject->allowed > 0 ? subject->allowed : 3e-4;
  const struct {
    Way    way;
    double allowed;
  } ways[] = {
    {{open_cpu, "f64"}, 1e-9},
    {{emulated_open, "f64"}, 1e-9},
    {{emulated_open_strict, "f64"}, 1e-9},
    {{open_cpu, "f32"}, single},
    {{emulated_open, "f32"}, single},
  };
  Found wanted, found;

  g_assert_true(find(subject, &(Way){NULL, "f64"}, &wanted));
  for (gsize w = 0; w < G_N_ELEMENTS(ways); w++)
    if (find(subject, &ways[w].way, &found))
      assert_agree(&found, &wanted, ways[w].allowed);
}

static void
test_plain(void)
{
  check(&(Case){BED_DEFAULTS, "pie", "pie_order=fixed"});
  check(&(Case){BED_DEFAULTS, "rpie", "rpie_order=fixed"});
}

/* Real and complex objects with and without bounds, all smaller than the grid. Without noise rPIE amplifies the roundings of
 * dark pixels: in double precision 1e-16 to 1e-12. */
static void
test_priors(void)
{
  for (gsize kind = 0; kind < 4; kind++) {
    Case subject = {BED_DEFAULTS, kind < 2 ? "pie" : "rpie", "", TRUE, kind < 2 ? 0 : 3e-2};

    subject.bed.is_complex = kind & 1;
    subject.bed.is_unbounded = kind & 2;
    subject.bed.has_lines = kind == 1;
    check(&subject);
  }
}

static void
test_noise(void)
{
  Case subject = {BED_DEFAULTS, "pie", "hold_out=5"};

  subject.bed.noise.snr_db = 30;
  check(&subject);
  subject.bed.unit = LAC_DETECTOR_INTENSITY;
  subject.bed.has_sigma = TRUE;
  subject.method = "rpie";
  check(&subject);
}

static void
test_pupil(void)
{
  Case subject = {BED_DEFAULTS, "pie", "aberrations=3;calibrate_from=1"};

  subject.bed.aberrations[0] = 0.3;
  check(&subject);
  subject.method = "rpie";
  check(&subject);
}

/* The exposures overlap along the line; the pupil of rPIE would be updated in another order here. */
static void
test_lines(void)
{
  Case subject = {BED_DEFAULTS, "pie", ""};

  subject.bed.has_lines = TRUE;
  check(&subject);
  subject.method = "rpie";
  subject.params = "rpie_pupil_step=0";
  check(&subject);
}

/* Positions move between the sweeps. */
static void
test_positions(void)
{
  Case subject = {BED_DEFAULTS, "pie", "position_error=1;calibrate_from=2"};

  subject.bed.moved = 0.7;
  check(&subject);
}

/* Within the noise and exactly, with a pupil, along lines and with apertures that move. */
static void
test_waves(void)
{
  static const char *const methods[] = {"raar", "dm", "ml", "cg"};
  static const char *const more[] = {"hold_out=5", "dm_within_noise=no;hold_out=5",
                                     "ml_noise=poisson", "hold_out=5"};

  for (gsize m = 0; m < G_N_ELEMENTS(methods); m++) {
    Case plain = {BED_DEFAULTS, methods[m], "", TRUE}, noisy, moved, whole, known;

    noisy = moved = whole = known = plain;
    check(&plain);
    noisy.bed.noise.snr_db = 30;
    noisy.bed.has_lines = TRUE;
    noisy.bed.is_complex = TRUE;
    noisy.params = more[m];
    check(&noisy);
    moved.bed.moved = 0.7;
    moved.bed.aberrations[0] = 0.3;
    moved.params = "position_error=1;calibrate_from=2;aberrations=3";
    if (m < 2)
      check(&moved);
    whole.has_prior = FALSE;
    if (m < 2)
      check(&whole);
    known.bed.noise.snr_db = 30;
    known.bed.has_sigma = TRUE;
    known.bed.unit = m % 2 ? LAC_DETECTOR_AMPLITUDE : LAC_DETECTOR_INTENSITY;
    if (m >= 2)
      check(&known);
  }
}

static void
check_return(const char *name, const char *precision, gboolean has_prior)
{
  const LacImagingMethod *method = bed_find(name);
  g_autoptr(LacStore)     store = lac_store_new();
  g_autoptr(GError)       error = NULL;
  double complex          objects[2][BED_PIXELS];
  gpointer                running[2];
  Bed                     bed = BED_DEFAULTS;

  bed.is_complex = bed.is_unbounded = bed.is_whole = !has_prior;
  bed_open(&bed);
  bed.context.precision = precision;
  running[0] = bed_create(&bed, method, "");
  running[1] = bed_create(&bed, method, "");
  bed_run(method, running[0], 3, NULL);
  lac_visit_save(method->visit, running[0], store);
  g_assert_true(lac_visit_load(method->visit, running[1], store, &error));
  for (gsize i = 0; i < 2; i++) {
    bed_run(method, running[i], 2, NULL);
    method->object(running[i], objects[i]);
    method->destroy(running[i]);
  }
  g_assert_cmpmem(objects[0], sizeof objects[0], objects[1], sizeof objects[1]);
  bed_close(&bed);
}

/* Sweeps after a return are bitwise those of a run that was never interrupted. */
static void
test_return(void)
{
  for (gsize prior = 0; prior < 2; prior++) {
    check_return("pie", "f64", prior);
    check_return("pie", "f32", prior);
    check_return("rpie", "f64", prior);
    check_return("rpie", "f32", prior);
    check_return("raar", "f64", prior);
    check_return("raar", "f32", prior);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/k-space/plain", test_plain);
  g_test_add_func("/imaging/k-space/priors", test_priors);
  g_test_add_func("/imaging/k-space/noise", test_noise);
  g_test_add_func("/imaging/k-space/pupil", test_pupil);
  g_test_add_func("/imaging/k-space/lines", test_lines);
  g_test_add_func("/imaging/k-space/positions", test_positions);
  g_test_add_func("/imaging/k-space/waves", test_waves);
  g_test_add_func("/imaging/k-space/return", test_return);
  return g_test_run();
}
