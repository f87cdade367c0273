/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth of the Burgers scene: its own grid, accepted files, and error messages for others. */
#include "base/error.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "graph/program/program.h"
#include "solver/cole-hopf.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define VISCOSITY 0.05

/* The solution u = x / (1 + t) over axes of the given names; t in [0, @t_last], x in [-1, 1]. */
static LacGridField *
make_file(const char *first, gsize n_first, const char *second, gsize n_second, double t_last)
{
  const char *const names[] = {first, second}, *const units[] = {"1", "1"};
  const gsize    sizes[] = {n_first, n_second};
  const gboolean t_first =
    g_str_equal(first, "t") || (!g_str_equal(second, "t") && n_first < n_second);
  LacGridField *field = lac_field_new("u", "1", 2, names, units, sizes);

  for (guint axis = 0; axis < 2; axis++)
    for (gsize i = 0; i < sizes[axis]; i++) {
      const double part = (double) i / (double) (sizes[axis] - 1);

      field->axes[axis].values[i] = (axis == 0) == t_first ? t_last * part : -1 + 2 * part;
    }
  for (gsize i = 0; i < n_first; i++)
    for (gsize j = 0; j < n_second; j++) {
      const double a = field->axes[0].values[i], b = field->axes[1].values[j];

      field->data[i * n_second + j] = t_first ? b / (1 + a) : a / (1 + b);
    }
  return field;
}

static const LacScene *
find_scene(void)
{
  gsize                  n;
  const LacScene *const *scenes = lac_scenes(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(scenes[i]->name, "burgers"))
      return scenes[i];
  g_assert_not_reached();
}

/* @file: (nullable) */
static LacTruth *
make_truth(LacGridField *file, GError **error)
{
  const LacScene       *scene = find_scene();
  g_autoptr(LacDraft)   draft = lac_draft_new(&scene->params);
  g_autoptr(GHashTable) inputs = g_hash_table_new(g_str_hash, g_str_equal);
  const LacContext      context = {.inputs = inputs};
  LacCase               subject;
  LacTruth             *truth;
  gboolean              set = lac_draft_set(draft, "viscosity", "0.05", NULL);

  g_assert_true(set);
  if (file) /* without the scene's conditions, which this solution does not satisfy */
    g_assert_true(lac_draft_set(draft, "identify", "yes", NULL));
  if (file)
    g_hash_table_insert(inputs, (gpointer) "truth", file);
  lac_case_configure(&subject, scene, lac_draft_get_values(draft));
  truth = scene->truth(lac_draft_get_values(draft), &subject, &context, error);
  lac_case_clear(&subject);
  return truth;
}

static void
test_own_grid(void)
{
  g_autoptr(GError)      error = NULL;
  g_autoptr(LacTruth)    truth = make_truth(NULL, &error);
  g_autoptr(LacColeHopf) exact = lac_cole_hopf_new(VISCOSITY, 140);

  g_assert_no_error(error);
  g_assert_cmpuint(truth->n_times, ==, 100);
  g_assert_cmpuint(truth->nx, ==, 256);
  g_assert_cmpfloat(truth->times[0], ==, 0);
  g_assert_cmpfloat_with_epsilon(truth->times[99], 0.99, 1e-15);
  g_assert_cmpfloat(truth->lower[0], ==, -1);
  g_assert_cmpfloat(truth->upper[0], ==, 1);
  for (gsize k = 0; k < 100; k++)
    for (gsize i = 0; i < 256; i++)
      g_assert_cmpfloat(truth->observed[k * 256 + i], ==,
                        lac_cole_hopf_at(exact, truth->times[k], lac_truth_get_x(truth, i)));
  for (gsize i = 0; i < 256; i++)
    g_assert_cmpfloat_with_epsilon(truth->observed[i], -sin(G_PI * lac_truth_get_x(truth, i)),
                                   1e-14);
}

