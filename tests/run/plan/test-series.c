/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of runs: seeds, sweeps, plans in YAML; and the saved frames of a long run. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/runfile/run-file.h"
#include "run/core/budget.h"
#include "run/helpers/lorenz.h"
#include "run/library/group.h"
#include "run/library/library.h"
#include "run/plan/cost.h"
#include "run/plan/seeds.h"
#include "run/plan/sweep.h"
#include "run/plan/yaml.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

/* ---- seeds ---- */

static gboolean
drive(LacRun *run, guint i, guint n, gpointer user_data)
{
  guint *n_driven = user_data;

  g_assert_cmpuint(i, ==, (*n_driven)++);
  g_assert_cmpuint(n, ==, 5);
  lac_run_start(run, FALSE);
  lac_run_wait(run, NULL);
  return TRUE;
}

static void
test_seeds(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "200", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;
  guint               n_driven = 0;
  g_autoptr(LacSeeds) seeds =
    lac_seeds_run(&settings, 5, &(LacSeedsDriver){drive, NULL, &n_driven}, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(lac_seeds_get_n(seeds), ==, 5);
  g_assert_cmpstr(lac_seeds_get_outcome(seeds), ==, "finished");
  g_autofree char      *text = lac_seeds_dup_json(seeds);
  g_autoptr(JsonParser) parser = json_parser_new();
  g_assert_true(json_parser_load_from_data(parser, text, -1, NULL));
  JsonObject *object = json_node_get_object(json_parser_get_root(parser));
  JsonArray  *runs = json_object_get_array_member(object, "seeds");
  g_assert_cmpuint(json_array_get_length(runs), ==, 5);

  /* two values on either side of the median, none above the worst */
  double median = lac_seeds_get_median(seeds, 0), worst = lac_seeds_get_worst(seeds, 0);
  guint  n_below = 0, n_above = 0;
  for (guint i = 0; i < 5; i++) {
    JsonObject *one = json_array_get_object_element(runs, i);
    double      value =
      json_object_get_double_member(json_object_get_object_member(one, "metrics"), "distance");
    g_assert_cmpint(json_object_get_int_member(one, "seed"), ==, 11 + i);
    n_below += value < median;
    n_above += value > median;
    g_assert_cmpfloat(value, <=, worst);
  }
  g_assert_cmpuint(n_below, ==, 2);
  g_assert_cmpuint(n_above, ==, 2);
  g_assert_cmpfloat(
    json_object_get_double_member(json_object_get_object_member(object, "metrics"), "distance"), ==,
    median);
  g_assert_cmpfloat(
    json_object_get_double_member(json_object_get_object_member(object, "worst"), "distance"), ==,
    worst);
  test_folder_remove(g_steal_pointer(&out));
}

/* ---- sweeps ---- */

static void
test_sweep(void)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacSweep) sweep = lac_sweep_parse(&lorenz.params, "steps=10,20,30; rho=1.5, 2", &error);
  g_autoptr(LacDraft) draft = lac_draft_new(&lorenz.params);

  g_assert_no_error(error);
  g_assert_cmpuint(lac_sweep_get_n(sweep), ==, 6);
  for (gsize i = 0; i < 6; i++) {
    g_assert_true(lac_sweep_apply(sweep, i, draft, &error));
    g_assert_cmpfloat(lac_draft_get_number(draft, lac_param_find(&lorenz.params, "steps")), ==,
                      10 * (1 + i / 2));
    g_assert_cmpfloat(lac_draft_get_number(draft, lac_param_find(&lorenz.params, "rho")), ==,
                      i % 2 ? 2 : 1.5);
  }
  g_autofree char *label = lac_sweep_dup_label(sweep, 3);
  g_assert_cmpstr(label, ==, "steps = 20, rho = 2");
}

