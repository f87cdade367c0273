/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stages of a training as data: which optimiser, how long, and when it may end early. */
#pragma once

#include "graph/optimiser/optimiser.h"

G_BEGIN_DECLS

#define LAC_PINN_MAX_STAGES 2

typedef struct {
  LacOptimiserKind kind;
  gboolean         first_order; /* a rate, a step for each evaluation */
  gint64           n_steps;
} LacPinnStage;

typedef struct {
  guint        n_stages;
  LacPinnStage list[LAC_PINN_MAX_STAGES];
  double       target; /* a loss at which all is done; 0: none */
  gint64 patience; /* iterations without a loss lower by a hundredth that end a stage; 0: none */
} LacPinnStages;

/* Where one network stands. A value: saved as it is. */
typedef struct {
  gint64 iteration;   /* in all */
  gint64 stage, done; /* the stage and its iterations */
  gint64 best_at;     /* iteration of the stage */
  double best;        /* lowest loss of the stage */
  gint64 finished;    /* 1: nothing is left to do */
} LacPinnProgress;

gint64 lac_pinn_stages_get_n_steps(const LacPinnStages *stages);

void lac_pinn_progress_init(LacPinnProgress *progress, const LacPinnStages *stages);

/* One iteration of the stage is done with this loss. Returns: %TRUE when another stage begins. */
gboolean
lac_pinn_progress_advance(LacPinnProgress *progress, const LacPinnStages *stages, double loss);

G_END_DECLS
