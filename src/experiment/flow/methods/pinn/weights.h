/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much each point counts within its term, and each term within the loss. */
#pragma once

#include "experiment/flow/methods/pinn/loss.h"

G_BEGIN_DECLS

/* A rule for the weights of points, from the misfits there: one row of the table. */
typedef struct {
  const char *name;
  double      start;        /* of every weight */
  gboolean    keeps_points; /* the points must never change */
  /* @lambda: [n], brought @times updates further with these misfits; @n_updates: before them */
  void (*update)(const double *misfits, gsize n, gint64 n_updates, guint times, double *lambda);
  double (*weight)(double lambda); /* in the loss, before all are divided by their mean */
  const char *source;
} LacPointRule;

/* "none", "rba", "vrba", "vrba-quadratic", "sa"; the last one is followed by NULL. */
extern const char *const lac_point_rule_names[];
const LacPointRule      *lac_point_rule(guint i);

/* Causal weights: w_i = exp(-epsilon sum_{k<i} L_k) over chunks of time; @weights: (out): [n_chunks].
 * Source: Wang, Sankaran, Perdikaris (2022), arXiv 2203.07404, eq. 2.3 */
void lac_causal_weights(const double *losses, guint n_chunks, double epsilon, double *weights);

#define LAC_CAUSAL_CHUNKS 32

typedef enum {
  LAC_TERMS_FIXED,
  LAC_TERMS_GRADIENT, /* Wang, Teng, Perdikaris (2021), as in jaxpi: mean norm over own norm */
  LAC_TERMS_NTK, /* Wang, Yu, Perdikaris (2022): trace of all over own trace, by one random sign a point */
} LacTermRule;
extern const char *const lac_term_rule_names[];

/* The weights of one loss while it is trained. */
typedef struct {
  const LacPointRule *rule;
  LacTermRule         terms;
  double              epsilon; /* of the causal weights now; 0: there are none */
  gint64              n_updates, n_term_updates;
  double              chunks[LAC_CAUSAL_CHUNKS];
  double              fixed[LAC_PINN_MAX_TERMS]; /* factors as a person set them */
  double  adapted[LAC_PINN_MAX_TERMS];           /* factors of the rule, from its first update on */
  double *lambda[LAC_PINN_MAX_PARTS];            /* [n] */
  double  first_epsilon;
  guint8 *gradient; /* [n_parameters] as the program has it: scratch */
} LacPinnWeights;

/* @causal: epsilon to begin with; 0: no causal weights */
LacPinnWeights *lac_pinn_weights_new(const LacPinnLoss  *loss,
                                     const LacPointRule *rule,
                                     LacTermRule         terms,
                                     double              causal);
void            lac_pinn_weights_free(LacPinnWeights *weights);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnWeights, lac_pinn_weights_free)

/* Whether lac_pinn_weights_update() does anything. */
gboolean lac_pinn_weights_are_live(const LacPinnWeights *weights);

/* The points have changed: their weights begin anew. */
void lac_pinn_weights_restart(LacPinnWeights *weights, const LacPinnLoss *loss);

/* From the misfits read into @loss to the weights of the next evaluation; feeds them. @times: iterations that these misfits
 * stand for */
void lac_pinn_weights_update(LacPinnWeights *weights, LacPinnLoss *loss, guint times);

/* New factors of the terms by the rule, one evaluation a term; feeds them. @rng: for the random signs. */
gboolean lac_pinn_weights_balance(LacPinnWeights *weights,
                                  LacPinnLoss    *loss,
                                  gconstpointer   theta,
                                  LacRng         *rng,
                                  gint64          step,
                                  GError        **error);

/* Writes factors and point weights as they are into @loss and feeds them. */
void lac_pinn_weights_apply(const LacPinnWeights *weights, LacPinnLoss *loss);

G_END_DECLS