/* Every experiment can be repeated with other seeds, which are no part of its settings. */
static void
test_sweep_of_seeds(void)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacSweep) sweep = lac_sweep_parse(&lorenz.params, "rho=1.5, 2; seed=3,5,8", &error);
  g_autoptr(LacSweep) plain = lac_sweep_parse(&lorenz.params, "rho=1.5, 2", NULL);
  g_autoptr(LacDraft) draft = lac_draft_new(&lorenz.params);

  g_assert_no_error(error);
  g_assert_cmpuint(lac_sweep_get_n(sweep), ==, 6);
  for (gsize i = 0; i < 6; i++) {
    static const guint64 seeds[] = {3, 5, 8};

    g_assert_true(lac_sweep_apply(sweep, i, draft, &error));
    g_assert_cmpuint(lac_sweep_get_seed(sweep, i, 1), ==, seeds[i % 3]);
    g_assert_cmpfloat(lac_draft_get_number(draft, lac_param_find(&lorenz.params, "rho")), ==,
                      i < 3 ? 1.5 : 2);
  }
  g_assert_cmpuint(lac_sweep_get_seed(plain, 1, 7), ==, 7);
  g_assert_null(lac_sweep_parse(&lorenz.params, "seed=1,-2", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_clear_error(&error);
  g_assert_null(lac_sweep_parse(&lorenz.params, "seed=1,x", &error));
  g_assert_nonnull(error);
}

/* The runs of a sweep are found together in the list of runs; a later sweep of the same values is another one. */
static void
test_runs_of_a_sweep_know_it(void)
{
  g_autoptr(GError)   error = NULL;
  g_autofree char    *out = test_folder_new();
  const char         *text = "rho=1.5,2";
  g_autofree char    *first = lac_sweep_dup_identity(text), *second = lac_sweep_dup_identity(text);
  const char *const   identities[] = {first, second};
  g_autoptr(LacDraft) draft = lac_draft_new(&lorenz.params);
  const char         *sweeps[] = {identities[0], identities[0], identities[1], NULL};

  g_assert_cmpstr(identities[0], !=, identities[1]);
  g_assert_true(g_str_has_suffix(identities[0], " rho=1.5,2"));
  g_assert_true(lac_draft_set(draft, "steps", "5", &error));
  for (gsize i = 0; i < G_N_ELEMENTS(sweeps); i++) {
    LacRunSettings    settings = {.experiment = &lorenz,
                                  .draft = draft,
                                  .backend = "cpu",
                                  .precision = "f64",
                                  .threads = 1,
                                  .out = out,
                                  .sweep = sweeps[i]};
    g_autoptr(LacRun) run = lac_run_new(&settings, &error);
    g_assert_no_error(error);
    lac_run_start(run, FALSE);
    g_assert_true(lac_run_wait(run, &error));
  }
  for (guint pass = 0; pass < 2; pass++) { /* from the runs, then from the index */
    g_autoptr(GPtrArray) runs = lac_run_library_read(out, &error);
    g_autoptr(GPtrArray) groups = lac_run_group(runs, "sweep");
    guint                n_in[3] = {0};
    g_assert_no_error(error);
    g_assert_cmpuint(groups->len, ==, 3);
    for (guint i = 0; i < runs->len; i++) {
      const char *sweep = ((const LacRunHeadline *) runs->pdata[i])->sweep;
      n_in[g_str_equal(sweep, "") ? 2 : g_str_equal(sweep, identities[1])]++;
      g_assert_true(g_str_equal(sweep, "") || g_str_equal(sweep, identities[0]) ||
                    g_str_equal(sweep, identities[1]));
    }
    g_assert_cmpuint(n_in[0], ==, 2);
    g_assert_cmpuint(n_in[1], ==, 1);
    g_assert_cmpuint(n_in[2], ==, 1);
    g_assert_cmpstr(((const LacRunGroup *) groups->pdata[2])->name, ==, "");
  }
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_together(void)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacSweep) sweep =
    lac_sweep_parse(&lorenz.params, "together; rho=20,24,28; steps=5,6,7", &error);
  g_assert_no_error(error);
  g_assert_cmpuint(lac_sweep_get_n(sweep), ==, 3);
  for (gsize i = 0; i < 3; i++) {
    g_autofree char *label = lac_sweep_dup_label(sweep, i);
    g_autofree char *expected =
      g_strdup_printf("rho = %d, steps = %d", 20 + 4 * (int) i, 5 + (int) i);
    g_assert_cmpstr(label, ==, expected);
  }
  g_assert_null(lac_sweep_parse(&lorenz.params, "together; rho=20,24; steps=5,6,7", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
}

/* Draws are within their range, cover it, and are reproducible. */
static void
test_random(void)
{
  const char         *text = "random 400; steps=3..6; rho=0.1..10 log; pause_us=0,7";
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacSweep) sweep = lac_sweep_parse(&lorenz.params, text, &error);
  g_assert_no_error(error);
  g_autoptr(LacSweep) again = lac_sweep_parse(&lorenz.params, text, &error);
  guint               of_steps[4] = {0}, below_one = 0, sevens = 0;

  g_assert_cmpuint(lac_sweep_get_n(sweep), ==, 400);
  for (gsize i = 0; i < 400; i++) {
    gint64 steps = g_ascii_strtoll(lac_sweep_get_value(sweep, 0, i), NULL, 10);
    double rho = g_ascii_strtod(lac_sweep_get_value(sweep, 1, i), NULL);
    g_assert_cmpint(steps, >=, 3);
    g_assert_cmpint(steps, <=, 6);
    g_assert_cmpfloat(rho, >=, 0.1);
    g_assert_cmpfloat(rho, <=, 10);
    of_steps[steps - 3]++;
    below_one += rho < 1;
    sevens += g_str_equal(lac_sweep_get_value(sweep, 2, i), "7");
    for (gsize k = 0; k < 3; k++)
      g_assert_cmpstr(lac_sweep_get_value(sweep, k, i), ==, lac_sweep_get_value(again, k, i));
  }
  /* five standard deviations of a fair draw: 100 +- 8.7 and 200 +- 10 */
  for (gsize i = 0; i < 4; i++)
    g_assert_cmpint(ABS((gint) of_steps[i] - 100), <, 44);
  g_assert_cmpint(ABS((gint) below_one - 200), <, 50);
  g_assert_cmpint(ABS((gint) sevens - 200), <, 50);

  static const char *const bad[] = {"random; rho=1..2",   "random 0; rho=1..2",
                                    "random 5; rho=2..1", "random 5; rho=0..2 log",
                                    "random 5; rho=1..x", "random 5; rho=1..200"};
  for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_assert_null(lac_sweep_parse(&lorenz.params, bad[i], &error));
    g_assert_nonnull(error);
    g_clear_error(&error);
  }
}

