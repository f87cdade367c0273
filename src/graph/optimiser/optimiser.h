/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common interface of the optimisers: a step with a callback that re-evaluates loss and gradient. State is in device
 * memory and is saved as named tensors. */
#pragma once

#include "graph/program/program.h"

G_BEGIN_DECLS

typedef enum {
  LAC_OPTIMISER_ADAM,  /* Kingma and Ba (2015) */
  LAC_OPTIMISER_LBFGS, /* Nocedal and Wright, algorithm 7.4, strong Wolfe */
  LAC_OPTIMISER_SSBROYDEN, /* self-scaled Broyden, dense: SSBroyden2 of Urbán, Stefanou, Pons (2025), arXiv 2405.04230 */
  LAC_OPTIMISER_BFGS,       /* the same update with tau = phi = 1 */
  LAC_OPTIMISER_SSBROYDEN1, /* the other choice of the parameter theta */
  LAC_OPTIMISER_SSBFGS,     /* tau = min(1, 1 / b), phi = 1; Al-Baali (1998) */
  LAC_OPTIMISER_SOAP, /* Adam in the eigenbasis of Shampoo; Vyas et al. (2024), arXiv 2409.11321 */
  LAC_N_OPTIMISERS,
} LacOptimiserKind;

/* Monotone transform of a loss f > 0 for the quasi-Newton methods: the same minimum in another landscape. Reports are
 * of f itself. */
typedef enum {
  LAC_TRANSFORM_NONE,
  LAC_TRANSFORM_SQRT, /* square root of f */
  LAC_TRANSFORM_LOG,  /* log f */
} LacTransform;

/* A range of theta with its own rate. */
typedef struct {
  gsize  offset, n;
  double factor; /* factor of the rate; 0: frozen */
} LacRateRange;

typedef struct {
  LacOptimiserKind    kind;
  double              rate, beta1, beta2, epsilon; /* Adam, SOAP */
  const LacRateRange *ranges; /* Adam, SOAP: disjoint, in ascending order; copied */
  gsize               n_ranges;
  const LacMatrixShape            *
    matrices; /* SOAP: disjoint, ascending, from lac_graph_dup_weights(); the rest is updated as in Adam; copied */
  gsize        n_matrices;
  guint        refresh_steps; /* SOAP: steps between new bases; 0: they stay the identity */
  LacTransform transform;     /* quasi-Newton */
  guint        history;       /* L-BFGS: number of pairs */
  guint        max_line_evaluations;
  double
    curvature; /* c2 of the strong Wolfe conditions; 0 < curvature < 1, smaller is a more exact search */
} LacOptimiserSettings;

/* Default settings per kind, defined only here. */
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
  double   loss; /* after the step (Adam, SOAP: before it; SOAP's first step does not move theta) */
  guint    n_evaluations;
  gboolean restarted; /* state was reset because the line search failed */
  gboolean stalled;   /* no acceptable step was found */
} LacOptimiserReport;

/* Improves device vector @theta in place. */
gboolean lac_optimiser_step(LacOptimiser       *optimiser,
                            gpointer            theta,
                            LacEvaluate         evaluate,
                            gpointer            user_data,
                            LacOptimiserReport *report,
                            GError            **error);

/**
 * lac_optimiser_descend:
 * @objective: its program's own theta is updated; follow and user_data are set by the optimiser
 *
 * Same as lac_optimiser_step() over lac_program_evaluate(). On devices that record steps, Adam is recorded with the evaluation: its
 * values are in device memory, one replay is the whole step, and with @objective later the call does not wait: the reported loss
 * is then NaN.
 */
gboolean lac_optimiser_descend(LacOptimiser       *optimiser,
                               LacObjective       *objective,
                               LacOptimiserReport *report,
                               GError            **error);

/* Returns TRUE when lac_optimiser_descend() with this method need not wait for the loss. */
gboolean lac_optimiser_is_blind(const LacOptimiser *optimiser);

/* The objective has changed (new points): keeps the state, re-evaluates at the next step. */
void lac_optimiser_refresh(LacOptimiser *optimiser);

/* Offsets of Adam's values in the saved state, for steps taken elsewhere: the update count, and the n elements of m
 * and v. */
typedef struct {
  gsize updates, m, v;
} LacAdamPlaces;

LacAdamPlaces lac_optimiser_get_adam_places(const LacOptimiser *optimiser);

/* State as host doubles, for checkpoints; lac_optimiser_load() restores it bitwise. */
gsize lac_optimiser_get_state_length(const LacOptimiser *optimiser);
void  lac_optimiser_save(const LacOptimiser *optimiser, double *state);
gboolean
lac_optimiser_load(LacOptimiser *optimiser, const double *state, gsize length, GError **error);

G_END_DECLS
