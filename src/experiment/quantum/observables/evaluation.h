/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a psi that no longer changes is worth: means over a walk with error bars that know how samples resemble their
 * predecessors. Hartree. One thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacEvaluation LacEvaluation;

/* Of one batch of walkers: the energy's parts, [n_walkers] each; nuclei among themselves are not in them. */
typedef struct {
  const double *kinetic, *attraction, *repulsion;
  gsize         n_walkers;
} LacEnergyParts;

typedef struct {
  double energy, error;  /* the mean and its standard deviation, by blocking */
  double error_of_error; /* NaN where the walk is too short to tell */
  double variance;       /* of the energy of a single walker */
  double kinetic, attraction, repulsion;
  double virial, virial_error; /* -<V> / <T>, with the nuclei's own repulsion in V */
  double correlation;          /* steps that one independent sample takes */
  gsize  n_bad;                /* walkers whose energy was no number */
} LacEvaluationResult;

/* @n_steps: batches at most; @repulsion: of the nuclei */
LacEvaluation *lac_evaluation_new(gsize n_steps, double repulsion);
void           lac_evaluation_free(LacEvaluation *evaluation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEvaluation, lac_evaluation_free)

/* Returns: the batch's mean energy. */
double lac_evaluation_add(LacEvaluation *evaluation, const LacEnergyParts *parts);

/* NaN what is not known yet. Does not allocate. */
void lac_evaluation_get_result(LacEvaluation *evaluation, LacEvaluationResult *result);

/* All of it as one row of numbers. */
gsize lac_evaluation_get_state_length(const LacEvaluation *evaluation);
void  lac_evaluation_save(const LacEvaluation *evaluation, double *state);
void  lac_evaluation_load(LacEvaluation *evaluation, const double *state);

G_END_DECLS
