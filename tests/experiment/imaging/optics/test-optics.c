/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measurement operator: definition, small detector against full grid, adjoints, memory. */
#include "base/error.h"
#include "experiment/imaging/helpers/seen.h"
#include "helpers/counting-malloc.h"

#include <math.h>
#include <string.h>

/* Different positions: whole, cut by the edge, at fractional pixels, a line. */
static const LacScanBox  scattered[] = {{0, 0, 0, 0},
                                        {12.25, -7.5, 12.25, -7.5},
                                        {-30, 29, -30, 29},
                                        {-10, -14, 5.5, -11}};
static const gsize       n_scattered = G_N_ELEMENTS(scattered);
static const LacAperture shapes[] = {
  {.shape = LAC_APERTURE_CIRCLE, .radius = 6.5},
  {.shape = LAC_APERTURE_HEXAGON, .radius = 6},
  {.shape = LAC_APERTURE_OBSCURED, .radius = 7, .inner = 2, .spider = 0.8},
};

/* Returns optics of [grid 64, object 24] with a small detector, or with the whole grid. */
static LacOptics *
new_scattered(gsize shape, gsize patch, LacDetectorUnit unit, LacPool *pool)
{
  const LacOpticsSettings settings = {.grid = 64,
                                      .support = 24,
                                      .aperture = shapes[shape],
                                      .unit = unit,
                                      .patch = patch,
                                      .n_positions = n_scattered,
                                      .scan = scattered};

  return new_optics(&settings, pool);
}

static void
test_twin(void)
{
  const gsize                d = 32;
  g_autofree double complex *object = random_numbers(24 * 24, 1);

  for (gsize shape = 0; shape < G_N_ELEMENTS(shapes); shape++) {
    g_autoptr(LacOptics) small = new_scattered(shape, d, 0, NULL),
                         whole = new_scattered(shape, 64, 0, NULL);
    g_autofree double complex *small_spectrum = spectrum_of(small, object),
                              *whole_spectrum = spectrum_of(whole, object);
    g_autofree double complex *u = new_numbers(d * d), *twin = new_numbers(64 * 64);

    for (gsize v = 0; v < n_scattered; v++)
      for (gsize i = 0; i < lac_optics_get_n_along(small); i++) {
        lac_optics_field(small, v, i, small_spectrum, u);
        lac_optics_field(whole, v, i, whole_spectrum, twin);
        g_assert_cmpfloat_with_epsilon(norm(u, d * d), norm(twin, 64 * 64),
                                       1e-12 * norm(twin, 64 * 64));
        for (gsize y = 0; y < d; y++)
          for (gsize x = 0; x < d; x++)
            g_assert_cmpfloat(cabs(u[y * d + x] * 0.5 - twin[2 * y * 64 + 2 * x]), <,
                              1e-13 * norm(twin, 64 * 64));
      }
  }
}

