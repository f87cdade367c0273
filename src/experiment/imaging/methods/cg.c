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
#include "experiment/imaging/methods/estimate.h"

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

/* Derivatives of the misfit of one exposure along the direction; @most: upper limit of the second. */
typedef struct {
  double first, second, most;
} Slopes;

typedef struct {
  LacEstimateMethod method;
  Params            params;
  LacMemoryClaim    claim;
  double complex *waves, *steps; /* [n_positions][n_along][d*d]: of the object, of the direction */
  double         *weight;        /* [n_band]: apertures over a pixel */
  double complex *bar;           /* [n_band]: scratch */
  double complex *gradient, *before;       /* [s*s]: of this iteration, of the last one */
  double complex *conditioned, *direction; /* [s*s] */
  Slopes         *slopes;                  /* [n_positions] */
  double          length;                  /* at which the slopes are evaluated */
  double product; /* of gradient and preconditioned gradient in the last iteration; 0: start anew */
} Cg;

static gsize
get_wave_length(const LacImagingEstimate *h)
{
  return h->n_along * h->d * h->d;
}

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

  g_free(cg->waves);
  g_free(cg->steps);
  g_free(cg->weight);
  g_free(cg->bar);
  g_free(cg->gradient);
  g_free(cg->before);
  g_free(cg->conditioned);
  g_free(cg->direction);
  g_free(cg->slopes);
  lac_memory_unclaim(&cg->claim);
  lac_estimate_method_free(cg);
}

static gpointer
create(gconstpointer values, const LacImagingProblem *problem, GError **error)
{
  Cg                 *cg = lac_estimate_method_new(sizeof *cg, problem, error);
  LacImagingEstimate *h;
  gsize               n_object, n_waves;

  if (!cg)
    return NULL;
  cg->params = *(const Params *) values;
  h = cg->method.h;
  lac_imaging_estimate_check_data(h);
  lac_imaging_estimate_keep_patches(h);
  n_object = h->s * h->s;
  n_waves = h->n_positions * get_wave_length(h);
  cg->waves = g_new0(double complex, n_waves);
  cg->steps = g_new0(double complex, n_waves);
  cg->weight = g_new0(double, h->n_band);
  cg->bar = g_new0(double complex, h->n_band);
  cg->gradient = g_new0(double complex, n_object);
  cg->before = g_new0(double complex, n_object);
  cg->conditioned = g_new0(double complex, n_object);
  cg->direction = g_new0(double complex, n_object);
  cg->slopes = g_new0(Slopes, h->n_positions);
  lac_memory_claim(&cg->claim, LAC_MEMORY_STATES,
                   sizeof(double complex) * (2 * n_waves + h->n_band + 4 * n_object));
  return cg;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const Cg *) data)->params.cg_iterations;
}

/* ---- gradient ---- */

/* Keeps the waves of the object and back-projects (1 - m / a) u, half the gradient. */
static void
see(gsize position, guint worker, gpointer user_data)
{
  Cg                 *cg = user_data;
  LacImagingEstimate *h = cg->method.h;
  LacImagingScratch  *bench = &h->benches[worker];
  const gsize         length = get_wave_length(h);

  lac_imaging_estimate_see(h, position, h->spectrum, bench);
  memcpy(cg->waves + position * length, bench->fields, length * sizeof *bench->fields);
  lac_imaging_estimate_subtract(h, position, -1, bench);
  lac_imaging_estimate_take_patches(h, position, bench);
}

