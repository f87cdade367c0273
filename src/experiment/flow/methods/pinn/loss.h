/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loss of a network on a case: a mean square of each residual at collocation points, of each soft condition at points of
 * its own, and of what the sensors say. Every point of every term has its weight, fed at run time. */
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

/* What is seen as one: a residual, a condition, the measurements. */
typedef struct {
  const char *name; /* of the residual or condition, or "data" */
  LacPinnKind kind;
  guint       set;
  guint       first, n_parts;
  double      factor; /* of the term in the loss */
} LacPinnTerm;

/* One column of misfits. */
typedef struct {
  guint   term;
  gsize   n;
  LacNode misfit, weight, target;
  LacNode square; /* the mean of the squares, each by its weight: a share of the loss */
  double
    *base; /* [n]: how a point counts within the term: 0 where nothing is known, 1 on average */
  double *points;  /* [n]: weight of the point by the scheme in use; 1 to begin with */
  double *misfits; /* [n]: as lac_pinn_loss_read() found them */
} LacPinnPart;

typedef struct {
  LacGraph    *graph;
  LacProgram  *program;
  LacPinnModel model;
  LacPinnTheta theta;
  guint        n_terms, n_parts, n_sets;
  LacPinnTerm  terms[LAC_PINN_MAX_TERMS];
  LacPinnPart  parts[LAC_PINN_MAX_PARTS];
  LacPinnSet   sets[LAC_CASE_MAX_CONDITIONS + 2]; /* 0: collocation, soft conditions, data */
  double      *x[LAC_CASE_MAX_CONDITIONS + 2];    /* [n][n_axes]: the points as fed */
  double      *scratch;                           /* [most points][max(n_axes, 1)] */
  double      *values;                            /* [n_condition][LAC_PDE_MAX_FIELDS] scratch */
} LacPinnLoss;

typedef struct {
  LacPinnModel           model;
  gsize                  n_points;     /* collocation */
  gsize                  n_condition;  /* points of each soft condition */
  const LacObservations *observations; /* (nullable) */
  const guint8          *held_out;     /* (nullable): [n_stations], 1: not learnt from */
  double                 residual_weight, condition_weight, data_weight;
} LacPinnLossSettings;

/* Conditions and data that the case does not have are left out. */
LacPinnLoss *
lac_pinn_loss_new(const LacPinnLossSettings *settings, const LacContext *context, GError **error);
void lac_pinn_loss_free(LacPinnLoss *loss);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnLoss, lac_pinn_loss_free)

/* Feeds the points in @loss->x[@set]. */
void lac_pinn_loss_feed_points(LacPinnLoss *loss, guint set);

/* New points, with their values, for every soft condition. */
void lac_pinn_loss_sample_conditions(LacPinnLoss *loss, LacRng *rng);

/* Feeds factor base points of every part. */
void lac_pinn_loss_feed_weights(LacPinnLoss *loss);

/* Feeds @weights, [n], to one part alone. */
void lac_pinn_loss_feed_part(LacPinnLoss *loss, guint part, const double *weights);

/* Reads the misfits of the last evaluation. */
void lac_pinn_loss_read(LacPinnLoss *loss);

/* Whether every term counts, so that it follows from its shares of the loss while no scheme weighs points. */
gboolean lac_pinn_loss_has_shares(const LacPinnLoss *loss);

/* The mean square of a term's misfits, without its factor and without the weights of the scheme. */
double lac_pinn_loss_get_term(const LacPinnLoss *loss, guint term);
/* The same by the shares of an evaluation whose numbers were collected, when its factor was @factor. */
double lac_pinn_loss_get_share(const LacPinnLoss *loss, guint term, double factor);

/* Opens the first @n_open harmonics of every axis in the network of a loss. */
void lac_pinn_loss_open(LacPinnLoss *loss, double n_open);

/* ---- evaluation away from the loss ---- */

/* A program over a fixed number of points that gives residuals or fields; any number of points in rounds. */
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

/* @theta: device vector; @x: [n][n_axes]; @values: (out): [n_outputs][n] */
gboolean lac_pinn_probe_run(LacPinnProbe *probe,
                            gconstpointer theta,
                            const double *x,
                            gsize         n,
                            gint64        step,
                            double       *values,
                            GError      **error);

/* Where values go in a parcel of the device. */
typedef struct {
  gpointer staging;
  gsize    at; /* elements of the program's type */
} LacPinnDrop;

/* The same into a parcel; nothing waits. */
gboolean lac_pinn_probe_put(LacPinnProbe      *probe,
                            gconstpointer      theta,
                            const double      *x,
                            gsize              n,
                            gint64             step,
                            const LacPinnDrop *drop,
                            GError           **error);

G_END_DECLS
