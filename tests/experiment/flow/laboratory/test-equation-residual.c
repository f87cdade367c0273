/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residuals of the truths of all scenes, which solve their equations, and of the same fields where they do not. */
#include "experiment/experiment.h"
#include "experiment/flow/laboratory/equation-residual.h"
#include "experiment/flow/laboratory/laboratory-private.h"

#include <math.h>
#include <string.h>

#define N_TIMES 4

typedef struct {
  LacContext           context;
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacLaboratoryState  *state;
} Scene;

static void
scene_open(Scene *scene, const LacExperiment *experiment)
{
  g_autoptr(GError) error = NULL;

  *scene = (Scene){.context = {.precision = "f64", .seed = 1}, .experiment = experiment};
  scene->draft = lac_draft_new(&experiment->params);
  lac_device_open(&scene->context.device, "cpu", &error);
  g_assert_no_error(error);
  scene->context.pool = lac_pool_new(1);
  scene->state =
    lac_laboratory_prepare(experiment, lac_draft_get_values(scene->draft), &scene->context, &error);
  g_assert_no_error(error);
}

static void
scene_close(Scene *scene)
{
  scene->experiment->destroy(scene->state);
  lac_draft_free(scene->draft);
  lac_pool_free(scene->context.pool);
  lac_device_close(&scene->context.device);
}

/* Returns the residual of the truth: forwards in time, backwards, or with a tenth of the first field's size added to
 * every other cell. */
static double
measure(const LacLaboratoryState *state, gboolean is_back, gboolean is_rough)
{
  const LacTruth                *truth = state->truth;
  const gsize                    n = lac_truth_get_length(truth);
  const gboolean                 is_steady = state->subject.steady;
  g_autoptr(GError)              error = NULL;
  g_autoptr(LacEquationResidual) residual =
    lac_equation_residual_new(&state->subject, truth, truth->n_fields, NULL, &error);
  g_autofree double *all = g_new(double, LAC_EQUATION_TIMES *n);

  g_assert_no_error(error);
  for (gsize i = 0; i < (is_steady ? 1 : N_TIMES); i++) {
    const gsize   k = is_steady ? 0 : 2 + (truth->n_times - LAC_EQUATION_TIMES) * i / (N_TIMES - 1);
    const double *around[LAC_EQUATION_TIMES];

    for (gsize t = 0; t < LAC_EQUATION_TIMES; t++) {
      const gsize from = is_steady ? 0 : k + t - 2;
      double     *to = all + (is_back ? LAC_EQUATION_TIMES - 1 - t : t) * n;
      double      size = 0;

      memcpy(to, lac_truth_at(truth, from), n * sizeof *to);
      for (gsize c = 0; c < truth->nx * truth->ny; c++)
        size = fmax(size, isfinite(to[c]) ? fabs(to[c]) : 0);
      for (gsize c = 0; is_rough && c < truth->nx * truth->ny; c += 2)
        to[c] += 0.1 * size;
      around[t] = all + t * n;
    }
    lac_equation_residual_add(residual, around, k, &error);
    g_assert_no_error(error);
  }
  return lac_equation_residual_get(residual);
}

/* Differences see a steady flow less sharply than the reversal of a motion. */
static void
test_truth(gconstpointer experiment)
{
  Scene scene;

  scene_open(&scene, experiment);
  const LacCase *subject = &scene.state->subject;
  g_assert_true(lac_equation_residual_have(subject, scene.state->truth->n_fields));
  g_assert_false(lac_equation_residual_have(subject, 0));
  const double truth = measure(scene.state, FALSE, FALSE);
  const double wrong = measure(scene.state, !subject->steady, subject->steady);
  g_test_message("the truth %g, wrong %g", truth, wrong);
  g_assert_cmpfloat(truth, <, 0.03); /* the interfaces of Allen-Cahn's truth are 2 % off */
  g_assert_cmpfloat(wrong, >, 0.15);
  scene_close(&scene);
}

static void
test_no_equation(void)
{
  Scene scene;

  scene_open(&scene, lac_experiment_find("recorded", NULL));
  g_assert_false(lac_equation_residual_have(&scene.state->subject, LAC_PDE_MAX_FIELDS));
  scene_close(&scene);
}

int
main(int argc, char **argv)
{
  static const char *const scenes[] = {
    "kolmogorov",    "burgers",      "cylinder",
    "cavity",        "obstacles",    "smoke",
    "channel-slice", "vorticity",    "kovasznay",
    "taylor-green",  "burgers2d",    "heat1d",
    "heat2d",        "conductivity", "advection",
    "allen-cahn",    "kdv",          "kuramoto-sivashinsky",
  };

  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(scenes); i++) {
    g_autofree char *path = g_strconcat("/experiment/equation-residual/solves/", scenes[i], NULL);

    g_test_add_data_func(path, lac_experiment_find(scenes[i], NULL), test_truth);
  }
  g_test_add_func("/experiment/equation-residual/none-without-an-equation", test_no_equation);
  return g_test_run();
}
