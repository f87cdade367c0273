/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proper orthogonal decomposition of training snapshots, by the method of snapshots.
 * Source: Sirovich (1987), Q. Appl. Math. 45, 561; flow.md 4.3. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gsize   n;       /* numbers a snapshot */
  gsize   n_modes; /* r */
  double *mean;    /* [n] of the training snapshots */
  double
    *modes; /* [n_modes][n], orthonormal rows, largest first; the largest |entry| is positive */
  double *deviations; /* [n_modes]: rms of the coefficients, singular value / sqrt(snapshots) */
  double *truncation; /* [n]: rms of what the modes leave of the training fluctuation */
  double  rms;        /* of the fluctuation, per number */
} LacPod;

/**
 * lac_pod_new:
 * @snapshots: [n_snapshots][n], of the training interval alone
 * @n_modes: at most n_snapshots - 1; fewer are kept where the spectrum ends earlier
 *
 * The Gram matrix is summed in double; modes below sqrt(epsilon) of the largest are dropped.
 * Returns: %NULL when the eigenproblem does not converge: a snapshot is not finite.
 */
LacPod *lac_pod_new(const double *snapshots, gsize n_snapshots, gsize n, gsize n_modes);
void    lac_pod_free(LacPod *pod);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPod, lac_pod_free)

G_END_DECLS