/* The hard form agrees with both conditions: initially and at the ends the network's output has no effect. */
static void
test_conditions(void)
{
  const LacScene     *scene = find_scene();
  g_autoptr(LacDraft) draft = lac_draft_new(&scene->params);
  g_autoptr(GError)   error = NULL;
  LacRng              rng = lac_rng(1, 1);
  LacCase             subject;

  lac_case_configure(&subject, scene, lac_draft_get_values(draft));
  g_assert_cmpuint(subject.n_conditions, ==, 2);
  for (gsize c = 0; c < subject.n_conditions; c++) {
    g_autoptr(LacGraph)     graph = lac_graph_new();
    const LacProgramOptions options = {.type = LAC_F64};
    LacNode                 x = lac_graph_points(graph, "x", 0, 20, 2), u = lac_columns(x, 0, 1);
    g_autoptr(LacProgram)   program = NULL;
    LacProgramOptions       settings = options;
    double                  points[40], values[20], found[20];

    lac_device_open(&settings.device, "cpu", &error);
    g_assert_no_error(error);
    settings.pool = lac_pool_new(1);
    u = lac_offset(lac_scale(u, 3), 7); /* an arbitrary output */
    subject.hard(&subject, x, &u);
    program = lac_program_new(graph, LAC_NO_NODE, &u, 1, &settings, &error);
    g_assert_no_error(error);
    for (gsize i = 0; i < 20; i++)
      subject.conditions[c].sample(&subject, &rng, points + 2 * i, values + i);
    lac_program_feed(program, x, points);
    g_assert_true(lac_program_run(program, NULL, 0, NULL, &error));
    lac_program_read(program, u, found);
    for (gsize i = 0; i < 20; i++)
      g_assert_cmpfloat_with_epsilon(found[i], values[i], 1e-14);
    g_clear_pointer(&program, lac_program_free);
    lac_pool_free(settings.pool);
    lac_device_close(&settings.device);
  }
  lac_case_clear(&subject);
}

static void
assert_taken(LacGridField *file, gsize n_t, gsize n_x)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacTruth) truth = make_truth(file, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(truth->n_times, ==, n_t);
  g_assert_cmpuint(truth->nx, ==, n_x);
  for (gsize k = 0; k < n_t; k++)
    for (gsize i = 0; i < n_x; i++)
      g_assert_cmpfloat_with_epsilon(truth->observed[k * n_x + i],
                                     lac_truth_get_x(truth, i) / (1 + truth->times[k]), 1e-14);
  lac_field_unref(file);
}

static void
test_axes(void)
{
  assert_taken(make_file("t", 5, "x", 9, 1), 5, 9);
  assert_taken(make_file("x", 5, "t", 9, 1), 9, 5);
  assert_taken(make_file("t", 7, "x", 7, 0.5), 7, 7);
  assert_taken(make_file("a", 5, "b", 9, 1), 5, 9);
  assert_taken(make_file("a", 9, "b", 5, 1), 5, 9);
}

static void
assert_refused(LacGridField *file, const char *part)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacTruth) truth = make_truth(file, &error);

  g_assert_null(truth);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_test_message("%s", error->message);
  g_assert_nonnull(strstr(error->message, part));
  lac_field_unref(file);
}

static void
test_refused(void)
{
  static const char *const names[] = {"t", "y", "x"}, *const units[] = {"1", "1", "1"};
  static const gsize sizes[] = {3, 4, 5};
  LacGridField      *hole = make_file("t", 5, "x", 9, 1), *uneven = make_file("t", 5, "x", 9, 1);

  hole->data[2 * 9 + 4] = NAN;
  assert_refused(hole, "not finite at t = 0.5, x = 0");
  uneven->axes[1].values[4] = 0.1;
  assert_refused(uneven, "value 5 is 0.1 where 0 would be even");
  assert_refused(lac_field_new("u", "1", 3, names, units, sizes), "has 3 axes");
  assert_refused(lac_field_new("u", "1", 1, names, units, sizes), "has 1 ax");
  assert_refused(make_file("t", 5, "x", 9, 2), "from 0 to 2");
  assert_refused(make_file("t", 5, "x", 9, -1), "0 to 1");
  assert_refused(make_file("a", 6, "b", 6, 1), "by name or by length");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/burgers-scene/without-a-file-the-exact-solution-judges",
                  test_own_grid);
  g_test_add_func("/experiment/burgers-scene/what-is-held-is-what-is-asked", test_conditions);
  g_test_add_func("/experiment/burgers-scene/axes-are-told-by-name-then-by-length", test_axes);
  g_test_add_func("/experiment/burgers-scene/what-does-not-fit-is-refused-in-words", test_refused);
  return g_test_run();
}