/* A scan position and its mate record the same for an object without phase, and differ for one with phase. */
static void
test_mates(void)
{
  g_autofree double complex *object = random_numbers(24 * 24, 1);

  for (gsize is_real = 0; is_real < 2; is_real++)
    for (gsize shape = 0; shape < G_N_ELEMENTS(shapes); shape++) {
      LacScanBox mates[] = {
        {3.25, -7.5, 3.25, -7.5}, {0, 0, 0, 0}, {-10, -14, 5.5, -11}, {0, 0, 0, 0}};
      const LacOpticsSettings    settings = {.grid = 64,
                                             .support = 24,
                                             .aperture = shapes[shape],
                                             .n_positions = G_N_ELEMENTS(mates),
                                             .scan = mates};
      g_autoptr(LacOptics)       optics = NULL;
      g_autofree double complex *spectrum = NULL;

      for (gsize i = 0; is_real && i < 24 * 24; i++)
        object[i] = creal(object[i]);
      mates[1] = lac_scan_mate(mates[0]);
      mates[3] = lac_scan_mate(mates[2]);
      optics = new_optics(&settings, NULL);
      spectrum = spectrum_of(optics, object);
      for (gsize v = 0; v < G_N_ELEMENTS(mates); v += 2) {
        const gsize        n = lac_optics_get_detector(optics) * lac_optics_get_detector(optics);
        const gsize        n_fields = n * lac_optics_get_n_along(optics);
        g_autofree double *one = g_new(double, n), *other = g_new(double, n);
        g_autofree double complex *fields = new_numbers(n_fields);
        double                     apart = 0, size = 0;

        lac_optics_measure(optics, v, spectrum, fields, one);
        lac_optics_measure(optics, v + 1, spectrum, fields, other);
        for (gsize i = 0; i < n; i++) {
          apart += (one[i] - other[i]) * (one[i] - other[i]);
          size += one[i] * one[i];
        }
        if (is_real)
          g_assert_cmpfloat(apart, <, 1e-24 * size);
        else
          g_assert_cmpfloat(apart, >, 1e-2 * size);
        g_assert_cmpfloat(lac_scan_distance(mates[v + 1], mates[v], TRUE), ==, 0);
        g_assert_cmpfloat(lac_scan_distance(mates[v + 1], mates[v], FALSE), >, 1);
      }
    }
}

/* Tests every transform variant: matrix products, pruned transforms, the whole grid. */
static void
check_spectrum_adjoint(const LacOpticsSettings *settings, LacPool *pool)
{
  g_autoptr(LacOptics)       optics = new_optics(settings, pool);
  const gsize                s = settings->support;
  const LacBand              band = lac_optics_get_band(optics);
  const gsize                n = band.height * band.width;
  g_autofree double complex *o = random_numbers(s * s, 2), *spectrum = random_numbers(n, 3);
  g_autofree double complex *forward = spectrum_of(optics, o), *back = new_numbers(s * s);
  const double               size = norm(o, s * s) * norm(spectrum, n);

  lac_optics_object(optics, spectrum, back);
  g_assert_cmpfloat(cabs(inner(forward, spectrum, n) - inner(o, back, s * s)), <, 1e-12 * size);
  for (gsize v = 0; v < settings->n_positions; v++) {
    g_autofree double complex *part = new_numbers(n);

    lac_optics_scan_spectrum(optics, v, o, part);
    for (gsize i = 0; i < n; i++)
      g_assert_true(part[i] == 0 || cabs(part[i] - forward[i]) < 1e-12 * norm(o, s * s));
  }
}

static void
test_spectrum_adjoint(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(3);

  for (gsize round = 0; round < 8; round++) {
    const LacOpticsSettings settings = {
      .grid = 64,
      .support = round & 1 ? 11 : 64,
      .aperture = shapes[0],
      .patch = round & 2 ? 64 : 0,
      .n_positions = n_scattered,
      .scan = scattered,
    };

    check_spectrum_adjoint(&settings, round & 4 ? pool : NULL);
  }
}

static void
test_spectrum_is_the_definition(void)
{
  const gsize                n = 64, s = 11, start = (n - s) / 2;
  g_autofree double complex *object = random_numbers(s * s, 4);

  for (gsize patch = 0; patch <= n; patch += n) {
    const LacOpticsSettings    settings = {.grid = n,
                                           .support = s,
                                           .aperture = shapes[0],
                                           .patch = patch,
                                           .n_positions = n_scattered,
                                           .scan = scattered};
    g_autoptr(LacOptics)       optics = new_optics(&settings, NULL);
    const LacBand              band = lac_optics_get_band(optics);
    g_autofree double complex *spectrum = spectrum_of(optics, object);

    for (gsize i = 0; i < band.height; i += 5)
      for (gsize j = 0; j < band.width; j += 7) {
        double complex sum = 0;

        for (gsize y = 0; y < s; y++)
          for (gsize x = 0; x < s; x++)
            sum += object[y * s + x] *
                   cexp(-2 * G_PI * CMPLX(0, 1) *
                        ((double) (band.y + (gint64) i) * ((double) (start + y) - (double) n / 2) +
                         (double) (band.x + (gint64) j) * ((double) (start + x) - (double) n / 2)) /
                        (double) n);
        g_assert_cmpfloat(cabs(spectrum[i * band.width + j] - sum / (double) n), <,
                          1e-13 * norm(object, s * s));
      }
  }
}

