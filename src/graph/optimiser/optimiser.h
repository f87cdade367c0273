/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common interface of the optimisers: a step takes a callback that re-evaluates loss and gradient. The state is in
 * device memory and is saved as named tensors. */
#pragma once

#include "base/packing.h"
#include "graph/program/program.h"

G_BEGIN_DECLS

typedef enum {
  LAC_OPTIMISER_ADAM,  /* Kingma and Ba (2015) */
  LAC_OPTIMISER_LBFGS, /* Nocedal and Wright, algorithm 7.4, strong Wolfe */
  LAC_OPTIMISER_SSBROYDEN, /* self-scaled Broyden, dense: SSBroyden2 of Urbán, Stefanou, Pons (2025), arXiv 2405.04230 */
  LAC_OPTIMISER_BFGS,       /* update of SSBroyden2 with tau = phi = 1 */
  LAC_OPTIMISER_SSBROYDEN1, /* SSBroyden1: the other choice of the family's parameter theta */
  LAC_OPTIMISER_SSBFGS,     /* tau = min(1, 1 / b), phi = 1; Al-Baali (1998) */
  LAC_OPTIMISER_SOAP, /* Adam in the eigenbasis of Shampoo; Vyas et al. (2024), arXiv 2409.11321 */
  LAC_N_OPTIMISERS,
} LacOptimiserKind;

/* Monotone transform of a loss f > 0 for the quasi-Newton methods; it keeps the minimum and changes the landscape
 * around it. Reported losses are values of f itself. */
typedef enum {
  LAC_TRANSFORM_NONE,
  LAC_TRANSFORM_SQRT, /* square root of f */
  LAC_TRANSFORM_LOG,  /* log f */
} LacTransform;

/* A range of theta with a learning rate of its own. */
typedef struct {
  gsize  offset, n;
  double factor; /* factor of the rate; 0: frozen */
} LacRateRange;

typedef struct {
  LacOptimiserKind    kind;
  double              rate, beta1, beta2, epsilon; /* Adam, SOAP */
  const LacRateRange *ranges; /* Adam, SOAP: disjoint, in ascending order; copied */
  gsize               n_ranges;
  const LacMatrixShape     *
    matrices; /* SOAP: disjoint, ascending, from lac_graph_dup_weights(); copied. Other parameters are updated as in Adam. */
  gsize n_matrices;
  guint
               refresh_steps; /* SOAP: number of steps between updates of the eigenbases; 0: they stay the identity */
  LacTransform transform; /* quasi-Newton; the others minimise f itself */
  guint        history;   /* L-BFGS: number of stored pairs */
  guint        max_line_evaluations;
  double
    curvature; /* c2 of the strong Wolfe conditions, 0 < c2 < 1; a smaller value makes the search more exact */
} LacOptimiserSettings;

/* Returns the default settings of @kind; they are defined only here. */
LacOptimiserSettings lac_optimiser_defaults(LacOptimiserKind kind);

/* Evaluates loss and gradient at device vector @theta of @n elements; writes the gradient to device vector @gradient.
 * Returns: FALSE with an error only for failures of the device; a non-finite loss is valid. */
typedef gboolean (*LacEvaluate)(gconstpointer theta,
                                gpointer      gradient,
                                double       *loss,
                                gpointer      user_data,
                                GError      **error);

typedef struct _LacOptimiser LacOptimiser;

/* @settings: from lac_optimiser_defaults(), edited; copied. */
LacOptimiser *lac_optimiser_new(const LacOptimiserSettings *settings,
                                gsize                       n,
                                LacDevice                   device,
                                LacType                     type,
                                LacPool                    *pool,
                                GError                    **error);
void          lac_optimiser_free(LacOptimiser *optimiser);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacOptimiser, lac_optimiser_free)

void lac_optimiser_set_rate(LacOptimiser *optimiser, double rate);

typedef struct {
  double
           loss; /* loss after the step; Adam and SOAP: before it. The first step of SOAP does not change theta. */
  guint    n_evaluations;
  gboolean restarted; /* the state was reset because the line search failed */
  gboolean stalled;   /* no acceptable step was found */
} LacOptimiserReport;

/* Takes one step: improves @theta, a device vector, in place. */
gboolean lac_optimiser_step(LacOptimiser       *optimiser,
                            gpointer            theta,
                            LacEvaluate         evaluate,
                            gpointer            user_data,
                            LacOptimiserReport *report,
                            GError            **error);

/**
 * lac_optimiser_descend:
 * @objective: the optimiser updates the theta of its program and sets its members @follow and @user_data
 *
 * Does the same as lac_optimiser_step() with lac_program_evaluate(). On devices that record steps, Adam is recorded
 * together with the evaluation, so that one replay is the whole step; Adam's values are in device memory. If
 * LacObjective.later is set, the call does not wait, and the reported loss is NaN.
 */
gboolean lac_optimiser_descend(LacOptimiser       *optimiser,
                               LacObjective       *objective,
                               LacOptimiserReport *report,
                               GError            **error);

/* Returns TRUE when lac_optimiser_descend() with this method need not wait for the loss. */
gboolean lac_optimiser_is_blind(const LacOptimiser *optimiser);

/* Notes that the objective has changed (new points): the state stays, and loss and gradient are re-evaluated at the
 * next step. */
void lac_optimiser_refresh(LacOptimiser *optimiser);

/* Computes @y = H @x, both [n] in host memory, with the method's approximation of the inverse Hessian. Returns: FALSE for
 * methods without a matrix, and before its first update. */
gboolean lac_optimiser_precondition(LacOptimiser *optimiser, const double *x, double *y);

/* Offsets of Adam's values in the saved state, for code that takes the steps itself: the update count, and the n
 * elements each of m and v. */
typedef struct {
  gsize updates, m, v;
} LacAdamPlaces;

LacAdamPlaces lac_optimiser_get_adam_places(const LacOptimiser *optimiser);

/* Packs the state as host doubles; restores it bitwise. A device that fails while restoring is reported by the next step. */
void lac_optimiser_pack(gpointer optimiser, LacPacking *packing);

G_END_DECLS
