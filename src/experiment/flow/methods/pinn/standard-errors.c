/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard errors of the unknown coefficients of a trained network, from the noise of the measurements. At a minimum of
 * the loss L over theta, the network with its coefficients, measurements y + dy move theta by
 *   d theta = -H^-1 (d^2 L / d theta dy) dy,  H = d^2 L / d theta^2,
 * so that the variance of coefficient u is sum_j (x . d^2 L / d theta dy_j)^2 sigma_j^2 with H x = e_u: the sandwich
 * estimator of an M-estimator (Huber 1967), with the Gauss-Newton matrix for H. The misfits of equation and conditions
 * at their points count in the same way, by their squares. To it adds the square of the Newton step x . dL/d theta that
 * is left where training ended before the minimum. The noise is as stated, or larger by the misfit of the data where
 * this is above 1. Not included: errors of the network's form. */
#include "experiment/conjugate-gradients.h"
#include "experiment/flow/methods/pinn/training-private.h"

#include <math.h>
#include <string.h>

#define DIFFERENCE  1e-4 /* of theta, whose elements are of magnitude 1 */
#define TOLERANCE   1e-8 /* of a column of the inverse Hessian */
#define ACCEPTED    1e-2 /* after the last round */
#define MOST_ROUNDS 100

struct _LacPinnErrors {
  LacPinnMember *member;
  LacPinnLoss   *copy; /* of its loss in double precision; NULL: it is in double precision */
  LacConjugateGradients *hessian;
  double                *theta, *moved, *gradient; /* [n_parameters] */
  double                *misfits, *change;         /* [all misfits]: part after part */
};

static LacPinnLoss *
get_loss(const LacPinnErrors *errors)
{
  return errors->copy ? errors->copy : errors->member->loss;
}

static gboolean
run(LacPinnErrors *errors, const double *theta, GError **error)
{
  lac_program_set_theta(get_loss(errors)->program, theta);
  return lac_program_run(get_loss(errors)->program, NULL, errors->member->state.progress.iteration,
                         NULL, error);
}

/* Computes J @direction, the directional derivative of the misfits. */
static gboolean
differentiate(LacPinnErrors *errors, const double *direction, GError **error)
{
  LacPinnLoss *loss = get_loss(errors);
  const gsize  n = errors->member->n_parameters;
  double       square = 0;

  for (gsize i = 0; i < n; i++)
    square += direction[i] * direction[i];
  const double step = DIFFERENCE / sqrt(square);
  memset(errors->change, 0, lac_pinn_loss_count_misfits(loss) * sizeof *errors->change);
  for (int side = -1; side <= 1; side += 2) {
    for (gsize i = 0; i < n; i++)
      errors->moved[i] = errors->theta[i] + side * step * direction[i];
    if (!run(errors, errors->moved, error))
      return FALSE;
    lac_pinn_loss_read(loss);
    lac_pinn_loss_add_misfits(loss, side / (2 * step), errors->change);
  }
  return TRUE;
}

/* The weights in the loss of the points of a part. */
static double
get_weight(const LacPinnLoss *loss, const LacPinnPart *part, gsize i)
{
  return loss->terms[part->term].factor * part->base[i] * part->points[i];
}

/* Feeds the weights w c / m, with which the gradient of the mean of weight m^2 is that of 2 w c m for constant c, the
 * change of m. */
static void
feed_changes(LacPinnErrors *errors)
{
  LacPinnLoss  *loss = get_loss(errors);
  const double *change = errors->change, *misfit = errors->misfits;

  for (guint p = 0; p < loss->n_parts; p++) {
    const LacPinnPart *part = &loss->parts[p];

    for (gsize i = 0; i < part->n; i++, change++, misfit++)
      loss->scratch[i] = fabs(*misfit) > 1e-150 ? get_weight(loss, part, i) * *change / *misfit : 0;
    lac_pinn_loss_feed_part(loss, p, loss->scratch);
  }
}

