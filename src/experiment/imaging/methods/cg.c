/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonlinear conjugate gradients on the amplitude misfit, sum (a - m)^2 over all exposures. The exit waves are linear in
 * the object, so the misfit along a line needs no transform beyond one of the direction, and Newton's method finds its
 * minimum by the exact curvature: with u the waves, v those of the direction and a' = Re(u* v) / a,
 *
 *   d/dt = sum 2 (a - m) a',   d2/dt2 = sum 2 |v|^2 - 2 (m / a) (|v|^2 - a'^2)
 *
 * The gradient is preconditioned by the number of apertures over each pixel of k-space, the Hessian of the waves.
 * Directions: Polak and Ribiere, not below 0. Within bounds, pixels that the gradient presses against their bound rest.
 * Sources: Carlsson, Wendt, Cloetens, Nikitin (2025), arXiv:2502.10755 (exact curvature); Thibault and
 * Guizar-Sicairos (2012), doi:10.1088/1367-2630/14/6/063004 */
#include "experiment/imaging/methods/estimate-method.h"
#include "experiment/imaging/methods/k-space.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define LEAST_WEIGHT    0.2  /* of the apertures over a pixel, relative to the largest number */
#define LEAST_CURVATURE 1e-4 /* relative to its upper limit */
enum { NEWTON_STEPS = 4 };

typedef struct {
  gint64 cg_iterations;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, cg_iterations), LAC_PARAM_INTEGER, "1", 1, 100000, 100, N_("Iterations"), N_("Conjugate gradients"), N_("Number of iterations, each over all exposures"), LAC_PARAM_LATER},
};
/* clang-format on */

typedef struct {
  LacEstimateMethod method;
  Params            params;
  LacMemoryClaim    claim;
  double           *weights;                 /* [N][N]: apertures over a pixel */
  double complex   *gradient, *before;       /* [s*s]: of this iteration, of the last one */
  double complex   *conditioned, *direction; /* [s*s] */
  double product; /* of gradient and preconditioned gradient in the last iteration; 0: start anew */
} Cg;

static void
estimate(gconstpointer values, const LacImagingSize *size, LacEstimate *result)
{
  const double n_pixels = (double) (size->n_positions * size->detector * size->detector);
  const double n_object = (double) (size->support * size->support);

  lac_imaging_estimate_find_cost(size, &(LacImagingWork){.detectors = 3, .wholes = 4}, result);
  result->memory_bytes += 16 * (2 * n_pixels + 4 * n_object);
  result->n_steps = ((const Params *) values)->cg_iterations;
}

static void
destroy(gpointer data)
{
  Cg *cg = data;

  g_free(cg->weights);
  g_free(cg->gradient);
  g_free(cg->before);
  g_free(cg->conditioned);
  g_free(cg->direction);
  lac_memory_unclaim(&cg->claim);
  lac_estimate_method_free(cg);
}

static gpointer
create(gconstpointer values, const LacImagingProblem *problem, GError **error)
{
  Cg                 *cg = lac_estimate_method_new(sizeof *cg, problem, error);
  LacImagingEstimate *h;
  gsize               n_object, n_grid;

  if (!cg)
    return NULL;
  cg->params = *(const Params *) values;
  h = cg->method.h;
  lac_imaging_estimate_check_data(h);
  n_object = h->s * h->s;
  n_grid = problem->exposures->grid * problem->exposures->grid;
  cg->weights = g_new0(double, n_grid);
  cg->gradient = g_new0(double complex, n_object);
  cg->before = g_new0(double complex, n_object);
  cg->conditioned = g_new0(double complex, n_object);
  cg->direction = g_new0(double complex, n_object);
  lac_memory_claim(&cg->claim, LAC_MEMORY_STATES,
                   sizeof(double) * n_grid + 4 * sizeof(double complex) * n_object);
  h->k_space = lac_k_space_new(h, &(LacKSpaceSettings){.kind = LAC_K_SPACE_GRADIENTS}, error);
  if (!h->k_space)
    g_clear_pointer(&cg, destroy);
  return cg;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const Cg *) data)->params.cg_iterations;
}

/* ---- gradient ---- */

/* Weighs each pixel of k-space by the apertures over it; a real object has its mate's too. */
static void
weigh(Cg *cg, const double *apertures)
{
  const LacImagingEstimate *h = cg->method.h;
  const gsize               n = h->problem.exposures->grid;
  double                    most = 0;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      const gsize  i = y * n + x;
      const double mate = y > 0 && x > 0 ? apertures[(n - y) * n + n - x] : 0;

      cg->weights[i] = h->problem.is_real ? (apertures[i] + mate) / 2 : apertures[i];
      most = fmax(most, cg->weights[i]);
    }
  for (gsize i = 0; i < n * n; i++)
    cg->weights[i] += LEAST_WEIGHT * most;
}

/* Returns TRUE where the object cannot follow the negative of @slope: outside the mask, or at a bound. */
static gboolean
is_held(const LacImagingEstimate *h, gsize i, double slope)
{
  const LacImagingProblem *problem = &h->problem;

  if (problem->mask && problem->mask[i] == 0)
    return TRUE;
  return problem->is_real && problem->bounded &&
         ((creal(h->object[i]) <= problem->low && slope > 0) ||
          (creal(h->object[i]) >= problem->high && slope < 0));
}

