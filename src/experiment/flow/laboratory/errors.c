/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/flow/laboratory/errors.h"

#include <math.h>
#include <string.h>

double *
lac_errors_new_mean(const LacTruth *truth)
{
  const gsize   n = lac_truth_get_length(truth), cells = truth->nx * truth->ny;
  const gsize   n_times = truth->n_training ? truth->n_training : truth->n_times;
  const double *snapshots = truth->n_training ? truth->training : truth->observed;
  double       *mean = g_new0(double, n);

  if (truth->file)
    memcpy(mean, truth->file->mean, n * sizeof *mean);
  if (!snapshots)
    return mean;
  for (gsize k = 0; k < n_times; k++)
    for (gsize i = 0; i < n; i++)
      mean[i] += snapshots[k * n + i] / (double) n_times;
  if (truth->n_training)
    return mean;
  /* without training data the reference is one mean value per field */
  for (guint f = 0; f < truth->n_fields; f++) {
    double sum = 0;

    for (gsize i = 0; i < cells; i++)
      sum += mean[f * cells + i] / (double) cells;
    for (gsize i = 0; i < cells; i++)
      mean[f * cells + i] = sum;
  }
  return mean;
}

double *
lac_errors_new_window_mean(const LacTruth *truth)
{
  const gsize n = lac_truth_get_length(truth);
  double     *mean = g_new0(double, n);

  for (gsize k = 0; k < truth->n_times; k++)
    for (gsize i = 0; i < n; i++)
      mean[i] += truth->observed[k * n + i] / (double) truth->n_times;
  return mean;
}

static double
mean_inside(const LacTruth *truth, const double *a, const double *b)
{
  double sum = 0;
  gsize  n = 0;

  for (gsize i = 0; i < truth->nx * truth->ny; i++)
    if (!truth->mask || truth->mask[i]) {
      sum += a[i] - (b ? b[i] : 0);
      n++;
    }
  return n ? sum / (double) n : 0;
}

static void
add_field(LacErrorSums *sums, const LacErrorNorm *norm, gsize k, guint f, const double *field)
{
  const LacTruth *truth = norm->truth;
  const gsize     cells = truth->nx * truth->ny;
  const double   *found = field + f * cells, *true_values = lac_truth_at(truth, k) + f * cells;
  const double   *mean = norm->mean + f * cells;
  const double   *window = norm->window ? norm->window + f * cells : mean;
  const gboolean  gauged = (norm->subject->gauged & 1u << f) != 0;
  const double    shift = gauged ? mean_inside(truth, found, true_values) : 0;
  const double    level = gauged ? mean_inside(truth, true_values, NULL) : 0;
  const double    base = gauged ? mean_inside(truth, true_values, mean) : 0;
  const double    own = gauged ? mean_inside(truth, true_values, window) : 0;

  for (gsize i = 0; i < cells; i++) {
    const double error = found[i] - shift - true_values[i];
    const double part = true_values[i] - mean[i] - base, whole = true_values[i] - level;
    const double within = true_values[i] - window[i] - own;

    if (truth->mask && !truth->mask[i])
      continue;
    sums->error[f] += error * error;
    sums->fluctuation[f] += part * part;
    sums->window[f] += within * within;
    sums->whole[f] += whole * whole;
  }
}

void
lac_error_sums_add(LacErrorSums *sums, const LacErrorNorm *norm, gsize k, const double *field)
{
  for (guint f = 0; f < norm->truth->n_fields; f++)
    add_field(sums, norm, k, f, field);
}

void
lac_error_sums_add_sums(LacErrorSums *sums, const LacErrorSums *other)
{
  for (guint f = 0; f < LAC_TRUTH_MAX_FIELDS; f++) {
    sums->error[f] += other->error[f];
    sums->fluctuation[f] += other->fluctuation[f];
    sums->window[f] += other->window[f];
    sums->whole[f] += other->whole[f];
  }
}

double
lac_error_sums_combine(const LacErrorSums *sums, const LacErrorNorm *norm, const double *squares)
{
  const guint all = (1u << norm->truth->n_fields) - 1;
  const guint counted = all & ~norm->subject->gauged ? all & ~norm->subject->gauged : all;
  double      errors = 0, norms = 0;

  for (guint f = 0; f < norm->truth->n_fields; f++)
    if (counted & 1u << f) {
      errors += sums->error[f];
      norms += squares[f];
    }
  return sqrt(errors / norms);
}