/* Finds the apertures over each pixel of k-space; a real object has its mate's too. */
static void
weigh(Cg *cg)
{
  LacImagingEstimate *h = cg->method.h;
  const LacBand       band = lac_optics_get_band(h->optics);
  double              most = 0;

  lac_imaging_estimate_count_apertures(h, cg->bar);
  for (gsize y = 0; y < band.height; y++)
    for (gsize x = 0; x < band.width; x++) {
      const gint64   other_y = -(band.y + (gint64) y) - band.y;
      const gint64   other_x = -(band.x + (gint64) x) - band.x;
      const gsize    i = y * band.width + x;
      const gboolean has_mate = h->problem.is_real && other_y >= 0 && other_x >= 0 &&
                                other_y < (gint64) band.height && other_x < (gint64) band.width;
      const double mate =
        has_mate ? creal(cg->bar[(gsize) other_y * band.width + (gsize) other_x]) : 0;

      cg->weight[i] = h->problem.is_real ? (creal(cg->bar[i]) + mate) / 2 : creal(cg->bar[i]);
      most = fmax(most, cg->weight[i]);
    }
  for (gsize i = 0; i < h->n_band; i++)
    cg->weight[i] += LEAST_WEIGHT * most;
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

  lac_imaging_estimate_to_spectrum(h, h->object, h->spectrum);
  lac_pool_run(h->problem.context->pool, h->n_positions, see, cg);
  weigh(cg);
  lac_imaging_estimate_add_patches(h, cg->bar);
  lac_imaging_estimate_to_object(h, cg->bar, cg->gradient);
  for (gsize i = 0; i < h->n_band; i++)
    cg->bar[i] /= cg->weight[i];
  lac_imaging_estimate_to_object(h, cg->bar, cg->conditioned);
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

static void
see_step(gsize position, guint worker, gpointer user_data)
{
  Cg                 *cg = user_data;
  LacImagingEstimate *h = cg->method.h;
  const gsize         length = get_wave_length(h);

  lac_imaging_estimate_see(h, position, h->spectrum, &h->benches[worker]);
  memcpy(cg->steps + position * length, h->benches[worker].fields,
         length * sizeof *h->benches[worker].fields);
}

/* Adds the pixel at @first of an exposure's waves at the present length. */
static void
add_pixel(const Cg *cg, gsize first, double measured, Slopes *slopes)
{
  const LacImagingEstimate *h = cg->method.h;
  const double              n = (double) h->n_along;
  double                    square = 0, along = 0, step = 0;

  for (gsize k = 0; k < h->n_along; k++) {
    const gsize          i = first + k * h->d * h->d;
    const double complex v = cg->steps[i], u = cg->waves[i] + cg->length * v;

    square += (creal(u) * creal(u) + cimag(u) * cimag(u)) / n;
    along += (creal(u) * creal(v) + cimag(u) * cimag(v)) / n;
    step += (creal(v) * creal(v) + cimag(v) * cimag(v)) / n;
  }
  const double a = sqrt(square), slope = a > 0 ? along / a : 0;

  slopes->first += 2 * (a - measured) * slope;
  slopes->second += 2 * step - (a > 0 ? 2 * measured / a * (step - slope * slope) : 0);
  slopes->most += 2 * step;
}

static void
find_slopes(gsize position, guint worker, gpointer user_data)
{
  Cg                 *cg = user_data;
  LacImagingEstimate *h = cg->method.h;
  const gsize         n = h->d * h->d, first = position * get_wave_length(h);
  const double       *measured = h->amplitudes + position * n;
  const guint64       begin = lac_call_sums_begin(h->sums);
  Slopes              slopes = {0};

  for (gsize i = 0; i < n && !h->rests[position]; i++)
    if (measured[i] >= 0)
      add_pixel(cg, first + i, measured[i], &slopes);
  cg->slopes[position] = slopes;
  lac_call_sums_lap(h->sums, worker, LAC_IMAGING_PROJECT, begin);
}

/* Returns the length to the minimum along the direction by Newton's method; where the curvature is not positive, by
 * its upper limit, which always descends. */
static double
find_length(Cg *cg)
{
  LacImagingEstimate *h = cg->method.h;

  cg->length = 0;
  for (guint i = 0; i < NEWTON_STEPS; i++) {
    Slopes sum = {0};

    lac_pool_run(h->problem.context->pool, h->n_positions, find_slopes, cg);
    for (gsize v = 0; v < h->n_positions; v++) {
      sum.first += cg->slopes[v].first;
      sum.second += cg->slopes[v].second;
      sum.most += cg->slopes[v].most;
    }
    if (!(sum.most > 0))
      break;
    cg->length -= sum.first / (sum.second > LEAST_CURVATURE * sum.most ? sum.second : sum.most);
  }
  return fmax(cg->length, 0);
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error G_GNUC_UNUSED)
{
  Cg                 *cg = data;
  LacImagingEstimate *h = cg->method.h;
  LacSpan             span = lac_imaging_estimate_begin_phase(h, h->names.backward);

  find_gradient(cg);
  choose_direction(cg);
  lac_imaging_estimate_end_phase(h, span, cg->method.n_done + 1);
  span = lac_imaging_estimate_begin_phase(h, h->names.forward);
  lac_imaging_estimate_to_spectrum(h, cg->direction, h->spectrum);
  lac_pool_run(h->problem.context->pool, h->n_positions, see_step, cg);
  const double  length = find_length(cg);
  const guint64 begin = lac_call_sums_begin(h->sums);
  for (gsize i = 0; i < h->s * h->s; i++)
    h->object[i] += length * cg->direction[i];
  lac_imaging_estimate_constrain(h, h->object);
  lac_call_sums_lap(h->sums, 0, LAC_IMAGING_UPDATE, begin);
  lac_imaging_estimate_end_phase(h, span, cg->method.n_done + 1);
  lac_estimate_method_finish_step(&cg->method, cg->params.cg_iterations, report);
  if (h->rests_changed) /* positions that moved a little leave the directions conjugate enough */
    cg->product = 0;
  return TRUE;
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
  .object = lac_estimate_method_object,
  .residual = lac_estimate_method_residual,
  .predict = lac_estimate_method_predict,
  .aberrations = lac_estimate_method_aberrations,
  .positions = lac_estimate_method_positions,
  .leaves_out = lac_estimate_method_leaves_out,
  .visit = visit,
};
