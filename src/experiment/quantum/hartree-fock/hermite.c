/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hermite Gaussians: their numbering, Boys' function and the potential of one. */
#include "experiment/quantum/hartree-fock/hartree-fock-private.h"

#include <math.h>
#include <string.h>

/* Below, the series converges in thirty terms; above, the recursion upwards loses no digit:
 * 1 * 3 * 5 * 7 / (2 x)^4 is smaller than F_4 / F_0. */
#define BOYS_TURN 4.0

void
lac_boys(guint order, double x, double *values)
{
  double decay = exp(-x);

  g_assert(order <= LAC_BOYS_ORDER);
  if (x < BOYS_TURN) {
    double term = 1.0 / (2 * order + 1), sum = term;

    for (guint k = 1; term > 1e-17 * sum; k++) {
      term *= 2 * x / (2 * (order + k) + 1);
      sum += term;
    }
    values[order] = decay * sum;
    for (guint m = order; m-- > 0;)
      values[m] = (2 * x * values[m + 1] + decay) / (2 * m + 1);
    return;
  }
  values[0] = 0.5 * sqrt(G_PI / x) * erf(sqrt(x));
  for (guint m = 0; m < order; m++)
    values[m + 1] = ((2 * m + 1) * values[m] - decay) / (2 * x);
}

void
lac_hermites_init(LacHermites *hermites)
{
  guint n = 0;

  memset(hermites, 0, sizeof *hermites);
  for (guint order = 0; order <= LAC_BOYS_ORDER; order++)
    for (guint t = 0; t <= order; t++)
      for (guint u = 0; u <= order - t; u++) {
        guint8 *powers = hermites->powers[n];
        guint   axis = 0;

        powers[0] = (guint8) t;
        powers[1] = (guint8) u;
        powers[2] = (guint8) (order - t - u);
        hermites->index[t][u][order - t - u] = (guint8) n;
        hermites->lower[n] = hermites->lowest[n] = -1;
        if (order > 0) {
          guint8 less[3] = {powers[0], powers[1], powers[2]};

          while (powers[axis] == 0)
            axis++;
          hermites->axis[n] = (guint8) axis;
          less[axis]--;
          hermites->lower[n] = (gint8) hermites->index[less[0]][less[1]][less[2]];
          if (less[axis] > 0) {
            less[axis]--;
            hermites->lowest[n] = (gint8) hermites->index[less[0]][less[1]][less[2]];
          }
        }
        n++;
      }
  for (guint i = 0; i < LAC_PAIR_HERMITES; i++)
    for (guint j = 0; j < LAC_PAIR_HERMITES; j++) {
      const guint8 *a = hermites->powers[i], *b = hermites->powers[j];

      hermites->sum[i][j] = hermites->index[a[0] + b[0]][a[1] + b[1]][a[2] + b[2]];
    }
}

/* R^n_tuv from R^(n+1) of lower order, in place: what is needed has the smaller number. */
void
lac_hermites_potential(const LacHermites *hermites,
                       guint              order,
                       double             exponent,
                       const double       offset[3],
                       double            *values)
{
  double boys[LAC_BOYS_ORDER + 1], power = 1;
  double square = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];

  lac_boys(order, exponent * square, boys);
  for (guint n = 0; n <= order; n++) {
    boys[n] *= power;
    power *= -2 * exponent;
  }
  for (guint n = order + 1; n-- > 0;) {
    for (guint i = lac_hermites_up_to(order - n); i-- > 1;) {
      guint  axis = hermites->axis[i];
      double value = offset[axis] * values[hermites->lower[i]];

      if (hermites->lowest[i] >= 0)
        value += (hermites->powers[i][axis] - 1) * values[hermites->lowest[i]];
      values[i] = value;
    }
    values[0] = boys[n];
  }
}
