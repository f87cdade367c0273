/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The method "surrogate": a data-driven network, trained on the training part to predict the next state, runs freely
 * from the first observation. It uses neither the equation nor any measurement after the first observation.
 * Source: Brandstetter, Worrall and Welling (2022), arXiv 2202.03376, section 3. */
#include "base/error.h"
#include "experiment/flow/method.h"
#include "experiment/flow/methods/latent-model.h"
#include "sensor/expansion.h"
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
static const char *const optimiser_titles[] = {[ADAM] = "Adam", [SOAP] = "SOAP"};

#define SURROGATE(member) "surrogate_" #member, G_STRUCT_OFFSET(Params, member)

/* clang-format off */
static const LacParam rows[] = {
  {SURROGATE(steps), LAC_PARAM_INTEGER, "1", 1, 1e6, 2000, N_("Training steps"), N_("Data-driven surrogate"), N_("Optimiser steps before the free-running forecast")},
  {SURROGATE(horizon), LAC_PARAM_INTEGER, "1", 1, 16, 6, N_("Training roll-out"), N_("Data-driven surrogate"), N_("Time steps that the model predicts from its own output in training")},
  {SURROGATE(width), LAC_PARAM_INTEGER, "1", 1, 1024, 64, N_("Width"), N_("Data-driven surrogate"), N_("Neurons per hidden layer"), LAC_PARAM_ADVANCED},
  {SURROGATE(depth), LAC_PARAM_INTEGER, "1", 1, 6, 2, N_("Hidden layers"), N_("Data-driven surrogate"), N_("Hidden layers of the network that corrects the linear step"), LAC_PARAM_ADVANCED},
  {SURROGATE(optimiser), LAC_PARAM_CHOICE, "1", 0, 0, SOAP, N_("Optimiser"), N_("Data-driven surrogate"), N_("SOAP: Adam in the eigenbasis of each matrix's gradients"), LAC_PARAM_ADVANCED, .choices = optimisers, .titles = optimiser_titles},
  {SURROGATE(rate), LAC_PARAM_REAL, "1", 1e-6, 0.1, 1e-3, N_("Learning rate"), N_("Data-driven surrogate"), N_("Initial value; decays to a hundredth"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

typedef struct {
  Params          params;
  LacProblem      problem;
  guint32         name_train;
  LacLatentModel *model;
  gsize           run;      /* snapshots per training series */
  double          between;  /* interval between them: the model's time step */
  gsize           first;    /* initial observation */
  gsize           n_rolled; /* steps to the last observation */
  double         *roll_out; /* [n_rolled + 1][n_modes] */
  LacExpansion   *expansion;
  double         *coefficients; /* [n_modes] */
  gboolean        is_rolled;    /* the roll-out belongs to the current model */
  gint64          done;
} Method;

static gsize
curves(gconstpointer params G_GNUC_UNUSED, const LacCase *subject G_GNUC_UNUSED, LacCurve *list)
{
  list[CURVE_LOSS] = (LacCurve){"loss", N_("Roll-out loss"), "1", TRUE, FALSE, NAN};
  return 1;
}

/* Assumes about 1e10 operations per second; the number of modes is not known yet and is set to the number of values. */
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
              "engines = surrogate needs an unsteady scene, but this one is steady; remove it");
  return FALSE;
}

static void
destroy(gpointer data)
{
  Method *self = data;

  lac_latent_model_free(self->model);
  g_free(self->roll_out);
  lac_expansion_free(self->expansion);
  g_free(self->coefficients);
  g_free(self);
}

static LacLatentModel *
make_model(const Method *self, GError **error)
{
  const LacContext       *context = self->problem.context;
  const LacLatentSettings settings = {
    .pod = self->problem.pod,
    .snapshots = self->problem.grid->training,
    .n_runs = self->problem.grid->n_training / self->run,
    .run = self->run,
    .horizon = (gsize) self->params.horizon,
    .batch = BATCH,
    .width = (gsize) self->params.width,
    .depth = (gsize) self->params.depth,
    .optimiser = self->params.optimiser == SOAP ? LAC_OPTIMISER_SOAP : LAC_OPTIMISER_ADAM,
    .rate = self->params.rate,
    .n_steps = self->params.steps,
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

/* Finds the coefficients at the first observation from its values. */
static gboolean
find_start(Method *self, GError **error)
{
  const LacObservations *observations = self->problem.observations;
  const gsize            m = observations->n_sensors, n_times = self->problem.grid->n_times;
  g_autofree LacStencil *stencils = g_new0(LacStencil, m);
  g_autoptr(LacGappy)    gappy = NULL;
  LacGappySettings       settings = {
          .pod = self->problem.pod,
          .stencils = stencils,
          .n_values = m,
          .method = LAC_GAPPY_BAYES,
  };

  while (self->first + 1 < n_times && !sees_anything(observations, self->first))
    self->first++;
  for (gsize i = 0; i < m; i++) {
    memcpy(stencils[i].rows, observations->sensors[i].rows, sizeof stencils[i].rows);
    memcpy(stencils[i].weights, observations->sensors[i].weights, sizeof stencils[i].weights);
  }
  settings.noises = observations->sigma + self->first * m;
  gappy = lac_gappy_new_with(&settings, error);
  if (!gappy)
    return FALSE;
  lac_gappy_get_coefficients(gappy, observations->values + self->first * m, self->roll_out);
  return TRUE;
}

static double
elapsed(const Method *self, gsize k)
{
  const double *times = self->problem.grid->times;

  return (times[k] - times[self->first]) / self->between;
}

static gpointer
create(gconstpointer values, const LacProblem *problem, GError **error)
{
  const LacTruth *grid = problem->grid;
  Method         *self;

  if (!problem->pod || grid->n_training < 2) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "engines = surrogate needs consecutive training snapshots, but this scene has none");
    return NULL;
  }
  self = g_new0(Method, 1);
  self->params = *(const Params *) values;
  self->problem = *problem;
  self->run = grid->training_run ? grid->training_run : grid->n_training;
  self->between =
    grid->training_interval > 0 ? grid->training_interval : grid->times[1] - grid->times[0];
  self->n_rolled = (gsize) ceil(elapsed(self, grid->n_times - 1) - 1e-9);
  self->roll_out = g_new0(double, (self->n_rolled + 1) * problem->pod->n_modes);
  if (problem->context->perf)
    self->name_train = lac_perf_name(problem->context->perf, "surrogate training");
  self->coefficients = g_new0(double, problem->pod->n_modes);
  self->expansion = lac_expansion_new(problem->pod, &problem->context->device, error);
  self->model = self->expansion && find_start(self, error) ? make_model(self, error) : NULL;
  if (!self->model) {
    destroy(self);
    return NULL;
  }
  return self;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const Method *) data)->params.steps;
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  Method *self = data;
  double  loss;
  LacSpan span = lac_span_begin(self->problem.context->lane, self->name_train);

  if (!lac_latent_model_train(self->model, self->done, &loss, error))
    return FALSE;
  lac_span_end(self->problem.context->lane, span, self->done + 1);
  self->is_rolled = FALSE;
  self->done++;
  if (!isfinite(loss)) {
    report->outcome = LAC_OUTCOME_DIVERGED;
    g_snprintf(report->why, sizeof report->why,
               _("the surrogate's loss diverged at step %d: lower surrogate_rate"),
               (int) self->done);
    return TRUE;
  }
  report->curves[CURVE_LOSS] = loss;
  if (self->done == n_steps(self))
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

