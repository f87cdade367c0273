/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loss of a network on a small case with all kinds of terms: a residual with unknown coefficients, a soft condition
 * and measurements. Its value against its own misfits, its gradient against differences, the balancing of terms, and
 * the uncertainty and the standard error of a coefficient. */
#include "backend/dense.h"
#include "backend/registry.h"
#include "experiment/flow/methods/pinn/training.h"
#include "pde/pde.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define N_TIMES 3

static void
sample_start(const LacCase *subject G_GNUC_UNUSED, LacRng *rng, double *x, double *values)
{
  x[0] = 0;
  x[1] = 2 * lac_rng_uniform(rng) - 1;
  values[0] = -sin(G_PI * x[1]);
}

typedef struct {
  LacCase              subject;
  LacContext           context;
  LacTruth            *grid;
  LacObservations     *observations;
  LacPinnParams        params;
  LacPinnTrainingData *training;
  LacPinnMember       *member;
} Fixture;

static void
make_case(Fixture *fixture)
{
  LacCase *subject = &fixture->subject;

  subject->pde = lac_pde_find("burgers");
  subject->lower[1] = -1;
  subject->upper[0] = subject->upper[1] = 1;
  subject->coefficients[0] = 1;
  subject->coefficients[1] = subject->guesses[1] = 0.02;
  subject->guesses[0] = 0.7;
  subject->unknown[0] = subject->unknown[1] = TRUE;
  subject->positive[1] = TRUE;
  subject->n_conditions = 1;
  subject->conditions[0] = (LacCondition){"initial values", 1, FALSE, sample_start};
}

/* Two sensors with different noise, one with a missing value. */
static void
make_observations(Fixture *fixture)
{
  static const char *const fields[] = {"u"};
  LacObservations         *observations = lac_observations_new(2, 2, N_TIMES);

  fixture->grid = lac_truth_new(1, fields, 5, 1, 0, N_TIMES);
  fixture->grid->lower[0] = -1;
  fixture->grid->upper[0] = 1;
  for (gsize k = 0; k < N_TIMES; k++) {
    fixture->grid->times[k] = observations->times[k] = 0.5 * (double) k;
    for (gsize i = 0; i < 2; i++) {
      observations->values[2 * k + i] = sin(1.0 + 2.0 * (double) (2 * k + i));
      observations->sigma[2 * k + i] = 0.1 * (double) (i + 1);
    }
  }
  observations->values[3] = (double) NAN;
  for (gsize i = 0; i < 2; i++) {
    observations->stations[2 * i] = observations->sensors[i].x = i ? 0.4 : -0.3;
    observations->sensors[i].station = i;
  }
  fixture->observations = observations;
}

static void
prepare(Fixture *fixture, const char *settings)
{
  const LacParamTable table = {lac_pinn_rows, LAC_PINN_N_ROWS, sizeof(LacPinnParams)};
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  g_auto(GStrv)       pairs = g_strsplit(settings, " ", -1);
  g_autoptr(GError)   error = NULL;

  for (gsize i = 0; pairs[i] && *pairs[i]; i++) {
    g_auto(GStrv) pair = g_strsplit(pairs[i], "=", 2);

    lac_draft_set(draft, pair[0], pair[1], &error);
    g_assert_no_error(error);
  }
  memset(fixture, 0, sizeof *fixture);
  fixture->params = *(const LacPinnParams *) lac_draft_get_values(draft);
  lac_device_open(&fixture->context.device, "cpu", &error);
  g_assert_no_error(error);
  fixture->context.pool = lac_pool_new(1);
  fixture->context.seed = 7;
  fixture->context.precision = "f64";
  make_case(fixture);
  make_observations(fixture);
}

