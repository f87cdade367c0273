/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heat conduction in a plate of unknown conductivity: the initial temperature is known, a few thermometers measure
 * the cooling, and the conductivity field is to be found. The training part is a family: the same initial condition
 * in other plates. Source: Carslaw and Jaeger (1959), 1.6 (3); Vogel (2002), Computational Methods for Inverse
 * Problems. */
#include "experiment/flow/scene-rows.h"
#include "experiment/flow/scenes/checks.h"
#include "experiment/flow/truth/simulated.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define SIDE (2 * G_PI)
enum { U, K };

typedef struct {
  double contrast;
  gint64 grid;
  double time_step, interval;
  gint64 observations, family;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, contrast), LAC_PARAM_REAL, "1", 0.01, 1, 0.3, N_("Contrast"), N_("Scene"), N_("Standard deviation of the logarithm of the conductivity, whose median is 1")},
  {LAC_FIELD(Params, grid), LAC_PARAM_INTEGER, "1", 16, 128, 32, N_("Grid points per side"), N_("Scene"), N_("Resolution of a periodic square of side 2π; even number")},
  {LAC_FIELD(Params, time_step), LAC_PARAM_REAL, "s", 1e-5, 0.1, 0.002, N_("Time step"), N_("Scene"), N_("Time step of the simulated truth, the training simulations and the methods; scales with the square of the cell size"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, family), LAC_PARAM_INTEGER, "1", 2, 256, 64, N_("Training set"), N_("Scene"), N_("Number of training plates with the same initial temperature, for modes and placement"), LAC_PARAM_ADVANCED},
  LAC_SCENE_INTERVAL_ROW(Params, 1e-4, 0.04),
  LAC_SCENE_TIMES_ROW(LAC_FIELD(Params, observations), 500, 16),
};

/* Wavenumbers of the plate's conductivity, each with a cosine and a sine. */
static const struct { double kx, ky; } waves[] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}, {2, 0}, {0, 2}};
/* Initial temperature. */
static const struct { double kx, ky, amplitude, phase; } warmth[] = {
  {1, 0, 1.0, 0.3}, {0, 1, 1.0, 1.1}, {2, 1, 0.8, 2.0}, {1, -2, 0.8, 0.6}, {3, 0, 0.5, 4.0}, {0, 3, 0.5, 5.0},
};
/* clang-format on */

#define N_WAVES G_N_ELEMENTS(waves)

static const LacDefault defaults[] = {{"sensors", "16"}, {"iterations", "60"}, {NULL, NULL}};

static gboolean
check(gconstpointer values, GError **error)
{
  const Params *params = values;

  return lac_scene_check_grid(params->grid, error) &&
         lac_scene_check_interval(params->interval, params->time_step, error);
}

/* The initial temperature is known; the returned conductivity is that of a uniform plate. */
static void
initial(const LacCase *subject, double *state)
{
  const gsize  n = subject->model.nx;
  const double h = SIDE / (double) n;

  for (gsize i = 0; i < n * n; i++) {
    state[i] = 0;
    state[K * n * n + i] = 1;
    for (gsize w = 0; w < G_N_ELEMENTS(warmth); w++)
      state[i] += warmth[w].amplitude *
                  cos(h * (warmth[w].kx * (double) (i % n) + warmth[w].ky * (double) (i / n)) +
                      warmth[w].phase);
  }
}

/* Draws a plate: the exponential of a random sum of waves. */
static void
draw_plate(const LacCase     *subject,
           gsize e            G_GNUC_UNUSED,
           gsize n_family     G_GNUC_UNUSED,
           LacRng            *rng,
           double            *state,
           double *parameters G_GNUC_UNUSED)
{
  const Params *params = subject->params;
  const gsize   n = subject->model.nx;
  const double  h = SIDE / (double) n;
  double        amplitudes[N_WAVES][2], *k = state + K * n * n;

  for (gsize w = 0; w < N_WAVES; w++)
    for (guint part = 0; part < 2; part++)
      amplitudes[w][part] = params->contrast / sqrt((double) N_WAVES) * lac_rng_normal(rng);
  for (gsize i = 0; i < n * n; i++) {
    double sum = 0;

    for (gsize w = 0; w < N_WAVES; w++) {
      const double angle = h * (waves[w].kx * (double) (i % n) + waves[w].ky * (double) (i / n));

      sum += amplitudes[w][0] * cos(angle) + amplitudes[w][1] * sin(angle);
    }
    k[i] = exp(sum);
  }
}

static void
configure(gconstpointer values, LacCase *subject)
{
  const Params         *params = values;
  const LacPeriodicCase periodic = {
    .solver = "heat-2d-varying",
    .side = SIDE,
    .grid = params->grid,
    .time_step = params->time_step,
    .interval = params->interval,
    .observations = params->observations,
  };

  subject->pde = lac_pde_find("heat-2d-varying");
  lac_case_set_periodic(subject, &periodic);
  subject->view_fields = 1u << U | 1u << K;
  subject->initial = initial;
  subject->sought = 1u << K;
  subject->simulation = (LacSimulation){
    .n_family = (gsize) params->family,
    .beginning = initial,
    .member = draw_plate,
    .cost_ns = lac_simulated_spectral_ns(subject->n_points, 8),
  };
}

const LacScene lac_scene_conductivity = {
  .name = "conductivity",
  .title = N_("Plate of unknown conductivity"),
  .summary = N_("The conductivity field of a plate, from a few thermometers while it cools"),
  .source = "Carslaw and Jaeger (1959), Conduction of Heat in Solids, 1.6 (3)",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u,k",
  .measured = "u",
  .methods = "solver,enkf,pod",
  .offered = "solver,enkf,pod",
  .defaults = defaults,
  .precision = "f64",
  .check = check,
  .configure = configure,
  .truth = lac_simulated_truth,
  .estimate = lac_simulated_estimate,
};
