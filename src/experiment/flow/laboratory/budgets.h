/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Budgets of an estimate: mass, momentum, energy and enstrophy of a plane flow, mass and mean square of other fields,
 * by central differences on the grid of the truth. Any thread. */
#pragma once

#include "experiment/flow/case.h"
#include "experiment/flow/truth.h"

G_BEGIN_DECLS

typedef enum {
  LAC_BUDGET_MASS, /* of a flow: RMS divergence over the RMS of the velocity gradient; else the error of the mean over the RMS value */
  LAC_BUDGET_MOMENTUM,  /* error of the mean velocity over the RMS velocity */
  LAC_BUDGET_ENERGY,    /* mean square, over that of the truth */
  LAC_BUDGET_ENSTROPHY, /* mean square vorticity, over that of the truth */
  LAC_N_BUDGETS
} LacBudget;

/* Returns TRUE when the first two fields are the velocity of a plane flow, not only its slice. */
gboolean lac_budgets_is_flow(const LacCase *subject);
/* Returns TRUE when a run has this budget; without a truth only the mass of a flow. */
gboolean lac_budgets_have(const LacCase *subject, LacBudget budget, gboolean has_truth);

/* Means over the grid cells inside the domain; NaN where a field is. */
typedef struct {
  double mean[2],
    square; /* of the first field, of a flow of both; square: of all counted fields, summed */
  double divergence[2]; /* of a flow: mean squares of differences of second and of fourth order */
  double gradient, enstrophy; /* of a flow: mean squares, second order */
} LacBudgets;

/* @field: [n_fields][ny][nx], of which one is counted, of a flow two */
LacBudgets lac_budgets_measure(const LacCase *subject, const LacTruth *grid, const double *field);
/* Returns the least RMS divergence over the RMS gradient that the differences of both orders support: of a field without
 * divergence they see some on a coarse grid, but less the higher the order. */
double lac_budgets_get_divergence(const double divergence[2], double gradient);

/* @truth: (nullable). Returns: NaN where it needs the truth and there is none. */
double lac_budgets_get(const LacCase    *subject,
                       LacBudget         budget,
                       const LacBudgets *of,
                       const LacBudgets *truth);

G_END_DECLS
