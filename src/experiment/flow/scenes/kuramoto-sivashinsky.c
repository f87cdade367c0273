/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chaotic flame front on a periodic interval. The truth is one long trajectory: its earlier part is for training,
 * the rest is observed and never used for training. Source: Kassam, Trefethen (2005), doi:10.1137/S1064827502410633. */
#include "base/error.h"
#include "experiment/flow/scene-rows.h"
#include "experiment/flow/truth/exact.h"
#include "experiment/flow/truth/simulated.h"
#include "experiment/flow/truth/term-fit.h"
#include "experiment/flow/truth/trajectory.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define HIGHEST 3.5 /* slope of the front on the attractor */
#define N_WAVES 4
/* of a file: snapshots looked at, least share of u_t that the equation explains, deviation of a coefficient from 1 */
#define SNAPSHOTS       64
#define LEAST_EXPLAINED 0.8
#define TOLERANCE       0.2
/* per unit of length: the shortest wave kept is 2.4 times the shortest unstable one, and the spectrum of the attractor
 * falls exponentially in between; the published setting has 1.27 */
#define LEAST_POINTS 1.2

enum { ADVECTION, INSTABILITY, DAMPING };

typedef struct {
  double length;
  gint64 grid;
  double interval, spin_up;
  gint64 training, observations;
  gint64 instability_unknown, damping_unknown;
  double instability_guess, damping_guess;
  char  *truth;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, length), LAC_PARAM_REAL, "1", 10, 400, 22, N_("Length of the interval"), N_("Scene"), N_("Longer is more chaotic: about one degree of freedom per 9 units")},
  {LAC_FIELD(Params, grid), LAC_PARAM_INTEGER, "1", 16, 2048, 64, N_("Grid points"), N_("Scene"), N_("At least 1.2 per unit of length")},
  LAC_SCENE_SPIN_UP_ROW(Params, "1", 1e4, 200),
  LAC_SCENE_TRAINING_ROW(Params, 500),
  {LAC_FIELD(Params, interval), LAC_PARAM_REAL, "1", 0.01, 10, 0.5, N_("Time between observations"), N_("Sensors"), N_("Errors grow by a factor of e in about 20 time units")},
  {LAC_FIELD(Params, observations), LAC_PARAM_INTEGER, "1", 2, 20000, 200, N_("Observations"), N_("Sensors"), N_("Number of observation times")},
  {LAC_FIELD(Params, truth), LAC_PARAM_FILE, "1", 0, 0, 0, N_("Truth from a file"), N_("Scene"), N_("MAT, HDF5 or NPY with u over t and x; stretched to the length and the time between observations; at most half of its times are observed"), .file_type = "field"},
  LAC_EXACT_UNKNOWN_ROWS(Params, instability, N_("Instability unknown"), 1.2),
  LAC_EXACT_UNKNOWN_ROWS(Params, damping, N_("Damping unknown"), 0.8),
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "4"}, {"localisation", "7"}, {NULL, NULL}};

/* Draws a few random waves. */
static void
draw(const LacCase     *subject,
     gsize e            G_GNUC_UNUSED,
     gsize n_family     G_GNUC_UNUSED,
     LacRng            *rng,
     double            *state,
     double *parameters G_GNUC_UNUSED)
{
  const gsize n = subject->model.nx;

  for (guint wave = 1; wave <= N_WAVES; wave++) {
    const double size = lac_rng_normal(rng), phase = 2 * G_PI * lac_rng_uniform(rng);

    for (gsize i = 0; i < n; i++)
      state[i] += size * cos(2 * G_PI * wave * (double) i / (double) n + phase);
  }
}

static gboolean
check(gconstpointer values, GError **error)
{
  const Params *params = values;

  if ((double) params->grid >= LEAST_POINTS * params->length)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "grid = %" G_GINT64_FORMAT
              " does not resolve an interval of length %g; use at least %g points",
              params->grid, params->length, ceil(LEAST_POINTS * params->length));
  return FALSE;
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params         *params = values;
  const double          shortest = 2.0 / 3 * G_PI * (double) params->grid / params->length;
  const double          n_steps = MAX(1, ceil(params->interval * HIGHEST * shortest));
  const LacPeriodicCase periodic = {
    .solver = "kuramoto-sivashinsky",
    .side = params->length,
    .grid = params->grid,
    .time_step = params->interval / n_steps,
    .interval = params->interval,
    .observations = params->observations,
  };

  subject->pde = lac_pde_find("kuramoto-sivashinsky");
  lac_case_set_periodic(subject, &periodic);
  lac_case_set_known(subject, ADVECTION, 1);
  lac_case_set_sought(subject, INSTABILITY, 1, params->instability_unknown != 0,
                      params->instability_guess);
  lac_case_set_sought(subject, DAMPING, 1, params->damping_unknown != 0, params->damping_guess);
  subject->view_fields = 1;
  subject->scored_from = 0.5;
  for (guint i = 0; i < 3; i++) {
    subject->parameters[i] = 1;
    subject->parameter_coefficient[i] = (int) i;
  }
  subject->simulation = (LacSimulation){
    .n_lead = (gsize) ceil(params->spin_up / params->interval),
    .n_of_the_same = (gsize) params->training,
    .member = draw,
    .cost_ns = 50,
  };
}

