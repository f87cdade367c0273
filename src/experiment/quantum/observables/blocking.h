/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The standard error of a mean whose samples resemble their predecessors: neighbours are averaged pair by pair until what is left
 * is independent. Any thread. Source: Flyvbjerg, Petersen (1989), doi:10.1063/1.457480; the level by Wolff (2004),
 * doi:10.1016/S0010-4655(03)00467-3, as Lee et al. (2011) use it, doi:10.1103/PhysRevE.83.066706 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double mean;
  double error;          /* standard deviation of the mean */
  double error_of_error; /* standard deviation of that */
  double correlation;    /* samples that stand for one independent one: 1 or more, but for noise */
  gsize  n_blocks;       /* of the level that was chosen */
  gboolean
    has_settled; /* FALSE: the series is too short for its correlation, the error too small */
} LacBlocking;

/* @series: [n], overwritten by block means. NaN what fewer than two samples cannot tell. */
void lac_blocking_find(double *series, gsize n, LacBlocking *blocking);

G_END_DECLS
