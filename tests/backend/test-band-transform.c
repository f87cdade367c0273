/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms between an object and boxes of k-space against their defining sums, in both variants, with and without a pool;
 * and the heap during many of them. */
#include "backend/band-transform.h"
#include "helpers/counting-malloc.h"

#include <math.h>

typedef struct {
  gsize   grid, support;
  LacBand band, box;
} Case;

/* The first box is computed by matrices, the second by pruned transforms; the third reaches the edges of the grid. */
static const Case cases[] = {
  {64, 22, {-20, -9, 40, 30}, {-3, 2, 5, 3}},
  {32, 32, {-16, -16, 32, 32}, {-5, -16, 17, 21}},
  {24, 10, {-12, -12, 24, 24}, {-12, -12, 24, 24}},
};

/* Reproducible values in [-1, 1]. */
static double complex *
some_numbers(gsize n)
{
  double complex *x = g_new(double complex, n);

  for (gsize i = 0; i < n; i++)
    x[i] = CMPLX(sin(1.7 * (double) (i * i % 1009)), cos(2.3 * (double) (i * 7 % 911)));
  return x;
}

/* Returns exp(-2 pi i k x / N) / N for a pixel of the box and one of the object. */
static double complex
get_phase(const Case *c, gsize in_box, gsize in_object)
{
  const gint64 y = (gint64) (in_object / c->support) - (gint64) (c->support / 2);
  const gint64 x = (gint64) (in_object % c->support) - (gint64) (c->support / 2);
  const gint64 ky = c->box.y + (gint64) (in_box / c->box.width);
  const gint64 kx = c->box.x + (gint64) (in_box % c->box.width);

  return cexp(-2 * G_PI * I * (double) (ky * y + kx * x) / (double) c->grid) / (double) c->grid;
}

static LacBandTransform *
transform_of(const Case *c, LacPool *pool)
{
  const LacBandTransformSettings settings = {
    .grid = c->grid,
    .support = c->support,
    .band = c->band,
    .box = MIN(c->box.height, c->box.width),
    .n_part = c->box.height * c->box.width,
    .pool = pool,
  };

  return lac_band_transform_new(&settings);
}

static void
check_case(const Case *c, LacPool *pool)
{
  const gsize                 n = c->support * c->support, n_box = c->box.height * c->box.width;
  const gsize                 stride = c->box.width + 3;
  g_autoptr(LacBandTransform) transform = transform_of(c, pool);
  g_autofree double complex  *object = some_numbers(n), *back = some_numbers(n);
  g_autofree double complex  *alone = some_numbers(n);
  g_autofree double complex  *numbers = g_new0(double complex, c->box.height *stride);
  const LacBandPart           part = {c->box, numbers, stride};

  lac_band_transform_forward(transform, object, &part);
  for (gsize k = 0; k < n_box; k++) {
    double complex sum = 0;

    for (gsize i = 0; i < n; i++)
      sum += get_phase(c, k, i) * object[i];
    g_assert_cmpfloat(cabs(numbers[k / c->box.width * stride + k % c->box.width] - sum), <, 1e-12);
  }
  lac_band_transform_add_inverse(transform, &part, 0.7, back);
  for (gsize i = 0; i < n; i++) {
    double complex sum = object[i];

    for (gsize k = 0; k < n_box; k++)
      sum += 0.7 * conj(get_phase(c, k, i)) * numbers[k / c->box.width * stride + k % c->box.width];
    g_assert_cmpfloat(cabs(back[i] - sum), <, 1e-12);
    back[i] = (sum - object[i]) / 0.7;
    alone[i] = NAN; /* not read */
  }
  lac_band_transform_inverse(transform, &part, alone);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat(cabs(back[i] - alone[i]), <, 1e-12);
}

static void
test_definition(void)
{
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
    check_case(&cases[i], NULL);
}

/* Large enough for a pool. */
static void
test_threads(void)
{
  const Case                 c = {512, 384, {-256, -256, 512, 512}, {-200, -180, 300, 290}};
  const gsize                n = c.support * c.support, n_box = c.box.height * c.box.width;
  g_autoptr(LacPool)         pool = lac_pool_new(3);
  g_autofree double complex *object = some_numbers(n);
  double complex            *backs[2], *numbers[2];

  for (guint i = 0; i < 2; i++) {
    g_autoptr(LacBandTransform) transform = transform_of(&c, i ? pool : NULL);
    LacBandPart                 part;

    numbers[i] = g_new0(double complex, n_box);
    backs[i] = g_new0(double complex, n);
    part = (LacBandPart){c.box, numbers[i], c.box.width};
    lac_band_transform_forward(transform, object, &part);
    lac_band_transform_inverse(transform, &part, backs[i]);
  }
  g_assert_cmpmem(numbers[0], n_box * sizeof *object, numbers[1], n_box * sizeof *object);
  g_assert_cmpmem(backs[0], n * sizeof *object, backs[1], n * sizeof *object);
  for (guint i = 0; i < 2; i++) {
    g_free(backs[i]);
    g_free(numbers[i]);
  }
}

static void
test_heap(void)
{
  const Case                 *c = &cases[1];
  g_autoptr(LacBandTransform) transform = transform_of(c, NULL);
  g_autofree double complex  *object = some_numbers(c->support * c->support);
  const LacBandPart           part = {c->box, lac_band_transform_get_part(transform), c->box.width};
  guint                       before;

  lac_band_transform_forward(transform, object, &part);
  before = count_allocations();
  for (guint i = 0; i < 100; i++) {
    lac_band_transform_forward(transform, object, &part);
    lac_band_transform_inverse(transform, &part, object);
  }
  g_assert_cmpuint(count_allocations(), ==, before);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/backend/band-transform/definition", test_definition);
  g_test_add_func("/backend/band-transform/threads", test_threads);
  if (COUNTS_MALLOC)
    g_test_add_func("/backend/band-transform/heap", test_heap);
  return g_test_run();
}
