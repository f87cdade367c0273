/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ptychographic iterative engine (PIE): for one exposure after the other, replaces the predicted amplitudes by
 * the measured ones and updates the object, then projects it onto the prior constraints. Source: Rodenburg and
 * Faulkner (2004), doi:10.1063/1.1823034; in k-space: Zheng, Horstmeyer, Yang (2013), doi:10.1038/nphoton.2013.187 */
#include "experiment/imaging/methods/estimate-method.h"
#include "experiment/imaging/methods/estimate.h"
#include "experiment/imaging/methods/tour.h"

#include <glib/gi18n-lib.h>

#include <math.h>

typedef struct {
  gint64 pie_sweeps;
  double pie_step;
  gint64 pie_order;
  double pie_decay;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, pie_sweeps), LAC_PARAM_INTEGER, "1", 1, 100000, 50, N_("Passes"), N_("PIE"), N_("Number of passes over all exposures")},
  {LAC_FIELD(Params, pie_step), LAC_PARAM_REAL, "1", 0.01, 1.9, 1, N_("Step length"), N_("PIE"), N_("Fraction of the amplitude correction applied per exposure (above 1: over-relaxation)"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, pie_order), LAC_PARAM_CHOICE, "1", 0, 0, LAC_TOUR_THEN_RANDOM, N_("Order"), N_("PIE"), LAC_TOUR_HELP, LAC_PARAM_ADVANCED, .choices = lac_tour_orders, .titles = lac_tour_order_titles},
  {LAC_FIELD(Params, pie_decay), LAC_PARAM_REAL, "1", -1, 1e6, -1, N_("Step half-life"), N_("PIE"), LAC_TOUR_DECAY_HELP, LAC_PARAM_ADVANCED},
};
/* clang-format on */

typedef struct {
  LacEstimateMethod method;
  Params            params;
  LacTour          *tour;
} Pie;

static void
estimate(gconstpointer values, const LacImagingSize *size, LacEstimate *result)
{
  lac_imaging_estimate_find_cost(size, &(LacImagingWork){.detectors = 2, .boxes = 2}, result);
  result->n_steps = ((const Params *) values)->pie_sweeps;
}

static void
destroy(gpointer data)
{
  Pie *pie = data;

  lac_tour_free(pie->tour);
  lac_estimate_method_free(pie);
}

static gpointer
create(gconstpointer values, const LacImagingProblem *problem, GError **error)
{
  Pie *pie = lac_estimate_method_new(sizeof *pie, problem, error);

  if (!pie)
    return NULL;
  pie->params = *(const Params *) values;
  lac_imaging_estimate_check_data(pie->method.h);
  pie->tour = lac_tour_new(pie->method.h, 0, error);
  if (!pie->tour)
    g_clear_pointer(&pie, destroy);
  return pie;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const Pie *) data)->params.pie_sweeps;
}

/* Returns the step length. Over-relaxation only with known positions: a misplaced aperture gives a wrong update. */
static double
get_length(const Pie *pie)
{
  const Params *params = &pie->params;
  const double  most = pie->method.h->problem.common->position_error > 0 ? 1 : INFINITY;

  return fmin(params->pie_step, most) *
         lac_tour_get_decay(pie->tour, params->pie_decay, pie->method.n_done);
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  Pie                *pie = data;
  LacImagingEstimate *h = pie->method.h;
  const Params       *params = &pie->params;
  const double        length = get_length(pie);
  LacSpan             span = lac_imaging_estimate_begin_phase(h, h->names.sweep);

  lac_tour_begin(pie->tour, (LacTourOrder) params->pie_order, pie->method.n_done);
  lac_tour_sweep(pie->tour, length, 0, &span);
  lac_imaging_estimate_end_phase(h, span, pie->method.n_done + 1);
  lac_estimate_method_finish_step(&pie->method, params->pie_sweeps, report);
  return lac_tour_is_sound(pie->tour, error);
}

static void
retune(gpointer data, gconstpointer params)
{
  ((Pie *) data)->params.pie_step = ((const Params *) params)->pie_step;
}

const LacImagingMethod lac_imaging_method_pie = {
  .name = "pie",
  .title = N_("PIE"),
  .source = "Rodenburg and Faulkner (2004), doi:10.1063/1.1823034",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .estimate = estimate,
  .curves = lac_estimate_method_curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  LAC_ESTIMATE_METHOD_RESULTS,
  .visit = lac_estimate_method_visit,
  .retune = retune,
};
