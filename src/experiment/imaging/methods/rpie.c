/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regularised PIE with an unknown pupil phase: at every exposure the pupil is corrected by the object's spectrum as
 * the object is by the pupil, pixel by pixel; each is regularised with a share of the largest weight to avoid large
 * updates at dark pixels. With a share of 1 this is ePIE. Sources: Maiden and Rodenburg (2009),
 * doi:10.1016/j.ultramic.2009.05.012; Ou, Zheng, Yang (2014), doi:10.1364/OE.22.004960; Maiden, Johnson, Li (2017),
 * doi:10.1364/OPTICA.4.000736 */
#include "experiment/imaging/methods/estimate-method.h"
#include "experiment/imaging/methods/tour.h"
#include "experiment/imaging/optics/zernike.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define N_FIT \
  8 /* iterations of the coefficient fit per sweep: the polynomials are nearly orthogonal on the pixels */
#define SHARE_CLEAN 0.01
#define SHARE_NOISY 1.0
#define TILTED      3 /* piston and two tilts precede the first aberration */

typedef struct {
  gint64 rpie_sweeps;
  double rpie_step, rpie_pupil_step, rpie_share;
  gint64 rpie_order;
  double rpie_decay;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, rpie_sweeps), LAC_PARAM_INTEGER, "1", 1, 100000, 100, N_("Passes"), N_("rPIE"), N_("Number of passes over all exposures")},
  {LAC_FIELD(Params, rpie_step), LAC_PARAM_REAL, "1", 0.01, 1.9, 1, N_("Step length"), N_("rPIE"), N_("Fraction of the amplitude correction applied to the object per exposure"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, rpie_pupil_step), LAC_PARAM_REAL, "1", 0, 1.9, 0.5, N_("Pupil step length"), N_("rPIE"), N_("Fraction of the correction applied to the pupil (0: ideal pupil)"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, rpie_share), LAC_PARAM_REAL, "1", 0, 1, 0, N_("Regularisation"), N_("rPIE"), N_("Share of the largest weight in every pixel's correction (1: ePIE; 0: automatic, 1 with noise, which dim pixels would amplify, else 0.01)"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, rpie_order), LAC_PARAM_CHOICE, "1", 0, 0, LAC_TOUR_THEN_RANDOM, N_("Order"), N_("rPIE"), LAC_TOUR_HELP, LAC_PARAM_ADVANCED, .choices = lac_tour_orders, .titles = lac_tour_order_titles},
  {LAC_FIELD(Params, rpie_decay), LAC_PARAM_REAL, "1", -1, 1e6, -1, N_("Step half-life"), N_("rPIE"), LAC_TOUR_DECAY_HELP, LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
};
/* clang-format on */

typedef struct {
  LacEstimateMethod method;
  Params            params;
  LacTour          *tour;
  double complex   *model;  /* [b*b]: pupil of the fitted coefficients */
  double           *terms;  /* [TILTED + n_aberrations][b*b] */
  double           *fitted; /* [TILTED + n_aberrations] */
} Rpie;

static void
estimate(gconstpointer values, const LacImagingSize *size, LacEstimate *result)
{
  lac_imaging_estimate_find_cost(size, &(LacImagingWork){.detectors = 2, .boxes = 2}, result);
  result->n_steps = ((const Params *) values)->rpie_sweeps;
}

static void
destroy(gpointer data)
{
  Rpie *rpie = data;

  lac_tour_free(rpie->tour);
  g_free(rpie->model);
  g_free(rpie->terms);
  g_free(rpie->fitted);
  lac_estimate_method_free(rpie);
}

static gsize
count_terms(const LacImagingEstimate *h)
{
  return TILTED + (gsize) h->problem.common->aberrations;
}

static gpointer
create(gconstpointer values, const LacImagingProblem *problem, GError **error)
{
  Rpie               *rpie = lac_estimate_method_new(sizeof *rpie, problem, error);
  LacImagingEstimate *h;
  gsize               n_box;

  if (!rpie)
    return NULL;
  rpie->params = *(const Params *) values;
  h = rpie->method.h;
  if (rpie->params.rpie_share == 0)
    rpie->params.rpie_share = h->is_noisy ? SHARE_NOISY : SHARE_CLEAN;
  n_box = h->box * h->box;
  lac_imaging_estimate_free_pupil(h);
  lac_imaging_estimate_check_data(h);
  rpie->model = g_new0(double complex, n_box);
  rpie->terms = g_new0(double, count_terms(h) * n_box);
  rpie->fitted = g_new0(double, count_terms(h));
  lac_zernike_sample(1, count_terms(h), h->box, problem->exposures->aperture.radius, rpie->terms);
  rpie->tour = lac_tour_new(h, rpie->params.rpie_share, error);
  if (!rpie->tour)
    g_clear_pointer(&rpie, destroy);
  return rpie;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const Rpie *) data)->params.rpie_sweeps;
}

