/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-defined equations in YAML: same residuals as the built-in equation, holes, consistent conditions and
 * solutions, errors with line and column, and a run scored only by measurements. */
#include "base/error.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "pde/helpers/equation-bench.h"
#include "run/helpers/lorenz.h"
#include "run/plan/equation.h"
#include "run/plan/yaml.h"

#include <math.h>
#include <string.h>

static LacRunPlan *
read_text(const char *text, GError **error)
{
  g_autofree char *out = test_folder_new();
  g_autofree char *path = g_build_filename(out, "own.yaml", NULL);
  LacRunPlan      *plan;

  g_assert_true(g_file_set_contents(path, text, -1, NULL));
  plan = lac_yaml_read(path, error);
  test_folder_remove(g_steal_pointer(&out));
  return plan;
}

static const char *const examples[] = {"beam",         "burgers",      "fisher",       "heat",
                                       "helmholtz",    "klein-gordon", "poisson-disc", "reaction",
                                       "schroedinger", "wave"};

static LacRunPlan *
read_example(const char *name)
{
  g_autofree char *file = g_strconcat(name, ".yaml", NULL);
  g_autofree char *path =
    g_build_filename(g_getenv("LACUNA_SOURCE_ROOT"), "data", "equations", file, NULL);
  g_autoptr(GError) error = NULL;
  LacRunPlan       *plan = lac_yaml_read(path, &error);

  g_assert_no_error(error);
  return plan;
}

static const LacScene *
configure(const LacRunPlan *plan, LacCase *subject)
{
  const LacLaboratory *laboratory = plan->experiment->data;

  lac_case_configure(subject, laboratory->scene, lac_draft_get_values(plan->draft));
  return laboratory->scene;
}

/* ---- the same as the registry's ---- */

/* Tolerance: sums of a few terms below 100, added in another order. */
static void
test_burgers(void)
{
  static const char     text[] = "equation:\n"
                                 "  name: mine\n"
                                 "  domain: {t: [0, 1], x: [-1, 1]}\n"
                                 "  fields: [u]\n"
                                 "  coefficients: {advection: 1, viscosity: 0.01}\n"
                                 "  residuals: [u_t + advection*u*u_x = viscosity*u_xx]\n";
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunPlan) plan = read_text(text, &error);
  const LacPde         *pde = lac_pde_find("burgers");
  const BenchPoints     points = bench_points(pde->n_axes, -0.5);
  double                wanted[BENCH_N_POINTS], found[BENCH_N_POINTS];
  LacCase               subject;
  LacPde                written;

  g_assert_no_error(error);
  configure(plan, &subject);
  written = *subject.pde;
  memcpy(written.test_coefficients, pde->test_coefficients, sizeof written.test_coefficients);
  bench_residuals(pde, NULL, FALSE, &points, wanted);
  bench_residuals(&written, NULL, FALSE, &points, found);
  for (gsize i = 0; i < BENCH_N_POINTS; i++)
    g_assert_cmpfloat_with_epsilon(found[i], wanted[i], 1e-13);
  lac_case_clear(&subject);
}

/* ---- the examples ---- */

typedef struct {
  const LacScene *scene;
  const LacCase  *subject;
} Subject;

static void
build_residuals(gconstpointer data, LacNode leaf, LacNode *residuals)
{
  const Subject *subject = data;
  const LacPde  *pde = subject->subject->pde;
  LacPdeTerms    terms = {.x = leaf};

  subject->scene->exact(subject->subject, bench_seed(pde, leaf), terms.fields);
  for (guint i = 0; i < pde->n_coefficients; i++)
    terms.coefficients[i] = lac_number(subject->subject->coefficients[i]);
  pde->residuals(pde, &terms, residuals);
}

/* Builds what a condition may give, in its order, as far as the equation has it. */
static void
build_given(gconstpointer data, LacNode leaf, LacNode *given)
{
  const Subject *subject = data;
  const LacPde  *pde = subject->subject->pde;
  LacNode        fields[LAC_PDE_MAX_FIELDS];

  subject->scene->exact(subject->subject, bench_seed(pde, leaf), fields);
  for (guint f = 0; f < pde->n_fields; f++) {
    given[f] = lac_value(fields[f]);
    for (guint axis = 0; axis < pde->n_axes; axis++)
      given[(1 + axis) * pde->n_fields + f] = lac_derivative(fields[f], axis, 1);
  }
}

