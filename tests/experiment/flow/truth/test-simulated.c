/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A truth that is computed on a finer grid than the methods': its points are those of the scene, and the error that it
 * states is above its distance from one that is finer still. */
#include "experiment/experiment.h"
#include "experiment/flow/scene.h"

#include <math.h>

static const LacScene *
find_scene(const char *name)
{
  gsize                  n;
  const LacScene *const *scenes = lac_scenes(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(scenes[i]->name, name))
      return scenes[i];
  g_assert_not_reached();
}

static LacTruth *
make_truth(const char *refinement)
{
  const LacScene     *scene = find_scene("allen-cahn");
  g_autoptr(LacDraft) draft = lac_draft_new(&scene->params);
  g_autoptr(GError)   error = NULL;
  const LacContext    context = {.precision = "f64", .pool = lac_pool_new(1)};
  LacCase             subject;
  g_autoptr(LacTruth) truth = NULL;

  g_assert_true(lac_draft_set(draft, "grid", "128", &error));
  g_assert_true(lac_draft_set(draft, "times", "21", &error));
  g_assert_true(lac_draft_set(draft, "family", "2", &error));
  g_assert_true(lac_draft_set(draft, "truth_refinement", refinement, &error));
  g_assert_no_error(error);
  lac_case_configure(&subject, scene, lac_draft_get_values(draft));
  LacContext with_device = context;
  g_assert_true(lac_device_open(&with_device.device, "cpu", &error));
  truth = scene->truth(subject.params, &subject, &with_device, &error);
  g_assert_no_error(error);
  lac_device_close(&with_device.device);
  lac_pool_free(context.pool);
  lac_case_clear(&subject);
  return g_steal_pointer(&truth);
}

/* Returns the distance of the observed parts, relative to the fluctuation in time. */
static double
get_distance(const LacTruth *one, const LacTruth *other)
{
  const gsize n = lac_truth_get_length(one);
  double      apart = 0, fluctuation = 0;

  for (gsize i = 0; i < n; i++) {
    double mean = 0;

    for (gsize k = 0; k < one->n_times; k++)
      mean += one->observed[k * n + i] / (double) one->n_times;
    for (gsize k = 0; k < one->n_times; k++) {
      apart += pow(one->observed[k * n + i] - other->observed[k * n + i], 2);
      fluctuation += pow(one->observed[k * n + i] - mean, 2);
    }
  }
  return sqrt(apart / fluctuation);
}

static void
test_error(void)
{
  g_autoptr(LacTruth) plain = make_truth("0");
  g_autoptr(LacTruth) finest = make_truth("4");
  double              last = INFINITY;

  g_assert_cmpfloat(plain->error, ==, 0); /* none is stated */
  g_assert_cmpuint(finest->nx, ==, 128);
  for (guint i = 0; i < 128; i++) /* the initial condition is the same, point by point */
    g_assert_cmpfloat(plain->observed[i], ==, finest->observed[i]);
  for (guint r = 1; r <= 3; r++) {
    const char          refinement[] = {(char) ('0' + r), '\0'};
    g_autoptr(LacTruth) truth = make_truth(refinement);
    const double        distance = get_distance(truth, finest);

    g_test_message("refinement %u: stated %.2e, from the finest %.2e", r, truth->error, distance);
    g_assert_cmpfloat(truth->error, >, distance);
    g_assert_cmpfloat(truth->error, <, last);
    last = truth->error;
  }
  g_assert_cmpfloat(last, <, 1e-4);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/simulated-truth/states-an-error-above-its-own", test_error);
  return g_test_run();
}
