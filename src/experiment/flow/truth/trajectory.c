/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One trajectory of a periodic line from a file. */
#include "experiment/flow/truth/trajectory.h"

#include "base/error.h"
#include "experiment/flow/truth/grid-file.h"

#include <math.h>

#define LEAST_TIMES 8    /* rows of the file: fewer leave nothing to train on */
#define SAME        1e-6 /* relative: the last point repeats the first one */

/* A file as rows of x. */
typedef struct {
  const LacGridField *file;
  int                 time; /* axis of time */
  gsize               n_t, n_x;
} Rows;

static double
get_value(const Rows *rows, gsize k, gsize i)
{
  return rows->file->data[rows->time == 0 ? k * rows->n_x + i : i * rows->n_t + k];
}

static gboolean
check_values(const Rows *rows, GError **error)
{
  for (gsize i = 0; i < rows->n_t * rows->n_x; i++)
    if (!isfinite(rows->file->data[i])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "the truth file's field \"%s\" contains a value that is not finite",
                  rows->file->name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
look_at(const LacGridField *file, Rows *rows, GError **error)
{
  const int time = file->n_axes == 2 ? lac_grid_file_find_time(file) : -1;

  if (time < 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the truth file's field \"%s\" has %u axes; two are needed, t and x, identified by "
                "name or by length",
                file->name, file->n_axes);
    return FALSE;
  }
  *rows = (Rows){file, time, file->axes[time].n, file->axes[1 - time].n};
  if (rows->n_t < LEAST_TIMES) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the truth file has %" G_GSIZE_FORMAT " times; at least %d are needed", rows->n_t,
                LEAST_TIMES);
    return FALSE;
  }
  return lac_axis_check_even(&file->axes[time], "the truth file", 1e-6, error) &&
         lac_axis_check_even(&file->axes[1 - time], "the truth file", 1e-6, error) &&
         check_values(rows, error);
}

/* Returns the number of points of one period: without the last one if it repeats the first at all times. */
static gsize
count_period(const Rows *rows)
{
  double largest = 0, gap = 0;

  for (gsize k = 0; k < rows->n_t; k++) {
    for (gsize i = 0; i < rows->n_x; i++)
      largest = MAX(largest, fabs(get_value(rows, k, i)));
    gap = MAX(gap, fabs(get_value(rows, k, rows->n_x - 1) - get_value(rows, k, 0)));
  }
  return rows->n_x - (gap <= SAME * largest);
}

/* Interpolates row @k at @n points of the period; points of the file that coincide with them are taken as they are. */
static void
resample(const Rows *rows, gsize k, gsize n_period, gsize n, double *values)
{
  for (gsize i = 0; i < n; i++) {
    const gsize  left = i * n_period / n;
    const double share = (double) (i * n_period % n) / (double) n;

    values[i] =
      (1 - share) * get_value(rows, k, left) + share * get_value(rows, k, (left + 1) % n_period);
  }
}

LacTruth *
lac_trajectory_truth_new(const LacGridField *file,
                         const LacCase      *subject,
                         double              interval,
                         GError            **error)
{
  const gsize nx = subject->model.nx;
  gsize       n_period, n_observed;
  LacTruth   *truth;
  Rows        rows;

  if (!look_at(file, &rows, error))
    return NULL;
  n_period = count_period(&rows);
  if (n_period < nx) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the truth file has %" G_GSIZE_FORMAT " points in a period, fewer than grid = "
                "%" G_GSIZE_FORMAT "; use a grid of at most that many points",
                n_period, nx);
    return NULL;
  }
  n_observed = MIN(subject->n_times, rows.n_t / 2);
  truth = lac_truth_new(1, subject->pde->fields, nx, 1, rows.n_t - n_observed, n_observed);
  lac_case_place_grid(subject, truth);
  for (gsize k = 0; k < n_observed; k++)
    truth->times[k] = (double) k * interval;
  for (gsize k = 0; k < rows.n_t; k++)
    resample(&rows, k, n_period, nx, lac_truth_get_slot(truth, k));
  return truth;
}
