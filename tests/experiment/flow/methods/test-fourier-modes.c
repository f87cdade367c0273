/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes of an initial state: orthonormal, with all energy of the snapshots below the cut of the 2/3 rule, and able to
 * hold states of the same spectrum that the snapshots do not span. */
#include "base/error.h"
#include "base/rng.h"
#include "experiment/flow/methods/fourier-modes.h"

#include <math.h>
#include <string.h>

#define NX          12
#define NY          18
#define N_CELLS     (NX * NY)
#define N_SNAPSHOTS 9

/* Adds random waves with indices up to 2 of the stream function: a velocity without divergence; field 2 is a scalar. */
static void
draw(LacRng *rng, const double *length, double *state)
{
  for (int kx = -2; kx <= 2; kx++)
    for (int ky = 1; ky <= 2; ky++) {
      const double a = lac_rng_normal(rng), b = lac_rng_normal(rng), c = lac_rng_normal(rng);

      for (gsize i = 0; i < N_CELLS; i++) {
        const double phase = 2 * G_PI * (kx * (double) (i % NX) / NX + ky * (double) (i / NX) / NY);

        state[i] += ky / length[1] * (a * cos(phase) + b * sin(phase));
        state[N_CELLS + i] -= kx / length[0] * (a * cos(phase) + b * sin(phase));
        state[2 * N_CELLS + i] += c * cos(phase);
      }
    }
}

static double *
new_snapshots(const double *length)
{
  LacRng  rng = lac_rng(7, 0);
  double *snapshots = g_new(double, N_SNAPSHOTS * 3 * N_CELLS);

  for (gsize s = 0; s < N_SNAPSHOTS; s++) {
    for (gsize i = 0; i < 3 * N_CELLS; i++)
      snapshots[s * 3 * N_CELLS + i] = (double) (i % 5);
    draw(&rng, length, snapshots + s * 3 * N_CELLS);
  }
  return snapshots;
}

static double
get_product(const double *a, const double *b, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static double
get_mean_square(const LacPod *pod, const double *snapshots)
{
  double sum = 0;

  for (gsize s = 0; s < N_SNAPSHOTS; s++)
    for (gsize i = 0; i < pod->n; i++)
      sum += pow(snapshots[s * pod->n + i] - pod->mean[i], 2) / N_SNAPSHOTS;
  return sum;
}

static void
test_orthonormal(void)
{
  g_autoptr(GError)     error = NULL;
  g_autofree double    *snapshots = new_snapshots((double[]){1, 2});
  const LacFourierModes settings = {
    .snapshots = snapshots,
    .n_snapshots = N_SNAPSHOTS,
    .stride = 3 * N_CELLS,
    .nx = NX,
    .ny = NY,
    .n_fields = 3,
    .length = {1, 2},
    .has_velocity = TRUE,
  };
  g_autoptr(LacPod) pod = lac_fourier_modes_new(&settings, &error);
  double            squares = 0;

  g_assert_no_error(error);
  for (gsize m = 0; m < pod->n_modes; m++) {
    squares += pod->deviations[m] * pod->deviations[m];
    g_assert_true(m == 0 || pod->deviations[m] <= pod->deviations[m - 1]);
    for (gsize other = 0; other <= m; other++)
      g_assert_cmpfloat_with_epsilon(
        get_product(pod->modes + m * pod->n, pod->modes + other * pod->n, pod->n), m == other,
        1e-12);
  }
  /* Parseval: the prior has the energy of the snapshots, of which all is below the cut */
  g_assert_cmpfloat_with_epsilon(squares / get_mean_square(pod, snapshots), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon(pod->rms * pod->rms * (double) pod->n / squares, 1, 1e-12);
}

/* Returns the share that the modes leave of a state drawn after the snapshots. */
static double
get_remainder(const LacPod *pod, const double *length)
{
  LacRng             rng = lac_rng(8, 0);
  g_autofree double *state = g_new0(double, pod->n);
  double             before;

  draw(&rng, length, state);
  before = get_product(state, state, pod->n);
  for (gsize m = 0; m < pod->n_modes; m++) {
    const double *mode = pod->modes + m * pod->n;
    const double  share = get_product(state, mode, pod->n);

    for (gsize i = 0; i < pod->n; i++)
      state[i] -= share * mode[i];
  }
  return sqrt(get_product(state, state, pod->n) / before);
}

static void
test_span(void)
{
  const double       length[] = {1, 2};
  g_autoptr(GError)  error = NULL;
  g_autofree double *snapshots = new_snapshots(length);
  LacFourierModes    settings = {
       .snapshots = snapshots,
       .n_snapshots = N_SNAPSHOTS,
       .stride = 3 * N_CELLS,
       .nx = NX,
       .ny = NY,
       .n_fields = 3,
       .length = {1, 2},
       .has_velocity = TRUE,
  };
  g_autoptr(LacPod) waves = lac_fourier_modes_new(&settings, &error);
  g_autoptr(LacPod) pod = lac_pod_new(snapshots, N_SNAPSHOTS, 3 * N_CELLS, N_SNAPSHOTS - 1);

  g_assert_no_error(error);
  g_assert_cmpfloat(get_remainder(waves, length), <, 1e-12);
  g_assert_cmpfloat(get_remainder(pod, length), >, 0.3);
  /* the velocity has no divergence, so it has half the waves that two independent fields have */
  settings.has_velocity = FALSE;
  g_autoptr(LacPod) fields = lac_fourier_modes_new(&settings, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(fields->n_modes, >, waves->n_modes);
  g_assert_cmpfloat(get_remainder(fields, length), <, 1e-12);
}

static void
test_line(void)
{
  g_autoptr(GError)  error = NULL;
  g_autofree double *snapshots = g_new0(double, 2 * NX);
  LacFourierModes    settings = {.snapshots = snapshots,
                                 .n_snapshots = 2,
                                 .stride = NX,
                                 .nx = NX,
                                 .ny = 1,
                                 .n_fields = 1,
                                 .length = {3, 1}};

  for (gsize i = 0; i < NX; i++)
    snapshots[i] = 1 + cos(2 * G_PI * (double) i / NX);
  settings.n_modes = 1;
  g_autoptr(LacPod) pod = lac_fourier_modes_new(&settings, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(pod->n_modes, ==, 1);
  /* half a cosine of norm sqrt(6) about the mean, whose phase is not known, beside a mean that differs by as much */
  g_assert_cmpfloat_with_epsilon(pod->deviations[0], 0.5 * sqrt(NX), 1e-12);
}

static void
test_refusal(void)
{
  g_autoptr(GError)     error = NULL;
  g_autofree double    *snapshots = g_new0(double, 2 * NX);
  const LacFourierModes settings = {.snapshots = snapshots,
                                    .n_snapshots = 2,
                                    .stride = NX,
                                    .nx = NX,
                                    .ny = 1,
                                    .n_fields = 1,
                                    .length = {3, 1}};

  g_assert_null(lac_fourier_modes_new(&settings, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/flow/fourier-modes/orthonormal", test_orthonormal);
  g_test_add_func("/flow/fourier-modes/span", test_span);
  g_test_add_func("/flow/fourier-modes/line", test_line);
  g_test_add_func("/flow/fourier-modes/refusal", test_refusal);
  return g_test_run();
}
