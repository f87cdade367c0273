/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first members of an ensemble: random states like those of the training part; if the initial condition is known,
 * with a small fraction of their fluctuation around it. */
#pragma once

#include "experiment/flow/method.h"

G_BEGIN_DECLS

typedef enum {
  LAC_ENSEMBLE_SNAPSHOTS, /* of the training part, in random order */
  LAC_ENSEMBLE_WAVES /* random waves of a periodic domain with its energy, see fourier-modes.h */
} LacEnsembleStart;

/* Keys and titles of a choice among them. */
extern const char *const lac_ensemble_starts[3];
extern const char *const lac_ensemble_start_titles[2];

/* Returns: FALSE with an error when the domain has no waves. @start: LacEnsembleStart */
gboolean lac_ensemble_start_check(gint64 start, const LacCase *subject, GError **error);

/* Returns: FALSE with an error when there are no training snapshots, and therefore no problem->pod. */
gboolean lac_ensemble_start_is_possible(const LacProblem *problem, GError **error);

/* @members: (out): [n_members][n_fields of the solver][ny][nx]. Returns: FALSE with an error when the
 * training part does not fluctuate. */
gboolean lac_ensemble_start_draw(const LacProblem *problem,
                                 LacEnsembleStart  start,
                                 gsize             n_members,
                                 double           *members,
                                 GError          **error);

G_END_DECLS
