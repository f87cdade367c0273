/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proper orthogonal decomposition of training snapshots, by the method of snapshots or by a randomised range finder.
 * Snapshots are read in slabs of points, so they need not be in memory or in double precision.
 * Source: Sirovich (1987), Q. Appl. Math. 45, 561; Halko, Martinsson, Tropp (2011), doi:10.1137/090771806. */
#pragma once

#include "backend/registry.h"
#include "base/pool.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gsize   n;       /* values per snapshot */
  gsize   n_modes; /* r, number of modes */
  double *mean;    /* [n]: mean of the training snapshots */
  double
    *modes; /* [n_modes][n], orthonormal, by falling deviation; the largest |entry| is positive */
  double *deviations; /* [n_modes]: RMS of the coefficients, singular value / sqrt(snapshots) */
  double *truncation; /* [n]: RMS of the training fluctuation outside the modes */
  double  rms;        /* RMS of the fluctuation, per value */
} LacPod;

/* Fills @slab: [n_snapshots][n_points], entries @first ... first + n_points - 1 of every snapshot. Returns: %FALSE
 * with an error. */
typedef gboolean (
  *LacPodRead)(gsize first, gsize n_points, double *slab, gpointer user_data, GError **error);

typedef enum {
  LAC_POD_SNAPSHOTS, /* eigenvectors of the Gram matrix: exact, n n_snapshots^2 operations */
  LAC_POD_RANDOMISED /* random subspace of n_modes + 10: n n_snapshots n_modes operations, for many snapshots */
} LacPodMethod;

/* Snapshots of the training interval only, given by one of three sources. */
typedef struct {
  gsize         n_snapshots, n;
  gsize         n_modes;   /* at most n_snapshots - 1; fewer if the spectrum ends earlier */
  const double *snapshots; /* [n_snapshots][n]; or, if NULL, one of the next two */
  const float  *narrow;    /* [n_snapshots][n], in single precision */
  LacPodRead
    read; /* called slab by slab in point order, in 2 + n_powers passes; any thread, one at a time */
  gpointer     user_data;
  LacPodMethod method;
  gsize
                   n_powers; /* additional passes (power iterations) of the randomised method, for slowly decaying spectra */
  guint64          seed;   /* random seed of the randomised method */
  LacPool         *pool;   /* NULL: the calling thread only */
  const LacDevice *device; /* for the products; (nullable): NULL, or without a table: the CPU */
} LacPodSettings;

/* Accumulates in double precision; drops modes whose singular value is below sqrt(epsilon n_snapshots) of the
 * largest. Returns: %NULL with an error if the snapshots are not finite or cannot be read. */
LacPod *lac_pod_new_with(const LacPodSettings *settings, GError **error);

/* Applies the method of snapshots to snapshots in memory. Returns: %NULL if they are not finite. */
LacPod *lac_pod_new(const double *snapshots, gsize n_snapshots, gsize n, gsize n_modes);
void    lac_pod_free(LacPod *pod);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPod, lac_pod_free)

G_END_DECLS
