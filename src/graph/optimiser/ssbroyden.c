/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dense quasi-Newton methods: BFGS, and the self-scaled members of the Broyden family SSBFGS, SSBroyden1 and SSBroyden2.
 * Source: Al-Baali and Khalfan (2003); Urban, Stefanou and Pons (2025), J. Comput. Phys. 523:113656, eqs. 13-23. */
#include "graph/optimiser/optimiser-private.h"

#include <float.h>
#include <math.h>

#define ROWS          64 /* rows of H per item of the pool */
#define MOST_FAILURES 2
#define LEAST_A       1e-16 /* a = h b - 1 is 0 for parallel y and B s; the formulas divide by it */

/* memory: gradient, H [n][n] | direction, trial, trial gradient, y, H y, v */
enum { DIRECTION, TRIAL, TRIAL_GRADIENT, Y, HY, V, N_SCRATCH };

typedef struct {
  LacOptimiser *optimiser;
  gpointer      h;
  gconstpointer x;
  gpointer      y;
  LacRankUpdate update;
  gint          status; /* atomic: any status other than LAC_STATUS_OK */
} Rows;

static void
lay_out(LacOptimiser *optimiser)
{
  optimiser->n_kept = optimiser->n + optimiser->n * optimiser->n;
  optimiser->n_scratch = N_SCRATCH * optimiser->n;
  optimiser->n_numbers = LAC_N_NUMBERS;
}

static gpointer
scratch(LacOptimiser *optimiser, guint which)
{
  return lac_vector(optimiser, optimiser->n_kept + which * optimiser->n);
}

static void
over_rows(Rows *rows, LacPoolFunc func)
{
  LacOptimiser *optimiser = rows->optimiser;

  rows->h = lac_vector(optimiser, optimiser->n);
  lac_vector_over_pool(optimiser, (optimiser->n + ROWS - 1) / ROWS, func, rows);
  if (optimiser->status == LAC_STATUS_OK)
    optimiser->status = (LacStatus) rows->status;
}

static void
multiply_rows(gsize item, guint worker, gpointer user_data)
{
  Rows         *rows = user_data;
  LacOptimiser *optimiser = rows->optimiser;
  gsize         n = optimiser->n, first = item * ROWS, size = lac_type_size(optimiser->type);
  LacMatvec     args = {
        .type = optimiser->type,
        .n_rows = MIN(ROWS, n - first),
        .n_columns = n,
        .alpha = 1,
        .a = (const guint8 *) rows->h + first * n * size,
        .x = rows->x,
        .y = (guint8 *) rows->y + first * size,
  };
  LacStatus status = optimiser->device.table->matvec(optimiser->device.self, &args);

  if (status != LAC_STATUS_OK)
    g_atomic_int_set(&rows->status, (gint) status);
}

static void
update_rows(gsize item, guint worker, gpointer user_data)
{
  Rows         *rows = user_data;
  LacOptimiser *optimiser = rows->optimiser;
  LacRankUpdate args = rows->update;
  LacStatus     status;

  args.row_first = item * ROWS;
  args.row_last = MIN(args.row_first + ROWS, optimiser->n);
  args.h = rows->h;
  status = optimiser->device.table->rank_update(optimiser->device.self, &args);
  if (status != LAC_STATUS_OK)
    g_atomic_int_set(&rows->status, (gint) status);
}

/* y = H x */
static void
multiply(LacOptimiser *optimiser, gconstpointer x, gpointer y)
{
  Rows rows = {.optimiser = optimiser, .x = x, .y = y};

  over_rows(&rows, multiply_rows);
}

/* H = identity: zeros, then ones along the diagonal, which is a column of stride n + 1. */
static void
reset(LacOptimiser *optimiser)
{
  LacDevice  device = optimiser->device;
  gsize      n = optimiser->n;
  gpointer   h = lac_vector(optimiser, n), ones = scratch(optimiser, V);
  LacStrided diagonal = {
    .type = optimiser->type,
    .n_rows = n,
    .n_columns = 1,
    .x_stride = 1,
    .y_stride = n + 1,
    .alpha = 1,
    .x = ones,
    .y = h,
  };
  LacStatus status = device.table->fill(device.self, optimiser->type, h, 0, n * n);

  lac_vector_fill(optimiser, ones, 1);
  if (status == LAC_STATUS_OK)
    status = device.table->strided(device.self, &diagonal);
  if (optimiser->status == LAC_STATUS_OK)
    optimiser->status = status;
  optimiser->numbers[LAC_NUMBER_UPDATES] = 0;
  optimiser->numbers[LAC_NUMBER_FAILURES] = 0;
}