/* Computes the product of the Gauss-Newton matrix, 2 J^T W J, and @direction. */
static gboolean
multiply(const double *direction, double *product, gpointer user_data, GError **error)
{
  LacPinnErrors *errors = user_data;
  gboolean       done;

  if (!differentiate(errors, direction, error))
    return FALSE;
  feed_changes(errors);
  done = run(errors, errors->theta, error);
  lac_program_dup_gradient(get_loss(errors)->program, product);
  lac_pinn_loss_feed_weights(get_loss(errors));
  return done;
}

static gboolean
precondition(const double *x, double *y, gpointer user_data)
{
  const LacPinnMember *member = ((LacPinnErrors *) user_data)->member;
  LacOptimiser        *last = member->optimisers[member->state.progress.stage];

  return last && lac_optimiser_precondition(last, x, y);
}

gboolean
lac_pinn_errors_are_given(const LacPinnParams *params, const LacCase *subject)
{
  const LacPinnStages stages = lac_pinn_params_get_stages(params);
  gboolean            is_sought = FALSE, has_matrix = FALSE;

  for (guint i = 0; i < subject->pde->n_coefficients; i++)
    is_sought = is_sought || subject->unknown[i];
  for (guint i = 0; i < stages.n_stages; i++)
    if (stages.list[i].n_steps > 0)
      has_matrix = !stages.list[i].first_order && stages.list[i].kind != LAC_OPTIMISER_LBFGS;
  return is_sought && has_matrix && params->coefficient_errors != 0;
}

/* Differences of numbers in single precision are too inexact. */
static gboolean
make_copy(LacPinnErrors *errors, GError **error)
{
  const LacPinnTrainingData *training = errors->member->training;
  const LacPinnLossSettings  settings = lac_pinn_training_data_get_loss(training);
  LacContext                 context = training->context;

  if (lac_program_get_type(errors->member->loss->program) == LAC_F64)
    return TRUE;
  context.precision = "f64";
  errors->copy = lac_pinn_loss_new(&settings, &context, error);
  return errors->copy != NULL;
}

LacPinnErrors *
lac_pinn_errors_new(LacPinnMember *member, GError **error)
{
  g_autoptr(LacPinnErrors) errors = g_new0(LacPinnErrors, 1);
  const gsize              n = member->n_parameters;

  errors->member = member;
  if (!make_copy(errors, error))
    return NULL;
  errors->hessian = lac_conjugate_gradients_new(&(LacConjugateGradientsSettings){
    .length = n,
    .multiply = multiply,
    .precondition = precondition,
    .user_data = errors,
    .most_rounds = MOST_ROUNDS,
    .tolerance = TOLERANCE,
    .accepted = ACCEPTED,
  });
  errors->theta = g_new0(double, n);
  errors->moved = g_new0(double, n);
  errors->gradient = g_new0(double, n);
  errors->misfits = g_new0(double, lac_pinn_loss_count_misfits(get_loss(errors)));
  errors->change = g_new0(double, lac_pinn_loss_count_misfits(get_loss(errors)));
  return g_steal_pointer(&errors);
}

void
lac_pinn_errors_free(LacPinnErrors *errors)
{
  if (!errors)
    return;
  lac_pinn_loss_free(errors->copy);
  lac_conjugate_gradients_free(errors->hessian);
  g_free(errors->theta);
  g_free(errors->moved);
  g_free(errors->gradient);
  g_free(errors->misfits);
  g_free(errors->change);
  g_free(errors);
}

/* Sums over the misfits: over those of measured values, the squares in units of their noise; the squares of what each
 * moves an unknown along which the misfits change as found: by a deviation of its noise where it is measured, as a
 * whole elsewhere. */
typedef struct {
  double squares, by_noise, by_others;
  gsize  n;
} MisfitSums;

