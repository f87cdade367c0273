/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maximum likelihood by L-BFGS over unconstrained variables: a real object within bounds is o = low + (high - low) (1
 * + sin theta) / 2. Source: Thibault and Guizar-Sicairos (2012), doi:10.1088/1367-2630/14/6/063004 */
#include "experiment/descent.h"
#include "experiment/imaging/methods/calibration.h"
#include "experiment/imaging/methods/estimate-method.h"
#include "experiment/imaging/methods/k-space.h"
#include "experiment/imaging/methods/likelihood.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  gint64 ml_iterations;
  gint64 ml_noise;
  double ml_variation;
} Params;

static const char *const noises[] =
  {[LAC_LIKELIHOOD_GAUSSIAN] = "gaussian", [LAC_LIKELIHOOD_POISSON] = "poisson", NULL};
static const char *const noise_titles[] =
  {[LAC_LIKELIHOOD_GAUSSIAN] = N_("Gaussian"), [LAC_LIKELIHOOD_POISSON] = "Poisson"};

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, ml_iterations), LAC_PARAM_INTEGER, "1", 1, 100000, 200, N_("Iterations"), N_("Maximum likelihood"), N_("Number of L-BFGS iterations, each over all exposures")},
  {LAC_FIELD(Params, ml_noise), LAC_PARAM_CHOICE, "1", 0, 0, LAC_LIKELIHOOD_GAUSSIAN, N_("Noise"), N_("Maximum likelihood"), N_("Gaussian: noise of amplitudes with many photons; Poisson: photon counts"), .choices = noises, .titles = noise_titles},
  {LAC_FIELD(Params, ml_variation), LAC_PARAM_REAL, "1", 0, 1e6, 10, N_("Total variation"), N_("Maximum likelihood"), N_("Penalty in nats for a step of 1 between pixels (0: no smoothing)")},
};
/* clang-format on */

typedef struct {
  LacEstimateMethod method;
  Params            params;
  LacLikelihood    *likelihood;
  LacDescent       *descent;
  gsize             n_theta;
  double         *theta; /* real objects: [s*s]; complex ones: real and imaginary parts, [s*s][2] */
  double complex *trial, *bar; /* [s*s]: scratch of an evaluation */
} Ml;

static gsize
curves(gconstpointer params G_GNUC_UNUSED, const LacImagingCommon *common, LacCurve *list)
{
  const gsize n = lac_imaging_estimate_curves(common, list);

  list[n] = (LacCurve){"loss", N_("Loss"), "nat", TRUE, FALSE, NAN};
  return n + 1;
}

static void
estimate(gconstpointer values, const LacImagingSize *size, LacEstimate *result)
{
  const double n_object = (double) (size->support * size->support);

  /* a line search takes slightly more than one evaluation */
  lac_imaging_estimate_find_cost(size, &(LacImagingWork){.detectors = 2.4, .wholes = 2.4}, result);
  result->memory_bytes += 8 * 2 * 110 * n_object;
  result->n_steps = ((const Params *) values)->ml_iterations;
}

static void
destroy(gpointer data)
{
  Ml *ml = data;

  lac_descent_free(ml->descent);
  lac_likelihood_free(ml->likelihood);
  g_free(ml->theta);
  g_free(ml->trial);
  g_free(ml->bar);
  lac_estimate_method_free(ml);
}

/* ---- numbers that are free ---- */

static gboolean
is_empty(const LacImagingEstimate *h, gsize i)
{
  return h->problem.mask && h->problem.mask[i] == 0;
}

static void
make_object(const Ml *ml, const double *theta, double complex *object)
{
  const LacImagingEstimate *h = ml->method.h;
  const LacImagingProblem  *problem = &h->problem;

  for (gsize i = 0; i < h->s * h->s; i++)
    if (is_empty(h, i))
      object[i] = 0;
    else if (!problem->is_real)
      object[i] = CMPLX(theta[2 * i], theta[2 * i + 1]);
    else if (problem->bounded)
      object[i] = problem->low + (problem->high - problem->low) * (1 + sin(theta[i])) / 2;
    else
      object[i] = theta[i];
}

