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

/* Grid indices of the neighbours of a cell; FALSE at an end without periodicity and beside a cell outside the domain. */
typedef struct {
  gsize west, east, south, north;
} Neighbours;

static gboolean
find_neighbours(const LacTruth *grid, gsize i, gsize j, Neighbours *at)
{
  const gsize nx = grid->nx, ny = grid->ny;
  if ((!grid->periodic[0] && (i == 0 || i == nx - 1)) ||
      (!grid->periodic[1] && (j == 0 || j == ny - 1)))
    return FALSE;
  *at = (Neighbours){.west = j * nx + (i + nx - 1) % nx,
                     .east = j * nx + (i + 1) % nx,
                     .south = (j + ny - 1) % ny * nx + i,
                     .north = (j + 1) % ny * nx + i};
  return grid->mask == NULL || (grid->mask[at->west] && grid->mask[at->east] &&
                                grid->mask[at->south] && grid->mask[at->north]);
}

static void
add_gradients(const LacTruth *grid, const double *u, const double *v, LacBudgets *sums, gsize *n)
{
  const double dx = 2 * (grid->upper[0] - grid->lower[0]) / (double) (grid->nx - 1);
  const double dy = 2 * (grid->upper[1] - grid->lower[1]) / (double) (grid->ny - 1);
  Neighbours   at;
  for (gsize j = 0; j < grid->ny; j++)
    for (gsize i = 0; i < grid->nx; i++) {
      if ((grid->mask != NULL && !grid->mask[j * grid->nx + i]) ||
          !find_neighbours(grid, i, j, &at))
        continue;
      const double u_x = (u[at.east] - u[at.west]) / dx, u_y = (u[at.north] - u[at.south]) / dy;
      const double v_x = (v[at.east] - v[at.west]) / dx, v_y = (v[at.north] - v[at.south]) / dy;
      sums->divergence += (u_x + v_y) * (u_x + v_y);
      sums->gradient += u_x * u_x + u_y * u_y + v_x * v_x + v_y * v_y;
      sums->enstrophy += (v_x - u_y) * (v_x - u_y);
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
  sums.divergence /= (double) n_inner;
  sums.gradient /= (double) n_inner;
  sums.enstrophy /= (double) n_inner;
  return sums;
}

double
lac_budgets_get(const LacCase    *subject,
                LacBudget         budget,
                const LacBudgets *of,
                const LacBudgets *truth)
{
  const gboolean is_flow = lac_budgets_is_flow(subject);
  if (budget == LAC_BUDGET_MASS && is_flow)
    return sqrt(of->divergence / of->gradient);
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
