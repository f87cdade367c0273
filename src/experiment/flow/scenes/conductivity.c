/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat that spreads in a plate whose conductivity nobody knows: how warm the plate is at the beginning is known, a few
 * thermometers say how it cools, and the field of the conductivity is to be found. The training part is a family: the same
 * beginning in other plates. Source: Carslaw and Jaeger (1959), 1.6 (3); Vogel (2002), Computational Methods for Inverse Problems. */
#include "base/error.h"
#include "experiment/flow/scene.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define SIDE (2 * G_PI)
enum { T, X, Y };
enum { U, K, N_FIELDS };
enum { STREAM_PLATES = 1 };

typedef struct {
  double contrast;
  gint64 grid;
  double time_step, interval;
  gint64 observations, family;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, contrast), LAC_PARAM_REAL, "1", 0.01, 1, 0.3, N_("Contrast"), N_("Scene"), N_("Standard deviation of the logarithm of the conductivity, whose middle is 1")},
  {LAC_FIELD(Params, grid), LAC_PARAM_INTEGER, "1", 16, 128, 32, N_("Grid points a side"), N_("Scene"), N_("Of a periodic square of side 2π; even")},
  {LAC_FIELD(Params, time_step), LAC_PARAM_REAL, "s", 1e-5, 0.1, 0.002, N_("Time step"), N_("Scene"), N_("Of truth, family and engines; a finer grid takes shorter ones, by the square"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, family), LAC_PARAM_INTEGER, "1", 2, 256, 64, N_("Family that trains"), N_("Scene"), N_("Other plates with the same beginning: what modes and places are learnt from"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, interval), LAC_PARAM_REAL, "s", 1e-4, 10, 0.04, N_("Time between observations"), N_("Sensors"), N_("A multiple of the time step")},
  {LAC_FIELD(Params, observations), LAC_PARAM_INTEGER, "1", 2, 500, 16, N_("Observations"), N_("Sensors"), N_("Times at which the sensors are read, the first at the beginning")},
};

/* What the plate's conductivity varies by; each has a cosine and a sine. */
static const struct { double kx, ky; } waves[] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}, {2, 0}, {0, 2}};
/* The warmth at the beginning. */
static const struct { double kx, ky, amplitude, phase; } warmth[] = {
  {1, 0, 1.0, 0.3}, {0, 1, 1.0, 1.1}, {2, 1, 0.8, 2.0}, {1, -2, 0.8, 0.6}, {3, 0, 0.5, 4.0}, {0, 3, 0.5, 5.0},
};
/* clang-format on */

#define N_WAVES G_N_ELEMENTS(waves)

static const LacDefault defaults[] = {{"sensors", "16"}, {"iterations", "60"}, {NULL, NULL}};

static gsize
get_steps_between(const Params *params)
{
  return (gsize) round(params->interval / params->time_step);
}

static gboolean
check(gconstpointer values, GError **error)
{
  const Params *params = values;
  const double  ratio = params->interval / params->time_step;

  if (params->grid % 2)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "grid = %" G_GINT64_FORMAT " is odd; it takes an even number of points",
                params->grid);
  else if (fabs(ratio - round(ratio)) > 1e-6 * ratio || ratio < 0.5)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "interval must be a multiple of time_step");
  else
    return TRUE;
  return FALSE;
}

/* [n][n] */
static void
fill_warmth(gsize n, double *u)
{
  const double h = SIDE / (double) n;

  for (gsize i = 0; i < n * n; i++) {
    u[i] = 0;
    for (gsize w = 0; w < G_N_ELEMENTS(warmth); w++)
      u[i] += warmth[w].amplitude *
              cos(h * (warmth[w].kx * (double) (i % n) + warmth[w].ky * (double) (i / n)) +
                  warmth[w].phase);
  }
}

/* The exponential of a random sum of waves of deviation @contrast. */
static void
draw_plate(gsize n, double contrast, LacRng *rng, double *k)
{
  const double h = SIDE / (double) n;
  double       amplitudes[N_WAVES][2];

  for (gsize w = 0; w < N_WAVES; w++)
    for (guint part = 0; part < 2; part++)
      amplitudes[w][part] = contrast / sqrt((double) N_WAVES) * lac_rng_normal(rng);
  for (gsize i = 0; i < n * n; i++) {
    double sum = 0;

    for (gsize w = 0; w < N_WAVES; w++) {
      const double angle = h * (waves[w].kx * (double) (i % n) + waves[w].ky * (double) (i / n));

      sum += amplitudes[w][0] * cos(angle) + amplitudes[w][1] * sin(angle);
    }
    k[i] = exp(sum);
  }
}

