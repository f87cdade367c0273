/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training of one network: its loss, weights, points and optimisers. */
#pragma once

#include "experiment/flow/methods/pinn/training-data.h"

G_BEGIN_DECLS

/* Training state other than tensors, saved as bytes. */
typedef struct {
  LacPinnProgress progress;
  gint64          n_refreshed, window;
  gint64          n_active; /* collocation points in use */
} LacPinnState;

/* Values reported by one iteration. */
typedef struct {
  gint64     iteration;
  LacPending pending;                     /* of the members below, except the factors */
  double     factors[LAC_PINN_MAX_TERMS]; /* weights of the terms at the time of the evaluation */
  double     loss, terms[LAC_PINN_MAX_TERMS];
  double     coefficients[LAC_PDE_MAX_COEFFICIENTS], widths[LAC_PDE_MAX_COEFFICIENTS];
  double     deviations[LAC_PDE_MAX_COEFFICIENTS]; /* standard errors */
  double     scaling[LAC_PDE_MAX_AXES];            /* N of each axis */
  double     causal;                               /* causal weight of the last chunk of time */
} LacPinnNumbers;

typedef struct {
  LacPinnTrainingData *training; /* borrowed */
  guint                index;
  LacPinnLoss         *loss;
  LacPinnWeights      *weights;
  LacOptimiser        *optimisers[LAC_PINN_MAX_STAGES]; /* NULL for stages without iterations */
  gsize                n_parameters;
  LacPinnState         state;
  double               last; /* loss of the last completed readback */
  guint                n_numbers;
  LacPinnNumbers
    numbers[LAC_STEP_MOST_OPEN]; /* records not taken yet, in the order of the iterations */
  /* Scratch of lac_pinn_member_probe(): [n_parameters], [n_parameters], [all misfits], [n_unknowns][all misfits]. */
  double                *theta, *moved, *misfits, *columns;
  struct _LacPinnErrors *errors; /* of the first member, where they are given; else NULL */
} LacPinnMember;

LacPinnMember *lac_pinn_member_new(LacPinnTrainingData *training, guint index, GError **error);
void           lac_pinn_member_free(LacPinnMember *member);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnMember, lac_pinn_member_free)

/* Enables the same harmonics in @probe as in the member's network. */
void lac_pinn_member_open(LacPinnMember *member, LacPinnProbe *probe);

/* Performs one iteration unless the member has finished. Appends the iteration's record to member->numbers, which
 * holds up to LAC_STEP_MOST_OPEN records. */
gboolean lac_pinn_member_step(LacPinnMember *member, GError **error);

/* Returns TRUE when the next iteration does not need the values of earlier ones, which may then be read late. */
gboolean lac_pinn_member_is_blind(const LacPinnMember *member);

/* Waits for the values of the first @n iterations not taken yet. */
gboolean lac_pinn_member_collect(LacPinnMember *member, guint n, GError **error);
/* Removes and returns the first record, which must be complete. */
LacPinnNumbers lac_pinn_member_take(LacPinnMember *member);

void lac_pinn_member_visit(LacPinnMember *member, LacVisit *visit);

/* Allocates the memory of the probe before training, during which nothing is allocated. */
void lac_pinn_member_prepare_probe(LacPinnMember *member);
/* Computes the uncertainty of each unknown coefficient, sqrt(L (S^-1)_ii): the change, in its unit, that doubles the
 * loss L with the network fixed and the other unknowns adjusted. S is the mean of J^T J over all misfits, with J from
 * finite differences. @widths: (out): [n_coefficients], NaN for known ones. */
gboolean lac_pinn_member_probe(LacPinnMember *member, double *widths, GError **error);

/* ---- standard errors of the coefficients: standard-errors.c ---- */

typedef struct _LacPinnErrors LacPinnErrors;

/* Returns TRUE when a run with these parameters gives standard errors: it seeks coefficients, and ends with a quasi-Newton
 * method whose matrix preconditions the system. Without one its solution would stop too early, with too small errors. */
gboolean lac_pinn_errors_are_given(const LacPinnParams *params, const LacCase *subject);

/* @member: borrowed. Allocates all memory of lac_pinn_errors_find(); a member in single precision gets a copy of its loss
 * in double precision. Returns: %NULL with an error; free with lac_pinn_errors_free(). */
LacPinnErrors *lac_pinn_errors_new(LacPinnMember *member, GError **error);
void           lac_pinn_errors_free(LacPinnErrors *errors);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnErrors, lac_pinn_errors_free)

/* Computes @deviations, [n_coefficients], in the unit of each; NaN for known ones. A coefficient that the loss does not
 * determine has its own magnitude as error. No readback may be in flight. */
gboolean lac_pinn_errors_find(LacPinnErrors *errors, double *deviations, GError **error);

G_END_DECLS
