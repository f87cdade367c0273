/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocking level by level; chooses the first level whose blocks are longer than the correlation, estimated from the
 * growth of the error. */
#include "experiment/quantum/observables/blocking.h"

#include <math.h>

enum { MAX_LEVELS = 48, ENOUGH_BLOCKS = 32 /* least number for a reliable error */ };

typedef struct {
  gsize  n;
  double error;
} Level;

/* Fills @level with the naive error of the mean. */
static void
measure(const double *series, gsize n, double mean, Level *level)
{
  double squares = 0;

  for (gsize i = 0; i < n; i++)
    squares += (series[i] - mean) * (series[i] - mean);
  level->n = n;
  level->error = sqrt(squares / ((double) n * (double) (n - 1)));
}

void
lac_blocking_find(double *series, gsize n, LacBlocking *blocking)
{
  Level levels[MAX_LEVELS];
  guint n_levels = 0, chosen = 0;

  *blocking = (LacBlocking){NAN, NAN, NAN, NAN, n, FALSE};
  if (n == 0)
    return;
  blocking->mean = 0;
  for (gsize i = 0; i < n; i++)
    blocking->mean += series[i] / (double) n;
  for (gsize m = n; m >= 2 && n_levels < MAX_LEVELS; m /= 2) {
    measure(series, m, blocking->mean, &levels[n_levels++]);
    for (gsize i = 0; i < m / 2; i++)
      series[i] = (series[2 * i] + series[2 * i + 1]) / 2;
  }
  if (!n_levels)
    return;
  /* blocks of 2^level samples are long enough: 2^(3 level) >= 2 n (error / naive error)^4 */
  for (; chosen < n_levels; chosen++) {
    const double growth = levels[0].error > 0 ? levels[chosen].error / levels[0].error : 1;

    if (pow(8, chosen) >= 2 * (double) n * pow(growth, 4))
      break;
  }
  blocking->has_settled = chosen < n_levels && levels[chosen].n >= ENOUGH_BLOCKS;
  if (!blocking->has_settled)
    for (chosen = 0; chosen + 1 < n_levels && levels[chosen + 1].n >= ENOUGH_BLOCKS;)
      chosen++;
  blocking->n_blocks = levels[chosen].n;
  blocking->error = levels[chosen].error;
  blocking->error_of_error = blocking->error / sqrt(2 * (double) (blocking->n_blocks - 1));
  blocking->correlation = levels[0].error > 0 ? pow(blocking->error / levels[0].error, 2) : 1;
}
