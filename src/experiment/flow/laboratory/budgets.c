/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/flow/laboratory/budgets.h"

#include <math.h>

gboolean
lac_budgets_is_flow(const LacCase *subject)
{
  const LacPde *pde = subject->pde;
  return !subject->irrotational && subject->n_fields >= 2 && g_str_equal(pde->fields[0], "u") &&
         g_str_equal(pde->fields[1], "v") && !lac_case_is_line(subject);
}

gboolean
lac_budgets_have(const LacCase *subject, LacBudget budget, gboolean has_truth)
{
  switch (budget) {
  case LAC_BUDGET_MASS: return has_truth || lac_budgets_is_flow(subject);
  case LAC_BUDGET_ENERGY: return has_truth;
  case LAC_BUDGET_MOMENTUM:
  case LAC_BUDGET_ENSTROPHY: return has_truth && lac_budgets_is_flow(subject);
  case LAC_N_BUDGETS: break;
  }
  g_return_val_if_reached(FALSE);
}

/* Grid indices along an axis at -2, -1, 1 and 2 from a cell. */
typedef struct {
  gsize at[4];
} Neighbours;

/* Returns: FALSE too near an end without periodicity, or to a cell outside the domain. */
static gboolean
find_neighbours(const LacTruth *grid, guint axis, gsize cell, Neighbours *along)
{
  const gsize n = axis == 0 ? grid->nx : grid->ny, stride = axis == 0 ? 1 : grid->nx;
  const gsize i = axis == 0 ? cell % grid->nx : cell / grid->nx;
  for (gsize k = 0; k < 4; k++) {
    const gssize apart = (gssize) (k < 2 ? k : k + 1) - 2;
    const gssize to = (gssize) i + apart;
    if (!grid->periodic[axis] && (to < 0 || to >= (gssize) n))
      return FALSE;
    along->at[k] = cell + ((gsize) (to + (gssize) n) % n) * stride - i * stride;
    if (grid->mask != NULL && !grid->mask[along->at[k]])
      return FALSE;
  }
  return TRUE;
}

/* Derivatives of second and of fourth order. @distance: of grid points */
static void
differentiate(const double *f, const Neighbours *along, double distance, double d[2])
{
  const double near = f[along->at[2]] - f[along->at[1]], far = f[along->at[3]] - f[along->at[0]];
  d[0] = near / (2 * distance);
  d[1] = (8 * near - far) / (12 * distance);
}

static void
add_gradients(const LacTruth *grid, const double *u, const double *v, LacBudgets *sums, gsize *n)
{
  const double dx = (grid->upper[0] - grid->lower[0]) / (double) (grid->nx - 1);
  const double dy = (grid->upper[1] - grid->lower[1]) / (double) (grid->ny - 1);
  Neighbours   along[2];
  for (gsize c = 0; c < grid->nx * grid->ny; c++) {
    double u_x[2], u_y[2], v_x[2], v_y[2];
    if ((grid->mask != NULL && !grid->mask[c]) || !find_neighbours(grid, 0, c, &along[0]) ||
        !find_neighbours(grid, 1, c, &along[1]))
      continue;
    differentiate(u, &along[0], dx, u_x);
    differentiate(u, &along[1], dy, u_y);
    differentiate(v, &along[0], dx, v_x);
    differentiate(v, &along[1], dy, v_y);
    for (guint order = 0; order < 2; order++)
      sums->divergence[order] += pow(u_x[order] + v_y[order], 2);
    sums->gradient += u_x[0] * u_x[0] + u_y[0] * u_y[0] + v_x[0] * v_x[0] + v_y[0] * v_y[0];
    sums->enstrophy += pow(v_x[0] - u_y[0], 2);
    ++*n;
  }
}

LacBudgets
lac_budgets_measure(const LacCase *subject, const LacTruth *grid, const double *field)
{
  g_return_val_if_fail(subject != NULL && grid != NULL && field != NULL, (LacBudgets){{0}});
  const gsize    cells = grid->nx * grid->ny;
  const gboolean is_flow = lac_budgets_is_flow(subject) && grid->n_fields >= 2;
  LacBudgets     sums = {{0}};
  gsize          n = 0, n_inner = 0;
  for (gsize c = 0; c < cells; c++) {
    if (grid->mask != NULL && !grid->mask[c])
      continue;
    n++;
    for (gsize f = 0; f < (is_flow ? 2 : 1); f++) {
      sums.mean[f] += field[f * cells + c];
      sums.square += field[f * cells + c] * field[f * cells + c];
    }
  }
  if (is_flow)
    add_gradients(grid, field, field + cells, &sums, &n_inner);
  sums.mean[0] /= (double) n;
  sums.mean[1] /= (double) n;
  sums.square /= (double) n;
  sums.divergence[0] /= (double) n_inner;
  sums.divergence[1] /= (double) n_inner;
  sums.gradient /= (double) n_inner;
  sums.enstrophy /= (double) n_inner;
  return sums;
}

double
lac_budgets_get_divergence(const double divergence[2], double gradient)
{
  const double second = sqrt(divergence[0] / gradient), fourth = sqrt(divergence[1] / gradient);
  return fmax(fourth - fabs(fourth - second), 0);
}

double
lac_budgets_get(const LacCase    *subject,
                LacBudget         budget,
                const LacBudgets *of,
                const LacBudgets *truth)
{
  const gboolean is_flow = lac_budgets_is_flow(subject);
  if (budget == LAC_BUDGET_MASS && is_flow)
    return lac_budgets_get_divergence(of->divergence, of->gradient);
  if (truth == NULL)
    return NAN;
  switch (budget) {
  case LAC_BUDGET_MASS: return fabs(of->mean[0] - truth->mean[0]) / sqrt(truth->square);
  case LAC_BUDGET_MOMENTUM:
    return hypot(of->mean[0] - truth->mean[0], of->mean[1] - truth->mean[1]) / sqrt(truth->square);
  case LAC_BUDGET_ENERGY: return of->square / truth->square;
  case LAC_BUDGET_ENSTROPHY: return of->enstrophy / truth->enstrophy;
  case LAC_N_BUDGETS: break;
  }
  g_return_val_if_reached((double) NAN);
}
