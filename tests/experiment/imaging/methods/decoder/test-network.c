/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder network: parameter count, gradient against finite differences, identical bits for any number of
 * threads, steps without allocation. */
#include "base/rng.h"
#include "experiment/imaging/methods/decoder/network.h"
#include "helpers/counting-malloc.h"

#include <math.h>
#include <string.h>

/* Parameter counts of the specification and of the original program. */
static void
test_parameters(void)
{
  static const struct {
    gsize grid, output, n_parameters;
  } rows[] = {
    {64, 32, 43799},       {128, 64, 175063},      {256, 64, 699511},      {256, 128, 699735},
    {256, 256, 699791},    {512, 128, 2797431},    {512, 512, 2797711},    {1024, 73, 11186679},
    {1024, 512, 11187799}, {1024, 1024, 11187855}, {2048, 1024, 44745303},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    const LacDecoderSettings settings = {.grid = rows[i].grid, .output = rows[i].output};
    g_assert_cmpuint(lac_decoder_count_parameters(&settings), ==, rows[i].n_parameters);
  }
}

static LacDecoder *
decoder_of(const LacDecoderSettings *settings, LacPool *pool)
{
  g_autoptr(GError) error = NULL;
  LacDecoder       *decoder = lac_decoder_new(settings, &(LacDecoderMeans){.pool = pool}, &error);

  g_assert_no_error(error);
  lac_decoder_init(decoder, 7);
  return decoder;
}

/* Sets scales and offsets to values other than 1 and 0, so that they have an effect. */
static void
roughen(LacDecoder *decoder)
{
  const gsize        n = lac_decoder_get_n_parameters(decoder);
  g_autofree double *theta = g_new(double, n);
  LacRng             rng = lac_rng(3, 1);

  lac_decoder_get_parameters(decoder, theta);
  for (gsize i = 0; i < n; i++)
    theta[i] = theta[i] * (1 + 0.2 * lac_rng_normal(&rng)) + 0.05 * lac_rng_normal(&rng);
  lac_decoder_set_parameters(decoder, theta);
}

static double *
new_weights(gsize n)
{
  LacRng  rng = lac_rng(5, 2);
  double *weights = g_new(double, n);

  for (gsize i = 0; i < n; i++)
    weights[i] = lac_rng_normal(&rng);
  return weights;
}

/* Reference implementation from the definition, element by element: an image is [channel][row][column]. */
typedef struct {
  gsize   n, side;
  double *values;
} Image;

static Image
image_of(gsize n, gsize side)
{
  return (Image){n, side, g_new0(double, n *side *side)};
}

static double *
pixel(const Image *image, gsize c, gsize i, gsize j)
{
  return &image->values[(c * image->side + i) * image->side + j];
}

static void
normalise(Image *image, const double **theta)
{
  const double n = (double) (image->side * image->side);

  for (gsize c = 0; c < image->n; c++) {
    double *x = pixel(image, c, 0, 0), mean = 0, variance = 0;
    for (gsize k = 0; k < image->side * image->side; k++)
      mean += x[k] / n;
    for (gsize k = 0; k < image->side * image->side; k++)
      variance += (x[k] - mean) * (x[k] - mean) / n;
    for (gsize k = 0; k < image->side * image->side; k++)
      x[k] = MAX(0, (*theta)[c] * (x[k] - mean) / sqrt(variance + 1e-5) + (*theta)[image->n + c]);
  }
  *theta += 2 * image->n;
}

/* Computes y[stride i - 1 + k] += w[k] x[i] and crops to the middle; a plain convolution has its taps reversed. */
static Image
convolve(Image x, gsize n_out, gboolean up, const double **theta)
{
  const gsize n_taps = up ? 4 : 3, stride = up ? 2 : 1;
  Image       y = image_of(n_out, stride * x.side);

  for (gsize ky = 0; ky < n_taps; ky++)
    for (gsize kx = 0; kx < n_taps; kx++)
      for (gsize a = 0; a < x.n; a++)
        for (gsize b = 0; b < n_out; b++)
          for (gsize i = 0; i < x.side; i++)
            for (gsize j = 0; j < x.side; j++) {
              const gsize row = stride * i + (up ? ky : 2 - ky),
                          column = stride * j + (up ? kx : 2 - kx);
              if (row > 0 && row <= y.side && column > 0 && column <= y.side)
                *pixel(&y, b, row - 1, column - 1) +=
                  (*theta)[((ky * n_taps + kx) * x.n + a) * n_out + b] * *pixel(&x, a, i, j);
            }
  *theta += n_taps * n_taps * x.n * n_out;
  g_free(x.values);
  return y;
}

