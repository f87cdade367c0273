/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unknown coefficients of the members of an ensemble: their logarithms, which a method updates, and the solver parameters
 * computed from them. */
#pragma once

#include "experiment/flow/case.h"

G_BEGIN_DECLS

/* Moments of the logarithms of the last estimates. Saved as it is. */
typedef struct {
  gint64 n;
  double mean[LAC_SOLVER_MAX_PARAMETERS], variance[LAC_SOLVER_MAX_PARAMETERS];
} LacEnkfTrail;

typedef struct {
  const LacCase *subject;
  double        *numbers; /* borrowed: the logarithms, [n_members][n], rows @stride apart */
  gsize          stride;
  gsize          n_members;
  guint          n;
  guint          which[LAC_SOLVER_MAX_PARAMETERS]; /* indices of the solver's parameters */
  double        *parameters;                       /* [n_members][number of solver parameters] */
  LacEnkfTrail   trail;
} LacEnkfUnknowns;

/* Initialises the struct except for @numbers and @stride, which the caller sets before the other calls. */
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

/* Adds the estimates of an analysis to the mean and the variance of the last ones. */
void lac_enkf_unknowns_follow(LacEnkfUnknowns *unknowns);

/* Returns the standard error of unknown @u, for small deviations of the logarithms: the standard deviation over the
 * members, which a minimum spread bounds from below, and that of the last estimates, which are as far from one another
 * as from the truth while a filter still finds it. */
double lac_enkf_unknowns_get_error(const LacEnkfUnknowns *unknowns, guint u);

G_END_DECLS
