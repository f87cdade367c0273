/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Losses of amplitudes. */
#include "experiment/imaging/amplitude-loss.h"

#include <math.h>

#define TINY 1e-8

/* What the measured image alone says. */
typedef struct {
  double n, size, energy; /* of the pixels that count */
} Measured;

static Measured
sum_measured(const LacAmplitudeLoss *args)
{
  Measured sum = {0};

  for (gsize i = 0; i < args->n; i++) {
    const double y = args->measured[i];
    if (y < 0)
      continue;
    sum.n++;
    sum.size += y;
    sum.energy += y * y;
  }
  return sum;
}

static double
scale_of(const LacAmplitudeLoss *args, const Measured *sum)
{
  if (!args->normalised)
    return 1 / sum->n;
  if (args->kind == LAC_LOSS_L1)
    return 1 / (sum->size + sum->n * (args->floor + TINY));
  return 1 / (sum->energy + sum->n * (args->floor * args->floor + TINY));
}

static inline double
sign_of(double x)
{
  return (x > 0) - (x < 0);
}

double
lac_amplitude_loss(const LacAmplitudeLoss *args, double weight, double *predicted_bar)
{
  if (args->kind == LAC_LOSS_SSIM)
    return lac_amplitude_dissimilarity(args, weight, predicted_bar);

  const Measured sum = sum_measured(args);
  const double   scale = sum.n > 0 ? scale_of(args, &sum) : 0;
  double         loss = 0;

  for (gsize i = 0; i < args->n; i++) {
    const double   off = args->measured[i] < 0 ? 0 : args->predicted[i] - args->measured[i];
    const gboolean is_l1 = args->kind == LAC_LOSS_L1;

    loss += is_l1 ? fabs(off) : off * off;
    if (predicted_bar)
      predicted_bar[i] = weight * scale * (is_l1 ? sign_of(off) : 2 * off);
  }
  return loss * scale;
}