static void
open_member(Fixture *fixture)
{
  g_autoptr(GError) error = NULL;

  fixture->training =
    lac_pinn_training_data_new(&fixture->params,
                               &(LacProblem){.context = &fixture->context,
                                             .subject = &fixture->subject,
                                             .grid = fixture->grid,
                                             .observations = fixture->observations},
                               &error);
  g_assert_no_error(error);
  fixture->member = lac_pinn_member_new(fixture->training, 0, &error);
  g_assert_no_error(error);
}

static void
set_up(Fixture *fixture, gconstpointer settings)
{
  prepare(fixture, settings);
  open_member(fixture);
}

static void
clear(Fixture *fixture)
{
  lac_pinn_member_free(fixture->member);
  lac_pinn_training_data_free(fixture->training);
  lac_observations_free(fixture->observations);
  lac_truth_free(fixture->grid);
  lac_pool_free(fixture->context.pool);
  lac_device_close(&fixture->context.device);
}

static void
step(Fixture *fixture, guint n)
{
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < n; i++) {
    lac_pinn_member_step(fixture->member, &error);
    g_assert_no_error(error);
  }
}

static double
evaluate(Fixture *fixture)
{
  g_autoptr(GError) error = NULL;
  double            loss;

  lac_program_run(fixture->member->loss->program, NULL, 1, &loss, &error);
  g_assert_no_error(error);
  lac_pinn_loss_read(fixture->member->loss);
  return loss;
}

#define SMALL \
  "points=64 condition_points=16 pool=2 width=5 depth=2 adam_steps=20 quasi_steps=0 rule=uniform "
#define WEIGHTS SMALL "point_weights=rba causal=0.3 term_weights=gradient balance_every=5 rwf=yes"

/* ---- value ---- */

static void
test_value(void)
{
  Fixture            fixture;
  const LacPinnLoss *loss;
  double             sum = 0, value;

  set_up(&fixture, WEIGHTS);
  step(&fixture, 8);
  value = evaluate(&fixture);
  loss = fixture.member->loss;
  g_assert_cmpuint(loss->n_terms, ==, 3);
  for (guint p = 0; p < loss->n_parts; p++) {
    const LacPinnPart *part = &loss->parts[p];

    for (gsize i = 0; i < part->n; i++)
      sum += loss->terms[part->term].factor * part->base[i] * part->points[i] * part->misfits[i] *
             part->misfits[i] / (double) part->n;
  }
  g_assert_cmpfloat_with_epsilon(value, sum, 1e-12 * sum);
  clear(&fixture);
}

/* Missing values have weight 0; values with twice the uncertainty a quarter of the weight. */
static void
test_data(void)
{
  Fixture            fixture;
  const LacPinnPart *part;

  set_up(&fixture, SMALL);
  part = &fixture.member->loss->parts[2];
  g_assert_cmpuint(part->n, ==, 2 * N_TIMES);
  g_assert_cmpfloat(part->base[3], ==, 0);
  g_assert_cmpfloat(part->base[0], >, 0);
  g_assert_cmpfloat_with_epsilon(part->base[1], part->base[0] / 4, 1e-14);
  clear(&fixture);
}

/* ---- gradient ---- */

/* Central differences with step h = 1e-5 have an error of h^2 times a third derivative plus 1e-16 of the loss / h:
 * 1e-7 of the loss covers both in a network of this size. */
static void
test_gradient(gconstpointer choices)
{
  static const double h = 1e-5;
  Fixture             fixture;
  LacProgram         *program;
  double             *theta, *gradient;
  gsize               n;

  set_up(&fixture, choices);
  step(&fixture, 8);
  program = fixture.member->loss->program;
  n = lac_program_get_n_parameters(program);
  theta = g_new(double, n);
  gradient = g_new(double, n);
  lac_program_dup_theta(program, theta);
  for (gsize pass = 0; pass < 2; pass++) { /* the gradient is overwritten by the next evaluation */
    const double loss = evaluate(&fixture);

    if (pass == 0)
      g_assert_true(fixture.context.device.table->download(fixture.context.device.self, gradient,
                                                           lac_program_get_gradient(program),
                                                           n * sizeof *gradient) == LAC_STATUS_OK);
    for (gsize i = 0; pass == 1 && i < n; i++) {
      const double at = theta[i];
      double       sides[2];

      for (gsize side = 0; side < 2; side++) {
        theta[i] = at + (side ? h : -h);
        lac_program_set_theta(program, theta);
        sides[side] = evaluate(&fixture);
      }
      theta[i] = at;
      g_assert_cmpfloat_with_epsilon(gradient[i], (sides[1] - sides[0]) / (2 * h), 1e-7 * loss);
    }
  }
  g_free(theta);
  g_free(gradient);
  clear(&fixture);
}

