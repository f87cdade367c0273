/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loss of a network on a case: mean squares of each residual at collocation points, of each soft condition at its own
 * points, and of the data misfit. Every point of every term has a weight, fed at run time. */
#pragma once

#include "experiment/flow/methods/pinn/model.h"
#include "experiment/flow/observations.h"

G_BEGIN_DECLS

#define LAC_PINN_MAX_PARTS \
  (LAC_PDE_MAX_RESIDUALS + (LAC_CASE_MAX_CONDITIONS + 1) * LAC_PDE_MAX_FIELDS)
#define LAC_PINN_MAX_TERMS (LAC_PDE_MAX_RESIDUALS + LAC_CASE_MAX_CONDITIONS + 1)

typedef enum {
  LAC_PINN_RESIDUAL,
  LAC_PINN_CONDITION,
  LAC_PINN_DATA,
} LacPinnKind;

/* A loss term: a residual, a condition, or the measurements. */
typedef struct {
  const char *name; /* name of the residual or condition, or "data" */
  LacPinnKind kind;
  guint       set;
  guint       first, n_parts;
  double      factor; /* weight of the term in the loss */
} LacPinnTerm;

/* One column of misfits. */
typedef struct {
  guint   term;
  gsize   n;
  LacNode misfit, weight, target;
  LacNode square; /* weighted mean square: its contribution to the loss */
  double
    *base; /* [n]: weight of the point within the term: 0 where there is no data, 1 on average */
  double  variance; /* of the data: that of the noise of a misfit with base 1 */
  double *points;   /* [n]: adaptive weight of the point; initially 1 */
  double *misfits;  /* [n]: set by lac_pinn_loss_read() */
} LacPinnPart;

typedef struct {
  LacGraph    *graph;
  LacProgram  *program;
  LacPinnModel model;
  LacPinnTheta theta;
  guint        n_terms, n_parts, n_sets;
  LacPinnTerm  terms[LAC_PINN_MAX_TERMS];
  LacPinnPart  parts[LAC_PINN_MAX_PARTS];
  LacPinnSet   sets[LAC_CASE_MAX_CONDITIONS + 2]; /* indices: collocation, soft conditions, data */
  double      *x[LAC_CASE_MAX_CONDITIONS + 2];    /* [n][n_axes]: the fed points */
  double      *scratch;                           /* [largest set][max(n_axes, 1)] */
  double      *values;                            /* [n_condition][LAC_PDE_MAX_FIELDS] scratch */
} LacPinnLoss;

typedef struct {
  LacPinnModel           model;
  gsize                  n_points;     /* collocation points */
  gsize                  n_condition;  /* points per soft condition */
  const LacObservations *observations; /* (nullable) */
  const guint8          *held_out;     /* (nullable): [n_stations], 1: excluded from training */
  double                 residual_weight, condition_weight, data_weight;
} LacPinnLossSettings;

/* Makes the loss of the case in @settings; conditions and data that the case lacks have no terms. */
LacPinnLoss *
lac_pinn_loss_new(const LacPinnLossSettings *settings, const LacContext *context, GError **error);
void lac_pinn_loss_free(LacPinnLoss *loss);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnLoss, lac_pinn_loss_free)

/* Feeds the points of set @set from @loss->x. */
void lac_pinn_loss_feed_points(LacPinnLoss *loss, guint set);

/* Samples new points, and the values given there, for every soft condition. */
void lac_pinn_loss_sample_conditions(LacPinnLoss *loss, LacRng *rng);

/* Feeds the weights factor * base * points of every part. */
void lac_pinn_loss_feed_weights(LacPinnLoss *loss);

/* Feeds @weights, [n], to one part. */
void lac_pinn_loss_feed_part(LacPinnLoss *loss, guint part, const double *weights);

/* Feeds the points and the weights of @from to @to, which has the same settings; the points of conditions, whose values
 * are not kept, have to be sampled again. */
void lac_pinn_loss_copy(const LacPinnLoss *from, LacPinnLoss *to);