/* ---- a file ---- */

/* Adds one snapshot to the fit of u_t = -c1 u u_x - c2 u_xx - c3 u_xxxx, by differences of fourth order in space and
 * second in time. */
static void
add_snapshot(LacTermFit *fit, const LacTruth *truth, gsize k, double interval)
{
  LacTruth     *all = (LacTruth *) truth; /* the slots are read only */
  const double *before = lac_truth_get_slot(all, k - 1), *u = lac_truth_get_slot(all, k);
  const double *after = lac_truth_get_slot(all, k + 1);
  const gsize   n = truth->nx;
  const double  h = (truth->upper[0] - truth->lower[0]) / (double) (n - 1);

  for (gsize i = 0; i < n; i++) {
    const double a3 = u[(i + n - 3) % n], a2 = u[(i + n - 2) % n], a1 = u[(i + n - 1) % n];
    const double b1 = u[(i + 1) % n], b2 = u[(i + 2) % n], b3 = u[(i + 3) % n];
    const double slope = (8 * (b1 - a1) - (b2 - a2)) / (12 * h);
    const double second = (16 * (a1 + b1) - (a2 + b2) - 30 * u[i]) / (12 * h * h);
    const double fourth =
      (-(a3 + b3) + 12 * (a2 + b2) - 39 * (a1 + b1) + 56 * u[i]) / (6 * h * h * h * h);
    const double terms[] = {-u[i] * slope, -second, -fourth};

    lac_term_fit_add(fit, terms, (const double[]){before[i], u[i], after[i]}, 2 * interval);
  }
}

/* Checks that a trajectory solves the equation with the scene's coefficients, after it was stretched to the length and
 * the interval of the scene; where another stretch is right, names it. Accepts times that are too far apart for a
 * fit. */
static gboolean
check_trajectory(const Params *params, const LacTruth *truth, GError **error)
{
  const gsize n = truth->n_training + truth->n_times;
  const gsize stride = MAX(1, n / SNAPSHOTS);
  double      c[3] = {0}, explained;
  LacTermFit  fit = {.n = 3};

  for (gsize k = 1; k + 1 < n; k += stride)
    add_snapshot(&fit, truth, k, params->interval);
  if (!lac_term_fit_is_resolved(&fit))
    return TRUE;
  explained = lac_term_fit_solve(&fit, c);
  if (explained < LEAST_EXPLAINED || !(c[1] > 0) || !(c[2] > 0)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "the truth file is no solution of this equation: its best fit, u_t = %.3g u u_x "
                "%+.3g u_xx %+.3g u_xxxx, explains %.0f %% of u_t; all three numbers should be -1",
                -c[0], -c[1], -c[2], 100 * fmax(0, explained));
    return FALSE;
  }
  if (fabs(c[0] - 1) < TOLERANCE && fabs(c[1] - 1) < TOLERANCE && fabs(c[2] - 1) < TOLERANCE)
    return TRUE;
  /* in x s and t r the coefficients of u_xx and u_xxxx are 1: c2 = r / s^2, c3 = r / s^4 */
  const double s = sqrt(c[1] / c[2]), r = c[1] * s * s;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "with length = %g and interval = %g, the truth file solves u_t = -%.3g u u_x - %.3g "
              "u_xx - %.3g u_xxxx; the scene's coefficients are 1: set length to %.4g and interval "
              "to %.3g",
              params->length, params->interval, c[0], c[1], c[2], params->length * s,
              params->interval * r);
  return FALSE;
}

static LacTruth *
take_file(const Params *params, const LacCase *subject, const LacGridField *file, GError **error)
{
  g_autoptr(LacTruth) truth = lac_trajectory_truth_new(file, subject, params->interval, error);

  if (!truth || !check_trajectory(params, truth, error))
    return NULL;
  return g_steal_pointer(&truth);
}

static LacTruth *
make_truth(gconstpointer values, const LacCase *subject, const LacContext *context, GError **error)
{
  const LacGridField *file = context->inputs ? g_hash_table_lookup(context->inputs, "truth") : NULL;

  return file ? take_file(values, subject, file, error)
              : lac_simulated_truth(values, subject, context, error);
}

static gboolean
agrees(gconstpointer                 values,
       const LacCase                *subject,
       const LacGridField           *field,
       const LacMeasurements *points G_GNUC_UNUSED,
       GError                      **error)
{
  g_autoptr(LacTruth) truth = take_file(values, subject, field, error);

  return truth != NULL;
}

const LacScene lac_scene_kuramoto_sivashinsky = {
  .name = "kuramoto-sivashinsky",
  .title = N_("Chaotic flame front"),
  .summary = N_("Chaos of the Kuramoto-Sivashinsky equation, tracked with a few sensors"),
  .source = "Kuramoto, Tsuzuki (1976), doi:10.1143/PTP.55.356",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u",
  .measured = "u",
  .methods = "enkf,pod",
  .offered = "enkf,solver,pinn,pod,surrogate,ienks",
  .defaults = defaults,
  .precision = "f64",
  .check = check,
  .configure = configure,
  .truth = make_truth,
  .agrees = agrees,
  .estimate = lac_simulated_estimate,
};