typedef struct {
  double tau, phi;
} Scaling;

/* theta of SSBroyden2 and of SSBroyden1 */
static double
second_theta(double b, double theta_minus, double rho_minus)
{
  return fmax(theta_minus, fmin(1 / rho_minus, (1 - b) / b));
}

static double
first_theta(double b, double theta_minus, double c)
{
  double theta_plus = fmax(1, b * (1 + c)), rank_one = 1 / (1 - b);

  if (b > 1)
    return fmax(theta_minus, rank_one);
  return b < 1 ? fmin(theta_plus, rank_one) : theta_minus;
}

/* @h = yHy / ys, @b = sBs / ys; @n parameters; @first: H was the identity. */
static Scaling
scale_broyden(LacOptimiserKind kind, double h, double b, gsize n, gboolean first)
{
  double a = fmax(h * b - 1, LEAST_A);
  double c = sqrt(fabs(a) / (1 + a));
  double rho_minus = fmin(1, h * (1 - c));
  double theta_minus = (rho_minus - 1) / a;
  double theta = kind == LAC_OPTIMISER_SSBROYDEN1 ? first_theta(b, theta_minus, c)
                                                  : second_theta(b, theta_minus, rho_minus);
  double sigma = 1 + theta * a;
  double sigma_root = n > 1 ? pow(fabs(sigma), 1 / (1 - (double) n)) : 1;
  double kappa = fmin(1, 1 / b);
  double phi = (1 - theta) / (1 + a * theta);

  if (first)
    return (Scaling){h / (1 + a * theta), phi};
  if (theta <= 0)
    return (Scaling){fmin(kappa * sigma_root, sigma), phi};
  return (Scaling){kappa * fmin(sigma_root, 1 / theta), phi};
}

/* @b = sBs / ys, @h = yHy / ys */
static Scaling
scaling_of(const LacOptimiser *optimiser, double h, double b)
{
  LacOptimiserKind kind = optimiser->settings.kind;

  if (kind == LAC_OPTIMISER_SSBROYDEN || kind == LAC_OPTIMISER_SSBROYDEN1)
    return scale_broyden(kind, h, b, optimiser->n, optimiser->numbers[LAC_NUMBER_UPDATES] == 0);
  if (kind == LAC_OPTIMISER_SSBFGS)
    return (Scaling){fmin(1, 1 / b), 1};
  return (Scaling){1, 1};
}

/* H+ = [H - Hy (Hy)^T / yHy + phi yHy v v^T] / tau + rho s s^T, v = rho s - Hy / yHy */
static void
update(LacOptimiser *optimiser, const LacLineSearch *search, gconstpointer gradient)
{
  gpointer s = scratch(optimiser, TRIAL); /* the trial point is already theta */
  gpointer y = scratch(optimiser, Y), hy = scratch(optimiser, HY), v = scratch(optimiser, V);
  double   ys, yhy, rho;
  Scaling  scaling;
  Rows     rows = {.optimiser = optimiser};

  lac_vector_axpby(optimiser, search->length, search->direction, 0, s);
  lac_vector_axpby(optimiser, 1, search->gradient, 0, y);
  lac_vector_axpby(optimiser, -1, gradient, 1, y);
  ys = lac_vector_dot(optimiser, y, s);
  multiply(optimiser, y, hy);
  yhy = lac_vector_dot(optimiser, y, hy);
  rho = 1 / ys;
  if (!(ys > 0) || !(yhy > 0) || !isfinite(rho))
    return;
  scaling = scaling_of(optimiser, rho * yhy,
                       -search->length * rho * lac_vector_dot(optimiser, s, gradient));
  if (!isfinite(scaling.tau) || !(scaling.tau > 0) || !isfinite(scaling.phi))
    return;
  lac_vector_axpby(optimiser, rho, s, 0, v);
  lac_vector_axpby(optimiser, -1 / yhy, hy, 1, v);
  rows.update = (LacRankUpdate){
    .type = optimiser->type,
    .n = optimiser->n,
    .alpha = 1 / scaling.tau,
    .n_terms = 3,
    .c = {-1 / (yhy * scaling.tau), scaling.phi * yhy / scaling.tau, rho},
    .v = {hy, v, s},
  };
  over_rows(&rows, update_rows);
  optimiser->numbers[LAC_NUMBER_UPDATES]++;
}

