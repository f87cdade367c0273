/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Burgers' equation from a sine wave to a shock, by the Cole-Hopf solution or from the user's file; or the inverse
 * problem: the equation's two coefficients from measurements. Source: Raissi, Perdikaris, Karniadakis (2019),
 * doi:10.1016/j.jcp.2018.10.045, sections 3.1 and 4.1 */
#include "base/error.h"
#include "experiment/flow/scene.h"
#include "experiment/flow/truth/grid-file.h"
#include "experiment/flow/truth/term-fit.h"
#include "field/field.h"
#include "solver/cole-hopf.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define N_T     100
#define N_X     256
#define N_NODES 140 /* quadrature nodes */
/* of a file: least share of u_t that the equation explains, deviation of the coefficient of u u_x from 1 */
#define LEAST_EXPLAINED 0.8
#define TOLERANCE       0.2

enum { T, X };
enum { ADVECTION, VISCOSITY };

typedef struct {
  double viscosity;
  char  *truth;
  gint64 identify;
  double advection_guess, viscosity_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, viscosity), LAC_PARAM_REAL, "1", 0.001, 1, 0.01 / G_PI, N_("Viscosity"), N_("Scene"), N_("ν in u_t + u u_x = ν u_xx; 0.01/π makes the classic shock")},
  {LAC_FIELD(Params, truth), LAC_PARAM_FILE, "1", 0, 0, 0, N_("Truth from a file"), N_("Scene"), N_("MAT, HDF5 or NPY with u over t and x; without a file, the exact solution"), .file_type = "field"},
  {LAC_FIELD(Params, identify), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Coefficients unknown"), N_("Unknowns"), N_("Estimates the advection coefficient and viscosity from the sensors alone, without initial and boundary values")},
  {LAC_FIELD(Params, advection_guess), LAC_PARAM_REAL, "1", -10, 10, 0, N_("Initial guess of the advection"), N_("Unknowns"), N_("λ1 in u_t + λ1 u u_x = λ2 u_xx; the true value is 1"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, viscosity_guess), LAC_PARAM_REAL, "1", 1e-5, 1, 0.00248, N_("Initial guess of the viscosity"), N_("Unknowns"), N_("λ2 in u_t + λ1 u u_x = λ2 u_xx"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "0"}, {"placement", "uniform"}, {NULL, NULL}};

/* ---- the case ---- */

/* u = -sin(pi x) + t (1 - x^2) N */
static void
hard(const LacCase *subject G_GNUC_UNUSED, LacNode x, LacNode *outputs)
{
  LacNode place = lac_columns(x, X, 1);
  LacNode inside = lac_offset(lac_scale(lac_map(place, LAC_SCALAR_SQUARE), -1), 1);
  LacNode start = lac_map(lac_scale(place, G_PI), LAC_SCALAR_SIN);

  outputs[0] =
    lac_subtract(lac_multiply(lac_multiply(lac_columns(x, T, 1), inside), outputs[0]), start);
}

static void
sample_start(const LacCase *subject G_GNUC_UNUSED, LacRng *rng, double *x, double *values)
{
  x[T] = 0;
  x[X] = 2 * lac_rng_uniform(rng) - 1;
  values[0] = -sin(G_PI * x[X]);
}

static void
sample_ends(const LacCase *subject G_GNUC_UNUSED, LacRng *rng, double *x, double *values)
{
  x[T] = lac_rng_uniform(rng);
  x[X] = lac_rng_word(rng) & 1 ? 1 : -1;
  values[0] = 0;
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params *params = values;

  subject->pde = lac_pde_find("burgers");
  subject->lower[X] = -1;
  subject->upper[T] = subject->upper[X] = 1;
  subject->coefficients[ADVECTION] = 1;
  subject->coefficients[VISCOSITY] = params->viscosity;
  subject->guesses[ADVECTION] = params->advection_guess;
  subject->guesses[VISCOSITY] = params->viscosity_guess;
  subject->unknown[ADVECTION] = subject->unknown[VISCOSITY] = params->identify != 0;
  subject->positive[VISCOSITY] = TRUE;
  subject->mirror = X;
  subject->parity[0] = -1;
  if (!params->identify) {
    subject->hard = hard;
    subject->n_conditions = 2;
    subject->conditions[0] = (LacCondition){"initial values", 1, TRUE, sample_start};
    subject->conditions[1] = (LacCondition){"ends", 1, TRUE, sample_ends};
  }
  subject->n_points = N_X;
  subject->n_times = N_T;
  subject->view_fields = 1;
}

/* ---- the truth ---- */

static LacTruth *
make_grid(gsize n_t, gsize n_x)
{
  static const char *const fields[] = {"u"};
  LacTruth                *truth = lac_truth_new(1, fields, n_x, 1, 0, n_t);

  truth->lower[0] = -1;
  truth->upper[0] = 1;
  return truth;
}

/* Time in steps of 1/100 up to 0.99, ends of x included. */
static LacTruth *
make_exact(double viscosity)
{
  g_autoptr(LacColeHopf) exact = lac_cole_hopf_new(viscosity, N_NODES);
  LacTruth              *truth = make_grid(N_T, N_X);

  for (gsize k = 0; k < N_T; k++) {
    truth->times[k] = (double) k / N_T;
    for (gsize i = 0; i < N_X; i++)
      truth->observed[k * N_X + i] =
        lac_cole_hopf_at(exact, truth->times[k], lac_truth_get_x(truth, i));
  }
  return truth;
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

static LacTruth *
take_grid(const LacGridField *file, int time, GError **error)
{
  const LacAxis      *t = &file->axes[time], *x = &file->axes[1 - time];
  g_autoptr(LacTruth) truth = make_grid(t->n, x->n);

  truth->lower[0] = x->values[0];
  truth->upper[0] = x->values[x->n - 1];
  for (gsize k = 0; k < t->n; k++) {
    truth->times[k] = t->values[k];
    for (gsize i = 0; i < x->n; i++) {
      const double value = file->data[time == 0 ? k * x->n + i : i * t->n + k];

      truth->observed[k * x->n + i] = value;
      if (!isfinite(value)) {
        g_set_error(
          error, LAC_ERROR, LAC_ERROR_BAD_FILE,
          "the truth file's field \"%s\" contains a value that is not finite at t = %g, x = %g",
          file->name, t->values[k], x->values[i]);
        return NULL;
      }
    }
  }
  return g_steal_pointer(&truth);
}

/* Checks that the first third of a file, before shocks that its grid does not resolve, solves the equation.
 * Accepts times that are too far apart for a fit. */
static gboolean
check_equation(const LacTruth *truth, GError **error)
{
  const gsize  n = truth->nx, n_early = MAX(3, truth->n_times / 3);
  const double h = (truth->upper[0] - truth->lower[0]) / (double) (n - 1);
  LacTermFit   fit = {.n = 2};
  double       c[2] = {0}, explained;

  for (gsize k = 1; k + 1 < MIN(n_early, truth->n_times); k++)
    for (gsize i = 1; i + 1 < n; i++) {
      const double *u = lac_truth_at(truth, k) + i;
      const double  slope = (u[1] - u[-1]) / (2 * h), second = (u[1] + u[-1] - 2 * u[0]) / (h * h);
      const double  times[] = {lac_truth_at(truth, k - 1)[i], u[0], lac_truth_at(truth, k + 1)[i]};

      lac_term_fit_add(&fit, (const double[]){-u[0] * slope, second}, times,
                       truth->times[k + 1] - truth->times[k - 1]);
    }
  explained = lac_term_fit_solve(&fit, c);
  if (!lac_term_fit_is_resolved(&fit) || truth->n_times < 3 || n < 3 ||
      (explained > LEAST_EXPLAINED && fabs(c[0] - 1) < TOLERANCE))
    return TRUE;
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_BAD_FILE,
    "the truth file is no solution of u_t + u u_x = ν u_xx: its best fit, u_t = %.3g u u_x "
    "%+.3g u_xx, explains %.0f %% of u_t",
    -c[0], c[1], 100 * fmax(0, explained));
  return FALSE;
}

static LacTruth *
take_file(const LacCase *subject, const LacGridField *file, GError **error)
{
  g_autoptr(LacTruth) truth = NULL;
  const int           time = file->n_axes == 2 ? lac_grid_file_find_time(file) : -1;

  if (time < 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the truth file's field \"%s\" has %u axes; burgers needs two, t and x, identified "
                "by name or by length",
                file->name, file->n_axes);
    return NULL;
  }
  if (!check_range(&file->axes[time], "time", 0, 1, error) ||
      !check_range(&file->axes[1 - time], "x", -1, 1, error) ||
      !lac_axis_check_even(&file->axes[1 - time], "the truth file", 1e-6, error))
    return NULL;
  truth = take_grid(file, time, error);
  if (!truth || !lac_grid_file_agrees(subject, file, error) || !check_equation(truth, error))
    return NULL;
  return g_steal_pointer(&truth);
}

