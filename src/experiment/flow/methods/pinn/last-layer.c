/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output layer from a linear least-squares fit. Each column is the change of the misfits by one parameter, so that
 * mirror symmetry, hard conditions and factorised weights need no formulas of their own. */
#include "backend/dense.h"
#include "base/error.h"
#include "experiment/flow/methods/pinn/loss.h"

#include <math.h>
#include <string.h>

#define N_POINTS 64 /* collocation points of the small loss, which the fit does not use */
/* Features that no measurement determines must not grow: each parameter is held near 0 with the weight of this share of
 * the columns' mean square. */
#define RIDGE 1e-6

typedef struct {
  LacPinnLoss *loss;
  gsize        n_rows;       /* weighted misfits of measurements and conditions */
  gsize        first, count; /* the output layer within theta */
  double      *theta;        /* [n_parameters] with the output layer under test */
  double      *still;        /* [n_rows]: misfits with an output layer of 0 */
  double      *matrix;       /* [n_rows + count][count] */
  double      *right;        /* [n_rows + count] */
} Fit;

static void
fit_clear(Fit *fit)
{
  lac_pinn_loss_free(fit->loss);
  g_free(fit->theta);
  g_free(fit->still);
  g_free(fit->matrix);
  g_free(fit->right);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Fit, fit_clear)

static gboolean
is_fitted(const LacPinnLoss *loss, const LacPinnPart *part)
{
  return loss->terms[part->term].kind != LAC_PINN_RESIDUAL;
}

static gsize
count_rows(const LacPinnLoss *loss)
{
  gsize n = 0;

  for (guint p = 0; p < loss->n_parts; p++)
    if (is_fitted(loss, &loss->parts[p]))
      n += loss->parts[p].n;
  return n;
}

/* Evaluates the misfits at fit->theta, scaled so that their squares sum to the terms of the loss. @rows: [n_rows] */
static gboolean
evaluate(Fit *fit, double *rows, GError **error)
{
  LacPinnLoss *loss = fit->loss;

  lac_program_set_theta(loss->program, fit->theta);
  if (!lac_program_run(loss->program, lac_program_get_theta(loss->program), 0, NULL, error))
    return FALSE;
  lac_pinn_loss_read(loss);
  for (guint p = 0; p < loss->n_parts; p++) {
    const LacPinnPart *part = &loss->parts[p];
    const double       factor = loss->terms[part->term].factor / (double) part->n;

    for (gsize i = 0; is_fitted(loss, part) && i < part->n; i++) {
      const double weight = factor * part->base[i];

      *rows++ =
        weight > 0 ? sqrt(weight) * part->misfits[i] : 0; /* no data: misfits without a meaning */
    }
  }
  return TRUE;
}

static double
sum_squares(const double *rows, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += rows[i] * rows[i];
  return sum;
}

/* Fills in the columns of the fit and the ridge below them. */
static gboolean
fill(Fit *fit, const LacContext *context, GError **error)
{
  const gsize        n = fit->n_rows, count = fit->count;
  g_autofree double *rows = g_new(double, n);
  double             ridge;

  memset(fit->theta + fit->first, 0, count * sizeof(double));
  if (!evaluate(fit, fit->still, error))
    return FALSE;
  for (gsize j = 0; j < count; j++) {
    if (lac_context_is_cancelled(context, error))
      return FALSE;
    fit->theta[fit->first + j] = 1;
    if (!evaluate(fit, rows, error))
      return FALSE;
    fit->theta[fit->first + j] = 0;
    for (gsize i = 0; i < n; i++)
      fit->matrix[i * count + j] = rows[i] - fit->still[i];
  }
  ridge = sqrt(RIDGE * sum_squares(fit->matrix, n * count) / (double) count);
  for (gsize j = 0; j < count; j++)
    fit->matrix[(n + j) * count + j] = ridge;
  for (gsize i = 0; i < n; i++)
    fit->right[i] = -fit->still[i];
  return TRUE;
}

static gboolean
are_finite(const double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite(values[i]))
      return FALSE;
  return TRUE;
}

static gboolean
solve(Fit *fit, GError **error)
{
  const gsize n = fit->n_rows + fit->count;

  if (are_finite(fit->matrix, n * fit->count) && are_finite(fit->right, n) &&
      lac_dense_least_squares(fit->matrix, n, fit->count, fit->right, 1) &&
      are_finite(fit->right, fit->count))
    return TRUE;
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_FAILED,
    "the output layer could not be fitted to %zu misfits: one is not a finite number; set "
    "last_layer = no or check the measurements",
    fit->n_rows);
  return FALSE;
}

static gboolean
begin(Fit *fit, const LacPinnLossSettings *settings, const LacContext *context, GError **error)
{
  LacPinnLossSettings small = *settings;
  gsize               n_parameters;

  small.n_points = N_POINTS;
  fit->loss = lac_pinn_loss_new(&small, context, error);
  if (!fit->loss)
    return FALSE;
  n_parameters = lac_pinn_model_get_n_parameters(&settings->model);
  fit->count = lac_network_count_output(&settings->model.network);
  fit->first = n_parameters - fit->count; /* declared last */
  fit->n_rows = count_rows(fit->loss);
  fit->theta = g_new(double, n_parameters);
  fit->still = g_new(double, fit->n_rows);
  fit->matrix = g_new0(double, (fit->n_rows + fit->count) * fit->count);
  fit->right = g_new0(double, fit->n_rows + fit->count);
  return TRUE;
}

gboolean
lac_pinn_fit_last_layer(const LacPinnLossSettings *settings,
                        const LacContext          *context,
                        LacRng                    *rng,
                        double                    *theta,
                        GError                   **error)
{
  g_auto(Fit) fit = {0};
  double      before;

  if (!begin(&fit, settings, context, error))
    return FALSE;
  if (fit.n_rows == 0)
    return TRUE;
  lac_pinn_loss_sample_conditions(fit.loss, rng);
  memcpy(fit.theta, theta, (fit.first + fit.count) * sizeof *theta);
  if (!evaluate(&fit, fit.still, error))
    return FALSE;
  before = sum_squares(fit.still, fit.n_rows);
  if (!fill(&fit, context, error) || !solve(&fit, error))
    return FALSE;
  memcpy(fit.theta + fit.first, fit.right, fit.count * sizeof *theta);
  if (!evaluate(&fit, fit.still, error))
    return FALSE;
  if (sum_squares(fit.still, fit.n_rows) < before)
    memcpy(theta + fit.first, fit.right, fit.count * sizeof *theta);
  return TRUE;
}