/* Asserts that a point is in the domain and not in a hole, up to rounding on a rim. */
static void
check_place(const LacCase *subject, const double *x)
{
  const guint first = lac_case_first_axis(subject);

  for (guint axis = 0; axis < subject->pde->n_axes; axis++)
    g_assert_true(x[axis] >= subject->lower[axis] && x[axis] <= subject->upper[axis]);
  for (gsize i = 0; i < subject->n_holes; i++) {
    LacHole inner = subject->holes[i];

    inner.radius *= inner.is_outside ? 1 + 1e-12 : 1 - 1e-12;
    if (inner.radius > 0)
      g_assert_false(lac_hole_contains(&inner, x[first], x[first + 1]));
  }
}

/* Asserts that the values and slopes that a condition gives are those of the exact solution. */
static void
check_given(const Subject      *both,
            const LacCondition *condition,
            const BenchPoints  *places,
            double              said[][LAC_CONDITION_VALUES])
{
  const LacPde *pde = both->subject->pde;
  const guint   n = pde->n_fields * (1 + pde->n_axes);
  double        values[LAC_CONDITION_VALUES * BENCH_N_POINTS];

  bench_evaluate(places, build_given, both, n, values);
  for (guint group = 0; group <= pde->n_axes; group++)
    for (guint f = 0; f < pde->n_fields; f++) {
      const guint given = group ? condition->slopes[group - 1] : condition->fields;

      for (gsize i = 0; i < BENCH_N_POINTS && given & (1u << f); i++)
        g_assert_cmpfloat_with_epsilon(values[(group * pde->n_fields + f) * BENCH_N_POINTS + i],
                                       said[i][group ? LAC_CONDITION_SLOPE(group - 1, f) : f],
                                       1e-12);
    }
}

/* The exact solution has zero residual and satisfies every condition. */
static void
test_example(gconstpointer name)
{
  g_autoptr(LacRunPlan) plan = read_example(name);
  double                values[LAC_PDE_MAX_RESIDUALS * BENCH_N_POINTS];
  LacCase               subject;
  Subject               both = {.scene = configure(plan, &subject), .subject = &subject};
  const BenchPoints     points = bench_points(subject.pde->n_axes, 0);

  bench_evaluate(&points, build_residuals, &both, subject.pde->n_residuals, values);
  for (gsize i = 0; i < subject.pde->n_residuals * BENCH_N_POINTS; i++)
    g_assert_cmpfloat(fabs(values[i]), <, 1e-10);
  g_assert_cmpuint(subject.n_conditions, >, 0);
  for (gsize c = 0; c < subject.n_conditions; c++) {
    const LacCondition *condition = &subject.conditions[c];
    BenchPoints         places = {.n_axes = subject.pde->n_axes};
    double              said[BENCH_N_POINTS][LAC_CONDITION_VALUES] = {{0}};
    LacRng              rng = lac_rng(5, c);

    for (gsize i = 0; i < BENCH_N_POINTS; i++) {
      condition->sample(&subject, &rng, places.points + i * places.n_axes, said[i]);
      check_place(&subject, places.points + i * places.n_axes);
    }
    check_given(&both, condition, &places, said);
  }
  lac_case_clear(&subject);
}

/* The masked share is the area of disc and triangle; a grid of spacing h is wrong only in cells on the rims, by at
 * most their length times h. */
static void
test_holes(void)
{
  g_autoptr(LacRunPlan) plan = read_example("reaction");
  const double          area = G_PI * 0.15 * 0.15 + 0.3 * 0.3 / 2;
  const LacContext      context = {.precision = "f64"};
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacTruth)   truth = NULL;
  LacCase               subject;
  const LacScene       *scene;
  double                rims = 0, out = 0;

  g_assert_true(lac_draft_set(plan->draft, "grid", "128", NULL));
  scene = configure(plan, &subject);
  truth = scene->truth(subject.params, &subject, &context, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < truth->nx * truth->ny; i++)
    out += !truth->mask[i];
  for (gsize i = 0; i < subject.n_holes; i++)
    rims += lac_hole_get_rim(&subject.holes[i]);
  g_assert_cmpfloat(fabs(out / (double) (truth->nx * truth->ny) - area), <, rims / 128);
  g_assert_true(subject.unknown[0] && subject.positive[0]);
  g_assert_cmpfloat(subject.guesses[0], ==, 1);
  lac_case_clear(&subject);
}

