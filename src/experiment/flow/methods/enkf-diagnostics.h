/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnostics of a filter's forecasts and of the sensor noise that it assumes, from its innovations d alone, before
 * any truth is known. S = H P H^T + R is the covariance with which the analysis weighs them.
 *   rank histogram       the rank of each reading among the members' values, to which the assumed noise is added: uniform
 *                        when members and truth are drawn from one distribution; heaped at both ends when the spread is
 *                        too small (Hamill 2001, doi:10.1175/1520-0493(2001)129<0550:IORHFV>2.0.CO;2);
 *   leave-one-out chi^2  of each reading against its prediction from the forecast and the other readings of its time:
 *                        residual (S^-1 d)_i / (S^-1)_ii with variance 1 / (S^-1)_ii (Dubrule 1983,
 *                        doi:10.1007/BF01033232): 1 when calibrated;
 *   noise                R over the assumed R: d (y - H x_a) / R = d S^-1 d, as the residual of the analysis is R S^-1 d
 *                        (Desroziers, Berre, Chapnik, Poli 2005, doi:10.1256/qj.05.108, eq. 3). */
#pragma once

#include "base/rng.h"
#include "experiment/flow/method.h"

#include <glib.h>

G_BEGIN_DECLS

/* Counts and means since the first analysis; starts at 0. Saved as it is. */
typedef struct {
  double n_ranks[LAC_RANK_BINS];
  double left_out, noise; /* means of squares over the last analyses; 0 before the first */
  gint64 n;               /* analyses with readings */
} LacEnkfDiagnostics;

/* The readings of one analysis. */
typedef struct {
  gsize         m, n_members;
  const double *states;     /* [n_members][m]: members at the sensors, not inflated */
  const double *mean;       /* [m]: theirs */
  const double *values;     /* [m]: measured */
  const double *deviations; /* [m]: assumed noise */
} LacEnkfReadings;

/* Counts the ranks. Draws one normal number per member and reading, and a uniform one per reading. */
void lac_enkf_diagnostics_rank(LacEnkfDiagnostics    *diagnostics,
                               const LacEnkfReadings *readings,
                               LacRng                *rng);

/* Adds the residuals. @covariance: [m][m]: S. @work: [LAC_ENKF_DIAGNOSTICS_WORK(m)]. Does nothing when S is not positive
 * definite. Neither allocates. */
#define LAC_ENKF_DIAGNOSTICS_WORK(m) ((m) * (2 * (m) + 1))
void lac_enkf_diagnostics_add(LacEnkfDiagnostics    *diagnostics,
                              const LacEnkfReadings *readings,
                              const double          *covariance,
                              double                *work);

/* Computes @shares, [LAC_RANK_BINS]: the share of the readings in each bin over that of a uniform distribution; NaN
 * without readings. */
void lac_enkf_diagnostics_get_ranks(const LacEnkfDiagnostics *diagnostics, double *shares);

/* Returns the mean share of the first and the last bin: above 1 where the spread is too small; 0 without readings. */
double lac_enkf_diagnostics_get_outer(const LacEnkfDiagnostics *diagnostics);

G_END_DECLS