/* Computes gradient and preconditioned gradient, zero where the object is held. */
static void
find_gradient(Cg *cg)
{
  LacImagingEstimate *h = cg->method.h;

  weigh(cg, lac_k_space_find_gradient(h->k_space, cg->gradient));
  lac_k_space_condition(h->k_space, cg->weights, cg->conditioned);
  const guint64 begin = lac_call_sums_begin(h->sums);
  for (gsize i = 0; i < h->s * h->s; i++) {
    const double slope = creal(cg->gradient[i]);

    if (is_held(h, i, slope)) {
      cg->gradient[i] = cg->conditioned[i] = 0;
    } else if (h->problem.is_real) {
      cg->gradient[i] = slope;
      cg->conditioned[i] = creal(cg->conditioned[i]);
    }
  }
  lac_call_sums_lap(h->sums, 0, LAC_IMAGING_UPDATE, begin);
}

/* ---- direction ---- */

static double
multiply(const double complex *a, const double complex *b, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += creal(a[i]) * creal(b[i]) + cimag(a[i]) * cimag(b[i]);
  return sum;
}

/* Sets the direction; the negative preconditioned gradient where the conjugate one does not descend. */
static void
choose_direction(Cg *cg)
{
  const LacImagingEstimate *h = cg->method.h;
  const gsize               n = h->s * h->s;
  const double              product = multiply(cg->gradient, cg->conditioned, n);
  const double              common = multiply(cg->before, cg->conditioned, n);
  double                    beta = cg->product > 0 ? fmax(0, (product - common) / cg->product) : 0;

  for (guint attempt = 0; attempt < 2; attempt++) {
    for (gsize i = 0; i < n; i++) {
      cg->direction[i] = beta * cg->direction[i] - cg->conditioned[i];
      if (is_held(h, i, -creal(cg->direction[i])))
        cg->direction[i] = 0;
    }
    if (multiply(cg->gradient, cg->direction, n) < 0)
      break;
    beta = 0;
  }
  cg->product = product;
  memcpy(cg->before, cg->gradient, n * sizeof *cg->before);
}

/* ---- length ---- */

/* Returns the length to the minimum along the direction by Newton's method; where the curvature is not positive, by
 * its upper limit, which always descends. */
static double
find_length(LacKSpace *k_space)
{
  double length = 0;

  for (guint i = 0; i < NEWTON_STEPS; i++) {
    const LacWaveSlopes slopes = lac_k_space_find_slopes(k_space, length);

    if (!(slopes.most > 0))
      break;
    length -=
      slopes.first / (slopes.second > LEAST_CURVATURE * slopes.most ? slopes.second : slopes.most);
  }
  return fmax(length, 0);
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  Cg                 *cg = data;
  LacImagingEstimate *h = cg->method.h;
  const double        flops = (double) h->n_positions * lac_imaging_estimate_get_flops(h, 1);
  LacSpan             span = lac_imaging_estimate_begin_phase(h, h->names.backward);

  find_gradient(cg);
  choose_direction(cg);
  span.flops += 2 * flops;
  lac_imaging_estimate_end_phase(h, span, cg->method.n_done + 1);
  span = lac_imaging_estimate_begin_phase(h, h->names.forward);
  lac_k_space_set_direction(h->k_space, cg->direction);
  span.flops += flops;
  const double  length = find_length(h->k_space);
  const guint64 begin = lac_call_sums_begin(h->sums);
  for (gsize i = 0; i < h->s * h->s; i++)
    h->object[i] += length * cg->direction[i];
  lac_imaging_estimate_constrain(h, h->object);
  lac_call_sums_lap(h->sums, 0, LAC_IMAGING_UPDATE, begin);
  lac_imaging_estimate_end_phase(h, span, cg->method.n_done + 1);
  lac_estimate_method_finish_step(&cg->method, cg->params.cg_iterations, report);
  if (h->rests_changed) /* positions that moved a little leave the directions conjugate enough */
    cg->product = 0;
  return lac_k_space_is_sound(h->k_space, error);
}

static void
visit(gpointer data, LacVisit *visit)
{
  Cg         *cg = data;
  const gsize n = cg->method.h->s * cg->method.h->s;

  lac_estimate_method_visit(data, visit);
  lac_visit_values(visit, "direction", cg->direction, n, 2, 8);
  lac_visit_values(visit, "gradient", cg->before, n, 2, 8);
  lac_visit_bytes(visit, "product", &cg->product, sizeof cg->product);
}

const LacImagingMethod lac_imaging_method_cg = {
  .name = "cg",
  .title = N_("Conjugate gradients"),
  .source = "Carlsson, Wendt, Cloetens, Nikitin (2025), arXiv:2502.10755",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .estimate = estimate,
  .curves = lac_estimate_method_curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  LAC_ESTIMATE_METHOD_RESULTS,
  .visit = visit,
};
