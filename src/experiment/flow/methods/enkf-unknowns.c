/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unknowns as logarithms, so that updates cannot change their sign. */
#include "experiment/flow/methods/enkf-unknowns.h"

#include <math.h>

#define FIRST_SPREAD 0.3  /* initial standard deviation of the logarithms */
#define LAST_GAIN    0.08 /* weight of the last estimate: about 25 count */

enum { STREAM_GUESSES = 4 };

void
lac_enkf_unknowns_init(LacEnkfUnknowns *unknowns, const LacCase *subject, gsize n_members)
{
  unknowns->subject = subject;
  unknowns->n_members = n_members;
  unknowns->n = lac_case_list_unknowns(subject, unknowns->which);
  unknowns->parameters = g_new0(double, n_members * subject->solver->n_parameters + 1);
}

void
lac_enkf_unknowns_clear(LacEnkfUnknowns *unknowns)
{
  g_free(unknowns->parameters);
}

void
lac_enkf_unknowns_draw(LacEnkfUnknowns *unknowns, guint64 seed)
{
  const LacCase *subject = unknowns->subject;
  const guint    n_parameters = subject->solver->n_parameters;
  double        *numbers = unknowns->numbers;
  LacRng         rng = lac_rng(seed, STREAM_GUESSES);

  for (gsize e = 0; e < unknowns->n_members; e++) {
    for (guint p = 0; p < n_parameters; p++)
      unknowns->parameters[e * n_parameters + p] = subject->parameters[p];
    for (guint u = 0; u < unknowns->n; u++)
      numbers[e * unknowns->stride + u] =
        log(subject->guesses[subject->parameter_coefficient[unknowns->which[u]]]) +
        FIRST_SPREAD * lac_rng_normal(&rng);
  }
}

void
lac_enkf_unknowns_hand_over(LacEnkfUnknowns *unknowns)
{
  const guint   n_parameters = unknowns->subject->solver->n_parameters;
  const double *numbers = unknowns->numbers;

  for (gsize e = 0; e < unknowns->n_members; e++)
    for (guint u = 0; u < unknowns->n; u++)
      unknowns->parameters[e * n_parameters + unknowns->which[u]] =
        exp(numbers[e * unknowns->stride + u]);
}

void
lac_enkf_unknowns_reduce(LacEnkfUnknowns *unknowns, gsize n_members)
{
  unknowns->n_members = n_members;
  lac_enkf_unknowns_hand_over(unknowns);
}

static double
find_mean(const LacEnkfUnknowns *unknowns, guint u)
{
  const double *numbers = unknowns->numbers;
  double        mean = 0;

  for (gsize e = 0; e < unknowns->n_members; e++)
    mean += numbers[e * unknowns->stride + u] / (double) unknowns->n_members;
  return mean;
}

/* Returns the variance of the logarithms. */
static double
find_variance(const LacEnkfUnknowns *unknowns, guint u, double mean)
{
  const double *numbers = unknowns->numbers;
  double        variance = 0;

  for (gsize e = 0; e < unknowns->n_members; e++)
    variance +=
      pow(numbers[e * unknowns->stride + u] - mean, 2) / (double) (unknowns->n_members - 1);
  return variance;
}

void
lac_enkf_unknowns_spread(LacEnkfUnknowns *unknowns, double least)
{
  double *numbers = unknowns->numbers;

  for (guint u = 0; u < unknowns->n; u++) {
    const double mean = find_mean(unknowns, u), variance = find_variance(unknowns, u, mean);
    const double factor = variance > 0 && variance < least * least ? least / sqrt(variance) : 1;

    for (gsize e = 0; e < unknowns->n_members; e++) {
      double *number = &numbers[e * unknowns->stride + u];

      *number = mean + factor * (*number - mean);
    }
  }
  lac_enkf_unknowns_hand_over(unknowns);
}

double
lac_enkf_unknowns_get_mean(const LacEnkfUnknowns *unknowns, guint u)
{
  return exp(find_mean(unknowns, u));
}

void
lac_enkf_unknowns_follow(LacEnkfUnknowns *unknowns)
{
  LacEnkfTrail *trail = &unknowns->trail;
  const double  gain = fmax(1 / (double) ++trail->n, LAST_GAIN);

  for (guint u = 0; u < unknowns->n; u++) {
    const double apart = find_mean(unknowns, u) - trail->mean[u];

    trail->mean[u] += gain * apart;
    trail->variance[u] = (1 - gain) * (trail->variance[u] + gain * apart * apart);
  }
}

double
lac_enkf_unknowns_get_error(const LacEnkfUnknowns *unknowns, guint u)
{
  const double mean = find_mean(unknowns, u);

  return exp(mean) * sqrt(find_variance(unknowns, u, mean) + unknowns->trail.variance[u]);
}
