/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of a frozen psi: means over a walk with error bars that account for correlated samples. Hartree. One
 * thread. */
#pragma once

#include "base/packing.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacEvaluation LacEvaluation;

/* Energy parts of one batch of walkers, [n_walkers] each; nuclear repulsion is not included. */
typedef struct {
  const double *kinetic, *attraction, *repulsion;
  gsize         n_walkers;
} LacEnergyParts;

typedef struct {
  double energy,
    error; /* mean and its standard error, by blocking, at least that of independent samples */
  double error_of_error; /* NaN if the walk is too short */
  double variance;       /* variance of the local energy */
  double kinetic, attraction, repulsion;
  double virial, virial_error; /* -<V> / <T>, V including nuclear repulsion */
  double correlation;          /* steps per independent sample (statistical inefficiency) */
  gsize  n_bad;                /* number of walkers with a non-finite energy so far */
} LacEvaluationResult;

/* @n_steps: maximum number of batches; @repulsion: nuclear repulsion, hartree */
LacEvaluation *lac_evaluation_new(gsize n_steps, double repulsion);
void           lac_evaluation_free(LacEvaluation *evaluation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEvaluation, lac_evaluation_free)

/* Adds one batch. Returns: its mean energy. */
double lac_evaluation_add(LacEvaluation *evaluation, const LacEnergyParts *parts);

/* Computes the results so far; values that need more batches are NaN. Does not allocate. */
void lac_evaluation_get_result(LacEvaluation *evaluation, LacEvaluationResult *result);

/* Packs the complete state. */
void lac_evaluation_pack(gpointer evaluation, LacPacking *packing);

G_END_DECLS
