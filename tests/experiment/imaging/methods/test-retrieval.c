/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of every method: the truth is a fixed point, the saved state is complete, threads do not change the
 * result, a step does not allocate, invalid pixels are not used. */
#include "experiment/imaging/helpers/retrieval-bed.h"
#include "helpers/counting-malloc.h"

#include <math.h>
#include <string.h>

/* All calibrations at once, with a random order of exposures. */
static const char everything[] = "aberrations=3;position_error=1;calibrate_from=1;stop_at_noise=no";

/* Sets the state to the truth, with the exit waves that it produces. */
static void
put_truth(Bed *bed, const LacImagingMethod *method, gpointer running)
{
  const LacBand              band = lac_optics_get_band(bed->optics);
  const gsize                d = lac_optics_get_detector(bed->optics);
  g_autofree double complex *spectrum = g_new0(double complex, band.height *band.width);
  g_autoptr(LacStore)        store = lac_store_new();
  g_autoptr(GError)          error = NULL;

  lac_optics_spectrum(bed->optics, bed->truth, spectrum);
  lac_visit_save(method->visit, running, store);
  for (gsize i = 0; i < lac_store_get_n_entries(store); i++) {
    const LacEntry *entry = lac_store_get_entry(store, i);

    if (g_str_equal(entry->name, "object"))
      memcpy(entry->data, bed->truth, sizeof bed->truth);
    if (g_str_equal(entry->name, "theta"))
      for (gsize j = 0; j < BED_PIXELS; j++)
        ((double *) entry->data)[j] = asin(2 * creal(bed->truth[j]) - 1);
    if (g_str_equal(entry->name, "waves"))
      for (gsize v = 0; v < BED_SCAN; v++)
        lac_optics_field(bed->optics, v, 0, spectrum, (double complex *) entry->data + v * d * d);
  }
  g_assert_true(lac_visit_load(method->visit, running, store, &error));
  g_assert_no_error(error);
}

static void
test_fixed_point(void)
{
  Bed bed = BED_DEFAULTS;

  bed_open(&bed);
  for (gsize m = 0; m < bed_n_methods; m++) {
    const LacImagingMethod *method = bed_find(bed_methods[m]);
    gpointer                running =
      bed_create(&bed, method, g_str_equal(method->name, "ml") ? "ml_variation=0" : "");
    LacMethodReport report;

    if (g_str_equal(method->name,
                    "decoder")) { /* parameters that produce a given picture are not known */
      method->destroy(running);
      continue;
    }
    g_assert_cmpfloat(bed_psnr_of(&bed, method, running), <, 20);
    put_truth(&bed, method, running);
    bed_run(method, running, 3, &report);
    /* rounding of sums over a thousand values, and of asin where the object is at a bound */
    g_assert_cmpfloat(bed_psnr_of(&bed, method, running), >, 150);
    g_assert_cmpfloat(report.curves[0], <, 1e-8);
    method->destroy(running);
  }
  bed_close(&bed);
}

static void
assert_same(const LacImagingMethod *method, gpointer one, gpointer other)
{
  double complex      objects[2][BED_PIXELS];
  g_autoptr(LacStore) left = lac_store_new(), right = lac_store_new();

  method->object(one, objects[0]);
  method->object(other, objects[1]);
  g_assert_cmpmem(objects[0], sizeof objects[0], objects[1], sizeof objects[1]);
  lac_visit_save(method->visit, one, left);
  lac_visit_save(method->visit, other, right);
  for (gsize i = 0; i < lac_store_get_n_entries(left); i++) {
    const LacEntry *a = lac_store_get_entry(left, i), *b = lac_store_get_entry(right, i);

    g_assert_cmpstr(a->name, ==, b->name);
    g_assert_cmpmem(a->data, a->n_rows * a->n_columns * a->element_size, b->data,
                    b->n_rows * b->n_columns * b->element_size);
  }
}

