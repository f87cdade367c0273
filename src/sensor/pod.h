/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proper orthogonal decomposition of training snapshots, by the method of snapshots or by a randomised range finder. Snapshots
 * are read a slab of points at a time, so that they need neither be in double precision nor in memory.
 * Source: Sirovich (1987), Q. Appl. Math. 45, 561; Halko, Martinsson, Tropp (2011), doi:10.1137/090771806. */
#pragma once

#include "base/pool.h"

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

/* Fills @slab: [n_snapshots][n_points], numbers @first ... first + n_points - 1 of every snapshot. Returns: %FALSE with an
 * error. */
typedef gboolean (
  *LacPodRead)(gsize first, gsize n_points, double *slab, gpointer user_data, GError **error);

typedef enum {
  LAC_POD_SNAPSHOTS, /* eigenvectors of the Gram matrix: exact, n n_snapshots^2 operations */
  LAC_POD_RANDOMISED /* a random subspace of n_modes + 10: n n_snapshots n_modes, for many snapshots */
} LacPodMethod;

/* The snapshots are of the training interval alone; one of the three ways gives them. */
typedef struct {
  gsize n_snapshots, n;
  gsize n_modes; /* at most n_snapshots - 1; fewer are kept where the spectrum ends earlier */
  const double *snapshots; /* [n_snapshots][n], or */
  const float  *narrow;    /* [n_snapshots][n], or */
  LacPodRead
    read; /* in order of the points, twice and n_powers times; from any thread, one at a time */
  gpointer     user_data;
  LacPodMethod method;
  gsize    n_powers; /* of the randomised method: further passes, for spectra that fall slowly */
  guint64  seed;     /* of its random numbers */
  LacPool *pool;     /* NULL: the calling thread alone */
} LacPodSettings;

/* Sums are in double precision; modes below sqrt(epsilon n_snapshots) of the largest are dropped. Returns: %NULL with an error when the
 * snapshots are not numbers or cannot be read. */
LacPod *lac_pod_new_with(const LacPodSettings *settings, GError **error);

/* The method of snapshots in memory. Returns: %NULL when the snapshots are not numbers. */
LacPod *lac_pod_new(const double *snapshots, gsize n_snapshots, gsize n, gsize n_modes);
void    lac_pod_free(LacPod *pod);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPod, lac_pod_free)

G_END_DECLS
