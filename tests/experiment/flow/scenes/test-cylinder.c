/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth of the cylinder scene: the observed window around the cylinder, in the scene's units. */
#include "base/param.h"
#include "experiment/flow/scene.h"

#include <glib.h>

#include <math.h>

enum { U, V, P };

static const LacScene *
find_scene(void)
{
  gsize                  n;
  const LacScene *const *scenes = lac_scenes(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(scenes[i]->name, "cylinder"))
      return scenes[i];
  g_assert_not_reached();
}

static LacTruth *
make_truth(const char *const settings[][2])
{
  const LacScene     *scene = find_scene();
  g_autoptr(LacDraft) draft = lac_draft_new(&scene->params);
  g_autoptr(LacPool)  pool = lac_pool_new(1);
  g_autoptr(GError)   error = NULL;
  const LacContext    context = {.pool = pool, .precision = "f32"};
  LacCase             subject;
  LacTruth           *truth;

  for (gsize i = 0; settings[i][0]; i++) {
    lac_draft_set(draft, settings[i][0], settings[i][1], &error);
    g_assert_no_error(error);
  }
  g_assert_true(scene->check(lac_draft_get_values(draft), &error));
  lac_case_configure(&subject, scene, lac_draft_get_values(draft));
  truth = scene->truth(subject.params, &subject, &context, &error);
  lac_case_clear(&subject);
  g_assert_no_error(error);
  lac_case_clear(&subject);
  return truth;
}

/* Returns the value at a point, from its nearest cell. */
static double
read_at(const LacTruth *truth, guint field, double x, double y)
{
  const double across = (truth->upper[0] - truth->lower[0]) / ((double) truth->nx - 1);
  const double up = (truth->upper[1] - truth->lower[1]) / ((double) truth->ny - 1);
  const gsize  column = (gsize) round((x - truth->lower[0]) / across);
  const gsize  row = (gsize) round((y - truth->lower[1]) / up);

  return lac_truth_at(truth, 0)[(field * truth->ny + row) * truth->nx + column];
}

/* In the scene's units a cell is 1 / 12 and the inflow 1; along the stagnation line Bernoulli's sum is constant up to
 * viscosity, of order 1 / Re times a few, and the distance of one cell to the wall: 15 % in total. */
static void
test_window(void)
{
  const char *const settings[][2] = {
    {"diameter", "12"},    {"upstream", "5"}, {"breadth", "8"},     {"from", "-3"},
    {"to", "2"},           {"spin_up", "10"}, {"half_height", "2"}, {"snapshots", "10"},
    {"observations", "1"}, {NULL, NULL},
  };
  g_autoptr(LacTruth) truth = make_truth(settings);
  double              inside = 0, total[2];

  g_assert_cmpuint(truth->nx, ==, 60);
  g_assert_cmpuint(truth->ny, ==, 48);
  g_assert_cmpfloat_with_epsilon(truth->lower[0], -3, 1.0 / 12);
  g_assert_cmpfloat_with_epsilon(truth->lower[1], -truth->upper[1], 1e-12);
  for (gsize i = 0; i < truth->nx * truth->ny; i++)
    inside += truth->mask[i] ? 0 : 1.0 / 144;
  /* cells count as a whole: the error is at most the number along the circumference */
  g_assert_cmpfloat_with_epsilon(inside, G_PI / 4, G_PI / 12);
  for (guint i = 0; i < 2; i++) {
    const double x = i == 0 ? -2.9 : -0.6;

    total[i] = read_at(truth, P, x, 0) + 0.5 * pow(read_at(truth, U, x, 0), 2);
  }
  g_test_message("total pressure %g upstream, %g in front", total[0], total[1]);
  g_assert_cmpfloat_with_epsilon(read_at(truth, U, -2.9, 1.9), 1, 0.1);
  g_assert_cmpfloat_with_epsilon(total[1] - total[0], 0, 0.5 * 0.15);
  g_assert_cmpfloat(read_at(truth, P, -0.6, 0) - read_at(truth, P, -2.9, 0), >, 0.3);
}

/* The window starts beside the cylinder: there is nothing to mask. */
static void
test_wake_window(void)
{
  const char *const settings[][2] = {
    {"diameter", "8"},     {"upstream", "3"}, {"breadth", "6"},       {"to", "3"},
    {"reynolds", "50"},    {"spin_up", "1"},  {"half_height", "1.5"}, {"snapshots", "10"},
    {"observations", "4"}, {NULL, NULL},
  };
  g_autoptr(LacTruth) truth = make_truth(settings);

  g_assert_null(truth->mask);
  g_assert_cmpuint(truth->n_training, ==, 6);
  g_assert_cmpuint(truth->n_times, ==, 4);
  g_assert_cmpfloat_with_epsilon(truth->times[3], 0.6, 1e-12);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/cylinder/a-window-around-it-leaves-it-out", test_window);
  g_test_add_func("/experiment/cylinder/a-window-behind-it-is-whole", test_wake_window);
  return g_test_run();
}
