/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latent model on flows of Burgers' equation: better than persistence on held-out data, and bitwise equal when
 * resumed. */
#include "base/rng.h"
#include "experiment/flow/methods/latent-model.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

#define N_RUNS  16
#define RUN     16
#define N_X     48
#define N_MODES 10
#define BETWEEN 10  /* solver steps between snapshots */
#define N_STEPS 600 /* training steps */
#define AHEAD   10

typedef struct {
  LacDevice device;
  LacPool  *pool;
  double   *snapshots; /* [N_RUNS + 1][RUN][N_X]; the last series is held out */
  LacPod   *pod;
} Flows;

/* Makes waves of random height and position, each evolving freely. */
static void
flows_init(Flows *flows)
{
  g_autoptr(GError) error = NULL;
  const LacSolver  *solver = lac_solver_find("burgers-1d");
  LacSolverSettings settings = {0};
  LacRng            rng = lac_rng(7, 0);
  double            parameters[LAC_SOLVER_MAX_PARAMETERS];
  gpointer          self;

  g_assert_true(lac_device_open(&flows->device, "cpu", &error));
  flows->pool = lac_pool_new(2);
  flows->snapshots = g_new(double, (N_RUNS + 1) * RUN * N_X);
  solver->example(&settings, parameters, NULL);
  settings.device = flows->device;
  settings.pool = flows->pool;
  settings.type = LAC_F64;
  settings.n_members = 1;
  g_assert_cmpuint(settings.nx, ==, N_X);
  self = solver->create(solver, &settings, &error);
  for (gsize s = 0; s <= N_RUNS; s++) {
    double      *state = flows->snapshots + s * RUN * N_X;
    const double height = 0.5 + 0.7 * lac_rng_uniform(&rng), shift = lac_rng_uniform(&rng);

    for (gsize i = 0; i < N_X; i++) {
      const double x = 2 * G_PI * (double) i / N_X;

      state[i] = -height * sin(x + shift) + 0.3 * cos(2 * x);
    }
    for (gsize k = 1; k < RUN; k++, state += N_X) {
      memcpy(state + N_X, state, N_X * sizeof *state);
      solver->advance(self, state + N_X, 1, parameters, BETWEEN, &error);
      g_assert_no_error(error);
    }
  }
  solver->destroy(self);
  flows->pod = lac_pod_new(flows->snapshots, N_RUNS * RUN, N_X, N_MODES);
}

static void
flows_clear(Flows *flows)
{
  lac_pod_free(flows->pod);
  g_free(flows->snapshots);
  lac_pool_free(flows->pool);
  lac_device_close(&flows->device);
}

static LacLatentModel *
make_model(const Flows *flows, LacOptimiserKind optimiser, LacPool *pool)
{
  g_autoptr(GError)       error = NULL;
  const LacLatentSettings settings = {
    .pod = flows->pod,
    .snapshots = flows->snapshots,
    .n_runs = N_RUNS,
    .run = RUN,
    .horizon = 5,
    .batch = 64,
    .width = 32,
    .depth = 1,
    .optimiser = optimiser,
    .rate = 3e-3,
    .n_steps = N_STEPS,
    .seed = 5,
    .device = flows->device,
    .type = LAC_F64,
    .pool = pool,
  };
  LacLatentModel *model = lac_latent_model_new(&settings, &error);

  g_assert_no_error(error);
  return model;
}

static double
train(LacLatentModel *model, gint64 first, gint64 end)
{
  g_autoptr(GError) error = NULL;
  double            loss = NAN;

  for (gint64 step = first; step < end; step++)
    g_assert_true(lac_latent_model_train(model, step, &loss, &error));
  return loss;
}

static void
roll(LacLatentModel *model, double *coefficients)
{
  g_autoptr(GError) error = NULL;

  g_assert_true(lac_latent_model_roll(model, coefficients, AHEAD, &error));
}

static void
project(const LacPod *pod, const double *snapshot, double *coefficients)
{
  for (gsize j = 0; j < pod->n_modes; j++) {
    coefficients[j] = 0;
    for (gsize i = 0; i < pod->n; i++)
      coefficients[j] += pod->modes[j * pod->n + i] * (snapshot[i] - pod->mean[i]);
  }
}