/* Fits the coefficients to the pupil's phase, starting from the previous sweep's: no phase unwrapping needed. */
static void
fit_coefficients(Rpie *rpie)
{
  LacImagingEstimate *h = rpie->method.h;
  const gsize         n_box = h->box * h->box, n = count_terms(h);
  const double        radius = h->problem.exposures->aperture.radius;
  const double        middle = (double) (h->box / 2);

  for (gsize turn = 0; turn < N_FIT; turn++) {
    double change[TILTED + LAC_IMAGING_MAX_ABERRATIONS] = {0};
    gsize  n_within = 0;

    lac_zernike_pupil(rpie->fitted, n, rpie->terms, n_box, rpie->model);
    for (gsize i = 0; i < n_box; i++) {
      const double phase = carg(h->pupil[i] * conj(rpie->model[i]));

      if (hypot((double) (i / h->box) - middle, (double) (i % h->box) - middle) > radius)
        continue;
      n_within++;
      for (gsize j = 0; j < n; j++)
        change[j] += phase * rpie->terms[j * n_box + i];
    }
    for (gsize j = 0; j < n; j++)
      rpie->fitted[j] += change[j] / (double) n_within;
  }
  for (gsize j = TILTED; j < n; j++)
    h->coefficients[j - TILTED] = rpie->fitted[j];
}

/* Removes tilt and piston from the pupil: a tilt shifts every exposure, which a shifted object compensates, and
 * piston is unobservable. */
static void
take_tilt_out(Rpie *rpie)
{
  LacImagingEstimate *h = rpie->method.h;
  const gsize         n_box = h->box * h->box;

  lac_zernike_pupil(rpie->fitted, TILTED, rpie->terms, n_box, rpie->model);
  for (gsize i = 0; i < n_box; i++)
    h->pupil[i] *= conj(rpie->model[i]);
  memset(rpie->fitted, 0, TILTED * sizeof *rpie->fitted);
  lac_optics_set_pupil(h->optics, h->pupil);
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  Rpie               *rpie = data;
  const Params       *params = &rpie->params;
  LacImagingEstimate *h = rpie->method.h;
  const double decay = lac_tour_get_decay(rpie->tour, params->rpie_decay, rpie->method.n_done);
  LacSpan      span = lac_imaging_estimate_begin_phase(h, h->names.sweep);

  lac_tour_begin(rpie->tour, (LacTourOrder) params->rpie_order, rpie->method.n_done);
  lac_tour_sweep(rpie->tour, decay * params->rpie_step, decay * params->rpie_pupil_step, &span);
  const guint64 begin = lac_call_sums_begin(h->sums);
  fit_coefficients(rpie);
  take_tilt_out(rpie);
  lac_call_sums_lap(h->sums, 0, LAC_IMAGING_PROBE, begin);
  lac_imaging_estimate_end_phase(h, span, rpie->method.n_done + 1);
  lac_estimate_method_finish_step(&rpie->method, params->rpie_sweeps, report);
  return lac_tour_is_sound(rpie->tour, error);
}

static void
visit(gpointer data, LacVisit *visit)
{
  Rpie               *rpie = data;
  LacImagingEstimate *h = rpie->method.h;

  lac_estimate_method_visit(data, visit);
  lac_visit_values(visit, "pupil", h->pupil, h->box * h->box, 2, 8);
  lac_visit_values(visit, "fitted", rpie->fitted, count_terms(h), 1, 8);
  if (lac_visit_restores(visit))
    lac_optics_set_pupil(h->optics, h->pupil);
}

static void
retune(gpointer data, gconstpointer values)
{
  const Params *params = values;
  Rpie         *rpie = data;

  rpie->params.rpie_step = params->rpie_step;
  rpie->params.rpie_pupil_step = params->rpie_pupil_step;
}

const LacImagingMethod lac_imaging_method_rpie = {
  .name = "rpie",
  .title = N_("rPIE with pupil retrieval"),
  .source = "Maiden, Johnson, Li (2017), doi:10.1364/OPTICA.4.000736",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .estimate = estimate,
  .curves = lac_estimate_method_curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  LAC_ESTIMATE_METHOD_RESULTS,
  .visit = visit,
  .retune = retune,
};
