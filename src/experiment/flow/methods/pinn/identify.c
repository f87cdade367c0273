/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uncertainty of the unknown coefficients from the curvature of the loss. */
#include "experiment/flow/methods/pinn/training.h"

#include <math.h>
#include <string.h>

#define STEP 1e-4 /* relative to the coefficient's magnitude */

typedef struct {
  guint   n;                                 /* number of unknowns */
  guint   which[LAC_PDE_MAX_COEFFICIENTS];   /* their coefficient indices */
  double *columns[LAC_PDE_MAX_COEFFICIENTS]; /* columns of J: all misfits, part after part */
  double  matrix[LAC_PDE_MAX_COEFFICIENTS][LAC_PDE_MAX_COEFFICIENTS];
} Sharpness;

static void
scatter(LacPinnLoss *loss, const double *from)
{
  for (guint p = 0; p < loss->n_parts; p++) {
    memcpy(loss->parts[p].misfits, from, loss->parts[p].n * sizeof(double));
    from += loss->parts[p].n;
  }
}

/* Computes one column of J by a central difference in coefficient @i. */
static gboolean
differentiate(LacPinnMember *member, const double *theta, guint i, double *column, GError **error)
{
  const LacPinnModel *model = &member->training->model;
  const double        value = lac_pinn_model_get_coefficient(model, theta, i);
  const double        step = STEP * MAX(fabs(value), model->subject->positive[i] ? 0 : 1e-2);
  double             *moved = member->moved;

  memcpy(moved, theta, member->n_parameters * sizeof *theta);
  for (int side = -1; side <= 1; side += 2) {
    lac_pinn_model_set_coefficient(model, moved, i, value + side * step);
    lac_program_set_theta(member->loss->program, moved);
    if (!lac_program_run(member->loss->program, NULL, member->state.progress.iteration, NULL,
                         error))
      return FALSE;
    lac_pinn_loss_read(member->loss);
    lac_pinn_loss_add_misfits(member->loss, side / (2 * step), column);
  }
  return TRUE;
}

/* S_ab = sum over parts of the mean of factor * base * points * J_a J_b */
static void
multiply(const LacPinnLoss *loss, Sharpness *sharpness)
{
  gsize at = 0;

  for (guint p = 0; p < loss->n_parts; p++) {
    const LacPinnPart *part = &loss->parts[p];

    for (gsize i = 0; i < part->n; i++, at++) {
      const double weight =
        loss->terms[part->term].factor * part->base[i] * part->points[i] / (double) part->n;

      for (guint a = 0; a < sharpness->n; a++)
        for (guint b = 0; b < sharpness->n; b++)
          sharpness->matrix[a][b] += weight * sharpness->columns[a][at] * sharpness->columns[b][at];
    }
  }
}

/* Computes (S^-1)_ii = 1 / (S_ii - s_i^T S_rest^-1 s_i) by eliminating all others from row @i. Columns differ widely
 * in magnitude: elimination uses the matrix scaled to a unit diagonal. Returns: INFINITY if the others can compensate
 * for it. */
static double
get_inverse(const Sharpness *sharpness, guint i)
{
  const guint n = sharpness->n;
  double      m[LAC_PDE_MAX_COEFFICIENTS][LAC_PDE_MAX_COEFFICIENTS] = {{0}};

  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++) {
      const double size = sqrt(sharpness->matrix[a][a] * sharpness->matrix[b][b]);

      m[a][b] = size > 0 ? sharpness->matrix[a][b] / size : 0;
    }
  for (guint a = 0; a < n; a++) {
    if (a == i || m[a][a] <= 1e-12)
      continue;
    for (guint b = 0; b < n; b++) {
      const double factor = m[b][a] / m[a][a];

      for (guint c = 0; b != a && c < n; c++)
        m[b][c] -= factor * m[a][c];
    }
  }
  return m[i][i] > 1e-12 ? 1 / (m[i][i] * sharpness->matrix[i][i]) : (double) INFINITY;
}

static gboolean
fill_columns(LacPinnMember *member, Sharpness *sharpness, const double *theta, GError **error)
{
  const LacCase *subject = member->training->model.subject;
  const gsize    n_misfits = lac_pinn_loss_count_misfits(member->loss);
  gboolean       done = TRUE;

  for (guint i = 0; i < subject->pde->n_coefficients && done; i++)
    if (subject->unknown[i]) {
      double *column = member->columns + sharpness->n * n_misfits;

      memset(column, 0, n_misfits * sizeof *column);
      sharpness->which[sharpness->n] = i;
      sharpness->columns[sharpness->n++] = column;
      done = differentiate(member, theta, i, column, error);
    }
  return done;
}

gboolean
lac_pinn_member_probe(LacPinnMember *member, double *widths, GError **error)
{
  LacPinnLoss *loss = member->loss;
  Sharpness    sharpness = {0};
  double      *theta = member->theta, *misfits = member->misfits;
  gboolean     done;

  for (guint i = 0; i < LAC_PDE_MAX_COEFFICIENTS; i++)
    widths[i] = (double) NAN;
  memset(misfits, 0, lac_pinn_loss_count_misfits(loss) * sizeof *misfits);
  lac_pinn_loss_add_misfits(loss, 1, misfits);
  lac_program_dup_theta(loss->program, theta);
  done = fill_columns(member, &sharpness, theta, error);
  lac_program_set_theta(loss->program, theta);
  scatter(loss, misfits);
  if (done)
    multiply(loss, &sharpness);
  for (guint i = 0; i < sharpness.n && done; i++)
    widths[sharpness.which[i]] = sqrt(member->last * get_inverse(&sharpness, i));
  return done;
}

void
lac_pinn_member_prepare_probe(LacPinnMember *member)
{
  const gsize n_misfits = lac_pinn_loss_count_misfits(member->loss);
  const guint n_unknowns = lac_pinn_model_get_n_unknowns(&member->training->model);

  if (lac_pinn_model_get_n_leading(&member->training->model) > 0)
    member->theta = g_new0(double, member->n_parameters);
  if (n_unknowns == 0)
    return;
  member->moved = g_new0(double, member->n_parameters);
  member->misfits = g_new0(double, n_misfits);
  member->columns = g_new0(double, n_unknowns *n_misfits);
}
