/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Budgets of fields whose mass, momentum, energy and enstrophy are known. */
#include "experiment/flow/laboratory/budgets.h"
#include "experiment/flow/scene.h"

#include <math.h>
#include <string.h>

#define N 32
#define H (2 * G_PI / N) /* distance of grid points */

typedef struct {
  LacCase   subject;
  LacTruth *grid;
  gpointer  params;
} Flow;

static void
open_flow(Flow *flow)
{
  static const char *const fields[] = {"u", "v"};
  gsize                    n;
  const LacScene *const   *scenes = lac_scenes(&n);
  *flow = (Flow){.grid = lac_truth_new(2, fields, N, N, 0, 1)};
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(scenes[i]->name, "kolmogorov")) {
      g_autoptr(LacDraft) draft = lac_draft_new(&scenes[i]->params);
      flow->params = g_memdup2(lac_draft_get_values(draft), scenes[i]->params.size);
      lac_case_configure(&flow->subject, scenes[i], flow->params);
    }
  g_assert_true(lac_budgets_is_flow(&flow->subject));
  for (gsize a = 0; a < 2; a++) {
    flow->grid->upper[a] = (N - 1) * H;
    flow->grid->periodic[a] = TRUE;
  }
}

static void
close_flow(Flow *flow)
{
  lac_case_clear(&flow->subject);
  lac_truth_free(flow->grid);
  g_free(flow->params);
}

/* The vortices u = a cos x sin y + drift, v = -a sin x cos y; with @squeeze the second is 0. */
static void
fill(double *field, double a, double drift, gboolean squeeze)
{
  for (gsize j = 0; j < N; j++)
    for (gsize i = 0; i < N; i++) {
      const double x = H * (double) i, y = H * (double) j;
      field[j * N + i] = drift + a * (squeeze ? sin(x) : cos(x) * sin(y));
      field[N * N + j * N + i] = squeeze ? 0 : -a * sin(x) * cos(y);
    }
}

static void
test_vortices(void)
{
  Flow   flow;
  double field[2 * N * N], other[2 * N * N];
  open_flow(&flow);
  fill(field, 1, 0, FALSE);
  const LacBudgets truth = lac_budgets_measure(&flow.subject, flow.grid, field);
  g_assert_cmpfloat_with_epsilon(truth.square, 0.5, 1e-12);
  g_assert_cmpfloat(truth.divergence[1], <, 1e-28); /* the differences of both terms cancel */
  /* each derivative is that of the field times sin(h) / h, and the vorticity -2 cos x cos y */
  g_assert_cmpfloat_with_epsilon(truth.enstrophy, pow(sin(H) / H, 2), 1e-12);
  fill(other, 2, 0.25, FALSE);
  const LacBudgets of = lac_budgets_measure(&flow.subject, flow.grid, other);
  const double     expected[] = {0, 0.25 / sqrt(0.5), (2 + 0.25 * 0.25) / 0.5, 4};
  for (guint b = 0; b < LAC_N_BUDGETS; b++)
    g_assert_cmpfloat_with_epsilon(lac_budgets_get(&flow.subject, b, &of, &truth), expected[b],
                                   1e-12);
  for (guint b = 0; b < LAC_N_BUDGETS; b++)
    g_assert_true(isfinite(lac_budgets_get(&flow.subject, b, &of, NULL)) ==
                  lac_budgets_have(&flow.subject, b, FALSE));
  close_flow(&flow);
}

static void
test_a_flow_that_is_squeezed_does_not_conserve_mass(void)
{
  Flow   flow;
  double field[2 * N * N];
  open_flow(&flow);
  fill(field, 1, 0, TRUE);
  const LacBudgets of = lac_budgets_measure(&flow.subject, flow.grid, field);
  g_assert_cmpfloat_with_epsilon(lac_budgets_get(&flow.subject, LAC_BUDGET_MASS, &of, NULL), 1,
                                 1e-12);
  g_assert_cmpfloat(of.enstrophy, <, 1e-28);
  close_flow(&flow);
}

/* On 8 points a wave along the diagonal has a divergence of its differences, not of its own. */
static void
test_a_coarse_grid_raises_no_divergence(void)
{
  Flow   flow;
  double field[2 * N * N];
  open_flow(&flow);
  for (gsize j = 0; j < N; j++)
    for (gsize i = 0; i < N; i++) { /* u = 2 cos(4 x + 2 y), v = -4 cos(4 x + 2 y) */
      const double wave = cos(H * (double) (4 * i + 2 * j));
      field[j * N + i] = 2 * wave;
      field[N * N + j * N + i] = -4 * wave;
    }
  const LacBudgets of = lac_budgets_measure(&flow.subject, flow.grid, field);
  g_assert_cmpfloat(sqrt(of.divergence[0] / of.gradient), >, 0.03);
  g_assert_cmpfloat(lac_budgets_get(&flow.subject, LAC_BUDGET_MASS, &of, NULL), ==, 0);
  close_flow(&flow);
}

/* Cells outside the domain, and differences across its border, do not count. */
static void
test_only_cells_inside_count(void)
{
  Flow   flow;
  double field[2 * N * N];
  open_flow(&flow);
  flow.grid->mask = g_malloc(N * N);
  memset(flow.grid->mask, 1, N * N);
  fill(field, 1, 0, FALSE);
  for (gsize j = 10; j < 14; j++)
    for (gsize i = 3; i < 9; i++) {
      flow.grid->mask[j * N + i] = 0;
      field[j * N + i] = field[N * N + j * N + i] = 1e6;
    }
  const LacBudgets of = lac_budgets_measure(&flow.subject, flow.grid, field);
  g_assert_cmpfloat(of.square, <, 1);
  g_assert_cmpfloat(of.divergence[1], <, 1e-28);
  flow.grid->periodic[0] = flow.grid->periodic[1] = FALSE;
  g_assert_cmpfloat(lac_budgets_measure(&flow.subject, flow.grid, field).divergence[1], <, 1e-28);
  field[0] = NAN;
  g_assert_true(isnan(lac_budgets_measure(&flow.subject, flow.grid, field).square));
  close_flow(&flow);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/budgets/vortices", test_vortices);
  g_test_add_func("/budgets/a-flow-that-is-squeezed-does-not-conserve-mass",
                  test_a_flow_that_is_squeezed_does_not_conserve_mass);
  g_test_add_func("/budgets/a-coarse-grid-raises-no-divergence",
                  test_a_coarse_grid_raises_no_divergence);
  g_test_add_func("/budgets/only-cells-inside-count", test_only_cells_inside_count);
  return g_test_run();
}