static void
test_resume(void)
{
  Bed bed = BED_DEFAULTS;

  bed.noise.snr_db = 35;
  bed.moved = 0.5;
  bed_open(&bed);
  for (gsize m = 0; m < bed_n_methods; m++) {
    const LacImagingMethod *method = bed_find(bed_methods[m]);
    gpointer                straight = bed_create(&bed, method, everything);
    gpointer                first = bed_create(&bed, method, everything);
    gpointer                second = bed_create(&bed, method, everything);
    g_autoptr(LacStore)     store = lac_store_new();
    g_autoptr(GError)       error = NULL;
    double                  image[64 * 64];

    bed_run(method, straight, 7, NULL);
    bed_run(method, first, 4, NULL);
    method->predict(first, 3, image); /* predicting must not change the state */
    lac_visit_save(method->visit, first, store);
    g_assert_true(lac_visit_load(method->visit, second, store, &error));
    g_assert_no_error(error);
    bed_run(method, second, 3, NULL);
    assert_same(method, straight, second);
    bed_run(method, first, 3, NULL);
    assert_same(method, straight, first);
    method->destroy(straight);
    method->destroy(first);
    method->destroy(second);
  }
  bed_close(&bed);
}

static void
test_damaged(void)
{
  Bed bed = BED_DEFAULTS;

  bed_open(&bed);
  for (gsize m = 0; m < bed_n_methods; m++) {
    const LacImagingMethod *method = bed_find(bed_methods[m]);
    gpointer                running = bed_create(&bed, method, "");
    g_autoptr(LacStore)     whole = lac_store_new();

    lac_visit_save(method->visit, running, whole);
    for (gsize left_out = 0; left_out < lac_store_get_n_entries(whole); left_out++) {
      g_autoptr(LacStore) store = lac_store_new();
      g_autoptr(GError)   error = NULL;

      for (gsize i = 0; i < lac_store_get_n_entries(whole); i++) {
        const LacEntry *entry = lac_store_get_entry(whole, i);

        if (i != left_out)
          memcpy(
            lac_store_put(store, entry->name, entry->n_rows, entry->n_columns, entry->element_size),
            entry->data, entry->n_rows * entry->n_columns * entry->element_size);
      }
      g_assert_false(lac_visit_load(method->visit, running, store, &error));
      g_assert_nonnull(error);
    }
    method->destroy(running);
  }
  bed_close(&bed);
}

static void
test_threads(void)
{
  for (gsize m = 0; m < bed_n_methods; m++) {
    const LacImagingMethod *method = bed_find(bed_methods[m]);
    Bed                     beds[3];
    gpointer                methods[3];

    for (guint t = 0; t < 3; t++) {
      beds[t] = BED_DEFAULTS;
      beds[t].n_threads = t + 1;
      beds[t].noise.snr_db = 35;
      bed_open(&beds[t]);
      methods[t] = bed_create(&beds[t], method, everything);
      bed_run(method, methods[t], 4, NULL);
    }
    assert_same(method, methods[0], methods[1]);
    assert_same(method, methods[0], methods[2]);
    for (guint t = 0; t < 3; t++) {
      method->destroy(methods[t]);
      bed_close(&beds[t]);
    }
  }
}

static void
test_no_allocation(void)
{
  Bed bed = BED_DEFAULTS;

  if (!COUNTS_MALLOC) {
    g_test_skip("the sanitizer brings its own malloc");
    return;
  }
  bed.n_threads = 2;
  bed_open(&bed);
  for (gsize m = 0; m < bed_n_methods; m++) {
    const LacImagingMethod *method = bed_find(bed_methods[m]);
    gpointer                running = bed_create(&bed, method, everything);
    guint                   before;

    bed_run(method, running, 2, NULL);
    before = count_allocations();
    bed_run(method, running, 3, NULL);
    g_assert_cmpuint(count_allocations() - before, ==, 0);
    method->destroy(running);
  }
  bed_close(&bed);
}

