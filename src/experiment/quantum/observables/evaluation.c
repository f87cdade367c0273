/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of batch means and their blocking analysis. */
#include "experiment/quantum/observables/evaluation.h"

#include "experiment/quantum/observables/blocking.h"

#include <math.h>
#include <string.h>

/* Series of batch means. */
enum { KINETIC, ATTRACTION, REPULSION, N_SERIES };

/* Sums stored after the series. */
enum { SQUARES, SUM, SAMPLES, ORIGIN, BAD, BATCHES, N_SUMS };

struct _LacEvaluation {
  gsize   n_steps;
  double  repulsion;
  double *series;       /* [N_SERIES][n_steps] */
  double  sums[N_SUMS]; /* of energies minus the first batch's mean, for the variance */
  double *scratch;      /* [n_steps] */
};

LacEvaluation *
lac_evaluation_new(gsize n_steps, double repulsion)
{
  LacEvaluation *evaluation = g_new0(LacEvaluation, 1);

  evaluation->n_steps = n_steps;
  evaluation->repulsion = repulsion;
  evaluation->series = g_new0(double, N_SERIES *n_steps);
  evaluation->scratch = g_new0(double, n_steps);
  return evaluation;
}

void
lac_evaluation_free(LacEvaluation *evaluation)
{
  if (!evaluation)
    return;
  g_free(evaluation->series);
  g_free(evaluation->scratch);
  g_free(evaluation);
}

static gsize
get_n_batches(const LacEvaluation *evaluation)
{
  return (gsize) evaluation->sums[BATCHES];
}

double
lac_evaluation_add(LacEvaluation *evaluation, const LacEnergyParts *parts)
{
  const gsize t = get_n_batches(evaluation);
  double      means[N_SERIES] = {0}, energy;
  gsize       n = 0;

  g_return_val_if_fail(t < evaluation->n_steps, NAN);
  for (gsize b = 0; b < parts->n_walkers; b++) {
    if (!isfinite(parts->kinetic[b] + parts->attraction[b] + parts->repulsion[b]))
      continue;
    means[KINETIC] += parts->kinetic[b];
    means[ATTRACTION] += parts->attraction[b];
    means[REPULSION] += parts->repulsion[b];
    n++;
  }
  evaluation->sums[BAD] += (double) (parts->n_walkers - n);
  if (!n)
    return NAN;
  for (guint s = 0; s < N_SERIES; s++)
    evaluation->series[s * evaluation->n_steps + t] = means[s] /= (double) n;
  energy = means[KINETIC] + means[ATTRACTION] + means[REPULSION];
  if (t == 0)
    evaluation->sums[ORIGIN] = energy;
  for (gsize b = 0; b < parts->n_walkers; b++) {
    const double above =
      parts->kinetic[b] + parts->attraction[b] + parts->repulsion[b] - evaluation->sums[ORIGIN];

    if (!isfinite(above))
      continue;
    evaluation->sums[SUM] += above;
    evaluation->sums[SQUARES] += above * above;
  }
  evaluation->sums[SAMPLES] += (double) n;
  evaluation->sums[BATCHES]++;
  return energy + evaluation->repulsion;
}

static double
mean_of(const LacEvaluation *evaluation, guint series)
{
  const gsize n = get_n_batches(evaluation);
  double      sum = 0;

  for (gsize t = 0; t < n; t++)
    sum += evaluation->series[series * evaluation->n_steps + t];
  return n ? sum / (double) n : (double) NAN;
}

/* Fills the scratch with @weights times the means of each batch. */
static void
combine(LacEvaluation *evaluation, const double weights[N_SERIES])
{
  for (gsize t = 0; t < get_n_batches(evaluation); t++) {
    evaluation->scratch[t] = 0;
    for (guint s = 0; s < N_SERIES; s++)
      evaluation->scratch[t] += weights[s] * evaluation->series[s * evaluation->n_steps + t];
  }
}

void
lac_evaluation_get_result(LacEvaluation *evaluation, LacEvaluationResult *result)
{
  static const double energy_weights[N_SERIES] = {1, 1, 1};
  const gsize         n = get_n_batches(evaluation);
  const double       *sums = evaluation->sums;
  LacBlocking         blocking;
  double              virial_weights[N_SERIES];

  *result = (LacEvaluationResult){
    .kinetic = mean_of(evaluation, KINETIC),
    .attraction = mean_of(evaluation, ATTRACTION),
    .repulsion = mean_of(evaluation, REPULSION),
    .n_bad = (gsize) sums[BAD],
  };
  result->energy = result->kinetic + result->attraction + result->repulsion + evaluation->repulsion;
  result->variance = (sums[SQUARES] - sums[SUM] * sums[SUM] / sums[SAMPLES]) / (sums[SAMPLES] - 1);
  combine(evaluation, energy_weights);
  lac_blocking_find(evaluation->scratch, n, &blocking);
  /* a correlation below 1 is a chance of few blocks: the bar is at least that of independent samples */
  result->error = blocking.error / sqrt(fmin(blocking.correlation, 1));
  result->error_of_error = blocking.error_of_error;
  result->correlation = blocking.correlation;
  result->virial =
    -(result->attraction + result->repulsion + evaluation->repulsion) / result->kinetic;
  /* error propagation to first order in the deviations of the batches */
  virial_weights[KINETIC] = -result->virial / result->kinetic;
  virial_weights[ATTRACTION] = virial_weights[REPULSION] = -1 / result->kinetic;
  combine(evaluation, virial_weights);
  lac_blocking_find(evaluation->scratch, n, &blocking);
  result->virial_error = blocking.error;
}

void
lac_evaluation_pack(gpointer data, LacPacking *packing)
{
  LacEvaluation *evaluation = data;

  lac_packing_values(packing, evaluation->sums, N_SUMS);
  lac_packing_values(packing, evaluation->series, N_SERIES * evaluation->n_steps);
}