/* Interpolates linearly between two steps of the model; before its start the estimate is the mean of the training
 * part. */
static gboolean
field(gpointer data, gsize k, double *values, double *deviation, GError **error)
{
  Method       *self = data;
  const LacPod *pod = self->problem.pod;
  const double  at = elapsed(self, k);
  const gsize   before = at > 0 ? MIN((gsize) (at + 1e-9), self->n_rolled) : 0;
  const gsize   after = MIN(before + 1, self->n_rolled);
  const double  share = CLAMP(at - (double) before, 0, 1);

  if (!self->is_rolled &&
      !lac_latent_model_roll(self->model, self->roll_out, self->n_rolled, error))
    return FALSE;
  self->is_rolled = TRUE;
  memcpy(values, pod->mean, pod->n * sizeof *values);
  for (gsize j = 0; j < pod->n_modes; j++) {
    const double a = self->roll_out[before * pod->n_modes + j];

    self->coefficients[j] = a + share * (self->roll_out[after * pod->n_modes + j] - a);
  }
  if (k >= self->first && !lac_expansion_add(self->expansion, self->coefficients, values, error))
    return FALSE;
  for (gsize i = 0; deviation && i < pod->n; i++)
    deviation[i] = NAN;
  return TRUE;
}

static void
visit(gpointer data, LacVisit *visit)
{
  Method *self = data;

  lac_visit_bytes(visit, "done", &self->done, sizeof self->done);
  lac_visit_packed(visit, "weights", lac_latent_model_pack, self->model);
  if (lac_visit_restores(visit))
    self->is_rolled = FALSE;
}

const LacFlowMethod lac_flow_method_surrogate = {
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
  .visit = visit,
};
