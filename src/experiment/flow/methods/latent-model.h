/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data-driven one-step model of mode coefficients, trained on their time series. A step is
 *   z' = z + A z + b + network(z),  z: coefficients divided by their training deviations,
 * trained with the autoregressive roll-out loss. A and b are initialised by least squares, the network at zero.
 * Source: Brandstetter, Worrall and Welling (2022), arXiv 2202.03376, section 3 (unrolled training); Lusch, Kutz and
 * Brunton (2018), doi:10.1038/s41467-018-07210-0 (steps in a latent space). */
#pragma once

#include "base/packing.h"
#include "graph/optimiser/optimiser.h"
#include "graph/program/program.h"
#include "sensor/pod.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacLatentModel LacLatentModel;

typedef struct {
  const LacPod *pod; /* borrowed during lac_latent_model_new() */
  const double                *
    snapshots; /* [n_runs][run][pod->n]: series of equal length and interval; borrowed during lac_latent_model_new() */
  gsize            n_runs, run; /* number of series; length of each, at least 2 */
  gsize            horizon;     /* roll-out steps in the loss; at most run - 1 are used */
  gsize            batch; /* windows of the series per step; limited to the number that exist */
  gsize            width, depth; /* size of the network */
  LacOptimiserKind optimiser;    /* Adam or SOAP */
  double           rate;         /* initial learning rate; decays as a cosine */
  gint64           n_steps;      /* training steps, for the decay of the rate */
  guint64          seed;
  LacDevice        device;
  LacType          type;
  LacPool         *pool; /* (nullable) */
  LacPerf         *perf; /* (nullable) */
  LacLane         *lane;
} LacLatentSettings;

/* Makes a model, to be used by one thread at a time. Returns: %NULL with an error. */
LacLatentModel *lac_latent_model_new(const LacLatentSettings *settings, GError **error);
void            lac_latent_model_free(LacLatentModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacLatentModel, lac_latent_model_free)

/* Performs optimiser step number @step, from 0. Allocates nothing. @loss: (out): mean square of the roll-out error
 * relative to that of the training fluctuation, before the step; not finite if it diverged. */
gboolean lac_latent_model_train(LacLatentModel *model, gint64 step, double *loss, GError **error);

/* Predicts @coefficients, [n_steps + 1][n_modes]: the first row is given, each other row is computed from the
 * previous one. Coefficients are clamped to 1.2 times their largest training magnitude. Allocates nothing. */
gboolean
lac_latent_model_roll(LacLatentModel *model, double *coefficients, gsize n_steps, GError **error);

/* Packs the trained parameters and the state of their training; restores both bitwise. */
void lac_latent_model_pack(gpointer model, LacPacking *packing);

G_END_DECLS
