/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation and coordinates of a truth. */
#include "experiment/flow/truth.h"

LacTruth *
lac_truth_new(guint              n_fields,
              const char *const *fields,
              gsize              nx,
              gsize              ny,
              gsize              n_training,
              gsize              n_times)
{
  LacTruth   *truth = g_new0(LacTruth, 1);
  const gsize n = n_fields * nx * ny;

  g_assert(n_fields >= 1 && n_fields <= LAC_TRUTH_MAX_FIELDS && n_times >= 1);
  truth->n_fields = n_fields;
  for (guint i = 0; i < n_fields; i++)
    truth->fields[i] = fields[i];
  truth->nx = nx;
  truth->ny = ny;
  truth->n_training = n_training;
  truth->n_times = n_times;
  truth->times = g_new0(double, n_times);
  if (n_training)
    truth->training = g_new0(double, n_training *n);
  truth->observed = g_new0(double, n_times *n);
  lac_memory_claim(&truth->claim, LAC_MEMORY_DATA, (n_training + n_times) * n * sizeof(double));
  return truth;
}

void
lac_truth_free(LacTruth *truth)
{
  if (!truth)
    return;
  g_free(truth->mask);
  g_free(truth->times);
  g_free(truth->training);
  if (truth->file) {
    truth->file->free(truth->file->self);
    g_free(truth->file->name);
    g_free(truth->file->mean);
    g_free(truth->file->variance);
    g_free(truth->file->last);
    g_free(truth->file);
  }
  g_free(truth->observed);
  lac_memory_unclaim(&truth->claim);
  g_free(truth);
}

gsize
lac_truth_get_length(const LacTruth *truth)
{
  return truth->n_fields * truth->nx * truth->ny;
}

const double *
lac_truth_at(const LacTruth *truth, gsize k)
{
  return truth->observed ? truth->observed + k * lac_truth_get_length(truth) : NULL;
}

double *
lac_truth_get_slot(LacTruth *truth, gsize i)
{
  const gsize n = lac_truth_get_length(truth);

  if (i < truth->n_training)
    return truth->training + i * n;
  return i - truth->n_training < truth->n_times ? truth->observed + (i - truth->n_training) * n
                                                : NULL;
}

static double
place(double lower, double upper, gsize i, gsize n)
{
  return n > 1 ? lower + (upper - lower) * (double) i / (double) (n - 1) : lower;
}

double
lac_truth_get_x(const LacTruth *truth, gsize column)
{
  return place(truth->lower[0], truth->upper[0], column, truth->nx);
}

double
lac_truth_get_y(const LacTruth *truth, gsize row)
{
  return place(truth->lower[1], truth->upper[1], row, truth->ny);
}