/* ---- balance ---- */

static double
gradient_norm(Fixture *fixture, guint term)
{
  LacPinnLoss *loss = fixture->member->loss;
  const gsize  n = lac_program_get_n_parameters(loss->program);
  double      *gradient = g_new(double, n);
  double       factors[LAC_PINN_MAX_TERMS], sum = 0;

  for (guint t = 0; t < loss->n_terms; t++) {
    factors[t] = loss->terms[t].factor;
    if (t != term)
      loss->terms[t].factor = 0;
  }
  lac_pinn_loss_feed_weights(loss);
  evaluate(fixture);
  g_assert_true(fixture->context.device.table->download(fixture->context.device.self, gradient,
                                                        lac_program_get_gradient(loss->program),
                                                        n * sizeof *gradient) == LAC_STATUS_OK);
  for (gsize i = 0; i < n; i++)
    sum += gradient[i] * gradient[i];
  for (guint t = 0; t < loss->n_terms; t++)
    loss->terms[t].factor = factors[t];
  lac_pinn_loss_feed_weights(loss);
  g_free(gradient);
  return sqrt(sum);
}

/* The result does not depend on the initial factors. */
static void
test_balance(void)
{
  Fixture           fixture;
  g_autoptr(GError) error = NULL;
  LacRng            rng = lac_rng(1, 1);
  double            norms[3];

  set_up(&fixture, SMALL "term_weights=gradient data_weight=300");
  lac_pinn_weights_balance(fixture.member->weights, fixture.member->loss,
                           lac_program_get_theta(fixture.member->loss->program), &rng, 1, &error);
  g_assert_no_error(error);
  for (guint t = 0; t < 3; t++)
    norms[t] = gradient_norm(&fixture, t);
  g_assert_cmpfloat(norms[0], >, 0);
  g_assert_cmpfloat_with_epsilon(norms[1], norms[0], 1e-10 * norms[0]);
  g_assert_cmpfloat_with_epsilon(norms[2], norms[0], 1e-10 * norms[0]);
  clear(&fixture);
}

/* ---- coefficients ---- */

static void
set_coefficients(Fixture *fixture, double *theta, double advection, double viscosity)
{
  const LacPinnModel *model = &fixture->training->model;

  lac_pinn_model_set_coefficient(model, theta, 0, advection);
  lac_pinn_model_set_coefficient(model, theta, 1, viscosity);
  lac_program_set_theta(fixture->member->loss->program, theta);
}

static double
loss_at(Fixture *fixture, double *theta, double advection, double viscosity)
{
  set_coefficients(fixture, theta, advection, viscosity);
  return evaluate(fixture);
}

/* The residual is linear in both, so the loss is a parabola: its minimum over the viscosity from three values. */
static double
lowest_over_viscosity(Fixture *fixture, double *theta, double advection)
{
  const double a = loss_at(fixture, theta, advection, 0.01);
  const double b = loss_at(fixture, theta, advection, 0.02);
  const double c = loss_at(fixture, theta, advection, 0.03);
  const double bend = a - 2 * b + c, slope = (c - a) / 2;

  return b - slope * slope / (2 * bend);
}

/* At the minimum of the loss over both coefficients, a change by the width doubles the minimum over the other one.
 * The parabolas are fitted to nearly equal values: of their 1e-16 about 1e-6 remains. */
