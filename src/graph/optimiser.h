/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimisers with one face: a step with a re-evaluate call. State lives in device memory and is saved as named tensors. */
#pragma once

#include "base/rng.h"
#include "graph/program.h"

G_BEGIN_DECLS

typedef enum {
  LAC_OPTIMISER_ADAM,      /* Kingma and Ba (2015) */
  LAC_OPTIMISER_LBFGS,     /* Nocedal and Wright, algorithm 7.4, strong Wolfe */
  LAC_OPTIMISER_SSBROYDEN, /* self-scaled Broyden, dense; flow.md section 9 */
  LAC_OPTIMISER_BFGS,      /* the same update with tau = phi = 1 */
} LacOptimiserKind;

typedef struct {
  LacOptimiserKind kind;
  double           rate, beta1, beta2, epsilon; /* Adam */
  guint            history;                     /* L-BFGS pairs */
  guint            max_line_evaluations;
  double
    curvature; /* c2 of the strong Wolfe conditions; 0 < curvature < 1, smaller is a more exact search */
} LacOptimiserSettings;

/* Per kind; the one place these numbers stand. */
LacOptimiserSettings lac_optimiser_defaults(LacOptimiserKind kind);

/* Evaluates loss and gradient at device vector @theta of @n numbers; the gradient goes to device vector @gradient.
 * Returns: FALSE with an error only for failures of the device; a non-finite loss is a value. */
typedef gboolean (*LacEvaluate)(gconstpointer theta,
                                gpointer      gradient,
                                double       *loss,
                                gpointer      user_data,
                                GError      **error);

typedef struct _LacOptimiser LacOptimiser;

/* @settings: as lac_optimiser_defaults() gives them, edited; copied. */
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
  double   loss; /* after the step (Adam: before it) */
  guint    n_evaluations;
  gboolean restarted; /* the memory was reset because the line search failed */
  gboolean stalled;   /* no acceptable step was found */
} LacOptimiserReport;

/* Improves device vector @theta in place. */
gboolean lac_optimiser_step(LacOptimiser       *optimiser,
                            gpointer            theta,
                            LacEvaluate         evaluate,
                            gpointer            user_data,
                            LacOptimiserReport *report,
                            GError            **error);

/* The objective changed (new points): keep the memory, evaluate afresh at the next step. */
void lac_optimiser_refresh(LacOptimiser *optimiser);

/* State as host doubles, for checkpoints: bitwise what lac_optimiser_load() restores. */
gsize lac_optimiser_get_state_length(const LacOptimiser *optimiser);
void  lac_optimiser_save(const LacOptimiser *optimiser, double *state);
gboolean
lac_optimiser_load(LacOptimiser *optimiser, const double *state, gsize length, GError **error);

G_END_DECLS
