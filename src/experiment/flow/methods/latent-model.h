/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A one-step model of mode coefficients, learnt from series of them alone: it is data-driven and knows no physics. A step is
 *   z' = z + A z + b + network(z),  z: coefficients over their training deviations,
 * trained on what becomes of it when it is fed its own output: the autoregressive roll-out loss. A and b begin as the
 * least-squares fit, the network as nothing. Source: Brandstetter, Worrall and Welling (2022), arXiv 2202.03376, section 3
 * (unrolled training); Lusch, Kutz and Brunton (2018), doi:10.1038/s41467-018-07210-0 (steps in a latent space). */
#pragma once

#include "graph/optimiser/optimiser.h"
#include "graph/program/program.h"
#include "sensor/pod.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacLatentModel LacLatentModel;

typedef struct {
  const LacPod *pod; /* borrowed until the model is made */
  const double
       *snapshots;    /* [n_runs][run][pod->n]: series of equal length and interval; likewise */
  gsize n_runs, run;  /* run at least 2 */
  gsize horizon;      /* steps of the roll-out that is trained on; at most run - 1 are taken */
  gsize batch;        /* pieces of series a step; at most as many as there are are taken */
  gsize width, depth; /* of the network */
  LacOptimiserKind optimiser; /* Adam or SOAP */
  double           rate;      /* at the start; it falls as a cosine */
  gint64           n_steps;   /* of training, for the fall of the rate */
  guint64          seed;
  LacDevice        device;
  LacType          type;
  LacPool         *pool; /* (nullable) */
  LacPerf         *perf; /* (nullable) */
  LacLane         *lane;
} LacLatentSettings;

/* One thread at a time. Returns: %NULL with an error. */
LacLatentModel *lac_latent_model_new(const LacLatentSettings *settings, GError **error);
void            lac_latent_model_free(LacLatentModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacLatentModel, lac_latent_model_free)

/* One step of the optimiser, number @step from 0. Allocates nothing. @loss: (out): mean square of the
 * roll-out's error over that of the training fluctuation, before the step; not finite where it diverged. */
gboolean lac_latent_model_train(LacLatentModel *model, gint64 step, double *loss, GError **error);

/* @coefficients: [n_steps + 1][n_modes]: the first row is given, the others are filled in, each from the one before. A
 * coefficient is held within 1.2 times the farthest that it was in training. Allocates nothing. */
gboolean
lac_latent_model_roll(LacLatentModel *model, double *coefficients, gsize n_steps, GError **error);

/* What was trained, as numbers: bitwise what load() restores. */
gsize lac_latent_model_get_state_length(const LacLatentModel *model);
void  lac_latent_model_save(LacLatentModel *model, double *state);
gboolean
lac_latent_model_load(LacLatentModel *model, const double *state, gsize length, GError **error);

G_END_DECLS