static double *
picture_of_definition(const LacDecoderSettings *settings, gsize latent, const double *theta)
{
  const double *z = theta + latent * settings->grid / 2 * 16, *weights = theta;
  const gsize   m = settings->output;
  Image         x = image_of(settings->grid / 2, 4);
  double       *picture = g_new0(double, m *m);

  for (gsize i = 0; i < latent; i++)
    for (gsize k = 0; k < x.n * 16; k++)
      x.values[k] += z[i] * weights[i * x.n * 16 + k];
  theta = z + latent;
  while (x.n > 1) {
    normalise(&x, &theta);
    x = convolve(x, x.n / 2, x.side < m, &theta);
  }
  for (gsize i = 0; i < m; i++)
    for (gsize j = 0; j < m; j++) {
      const gsize frame = settings->framed ? 1 : 0, n = x.side - 2 * frame;
      const gsize cut = n > m ? (n - m) / 2 : 0, pad = n < m ? (m - n) / 2 : 0;
      if (i >= pad && i < pad + MIN(n, m) && j >= pad && j < pad + MIN(n, m))
        picture[i * m + j] =
          1 / (1 + exp(-*pixel(&x, 0, i - pad + cut + frame, j - pad + cut + frame) - *theta));
    }
  g_free(x.values);
  return picture;
}

/* Doubling and plain layers, both summation schemes for weight gradients, cropping and padding, larger and smaller
 * latent vectors. */
static const LacDecoderSettings shapes[] = {
  {.grid = 16, .output = 16, .bound = LAC_BOUND_SIGMOID, .type = LAC_F64},
  {.grid = 16, .output = 16, .framed = TRUE, .bound = LAC_BOUND_SIGMOID, .type = LAC_F64},
  {.grid = 64, .output = 16, .bound = LAC_BOUND_SIGMOID, .type = LAC_F64},
  {.grid = 64,
   .output = 11,
   .latent = 10,
   .framed = TRUE,
   .bound = LAC_BOUND_SIGMOID,
   .type = LAC_F64},
  {.grid = 128, .output = 8, .latent = 5, .bound = LAC_BOUND_SIGMOID, .type = LAC_F64},
  {.grid = 64, .output = 64, .latent = 3, .bound = LAC_BOUND_SIGMOID, .type = LAC_F64},
};

static void
test_definition(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);

  for (gsize s = 0; s < G_N_ELEMENTS(shapes); s++) {
    g_autoptr(LacDecoder) decoder = decoder_of(&shapes[s], pool);
    const gsize           n = lac_decoder_get_n_parameters(decoder), m = shapes[s].output;
    g_autofree double *theta = g_new(double, n), *picture = g_new(double, m *m), *expected = NULL;

    roughen(decoder);
    lac_decoder_get_parameters(decoder, theta);
    lac_decoder_forward(decoder, picture);
    expected = picture_of_definition(&shapes[s],
                                     shapes[s].latent ? shapes[s].latent : shapes[s].grid, theta);
    for (gsize i = 0; i < m * m; i++)
      g_assert_cmpfloat_with_epsilon(picture[i], expected[i], 1e-11);
  }
}

/* Returns weights . picture at theta + t direction. */
static double
loss_along(LacDecoder   *decoder,
           const double *theta,
           const double *direction,
           double        t,
           const double *weights,
           gsize         n_pixels)
{
  const gsize        n = lac_decoder_get_n_parameters(decoder);
  g_autofree double *moved = g_new(double, n), *picture = g_new(double, n_pixels);
  double             sum = 0;

  for (gsize i = 0; i < n; i++)
    moved[i] = theta[i] + t * direction[i];
  lac_decoder_set_parameters(decoder, moved);
  lac_decoder_forward(decoder, picture);
  for (gsize i = 0; i < n_pixels; i++)
    sum += weights[i] * picture[i];
  return sum;
}

/* Checks random directions in each range of the parameters, so that every layer is tested separately: with a step of
 * 1e-6 few values cross the kink at zero. */
