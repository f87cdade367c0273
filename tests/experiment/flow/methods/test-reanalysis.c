/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 4D-Var window: its gradient against differences of the misfit, and zero misfit for exact data. */
#include "backend/dense.h"
#include "experiment/flow/forecast.h"
#include "experiment/flow/methods/reanalysis.h"

#include <math.h>
#include <string.h>

#define N_TIMES    4
#define N_TRAINING 5
#define N_SENSORS  3
#define BETWEEN    3

/* Waves in a square; measurements of the model itself. */
typedef struct {
  LacContext       context;
  LacCase          subject;
  LacTruth        *grid;
  LacObservations *observations;
  LacPod          *pod;
  gsize            n;
  double          *truth; /* [N_TIMES][n] */
} Window;

static void
begin(const LacCase *subject, double *state)
{
  LacSolverSettings settings = {0};
  double            parameters[LAC_SOLVER_MAX_PARAMETERS];

  subject->solver->example(&settings, parameters, state);
}

static void
fill_training(Window *window)
{
  for (gsize s = 0; s < N_TRAINING; s++)
    for (gsize i = 0; i < window->n; i++)
      window->grid->training[s * window->n + i] =
        window->truth[i] * (1 + 0.1 * (double) s) + 0.2 * sin((double) (i * (s + 1)));
}

static void
follow_truth(Window *window)
{
  g_autoptr(GError) error = NULL;
  gpointer          solver = lac_forecast_new(
             &window->subject, &window->context,
             &(LacForecastSettings){.device = window->context.device, .type = LAC_F64, .n_members = 1},
             &error);

  g_assert_no_error(error);
  begin(&window->subject, window->truth);
  for (gsize k = 1; k < N_TIMES; k++) {
    double *state = window->truth + k * window->n;

    memcpy(state, state - window->n, window->n * sizeof *state);
    window->subject.solver->advance(solver, state, 1, window->subject.parameters, BETWEEN, &error);
    g_assert_no_error(error);
  }
  window->subject.solver->destroy(solver);
}

/* The second value of the third sensor is missing. */
static void
read_sensors(Window *window)
{
  const gsize cells = window->grid->nx * window->grid->ny;

  window->observations = lac_observations_new(N_SENSORS, N_SENSORS, N_TIMES);
  for (gsize i = 0; i < N_SENSORS; i++)
    window->observations->sensors[i] = (LacSensor){
      .rows = {7 + i * cells / 2, 8 + i * cells / 2}, .weights = {0.25, 0.75}, .station = i};
  for (gsize k = 0; k < N_TIMES; k++)
    for (gsize i = 0; i < N_SENSORS; i++) {
      window->observations->values[k * N_SENSORS + i] =
        k == 1 && i == 2
          ? NAN
          : lac_sensor_read(&window->observations->sensors[i], window->truth + k * window->n);
      window->observations->sigma[k * N_SENSORS + i] = 0.1 * (1 + (double) i);
    }
}

static void
window_init(Window *window)
{
  static const char *const fields[] = {"u", "v"};
  LacCase                 *subject = &window->subject;
  g_autoptr(GError)        error = NULL;

  memset(window, 0, sizeof *window);
  lac_device_open(&window->context.device, "cpu", &error);
  g_assert_no_error(error);
  window->context.pool = lac_pool_new(1);
  subject->solver = lac_solver_find("burgers-2d");
  subject->solver->example(&subject->model, subject->parameters, NULL);
  subject->steps_between = BETWEEN;
  subject->n_times = N_TIMES;
  subject->unknown[0] = subject->positive[0] = TRUE;
  subject->coefficients[0] = subject->parameters[0];
  subject->guesses[0] = 2 * subject->parameters[0];
  subject->initial = begin;
  window->grid =
    lac_truth_new(2, fields, subject->model.nx, subject->model.ny, N_TRAINING, N_TIMES);
  window->n = lac_truth_get_length(window->grid);
  window->truth = g_new(double, N_TIMES * window->n);
  follow_truth(window);
  fill_training(window);
  read_sensors(window);
  window->pod = lac_pod_new(window->grid->training, N_TRAINING, window->n, 3);
  g_assert_nonnull(window->pod);
}

static void
window_clear(Window *window)
{
  lac_pod_free(window->pod);
  lac_observations_free(window->observations);
  lac_truth_free(window->grid);
  lac_pool_free(window->context.pool);
  lac_device_close(&window->context.device);
  g_free(window->truth);
}

