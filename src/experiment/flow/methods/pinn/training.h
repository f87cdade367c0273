/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One network while it is trained: its loss, weights, points and optimisers. */
#pragma once

#include "experiment/flow/methods/pinn/training-data.h"

G_BEGIN_DECLS

/* What a step changes beside tensors: saved as it is. */
typedef struct {
  LacPinnProgress progress;
  gint64          n_refreshed, window;
  gint64          n_active; /* collocation points in use */
} LacPinnState;

/* What one iteration says of itself. */
typedef struct {
  gint64   iteration;
  guint64  run;                         /* of the program */
  gboolean is_open;                     /* what follows has not come yet, but for the factors */
  double   factors[LAC_PINN_MAX_TERMS]; /* of the terms, when it was asked for */
  double   loss, terms[LAC_PINN_MAX_TERMS];
  double   coefficients[LAC_PDE_MAX_COEFFICIENTS], widths[LAC_PDE_MAX_COEFFICIENTS];
  double   causal; /* weight of the last time */
} LacPinnNumbers;

typedef struct {
  LacPinnTrainingData *training; /* borrowed */
  guint                index;
  LacPinnLoss         *loss;
  LacPinnWeights      *weights;
  LacOptimiser        *optimisers[LAC_PINN_MAX_STAGES]; /* NULL where a stage has no iterations */
  gsize                n_parameters;
  LacPinnState         state;
  double               last; /* loss after the last step whose numbers have come */
  guint                n_numbers;
  LacPinnNumbers numbers[LAC_STEP_MOST_OPEN]; /* of iterations that nobody has taken, in order */
  /* of lac_pinn_member_probe(): [n_parameters] twice, [all misfits], [n_unknowns][all misfits] */
  double *theta, *moved, *misfits, *columns;
} LacPinnMember;

LacPinnMember *lac_pinn_member_new(LacPinnTrainingData *training, guint index, GError **error);
void           lac_pinn_member_free(LacPinnMember *member);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnMember, lac_pinn_member_free)

/* Opens the harmonics in a probe as they are in the member's network. */
void lac_pinn_member_open(LacPinnMember *member, LacPinnProbe *probe);

/* One iteration; nothing where the member has finished. Its numbers are the last of member->numbers
 * afterwards, of which LAC_STEP_MOST_OPEN are kept. */
gboolean lac_pinn_member_step(LacPinnMember *member, GError **error);

/* Whether an iteration now needs none of the numbers of those before it: they may come late. */
gboolean lac_pinn_member_is_blind(const LacPinnMember *member);

/* Waits for the numbers of the first @n iterations that nobody has taken. */
gboolean lac_pinn_member_collect(LacPinnMember *member, guint n, GError **error);
/* Those of the first one, which must have come; it is forgotten. */
LacPinnNumbers lac_pinn_member_take(LacPinnMember *member);

void     lac_pinn_member_save(LacPinnMember *member, LacStore *store);
gboolean lac_pinn_member_load(LacPinnMember *member, const LacStore *store, GError **error);

/* How sharply the loss fixes each unknown while the network stays: the change of the coefficient, in its unit, that doubles
 * the loss when the other unknowns follow: sqrt(L (S^-1)_ii) with S the mean of J^T J over all misfits, J by differences.
 * @widths: (out): [n_coefficients], NaN for those that are known. */
/* Before the first probe: nothing is allocated while a network is trained. */
void     lac_pinn_member_prepare_probe(LacPinnMember *member);
gboolean lac_pinn_member_probe(LacPinnMember *member, double *widths, GError **error);

G_END_DECLS
