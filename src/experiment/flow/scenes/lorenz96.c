/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Lorenz 96 system: chaotic variables on a ring, the standard test of data assimilation. The truth is one long
 * trajectory: its earlier part is for training, the rest is observed and never used for training.
 * Source: Lorenz (1996), Predictability: a problem partly solved; its usual setting as a test of filters: Sakov, Oke
 * (2008), doi:10.1111/j.1600-0870.2007.00299.x, 5.1. */
#include "experiment/flow/scene-rows.h"
#include "experiment/flow/truth/exact.h"
#include "experiment/flow/truth/simulated.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define LONGEST_STEP 0.05 /* as published; its errors are far below those of any analysis */

enum { FORCING, DAMPING };

typedef struct {
  gint64 variables;
  double forcing, interval, spin_up;
  gint64 training, observations;
  gint64 forcing_unknown;
  double forcing_guess;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, variables), LAC_PARAM_INTEGER, "1", 4, 2048, 40, N_("Variables"), N_("Scene"), N_("Number of variables on the ring")},
  {LAC_FIELD(Params, forcing), LAC_PARAM_REAL, "1", 0.1, 20, 8, N_("Forcing"), N_("Scene"), N_("Chaotic above about 4; 8 is the usual setting")},
  LAC_SCENE_SPIN_UP_ROW(Params, "1", 1e4, 20),
  LAC_SCENE_TRAINING_ROW(Params, 1000),
  {LAC_FIELD(Params, interval), LAC_PARAM_REAL, "1", 0.01, 1, 0.05, N_("Time between observations"), N_("Sensors"), N_("0.05 stands for six hours of weather; errors double in about 0.4")},
  {LAC_FIELD(Params, observations), LAC_PARAM_INTEGER, "1", 2, 20000, 400, N_("Observations"), N_("Sensors"), N_("Number of observation times")},
  LAC_SCENE_UNKNOWN_ROW(Params, forcing, N_("Forcing unknown"), 0),
  LAC_SCENE_GUESS_ROW(Params, forcing, 0.9),
};
/* clang-format on */

static const LacDefault defaults[] = {
  {"sensors", "20"},           {"placement", "uniform"}, {"noise", "10"},
  {"members", "40"},           {"localisation", "6"},    {"inflation", "1.02"},
  {"analysis", "square-root"}, {"noise_floor", "1"},     {NULL, NULL},
};

/* There is no equation in space: only the names of its axes, field and coefficients are used. */
static const LacPde ring = {
  .name = "lorenz-96",
  .formula = "u_i' = (u_(i+1) - u_(i-2)) u_(i-1) - damping u_i + forcing",
  .n_axes = 2,
  .axes = {"t", "x"},
  .n_fields = 1,
  .fields = {"u"},
  .n_coefficients = 2,
  .coefficients = {"forcing", "damping"},
  .source = "Lorenz (1996), Predictability: a problem partly solved, eq. 1",
};

/* The unstable steady state u = forcing, disturbed. */
static void
draw(const LacCase     *subject,
     gsize e            G_GNUC_UNUSED,
     gsize n_family     G_GNUC_UNUSED,
     LacRng            *rng,
     double            *state,
     double *parameters G_GNUC_UNUSED)
{
  for (gsize i = 0; i < subject->model.nx; i++)
    state[i] = subject->coefficients[FORCING] + lac_rng_normal(rng);
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params         *params = values;
  const double          n_steps = MAX(1, ceil(params->interval / LONGEST_STEP - 1e-9));
  const LacPeriodicCase periodic = {
    .solver = "lorenz-96",
    .side = (double) params->variables,
    .grid = params->variables,
    .time_step = params->interval / n_steps,
    .interval = params->interval,
    .observations = params->observations,
  };

  subject->pde = &ring;
  subject->without_equation = TRUE;
  lac_case_set_periodic(subject, &periodic);
  lac_case_set_sought(subject, FORCING, params->forcing, params->forcing_unknown != 0,
                      params->forcing_guess);
  lac_case_set_known(subject, DAMPING, 1);
  subject->view_fields = 1;
  subject->scored_from = 0.5;
  for (guint i = 0; i < ring.n_coefficients; i++) {
    subject->parameters[i] = subject->coefficients[i];
    subject->parameter_coefficient[i] = (int) i;
  }
  subject->simulation = (LacSimulation){
    .n_lead = (gsize) ceil(params->spin_up / params->interval),
    .n_of_the_same = (gsize) params->training,
    .member = draw,
    .cost_ns = 15,
  };
}

const LacScene lac_scene_lorenz96 = {
  .name = "lorenz96",
  .title = N_("Lorenz 96 system"),
  .summary =
    N_("The standard test of data assimilation: forty chaotic variables, half of them measured"),
  .source = "Lorenz (1996), Predictability: a problem partly solved, eq. 1",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u",
  .measured = "u",
  .methods = "enkf,pod",
  .offered = "enkf,solver,pod,surrogate,ienks",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = lac_simulated_truth,
  .estimate = lac_simulated_estimate,
};