static void
test_bad_pixels(void)
{
  for (gsize m = 0; m < bed_n_methods; m++) {
    const LacImagingMethod *method = bed_find(bed_methods[m]);
    Bed                     beds[2];
    gpointer                methods[2];

    for (guint b = 0; b < 2; b++) {
      beds[b] = BED_DEFAULTS;
      beds[b].noise.bad_fraction = 0.1;
      bed_open(&beds[b]);
      for (gsize i = 0; b == 1 && i < BED_SCAN * beds[b].exposures->d * beds[b].exposures->d; i++)
        if (!beds[b].exposures->valid[i])
          beds[b].exposures->images[i] = 1000;
      methods[b] = bed_create(&beds[b], method, "");
      bed_run(method, methods[b], 5, NULL);
    }
    assert_same(method, methods[0], methods[1]);
    for (guint b = 0; b < 2; b++) {
      method->destroy(methods[b]);
      bed_close(&beds[b]);
    }
  }
}

/* An intensity is the square of an amplitude; results differ by the rounding of a square root. */
static void
test_units(void)
{
  for (gsize m = 0; m < bed_n_methods; m++) {
    const LacImagingMethod *method = bed_find(bed_methods[m]);
    double complex          objects[2][BED_PIXELS];
    double                  images[2][64 * 64];

    for (guint u = 0; u < 2; u++) {
      Bed      bed = BED_DEFAULTS;
      gpointer running;

      bed.unit = u ? LAC_DETECTOR_INTENSITY : LAC_DETECTOR_AMPLITUDE;
      bed_open(&bed);
      running = bed_create(&bed, method, "");
      bed_run(method, running, 3, NULL);
      method->object(running, objects[u]);
      method->predict(running, 2, images[u]);
      method->destroy(running);
      bed_close(&bed);
    }
    for (gsize i = 0; i < BED_PIXELS; i++)
      g_assert_cmpfloat(cabs(objects[0][i] - objects[1][i]), <, 1e-9);
    for (gsize i = 0; i < 30 * 30; i++)
      g_assert_cmpfloat_with_epsilon(images[0][i] * images[0][i], images[1][i], 1e-9);
  }
}

static void
test_bounds_and_mask(void)
{
  g_autofree double *mask = g_new0(double, BED_PIXELS);
  Bed                bed = BED_DEFAULTS;

  for (gsize i = 0; i < BED_PIXELS; i++)
    mask[i] = i % BED_SIDE < BED_SIDE / 2;
  bed_open(&bed);
  bed.problem.mask = mask;
  for (gsize m = 0; m < bed_n_methods; m++) {
    const LacImagingMethod *method = bed_find(bed_methods[m]);
    gpointer                running = bed_create(&bed, method, "");
    double complex          object[BED_PIXELS];

    bed_run(method, running, 4, NULL);
    method->object(running, object);
    for (gsize i = 0; i < BED_PIXELS; i++) {
      g_assert_cmpfloat(cimag(object[i]), ==, 0);
      g_assert_cmpfloat(creal(object[i]), >=, 0);
      g_assert_cmpfloat(creal(object[i]), <=, mask[i]);
    }
    method->destroy(running);
  }
  bed_close(&bed);
}

/* Changes the object by rounding errors. */
static void
shake(const LacImagingMethod *method, gpointer running)
{
  g_autoptr(LacStore) store = lac_store_new();

  lac_visit_save(method->visit, running, store);
  for (gsize i = 0; i < lac_store_get_n_entries(store); i++) {
    const LacEntry *entry = lac_store_get_entry(store, i);

    for (gsize j = 0; g_str_equal(entry->name, "object") && j < BED_PIXELS; j++)
      ((double complex *) entry->data)[j] *= 1 + 1e-15 * sin((double) (j * j));
  }
  g_assert_true(lac_visit_load(method->visit, running, store, NULL));
}

/* The sweeps of an object that nothing constrains stay on its spectrum; a mask of ones leads them over the object. In a
 * random order the first exposures are predicted dark, up to rounding: their phases mean nothing. */
