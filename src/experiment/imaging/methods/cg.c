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
#include "experiment/imaging/methods/k-space-private.h"

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
  double           *weights;    /* [N][N]: apertures over a pixel */
  gboolean          is_weighed; /* the device has them */
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
  lac_memory_unclaim(&cg->claim);
  lac_estimate_method_free(cg);
}

static gpointer
create(gconstpointer values, const LacImagingProblem *problem, GError **error)
{
  Cg                 *cg = lac_estimate_method_new(sizeof *cg, problem, error);
  LacImagingEstimate *h;
  gsize               n_grid;

  if (!cg)
    return NULL;
  cg->params = *(const Params *) values;
  h = cg->method.h;
  lac_imaging_estimate_check_data(h);
  n_grid = problem->exposures->grid * problem->exposures->grid;
  cg->weights = g_new0(double, n_grid);
  lac_memory_claim(&cg->claim, LAC_MEMORY_STATES, sizeof(double) * n_grid);
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

/* Weighs the gradients by the apertures as the device has found them. They change with the exposures that count, and while
 * positions are sought. */
static void
find_weights(Cg *cg)
{
  const LacImagingEstimate *h = cg->method.h;
  LacKSpace                *k = h->k_space;
  const gsize               n_bytes = k->waves.grid * k->waves.grid * sizeof(double);

  if (cg->is_weighed && !(h->problem.common->position_error > 0))
    return;
  lac_exposure_memory_download(&k->memory, k->apertures, k->waves.weights, n_bytes);
  weigh(cg, k->apertures);
  lac_exposure_memory_upload(&k->memory, k->conditioning, cg->weights, n_bytes);
  cg->is_weighed = TRUE;
}

/* Half the gradient: the waves of the object, and what moves them to the measured amplitudes, back-propagated with the
 * opposite sign. */
static void
enqueue_gradient(LacKSpace *k)
{
  const LacWaveKernels *kernels = k->device.table->waves;
  LacWaveSweep          waves = k->waves;

  lac_k_space_find_field(k);
  waves.factors = (LacWaveFactors){.of_object = 1};
  lac_k_space_note(k, kernels->relax(k->device.self, &waves));
  waves.factors = (LacWaveFactors){.measured = -1, .wave = 1};
  lac_k_space_note(k, kernels->collect(k->device.self, &waves));
  waves.weights = NULL;
  waves.object.values = k->conjugate.gradient;
  lac_k_space_note(k, kernels->to_object(k->device.self, &waves));
}

/* ---- direction ---- */

static void
turn(LacKSpace *k, LacWaveConjugateStage stage)
{
  LacWaveConjugate args = k->conjugate;

  args.stage = stage;
  lac_k_space_note(k, k->device.table->waves->conjugate(k->device.self, &args));
}

/* Adds the product of two images to a number. */
static void
multiply(LacKSpace *k, const double *x, const double *y, gsize number)
{
  const LacDot args = {
    .type = LAC_F64, .n = 2 * k->h->s * k->h->s, .x = x, .y = y, .sum = &k->numbers[number]};

  lac_k_space_note(k, k->device.table->dot(k->device.self, &args));
}

/* The direction, or the negative conditioned gradient where the conjugate one does not descend. */
static void
enqueue_direction(LacKSpace *k)
{
  const LacDevice         device = k->device;
  const LacWaveConjugate *c = &k->conjugate;
  const gsize             n = 2 * k->h->s * k->h->s;
  const guint64           begin = lac_call_sums_begin(k->h->sums);

  turn(k, LAC_CONJUGATE_HOLD);
  lac_k_space_note(k,
                   device.table->fill(device.self, LAC_F64, k->numbers, 0, LAC_CONJUGATE_N_SUMS));
  multiply(k, c->gradient, c->conditioned, LAC_CONJUGATE_PRODUCT);
  multiply(k, k->before, c->conditioned, LAC_CONJUGATE_COMMON);
  turn(k, LAC_CONJUGATE_TURN);
  multiply(k, c->gradient, c->direction, LAC_CONJUGATE_SLOPE);
  turn(k, LAC_CONJUGATE_RESTART);
  lac_k_space_add(k, n, NULL, c->gradient, k->before);
  lac_k_space_add(k, 1, NULL, &k->numbers[LAC_CONJUGATE_PRODUCT],
                  &k->numbers[LAC_CONJUGATE_BEFORE]);
  if (k->memory.is_plain)
    lac_call_sums_lap(k->h->sums, 0, LAC_IMAGING_UPDATE, begin);
}

/* ---- the step ---- */

/* Newton's method along the direction, whose waves are found once. */
static void
enqueue_length(LacKSpace *k)
{
  const LacDevice       device = k->device;
  const LacWaveKernels *kernels = device.table->waves;
  LacWaveSweep          waves = k->waves;
  LacWaveNewton         newton = k->newton;

  waves.object.values = k->conjugate.direction;
  lac_k_space_note(k, kernels->to_field(device.self, &waves));
  waves.waves = k->steps;
  waves.factors = (LacWaveFactors){.of_object = 1};
  lac_k_space_note(k, kernels->relax(device.self, &waves));
  waves = k->waves;
  waves.steps = k->steps;
  newton.least = LEAST_CURVATURE;
  lac_k_space_note(k, device.table->fill(device.self, LAC_F64, newton.t, 0, 1));
  for (guint i = 0; i < NEWTON_STEPS; i++) {
    newton.is_last = i + 1 == NEWTON_STEPS;
    lac_k_space_note(k, kernels->slopes(device.self, &waves));
    lac_k_space_note(k, kernels->newton(device.self, &newton));
  }
}

static void
enqueue_descent(LacKSpace *k)
{
  LacWaveSweep waves = k->waves;

  waves.weights = k->conditioning;
  waves.object.values = k->conjugate.conditioned;
  lac_k_space_note(k, k->device.table->waves->to_object(k->device.self, &waves));
  enqueue_direction(k);
  enqueue_length(k);
  lac_k_space_add(k, 2 * k->h->s * k->h->s, k->newton.t, k->conjugate.direction, k->values);
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  static const double none = 0;
  Cg                 *cg = data;
  LacImagingEstimate *h = cg->method.h;
  LacKSpace          *k = h->k_space;
  const double        flops = (double) h->n_positions * lac_imaging_estimate_get_flops(h, 1);
  LacSpan             span = lac_imaging_estimate_begin_phase(h, h->names.backward);

  lac_k_space_refresh(k);
  lac_k_space_put_object(k, h->object);
  lac_k_space_order_slots(k);
  lac_k_space_run(k, LAC_K_SPACE_GRADIENT, enqueue_gradient);
  find_weights(cg);
  span.flops += 2 * flops;
  lac_imaging_estimate_end_phase(h, span, cg->method.n_done + 1);
  span = lac_imaging_estimate_begin_phase(h, h->names.forward);
  lac_k_space_run(k, LAC_K_SPACE_DESCENT, enqueue_descent);
  span.flops += flops;
  lac_k_space_take_object(k, h->object);
  lac_imaging_estimate_constrain(h, h->object);
  lac_imaging_estimate_end_phase(h, span, cg->method.n_done + 1);
  lac_estimate_method_finish_step(&cg->method, cg->params.cg_iterations, report);
  if (h->rests_changed) { /* positions that moved a little leave the directions conjugate enough */
    cg->is_weighed = FALSE;
    lac_exposure_memory_upload(&k->memory, &k->numbers[LAC_CONJUGATE_BEFORE], &none, sizeof none);
  }
  return lac_k_space_is_sound(k, error);
}

static void
visit(gpointer data, LacVisit *visit)
{
  LacKSpace  *k = ((Cg *) data)->method.h->k_space;
  double     *before = &k->numbers[LAC_CONJUGATE_BEFORE], product = 0;
  const gsize n = k->h->s * k->h->s;

  lac_estimate_method_visit(data, visit);
  lac_exposure_memory_visit(&k->memory, visit, "direction", k->conjugate.direction, n, 2);
  lac_exposure_memory_visit(&k->memory, visit, "gradient", k->before, n, 2);
  if (visit->to)
    lac_exposure_memory_download(&k->memory, &product, before, sizeof product);
  lac_visit_bytes(visit, "product", &product, sizeof product);
  if (lac_visit_restores(visit))
    lac_exposure_memory_upload(&k->memory, before, &product, sizeof product);
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