/* The conductivity of the state that is returned is a plate without contrast. */
static void
initial(const LacCase *subject, double *state)
{
  const gsize n = subject->model.nx;

  fill_warmth(n, state);
  for (gsize i = 0; i < n * n; i++)
    state[K * n * n + i] = 1;
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params *params = values;
  const gsize   n = (gsize) params->grid;

  subject->pde = lac_pde_find("heat-2d-varying");
  subject->upper[T] = params->interval * (double) (params->observations - 1);
  subject->upper[X] = subject->upper[Y] = SIDE;
  subject->periodic[X] = subject->periodic[Y] = TRUE;
  subject->n_points = n * n;
  subject->n_times = (gsize) params->observations;
  subject->view_fields = 1u << U | 1u << K;
  subject->solver = lac_solver_find("heat-2d-varying");
  subject->model = (LacSolverSettings){
    .nx = n,
    .ny = n,
    .length = {SIDE, SIDE},
    .time_step = params->time_step,
  };
  subject->steps_between = get_steps_between(params);
  subject->initial = initial;
  subject->sought = 1u << K;
}

/* What all plates are at observation @k. Returns: %FALSE with an error where they are not finite. */
static gboolean
keep(const double *states, gsize n_plates, gsize k, LacTruth *truth, GError **error)
{
  const gsize n = lac_truth_get_length(truth);

  for (gsize i = 0; i < n_plates * n; i++)
    if (!isfinite(states[i])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "the true plate diverged: time_step is too long for this grid and contrast; "
                  "halve it");
      return FALSE;
    }
  for (gsize e = 0; e < n_plates; e++)
    memcpy(lac_truth_get_slot(truth, e * truth->n_times + k), states + e * n, n * sizeof *states);
  return TRUE;
}

static gboolean
compute(const Params     *params,
        const LacCase    *subject,
        gpointer          solver,
        const LacContext *context,
        LacTruth         *truth,
        GError          **error)
{
  const gsize        n_plates = (gsize) params->family + 1, n = lac_truth_get_length(truth);
  LacRng             rng = lac_rng(context->seed, STREAM_PLATES);
  g_autofree double *states = g_new(double, n_plates *n);

  for (gsize e = 0; e < n_plates; e++) {
    fill_warmth(truth->nx, states + e * n);
    draw_plate(truth->nx, params->contrast, &rng, states + e * n + K * n / N_FIELDS);
  }
  for (gsize k = 0; k < truth->n_times; k++) {
    if (lac_context_is_cancelled(context, error))
      return FALSE;
    if (context->progress)
      context->progress(0.9 * (double) k / (double) truth->n_times,
                        _("the true plate and its family"), context->user_data);
    if (k > 0 && !subject->solver->advance(solver, states, n_plates, subject->parameters,
                                           subject->steps_between, error))
      return FALSE;
    if (!keep(states, n_plates, k, truth, error))
      return FALSE;
  }
  return TRUE;
}

static LacTruth *
make_truth(gconstpointer values, const LacCase *subject, const LacContext *context, GError **error)
{
  static const char *const fields[N_FIELDS] = {"u", "k"};
  const Params            *params = values;
  const gsize              n = (gsize) params->grid;
  LacSolverSettings        model = subject->model;
  g_autoptr(LacTruth)      truth =
    lac_truth_new(N_FIELDS, fields, n, n, (gsize) (params->family * params->observations),
                  (gsize) params->observations);
  gboolean is_made;
  gpointer solver;

  model.device = context->device;
  model.pool = context->pool;
  model.type = LAC_F64;
  model.perf = context->perf;
  model.lane = context->lane;
  model.n_members = (gsize) params->family + 1;
  solver = subject->solver->create(&model, error);
  if (!solver)
    return NULL;
  truth->upper[0] = truth->upper[1] = SIDE * (double) (n - 1) / (double) n;
  truth->periodic[0] = truth->periodic[1] = TRUE;
  for (gsize k = 0; k < truth->n_times; k++)
    truth->times[k] = params->interval * (double) k;
  is_made = compute(params, subject, solver, context, truth, error);
  subject->solver->destroy(solver);
  return is_made ? g_steal_pointer(&truth) : NULL;
}

/* From the operation count at the rate the reference machine reached on one thread. */
static void
estimate(gconstpointer values, double *seconds, double *bytes)
{
  static const double flops_per_second = 1.6e10;
  const Params       *params = values;
  const double        points = (double) (params->grid * params->grid);
  const double        plates = (double) params->family + 1;
  const double        n_steps =
    plates * (double) params->observations * (double) get_steps_between(params);

  *seconds = n_steps * 4 * 8 * 2.5 * points * log2(points) / flops_per_second;
  *bytes = 8 * N_FIELDS * points * plates * (double) params->observations * 1.6 + 300 * points;
}

const LacScene lac_scene_conductivity = {
  .name = "conductivity",
  .title = N_("A plate of unknown conductivity"),
  .summary = N_("Where a plate conducts well and where badly, from a few thermometers while it "
                "cools"),
  .source = "Carslaw and Jaeger (1959), Conduction of Heat in Solids, 1.6 (3)",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,k",
  .measured = "u",
  .engines = "solver,enkf,pod",
  .offered = "solver,enkf,pod",
  .defaults = defaults,
  .precision = "f64",
  .check = check,
  .configure = configure,
  .truth = make_truth,
  .estimate = estimate,
};