static void
check_gradient(const LacDecoderSettings *settings, LacPool *pool)
{
  const gsize           n_pixels = settings->output * settings->output;
  g_autoptr(LacDecoder) decoder = decoder_of(settings, pool);
  const gsize           n = lac_decoder_get_n_parameters(decoder), n_stretches = 24;
  g_autofree double    *theta = g_new(double, n), *gradient = g_new(double, n),
                    *direction = g_new(double, n);
  g_autofree double *weights = new_weights(n_pixels), *picture = g_new(double, n_pixels);
  LacRng             rng = lac_rng(11, 3);
  const double       t = 1e-6;

  roughen(decoder);
  lac_decoder_get_parameters(decoder, theta);
  lac_decoder_forward(decoder, picture);
  lac_decoder_reverse(decoder, weights);
  lac_decoder_get_gradient(decoder, gradient);
  for (gsize s = 0; s < n_stretches; s++) {
    /* ranges from the end, increasingly long: the last layers have few parameters */
    const gsize reach = (gsize) pow((double) n, (double) (s + 1) / (double) n_stretches);
    const gsize length = MAX(reach / 2, 1), first = n - MIN(MAX(reach, length), n);
    double      slope = 0, size = 0, difference;

    memset(direction, 0, n * sizeof *direction);
    for (gsize i = first; i < first + length; i++) {
      direction[i] = lac_rng_normal(&rng);
      slope += direction[i] * gradient[i];
      size += fabs(direction[i] * gradient[i]);
    }
    difference = (loss_along(decoder, theta, direction, t, weights, n_pixels) -
                  loss_along(decoder, theta, direction, -t, weights, n_pixels)) /
                 (2 * t);
    g_assert_cmpfloat_with_epsilon(difference, slope, 1e-6 * size + 1e-8);
  }
}

static void
test_gradient(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);

  for (gsize s = 0; s < G_N_ELEMENTS(shapes); s++)
    check_gradient(&shapes[s], pool);
}

static void
test_bounds(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(1);

  for (int bound = LAC_BOUND_NONE; bound <= LAC_BOUND_LEAKY_RELU; bound++)
    check_gradient(
      &(LacDecoderSettings){.grid = 16, .output = 16, .bound = (LacBound) bound, .type = LAC_F64},
      pool);
}

/* The gradient in single precision equals that in double precision to rounding. */
static void
test_single_precision(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);
  LacDecoderSettings settings = {
    .grid = 64, .output = 64, .bound = LAC_BOUND_SIGMOID, .type = LAC_F64};
  g_autoptr(LacDecoder) wide = decoder_of(&settings, pool), narrow = NULL;
  const gsize           n = lac_decoder_get_n_parameters(wide), n_pixels = 64 * 64;
  g_autofree double    *theta = g_new(double, n), *g64 = g_new(double, n), *g32 = g_new(double, n);
  g_autofree double    *weights = new_weights(n_pixels), *picture = g_new(double, n_pixels);
  double                error = 0, size = 0;

  settings.type = LAC_F32;
  narrow = decoder_of(&settings, pool);
  lac_decoder_get_parameters(narrow, theta);
  lac_decoder_set_parameters(wide, theta);
  lac_decoder_forward(wide, picture);
  lac_decoder_reverse(wide, weights);
  lac_decoder_get_gradient(wide, g64);
  lac_decoder_forward(narrow, picture);
  lac_decoder_reverse(narrow, weights);
  lac_decoder_get_gradient(narrow, g32);
  for (gsize i = 0; i < n; i++) {
    error += (g32[i] - g64[i]) * (g32[i] - g64[i]);
    size += g64[i] * g64[i];
  }
  /* 1e-7 for each of seven layers, amplified by their normalisation */
  g_assert_cmpfloat(sqrt(error / size), <, 1e-5);
}

static void
train(LacDecoder *decoder, gsize n_pixels, gsize n_steps, double *picture, double *bar)
{
  for (gsize k = 0; k < n_steps; k++) {
    lac_decoder_forward(decoder, picture);
    for (gsize i = 0; i < n_pixels; i++)
      bar[i] = picture[i] - (double) (i % 7) / 7;
    lac_decoder_reverse(decoder, bar);
    lac_decoder_step(decoder, 1e-3);
  }
}

static void
test_threads(void)
{
  const LacDecoderSettings settings = {
    .grid = 128, .output = 128, .bound = LAC_BOUND_SIGMOID, .type = LAC_F32};
  const gsize        n_pixels = 128 * 128, n = lac_decoder_count_parameters(&settings);
  g_autofree double *first = g_new(double, n), *theta = g_new(double, n);
  g_autofree double *picture = g_new(double, n_pixels), *bar = g_new(double, n_pixels);

  for (guint n_threads = 1; n_threads <= 5; n_threads += 2) {
    g_autoptr(LacPool)    pool = lac_pool_new(n_threads);
    g_autoptr(LacDecoder) decoder = decoder_of(&settings, pool);

    train(decoder, n_pixels, 3, picture, bar);
    lac_decoder_get_parameters(decoder, n_threads == 1 ? first : theta);
    if (n_threads > 1)
      g_assert_cmpmem(first, n * sizeof *first, theta, n * sizeof *theta);
  }
}

