/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unknown coefficients of the ensemble members: their logarithms, which the filter updates, and the solver parameters
 * computed from them. */
#pragma once

#include "experiment/flow/case.h"
#include "experiment/flow/methods/enkf-analysis.h"

G_BEGIN_DECLS

typedef struct {
  const LacCase *subject;
  LacEnsemble   *ensemble; /* borrowed; its parameters are the logarithms, [n_members][n] */
  gsize          n_members;
  guint          n;
  guint          which[LAC_SOLVER_MAX_PARAMETERS]; /* indices of the solver's parameters */
  double        *parameters;                       /* [n_members][number of solver parameters] */
} LacEnkfUnknowns;

/* Initialises the struct except for @ensemble, which the caller then makes with n parameters. */
void lac_enkf_unknowns_init(LacEnkfUnknowns *unknowns, const LacCase *subject, gsize n_members);
void lac_enkf_unknowns_clear(LacEnkfUnknowns *unknowns);

/* Draws the unknowns around their guesses; the other parameters keep the values of the forecast model. */
void lac_enkf_unknowns_draw(LacEnkfUnknowns *unknowns, guint64 seed);

/* Inflates the members' logarithms to a spread of at least @least and passes them to the solver. */
void lac_enkf_unknowns_spread(LacEnkfUnknowns *unknowns, double least);

/* Follows lac_ensemble_reduce(). */
void lac_enkf_unknowns_reduce(LacEnkfUnknowns *unknowns, gsize n_members);

/* Passes the logarithms to the solver unchanged. */
void lac_enkf_unknowns_hand_over(LacEnkfUnknowns *unknowns);

/* Returns the geometric mean of unknown @u over the members. */
double lac_enkf_unknowns_get_mean(const LacEnkfUnknowns *unknowns, guint u);

G_END_DECLS
