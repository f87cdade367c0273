/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine "surrogate": a network that has learnt from the training part what follows what, and goes on by itself from the
 * first observation. It is data-driven and knows no physics, and looks at no sensor after the first observation.
 * Source: Brandstetter, Worrall and Welling (2022), arXiv 2202.03376, section 3. */
#include "base/error.h"
#include "experiment/flow/engine.h"
#include "experiment/flow/engines/latent-model.h"
#include "sensor/gappy.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define BATCH 128

enum { ADAM, SOAP };
enum { CURVE_LOSS };

typedef struct {
  gint64 steps, horizon, width, depth, optimiser;
  double rate;
} Params;

static const char *const optimisers[] = {[ADAM] = "adam", [SOAP] = "soap", NULL};

#define SURROGATE(member) "surrogate_" #member, G_STRUCT_OFFSET(Params, member)

/* clang-format off */
static const LacParam rows[] = {
  {SURROGATE(steps), LAC_PARAM_INTEGER, "1", 1, 1e6, 2000, N_("Training steps"), N_("Data-driven surrogate"), N_("Of the optimiser; a network is trained before it goes on by itself")},
  {SURROGATE(horizon), LAC_PARAM_INTEGER, "1", 1, 16, 6, N_("Roll-out trained on"), N_("Data-driven surrogate"), N_("Steps that it is fed its own output for while it is trained")},
  {SURROGATE(width), LAC_PARAM_INTEGER, "1", 1, 1024, 64, N_("Width"), N_("Data-driven surrogate"), N_("Of the hidden layers"), LAC_PARAM_ADVANCED},
  {SURROGATE(depth), LAC_PARAM_INTEGER, "1", 1, 6, 2, N_("Hidden layers"), N_("Data-driven surrogate"), N_("Of the network beside the linear step"), LAC_PARAM_ADVANCED},
  {SURROGATE(optimiser), LAC_PARAM_CHOICE, "1", 0, 0, SOAP, N_("Optimiser"), N_("Data-driven surrogate"), N_("adam; soap: Adam in the eigenbases of the gradients of each matrix"), LAC_PARAM_ADVANCED, .choices = optimisers},
  {SURROGATE(rate), LAC_PARAM_REAL, "1", 1e-6, 0.1, 1e-3, N_("Rate"), N_("Data-driven surrogate"), N_("At the start; it falls to a hundredth"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

typedef struct {
  Params          params;
  LacProblem      problem;
  guint32         name_train;
  LacLatentModel *model;
  gsize           run;       /* snapshots a series of the training part */
  double          between;   /* time from one to the next: of a step of the model */
  gsize           first;     /* observation it starts from */
  gsize           n_ahead;   /* steps to the last observation */
  double         *ahead;     /* [n_ahead + 1][n_modes] */
  gboolean        is_rolled; /* ahead is that of the model as it is now */
  double         *weights;   /* [state length]: of save() */
  gint64          done;
} Engine;

static gsize
curves(gconstpointer params G_GNUC_UNUSED, const LacCase *subject G_GNUC_UNUSED, LacCurve *list)
{
  list[CURVE_LOSS] = (LacCurve){"loss", N_("Roll-out loss"), "1", TRUE, FALSE, NAN};
  return 1;
}

/* At some 1e10 operations a second; the modes are not known yet and taken as many as the values. */
static void
estimate(gconstpointer values, const LacCase *subject, gsize n_values, LacEstimate *result)
{
  const Params *params = values;
  const double  modes = (double) MAX(2, n_values), width = (double) params->width;
  const double  weights =
    modes * modes + 2 * modes * width + width * width * (double) (params->depth - 1);
  const double n = (double) (subject->n_points * subject->pde->n_fields);

  result->n_steps = params->steps;
  result->seconds_per_step = 6 * weights * BATCH * (double) params->horizon / 1e10;
  result->memory_bytes =
    40 * weights + 8 * n * modes +
    16 * (double) (BATCH * params->horizon * params->depth) * (2 * width + 2 * modes);
}

static gboolean
check(gconstpointer values G_GNUC_UNUSED, const LacCase *subject, GError **error)
{
  if (!subject->steady && subject->n_times > 1)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "engines = surrogate learns what follows what, and in this scene nothing changes in "
              "time; leave it out");
  return FALSE;
}

static void
destroy(gpointer data)
{
  Engine *engine = data;

  lac_latent_model_free(engine->model);
  g_free(engine->ahead);
  g_free(engine->weights);
  g_free(engine);
}

static LacLatentModel *
make_model(const Engine *engine, GError **error)
{
  const LacContext       *context = engine->problem.context;
  const LacLatentSettings settings = {
    .pod = engine->problem.pod,
    .snapshots = engine->problem.grid->training,
    .n_runs = engine->problem.grid->n_training / engine->run,
    .run = engine->run,
    .horizon = (gsize) engine->params.horizon,
    .batch = BATCH,
    .width = (gsize) engine->params.width,
    .depth = (gsize) engine->params.depth,
    .optimiser = engine->params.optimiser == SOAP ? LAC_OPTIMISER_SOAP : LAC_OPTIMISER_ADAM,
    .rate = engine->params.rate,
    .n_steps = engine->params.steps,
    .seed = context->seed,
    .device = context->device,
    .type = g_str_equal(context->precision, "f32") ? LAC_F32 : LAC_F64,
    .pool = context->pool,
    .perf = context->perf,
    .lane = context->lane,
  };

  return lac_latent_model_new(&settings, error);
}

static gboolean
sees_anything(const LacObservations *observations, gsize k)
{
  for (gsize i = 0; i < observations->n_sensors; i++)
    if (!isnan(observations->values[k * observations->n_sensors + i]))
      return TRUE;
  return FALSE;
}

/* The coefficients at the first observation, from its values alone. */
static gboolean
find_start(Engine *engine, GError **error)
{
  const LacObservations *observations = engine->problem.observations;
  const gsize            m = observations->n_sensors, n_times = engine->problem.grid->n_times;
  g_autofree LacStencil *stencils = g_new0(LacStencil, m);
  g_autoptr(LacGappy)    gappy = NULL;
  LacGappySettings       settings = {
          .pod = engine->problem.pod,
          .stencils = stencils,
          .n_values = m,
          .method = LAC_GAPPY_BAYES,
  };

  while (engine->first + 1 < n_times && !sees_anything(observations, engine->first))
    engine->first++;
  for (gsize i = 0; i < m; i++) {
    memcpy(stencils[i].rows, observations->sensors[i].rows, sizeof stencils[i].rows);
    memcpy(stencils[i].weights, observations->sensors[i].weights, sizeof stencils[i].weights);
  }
  settings.noises = observations->sigma + engine->first * m;
  gappy = lac_gappy_new_with(&settings, error);
  if (!gappy)
    return FALSE;
  lac_gappy_get_coefficients(gappy, observations->values + engine->first * m, engine->ahead);
  return TRUE;
}

static double
elapsed(const Engine *engine, gsize k)
{
  const double *times = engine->problem.grid->times;

  return (times[k] - times[engine->first]) / engine->between;
}

static gpointer
create(gconstpointer values, const LacProblem *problem, GError **error)
{
  const LacTruth *grid = problem->grid;
  Engine         *engine;

  if (!problem->pod || grid->n_training < 2) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "engines = surrogate needs snapshots to train on, one after the other in time, and "
                "this scene has none");
    return NULL;
  }
  engine = g_new0(Engine, 1);
  engine->params = *(const Params *) values;
  engine->problem = *problem;
  engine->run = grid->training_run ? grid->training_run : grid->n_training;
  engine->between =
    grid->training_interval > 0 ? grid->training_interval : grid->times[1] - grid->times[0];
  engine->n_ahead = (gsize) ceil(elapsed(engine, grid->n_times - 1) - 1e-9);
  engine->ahead = g_new0(double, (engine->n_ahead + 1) * problem->pod->n_modes);
  if (problem->context->perf)
    engine->name_train = lac_perf_name(problem->context->perf, "surrogate training");
  engine->model = find_start(engine, error) ? make_model(engine, error) : NULL;
  if (!engine->model) {
    destroy(engine);
    return NULL;
  }
  engine->weights = g_new(double, lac_latent_model_get_state_length(engine->model));
  return engine;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const Engine *) data)->params.steps;
}

