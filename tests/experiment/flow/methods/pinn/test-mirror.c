/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mirror-symmetric networks: their fields and points, and scenes with and without mirror symmetry. */
#include "backend/registry.h"
#include "base/error.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/methods/pinn/loss.h"
#include "experiment/flow/methods/pinn/params.h"
#include "pde/pde.h"

#include <glib.h>

#include <float.h>
#include <math.h>

#define N_POINTS 64

/* u(-y) = u(y), v(-y) = -v(y), p(-y) = p(y) about the centre y = 1 of [-1, 3]. */
static LacCase
make_case(void)
{
  return (LacCase){
    .pde = lac_pde_find("navier-stokes-2d"),
    .lower = {0, -1, -1},
    .upper = {4, 3, 3},
    .coefficients = {1, 0.1, 1},
    .mirror = 2,
    .parity = {1, -1, 1},
  };
}

static LacPinnParams
make_params(void)
{
  const LacParamTable table = {lac_pinn_rows, LAC_PINN_N_ROWS, sizeof(LacPinnParams)};
  g_autoptr(LacDraft) draft = lac_draft_new(&table);
  LacPinnParams       params = *(const LacPinnParams *) lac_draft_get_values(draft);

  params.mirror = 1;
  params.depth = 2;
  params.width = 8;
  return params;
}

/* Makes points in the lower half of y, each followed by its mirror image. */
static void
make_pairs(const LacCase *subject, double *x)
{
  LacRng rng = lac_rng(11, 1);

  for (gsize i = 0; i < N_POINTS; i += 2) {
    double *here = x + 3 * i, *there = here + 3;

    for (guint j = 0; j < 3; j++)
      here[j] = there[j] =
        subject->lower[j] + 0.5 * lac_rng_uniform(&rng) * (subject->upper[j] - subject->lower[j]);
    there[2] = subject->lower[2] + subject->upper[2] - here[2];
  }
}

/* Values of magnitude 1 whose mirror images were rounded differently about a hundred times. */
static void
assert_mirrored(const LacPinnModel *model, gboolean residuals, const double *theta)
{
  const LacCase          *subject = model->subject;
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacPool)      pool = lac_pool_new(1);
  LacContext              context = {.pool = pool, .precision = "f64"};
  double                  x[3 * N_POINTS], values[3 * N_POINTS], largest = 0;
  g_autoptr(LacPinnProbe) probe = NULL;

  lac_device_open(&context.device, "cpu", &error);
  g_assert_no_error(error);
  probe = lac_pinn_probe_new(model, residuals, N_POINTS, &context, &error);
  g_assert_no_error(error);
  make_pairs(subject, x);
  lac_pinn_probe_run(probe, theta, x, N_POINTS, 1, values, &error);
  g_assert_no_error(error);
  for (guint f = 0; f < 3; f++)
    for (gsize i = 0; i < N_POINTS; i += 2) {
      const double here = values[f * N_POINTS + i], there = values[f * N_POINTS + i + 1];

      g_assert_cmpfloat_with_epsilon(there, subject->parity[f] * here,
                                     500 * DBL_EPSILON * MAX(1, fabs(here)));
      largest = MAX(largest, fabs(here));
    }
  g_assert_cmpfloat(largest, >, 0.01);
  g_clear_pointer(&probe, lac_pinn_probe_free);
  lac_device_close(&context.device);
}

/* The momentum normal to the mirror changes sign like the velocity there, the other two equations do not. */
static void
test_fields(void)
{
  const LacCase       subject = make_case();
  const LacPinnParams params = make_params();
  g_autofree double  *theta = NULL;
  LacPinnModel        model;
  LacRng              rng = lac_rng(12, 1);

  lac_pinn_model_init(&model, &subject);
  lac_pinn_params_fill_model(&params, &model);
  for (guint i = 0; i < 3; i++) {
    model.size[i] = 1.5;
    model.offset[i] = 0.25;
  }
  theta = g_new0(double, lac_pinn_model_get_n_parameters(&model));
  lac_pinn_model_initialise(&model, &rng, theta);
  assert_mirrored(&model, FALSE, theta);
  assert_mirrored(&model, TRUE, theta);
}

static void
test_points(void)
{
  const LacCase       subject = make_case();
  gsize               order[N_POINTS];
  double              x[3 * N_POINTS];
  const LacPinnDomain domain = {.subject = &subject, .half = TRUE, .last = 0.5, .order = order};

  for (LacSampling sampling = LAC_SAMPLING_UNIFORM; sampling <= LAC_SAMPLING_SOBOL; sampling++) {
    LacRng            rng = lac_rng(13, sampling);
    g_autoptr(GError) error = NULL;
    double            lowest = 3, highest = 1;

    g_assert_true(lac_pinn_domain_sample(&domain, sampling, &rng, N_POINTS, x, &error));
    for (gsize i = 0; i < N_POINTS; i++) {
      g_assert_cmpfloat(x[3 * i], <=, 2);
      lowest = MIN(lowest, x[3 * i + 2]);
      highest = MAX(highest, x[3 * i + 2]);
    }
    g_assert_cmpfloat(lowest, >=, 1);
    g_assert_cmpfloat(lowest, <, 1.5);
    g_assert_cmpfloat(highest, <=, 3);
    g_assert_cmpfloat(highest, >, 2.5);
  }
}

static void
test_refused(void)
{
  const LacPinnParams params = make_params();
  LacCase             subject = make_case();
  g_autoptr(GError)   error = NULL;

  g_assert_true(lac_pinn_params_check(&params, &subject, &error));
  g_assert_no_error(error);
  subject.parity[0] = 0;
  g_assert_false(lac_pinn_params_check(&params, &subject, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
}

/* The last position of a grid that includes both ends is the image of the first. */
static void
test_burgers(void)
{
  const LacScene        *scene = NULL;
  gsize                  n;
  const LacScene *const *scenes = lac_scenes(&n);
  g_autoptr(LacDraft)    draft = NULL;
  g_autoptr(LacTruth)    truth = NULL;
  g_autoptr(GError)      error = NULL;
  const LacContext       context = {0};
  LacCase                subject;

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(scenes[i]->name, "burgers"))
      scene = scenes[i];
  draft = lac_draft_new(&scene->params);
  lac_case_configure(&subject, scene, lac_draft_get_values(draft));
  g_assert_cmpint(subject.parity[0], ==, -1);
  g_assert_cmpuint(subject.mirror, ==, 1);
  truth = scene->truth(lac_draft_get_values(draft), &subject, &context, &error);
  g_assert_no_error(error);
  for (gsize k = 0; k < truth->n_times; k++)
    for (gsize i = 0; i < truth->nx; i++)
      g_assert_cmpfloat_with_epsilon(truth->observed[(k + 1) * truth->nx - 1 - i],
                                     -truth->observed[k * truth->nx + i], 1e-12);
  lac_case_clear(&subject);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/pinn/fields-and-residuals-are-their-own-mirror-image", test_fields);
  g_test_add_func("/experiment/pinn/points-lie-in-one-half", test_points);
  g_test_add_func("/experiment/pinn/a-mirror-nobody-spoke-of-is-refused", test_refused);
  g_test_add_func("/experiment/pinn/the-truth-has-the-mirror-that-its-scene-speaks-of",
                  test_burgers);
  return g_test_run();
}