static LacTruth *
make_truth(gconstpointer values, const LacCase *subject, const LacContext *context, GError **error)
{
  const LacGridField *file = context->inputs ? g_hash_table_lookup(context->inputs, "truth") : NULL;

  return file ? take_file(subject, file, error) : make_exact(((const Params *) values)->viscosity);
}

static gboolean
agrees(gconstpointer params          G_GNUC_UNUSED,
       const LacCase                *subject,
       const LacGridField           *field,
       const LacMeasurements *points G_GNUC_UNUSED,
       GError                      **error)
{
  g_autoptr(LacTruth) truth = take_file(subject, field, error);

  return truth != NULL;
}

/* One quadrature with N_NODES nodes at every point. */
static void
estimate(const LacCase *subject G_GNUC_UNUSED, double *seconds, double *bytes)
{
  static const double seconds_per_node = 2e-8;

  *seconds = seconds_per_node * N_NODES * N_T * N_X;
  *bytes = 8.0 * N_T * N_X;
}

const LacScene lac_scene_burgers = {
  .name = "burgers",
  .title = N_("Burgers shock"),
  .summary =
    N_("A shock forming from a sine wave, learnt by a small network from the equation alone"),
  .source = "Raissi, Perdikaris, Karniadakis (2019), doi:10.1016/j.jcp.2018.10.045, section 3.1",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u",
  .measured = "u",
  .methods = "pinn",
  .offered = "pinn",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = make_truth,
  .agrees = agrees,
  .estimate = estimate,
};
