/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded flow larger than its memory limit gives the same result as one held in memory, and so does its plan. */
#include "base/error.h"
#include "io/format/h5.h"
#include "run/core/inputs.h"
#include "run/plan/planner.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

enum { NT = 50, NY = 48, NX = 64, MOST_METRICS = 32 };

static void
write_series(const char *path)
{
  const hsize_t     sizes[] = {NT, NY, NX};
  const gsize       lengths[] = {NT, NY, NX};
  const char *const names[] = {"t", "y", "x"};
  g_autofree float *data = g_new(float, NT *NY *NX);

  for (gsize i = 0; i < NT * NY * NX; i++) {
    const double t = (double) (i / (NX * NY)), y = (double) (i / NX % NY), x = (double) (i % NX);

    data[i] = (float) (sin(0.2 * x - 0.3 * t) * cos(0.1 * y) + 0.3 * sin(0.15 * y + 0.7 * t) +
                       0.1 * cos(0.3 * x + 0.2 * y - 0.9 * t));
  }
  lac_h5_lock();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (guint a = 0; a < 3; a++) {
    double values[MAX(MAX(NT, NY), NX)];

    for (gsize i = 0; i < lengths[a]; i++)
      values[i] = (double) i;
    g_assert_true(lac_h5_write_vector(file, names[a], H5T_NATIVE_DOUBLE, lengths[a], values));
  }
  H5Dclose(lac_h5_write(file, "vorticity", H5T_NATIVE_FLOAT, 3, sizes, data));
  H5Fclose(file);
  lac_h5_unlock();
}

/* @memory: MB */
static LacDraft *
make_draft(const LacExperiment *experiment, const char *path, const char *memory)
{
  g_autoptr(GError) error = NULL;
  LacDraft         *draft = lac_draft_new(&experiment->params);

  lac_draft_set(draft, "series", path, &error);
  g_assert_no_error(error);
  lac_draft_set(draft, "memory", memory, &error);
  g_assert_no_error(error);
  lac_draft_set(draft, "sensors", "8", &error);
  g_assert_no_error(error);
  return draft;
}

static void
run(const LacExperiment *experiment, const LacDraft *draft, double *metrics)
{
  g_auto(LacInputs) inputs = {0};
  g_autoptr(GError) error = NULL;
  LacPool          *pool = lac_pool_new(2);
  LacContext        context = {.pool = pool, .precision = "f64"};
  LacStepReport     report = {.metrics = metrics};
  gpointer          state;

  g_assert_cmpuint(experiment->n_metrics, <=, MOST_METRICS);
  lac_inputs_init(&inputs);
  lac_inputs_borrow(&inputs, &context);
  lac_inputs_load(&inputs, draft, &error);
  g_assert_no_error(error);
  g_assert_true(lac_device_open(&context.device, "cpu", &error));
  state = experiment->create(experiment, lac_draft_get_values(draft), &context, &error);
  g_assert_no_error(error);
  while (report.outcome == LAC_OUTCOME_CONTINUE) {
    for (gsize i = 0; i < MOST_METRICS; i++)
      metrics[i] = NAN;
    lac_experiment_step(experiment, state, &report, &error);
    g_assert_no_error(error);
  }
  g_assert_cmpint(report.outcome, ==, LAC_OUTCOME_FINISHED);
  experiment->destroy(state);
  lac_device_close(&context.device);
  lac_pool_free(pool);
}

static LacPlanner *
make_plan(const LacExperiment *experiment, LacDraft *draft, LacLayoutFigures *figures)
{
  const double         places[][2] = {{3, 4}, {20, 30}, {50, 10}};
  const LacRunSettings settings = {.experiment = experiment, .draft = draft};
  g_autoptr(GError)    error = NULL;
  LacPlanner          *planner = lac_planner_open(&settings, NULL, &error);

  g_assert_no_error(error);
  lac_planner_evaluate(planner, places, G_N_ELEMENTS(places), figures, &error);
  g_assert_no_error(error);
  return planner;
}

static void
assert_same_plans(const LacExperiment *experiment, LacDraft *large, LacDraft *small)
{
  LacLayoutFigures      a, b;
  g_autoptr(LacPlanner) held = make_plan(experiment, large, &a);
  g_autoptr(LacPlanner) left = make_plan(experiment, small, &b);
  const LacPlane       *first = lac_planner_get_backdrop(held)->planes;
  const LacPlane       *second = lac_planner_get_backdrop(left)->planes;

  for (guint i = 0; i < LAC_LAYOUT_N_FIGURES; i++)
    g_assert_cmpfloat(fabs(a.values[i] / b.values[i] - 1), <=, 1e-9);
  for (gsize i = 0; i < NX * NY; i++) /* single precision */
    g_assert_cmpfloat(fabsf(first->data[i] - second->data[i]), <=, 1e-6 * fabsf(first->data[i]));
}

static void
test_same(void)
{
  g_autofree char     *folder = g_dir_make_tmp("lacuna-recorded-XXXXXX", NULL);
  g_autofree char     *path = g_build_filename(folder, "flow.h5", NULL);
  const LacExperiment *experiment = lac_experiment_find("recorded", NULL);
  double               held[MOST_METRICS], left[MOST_METRICS];

  write_series(path);
  g_autoptr(LacDraft) large = make_draft(experiment, path, "0");
  g_autoptr(LacDraft) small = make_draft(experiment, path, "0.05"); /* of 0.98 MB */
  run(experiment, large, held);
  run(experiment, small, left);
  for (gsize i = 0; i < experiment->n_metrics; i++)
    g_assert_cmpfloat(fabs(left[i] - held[i]), <=, 1e-9 * fabs(held[i]) + 1e-12); /* of rounding */
  g_assert_cmpfloat(held[1], <, 0.1); /* three waves are six modes, which eight sensors resolve */
  assert_same_plans(experiment, large, small);
  g_remove(path);
  g_rmdir(folder);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/recorded/streamed-as-held", test_same);
  return g_test_run();
}