static MisfitSums
sum_misfits(const LacPinnErrors *errors)
{
  const LacPinnLoss *loss = get_loss(errors);
  const double      *change = errors->change, *misfit = errors->misfits;
  MisfitSums         sums = {0};

  for (guint p = 0; p < loss->n_parts; p++) {
    const LacPinnPart *part = &loss->parts[p];
    const gboolean     is_data = loss->terms[part->term].kind == LAC_PINN_DATA;

    for (gsize i = 0; i < part->n; i++, change++, misfit++) {
      const double slope = 2 * get_weight(loss, part, i) / (double) part->n * *change;
      const double square = *misfit * *misfit;

      if (!is_data) {
        sums.by_others += slope * slope * square;
      } else if (part->base[i] > 0) {
        const double variance = part->variance / part->base[i];

        sums.squares += square / variance;
        sums.by_noise += slope * slope * variance;
        sums.n++;
      }
    }
  }
  return sums;
}

/* Returns the change of coefficient @i with its element @at of theta. */
static double
get_slope(const LacPinnErrors *errors, guint i, gsize at)
{
  const LacPinnModel *model = &errors->member->training->model;
  double             *moved = errors->moved, values[2];

  memcpy(moved, errors->theta, errors->member->n_parameters * sizeof *moved);
  for (int side = 0; side < 2; side++) {
    moved[at] = errors->theta[at] + (2 * side - 1) * DIFFERENCE;
    values[side] = lac_pinn_model_get_coefficient(model, moved, i);
  }
  return (values[1] - values[0]) / (2 * DIFFERENCE);
}

/* @at: position of the unknown in theta. @deviation: (out): of that element */
static gboolean
find_deviation(LacPinnErrors *errors, gsize at, double *deviation, GError **error)
{
  const double *column;
  double        left = 0;

  *deviation = NAN;
  /* training that ended in an earlier stage has no matrix */
  if (!precondition(errors->gradient, errors->moved, errors))
    return TRUE;
  if (!lac_conjugate_gradients_find_column(errors->hessian, at, &column, error))
    return FALSE;
  if (!column)
    return TRUE;
  for (gsize i = 0; i < errors->member->n_parameters; i++)
    left += column[i] * errors->gradient[i];
  if (!differentiate(errors, column, error))
    return FALSE;
  const MisfitSums sums = sum_misfits(errors);
  const double     misfit = sums.n > 0 ? sums.squares / (double) sums.n : 0;
  *deviation = sqrt(fmax(1, misfit) * sums.by_noise + sums.by_others + left * left);
  return TRUE;
}

/* Finds gradient and misfits at the member's theta. */
static gboolean
look(LacPinnErrors *errors, GError **error)
{
  const LacPinnMember *member = errors->member;

  lac_program_dup_theta(member->loss->program, errors->theta);
  if (errors->copy) {
    lac_pinn_loss_copy(member->loss, errors->copy);
    lac_pinn_member_sample_conditions(member, errors->copy);
    lac_pinn_loss_open(errors->copy, LAC_NETWORK_MAX_HARMONICS);
  }
  if (!run(errors, errors->theta, error))
    return FALSE;
  lac_program_dup_gradient(get_loss(errors)->program, errors->gradient);
  memset(errors->misfits, 0,
         lac_pinn_loss_count_misfits(get_loss(errors)) * sizeof *errors->misfits);
  lac_pinn_loss_read(get_loss(errors));
  lac_pinn_loss_add_misfits(get_loss(errors), 1, errors->misfits);
  return TRUE;
}

gboolean
lac_pinn_errors_find(LacPinnErrors *errors, double *deviations, GError **error)
{
  const LacPinnModel *model = &errors->member->training->model;
  const LacCase      *subject = model->subject;
  gboolean            done = look(errors, error);
  gsize               at = 0;

  for (guint i = 0; i < LAC_PDE_MAX_COEFFICIENTS; i++)
    deviations[i] = (double) NAN;
  for (guint i = 0; i < subject->pde->n_coefficients && done; i++)
    if (subject->unknown[i]) {
      done = find_deviation(errors, at, &deviations[i], error);
      deviations[i] *= fabs(get_slope(errors, i, at++));
      if (!isfinite(deviations[i]))
        deviations[i] = fabs(lac_pinn_model_get_coefficient(model, errors->theta, i));
    }
  lac_program_set_theta(get_loss(errors)->program, errors->theta);
  return done;
}