static void
test_unconstrained(void)
{
  g_autofree double *mask = g_new(double, BED_PIXELS);
  const char *const names[] = {"pie", "rpie"}, *const orders[] = {"pie_order=random",
                                                                  "rpie_order=random"};

  for (gsize i = 0; i < BED_PIXELS; i++)
    mask[i] = 1;
  for (gsize m = 0; m < G_N_ELEMENTS(names); m++)
    for (guint64 seed = 1; seed <= 8; seed++) {
      const LacImagingMethod *method = bed_find(names[m]);
      double complex          objects[2][BED_PIXELS];

      for (guint way = 0; way < 2; way++) {
        Bed      bed = BED_DEFAULTS;
        gpointer running;

        bed.is_complex = bed.is_unbounded = bed.is_whole = TRUE;
        bed.seed = seed;
        bed_open(&bed);
        bed.problem.mask = way ? mask : NULL;
        running = bed_create(&bed, method, orders[m]);
        if (way)
          shake(method, running);
        bed_run(method, running, 3, NULL);
        method->object(running, objects[way]);
        method->destroy(running);
        bed_close(&bed);
      }
      for (gsize i = 0; i < BED_PIXELS; i++)
        g_assert_cmpfloat(cabs(objects[0][i] - objects[1][i]), <, 1e-8);
    }
}

static double
find_residual(const Bed *bed, const LacImagingMethod *method, gpointer running)
{
  const gsize n = bed->exposures->d * bed->exposures->d;
  double      image[64 * 64], apart = 0, all = 0;

  for (gsize v = 0; v < BED_SCAN; v++) {
    const double *measured = lac_exposures_image(bed->exposures, v);
    const guint8 *valid = lac_exposures_valid(bed->exposures, v);

    method->predict(running, v, image);
    for (gsize i = 0; i < n; i++)
      if (valid[i]) {
        apart += pow(image[i] - measured[i], 2);
        all += pow(measured[i], 2);
      }
  }
  return sqrt(apart / all);
}

/* The residual of the last comparison is that of the predicted images, pixels held out included, also after a return. */
static void
test_residual(void)
{
  for (gsize m = 0; m < bed_n_methods; m++)
    for (guint u = 0; u < 2; u++) {
      const LacImagingMethod *method = bed_find(bed_methods[m]);
      Bed                     bed = BED_DEFAULTS;
      gpointer                running, other;
      g_autoptr(LacStore)     store = lac_store_new();

      if (!method->residual)
        continue;
      bed.unit = u ? LAC_DETECTOR_INTENSITY : LAC_DETECTOR_AMPLITUDE;
      bed.noise.snr_db = 25;
      bed.noise.bad_fraction = 0.05;
      bed_open(&bed);
      running = bed_create(&bed, method, "hold_out=5");
      other = bed_create(&bed, method, "hold_out=5");
      bed_run(method, running, 4, NULL);
      const double residual = method->residual(running);
      g_assert_cmpfloat(residual, >, 0.01);
      g_assert_cmpfloat_with_epsilon(residual, find_residual(&bed, method, running), 1e-12);
      lac_visit_save(method->visit, running, store);
      g_assert_true(lac_visit_load(method->visit, other, store, NULL));
      g_assert_cmpfloat(method->residual(other), ==, residual);
      method->destroy(running);
      method->destroy(other);
      bed_close(&bed);
    }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/retrieval/the-truth-is-where-every-method-rests", test_fixed_point);
  g_test_add_func("/imaging/retrieval/what-is-saved-goes-on-to-the-bit", test_resume);
  g_test_add_func("/imaging/retrieval/a-state-with-a-part-missing-is-refused", test_damaged);
  g_test_add_func("/imaging/retrieval/the-same-bits-for-any-number-of-threads", test_threads);
  g_test_add_func("/imaging/retrieval/a-step-allocates-nothing", test_no_allocation);
  g_test_add_func("/imaging/retrieval/bad-pixels-are-not-looked-at", test_bad_pixels);
  g_test_add_func("/imaging/retrieval/amplitudes-and-intensities-say-the-same", test_units);
  g_test_add_func("/imaging/retrieval/what-is-known-beforehand-is-kept-to", test_bounds_and_mask);
  g_test_add_func("/imaging/retrieval/sweeps-on-the-spectrum-are-those-on-the-object",
                  test_unconstrained);
  g_test_add_func("/imaging/retrieval/the-residual-is-that-of-the-predicted-images", test_residual);
  return g_test_run();
}
