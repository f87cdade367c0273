/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The unknown coefficients of an ensemble's members: logarithms that the filter corrects, and the parameters that the solver
 * runs with. */
#pragma once

#include "experiment/flow/case.h"
#include "experiment/flow/methods/enkf-analysis.h"

G_BEGIN_DECLS

typedef struct {
  const LacCase *subject;
  LacEnsemble   *ensemble; /* borrowed; its numbers are the logarithms, [n_members][n] */
  gsize          n_members;
  guint          n;
  guint          which[LAC_SOLVER_MAX_PARAMETERS]; /* of the solver's parameters */
  double        *parameters;                       /* [n_members][solver's parameters] */
} LacEnkfUnknowns;

/* Everything but the ensemble, which needs to know n. */
void lac_enkf_unknowns_init(LacEnkfUnknowns *unknowns, const LacCase *subject, gsize n_members);
void lac_enkf_unknowns_clear(LacEnkfUnknowns *unknowns);

/* Spread around the guesses; the rest as the model has it. */
void lac_enkf_unknowns_draw(LacEnkfUnknowns *unknowns, guint64 seed);

/* Keeps the members' logarithms apart by @least or more, and hands them to the solver. */
void lac_enkf_unknowns_spread(LacEnkfUnknowns *unknowns, double least);

/* Hands the logarithms to the solver as they are. */
void lac_enkf_unknowns_hand_over(LacEnkfUnknowns *unknowns);

/* The geometric mean of unknown @u. */
double lac_enkf_unknowns_get_mean(const LacEnkfUnknowns *unknowns, guint u);

G_END_DECLS