/* ---- what is refused ---- */

/* Replaces one line of a valid equation. */
static void
test_refusals(void)
{
  static const char *const lines[] = {
    "equation:",
    "  name: mine",
    "  domain: {x: [0, 1], y: [0, 1]}",
    "  without: [disc: [0.5, 0.5, 0.1]]",
    "  fields: [u]",
    "  coefficients: {k: 2}",
    "  residuals: [u_xx + u_yy - k*u]",
    "  conditions: [{at: {hole: 1}, u: x}]",
    "  measured: [u]",
  };
  static const struct {
    guint       line; /* from 1 */
    const char *text, *place, *part;
  } bad[] = {
    {2, "  name: Mine", ":2:9: ", "lower-case letters"},
    {2, "  name: burgers", ":2:9: ", "already exists"},
    {2, "  nome: mine", ":2:3: ", "known are name"},
    {3, "  domain: {x: [0, 1], z: [0, 1]}", ":3:23: ", "not an axis"},
    {3, "  domain: {x: [0, 1], y: [1, 1]}", ":3:23: ", "must end after it begins"},
    {3, "  domain: {x: [0, 1], y: [0, one]}", ":3:30: ", "not a number"},
    {4, "  without: [disc: [0.5, 0.5, 0]]", ":4:13: ", "above 0"},
    {4, "  without: [square: [0.5, 0.5, 1]]", ":4:13: ", "polygon"},
    {5, "  fields: [sin]", ":5:12: ", "function"},
    {6, "  coefficients: {k: much}", ":6:21: ", "not a number"},
    {7, "  residuals: [u_xx + w_yy - k*u]", ":7:22: ", "w_yy"},
    {7, "  residuals: [\"u_xx + w_yy - k*u\"]", ":7:23: ", "w_yy"},
    {7, "  residuals: {balance: u_xx + u_yy -}", ":7:", ""},
    {8, "  conditions: [{at: {hole: 2}, u: x}]", ":8:28: ", "1 to 1"},
    {8, "  conditions: [{at: {x: 2}, u: x}]", ":8:25: ", "outside"},
    {8, "  conditions: [{at: {x: 1}, u: 3*u}]", ":8:34: ", "u "},
    {8, "  conditions: [{at: {x: 1}, v: 3}]", ":8:29: ", "v is not known"},
    {8, "  conditions: [{at: {x: 1}, u_t: 3}]", ":8:29: ", "u_t is not known"},
    {3, "  domain: {x: [0, 1], y: [0, 2*pie]}", ":3:30: ", "as 3 or 2*pi"},
    {4, "  within: {disc: [0.5, 0.5, -1]}", ":4:12: ", "above 0"},
    {9, "  measured: [w]", ":9:14: ", "w is not known"},
    {9, "  exact: {u: x +* y}", ":9:17: ", ""},
    {9, "  unknown: {q: 1}", ":9:13: ", "q is not known"},
    {9, "  grid: 3", ":9:9: ", "8 to 512"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_autoptr(GString)    text = g_string_new(NULL);
    g_autoptr(GError)     error = NULL;
    g_autoptr(LacRunPlan) plan = NULL;

    for (guint line = 1; line <= G_N_ELEMENTS(lines); line++)
      g_string_append_printf(text, "%s\n", line == bad[i].line ? bad[i].text : lines[line - 1]);
    plan = read_text(text->str, &error);
    g_test_message("%s: %s", bad[i].text, error ? error->message : "no error");
    g_assert_null(plan);
    g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, bad[i].place));
    g_assert_nonnull(strstr(error->message, bad[i].part));
  }
}