static LacReanalysis *
open_window(const Window *window, gboolean scalars, gboolean start)
{
  const LacReanalysisSettings settings = {
    .context = &window->context,
    .subject = &window->subject,
    .grid = window->grid,
    .observations = window->observations,
    .scalars = scalars,
    .pod = start ? window->pod : NULL,
  };
  g_autoptr(GError) error = NULL;
  LacReanalysis    *reanalysis = lac_reanalysis_new(&settings, &error);

  g_assert_no_error(error);
  return reanalysis;
}

static double
evaluate(LacReanalysis *reanalysis, const double *control, double *gradient)
{
  g_autoptr(GError) error = NULL;
  double            loss;

  lac_reanalysis_evaluate(reanalysis, control, gradient, &loss, &error);
  g_assert_no_error(error);
  return loss;
}

/* Central differences of order four have a truncation error of h^4 = 1e-10 of the loss and a rounding error of 1e-13
 * / h. */
static void
check_gradient(LacReanalysis *reanalysis)
{
  static const double weights[2] = {2.0 / 3, -1.0 / 12};
  const double        h = 3e-3;
  const gsize         n = lac_reanalysis_get_length(reanalysis);
  double              control[8], gradient[8], scratch[8];
  double              loss;

  g_assert_cmpuint(n, <=, G_N_ELEMENTS(control));
  lac_reanalysis_guess(reanalysis, control);
  for (gsize i = 0; i < n; i++)
    control[i] += 0.1 * sin((double) i + 1);
  loss = evaluate(reanalysis, control, gradient);
  for (gsize i = 0; i < n; i++) {
    const double at = control[i];
    double       slope = 0;

    for (guint d = 0; d < 2; d++) {
      const double stride = h * (d + 1);
      double       above;

      control[i] = at + stride;
      above = evaluate(reanalysis, control, scratch);
      control[i] = at - stride;
      slope += weights[d] / h * (above - evaluate(reanalysis, control, scratch));
    }
    control[i] = at;
    g_test_message("%" G_GSIZE_FORMAT ": %.12g, by differences %.12g", i, gradient[i], slope);
    g_assert_cmpfloat(fabs(slope), >, 0);
    g_assert_cmpfloat(fabs(slope - gradient[i]), <, 1e-8 * (loss + fabs(slope)));
  }
}

static void
test_gradient(void)
{
  static const struct {
    gboolean scalars, start;
  } kinds[] = {{TRUE, FALSE}, {FALSE, TRUE}, {TRUE, TRUE}};
  Window window;

  window_init(&window);
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
    for (gsize later = 0; later < 2; later++) {
      g_autoptr(LacReanalysis)  reanalysis = open_window(&window, kinds[i].scalars, kinds[i].start);
      const double              prior[1] = {0.3};
      const LacReanalysisWindow first = {.n_times = N_TIMES, .spread = 1};
      const LacReanalysisWindow second = {.first = 1,
                                          .n_times = N_TIMES - 1,
                                          .background = window.truth + window.n,
                                          .spread = 0.2,
                                          .scalars = prior};

      lac_reanalysis_find_window(reanalysis, later ? &second : &first);
      check_gradient(reanalysis);
    }
  window_clear(&window);
}

/* With the model's own measurements and coefficients both misfit and gradient vanish. */
static void
test_truth(void)
{
  Window                    window;
  g_autoptr(LacReanalysis)  reanalysis = NULL;
  const LacReanalysisWindow place = {.n_times = N_TIMES, .spread = 1};
  g_autoptr(GError)         error = NULL;
  double                    control, gradient, at_guess;

  window_init(&window);
  reanalysis = open_window(&window, TRUE, FALSE);
  lac_reanalysis_find_window(reanalysis, &place);
  g_assert_cmpuint(lac_reanalysis_get_length(reanalysis), ==, 1);
  lac_reanalysis_guess(reanalysis, &control);
  g_assert_cmpfloat(control, ==, log(window.subject.guesses[0]));
  g_assert_cmpfloat(evaluate(reanalysis, &control, &at_guess), >, 1e-6);
  control = log(window.subject.parameters[0]);
  /* residuals are rounding: 1e-16 over sigma = 0.1, squared */
  g_assert_cmpfloat(evaluate(reanalysis, &control, &gradient), <, 1e-25);
  g_assert_cmpfloat(fabs(gradient), <, 1e-9 * fabs(at_guess));
  g_assert_cmpfloat(lac_reanalysis_get_misfit(reanalysis, &control, &error), <, 1e-25);
  for (gsize k = 0; k < N_TIMES; k++) {
    const double *state = lac_reanalysis_get_state(reanalysis, &control, k, &error);

    g_assert_no_error(error);
    for (gsize i = 0; i < window.n; i++)
      g_assert_cmpfloat_with_epsilon(state[i], window.truth[k * window.n + i], 1e-13);
  }
  g_clear_pointer(&reanalysis, lac_reanalysis_free);
  window_clear(&window);
}

