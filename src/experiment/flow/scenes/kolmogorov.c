/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kolmogorov flow: a sinusoidal force drives the periodic square into chaos. The truth is computed by the spectral
 * solver in double precision; its first part is for training, the rest is observed. Source: Arnold, Meshalkin (1960),
 * Uspekhi Mat. Nauk 15, 247. */
#include "base/error.h"
#include "experiment/flow/scene-rows.h"
#include "experiment/flow/scenes/checks.h"
#include "experiment/flow/truth/simulated.h"
#include "solver/spectral/vorticity.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define START_RMS 2.0 /* vorticity RMS of the random initial condition */
enum { STREAM_START = 1 };
enum { VISCOSITY, FRICTION, FORCE, WAVE_NUMBER }; /* coefficients of the equation */

typedef struct {
  double reynolds, drag;
  gint64 forcing, grid;
  double time_step, interval, spin_up;
  gint64 snapshots, observations;
  gint64 viscosity_unknown;
  double viscosity_guess, model_error;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, reynolds), LAC_PARAM_REAL, "1", 1, 1000, 60, N_("Reynolds number"), N_("Scene"), N_("1 / viscosity, with a force of amplitude 1 on a square of side 2π")},
  {LAC_FIELD(Params, forcing), LAC_PARAM_INTEGER, "1", 1, 64, 4, N_("Forcing wavenumber"), N_("Scene"), N_("k of the force (sin k y, 0)")},
  LAC_SCENE_EVEN_GRID_ROW(Params, 64),
  {LAC_FIELD(Params, drag), LAC_PARAM_REAL, "1/s", 0, 1, 0, N_("Linear drag"), N_("Scene"), N_("Damps the largest scales"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, time_step), LAC_PARAM_REAL, "s", 1e-4, 0.1, 0.02, N_("Time step"), N_("Scene"), N_("Time step of the simulated truth and the ensemble"), LAC_PARAM_ADVANCED},
  LAC_SCENE_SPIN_UP_ROW(Params, "s", 1000, 60),
  LAC_SCENE_SNAPSHOTS_ROW(Params, 800, LAC_PARAM_ADVANCED),
  LAC_SCENE_INTERVAL_ROW(Params, 1e-3, 0.2),
  LAC_SCENE_OBSERVATIONS_ROW(Params, 150),
  LAC_SCENE_UNKNOWN_ROW(Params, viscosity, N_("Viscosity unknown"), 0),
  LAC_SCENE_NEAR_GUESS_ROW(Params, viscosity, N_("Initial guess of the viscosity, relative to the true value"), 1.67),
  {LAC_FIELD(Params, model_error), LAC_PARAM_REAL, "%", -50, 100, 0, N_("Error of the model's viscosity"), N_("Unknowns"), N_("Relative error of the methods' viscosity, to avoid an identical-twin experiment"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

static const LacDefault defaults[] = {
  {"sensors", "12"},   {"localisation", "3"}, {"analysis", "square-root"},
  {"fourier", "none"}, {"window", "25"},      {"iterations", "25"},
  {NULL, NULL}};

static gboolean
check(gconstpointer values, GError **error)
{
  const Params *params = values;

  if (!lac_scene_check_grid(params->grid, error))
    return FALSE;
  if (3 * params->forcing >= params->grid) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "forcing = %" G_GINT64_FORMAT " is not resolved; a grid of %" G_GINT64_FORMAT
                " points resolves wavenumbers below %" G_GINT64_FORMAT,
                params->forcing, params->grid, (params->grid + 2) / 3);
    return FALSE;
  }
  return lac_scene_check_interval(params->interval, params->time_step, error) &&
         lac_scene_check_observations(params->observations, params->snapshots, error);
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params         *params = values;
  const LacPeriodicCase periodic = {
    .solver = "navier-stokes-2d",
    .side = 2 * G_PI,
    .grid = params->grid,
    .time_step = params->time_step,
    .interval = params->interval,
    .observations = params->observations,
  };

  subject->pde = lac_pde_find("kolmogorov");
  lac_case_set_periodic(subject, &periodic);
  lac_case_set_sought(subject, VISCOSITY, 1 / params->reynolds, params->viscosity_unknown != 0,
                      params->viscosity_guess);
  lac_case_set_known(subject, FRICTION, params->drag);
  lac_case_set_known(subject, FORCE, 1);
  lac_case_set_known(subject, WAVE_NUMBER, (double) params->forcing);
  subject->view_fields = 3;
  subject->gauged = 4;
  subject->scored_from = 2.0 / 3;
  subject->model.constants[0] = params->drag;
  subject->model.constants[1] = (double) params->forcing;
  subject->parameters[0] = (1 + params->model_error / 100) / params->reynolds;
  subject->parameter_coefficient[0] = VISCOSITY;
}