static void
set_some_pupil(LacOptics *optics)
{
  const gsize                box = lac_optics_get_box(optics);
  g_autofree double complex *pupil = random_numbers(box * box, 9);

  lac_optics_set_pupil(optics, pupil);
}

static void
test_field_adjoint(void)
{
  for (gsize shape = 0; shape < G_N_ELEMENTS(shapes); shape++)
    for (gsize patch = 0; patch <= 64; patch += 64) {
      g_autoptr(LacOptics)       optics = new_scattered(shape, patch, 0, NULL);
      const LacBand              band = lac_optics_get_band(optics);
      const gsize                n = band.height * band.width, d = lac_optics_get_detector(optics);
      g_autofree double complex *spectrum = random_numbers(n, 5), *field = random_numbers(d * d, 6);
      g_autofree double complex *u = new_numbers(d * d), *back = new_numbers(n);

      set_some_pupil(optics);
      for (gsize v = 0; v < n_scattered; v++) {
        double complex forwards;

        memset(back, 0, n * sizeof *back);
        lac_optics_field(optics, v, 0, spectrum, u);
        forwards = inner(u, field, d * d);
        lac_optics_field_adjoint(optics, v, 0, field, back);
        g_assert_cmpfloat(cabs(forwards - inner(spectrum, back, n)), <,
                          1e-12 * norm(spectrum, n) * (double) d);
        memcpy(field, u, d * d * sizeof *field);
      }
    }
}

static void
test_union(void)
{
  g_autoptr(GError)    error = NULL;
  g_autoptr(LacOptics) optics = new_scattered(0, 0, 0, NULL), twin = new_scattered(0, 64, 0, NULL);
  const LacBand        band = lac_optics_get_band(optics);
  const gsize          n = band.height * band.width;
  g_autofree guint8   *mask = g_new0(guint8, n);
  g_autofree double complex *object = random_numbers(24 * 24, 1),
                            *spectrum = spectrum_of(optics, object);
  g_autofree double complex *whole = spectrum_of(twin, object), *u = new_numbers(64 * 64),
                            *v = new_numbers(64 * 64);

  g_assert_true(lac_optics_prepare_union(optics, &error));
  g_assert_no_error(error);
  g_assert_cmpuint(lac_optics_mark(optics, 1, mask), ==,
                   lac_aperture_count(&shapes[0], scattered[1].y, scattered[1].x, 64));
  g_assert_cmpuint(lac_optics_mark(optics, 1, mask), ==, 0);
  lac_optics_union_field(optics, mask, spectrum, u);
  lac_optics_field(twin, 1, 0, whole, v);
  for (gsize i = 0; i < 64 * 64; i++)
    g_assert_cmpfloat(cabs(u[i] - v[i]), <, 1e-12);
}

static void
test_moves(void)
{
  LacOpticsSettings          settings = {.grid = 64,
                                         .support = 24,
                                         .aperture = shapes[0],
                                         .n_positions = n_scattered,
                                         .scan = scattered,
                                         .margin = 3};
  g_autoptr(LacOptics)       optics = new_optics(&settings, NULL);
  LacScanBox                 moved[G_N_ELEMENTS(scattered)];
  g_autofree double complex *object = random_numbers(24 * 24, 1);
  g_autofree double         *before = image_of(optics, 3, object);

  memcpy(moved, scattered, sizeof moved);
  moved[3] = (LacScanBox){-12.5, -13, 3, -10};
  settings.scan = moved;
  g_autoptr(LacOptics) fresh = new_optics(&settings, NULL);
  g_autofree double   *wanted = image_of(fresh, 3, object);

  g_assert_false(lac_optics_move(optics, 3, -200, 0));
  g_assert_false(lac_optics_move(optics, 3, (double) NAN, 0));
  g_assert_false(lac_optics_move(optics, 0, 0, 60));
  g_autofree double *still = image_of(optics, 3, object);
  g_assert_cmpmem(still, sizeof *still, before, sizeof *before);
  g_assert_true(lac_optics_move(optics, 3, -12.5, -13));
  g_autofree double *now = image_of(optics, 3, object);
  for (gsize i = 0; i < lac_optics_get_detector(optics) * lac_optics_get_detector(optics); i++)
    g_assert_cmpfloat_with_epsilon(now[i], wanted[i], 1e-12);
}

