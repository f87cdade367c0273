/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amplitude losses and their derivatives. */
#include "experiment/imaging/helpers/amplitude-loss.h"

#include <math.h>
#include <string.h>

#define TINY 1e-8

/* Sums over the measured image. */
typedef struct {
  double n, size, energy; /* of the measured pixels */
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

static double
find_distance(const LacAmplitudeLoss *args, double weight, double *predicted_bar)
{
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

static double
find_dissimilarity(const LacAmplitudeLoss *args, double weight, double *predicted_bar)
{
  const LacStructure images = {.side = (gsize) lround(sqrt((double) args->n)),
                               .predicted = args->predicted,
                               .measured = args->measured,
                               .scale = args->scale,
                               .scratch = args->scratch};

  return lac_structure_find(&images, args->kind == LAC_LOSS_SSIM, weight, predicted_bar);
}

/* Adds up the weighted losses. The derivatives may overwrite the prediction, so they are summed in scratch memory. */
static double
add_parts(const LacAmplitudeLoss *args, double weight, double *predicted_bar)
{
  double          *sum = args->scratch + LAC_STRUCTURE_MAPS * args->n, *bar = sum + args->n;
  LacAmplitudeLoss part = *args;
  double           loss = 0;

  memset(sum, 0, args->n * sizeof *sum);
  for (int kind = 0; kind < LAC_LOSS_COMPOSITE; kind++) {
    if (args->weights[kind] == 0)
      continue;
    part.kind = (LacAmplitudeLossKind) kind;
    loss += args->weights[kind] *
            lac_amplitude_loss(&part, weight * args->weights[kind], predicted_bar ? bar : NULL);
    for (gsize i = 0; i < args->n && predicted_bar; i++)
      sum[i] += bar[i];
  }
  if (predicted_bar)
    memcpy(predicted_bar, sum, args->n * sizeof *sum);
  return loss;
}

double
lac_amplitude_loss(const LacAmplitudeLoss *args, double weight, double *predicted_bar)
{
  switch (args->kind) {
  case LAC_LOSS_L1:
  case LAC_LOSS_L2: return find_distance(args, weight, predicted_bar);
  case LAC_LOSS_SSIM:
  case LAC_LOSS_MS_SSIM: return find_dissimilarity(args, weight, predicted_bar);
  case LAC_LOSS_COMPOSITE: return add_parts(args, weight, predicted_bar);
  case LAC_N_LOSSES: break;
  }
  g_assert_not_reached();
}
