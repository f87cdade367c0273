/* SPDX-License-Identifier: GPL-3.0-or-later */
/* POD: orthonormal modes with a fixed sign, energy balance, reconstruction of the training data. */
#include "base/rng.h"
#include "sensor/pod.h"

#include <glib.h>

#include <math.h>

/* Makes snapshots of @rank random directions with amplitudes decreasing by @ratio. */
static double *
make_snapshots(gsize n_snapshots, gsize n, gsize rank, double ratio)
{
  LacRng             rng = lac_rng(5, rank);
  g_autofree double *directions = g_new(double, rank *n);
  double            *snapshots = g_new(double, n_snapshots *n);

  for (gsize i = 0; i < rank * n; i++)
    directions[i] = lac_rng_normal(&rng);
  for (gsize s = 0; s < n_snapshots; s++) {
    for (gsize j = 0; j < n; j++)
      snapshots[s * n + j] = sin(0.1 * (double) j);
    for (gsize r = 0; r < rank; r++) {
      const double amplitude = pow(ratio, (double) r) * lac_rng_normal(&rng);

      for (gsize j = 0; j < n; j++)
        snapshots[s * n + j] += amplitude * directions[r * n + j];
    }
  }
  return snapshots;
}

static double
inner(const double *a, const double *b, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static void
assert_orthonormal(const LacPod *pod)
{
  for (gsize i = 0; i < pod->n_modes; i++)
    for (gsize j = 0; j <= i; j++)
      g_assert_cmpfloat_with_epsilon(
        inner(pod->modes + i * pod->n, pod->modes + j * pod->n, pod->n), i == j ? 1 : 0, 1e-12);
}

static void
test_orthonormal(void)
{
  g_autofree double *snapshots = make_snapshots(30, 200, 30, 0.8);
  g_autoptr(LacPod)  pod = lac_pod_new(snapshots, 30, 200, 12);

  g_assert_cmpuint(pod->n_modes, ==, 12);
  assert_orthonormal(pod);
  for (gsize r = 1; r < pod->n_modes; r++)
    g_assert_cmpfloat(pod->deviations[r], <=, pod->deviations[r - 1]);
}

/* Amplitudes from 1 to 1e-7: close to the limit of a Gram matrix in double precision. */
static void
test_steep_spectrum(void)
{
  g_autofree double *snapshots = make_snapshots(30, 200, 30, 0.25);
  g_autoptr(LacPod)  pod = lac_pod_new(snapshots, 30, 200, 29);

  g_assert_cmpuint(pod->n_modes, >=, 8);
  g_assert_cmpuint(pod->n_modes, <, 29);
  assert_orthonormal(pod);
}

static void
test_sign(void)
{
  g_autofree double *snapshots = make_snapshots(20, 90, 20, 0.9);
  g_autofree double *mirrored = g_new(double, 20 * 90);
  g_autoptr(LacPod)  pod = lac_pod_new(snapshots, 20, 90, 8), other = NULL;

  for (gsize i = 0; i < 20 * 90; i++)
    mirrored[i] = -snapshots[i];
  other = lac_pod_new(mirrored, 20, 90, 8);
  for (gsize r = 0; r < 8; r++) {
    double largest = 0;

    for (gsize j = 0; j < 90; j++) {
      if (fabs(pod->modes[r * 90 + j]) > fabs(largest))
        largest = pod->modes[r * 90 + j];
      g_assert_cmpfloat_with_epsilon(pod->modes[r * 90 + j], other->modes[r * 90 + j], 1e-10);
    }
    g_assert_cmpfloat(largest, >, 0);
  }
}

/* With three directions there are three modes, which reproduce every snapshot. */
static void
test_span(void)
{
  g_autofree double *snapshots = make_snapshots(25, 150, 3, 0.5);
  g_autoptr(LacPod)  pod = lac_pod_new(snapshots, 25, 150, 20);

  g_assert_cmpuint(pod->n_modes, ==, 3);
  for (gsize s = 0; s < 25; s++) {
    double rest[150];

    for (gsize j = 0; j < 150; j++)
      rest[j] = snapshots[s * 150 + j] - pod->mean[j];
    for (gsize r = 0; r < 3; r++) {
      const double a = inner(rest, pod->modes + r * 150, 150);

      for (gsize j = 0; j < 150; j++)
        rest[j] -= a * pod->modes[r * 150 + j];
    }
    g_assert_cmpfloat(sqrt(inner(rest, rest, 150)), <, 1e-12 * pod->rms * 150);
  }
}

/* Mean and RMS by definition; the energy of the modes and of the truncation sum to the total; deviations are the RMS
 * of the coefficients. */
static void
test_energy(void)
{
  const gsize        n_snapshots = 40, n = 120;
  g_autofree double *snapshots = make_snapshots(n_snapshots, n, 40, 0.9);
  g_autoptr(LacPod)  pod = lac_pod_new(snapshots, n_snapshots, n, 10);
  double             total = 0, carried = 0, left = 0;

  for (gsize j = 0; j < n; j++) {
    double mean = 0, squares = 0;

    for (gsize s = 0; s < n_snapshots; s++)
      mean += snapshots[s * n + j] / (double) n_snapshots;
    for (gsize s = 0; s < n_snapshots; s++)
      squares += pow(snapshots[s * n + j] - mean, 2) / (double) n_snapshots;
    g_assert_cmpfloat_with_epsilon(pod->mean[j], mean, 1e-12);
    g_assert_cmpfloat(pow(pod->truncation[j], 2), <=, squares * (1 + 1e-12));
    total += squares;
    left += pow(pod->truncation[j], 2);
  }
  for (gsize r = 0; r < pod->n_modes; r++) {
    double squares = 0;

    for (gsize s = 0; s < n_snapshots; s++)
      squares += pow(inner(snapshots + s * n, pod->modes + r * n, n) -
                       inner(pod->mean, pod->modes + r * n, n),
                     2);
    g_assert_cmpfloat_with_epsilon(squares / (double) n_snapshots / pow(pod->deviations[r], 2), 1,
                                   1e-10);
    carried += pow(pod->deviations[r], 2);
  }
  g_assert_cmpfloat_with_epsilon(pow(pod->rms, 2) * (double) n / total, 1, 1e-12);
  g_assert_cmpfloat_with_epsilon((carried + left) / total, 1, 1e-12);
}

static void
test_still(void)
{
  double            snapshots[5 * 8];
  g_autoptr(LacPod) pod = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS(snapshots); i++)
    snapshots[i] = (double) (i % 8);
  pod = lac_pod_new(snapshots, 5, 8, 3);
  g_assert_nonnull(pod);
  g_assert_cmpuint(pod->n_modes, ==, 0);
  g_assert_cmpfloat(pod->rms, ==, 0);
}

static void
test_nan(void)
{
  g_autofree double *snapshots = make_snapshots(10, 20, 10, 0.9);
  g_autoptr(LacPod)  pod = NULL;

  snapshots[57] = NAN;
  pod = lac_pod_new(snapshots, 10, 20, 4);
  g_assert_null(pod);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/sensor/pod/modes-are-orthonormal-and-ordered", test_orthonormal);
  g_test_add_func("/sensor/pod/modes-stay-orthonormal-to-the-end-of-a-steep-spectrum",
                  test_steep_spectrum);
  g_test_add_func("/sensor/pod/the-largest-entry-of-a-mode-is-positive", test_sign);
  g_test_add_func("/sensor/pod/snapshots-in-the-span-are-given-back", test_span);
  g_test_add_func("/sensor/pod/energies-of-modes-and-truncation-add-up", test_energy);
  g_test_add_func("/sensor/pod/still-snapshots-have-no-modes", test_still);
  g_test_add_func("/sensor/pod/a-nan-is-refused", test_nan);
  return g_test_run();
}