static gboolean
check_finite(const double *values, gsize n, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite(values[i])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_UNSTABLE,
                  "the true flow diverged: time_step is too long for this reynolds and grid; "
                  "halve it");
      return FALSE;
    }
  return TRUE;
}

static LacVorticitySolver *
make_solver(const Params *params, const LacContext *context, GError **error)
{
  const LacVorticitySettings settings = {
    .device = context->device,
    .pool = context->pool,
    .type = LAC_F64,
    .n = (gsize) params->grid,
    .n_members = 1,
    .viscosity = 1 / params->reynolds,
    .drag = params->drag,
    .forcing = (gsize) params->forcing,
    .time_step = params->time_step,
    .perf = context->perf,
    .lane = context->lane,
  };

  return lac_vorticity_new(&settings, error);
}

static gboolean
compute(const LacCase *subject, const LacContext *context, LacTruth *truth, GError **error)
{
  const Params                 *params = subject->params;
  g_autoptr(LacVorticitySolver) solver = make_solver(params, context, error);
  LacRng                        rng = lac_rng(context->seed, STREAM_START);
  const gsize                   n_spin_up = (gsize) ceil(params->spin_up / params->interval - 1e-9);
  const gsize                   n_all = n_spin_up + truth->n_training + truth->n_times,
              n = lac_truth_get_length(truth);

  if (!solver || !lac_vorticity_randomise(solver, &rng, START_RMS, error))
    return FALSE;
  for (gsize i = 0; i < n_all; i++) {
    if (lac_context_is_cancelled(context, error))
      return FALSE;
    if (context->progress)
      context->progress(0.9 * (double) i / (double) n_all,
                        i < n_spin_up ? _("the true flow: spin-up") : _("the true flow: snapshots"),
                        context->user_data);
    if (i >= n_spin_up) {
      double *snapshot = lac_truth_get_slot(truth, i - n_spin_up);

      if (!lac_vorticity_get(solver, snapshot, error) || !check_finite(snapshot, n, error))
        return FALSE;
    }
    if (!lac_vorticity_advance(solver, subject->steps_between, error))
      return FALSE;
  }
  return TRUE;
}

static LacTruth *
make_truth(gconstpointer values, const LacCase *subject, const LacContext *context, GError **error)
{
  const Params       *params = values;
  g_autoptr(LacTruth) truth =
    lac_truth_new(subject->n_fields, subject->pde->fields, subject->model.nx, subject->model.ny,
                  lac_scene_count_training(params->snapshots), subject->n_times);

  lac_case_place_grid(subject, truth);
  return compute(subject, context, truth, error) ? g_steal_pointer(&truth) : NULL;
}

static void
estimate(const LacCase *subject, double *seconds, double *bytes)
{
  const Params *params = subject->params;
  const double  points = (double) subject->n_points, snapshots = (double) params->snapshots;
  const double  n_steps =
    (params->spin_up / params->interval + snapshots) * (double) subject->steps_between;

  *seconds = 1e-9 * lac_simulated_spectral_ns(subject->n_points, 5) * points * n_steps;
  *bytes = 8 * points * subject->n_fields * snapshots * 1.6 + 300 * points;
}

const LacScene lac_scene_kolmogorov = {
  .name = "kolmogorov",
  .title = N_("Kolmogorov flow"),
  .summary =
    N_("A whole chaotic velocity field from a dozen noisy sensors, by an ensemble Kalman filter"),
  .source = "Evensen (2003), doi:10.1007/s10236-003-0036-9; Manohar et al. (2018), "
            "doi:10.1109/MCS.2018.2810460",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,v",
  .measured = "u,v",
  .methods = "enkf,pod",
  .offered = "enkf,pod,solver,pinn,surrogate,ienks",
  .defaults = defaults,
  .precision = "f32",
  .is_default = TRUE,
  .check = check,
  .configure = configure,
  .truth = make_truth,
  .estimate = estimate,
};