/* Reads back the misfits of the last evaluation. */
void lac_pinn_loss_read(LacPinnLoss *loss);

/* Returns the number of misfits of all parts; adds @factor times them, part after part, to @sums, [their number]. */
gsize lac_pinn_loss_count_misfits(const LacPinnLoss *loss);
void  lac_pinn_loss_add_misfits(const LacPinnLoss *loss, double factor, double *sums);

/* Returns TRUE when every term has a positive factor, so that its mean square can be recovered from its contribution
 * to the loss. Holds only while no point weights are adapted. */
gboolean lac_pinn_loss_has_shares(const LacPinnLoss *loss);

/* Returns the mean square of a term's misfits, without its factor and without adaptive weights. */
double lac_pinn_loss_get_term(const LacPinnLoss *loss, guint term);
/* Returns the same mean square, computed from the contributions in a collected evaluation in which the term had the
 * weight @factor. */
double lac_pinn_loss_get_share(const LacPinnLoss *loss, guint term, double factor);

/* Enables the first @n_open harmonics of every axis in the network of a loss. */
void lac_pinn_loss_open(LacPinnLoss *loss, double n_open);

/* ---- the output layer by least squares: last-layer.c ---- */

/**
 * lac_pinn_fit_last_layer:
 * @settings: of the loss; its residuals, which are not linear in the fields, are left out of the fit
 * @rng: for the points of the conditions
 * @theta: (inout): [n_parameters] of the model; only the output layer changes
 *
 * Start of a network: its output layer fitted to the measurements and conditions by least squares. Source: Wang, Li, Chen
 * and Perdikaris (2024), PirateNets, arXiv 2402.00326.
 *
 * The misfits of measurements and conditions are affine in the output layer, with hard conditions too if those are.
 * The layer is kept as it was if the fit does not reduce them.
 *
 * Returns: %FALSE with %LAC_ERROR_DEVICE, %LAC_ERROR_FAILED or %LAC_ERROR_CANCELLED set.
 */
gboolean lac_pinn_fit_last_layer(const LacPinnLossSettings *settings,
                                 const LacContext          *context,
                                 LacRng                    *rng,
                                 double                    *theta,
                                 GError                   **error);

/* ---- evaluation outside the loss ---- */

/* A program for residuals or fields at a fixed number of points; larger sets are evaluated in batches. */
typedef struct {
  LacGraph    *graph;
  LacProgram  *program;
  LacPinnModel model;
  LacPinnTheta theta;
  LacPinnSet   set;
  guint        n_outputs;
  LacNode      outputs[LAC_PDE_MAX_FIELDS];
  double      *x, *scratch, *values;
} LacPinnProbe;

/* @residuals: %TRUE for residuals, %FALSE for fields */
LacPinnProbe *lac_pinn_probe_new(const LacPinnModel *model,
                                 gboolean            residuals,
                                 gsize               n_points,
                                 const LacContext   *context,
                                 GError            **error);
void          lac_pinn_probe_open(LacPinnProbe *probe, double n_open);
void          lac_pinn_probe_free(LacPinnProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnProbe, lac_pinn_probe_free)

/* Evaluates the residuals or fields at @x, [n][n_axes]. @theta: device vector; @values: (out): [n_outputs][n] */
gboolean lac_pinn_probe_run(LacPinnProbe *probe,
                            gconstpointer theta,
                            const double *x,
                            gsize         n,
                            gint64        step,
                            double       *values,
                            GError      **error);

/* Destination of values in a readback. */
typedef struct {
  LacReadback *readback;
  gsize        at; /* offset, in elements of the program's type */
} LacPinnDrop;

/* Runs the same evaluation into a readback without waiting. */
gboolean lac_pinn_probe_put(LacPinnProbe      *probe,
                            gconstpointer      theta,
                            const double      *x,
                            gsize              n,
                            gint64             step,
                            const LacPinnDrop *drop,
                            GError           **error);

G_END_DECLS