static void
test_steps(void)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacSweep) sweep =
    lac_sweep_parse(&lorenz.params, "together; rho=0.1..0.5 in 5; steps=1..10000 log in 5", &error);
  static const char *const rho[] = {"0.1", "0.2", "0.3", "0.4", "0.5"};
  static const char *const steps[] = {"1", "10", "100", "1000", "10000"};

  g_assert_no_error(error);
  g_assert_cmpuint(lac_sweep_get_n(sweep), ==, 5);
  for (gsize i = 0; i < 5; i++) {
    g_assert_cmpstr(lac_sweep_get_value(sweep, 0, i), ==, rho[i]);
    g_assert_cmpstr(lac_sweep_get_value(sweep, 1, i), ==, steps[i]);
  }
}

/* Different seeds give different draws, equal seeds the same. */
static void
test_seed(void)
{
  static const char *const texts[] = {"random 50; rho=0..100", "random 50 seed 7; rho=0..100",
                                      "random 50 seed 7; rho=0..100"};
  LacSweep                *sweeps[3];
  guint                    same[2] = {0};
  for (gsize i = 0; i < 3; i++)
    g_assert_nonnull(sweeps[i] = lac_sweep_parse(&lorenz.params, texts[i], NULL));
  for (gsize i = 0; i < 50; i++)
    for (gsize k = 0; k < 2; k++)
      same[k] +=
        g_str_equal(lac_sweep_get_value(sweeps[k], 0, i), lac_sweep_get_value(sweeps[k + 1], 0, i));
  g_assert_cmpuint(same[0], <, 5);
  g_assert_cmpuint(same[1], ==, 50);
  for (gsize i = 0; i < 3; i++)
    lac_sweep_free(sweeps[i]);
}

/* ---- plans ---- */