/* Without an exact solution, measurements are required, and scoring by the true field is refused. */
static void
test_open(void)
{
  static const char     text[] = "equation:\n"
                                 "  name: nobody-knows\n"
                                 "  domain: {x: [0, 1]}\n"
                                 "  fields: [u]\n"
                                 "  residuals: [u_xx - u]\n"
                                 "settings: {width: 6, depth: 2}\n";
  g_autoptr(GError)     none = NULL, truth = NULL, error = NULL;
  g_autoptr(LacRunPlan) plan = read_text(text, &error);
  const LacExperiment  *experiment;

  g_assert_no_error(error);
  experiment = plan->experiment;
  g_assert_true(lac_experiment_find("nobody-knows", NULL) == experiment);
  g_assert_false(experiment->check(experiment, lac_draft_get_values(plan->draft), &none));
  g_assert_nonnull(strstr(none->message, "set measurements"));
  g_assert_true(lac_draft_set(plan->draft, "measurements", "own.csv", NULL));
  g_assert_true(experiment->check(experiment, lac_draft_get_values(plan->draft), &error));
  g_assert_true(lac_draft_set(plan->draft, "judge_by", "truth", NULL));
  g_assert_false(experiment->check(experiment, lac_draft_get_values(plan->draft), &truth));
  g_assert_nonnull(strstr(truth->message, "no exact solution"));
}

/* A kept equation makes the same one again, and replaces a later one of its name. */
static void
test_kept(void)
{
  static const char     other[] = "equation: {name: heat-kept, domain: {x: [0, 1]}, fields: [u], "
                                  "residuals: [u_xx], exact: {u: x}}\n";
  static const char     text[] = "equation:\n"
                                 "  name: heat-kept # a comment\n"
                                 "  title: 'A rod, \"kept\"'\n"
                                 "  domain: {t: [0, 1], x: [-1, 1]}\n"
                                 "  fields: [u]\n"
                                 "  coefficients: {a: 0.1}\n"
                                 "  residuals:\n"
                                 "    heat: u_t = a*u_xx\n"
                                 "  conditions:\n"
                                 "    - {at: {t: 0}, u: -sin(pi*x)}\n"
                                 "  exact: {u: -sin(pi*x)*exp(-a*pi^2*t)}\n";
  g_autoptr(GError)     error = NULL;
  g_autofree char      *out = test_folder_new();
  g_autofree char      *path = g_build_filename(out, "equation.yaml", NULL);
  g_autoptr(LacRunPlan) plan = read_text(text, &error), again = read_text(text, NULL);
  const LacExperiment  *first = plan->experiment;

  g_assert_no_error(error);
  g_assert_true(again->experiment == first);
  g_assert_true(lac_equation_learn(out, &error)); /* a run without an equation */
  g_assert_true(g_file_set_contents(path, first->equation, -1, NULL));
  g_autoptr(LacRunPlan) third = read_text(other, &error);
  g_assert_no_error(error);
  g_assert_true(lac_experiment_find("heat-kept", NULL) == third->experiment);
  g_assert_true(lac_equation_learn(out, &error));
  const LacExperiment *learned = lac_experiment_find("heat-kept", NULL);
  g_assert_cmpstr(learned->equation, ==, first->equation);
  g_assert_cmpstr(learned->title, ==, "A rod, \"kept\"");
  g_assert_true(g_file_set_contents(path, "equation: {name: heat-kept", -1, NULL));
  g_assert_false(lac_equation_learn(out, &error));
  g_assert_nonnull(strstr(error->message, "equation.yaml"));
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/equation/burgers-has-the-residual-of-the-built-in-one", test_burgers);
  for (gsize i = 0; i < G_N_ELEMENTS(examples); i++) {
    g_autofree char *path =
      g_strdup_printf("/run/equation/example-%s-agrees-with-its-solution", examples[i]);

    g_test_add_data_func(path, examples[i], test_example);
  }
  g_test_add_func("/run/equation/holes-are-cut-out-of-the-grid", test_holes);
  g_test_add_func("/run/equation/mistakes-have-line-and-column", test_refusals);
  g_test_add_func("/run/equation/an-open-one-needs-measurements", test_open);
  g_test_add_func("/run/equation/one-that-was-kept-is-the-same", test_kept);
  return g_test_run();
}
