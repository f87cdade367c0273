/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training schedule: optimiser, length and early stopping of each stage. */
#pragma once

#include "graph/optimiser/optimiser.h"

G_BEGIN_DECLS

#define LAC_PINN_MAX_STAGES 2

typedef struct {
  LacOptimiserKind kind;
  gboolean         first_order; /* has a learning rate, one step per evaluation */
  gint64           n_steps;
} LacPinnStage;

typedef struct {
  guint        n_stages;
  LacPinnStage list[LAC_PINN_MAX_STAGES];
  double       target;   /* loss at which training ends; 0: none */
  gint64       patience; /* iterations without a 1 % lower loss that end a stage; 0: none */
} LacPinnStages;

/* Training progress of one network. Plain data, saved as bytes. */
typedef struct {
  gint64 iteration;   /* total */
  gint64 stage, done; /* current stage and its iterations */
  gint64 best_at;     /* iteration of the stage at which the loss was lowest */
  double best;        /* lowest loss of the stage */
  gint64 finished;    /* 1: training is finished */
} LacPinnProgress;

gint64 lac_pinn_stages_get_n_steps(const LacPinnStages *stages);

void lac_pinn_progress_init(LacPinnProgress *progress, const LacPinnStages *stages);

/* Records one iteration of the stage with this loss. Returns: %TRUE when the next stage begins. */
gboolean
lac_pinn_progress_advance(LacPinnProgress *progress, const LacPinnStages *stages, double loss);

G_END_DECLS