static void
test_width(void)
{
  Fixture           fixture;
  g_autoptr(GError) error = NULL;
  double           *theta, widths[LAC_PDE_MAX_COEFFICIENTS];
  double            left, middle, right, best, lowest, bend;

  set_up(&fixture, SMALL);
  step(&fixture, 20);
  theta = g_new(double, fixture.member->n_parameters);
  lac_program_dup_theta(fixture.member->loss->program, theta);
  left = lowest_over_viscosity(&fixture, theta, 0.5);
  middle = lowest_over_viscosity(&fixture, theta, 1);
  right = lowest_over_viscosity(&fixture, theta, 1.5);
  bend = (left - 2 * middle + right) / 0.25;
  best = 1 - (right - left) / (2 * 0.5) / bend;
  lowest = lowest_over_viscosity(&fixture, theta, best);
  fixture.member->last = lowest;
  set_coefficients(&fixture, theta, best, 0.02);
  evaluate(&fixture);
  lac_pinn_member_probe(fixture.member, widths, &error);
  g_assert_no_error(error);
  g_assert_true(isfinite(widths[0]) && widths[0] > 0 && isfinite(widths[1]) && widths[1] > 0);
  for (int side = -1; side <= 1; side += 2)
    g_assert_cmpfloat_with_epsilon(lowest_over_viscosity(&fixture, theta, best + side * widths[0]),
                                   2 * lowest, 1e-4 * lowest);
  g_free(theta);
  clear(&fixture);
}

/* ---- standard errors ---- */

#define TINY \
  "depth=1 width=5 points=64 condition_points=32 adam_steps=40 quasi_steps=400 rule=fixed"

/* All misfits at the program's theta, part after part. */
static GArray *
list_misfits(Fixture *fixture)
{
  LacPinnLoss *loss = fixture->member->loss;
  GArray      *misfits = g_array_new(FALSE, FALSE, sizeof(double));

  evaluate(fixture);
  lac_pinn_loss_read(loss);
  for (guint p = 0; p < loss->n_parts; p++)
    g_array_append_vals(misfits, loss->parts[p].misfits, (guint) loss->parts[p].n);
  return misfits;
}

/* Returns d m / d theta_j of all misfits by a central difference. */
static GArray *
differentiate(Fixture *fixture, const double *theta, gsize j)
{
  const gsize        n = fixture->member->n_parameters;
  g_autofree double *moved = g_memdup2(theta, n * sizeof *moved);
  LacProgram        *program = fixture->member->loss->program;
  const double       h = 1e-5;

  moved[j] = theta[j] + h;
  lac_program_set_theta(program, moved);
  GArray *above = list_misfits(fixture);
  moved[j] = theta[j] - h;
  lac_program_set_theta(program, moved);
  g_autoptr(GArray) below = list_misfits(fixture);
  for (guint i = 0; i < above->len; i++)
    g_array_index(above, double, i) =
      (g_array_index(above, double, i) - g_array_index(below, double, i)) / (2 * h);
  lac_program_set_theta(program, theta);
  return above;
}