static void
pull_back(const Ml *ml, const double *theta, const double complex *bar, double *gradient)
{
  const LacImagingEstimate *h = ml->method.h;
  const LacImagingProblem  *problem = &h->problem;
  const double              half = (problem->high - problem->low) / 2;

  for (gsize i = 0; i < h->s * h->s; i++) {
    const double complex b = is_empty(h, i) ? 0 : bar[i];

    if (!problem->is_real) {
      gradient[2 * i] = creal(b);
      gradient[2 * i + 1] = cimag(b);
    } else {
      gradient[i] = creal(b) * (problem->bounded ? half * cos(theta[i]) : 1);
    }
  }
}

static gboolean
evaluate(const double *theta, double *gradient, double *loss, gpointer user_data, GError **error)
{
  Ml *ml = user_data;

  make_object(ml, theta, ml->trial);
  *loss = lac_likelihood_evaluate(ml->likelihood, ml->trial, ml->bar);
  pull_back(ml, theta, ml->bar, gradient);
  return lac_k_space_is_sound(ml->method.h->k_space, error);
}

/* Initialises the variables: a bounded object starts at mid-range, because the sine has zero slope at a bound. */
static void
begin(Ml *ml)
{
  LacImagingEstimate *h = ml->method.h;

  for (gsize i = 0; i < h->s * h->s; i++)
    if (!h->problem.is_real)
      ml->theta[2 * i] = creal(h->object[i]) / 2;
    else if (!h->problem.bounded)
      ml->theta[i] = creal(h->object[i]);
  make_object(ml, ml->theta, h->object);
  memcpy(h->previous, h->object, h->s * h->s * sizeof *h->object);
}

static gpointer
create(gconstpointer values, const LacImagingProblem *problem, GError **error)
{
  Ml                 *ml = lac_estimate_method_new(sizeof *ml, problem, error);
  LacImagingEstimate *h;

  if (!ml)
    return NULL;
  ml->params = *(const Params *) values;
  h = ml->method.h;
  lac_imaging_estimate_check_data(h);
  ml->n_theta = h->s * h->s * (problem->is_real ? 1 : 2);
  ml->theta = g_new0(double, ml->n_theta);
  ml->trial = g_new0(double complex, h->s * h->s);
  ml->bar = g_new0(double complex, h->s * h->s);
  ml->likelihood = lac_likelihood_new(
    h, &(LacLikelihoodSettings){(LacLikelihoodKind) ml->params.ml_noise, ml->params.ml_variation},
    error);
  if (ml->likelihood)
    ml->descent = lac_descent_new(ml->n_theta, evaluate, ml, problem->context->pool, error);
  if (!ml->descent) {
    destroy(ml);
    return NULL;
  }
  begin(ml);
  return ml;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const Ml *) data)->params.ml_iterations;
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  Ml                 *ml = data;
  LacImagingEstimate *h = ml->method.h;
  LacDescentReport    done;

  if (!lac_descent_step(ml->descent, ml->theta, &done, error))
    return FALSE;
  make_object(ml, ml->theta, h->object);
  lac_estimate_method_finish_step(&ml->method, ml->params.ml_iterations, report);
  report->curves[lac_imaging_estimate_curves(h->problem.common, NULL)] = done.value;
  if (lac_calibration_is_due(h, ml->method.n_done) || h->rests_changed) {
    lac_descent_refresh(ml->descent);
  } else if (done.stalled && report->outcome == LAC_OUTCOME_CONTINUE) {
    report->outcome = LAC_OUTCOME_FINISHED;
    g_snprintf(report->why, sizeof report->why,
               _("converged to a likelihood maximum after %d steps"), (int) ml->method.n_done);
  }
  return lac_k_space_is_sound(h->k_space, error);
}

static void
visit(gpointer data, LacVisit *visit)
{
  Ml *ml = data;

  lac_estimate_method_visit(data, visit);
  lac_visit_packed(visit, "optimiser", lac_descent_pack, ml->descent);
  lac_visit_values(visit, "theta", ml->theta, 1, ml->n_theta, 8);
}

const LacImagingMethod lac_imaging_method_ml = {
  .name = "ml",
  .title = N_("Maximum likelihood"),
  .source = "Thibault and Guizar-Sicairos (2012), doi:10.1088/1367-2630/14/6/063004",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .estimate = estimate,
  .curves = curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  LAC_ESTIMATE_METHOD_RESULTS,
  .visit = visit,
};