/* Sets direction and slope; falls back to the gradient when H is no longer positive along it. */
static void
find_direction(LacOptimiser  *optimiser,
               LacLineSearch *search,
               gconstpointer  gradient,
               gpointer       direction)
{
  multiply(optimiser, gradient, direction);
  lac_vector_axpby(optimiser, -1, direction, 0, direction);
  search->slope = lac_vector_dot(optimiser, gradient, direction);
  search->first = 1;
  if (optimiser->numbers[LAC_NUMBER_UPDATES] == 0 && search->slope < 0)
    search->first = fmin(1, 1 / sqrt(-search->slope));
}

/* Resets H after a search without a decrease, or two in a row without a Wolfe point. */
static void
score_search(LacOptimiser *optimiser, const LacLineSearch *search, LacOptimiserReport *report)
{
  double  *numbers = optimiser->numbers;
  gboolean from_identity = numbers[LAC_NUMBER_UPDATES] == 0;

  if (search->length > 0 && search->wolfe) {
    numbers[LAC_NUMBER_FAILURES] = 0;
    return;
  }
  numbers[LAC_NUMBER_FAILURES]++;
  if (search->length > 0 && numbers[LAC_NUMBER_FAILURES] < MOST_FAILURES)
    return;
  report->stalled = search->length <= 0 && from_identity;
  report->restarted = !from_identity;
  reset(optimiser);
}

static gboolean
step(LacOptimiser *optimiser, gpointer theta, LacOptimiserReport *report, GError **error)
{
  double       *numbers = optimiser->numbers;
  gpointer      gradient = lac_vector(optimiser, 0), direction = scratch(optimiser, DIRECTION);
  LacLineSearch search = {
    .start = theta,
    .direction = direction,
    .trial = scratch(optimiser, TRIAL),
    .gradient = scratch(optimiser, TRIAL_GRADIENT),
  };

  if (numbers[LAC_NUMBER_FRESH] == 0 &&
      !lac_optimiser_evaluate(optimiser, theta, gradient, &numbers[LAC_NUMBER_LOSS], error))
    return FALSE;
  numbers[LAC_NUMBER_FRESH] = 1;
  search.loss = report->loss = numbers[LAC_NUMBER_LOSS];
  find_direction(optimiser, &search, gradient, direction);
  if (!(search.slope < 0) && numbers[LAC_NUMBER_UPDATES] > 0) {
    reset(optimiser);
    report->restarted = TRUE;
    find_direction(optimiser, &search, gradient, direction);
  }
  if (!(search.slope < 0)) {
    report->stalled = TRUE;
    return TRUE;
  }
  if (!lac_line_search(optimiser, &search, error))
    return FALSE;
  if (search.length > 0) {
    lac_vector_axpby(optimiser, 1, search.trial, 0, theta);
    update(optimiser, &search, gradient);
    lac_vector_axpby(optimiser, 1, search.gradient, 0, gradient);
    report->loss = numbers[LAC_NUMBER_LOSS] = search.trial_loss;
  }
  score_search(optimiser, &search, report);
  return TRUE;
}

static gboolean
precondition(LacOptimiser *optimiser, const double *x, double *y)
{
  gpointer vector = scratch(optimiser, Y), product = scratch(optimiser, HY);

  if (optimiser->numbers[LAC_NUMBER_UPDATES] == 0)
    return FALSE;
  lac_vector_upload(optimiser, vector, x, optimiser->n);
  multiply(optimiser, vector, product);
  lac_vector_download(optimiser, product, y, optimiser->n);
  return optimiser->status == LAC_STATUS_OK;
}

const LacMethod lac_method_ssbroyden = {
  .defaults = {.max_line_evaluations = 25, .curvature = 0.9},
  .lay_out = lay_out,
  .start = reset,
  .step = step,
  .precondition = precondition,
};

const LacMethod lac_method_ssbroyden1 = {
  .defaults = {.max_line_evaluations = 25, .curvature = 0.9},
  .lay_out = lay_out,
  .start = reset,
  .step = step,
  .precondition = precondition,
};

const LacMethod lac_method_ssbfgs = {
  .defaults = {.max_line_evaluations = 25, .curvature = 0.9},
  .lay_out = lay_out,
  .start = reset,
  .step = step,
  .precondition = precondition,
};

const LacMethod lac_method_bfgs = {
  .defaults = {.max_line_evaluations = 25, .curvature = 0.9},
  .lay_out = lay_out,
  .start = reset,
  .step = step,
  .precondition = precondition,
};