/* Returns the sandwich estimate of the variance of element @u of theta, from whole matrices. */
static double
find_variance(Fixture *fixture, const double *theta, gsize u)
{
  const LacPinnLoss   *loss = fixture->member->loss;
  const gsize          n = fixture->member->n_parameters;
  g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
  g_autofree double   *matrix = g_new0(double, n *n), *x = g_new0(double, n);
  g_autoptr(GArray)    misfits = list_misfits(fixture);
  double               squares = 0, by_noise = 0, by_others = 0, left = 0;
  gsize                n_data = 0;

  for (gsize j = 0; j < n; j++)
    g_ptr_array_add(columns, differentiate(fixture, theta, j));
  for (gsize a = 0; a < n; a++)
    for (gsize b = 0; b < n; b++) {
      guint at = 0;

      for (guint p = 0; p < loss->n_parts; p++)
        for (gsize i = 0; i < loss->parts[p].n; i++, at++)
          matrix[a * n + b] += 2 * loss->terms[loss->parts[p].term].factor *
                               loss->parts[p].base[i] / (double) loss->parts[p].n *
                               g_array_index((GArray *) columns->pdata[a], double, at) *
                               g_array_index((GArray *) columns->pdata[b], double, at);
    }
  x[u] = 1;
  g_assert_true(lac_dense_cholesky_solve(matrix, n, x, 1));
  for (guint p = 0, at = 0; p < loss->n_parts; p++) {
    const LacPinnPart *part = &loss->parts[p];
    const gboolean     is_data = loss->terms[part->term].kind == LAC_PINN_DATA;

    for (gsize i = 0; i < part->n; i++, at++) {
      const double weight = 2 * loss->terms[part->term].factor * part->base[i] / (double) part->n;
      const double misfit = g_array_index(misfits, double, at);
      double       change = 0;

      for (gsize j = 0; j < n; j++)
        change += x[j] * g_array_index((GArray *) columns->pdata[j], double, at);
      left += weight * change * misfit;
      if (!is_data) {
        by_others += pow(weight * change * misfit, 2);
      } else if (part->base[i] > 0) {
        by_noise += pow(weight * change, 2) * part->variance / part->base[i];
        squares += misfit * misfit * part->base[i] / part->variance;
        n_data++;
      }
    }
  }
  return fmax(1, squares / (double) n_data) * by_noise + by_others + left * left;
}

/* A decaying wave is measured, so that the advection is determined. */
static void
test_standard_errors(void)
{
  Fixture           fixture;
  g_autoptr(GError) error = NULL;
  double            found[LAC_PDE_MAX_COEFFICIENTS];

  prepare(&fixture, TINY);
  fixture.subject.unknown[1] = FALSE;
  for (gsize i = 0; i < 2 * N_TIMES; i++)
    if (isfinite(fixture.observations->values[i]))
      fixture.observations->values[i] = -exp(-fixture.observations->times[i / 2]) *
                                        sin(G_PI * fixture.observations->sensors[i % 2].x);
  open_member(&fixture);
  step(&fixture, 440);
  g_autoptr(LacPinnErrors) errors = lac_pinn_errors_new(fixture.member, &error);
  g_autofree double       *theta = g_new(double, fixture.member->n_parameters);
  lac_program_dup_theta(fixture.member->loss->program, theta);
  const double expected = sqrt(find_variance(&fixture, theta, 0)) * fixture.params.coefficient_rate;
  g_assert_true(lac_pinn_errors_find(errors, found, &error));
  g_assert_no_error(error);
  g_test_message("%.6g, expected %.6g", found[0], expected);
  g_assert_cmpfloat_with_epsilon(found[0], expected, 1e-3 * expected);
  g_assert_true(isnan(found[1]));
  clear(&fixture);
}

/* Probing the coefficients changes nothing. */
static void
test_probe_is_a_look(void)
{
  Fixture           looked, alone;
  g_autoptr(GError) error = NULL;
  double            widths[LAC_PDE_MAX_COEFFICIENTS];
  double           *a, *b;

  set_up(&looked, SMALL);
  set_up(&alone, SMALL);
  for (guint i = 0; i < 10; i++) {
    step(&looked, 1);
    step(&alone, 1);
    g_assert_true(lac_pinn_member_probe(looked.member, widths, &error));
  }
  a = g_new(double, looked.member->n_parameters);
  b = g_new(double, looked.member->n_parameters);
  lac_program_dup_theta(looked.member->loss->program, a);
  lac_program_dup_theta(alone.member->loss->program, b);
  g_assert_cmpmem(a, looked.member->n_parameters * sizeof *a, b,
                  alone.member->n_parameters * sizeof *b);
  for (guint t = 0; t < 3; t++)
    g_assert_cmpfloat(lac_pinn_loss_get_term(looked.member->loss, t), ==,
                      lac_pinn_loss_get_term(alone.member->loss, t));
  g_free(a);
  g_free(b);
  clear(&looked);
  clear(&alone);
}