/* Large enough for the pool to be used. */
static void
test_threads(void)
{
  const LacOpticsSettings settings = {
    .grid = 512,
    .support = 200,
    .aperture.radius = 100,
    .n_positions = n_scattered,
    .scan = scattered,
  };
  g_autoptr(LacPool)   pool = lac_pool_new(4);
  g_autoptr(LacOptics) alone = new_optics(&settings, NULL), together = new_optics(&settings, pool);
  const LacBand        band = lac_optics_get_band(alone);
  g_autofree double complex *object = random_numbers(200 * 200, 1), *back = new_numbers(200 * 200),
                            *again = new_numbers(200 * 200);
  g_autofree double complex *one = spectrum_of(alone, object),
                            *other = spectrum_of(together, object);

  g_assert_cmpmem(one, band.height * band.width * sizeof *one, other,
                  band.height * band.width * sizeof *other);
  lac_optics_object(alone, one, back);
  lac_optics_object(together, one, again);
  g_assert_cmpmem(back, 200 * 200 * sizeof *back, again, 200 * 200 * sizeof *again);
}

/* A move that cuts an aperture at the edge of the grid changes which transform variant is cheaper. */
static void
test_move_to_the_edge(void)
{
  static const LacScanBox places[] = {{-31, 0, -31, 0}, {0, 0, 0, 0}};
  const LacOpticsSettings settings = {.grid = 64,
                                      .support = 16,
                                      .aperture.radius = 9,
                                      .n_positions = 1,
                                      .scan = &places[1],
                                      .margin = 40};
  const LacOpticsSettings all = {
    .grid = 64, .support = 16, .aperture.radius = 9, .n_positions = 2, .scan = places};
  g_autoptr(LacOptics)       moved = new_optics(&settings, NULL), still = new_optics(&all, NULL);
  const gsize                d = lac_optics_get_detector(moved);
  const LacBand              band = lac_optics_get_band(moved);
  g_autofree double complex *object = random_numbers(16 * 16, 1),
                            *spectrum = new_numbers(band.height * band.width),
                            *field = new_numbers(d * d);
  g_autofree double *wanted = image_of(still, 0, object), *image = g_new0(double, d *d);

  g_assert_true(lac_optics_move(moved, 0, -31, 0));
  lac_optics_scan_spectrum(moved, 0, object, spectrum);
  lac_optics_measure(moved, 0, spectrum, field, image);
  for (gsize i = 0; i < d * d; i++)
    g_assert_cmpfloat_with_epsilon(image[i], wanted[i], 1e-12);
}

/* Performs all operations of a step, with each transform variant. */
static void
use(LacOptics      *optics,
    double complex *object,
    double complex *spectrum,
    double complex *fields,
    double         *image)
{
  lac_optics_spectrum(optics, object, spectrum);
  for (gsize v = 0; v < n_scattered; v++) {
    lac_optics_scan_spectrum(optics, v, object, spectrum);
    lac_optics_measure(optics, v, spectrum, fields, image);
    lac_optics_field_adjoint(optics, v, 0, fields, spectrum);
    lac_optics_move(optics, v, scattered[v].y, scattered[v].x);
  }
  lac_optics_object(optics, spectrum, object);
}