/* A missing value has no effect; a wrong one does. */
static void
test_missing(void)
{
  Window                    window;
  const LacReanalysisWindow place = {.n_times = N_TIMES, .spread = 1};
  double                    control, gradient, loss, without;
  g_autoptr(LacReanalysis)  reanalysis = NULL;

  window_init(&window);
  reanalysis = open_window(&window, TRUE, FALSE);
  control = log(window.subject.parameters[0]);
  window.observations->values[2 * N_SENSORS] += 0.2; /* two standard deviations of sensor 0 */
  lac_reanalysis_find_window(reanalysis, &place);
  loss = evaluate(reanalysis, &control, &gradient);
  g_assert_cmpfloat_with_epsilon(loss, 2, 1e-12);
  window.observations->values[2 * N_SENSORS] = NAN;
  without = evaluate(reanalysis, &control, &gradient);
  g_assert_cmpfloat(without, <, 1e-25);
  g_clear_pointer(&reanalysis, lac_reanalysis_free);
  window_clear(&window);
}

/* The deviation of a coefficient is that by the inverse of the whole Hessian, whose columns are differences of the
 * gradient; a free initial state makes it larger. */
static void
test_deviations(void)
{
  const LacReanalysisWindow place = {.n_times = N_TIMES, .spread = 1};
  const double              h = 1e-4;
  double                    found[2];
  Window                    window;

  window_init(&window);
  for (guint start = 0; start < 2; start++) {
    g_autoptr(LacReanalysis) reanalysis = open_window(&window, TRUE, start != 0);
    g_autoptr(GError)        error = NULL;
    const gsize              n = lac_reanalysis_get_length(reanalysis);
    double                   control[8] = {0}, hessian[64], above[8], below[8], unit[8] = {1};

    g_assert_cmpuint(n, <=, G_N_ELEMENTS(control));
    lac_reanalysis_find_window(reanalysis, &place);
    control[0] = log(window.subject.parameters[0]);
    for (gsize k = 0; k < N_TIMES; k++) { /* without residuals the Hessian is positive */
      const double *state = lac_reanalysis_get_state(reanalysis, control, k, &error);

      for (gsize i = 0; i < N_SENSORS; i++)
        window.observations->values[k * N_SENSORS + i] =
          lac_sensor_read(&window.observations->sensors[i], state);
    }
    for (gsize i = 0; i < n; i++) {
      const double at = control[i];

      control[i] = at + h;
      evaluate(reanalysis, control, above);
      control[i] = at - h;
      evaluate(reanalysis, control, below);
      control[i] = at;
      for (gsize j = 0; j < n; j++)
        hessian[i * n + j] = (above[j] - below[j]) / (2 * h);
    }
    g_assert_true(lac_dense_cholesky_solve(hessian, n, unit, 1));
    g_assert_true(lac_reanalysis_find_deviations(reanalysis, control, &found[start], &error));
    g_assert_no_error(error);
    const double scale = sqrt(fmax(1, lac_reanalysis_get_misfit(reanalysis, control, &error)));
    const double expected = scale * window.subject.parameters[0] * sqrt(unit[0]);
    g_test_message("%.6g, expected %.6g", found[start], expected);
    g_assert_cmpfloat_with_epsilon(found[start], expected, 1e-4 * expected);
  }
  g_assert_cmpfloat(found[1], >, found[0]);
  window_clear(&window);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/hindcast/gradient-is-that-of-differences", test_gradient);
  g_test_add_func("/experiment/hindcast/nothing-is-left-over-at-the-truth", test_truth);
  g_test_add_func("/experiment/hindcast/missing-readings-say-nothing", test_missing);
  g_test_add_func("/experiment/hindcast/deviations-are-those-of-the-whole-hessian",
                  test_deviations);
  return g_test_run();
}