static void
assert_same_plan(const LacSweepPlan *a, const LacSweepPlan *b)
{
  g_assert_cmpint(a->kind, ==, b->kind);
  g_assert_cmpuint(a->axes->len, ==, b->axes->len);
  if (a->kind == LAC_SWEEP_RANDOM) {
    g_assert_cmpuint(a->n_draws, ==, b->n_draws);
    g_assert_cmpuint(a->seed, ==, b->seed);
  }
  for (guint i = 0; i < a->axes->len; i++) {
    const LacSweepAxis *x = lac_sweep_plan_get_axis(a, i), *y = lac_sweep_plan_get_axis(b, i);
    g_assert_cmpstr(x->key, ==, y->key);
    g_assert_cmpint(x->spacing, ==, y->spacing);
    if (x->spacing == LAC_SWEEP_VALUES) {
      g_assert_cmpstr(x->list, ==, y->list);
      continue;
    }
    g_assert_cmpstr(x->from, ==, y->from);
    g_assert_cmpstr(x->to, ==, y->to);
    if (lac_sweep_spacing_has_steps(x->spacing))
      g_assert_cmpuint(x->n, ==, y->n);
  }
}

static void
fill_axis(LacSweepAxis *axis, LacSweepSpacing spacing, const char *from, const char *to, guint n)
{
  g_free(axis->from);
  g_free(axis->to);
  axis->spacing = spacing;
  axis->from = g_strdup(from);
  axis->to = g_strdup(to);
  axis->n = n;
}

/* For every kind and form of values, complete or incomplete: a plan's text reads back as the same plan. */
static void
test_plan_text(void)
{
  static const char *const ends[][2] = {{"4", "16"}, {"-1e-3", "2.5"}, {"", "16"}, {"x", ""}};
  static const char *const lists[] = {"4, 8,12", "", "qr, random", "../a.h5, b..c/d.h5"};
  for (LacSweepKind kind = LAC_SWEEP_GRID; kind <= LAC_SWEEP_RANDOM; kind++)
    for (LacSweepSpacing spacing = LAC_SWEEP_VALUES; spacing < LAC_N_SWEEP_SPACINGS; spacing++)
      for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autoptr(LacSweepPlan) plan = lac_sweep_plan_new();
        g_autoptr(GError)       error = NULL;
        plan->kind = kind;
        plan->n_draws = 7 + (guint) i;
        plan->seed = (guint64) i * 1000003;
        for (gsize k = 0; k < 2; k++) {
          lac_sweep_plan_add(plan, k == 0 ? "rho" : "steps", lists[(i + k) % 4]);
          fill_axis(lac_sweep_plan_get_axis(plan, (guint) k), spacing, ends[i][0], ends[i][1],
                    2 + (guint) (i + k));
        }
        g_autofree char        *text = lac_sweep_plan_dup_text(plan);
        g_autoptr(LacSweepPlan) again = lac_sweep_plan_parse(text, &error);
        g_assert_no_error(error);
        assert_same_plan(plan, again);
      }
  g_autoptr(LacSweepPlan) nothing = lac_sweep_plan_new();
  g_autofree char        *none = lac_sweep_plan_dup_text(nothing);
  g_assert_cmpstr(none, ==, "");
}

