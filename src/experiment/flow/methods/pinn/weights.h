/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adaptive weights of points within a term and of terms within the loss. */
#pragma once

#include "experiment/flow/methods/pinn/loss.h"

G_BEGIN_DECLS

/* A rule that updates point weights from the misfits; one row of the table. */
typedef struct {
  const char *name;
  double      start;        /* initial value of every weight */
  gboolean    keeps_points; /* requires a fixed set of points */
  /* Advances @lambda, [n], by @times updates with these misfits, after @n_updates earlier ones. */
  void (*update)(const double *misfits, gsize n, gint64 n_updates, guint times, double *lambda);
  double (*weight)(double lambda); /* weight in the loss, before division by the mean */
  const char *source;
} LacPointRule;

/* "none", "rba", "vrba", "vrba-quadratic", "sa"; NULL-terminated. */
extern const char *const lac_point_rule_names[], *const lac_point_rule_titles[];
const LacPointRule *lac_point_rule(guint i);

/* Computes causal weights w_i = exp(-epsilon sum_{k<i} L_k) over chunks of time; @weights: (out): [n_chunks].
 * Source: Wang, Sankaran, Perdikaris (2022), arXiv 2203.07404, eq. 2.3 */
void lac_causal_weights(const double *losses, guint n_chunks, double epsilon, double *weights);

#define LAC_CAUSAL_CHUNKS 32

typedef enum {
  LAC_TERMS_FIXED,
  LAC_TERMS_GRADIENT, /* Wang, Teng, Perdikaris (2021), as in jaxpi: mean gradient norm / own norm */
  LAC_TERMS_NTK, /* Wang, Yu, Perdikaris (2022): total trace / own trace, estimated with one random sign per point */
} LacTermRule;
extern const char *const lac_term_rule_names[], *const lac_term_rule_titles[];

/* Adaptive weights of one loss during training. */
typedef struct {
  const LacPointRule *rule;
  LacTermRule         terms;
  double              epsilon; /* current causal epsilon; 0: no causal weights */
  gint64              n_updates, n_term_updates;
  double              chunks[LAC_CAUSAL_CHUNKS];
  double              fixed[LAC_PINN_MAX_TERMS]; /* factors set by the user */
  double  adapted[LAC_PINN_MAX_TERMS]; /* factors set by the rule; used after its first update */
  double *lambda[LAC_PINN_MAX_PARTS];  /* [n] */
  double  first_epsilon;
  double *gradient; /* [n_parameters]: scratch */
} LacPinnWeights;

/* @causal: initial epsilon; 0: no causal weights */
LacPinnWeights *lac_pinn_weights_new(const LacPinnLoss  *loss,
                                     const LacPointRule *rule,
                                     LacTermRule         terms,
                                     double              causal);
void            lac_pinn_weights_free(LacPinnWeights *weights);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnWeights, lac_pinn_weights_free)

/* Returns TRUE when lac_pinn_weights_update() has an effect. */
gboolean lac_pinn_weights_are_live(const LacPinnWeights *weights);

/* Resets the point weights after the points have changed. */
void lac_pinn_weights_restart(LacPinnWeights *weights, const LacPinnLoss *loss);

/* Updates the weights for the next evaluation from the misfits in @loss, and feeds the weights to the program.
 * @times: number of iterations that these misfits represent */
void lac_pinn_weights_update(LacPinnWeights *weights, LacPinnLoss *loss, guint times);

/* Updates the factors of the terms by the rule, with one evaluation per term, and feeds the factors to the program.
 * @rng: source of the random signs */
gboolean lac_pinn_weights_balance(LacPinnWeights *weights,
                                  LacPinnLoss    *loss,
                                  gconstpointer   theta,
                                  LacRng         *rng,
                                  gint64          step,
                                  GError        **error);

/* Writes the current factors and normalised point weights into @loss and feeds them to its program, without updating
 * them. */
void lac_pinn_weights_apply(const LacPinnWeights *weights, LacPinnLoss *loss);

G_END_DECLS
