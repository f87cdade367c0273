/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structural dissimilarity as a loss: its derivatives go back through the same windows. */
#include "experiment/imaging/amplitude-loss.h"

#include <math.h>
#include <string.h>

#define REACH 5 /* of the window: 11 x 11 */
#define SIGMA 1.5
#define C1    (0.01 * 0.01)
#define C2    (0.03 * 0.03)

/* [n] each: what the window sees, later what it says back */
enum { X, Y, MEAN_X, MEAN_Y, XX, YY, XY, ROWS, N_MAPS };
G_STATIC_ASSERT(N_MAPS == LAC_AMPLITUDE_LOSS_MAPS);

static void
make_window(double window[2 * REACH + 1])
{
  double sum = 0;

  for (int k = -REACH; k <= REACH; k++)
    sum += window[k + REACH] = exp(-k * k / (2 * SIGMA * SIGMA));
  for (int k = 0; k <= 2 * REACH; k++)
    window[k] /= sum;
}

/* Mirrored at the edge without repeating it. */
static gsize
mirror(gssize i, gsize n)
{
  const gssize last = (gssize) n - 1;

  i = ABS(i);
  return (gsize) (i > last ? 2 * last - i : i);
}

/* Rows of @x come together in @y, or go apart, each weighted by the window; rows @step numbers apart, numbers of a row @other. */
static void
blur_along(const double *x, double *y, gsize n, gsize step, gboolean back)
{
  const gsize other = step == 1 ? n : 1;
  double      window[2 * REACH + 1];

  make_window(window);
  memset(y, 0, n * n * sizeof *y);
  for (gsize i = 0; i < n; i++)
    for (int k = -REACH; k <= REACH; k++) {
      const gsize   seen = mirror((gssize) i + k, n);
      const double *from = x + (back ? i : seen) * step;
      double       *to = y + (back ? seen : i) * step;
      for (gsize j = 0; j < n; j++)
        to[j * other] += window[k + REACH] * from[j * other];
    }
}

static void
blur(double *map, double *rows, gsize n, gboolean back)
{
  blur_along(map, rows, n, n, back);
  blur_along(rows, map, n, 1, back);
}

/* What nobody knows is alike in both. */
static void
fill_maps(const LacAmplitudeLoss *args, double *maps)
{
  const gsize n = args->n;

  for (gsize i = 0; i < n; i++) {
    const gboolean known = !(args->measured[i] < 0);
    const double   x = known ? args->scale * args->predicted[i] : 0;
    const double   y = known ? args->scale * args->measured[i] : 0;

    maps[X * n + i] = maps[MEAN_X * n + i] = x;
    maps[Y * n + i] = maps[MEAN_Y * n + i] = y;
    maps[XX * n + i] = x * x;
    maps[YY * n + i] = y * y;
    maps[XY * n + i] = x * y;
  }
}

/* S = A1 A2 / (B1 B2), each a function of the windowed x, x^2 and x y; its slopes by them take their place. Returns: the sum of S. */
static double
turn_maps(double *maps, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++) {
    const double x = maps[MEAN_X * n + i], y = maps[MEAN_Y * n + i];
    const double a1 = 2 * x * y + C1, a2 = 2 * (maps[XY * n + i] - x * y) + C2;
    const double b1 = x * x + y * y + C1,
                 b2 = maps[XX * n + i] - x * x + maps[YY * n + i] - y * y + C2;
    const double s = a1 * a2 / (b1 * b2);

    sum += s;
    maps[MEAN_X * n + i] = 2 * y * (a2 - a1) / (b1 * b2) + 2 * x * s * (1 / b2 - 1 / b1);
    maps[XX * n + i] = -s / b2;
    maps[XY * n + i] = 2 * a1 / (b1 * b2);
  }
  return sum;
}

double
lac_amplitude_dissimilarity(const LacAmplitudeLoss *args, double weight, double *predicted_bar)
{
  const gsize  n = args->n, side = (gsize) lround(sqrt((double) n));
  double      *maps = args->scratch, *rows = maps + ROWS * n;
  const double slope = -weight * args->scale / (2 * (double) n);
  double       sum;

  fill_maps(args, maps);
  for (gsize m = MEAN_X; m <= XY; m++)
    blur(maps + m * n, rows, side, FALSE);
  sum = turn_maps(maps, n);
  if (predicted_bar) {
    blur(maps + MEAN_X * n, rows, side, TRUE);
    blur(maps + XX * n, rows, side, TRUE);
    blur(maps + XY * n, rows, side, TRUE);
    for (gsize i = 0; i < n; i++)
      predicted_bar[i] = args->measured[i] < 0 ? 0
                                               : slope * (maps[MEAN_X * n + i] +
                                                          2 * maps[X * n + i] * maps[XX * n + i] +
                                                          maps[Y * n + i] * maps[XY * n + i]);
  }
  return (1 - sum / (double) n) / 2;
}
