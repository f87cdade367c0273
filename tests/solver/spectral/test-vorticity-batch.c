/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members, threads and backends: bitwise equal results for every variant. */
#include "solver/helpers/flow.h"

#include <glib.h>

#include <math.h>

#define SIDE   24
#define LENGTH (2 * SIDE * SIDE)

/* Advances five members from one initial condition together. */
static double *
run(const char *backend, guint n_threads, LacType type, const double *start, gsize n_members)
{
  const FlowSettings settings = {backend, n_threads, type, SIDE, n_members, 3, 0.02, 0.01, 0.02};
  double            *velocity = g_new(double, n_members *LENGTH);
  Flow               flow;

  flow_init(&flow, &settings);
  flow_set(&flow, start);
  flow_advance(&flow, 20);
  flow_get(&flow, velocity);
  flow_clear(&flow);
  return velocity;
}

static double *
make_start(gsize n_members)
{
  const FlowSettings settings = {"cpu", 1, LAC_F64, SIDE, n_members, 3, 0.02, 0.01, 0.02};
  double            *velocity = g_new(double, n_members *LENGTH);
  Flow               flow;

  flow_init(&flow, &settings);
  flow_randomise(&flow, 12, 2);
  flow_get(&flow, velocity);
  flow_clear(&flow);
  return velocity;
}

static void
assert_same(const double *a, const double *b, gsize n)
{
  g_assert_cmpmem(a, n * sizeof *a, b, n * sizeof *b);
}

static void
test_batch(void)
{
  g_autofree double *start = make_start(5);

  for (gsize c = 0; c < 2; c++) {
    const LacType      type = c ? LAC_F32 : LAC_F64;
    g_autofree double *together = run("cpu", 2, type, start, 5);

    for (gsize member = 0; member < 5; member++) {
      g_autofree double *alone = run("cpu", 1, type, start + member * LENGTH, 1);

      assert_same(together + member * LENGTH, alone, LENGTH);
    }
  }
}

static void
test_threads(void)
{
  g_autofree double *start = make_start(5);
  g_autofree double *one = run("cpu", 1, LAC_F64, start, 5);

  for (guint n_threads = 2; n_threads <= 3; n_threads++) {
    g_autofree double *several = run("cpu", n_threads, LAC_F64, start, 5);

    assert_same(one, several, 5 * LENGTH);
  }
}

static void
test_strict(void)
{
  g_autofree double *start = make_start(2);

  for (gsize c = 0; c < 2; c++) {
    g_autofree double *fast = run("cpu", 2, c ? LAC_F32 : LAC_F64, start, 2);
    g_autofree double *strict = run("strict", 1, c ? LAC_F32 : LAC_F64, start, 2);

    assert_same(fast, strict, 2 * LENGTH);
  }
}

/* A diverging member does not affect the others. */
static void
test_apart(void)
{
  g_autofree double *start = make_start(3), *whole = run("cpu", 1, LAC_F64, start, 3),
                    *broken = NULL;

  start[LENGTH + 5] = NAN;
  broken = run("cpu", 1, LAC_F64, start, 3);
  assert_same(whole, broken, LENGTH);
  assert_same(whole + (gsize) 2 * LENGTH, broken + (gsize) 2 * LENGTH, LENGTH);
  g_assert_true(isnan(broken[LENGTH]));
}

/* Members with viscosities of their own, of which a part goes on alone. */
static double *
run_apart(const char *backend, LacType type, const double *start, gsize n_together)
{
  const double       viscosities[5] = {0.02, 0.03, 0.04, 0.05, 0.06};
  const FlowSettings settings = {backend, 2, type, SIDE, 5, 3, 0.02, 0.01, 0.02, n_together, TRUE};
  double            *velocity = g_new(double, 5 * (gsize) LENGTH);
  g_autoptr(GError)  error = NULL;
  Flow               flow;

  flow_init(&flow, &settings);
  flow_set(&flow, start);
  flow_advance(&flow, 4);
  lac_vorticity_set_viscosities(flow.solver, viscosities, 1, &error);
  g_assert_no_error(error);
  flow_advance(&flow, 8);
  lac_vorticity_set_n_members(flow.solver, 3, &error);
  g_assert_no_error(error);
  flow_advance(&flow, 4);
  lac_vorticity_set_n_members(flow.solver, 5, &error);
  g_assert_no_error(error);
  flow_get(&flow, velocity);
  flow_clear(&flow);
  return velocity;
}

static void
test_groups(void)
{
  g_autofree double *start = make_start(5);

  for (gsize c = 0; c < 2; c++) {
    const LacType      type = c ? LAC_F32 : LAC_F64;
    g_autofree double *alone = run_apart("cpu", type, start, 1);

    for (gsize n_together = 2; n_together <= 5; n_together++) {
      g_autofree double *together = run_apart("cpu", type, start, n_together);
      g_autofree double *strict = run_apart("strict", type, start, n_together);

      assert_same(alone, together, 5 * (gsize) LENGTH);
      assert_same(alone, strict, 5 * (gsize) LENGTH);
    }
  }
}

/* There all members are one recorded step, which is recorded anew for other numbers of them. */
static void
test_device(void)
{
  g_autofree double *start = make_start(5), *alone = run_apart("cpu", LAC_F64, start, 1);

  for (gsize n_together = 0; n_together <= 2; n_together++) {
    g_autofree double *device = run_apart("cuda-emulated", LAC_F64, start, n_together);

    for (gsize i = 0; i < 5 * (gsize) LENGTH; i++)
      g_assert_cmpfloat_with_epsilon(device[i], alone[i], 1e-12);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/solver/vorticity/members-together-are-members-alone", test_batch);
  g_test_add_func("/solver/vorticity/threads-do-not-change-a-bit", test_threads);
  g_test_add_func("/solver/vorticity/the-strict-backend-agrees-in-every-bit", test_strict);
  g_test_add_func("/solver/vorticity/groups-of-members-are-members-alone", test_groups);
  g_test_add_func("/solver/vorticity/a-device-records-the-step-of-all-members", test_device);
  g_test_add_func("/solver/vorticity/a-broken-member-leaves-the-others-alone", test_apart);
  return g_test_run();
}
