/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The method "pod": static reconstruction of each time from its own values, with the modes of the training part.
 * Source: Everson and Sirovich (1995), doi:10.1364/JOSAA.12.001657 */
#include "base/error.h"
#include "experiment/flow/method.h"
#include "experiment/flow/sensors/static-pod.h"
#include "sensor/expansion.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  gint64 gappy;
  double pod_noise;
  gint64 widen_bands; /* switch */
} Params;

static const char *const methods[] =
  {[LAC_GAPPY_BAYES] = "bayes", [LAC_GAPPY_LEAST_SQUARES] = "least-squares", NULL};
static const char *const method_titles[] =
  {[LAC_GAPPY_BAYES] = N_("Bayesian"), [LAC_GAPPY_LEAST_SQUARES] = N_("Least squares")};

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, gappy), LAC_PARAM_CHOICE, "1", 0, 0, LAC_GAPPY_BAYES, N_("Estimator"), N_("Gappy POD"), N_("Bayesian: posterior with a prior from training; least squares: no prior, sensitive to noise"), .choices = methods, .titles = method_titles},
  {LAC_FIELD(Params, pod_noise), LAC_PARAM_REAL, "1", 1e-3, 1e3, 1, N_("Noise scaling"), N_("Gappy POD"), N_("Factor applied to the sensors' standard deviation in the reconstruction"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, widen_bands), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Widen error bars"), N_("Gappy POD"), N_("Scales the standard deviations until they explain how well each sensor is predicted from the others"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
};
/* clang-format on */

typedef struct {
  LacProblem    problem;
  LacGappy     *gappy;
  LacExpansion *expansion;
  double       *coefficients; /* [n_modes] */
  double        reliability;  /* factor of the sensors' standard deviations */
  double        widening;     /* factor of the estimated standard deviations */
  gint64        done;
} Method;

static gsize
curves(gconstpointer params   G_GNUC_UNUSED,
       const LacCase *subject G_GNUC_UNUSED,
       LacCurve *list         G_GNUC_UNUSED)
{
  return 0;
}

static void
estimate(gconstpointer params G_GNUC_UNUSED,
         const LacCase       *subject,
         gsize                n_values,
         LacEstimate         *result)
{
  const double n = (double) (subject->n_points * subject->pde->n_fields);

  result->n_steps = (gint64) subject->n_times;
  result->seconds_per_step = 4e-9 * n * (double) n_values;
  result->memory_bytes = 24 * n * (double) n_values;
}

static void
destroy(gpointer data)
{
  Method *self = data;

  lac_gappy_free(self->gappy);
  lac_expansion_free(self->expansion);
  g_free(self->coefficients);
  g_free(self);
}

/* Returns the factor by which the posterior's deviations must grow to explain the leave-one-out residuals: the modes of
 * the training part may not hold what is observed. They never shrink: sensors stand where the modes are well known.
 * Source: Rasmussen, Williams (2006), Gaussian Processes for Machine Learning, 5.4.2. */
static double
find_widening(const Method *self)
{
  const LacObservations *observations = self->problem.observations;
  double                 sum = 0;
  gsize                  n = 0;

  for (gsize k = 0; k < self->problem.grid->n_times; k++)
    lac_gappy_add_surprise(self->gappy, observations->values + k * observations->n_sensors, &sum,
                           &n);
  return n > 0 ? fmax(1, sqrt(sum / (double) n)) : 1;
}

static gpointer
create(gconstpointer values, const LacProblem *problem, GError **error)
{
  const Params *params = values;
  Method       *self;

  if (!problem->pod) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "engines = pod needs training snapshots, but this scene has none");
    return NULL;
  }
  self = g_new0(Method, 1);
  self->problem = *problem;
  self->reliability = params->pod_noise;
  self->gappy = lac_static_pod_new(problem->pod, problem->observations, params->pod_noise,
                                   (LacGappyMethod) params->gappy, error);
  self->coefficients = g_new0(double, problem->pod->n_modes);
  if (self->gappy)
    self->expansion = lac_expansion_new(problem->pod, &problem->context->device, error);
  if (!self->expansion) {
    destroy(self);
    return NULL;
  }
  lac_gappy_prepare_deviation(self->gappy, problem->context->pool);
  self->widening = params->widen_bands ? find_widening(self) : 1;
  return self;
}

/* Returns the prior mean of a sensor's value from the training part, and its variance. */
static double
expect(const LacProblem *problem, const LacSensor *sensor, double *variance)
{
  const LacPod *pod = problem->pod;

  *variance = pow(lac_sensor_read(sensor, pod->truncation), 2);
  for (gsize mode = 0; mode < pod->n_modes; mode++)
    *variance +=
      pow(pod->deviations[mode] * lac_sensor_read(sensor, pod->modes + mode * pod->n), 2);
  return lac_sensor_read(sensor, pod->mean);
}

static double
innovation(gpointer data, gsize k)
{
  Method                *self = data;
  const LacObservations *observations = self->problem.observations;
  double                 sum = 0;
  gsize                  n = 0;

  for (gsize i = 0; i < observations->n_sensors; i++) {
    const gsize  at = k * observations->n_sensors + i;
    double       variance;
    const double expected = expect(&self->problem, &observations->sensors[i], &variance);

    if (isnan(observations->values[at]))
      continue;
    sum += pow(observations->values[at] - expected, 2) /
           (variance + pow(self->reliability * observations->sigma[at], 2));
    n++;
  }
  return n ? sum / (double) n : (double) NAN;
}

static void
leave_one_out(gpointer data, gsize k, double *errors)
{
  Method                *self = data;
  const LacObservations *observations = self->problem.observations;

  lac_gappy_leave_one_out(self->gappy, observations->values + k * observations->n_sensors, errors);
}

static gint64
n_steps(gconstpointer data)
{
  return (gint64) ((const Method *) data)->problem.grid->n_times;
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error G_GNUC_UNUSED)
{
  Method *self = data;

  self->done++;
  if (self->done == n_steps(self))
    report->outcome = LAC_OUTCOME_FINISHED;
  return TRUE;
}

static gboolean
field(gpointer data, gsize k, double *values, double *deviation, GError **error)
{
  Method                *self = data;
  const LacPod          *pod = self->problem.pod;
  const LacObservations *observations = self->problem.observations;
  const double          *seen = observations->values + k * observations->n_sensors;

  lac_gappy_get_coefficients(self->gappy, seen, self->coefficients);
  memcpy(values, pod->mean, pod->n * sizeof *values);
  if (!lac_expansion_add(self->expansion, self->coefficients, values, error))
    return FALSE;
  if (!deviation)
    return TRUE;
  lac_gappy_get_deviation(self->gappy, seen, self->problem.context->pool, deviation);
  for (gsize i = 0; i < pod->n; i++)
    deviation[i] *= self->widening;
  return TRUE;
}

static void
visit(gpointer data, LacVisit *visit)
{
  Method *self = data;

  lac_visit_bytes(visit, "done", &self->done, sizeof self->done);
}

const LacFlowMethod lac_flow_method_pod = {
  .name = "pod",
  .title = N_("Gappy POD"),
  .source = "Everson and Sirovich (1995), doi:10.1364/JOSAA.12.001657",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .gives_deviation = TRUE,
  .in_double = TRUE,
  .needs_sensors = TRUE,
  .needs_training = TRUE,
  .estimate = estimate,
  .curves = curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  .field = field,
  .visit = visit,
  .innovation = innovation,
  .leave_one_out = leave_one_out,
};