static void
test_coefficients(void)
{
  Fixture fixture;
  double *theta;

  set_up(&fixture, SMALL);
  theta = g_new0(double, fixture.member->n_parameters);
  g_assert_cmpfloat(lac_pinn_model_get_coefficient(&fixture.training->model, theta, 0), ==, 0.7);
  g_assert_cmpfloat(lac_pinn_model_get_coefficient(&fixture.training->model, theta, 1), ==, 0.02);
  set_coefficients(&fixture, theta, -1.25, 0.003);
  g_assert_cmpfloat_with_epsilon(lac_pinn_model_get_coefficient(&fixture.training->model, theta, 0),
                                 -1.25, 1e-15);
  g_assert_cmpfloat_with_epsilon(lac_pinn_model_get_coefficient(&fixture.training->model, theta, 1),
                                 0.003, 1e-17);
  g_free(theta);
  clear(&fixture);
}

/* ---- the scaling of the inputs ---- */

/* Two networks whose inputs are scaled alike, one by its settings and one by what it learned, are the same function. */
static void
test_scaling(void)
{
  Fixture             learned, given;
  LacPinnNumbers      numbers;
  g_autofree double  *theta = NULL, *other = NULL;
  const LacPinnModel *model;

  set_up(&learned, SMALL "learn_scaling=yes scale_t=2");
  model = &learned.training->model;
  theta = g_new(double, learned.member->n_parameters);
  lac_program_dup_theta(learned.member->loss->program, theta);
  g_assert_cmpfloat(lac_pinn_model_get_scaling(model, theta, 0), ==, 2);
  g_assert_cmpfloat(lac_pinn_model_get_scaling(model, theta, 1), ==, 1);
  step(&learned, 1);
  numbers = lac_pinn_member_take(learned.member);
  g_assert_cmpfloat(numbers.scaling[0], !=, 2);
  theta[2] = log(1.5); /* after the two unknowns: t, then x */
  theta[3] = log(4);
  lac_program_set_theta(learned.member->loss->program, theta);
  set_up(&given, SMALL "scale_t=3 scale_x=4");
  other = g_new(double, given.member->n_parameters);
  g_assert_cmpuint(given.member->n_parameters + 2, ==, learned.member->n_parameters);
  memcpy(other, theta, 2 * sizeof *theta);
  memcpy(other + 2, theta + 4, (given.member->n_parameters - 2) * sizeof *theta);
  lac_program_set_theta(given.member->loss->program, other);
  evaluate(&learned);
  evaluate(&given);
  /* the residual's own factor is that of the initial scaling; conditions and data have none */
  for (guint t = 1; t < 3; t++) {
    const double a = lac_pinn_loss_get_term(learned.member->loss, t);
    const double b = lac_pinn_loss_get_term(given.member->loss, t);

    g_assert_cmpfloat_with_epsilon(a, b, 1e-12 * b);
  }
  clear(&learned);
  clear(&given);
}

/* ---- the output layer by least squares ---- */

static double
get_slope(LacPinnLoss *loss, const LacDevice *device, gsize first, gsize count, const double *theta)
{
  const gsize        n = lac_program_get_n_parameters(loss->program);
  g_autofree double *gradient = g_new(double, n);
  g_autoptr(GError)  error = NULL;
  double             sum = 0;

  lac_program_set_theta(loss->program, theta);
  g_assert_true(lac_program_run(loss->program, NULL, 1, NULL, &error));
  g_assert_true(device->table->download(device->self, gradient,
                                        lac_program_get_gradient(loss->program),
                                        n * sizeof *gradient) == LAC_STATUS_OK);
  for (gsize i = first; i < first + count; i++)
    sum += gradient[i] * gradient[i];
  return sqrt(sum);
}