static gboolean
step(gpointer data, LacTurnReport *report, GError **error)
{
  Engine *engine = data;
  double  loss;
  LacSpan span = lac_span_begin(engine->problem.context->lane, engine->name_train);

  if (!lac_latent_model_train(engine->model, engine->done, &loss, error))
    return FALSE;
  lac_span_end(engine->problem.context->lane, span, engine->done + 1);
  engine->is_rolled = FALSE;
  engine->done++;
  if (!isfinite(loss)) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(report->why, sizeof report->why,
               _("the surrogate's loss left the numbers at step %d: lower surrogate_rate"),
               (int) engine->done);
    return TRUE;
  }
  report->curves[CURVE_LOSS] = loss;
  if (engine->done == n_steps(engine))
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

/* Between two steps of the model a straight line; before its start the mean of the training part. */
static gboolean
field(gpointer data, gsize k, double *values, double *deviation, GError **error)
{
  Engine       *engine = data;
  const LacPod *pod = engine->problem.pod;
  const double  at = elapsed(engine, k);
  const gsize   before = at > 0 ? MIN((gsize) (at + 1e-9), engine->n_ahead) : 0;
  const gsize   after = MIN(before + 1, engine->n_ahead);
  const double  share = CLAMP(at - (double) before, 0, 1);

  if (!engine->is_rolled &&
      !lac_latent_model_roll(engine->model, engine->ahead, engine->n_ahead, error))
    return FALSE;
  engine->is_rolled = TRUE;
  memcpy(values, pod->mean, pod->n * sizeof *values);
  for (gsize j = 0; j < pod->n_modes && k >= engine->first; j++) {
    const double a = engine->ahead[before * pod->n_modes + j];
    const double coefficient = a + share * (engine->ahead[after * pod->n_modes + j] - a);

    for (gsize i = 0; i < pod->n; i++)
      values[i] += coefficient * pod->modes[j * pod->n + i];
  }
  for (gsize i = 0; deviation && i < pod->n; i++)
    deviation[i] = NAN;
  return TRUE;
}

