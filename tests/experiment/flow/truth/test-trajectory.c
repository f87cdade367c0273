/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trajectory from a file: a travelling wave is resampled to the grid, with or without the end of its period, in either
 * order of the axes; other files are refused. */
#include "base/error.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/truth/trajectory.h"

#include <math.h>
#include <string.h>

#define N_T 40

static const LacScene *
find_scene(void)
{
  gsize                  n;
  const LacScene *const *scenes = lac_scenes(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(scenes[i]->name, "kuramoto-sivashinsky"))
      return scenes[i];
  g_assert_not_reached();
}

static double
wave(double share, gsize k)
{
  return sin(2 * G_PI * (share - 0.01 * (double) k)) + 0.5 * cos(6 * G_PI * share);
}

/* A file over one period, @n_x points, the last of which repeats the first if @with_end; x from -1 to 1. */
static LacGridField *
make_file(gsize n_x, gboolean with_end, gboolean t_first)
{
  const char *const names[] = {t_first ? "tt" : "x", t_first ? "x" : "tt"}, *const units[] = {"1",
                                                                                              "1"};
  const gsize   sizes[] = {t_first ? N_T : n_x, t_first ? n_x : N_T};
  LacGridField *file = lac_field_new("uu", "1", 2, names, units, sizes);
  const double  n_period = (double) (n_x - with_end);

  for (gsize i = 0; i < n_x; i++)
    file->axes[t_first].values[i] = -1 + 2 * (double) i / n_period;
  for (gsize k = 0; k < N_T; k++) {
    file->axes[!t_first].values[k] = (double) k / N_T;
    for (gsize i = 0; i < n_x; i++)
      file->data[t_first ? k * n_x + i : i * N_T + k] = wave((double) i / n_period, k);
  }
  return file;
}

static LacTruth *
make_truth(LacGridField *file, GError **error)
{
  const LacScene     *scene = find_scene();
  g_autoptr(LacDraft) draft = lac_draft_new(&scene->params);
  LacCase             subject;
  LacTruth           *truth;

  g_assert_true(lac_draft_set(draft, "length", "20", NULL));
  g_assert_true(lac_draft_set(draft, "interval", "0.25", NULL));
  lac_case_configure(&subject, scene, lac_draft_get_values(draft));
  truth = lac_trajectory_truth_new(file, &subject, 0.25, error);
  lac_case_clear(&subject);
  return truth;
}

static void
test_resampled(void)
{
  static const struct {
    gsize    n_x;
    gboolean with_end, t_first;
    double   tolerance;
  } cases[] = {{257, TRUE, FALSE, 1e-12}, {256, FALSE, TRUE, 1e-12}, {1000, FALSE, FALSE, 1e-3}};

  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(GError)       error = NULL;
    g_autoptr(LacGridField) file = make_file(cases[c].n_x, cases[c].with_end, cases[c].t_first);
    g_autoptr(LacTruth)     truth = make_truth(file, &error);

    g_assert_no_error(error);
    g_assert_cmpuint(truth->nx, ==, 64);
    g_assert_cmpuint(truth->n_times, ==, N_T / 2); /* at most half of the file */
    g_assert_cmpuint(truth->n_training, ==, N_T / 2);
    g_assert_true(truth->periodic[0]);
    g_assert_cmpfloat_with_epsilon(truth->upper[0] - truth->lower[0], 20 * 63.0 / 64, 1e-12);
    g_assert_cmpfloat_with_epsilon(truth->times[5], 1.25, 1e-12);
    for (gsize k = 0; k < N_T; k++)
      for (gsize i = 0; i < 64; i++)
        g_assert_cmpfloat_with_epsilon(lac_truth_get_slot(truth, k)[i], wave((double) i / 64, k),
                                       cases[c].tolerance);
  }
}

static void
test_refused(void)
{
  g_autoptr(GError)       coarse_error = NULL, wrong_error = NULL;
  g_autoptr(LacGridField) coarse = make_file(32, FALSE, TRUE), wrong = make_file(128, FALSE, TRUE);

  g_assert_null(make_truth(coarse, &coarse_error));
  g_assert_error(coarse_error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(coarse_error->message, "32 points"));
  wrong->data[77] = (double) NAN;
  g_assert_null(make_truth(wrong, &wrong_error));
  g_assert_error(wrong_error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/trajectory/a-wave-is-resampled", test_resampled);
  g_test_add_func("/experiment/trajectory/other-files-are-refused", test_refused);
  return g_test_run();
}
