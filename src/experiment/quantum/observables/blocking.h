/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocking estimate of the standard error of a mean of correlated samples: neighbouring samples are averaged in
 * pairs until the blocks are independent. Any thread. Source: Flyvbjerg, Petersen (1989), doi:10.1063/1.457480. The
 * blocking level is chosen by the criterion of Wolff (2004), doi:10.1016/S0010-4655(03)00467-3, as used by Lee et
 * al. (2011), doi:10.1103/PhysRevE.83.066706. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double mean;
  double error;          /* standard deviation of the mean */
  double error_of_error; /* standard deviation of @error */
  double
    correlation;  /* number of samples per independent sample; 1 or more, up to statistical noise */
  gsize n_blocks; /* number of blocks at the chosen level */
  gboolean
    has_settled; /* FALSE: the series is too short for its correlation and the error is underestimated */
} LacBlocking;

/* Finds the mean and its error. @series: [n], overwritten by block means. Results that need more than @n samples are
 * NaN. */
void lac_blocking_find(double *series, gsize n, LacBlocking *blocking);

G_END_DECLS