static void
save(gpointer data, LacStore *store)
{
  Engine     *engine = data;
  const gsize length = lac_latent_model_get_state_length(engine->model);

  lac_store_put_bytes(store, "done", &engine->done, sizeof engine->done);
  lac_latent_model_save(engine->model, engine->weights);
  memcpy(lac_store_put(store, "weights", length, 1, sizeof(double)), engine->weights,
         length * sizeof(double));
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  Engine       *engine = data;
  const gsize   length = lac_latent_model_get_state_length(engine->model);
  const gint64 *done = lac_store_get_bytes(store, "done", sizeof *done, error);
  const double *weights =
    done ? lac_store_get(store, "weights", length, 1, sizeof(double), error) : NULL;

  if (!weights || !lac_latent_model_load(engine->model, weights, length, error))
    return FALSE;
  engine->done = *done;
  engine->is_rolled = FALSE;
  return TRUE;
}

const LacEngine lac_engine_surrogate = {
  .name = "surrogate",
  .title = N_("Data-driven surrogate, no physics"),
  .source = "Brandstetter, Worrall and Welling (2022), arXiv 2202.03376, section 3",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .needs_sensors = TRUE,
  .needs_training = TRUE,
  .check = check,
  .estimate = estimate,
  .curves = curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  .field = field,
  .save = save,
  .load = load,
};
