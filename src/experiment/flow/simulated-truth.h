/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truths by the scene's own solver, in double. What trains is either a family, the same beginning with one coefficient from
 * half to twice the true one and never its value, or the earlier part of the same trajectory. */
#pragma once

#include "experiment/flow/scene.h"

G_BEGIN_DECLS

typedef struct {
  /* [n_fields of the solver][ny][nx] */
  void (*beginning)(const LacCase *subject, LacRng *rng, double *state);
  gsize n_family;
  guint family_parameter; /* of the solver */
  gsize n_lead,
    n_of_the_same; /* without a family: intervals that are thrown away, then snapshots that train */
} LacSimulation;

/* The factors of a family: half to twice in equal ratios, below and above in turn; 1 is left out. */
double lac_family_factor(gsize member, gsize n_family);

/* Of subject->n_times observations, subject->steps_between steps apart, the first at the beginning or after what trains.
 * Returns: %NULL with an error: cancelled, or the flow left the numbers. */
LacTruth *lac_simulated_truth_new(const LacSimulation *simulation,
                                  const LacCase       *subject,
                                  const LacContext    *context,
                                  GError             **error);

G_END_DECLS
