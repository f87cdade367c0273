/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas of Metropolis moves, written once. Each concerns one electron unless stated otherwise; bohr. Plain C, also
 * compiled by nvcc. Source: Metropolis et al. (1953), doi:10.1063/1.1699114; harmonic mean: Spencer et al. (2020),
 * arXiv 2011.07125; limited drift: Umrigar, Nightingale, Runge (1993), doi:10.1063/1.465195 */
#pragma once

#include "base/formula.h"
#include "base/philox.h"

#include <math.h>
#include <stddef.h>

#define LAC_DRIFT_LIMIT 0.5 /* a of Umrigar's v_bar */

/* Returns the number of blocks of random numbers per walker and move. The first block holds two uniform numbers: one
 * for the acceptance threshold, one for the choice between moving and exchanging electrons. The others hold normal
 * numbers, two per block, or two uniform ones that select the electrons to exchange. */
LAC_FORMULA uint64_t
lac_move_blocks(size_t n_electrons)
{
  return 1 + (3 * (uint64_t) n_electrons + 1) / 2;
}

/* Returns the harmonic mean of the distances from r to the nuclei, [n_nuclei][3]. */
LAC_FORMULA double
lac_harmonic_mean(const double *nuclei, size_t n_nuclei, const double r[3])
{
  double sum = 0;

  for (size_t a = 0; a < n_nuclei; a++) {
    const double *R = nuclei + 3 * a;
    const double  x = r[0] - R[0], y = r[1] - R[1], z = r[2] - R[2];

    sum += 1 / sqrt(x * x + y * y + z * z);
  }
  return (double) n_nuclei / sum;
}

/* -log q(to | from) with width sigma, up to a constant that cancels between the two directions */
LAC_FORMULA double
lac_distance_cost(const double from[3], const double to[3], double sigma)
{
  double square = 0;

  for (int c = 0; c < 3; c++)
    square += (to[c] - from[c]) * (to[c] - from[c]);
  return square / (2 * sigma * sigma) + 3 * log(sigma);
}

/* Proposes a move with a width that shrinks near nuclei. Returns: log q(from | to) - log q(to | from). */
LAC_FORMULA double
lac_move_harmonic(const double *nuclei,
                  size_t        n_nuclei,
                  double        width,
                  const double  from[3],
                  const double  noise[3],
                  double        to[3])
{
  const double there = width * lac_harmonic_mean(nuclei, n_nuclei, from);

  for (int c = 0; c < 3; c++)
    to[c] = from[c] + there * noise[c];
  return lac_distance_cost(from, to, there) -
         lac_distance_cost(to, from, width * lac_harmonic_mean(nuclei, n_nuclei, to));
}

/* Limits the gradient of log |psi| so that a step of time tau does not overshoot. */
LAC_FORMULA void
lac_limit_drift(const double v[3], double tau, double limited[3])
{
  const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  const double x = LAC_DRIFT_LIMIT * square * tau;
  const double factor = x > 1e-12 ? (sqrt(1 + 2 * x) - 1) / x : 1;

  for (int c = 0; c < 3; c++)
    limited[c] = factor * v[c];
}

LAC_FORMULA void
lac_move_drifting(double       width,
                  const double from[3],
                  const double v[3],
                  const double noise[3],
                  double       to[3])
{
  const double tau = width * width;
  double       drift[3];

  lac_limit_drift(v, tau, drift);
  for (int c = 0; c < 3; c++)
    to[c] = from[c] + tau * drift[c] + width * noise[c];
}

/* Returns log q(from | to) - log q(to | from) of a Langevin move, from the gradients at both ends. */
LAC_FORMULA double
lac_correct_drift(double       width,
                  const double from[3],
                  const double to[3],
                  const double v_from[3],
                  const double v_to[3])
{
  const double tau = width * width;
  double       there[3], back[3], correction = 0;

  lac_limit_drift(v_from, tau, there);
  lac_limit_drift(v_to, tau, back);
  for (int c = 0; c < 3; c++) {
    const double forth_noise = to[c] - from[c] - tau * there[c];
    const double back_noise = from[c] - to[c] - tau * back[c];

    correction += (forth_noise * forth_noise - back_noise * back_noise) / (2 * tau);
  }
  return correction;
}

/* Performs the Metropolis test of a walker. threshold: the log of a uniform number. A walker with psi = 0 accepts any
 * finite proposal; a proposal with psi = 0 is never accepted. */
LAC_FORMULA int
lac_move_is_accepted(double log_abs, double proposed_log, double correction, double threshold)
{
  if (!isfinite(proposed_log))
    return 0;
  return !isfinite(log_abs) || threshold < 2 * (proposed_log - log_abs) + correction;
}

/* Acceptance rates that give the best mixing; the rate is higher with drift. */
#define LAC_ACCEPTANCE       0.525
#define LAC_ACCEPTANCE_DRIFT 0.7

/* Adapts the width towards the acceptance `target`. gain: 0 to 1, adaptation rate */
LAC_FORMULA double
lac_adapted_width(double width, double acceptance, double target, double gain)
{
  const double off = fmin(fmax(acceptance - target, -0.5), 0.5);

  return fmin(fmax(width * exp(gain * off), 1e-4), 10.0);
}