/* Steps become the range they span for random draws, and the reverse. */
static void
test_plan_kind(void)
{
  g_autoptr(LacSweepPlan) plan = lac_sweep_plan_parse("rho=1..9 log in 3; steps=4,5", NULL);
  lac_sweep_plan_set_kind(plan, LAC_SWEEP_RANDOM);
  g_autofree char *drawn = lac_sweep_plan_dup_text(plan);
  g_assert_cmpstr(drawn, ==, "random 20; rho=1..9 log; steps=4,5");
  lac_sweep_plan_set_kind(plan, LAC_SWEEP_TOGETHER);
  g_autofree char *together = lac_sweep_plan_dup_text(plan);
  g_assert_cmpstr(together, ==, "together; rho=1..9 log in 3; steps=4,5");

  /* only the invalid axis has an error */
  g_autoptr(GError) error = NULL;
  g_auto(GStrv)     values = lac_sweep_dup_values(&lorenz.params, plan, 0, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(g_strv_length(values), ==, 3);
  g_assert_null(lac_sweep_dup_values(&lorenz.params, plan, 1, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
}

/* Estimates with frames that exceed the minimum budget in longer runs. */
static void
estimate_steps(const LacExperiment *self, gconstpointer params, LacEstimate *out)
{
  lorenz.estimate(self, params, out);
  out->seconds_setup = 2;
  out->seconds_per_step = 0.1;
  out->frame_bytes = 100;
  out->memory_bytes = 8 * (double) out->n_steps;
}

/* The cost of a sweep is the sum over its runs; each has the disk budget to itself. */
static void
test_cost(void)
{
  LacExperiment       costly = lorenz;
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "10", NULL);
  LacRunSettings      settings = {.experiment = &costly, .draft = draft, .threads = 2};
  g_autoptr(LacSweep) sweep = lac_sweep_parse(&lorenz.params, "steps=1000,2000,3000", NULL);
  LacCost             all, sum = {0};

  costly.estimate = estimate_steps;
  settings.disk_budget_bytes = LAC_DISK_BUDGET_LEAST;
  lac_cost_add_up(&settings, sweep, &all);
  for (gsize i = 0; i < 3; i++) {
    g_autoptr(LacDraft) one = lac_draft_copy(draft);
    LacCost             cost;
    g_assert_true(lac_sweep_apply(sweep, i, one, NULL));
    settings.draft = one;
    lac_cost_add_up(&settings, NULL, &cost);
    g_assert_cmpuint(cost.n_runs, ==, 1);
    g_assert_cmpfloat(cost.disk_bytes, <=,
                      (double) lac_disk_shares(LAC_DISK_BUDGET_LEAST, G_MAXUINT64).frames);
    sum.n_steps += cost.n_steps;
    sum.seconds += cost.seconds;
    sum.disk_bytes += cost.disk_bytes;
    sum.memory_bytes = MAX(sum.memory_bytes, cost.memory_bytes);
  }
  g_assert_cmpuint(all.n_runs, ==, 3);
  g_assert_cmpint(all.n_steps, ==, 6000);
  g_assert_cmpfloat(all.disk_bytes, <, 600000);
  g_assert_cmpint(all.n_steps, ==, sum.n_steps);
  g_assert_cmpfloat(all.seconds, ==, sum.seconds);
  g_assert_cmpfloat(all.disk_bytes, ==, sum.disk_bytes);
  g_assert_cmpfloat(all.memory_bytes, ==, sum.memory_bytes);
}

static void
test_bad_sweeps(void)
{
  static const struct {
    const char *spec;
    LacError    code;
  } bad[] = {
    {"steps", LAC_ERROR_USAGE},           {"=1", LAC_ERROR_USAGE},
    {"steps=", LAC_ERROR_USAGE},          {"sigma=1", LAC_ERROR_UNKNOWN_KEY},
    {"rho=1,-2", LAC_ERROR_OUT_OF_RANGE}, {"rho=1,,2", LAC_ERROR_OUT_OF_RANGE},
    {"rho=1..4", LAC_ERROR_USAGE},        {"rho=1..4 in 1", LAC_ERROR_USAGE},
    {"rho=1..1 in 3", LAC_ERROR_USAGE},   {"rho=0..4 log in 3", LAC_ERROR_USAGE},
    {"rho=..4 in 3", LAC_ERROR_USAGE},    {"rho=1..200 in 3", LAC_ERROR_OUT_OF_RANGE},
    {"steps=4..6 in 5", LAC_ERROR_USAGE}, {"random 4 seed x; rho=1,2", LAC_ERROR_OUT_OF_RANGE},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(lac_sweep_parse(&lorenz.params, bad[i].spec, &error));
    g_assert_error(error, LAC_ERROR, (int) bad[i].code);
  }
  g_autoptr(GError) error = NULL;
  g_assert_null(lac_sweep_parse(&lorenz.params, "rho=1; rho=2", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
}

/* ---- YAML ---- */

static LacRunPlan *
read_text(const char *out, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename(out, "run.yaml", NULL);

  g_assert_true(g_file_set_contents(path, text, -1, NULL));
  return lac_yaml_read(path, error);
}

static void
test_yaml(void)
{
  g_autofree char      *out = test_folder_new();
  gsize                 n;
  const LacExperiment  *experiment = lac_experiments(&n)[0];
  const LacParam       *row = &experiment->params.rows[0];
  g_autoptr(LacDraft)   fallback = lac_draft_new(&experiment->params);
  g_autofree char      *value = lac_draft_dup_text(fallback, row);
  g_autoptr(GError)     error = NULL;
  g_autofree char      *text = g_strdup_printf("# a comment\nexperiment: %s\nseed: 42\nthreads: 2\n"
                                                    "settings:\n  %s: %s\n",
                                               experiment->name, row->key, value);
  g_autoptr(LacRunPlan) plan = read_text(out, text, &error);

  g_assert_no_error(error);
  g_assert_true(plan->experiment == experiment);
  g_assert_cmpstr(plan->launch.stated[LAC_LAUNCH_SEED], ==, "42");
  g_assert_cmpstr(plan->launch.stated[LAC_LAUNCH_THREADS], ==, "2");
  g_autofree char *read_back = lac_draft_dup_text(plan->draft, row);
  g_assert_cmpstr(read_back, ==, value);
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_bad_yaml(void)
{
  g_autofree char *out = test_folder_new();
  gsize            n;
  const char      *name = lac_experiments(&n)[0]->name;
  const struct {
    const char *rest, *place;
  } bad[] = {
    {"settings:\n  nothing_like_it: 3\n", ":3:3: "},
    {"seed: minus one\n", ":2:7: "},
    {"colour: red\n", ":2:1: "},
    {"threads: 0\n", ":2:10: "},
    {"settings: [1, 2\n", ":"},
    {"\tseed: 1\n", ":"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_autofree char  *text = g_strdup_printf("experiment: %s\n%s", name, bad[i].rest);
    g_autoptr(GError) error = NULL;
    g_assert_null(read_text(out, text, &error));
    g_assert_nonnull(error);
    g_test_message("%s", error->message);
    g_assert_nonnull(strstr(error->message, "run.yaml:"));
    g_assert_nonnull(strstr(error->message, bad[i].place));
    g_assert_cmpint(lac_error_exit_status(error), ==, 2);
  }
  g_autoptr(GError) error = NULL;
  g_assert_null(read_text(out, "experiment: nothing\n", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
  g_clear_error(&error);
  g_assert_null(read_text(out, "", &error));
  g_assert_nonnull(error);
  test_folder_remove(g_steal_pointer(&out));
}

/* ---- the frames that are kept ---- */

static void
test_frame_budget(void)
{
  const guint64 frame_bytes =
    2 * 16 * 8 * sizeof(float) + 2 * sizeof(LacMarker) + 3 * sizeof(double);
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "1001", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(GError)   error = NULL;
  settings.frame_budget_bytes = 40 * frame_bytes;
  g_autoptr(LacRun)     run = lorenz_run(&settings);
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);

  g_assert_no_error(error);
  g_assert_cmpuint(file->n_frames, <=, 42);
  g_assert_cmpuint(file->n_frames, >=, 20);
  g_assert_cmpint(file->frame_step[0], ==, 0);
  g_assert_cmpint(file->frame_step[file->n_frames - 1], ==, 1001);
  /* equally spaced except the last */
  gint64 stride = file->frame_step[1];
  for (gsize i = 0; i + 1 < file->n_frames; i++)
    g_assert_cmpint(file->frame_step[i], ==, (gint64) i * stride);
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/seeds/median-and-worst", test_seeds);
  g_test_add_func("/run/sweep/every-combination", test_sweep);
  g_test_add_func("/run/sweep/seeds-are-swept", test_sweep_of_seeds);
  g_test_add_func("/run/sweep/its-runs-are-found-together", test_runs_of_a_sweep_know_it);
  g_test_add_func("/run/sweep/values-that-go-together", test_together);
  g_test_add_func("/run/sweep/drawn-at-random-within-their-ranges", test_random);
  g_test_add_func("/run/sweep/wrong-ones-are-refused", test_bad_sweeps);
  g_test_add_func("/run/sweep/equal-steps-and-equal-factors", test_steps);
  g_test_add_func("/run/sweep/another-seed-draws-others", test_seed);
  g_test_add_func("/run/sweep/the-text-of-a-plan-gives-that-plan", test_plan_text);
  g_test_add_func("/run/sweep/combined-in-another-way", test_plan_kind);
  g_test_add_func("/run/sweep/costs-what-its-runs-cost", test_cost);
  g_test_add_func("/run/yaml/describes-a-run", test_yaml);
  g_test_add_func("/run/yaml/errors-have-line-and-column", test_bad_yaml);
  g_test_add_func("/run/frames/kept-within-the-budget", test_frame_budget);
  return g_test_run();
}