/* At the fit the gradient of measurements and conditions by the output layer vanishes, up to the ridge; the rest of the
 * network is as it was. */
static void
test_last_layer(gconstpointer choices)
{
  Fixture             fixture;
  g_autoptr(GError)   error = NULL;
  LacRng              rng = lac_rng(3, 1), same = rng, start = lac_rng(5, 1);
  LacPinnLossSettings settings;

  set_up(&fixture, choices);
  settings = (LacPinnLossSettings){.model = fixture.training->model,
                                   .n_points = 64,
                                   .n_condition = 16,
                                   .observations = fixture.observations,
                                   .condition_weight = 10,
                                   .data_weight = 10};
  const gsize            n = lac_pinn_model_get_n_parameters(&settings.model);
  const gsize            count = lac_network_count_output(&settings.model.network);
  g_autofree double     *theta = g_new0(double, n), *fitted = g_new(double, n);
  g_autoptr(LacPinnLoss) loss = lac_pinn_loss_new(&settings, &fixture.context, &error);

  g_assert_no_error(error);
  lac_pinn_loss_sample_conditions(loss, &same);
  lac_pinn_model_initialise(&settings.model, &start, theta);
  memcpy(fitted, theta, n * sizeof *theta);
  g_assert_true(lac_pinn_fit_last_layer(&settings, &fixture.context, &rng, fitted, &error));
  g_assert_cmpmem(fitted, (n - count) * sizeof *theta, theta, (n - count) * sizeof *theta);
  const double before = get_slope(loss, &fixture.context.device, n - count, count, theta);
  const double after = get_slope(loss, &fixture.context.device, n - count, count, fitted);
  g_assert_cmpfloat(after, <, 1e-3 * before);
  clear(&fixture);
}

/* A run that starts from the fit has it. */
static void
test_start(void)
{
  Fixture plain, fitted;
  double  misfits[2];

  set_up(&plain, SMALL);
  set_up(&fitted, SMALL "last_layer=yes");
  evaluate(&plain);
  evaluate(&fitted);
  misfits[0] = lac_pinn_loss_get_term(plain.member->loss, 2);
  misfits[1] = lac_pinn_loss_get_term(fitted.member->loss, 2);
  g_assert_cmpfloat(misfits[1], <, misfits[0]);
  clear(&plain);
  clear(&fitted);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/pinn/loss-is-the-weighted-mean-of-squares", test_value);
  g_test_add_func("/experiment/pinn/data-count-by-how-sure-they-are", test_data);
  g_test_add_data_func("/experiment/pinn/gradient-agrees-with-differences", WEIGHTS, test_gradient);
  g_test_add_data_func("/experiment/pinn/gradient-of-the-scaling-agrees-too",
                       WEIGHTS " learn_scaling=yes", test_gradient);
  g_test_add_func("/experiment/pinn/scaling-starts-as-given-and-is-trained", test_scaling);
  g_test_add_func("/experiment/pinn/balance-makes-gradients-equal", test_balance);
  g_test_add_func("/experiment/pinn/width-doubles-the-loss", test_width);
  g_test_add_func("/experiment/pinn/a-look-at-coefficients-changes-nothing", test_probe_is_a_look);
  g_test_add_func("/experiment/pinn/standard-errors-are-those-of-the-whole-matrix",
                  test_standard_errors);
  g_test_add_func("/experiment/pinn/coefficients-come-back-as-they-went", test_coefficients);
  for (LacArchitecture a = 0; a < LAC_N_ARCHITECTURES; a++) {
    g_autofree char *name = g_strdup_printf(
      "/experiment/pinn/the-last-layer-is-the-least-squares-fit/%s", lac_architecture_name(a));

    g_test_add_data_func_full(
      name, g_strdup_printf(SMALL "rwf=yes architecture=%s", lac_architecture_name(a)),
      test_last_layer, g_free);
  }
  g_test_add_func("/experiment/pinn/a-run-starts-from-the-fit", test_start);
  return g_test_run();
}