static void
test_steady_memory(void)
{
  for (gsize round = 0; round < 4; round++) {
    const LacOpticsSettings settings = {
      .grid = 64,
      .support = round & 1 ? 8 : 64,
      .aperture = shapes[0],
      .patch = round & 2 ? 64 : 0,
      .n_positions = n_scattered,
      .scan = scattered,
    };
    g_autoptr(LacPool)         pool = lac_pool_new(2);
    g_autoptr(LacOptics)       optics = new_optics(&settings, pool);
    const gsize                d = lac_optics_get_detector(optics);
    g_autofree double complex *object = random_numbers(64 * 64, 1),
                              *spectrum = new_numbers(64 * 64);
    g_autofree double complex *fields = new_numbers(lac_optics_get_n_along(optics) * d * d);
    g_autofree double         *image = g_new0(double, d *d);
    guint                      before;

    use(optics, object, spectrum, fields, image);
    before = count_allocations();
    for (gsize i = 0; i < 100; i++)
      use(optics, object, spectrum, fields, image);
    g_assert_cmpuint(count_allocations() - before, ==, 0);
  }
}

static void
check_refusal(const LacOpticsSettings *settings, const char *words)
{
  g_autoptr(GError)    error = NULL;
  g_autoptr(LacOptics) optics = lac_optics_new(settings, NULL, &error);

  g_assert_null(optics);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  if (!strstr(error->message, words))
    g_error("\"%s\" does not say \"%s\"", error->message, words);
}

static void
test_refusals(void)
{
  const LacScanBox outside = {0, 45, 0, 45}, nowhere = {(double) NAN, 0, 0, 0},
                   half_way = {0, 0, 0, 80};
  const LacOpticsSettings good = {.grid = 64,
                                  .support = 24,
                                  .aperture = shapes[0],
                                  .n_positions = n_scattered,
                                  .scan = scattered};
  LacOpticsSettings       bad = good;

  bad.n_positions = 0;
  check_refusal(&bad, "there are no apertures");
  bad = good;
  bad.n_positions = 1;
  bad.scan = &outside;
  check_refusal(&bad, "(0, 45) is outside of the grid of 64 pixels");
  bad.scan = &nowhere;
  check_refusal(&bad, "outside of the grid");
  bad.scan = &half_way;
  check_refusal(&bad, "outside of the grid");
  bad = good;
  bad.grid = 63;
  check_refusal(&bad, "an even number");
  bad = good;
  bad.support = 65;
  check_refusal(&bad, "an object of 65 pixels");
  bad = good;
  bad.patch = 12;
  check_refusal(&bad, "a detector of 12 pixels for an aperture that passes 15");
  bad = good;
  bad.aperture.radius = 0;
  check_refusal(&bad, "a radius of 0 pixels");
  bad = good;
  bad.aperture = (LacAperture){.shape = LAC_APERTURE_OBSCURED, .radius = 5, .inner = 5};
  check_refusal(&bad, "an obstruction with a radius of 5 pixels");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/optics/a-small-detector-samples-the-full-grid", test_twin);
  g_test_add_func("/imaging/optics/mates-see-the-same-of-an-object-without-a-phase", test_mates);
  g_test_add_func("/imaging/optics/a-spectrum-is-what-its-definition-says",
                  test_spectrum_is_the_definition);
  g_test_add_func("/imaging/optics/the-object-of-a-spectrum-is-the-adjoint", test_spectrum_adjoint);
  g_test_add_func("/imaging/optics/the-way-back-from-a-field-is-the-adjoint", test_field_adjoint);
  g_test_add_func("/imaging/optics/a-union-of-apertures-is-coherent", test_union);
  g_test_add_func("/imaging/optics/a-moved-aperture-is-where-it-was-moved-to", test_moves);
  g_test_add_func("/imaging/optics/a-move-to-the-edge-is-no-different", test_move_to_the_edge);
  g_test_add_func("/imaging/optics/threads-change-no-bit", test_threads);
  if (COUNTS_MALLOC)
    g_test_add_func("/imaging/optics/nothing-is-allocated-once-it-runs", test_steady_memory);
  g_test_add_func("/imaging/optics/what-is-impossible-is-refused-in-a-sentence", test_refusals);
  return g_test_run();
}
