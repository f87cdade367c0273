/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge's grid: from a file or our own, always with the exact solution on it. */
#include "experiment/flow/burgers-judge.h"

#include "base/error.h"
#include "solver/cole-hopf.h"

#include <math.h>

#define N_T     100
#define N_X     256
#define N_NODES 140 /* of the quadrature */

static void
allocate(LacBurgersJudge *judge, gsize n_t, gsize n_x)
{
  judge->n_t = n_t;
  judge->n_x = n_x;
  judge->points = g_new(double, 2 * n_t * n_x);
  judge->exact = g_new(double, n_t *n_x);
  judge->truth = g_new(double, n_t *n_x);
}

static void
put_point(LacBurgersJudge *judge, gsize i_x, gsize i_t, double t, double x)
{
  judge->points[2 * (i_x * judge->n_t + i_t)] = t;
  judge->points[2 * (i_x * judge->n_t + i_t) + 1] = x;
}

/* 99 hundredths of the unit of time, ends of x included. */
static void
make_own_grid(LacBurgersJudge *judge)
{
  allocate(judge, N_T, N_X);
  for (gsize i = 0; i < N_X; i++)
    for (gsize j = 0; j < N_T; j++)
      put_point(judge, i, j, (double) j / N_T, -1 + 2 * (double) i / (N_X - 1));
}

static gboolean
check_range(const LacAxis *axis, const char *what, double low, double high, GError **error)
{
  const double first = axis->values[0], last = axis->values[axis->n - 1];
  gboolean     inside = TRUE;

  for (gsize i = 0; i < axis->n; i++)
    inside = inside && axis->values[i] >= low - 1e-9 && axis->values[i] <= high + 1e-9;
  if (inside)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "the truth file's axis \"%s\" runs from %g to %g; %s must lie within %g to %g",
              axis->name, first, last, what, low, high);
  return FALSE;
}

/* Returns: which axis is t, or -1. */
static int
find_time_axis(const LacGridField *file)
{
  for (int i = 0; i < 2; i++)
    if (g_str_equal(file->axes[i].name, "t") || g_str_equal(file->axes[1 - i].name, "x"))
      return i;
  if (file->axes[0].n == file->axes[1].n)
    return -1;
  return file->axes[0].n < file->axes[1].n ? 0 : 1;
}

static gboolean
take_grid(LacBurgersJudge *judge, const LacGridField *file, GError **error)
{
  const int      time = file->n_axes == 2 ? find_time_axis(file) : -1;
  const LacAxis *t, *x;

  if (time < 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the truth file's field \"%s\" has %u axes; burgers needs two, t and x, told "
                "apart by name or by length",
                file->name, file->n_axes);
    return FALSE;
  }
  t = &file->axes[time];
  x = &file->axes[1 - time];
  if (!check_range(t, "time", 0, 1, error) || !check_range(x, "x", -1, 1, error))
    return FALSE;
  allocate(judge, t->n, x->n);
  for (gsize i = 0; i < x->n; i++)
    for (gsize j = 0; j < t->n; j++) {
      const double value = file->data[time == 0 ? j * x->n + i : i * t->n + j];

      put_point(judge, i, j, t->values[j], x->values[i]);
      judge->truth[i * t->n + j] = value;
      if (!isfinite(value)) {
        g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                    "the truth file's field \"%s\" holds a value that is not finite at t = %g, "
                    "x = %g",
                    file->name, t->values[j], x->values[i]);
        return FALSE;
      }
    }
  return TRUE;
}

LacBurgersJudge *
lac_burgers_judge_new(const LacGridField *file, double viscosity, GError **error)
{
  g_autoptr(LacBurgersJudge) judge = g_new0(LacBurgersJudge, 1);
  g_autoptr(LacColeHopf)     exact = lac_cole_hopf_new(viscosity, N_NODES);
  gsize                      n, last;

  if (!file)
    make_own_grid(judge);
  else if (!take_grid(judge, file, error))
    return NULL;
  n = judge->n_t * judge->n_x;
  last = n - 1;
  for (gsize i = 0; i < n; i++) {
    judge->exact[i] = lac_cole_hopf_at(exact, judge->points[2 * i], judge->points[2 * i + 1]);
    if (!file)
      judge->truth[i] = judge->exact[i];
  }
  judge->t_first = judge->points[0];
  judge->x_first = judge->points[1];
  judge->t_last = judge->points[2 * last];
  judge->x_last = judge->points[2 * last + 1];
  return g_steal_pointer(&judge);
}

void
lac_burgers_judge_free(LacBurgersJudge *judge)
{
  if (!judge)
    return;
  g_free(judge->points);
  g_free(judge->exact);
  g_free(judge->truth);
  g_free(judge);
}
