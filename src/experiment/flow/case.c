/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers to configure a case: coefficients, and the grid of the truth. */
#include "experiment/flow/case.h"

#include <math.h>

void
lac_case_set_known(LacCase *subject, guint i, double value)
{
  subject->coefficients[i] = subject->guesses[i] = value;
}

void
lac_case_set_sought(LacCase *subject, guint i, double value, gboolean unknown, double guess)
{
  subject->coefficients[i] = value;
  subject->guesses[i] = guess * value;
  subject->unknown[i] = unknown;
  subject->positive[i] = TRUE;
}

guint
lac_case_first_axis(const LacCase *subject)
{
  return subject->steady ? 0 : 1;
}

gboolean
lac_case_is_line(const LacCase *subject)
{
  return subject->pde->n_axes == lac_case_first_axis(subject) + 1;
}

guint
lac_case_list_unknowns(const LacCase *subject, guint *unknowns)
{
  guint n = 0;

  for (guint p = 0; p < subject->solver->n_parameters; p++) {
    const int coefficient = subject->parameter_coefficient[p];

    if (coefficient >= 0 && subject->unknown[coefficient])
      unknowns[n++] = p;
  }
  return n;
}

void
lac_case_set_periodic(LacCase *subject, const LacPeriodicCase *periodic)
{
  const guint    first = lac_case_first_axis(subject);
  const gsize    n = (gsize) periodic->grid;
  const gboolean is_line = lac_case_is_line(subject);

  subject->upper[0] = periodic->interval * (double) (periodic->observations - 1);
  for (guint i = first; i < subject->pde->n_axes; i++) {
    subject->upper[i] = periodic->side;
    subject->periodic[i] = TRUE;
  }
  subject->n_points = is_line ? n : n * n;
  subject->n_times = (gsize) periodic->observations;
  subject->solver = lac_solver_find(periodic->solver);
  subject->model.nx = n;
  subject->model.ny = is_line ? 1 : n;
  subject->model.length[0] = periodic->side;
  subject->model.length[1] = is_line ? 1 : periodic->side;
  subject->model.time_step = periodic->time_step;
  subject->steps_between = (gsize) round(periodic->interval / periodic->time_step);
}

void
lac_case_place_grid(const LacCase *subject, LacTruth *truth)
{
  const guint first = lac_case_first_axis(subject);
  const gsize sides[] = {truth->nx, truth->ny};

  for (guint i = 0; i < 2 && first + i < subject->pde->n_axes; i++) {
    const double lower = subject->lower[first + i], upper = subject->upper[first + i];
    const double cell = (upper - lower) / (double) sides[i];

    truth->periodic[i] = subject->periodic[first + i];
    truth->lower[i] = lower;
    truth->upper[i] = truth->periodic[i] ? upper - cell : upper;
  }
  for (gsize k = 1; k < truth->n_times; k++)
    truth->times[k] = subject->upper[0] * (double) k / (double) (truth->n_times - 1);
}

void
lac_case_clear(LacCase *subject)
{
  for (gsize i = 0; i < subject->n_holes; i++)
    g_free(subject->holes[i].corners);
}