/* Returns the norm of the snapshot minus the one with these coefficients. */
static double
error_of(const LacPod *pod, const double *snapshot, const double *coefficients)
{
  double sum = 0;

  for (gsize i = 0; i < pod->n; i++) {
    double value = pod->mean[i];

    for (gsize j = 0; j < pod->n_modes; j++)
      value += coefficients[j] * pod->modes[j * pod->n + i];
    sum += pow(snapshot[i] - value, 2);
  }
  return sqrt(sum);
}

/* On the held-out series the roll-out has a smaller error than persistence at each of ten steps; at the end a much
 * smaller one. */
static void
test_beats_persistence(gconstpointer data)
{
  Flows  flows;
  double coefficients[(AHEAD + 1) * N_MODES];

  flows_init(&flows);
  g_autoptr(LacLatentModel) model =
    make_model(&flows, (LacOptimiserKind) GPOINTER_TO_INT(data), flows.pool);
  const double *held_out = flows.snapshots + N_RUNS * RUN * N_X;
  const double  first = train(model, 0, 1), last = train(model, 1, N_STEPS);

  g_assert_cmpfloat(last, <, 0.25 * first);
  g_assert_cmpuint(flows.pod->n_modes, ==, N_MODES);
  project(flows.pod, held_out, coefficients);
  roll(model, coefficients);
  for (gsize k = 1; k <= AHEAD; k++) {
    const double *truth = held_out + k * N_X;
    const double  rolled = error_of(flows.pod, truth, coefficients + k * N_MODES);
    const double  kept = error_of(flows.pod, truth, coefficients);

    g_test_message("%zu steps ahead: roll-out %g, persistence %g", k, rolled, kept);
    g_assert_cmpfloat(rolled, <, kept);
    if (k == AHEAD)
      g_assert_cmpfloat(rolled, <, 0.25 * kept);
  }
  flows_clear(&flows);
}

/* Interrupted, saved, loaded into a new model with another number of threads, and continued: bitwise equal. */
static void
test_resume(gconstpointer data)
{
  const LacOptimiserKind kind = (LacOptimiserKind) GPOINTER_TO_INT(data);
  g_autoptr(GError)      error = NULL;
  Flows                  flows;
  double                 ahead[2][(AHEAD + 1) * N_MODES];

  flows_init(&flows);
  g_autoptr(LacLatentModel) whole = make_model(&flows, kind, flows.pool);
  g_autoptr(LacLatentModel) cut = make_model(&flows, kind, NULL);
  g_autoptr(LacLatentModel) resumed = make_model(&flows, kind, flows.pool);
  const gsize               length = lac_packing_get_length(lac_latent_model_pack, cut);
  g_autofree double        *state = g_new(double, length);

  project(flows.pod, flows.snapshots + N_RUNS * RUN * N_X, ahead[0]);
  memcpy(ahead[1], ahead[0], sizeof ahead[0]);
  train(cut, 0, 17);
  lac_packing_save(lac_latent_model_pack, cut, state);
  lac_packing_load(lac_latent_model_pack, resumed, state);
  g_assert_cmpfloat(train(resumed, 17, 40), ==, train(whole, 0, 40));
  roll(whole, ahead[0]);
  roll(resumed, ahead[1]);
  g_assert_cmpmem(ahead[1], sizeof ahead[1], ahead[0], sizeof ahead[0]);
  flows_clear(&flows);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/latent-model/adam/beats persistence on a series that was held out",
                       GINT_TO_POINTER(LAC_OPTIMISER_ADAM), test_beats_persistence);
  g_test_add_data_func("/latent-model/soap/beats persistence on a series that was held out",
                       GINT_TO_POINTER(LAC_OPTIMISER_SOAP), test_beats_persistence);
  g_test_add_data_func("/latent-model/adam/resumes to the same bits",
                       GINT_TO_POINTER(LAC_OPTIMISER_ADAM), test_resume);
  g_test_add_data_func("/latent-model/soap/resumes to the same bits",
                       GINT_TO_POINTER(LAC_OPTIMISER_SOAP), test_resume);
  return g_test_run();
}
