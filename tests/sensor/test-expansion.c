/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of modes by their definition, and the projection as their transpose and inverse, on devices with and without
 * memory of their own. */
#include "base/rng.h"
#include "sensor/expansion.h"

#include <math.h>

#define N           1500
#define N_SNAPSHOTS 12
#define N_MODES     7

static LacPod *
make_pod(LacRng *rng)
{
  g_autofree double *snapshots = g_new(double, N_SNAPSHOTS *N);

  for (gsize i = 0; i < N_SNAPSHOTS * N; i++)
    snapshots[i] = lac_rng_normal(rng);
  return lac_pod_new(snapshots, N_SNAPSHOTS, N, N_MODES);
}

static void
test_definition(gconstpointer data)
{
  LacRng                  rng = lac_rng(5, 0);
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacPod)       pod = make_pod(&rng);
  g_autoptr(LacExpansion) expansion = NULL;
  g_autofree double      *field = g_new(double, N), *wanted = g_new(double, N);
  double                  given[N_MODES], found[N_MODES];
  LacDevice               device;

  lac_device_open(&device, data, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(pod->n_modes, ==, N_MODES);
  expansion = lac_expansion_new(pod, &device, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < N_MODES; i++)
    given[i] = lac_rng_normal(&rng);
  for (gsize j = 0; j < N; j++) {
    field[j] = wanted[j] = 0;
    for (gsize i = 0; i < N_MODES; i++)
      wanted[j] += given[i] * pod->modes[i * N + j];
  }
  g_assert_true(lac_expansion_add(expansion, given, field, &error));
  for (gsize j = 0; j < N; j++)
    g_assert_cmpfloat_with_epsilon(field[j], wanted[j], 1e-14);
  g_assert_true(
    lac_expansion_project(expansion, field, found, &error)); /* the modes are orthonormal */
  for (gsize i = 0; i < N_MODES; i++)
    g_assert_cmpfloat_with_epsilon(found[i], given[i], 1e-12);
  for (gsize i = 0; i < N_MODES; i++)
    given[i] = -given[i];
  g_assert_true(lac_expansion_add(expansion, given, field, &error)); /* to what is there */
  for (gsize j = 0; j < N; j++)
    g_assert_cmpfloat_with_epsilon(field[j], 0, 1e-14);
  g_clear_pointer(&expansion, lac_expansion_free);
  lac_device_close(&device);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/expansion/cpu/sums-and-projects", "cpu", test_definition);
  g_test_add_data_func("/expansion/strict/sums-and-projects", "strict", test_definition);
  return g_test_run();
}
