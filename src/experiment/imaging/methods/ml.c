/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maximum likelihood by L-BFGS over unconstrained variables: a real object within bounds is o = low + (high - low) (1
 * + sin theta) / 2. Source: Thibault and Guizar-Sicairos (2012), doi:10.1088/1367-2630/14/6/063004 */
#include "experiment/imaging/methods/calibration.h"
#include "experiment/imaging/methods/estimate-method.h"
#include "experiment/imaging/methods/k-space-private.h"
#include "experiment/imaging/methods/likelihood.h"
#include "graph/optimiser/optimiser.h"

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
  LacOptimiser     *optimiser;
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

  lac_optimiser_free(ml->optimiser);
  lac_estimate_method_free(ml);
}

/* The object of the variables is the estimate. */
static void
begin(Ml *ml)
{
  LacImagingEstimate *h = ml->method.h;

  lac_likelihood_begin(h);
  lac_likelihood_find_object(h);
  memcpy(h->previous, h->object, h->s * h->s * sizeof *h->object);
}

static gboolean
make_optimiser(Ml *ml, GError **error)
{
  const LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_LBFGS);
  const LacImagingEstimate  *h = ml->method.h;

  ml->optimiser = lac_optimiser_new(&settings, h->k_space->n_variables, h->k_space->device, LAC_F64,
                                    h->problem.context->pool, error);
  return ml->optimiser != NULL;
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
  if (!lac_likelihood_open(
        h,
        &(LacLikelihoodSettings){(LacLikelihoodKind) ml->params.ml_noise, ml->params.ml_variation},
        error) ||
      !make_optimiser(ml, error)) {
    destroy(ml);
    return NULL;
  }
  begin(ml);
  if (!lac_k_space_is_sound(h->k_space, error))
    g_clear_pointer(&ml, destroy);
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
  LacOptimiserReport  done;

  if (!lac_optimiser_step(ml->optimiser, h->k_space->theta, lac_likelihood_evaluate, h, &done,
                          error))
    return FALSE;
  lac_likelihood_find_object(h);
  lac_estimate_method_finish_step(&ml->method, ml->params.ml_iterations, report);
  report->curves[lac_imaging_estimate_curves(h->problem.common, NULL)] = done.loss;
  if (lac_calibration_is_due(h, ml->method.n_done) || h->rests_changed) {
    lac_optimiser_refresh(ml->optimiser);
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
  Ml        *ml = data;
  LacKSpace *k = ml->method.h->k_space;

  lac_estimate_method_visit(data, visit);
  lac_visit_packed(visit, "optimiser", lac_optimiser_pack, ml->optimiser);
  lac_exposure_memory_visit(&k->memory, visit, "theta", k->theta, 1, k->n_variables);
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
