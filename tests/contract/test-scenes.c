/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every scene of the flow laboratory: its row is valid, and a closed-form true field solves its equation and
 * satisfies its conditions, and equals the scene's truth and the solver's initial condition. */
#include "base/param.h"
#include "experiment/flow/scene.h"
#include "pde/helpers/equation-bench.h"

#include <math.h>
#include <string.h>

typedef struct {
  const LacScene *scene;
  LacDraft       *draft;
  LacPool        *pool;
  LacCase         subject;
} Subject;

/* @settings: key=value, separated by spaces */
static void
subject_init(Subject *subject, const LacScene *scene, const char *settings)
{
  g_auto(GStrv) pairs = g_strsplit(settings, " ", -1);

  memset(subject, 0, sizeof *subject);
  subject->scene = scene;
  subject->draft = lac_draft_new(&scene->params);
  for (gsize i = 0; pairs[i] && *pairs[i]; i++) {
    g_auto(GStrv)     pair = g_strsplit(pairs[i], "=", 2);
    g_autoptr(GError) error = NULL;

    lac_draft_set(subject->draft, pair[0], pair[1], &error);
    g_assert_no_error(error);
  }
  subject->pool = lac_pool_new(1);
  lac_case_configure(&subject->subject, scene, lac_draft_get_values(subject->draft));
}

static void
subject_clear(Subject *subject)
{
  lac_case_clear(&subject->subject);
  lac_pool_free(subject->pool);
  lac_draft_free(subject->draft);
}

static void
test_row(gconstpointer data)
{
  const LacScene *scene = data;
  Subject         subject;

  g_assert_true(*scene->name && *scene->title && *scene->summary && *scene->source);
  g_assert_true(*scene->fields && *scene->measured && *scene->methods && *scene->offered);
  subject_init(&subject, scene, "");
  g_assert_nonnull(subject.subject.pde);
  g_assert_cmpuint(subject.subject.n_points, >, 0);
  g_assert_cmpuint(subject.subject.n_times, >, 0);
  g_assert_cmpuint(subject.subject.view_fields, !=, 0);
  for (guint i = 0; i < subject.subject.pde->n_axes; i++)
    if (i > 0 || !subject.subject.steady)
      g_assert_cmpfloat(subject.subject.upper[i], >, subject.subject.lower[i]);
  subject_clear(&subject);
}

/* The jet's seeds, then the closed form. */
static void
build_fields(gconstpointer data, LacNode leaf, LacNode *fields)
{
  const Subject *subject = data;

  subject->scene->exact(&subject->subject, leaf, fields);
}

/* Residuals minus the sources of the scene or its equation. */
static void
build_residuals(gconstpointer data, LacNode leaf, LacNode *residuals)
{
  const Subject *subject = data;
  const LacCase *scene_case = &subject->subject;
  const LacPde  *pde = scene_case->pde;
  LacPdeTerms    terms = {.x = leaf};
  LacNode        sources[LAC_PDE_MAX_RESIDUALS] = {LAC_NO_NODE};

  subject->scene->exact(scene_case, bench_seed(pde, leaf), terms.fields);
  for (guint i = 0; i < pde->n_coefficients; i++)
    terms.coefficients[i] = lac_number(scene_case->coefficients[i]);
  pde->residuals(pde, &terms, residuals);
  if (scene_case->sources)
    scene_case->sources(scene_case, leaf, sources);
  for (guint r = 0; r < pde->n_residuals; r++)
    if (sources[r].graph)
      residuals[r] = lac_subtract(residuals[r], sources[r]);
}

static BenchPoints
draw_points(const LacCase *subject)
{
  BenchPoints points = {.n_axes = subject->pde->n_axes};
  LacRng      rng = lac_rng(31, 1);

  for (gsize i = 0; i < BENCH_N_POINTS; i++)
    for (guint axis = 0; axis < points.n_axes; axis++)
      points.points[i * points.n_axes + axis] =
        subject->lower[axis] +
        (subject->upper[axis] - subject->lower[axis]) * lac_rng_uniform(&rng);
  return points;
}

static void
test_residual(gconstpointer data)
{
  double  values[LAC_PDE_MAX_RESIDUALS * BENCH_N_POINTS];
  Subject subject;

  subject_init(&subject, data, "");
  {
    const BenchPoints points = draw_points(&subject.subject);
    const guint       n_residuals = subject.subject.pde->n_residuals;

    bench_evaluate(&points, build_residuals, &subject, n_residuals, values);
    for (gsize i = 0; i < n_residuals * BENCH_N_POINTS; i++)
      g_assert_cmpfloat(fabs(values[i]), <, 1e-10);
  }
  subject_clear(&subject);
}