/* The first step of Adam is rate g / (|g| + epsilon). */
static void
test_adam(void)
{
  g_autoptr(LacPool)    pool = lac_pool_new(2);
  g_autoptr(LacDecoder) decoder = decoder_of(&shapes[1], pool);
  const gsize           n = lac_decoder_get_n_parameters(decoder), n_pixels = 16 * 16;
  g_autofree double    *before = g_new(double, n), *after = g_new(double, n),
                    *gradient = g_new(double, n);
  g_autofree double *weights = new_weights(n_pixels), *picture = g_new(double, n_pixels);

  lac_decoder_get_parameters(decoder, before);
  lac_decoder_forward(decoder, picture);
  lac_decoder_reverse(decoder, weights);
  lac_decoder_get_gradient(decoder, gradient);
  lac_decoder_step(decoder, 1e-3);
  lac_decoder_get_parameters(decoder, after);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon(
      after[i], before[i] - 1e-3 * gradient[i] / (fabs(gradient[i]) + 1e-8), 1e-12);
}

static void
test_resume(void)
{
  const LacDecoderSettings settings = {
    .grid = 64, .output = 32, .bound = LAC_BOUND_SIGMOID, .type = LAC_F32};
  const gsize           n_pixels = 32 * 32;
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacPool)    pool = lac_pool_new(2);
  g_autoptr(LacDecoder) through = decoder_of(&settings, pool),
                        resumed = decoder_of(&settings, pool);
  g_autoptr(LacStore) store = lac_store_new();
  g_autofree double  *one = g_new(double, n_pixels), *other = g_new(double, n_pixels),
                    *bar = g_new(double, n_pixels);

  train(through, n_pixels, 4, one, bar);
  lac_decoder_visit(through, &(LacVisit){.to = store}, "decoder_");
  train(through, n_pixels, 4, one, bar);
  lac_decoder_visit(resumed, &(LacVisit){.from = store, .error = &error}, "decoder_");
  g_assert_no_error(error);
  g_assert_no_error(error);
  train(resumed, n_pixels, 4, other, bar);
  g_assert_cmpmem(one, n_pixels * sizeof *one, other, n_pixels * sizeof *other);
}

static void
test_allocations(void)
{
  const LacDecoderSettings settings = {
    .grid = 64, .output = 64, .bound = LAC_BOUND_SIGMOID, .type = LAC_F32};
  g_autoptr(LacPool)    pool = lac_pool_new(2);
  g_autoptr(LacDecoder) decoder = decoder_of(&settings, pool);
  g_autofree double    *picture = g_new(double, 64 * 64), *bar = g_new(double, 64 * 64);
  guint                 before;

  if (!COUNTS_MALLOC) {
    g_test_skip("allocations are not counted here");
    return;
  }
  train(decoder, 64 * 64, 1, picture, bar);
  before = count_allocations();
  train(decoder, 64 * 64, 3, picture, bar);
  g_assert_cmpuint(count_allocations(), ==, before);
}

static void
test_memory(void)
{
  const LacDecoderSettings settings = {.grid = 1024, .output = 512, .type = LAC_F32};
  const LacDecoderSettings refused = {.grid = 64, .output = 65};
  g_autoptr(GError)        error = NULL;

  g_assert_cmpuint(lac_decoder_count_bytes(&settings), <, 300u * 1000 * 1000);
  g_assert_false(lac_decoder_check(&refused, &error));
  g_assert_nonnull(strstr(error->message, "65"));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/decoder-network/parameters-are-counted-as-published", test_parameters);
  g_test_add_func("/imaging/decoder-network/picture-is-that-of-the-definition", test_definition);
  g_test_add_func("/imaging/decoder-network/gradient-agrees-with-finite-differences",
                  test_gradient);
  g_test_add_func("/imaging/decoder-network/every-bound-has-its-slope", test_bounds);
  g_test_add_func("/imaging/decoder-network/single-precision-agrees-with-double",
                  test_single_precision);
  g_test_add_func("/imaging/decoder-network/any-number-of-threads-gives-the-same-bits",
                  test_threads);
  g_test_add_func("/imaging/decoder-network/first-step-is-adams", test_adam);
  g_test_add_func("/imaging/decoder-network/resumed-goes-on-to-the-bit", test_resume);
  g_test_add_func("/imaging/decoder-network/steps-allocate-nothing", test_allocations);
  g_test_add_func("/imaging/decoder-network/arena-is-within-300-megabytes", test_memory);
  return g_test_run();
}