/* Sampled points of every condition lie in the domain and have the values of the closed form. */
static void
test_conditions(gconstpointer data)
{
  double  exact[LAC_PDE_MAX_FIELDS * BENCH_N_POINTS];
  Subject subject;

  subject_init(&subject, data, "");
  for (gsize c = 0; c < subject.subject.n_conditions; c++) {
    const LacCondition *condition = &subject.subject.conditions[c];
    const LacPde       *pde = subject.subject.pde;
    double              said[BENCH_N_POINTS][LAC_PDE_MAX_FIELDS] = {{0}};
    BenchPoints         points = {.n_axes = pde->n_axes};
    LacRng              rng = lac_rng(32, c);

    for (gsize i = 0; i < BENCH_N_POINTS; i++) {
      double *x = points.points + i * pde->n_axes;

      condition->sample(&subject.subject, &rng, x, said[i]);
      for (guint axis = 0; axis < pde->n_axes; axis++)
        g_assert_true(x[axis] >= subject.subject.lower[axis] - 1e-12 &&
                      x[axis] <= subject.subject.upper[axis] + 1e-12);
    }
    bench_evaluate(&points, build_fields, &subject, pde->n_fields, exact);
    for (guint f = 0; f < pde->n_fields; f++)
      for (gsize i = 0; i < BENCH_N_POINTS; i++)
        if (condition->fields & 1u << f)
          g_assert_cmpfloat(fabs(exact[f * BENCH_N_POINTS + i] - said[i][f]), <, 1e-12);
  }
  subject_clear(&subject);
}

/* Computes the coordinates of cell @i at time @k. */
static void
place_cell(const LacCase *subject, const LacTruth *truth, gsize k, gsize i, double *x)
{
  const guint first = lac_case_first_axis(subject);

  x[0] = truth->times[k];
  x[first] = lac_truth_get_x(truth, i % truth->nx);
  if (truth->ny > 1)
    x[first + 1] = lac_truth_get_y(truth, i / truth->nx);
}

/* Checks the truth on its grid, at its first and last times, and the solver's initial condition; the training part
 * must differ. */
static void
test_truth(gconstpointer data)
{
  double            exact[LAC_PDE_MAX_FIELDS * BENCH_N_POINTS];
  Subject           subject;
  LacContext        context = {.precision = "f64", .seed = 3};
  g_autoptr(GError) error = NULL;

  subject_init(&subject, data, "");
  context.pool = subject.pool;
  {
    const LacCase      *scene_case = &subject.subject;
    g_autoptr(LacTruth) truth =
      subject.scene->truth(scene_case->params, scene_case, &context, &error);
    const gsize        cells = truth->nx * truth->ny;
    g_autofree double *state = g_new0(double, lac_truth_get_length(truth));

    g_assert_no_error(error);
    g_assert_cmpuint(cells, ==, scene_case->n_points);
    if (scene_case->initial)
      scene_case->initial(scene_case, state);
    for (gsize pass = 0; pass < 2; pass++) {
      const gsize k = pass * (truth->n_times - 1);
      BenchPoints points = {.n_axes = scene_case->pde->n_axes};
      gsize       at[BENCH_N_POINTS];
      LacRng      rng = lac_rng(33, pass);

      for (gsize i = 0; i < BENCH_N_POINTS; i++) {
        at[i] = lac_rng_below(&rng, cells);
        place_cell(scene_case, truth, k, at[i], points.points + i * points.n_axes);
      }
      bench_evaluate(&points, build_fields, &subject, scene_case->pde->n_fields, exact);
      for (guint f = 0; f < truth->n_fields; f++)
        for (gsize i = 0; i < BENCH_N_POINTS; i++) {
          const double value = exact[f * BENCH_N_POINTS + i];

          g_assert_cmpfloat(fabs(lac_truth_at(truth, k)[f * cells + at[i]] - value), <, 1e-12);
          if (pass == 0 && scene_case->initial && f < scene_case->solver->n_fields)
            g_assert_cmpfloat(fabs(state[f * cells + at[i]] - value), <, 1e-12);
        }
    }
    for (gsize t = 0; t < truth->n_training && truth->n_times == 1; t++)
      g_assert_cmpint(memcmp(truth->training + t * lac_truth_get_length(truth), truth->observed,
                             lac_truth_get_length(truth) * sizeof(double)),
                      !=, 0);
  }
  subject_clear(&subject);
}

int
main(int argc, char **argv)
{
  gsize                  n;
  const LacScene *const *scenes = lac_scenes(&n);

  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < n; i++) {
    const LacScene *scene = scenes[i];
    const struct {
      const char   *claim;
      GTestDataFunc run;
      gboolean      wanted;
    } tests[] = {
      {"has-a-complete-row", test_row, TRUE},
      {"closed-form-leaves-no-residual", test_residual, scene->exact != NULL},
      {"conditions-agree-with-it", test_conditions, scene->exact != NULL},
      {"truth-and-beginning-agree-with-it", test_truth, scene->exact != NULL},
    };

    for (gsize t = 0; t < G_N_ELEMENTS(tests); t++) {
      g_autofree char *path = g_strdup_printf("/scene/%s/%s", scene->name, tests[t].claim);

      if (tests[t].wanted)
        g_test_add_data_func(path, scene, tests[t].run);
    }
  }
  return g_test_run();
}
