/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every experiment of the registry: a small run with finite results, bitwise identical for any number of threads,
 * either backend and every checkpoint, without allocation within a step. Every registered experiment is tested; it
 * needs a row in helpers/experiment-settings.c. */
#include "base/error.h"
#include "base/memory-part.h"
#include "contract/helpers/small-run.h"
#include "helpers/counting-malloc.h"
#include "helpers/sanitized.h"

#include <math.h>
#include <string.h>

/* Returns the first plane with markers. */
static const LacPlane *
find_marked(const SmallRun *subject)
{
  for (gsize i = 0; i < subject->outline.n_channels; i++)
    if (!subject->outline.channels[i].without_markers)
      return &subject->frame->planes[i];
  g_assert_not_reached();
}

/* @is_first: before the first step, uncomputed planes may be constant. A marker without a position does not exist
 * yet. */
static void
assert_frame_holds(SmallRun *subject, gboolean is_first)
{
  const LacFrame *frame = small_run_snap(subject);

  for (gsize i = 0; i < frame->n_planes; i++) {
    const LacPlane *plane = &frame->planes[i];

    g_assert_cmpfloat(plane->x_min, <, plane->x_max);
    /* a curve has gaps where nothing was counted */
    if (subject->outline.channels[i].chart.n > 0) {
      g_assert_cmpuint(plane->n_not_finite, <, plane->nx * plane->ny);
      continue;
    }
    /* every plane masks the region outside the domain */
    g_assert_cmpuint(plane->n_not_finite, ==, frame->planes[0].n_not_finite);
    g_assert_cmpuint(plane->n_not_finite, <, plane->nx * plane->ny / 2);
    g_assert_cmpfloat(plane->y_min, <, plane->y_max);
    g_assert_true(plane->min < plane->max || (is_first && plane->min == plane->max));
  }
  for (gsize i = 0; i < frame->n_markers; i++) {
    const LacMarker *marker = &frame->markers[i];
    const LacPlane  *plane = find_marked(subject);

    g_assert_nonnull(marker->kind);
    g_assert_true(isfinite(marker->x) == isfinite(marker->y));
    if (!isfinite(marker->x))
      continue;
    g_assert_cmpfloat(marker->x, >=, plane->x_min);
    g_assert_cmpfloat(marker->x, <=, plane->x_max);
    g_assert_cmpfloat(marker->y, >=, plane->y_min);
    g_assert_cmpfloat(marker->y, <=, plane->y_max);
  }
}

/* A metric is finite or absent; at the end every result is finite. */
static void
test_numbers(gconstpointer data)
{
  const LacExperiment *experiment = data;
  static const char   *precisions[] = {"auto", "f64", "f32"};

  for (gsize c = 0; c < G_N_ELEMENTS(precisions); c++) {
    const SmallRunWay way = {"cpu", precisions[c], 1, 5, NULL, NULL};
    SmallRun          subject;

    small_run_init(&subject, experiment, &way);
    assert_frame_holds(&subject, TRUE);
    small_run_to(&subject, subject.n_steps);
    assert_frame_holds(&subject, FALSE);
    for (gint64 k = 0; k < subject.n_steps; k++)
      for (gsize i = 0; i < subject.outline.n_metrics; i++)
        g_assert_false(isinf(subject.metrics[k][i]));
    for (gsize i = 0; i < subject.outline.n_metrics; i++)
      if (!isfinite(subject.metrics[subject.n_steps - 1][i]))
        g_error("%s is not a number in the end", subject.outline.metrics[i].key);
    small_run_clear(&subject);
  }
}

/* Compares an uninterrupted run with runs interrupted, saved and resumed in a fresh state. */
static void
test_resume(gconstpointer data)
{
  static const gint64 cuts[] = {0, 1, 4, 7, 9, 10, 11, 14, 24};
  SmallRun            whole;

  small_run_init(&whole, data, &small_run_plain);
  small_run_to(&whole, whole.n_steps);
  for (gsize i = 0; i < G_N_ELEMENTS(cuts) && cuts[i] < whole.n_steps; i++) {
    g_autoptr(LacStore) store = lac_store_new();
    g_autoptr(GError)   error = NULL;
    SmallRun            cut, resumed;

    small_run_init(&cut, data, &small_run_plain);
    small_run_init(&resumed, data, &small_run_plain);
    small_run_to(&cut, cuts[i]);
    cut.experiment->save(cut.state, store);
    g_assert_true(resumed.experiment->load(resumed.state, store, &error));
    g_assert_no_error(error);
    resumed.n_done = cuts[i];
    assert_same_frame(&cut, &resumed);
    small_run_to(&resumed, resumed.n_steps);
    assert_same_metrics(&whole, &resumed, cuts[i]);
    assert_same_frame(&whole, &resumed);
    small_run_clear(&cut);
    small_run_clear(&resumed);
  }
  small_run_clear(&whole);
}

/* Index of the channel with that key, or -1. */
static gssize
find_channel(const SmallRun *subject, const char *key)
{
  for (gsize i = 0; i < subject->outline.n_channels; i++)
    if (g_str_equal(subject->outline.channels[i].key, key))
      return (gssize) i;
  return -1;
}

/* Reuses a run's measurements as user measurements without a true field: the same reconstruction, with statistics
 * instead of errors. */
static void
test_withheld_truth(gconstpointer data)
{
  SmallRun whole, blind;

  small_run_init(&whole, data, &small_run_plain);
  g_autoptr(LacMeasurements) readings =
    whole.experiment->readings ? whole.experiment->readings(whole.state) : NULL;
  if (readings == NULL) {
    g_test_skip("nothing is measured here");
    small_run_clear(&whole);
    return;
  }
  small_run_init_with(&blind, data, &small_run_plain, readings);
  small_run_to(&whole, whole.n_steps);
  g_assert_cmpint(blind.n_steps, ==, whole.n_steps);
  small_run_to(&blind, blind.n_steps);
  small_run_snap(&whole);
  small_run_snap(&blind);
  for (gsize i = 0; i < blind.outline.n_channels; i++) {
    const gssize    there = find_channel(&whole, blind.outline.channels[i].key);
    const LacPlane *p = &blind.frame->planes[i], *q = &whole.frame->planes[there];

    g_assert_cmpint(there, >=, 0);
    g_assert_cmpint(blind.outline.channels[i].role, !=, LAC_ROLE_TRUTH);
    g_assert_cmpmem(p->data, p->nx * p->ny * sizeof(float), q->data, q->nx * q->ny * sizeof(float));
  }
  for (gsize i = 0; i < blind.outline.n_metrics; i++) {
    g_assert_null(strstr(blind.outline.metrics[i].key, "relative_l2"));
    if (!isfinite(blind.metrics[blind.n_steps - 1][i]))
      g_error("%s is not a number in the end", blind.outline.metrics[i].key);
  }
  small_run_clear(&blind);
  small_run_clear(&whole);
}

/* Saving and showing frames do not change a run. */
static void
test_watching(gconstpointer data)
{
  g_autoptr(LacStore) store = lac_store_new();
  SmallRun            watched, alone;

  small_run_init(&watched, data, &small_run_plain);
  small_run_init(&alone, data, &small_run_plain);
  while (watched.n_done < watched.n_steps) {
    small_run_step(&watched);
    small_run_snap(&watched);
    watched.experiment->save(watched.state, store);
  }
  small_run_to(&alone, alone.n_steps);
  assert_same_metrics(&watched, &alone, 0);
  assert_same_frame(&watched, &alone);
  small_run_clear(&watched);
  small_run_clear(&alone);
}

static void
test_empty_checkpoint(gconstpointer data)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  SmallRun            subject;

  small_run_init(&subject, data, &small_run_plain);
  g_assert_false(subject.experiment->load(subject.state, store, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  small_run_clear(&subject);
}

static void
assert_way_is_plain(const LacExperiment *experiment, const SmallRunWay *way)
{
  SmallRun a, b;

  small_run_init(&a, experiment, &small_run_plain);
  small_run_init(&b, experiment, way);
  small_run_to(&a, a.n_steps);
  small_run_to(&b, b.n_steps);
  assert_same_metrics(&a, &b, 0);
  assert_same_frame(&a, &b);
  small_run_clear(&a);
  small_run_clear(&b);
}

static void
test_ways(gconstpointer data)
{
  static const SmallRunWay ways[] = {
    {"cpu", "auto", 1, 5, NULL, NULL},    {"cpu", "auto", 2, 5, NULL, NULL},
    {"cpu", "auto", 3, 5, NULL, NULL},    {"strict", "auto", 1, 5, NULL, NULL},
    {"strict", "auto", 2, 5, NULL, NULL},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(ways); i++)
    assert_way_is_plain(data, &ways[i]);
}

static void
test_seeds(gconstpointer data)
{
  const SmallRunWay other = {"cpu", "auto", 1, 6, NULL, NULL};
  SmallRun          a, b;

  small_run_init(&a, data, &small_run_plain);
  small_run_init(&b, data, &other);
  small_run_to(&a, a.n_steps);
  small_run_to(&b, b.n_steps);
  g_assert_cmpfloat(a.metrics[a.n_steps - 1][0], !=, b.metrics[b.n_steps - 1][0]);
  small_run_clear(&a);
  small_run_clear(&b);
}

static void
test_allocation(gconstpointer data)
{
  const SmallRunWay way = {"cpu", "auto", 2, 5, NULL, NULL};
  SmallRun          subject;

  if (!COUNTS_MALLOC) {
    g_test_skip("this build brings its own malloc");
    return;
  }
  small_run_init(&subject, data, &way);
  g_assert_cmpuint(count_allocations(), >, 0);
  small_run_to(&subject, 1);
  while (subject.n_done < subject.n_steps) {
    const guint before = count_allocations();

    small_run_step(&subject);
    if (count_allocations() != before)
      g_error("step %" G_GINT64_FORMAT " allocated %u times", subject.n_done,
              count_allocations() - before);
  }
  small_run_clear(&subject);
}

/* Retuning a run to its initial parameters changes nothing. */
static void
test_retune(gconstpointer data)
{
  const LacExperiment *experiment = data;
  SmallRun             a, b;

  if (!experiment->retune) {
    for (gsize i = 0; i < experiment->params.n_rows; i++)
      g_assert_false(experiment->params.rows[i].flags & LAC_PARAM_LIVE);
    return;
  }
  small_run_init(&a, data, &small_run_plain);
  small_run_init(&b, data, &small_run_plain);
  small_run_to(&a, a.n_steps);
  small_run_to(&b, b.n_steps / 2);
  experiment->retune(b.state, lac_draft_get_values(b.draft));
  small_run_to(&b, b.n_steps);
  assert_same_metrics(&a, &b, 0);
  small_run_clear(&a);
  small_run_clear(&b);
}

static gboolean
always(gpointer data)
{
  (*(guint *) data)++;
  return TRUE;
}

/* A cancelled set-up returns an error or a state, and leaks nothing. */
static void
test_cancel(gconstpointer data)
{
  const LacExperiment *experiment = data;
  g_autoptr(GError)    error = NULL;
  guint                n_polls = 0;
  LacContext           context;
  SmallRun             subject;
  gpointer             state;

  small_run_init(&subject, data, &small_run_plain);
  context = subject.context;
  context.cancelled = always;
  context.user_data = &n_polls;
  state = experiment->create(experiment, lac_draft_get_values(subject.draft), &context, &error);
  g_assert_true((state != NULL) == (error == NULL));
  if (state)
    experiment->destroy(state);
  else
    g_assert_cmpuint(n_polls, >=, 1);
  small_run_clear(&subject);
}

/* The number of steps and the size of a frame are known exactly before the run. */
static void
test_estimate(gconstpointer data)
{
  LacEstimate estimate = {0};
  double      n_bytes = 0;
  SmallRun    subject;

  small_run_init(&subject, data, &small_run_plain);
  subject.experiment->estimate(subject.experiment, lac_draft_get_values(subject.draft), &estimate);
  for (gsize i = 0; i < subject.frame->n_planes; i++)
    n_bytes += (double) (subject.frame->planes[i].nx * subject.frame->planes[i].ny * sizeof(float));
  g_assert_cmpint(estimate.n_steps, ==, subject.n_steps);
  g_assert_cmpfloat(estimate.frame_bytes, ==, n_bytes);
  small_run_clear(&subject);
}

static gsize
sum_claims(void)
{
  gsize sum = 0;

  for (LacMemoryPart part = 0; part < LAC_N_MEMORY_PARTS; part++)
    sum += lac_memory_part_get_bytes(part);
  return sum;
}

/* A run says what its buffers hold, and nothing is left claimed after it. */
static void
test_claims(gconstpointer data)
{
  SmallRun subject;

  g_assert_cmpuint(sum_claims(), ==, 0);
  small_run_init(&subject, data, &small_run_plain);
  small_run_to(&subject, 1);
  g_assert_cmpuint(sum_claims(), >, 0);
  small_run_clear(&subject);
  g_assert_cmpuint(sum_claims(), ==, 0);
}

static void
assert_unique_keys(const LacExperiment *experiment, const LacDraft *draft)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
  LacOutline            outline = lac_experiment_outline(experiment, lac_draft_get_values(draft));

  for (gsize i = 0; i < outline.n_channels; i++)
    if (!g_hash_table_add(seen, (gpointer) outline.channels[i].key))
      g_error("two channels are called %s", outline.channels[i].key);
  g_hash_table_remove_all(seen);
  for (gsize i = 0; i < outline.n_metrics; i++)
    if (!g_hash_table_add(seen, (gpointer) outline.metrics[i].key))
      g_error("two metrics are called %s", outline.metrics[i].key);
  lac_outline_clear(&outline);
}

/* (nullable): the row that lists the methods run side by side */
static const LacParam *
find_ways(const LacExperiment *experiment)
{
  const LacParam *methods = lac_param_find(&experiment->params, "engines");

  return methods ? methods : lac_param_find(&experiment->params, "solver");
}

/* Keys of all methods together, evaluated against the true field or by the sensors only. */
static void
test_keys(gconstpointer data)
{
  const LacExperiment *experiment = data;
  const LacParam      *methods = find_ways(experiment);
  const LacParam      *scores = lac_param_find(&experiment->params, "judge_by");
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autoptr(GError)    error = NULL;

  if (methods) {
    g_autofree char *all = g_strjoinv(",", (char **) methods->choices);

    lac_draft_set(draft, methods->key, all, &error);
    g_assert_no_error(error);
  }
  assert_unique_keys(experiment, draft);
  if (!scores)
    return;
  lac_draft_set(draft, "judge_by", scores->choices[2], &error);
  g_assert_no_error(error);
  assert_unique_keys(experiment, draft);
}

/* Every choice has a name of its own for the window, apart from symbols of fields; its key reads back as that name. */
static void
test_choices_have_names(gconstpointer data)
{
  const LacExperiment *experiment = data;

  for (gsize i = 0; i < experiment->params.n_rows; i++) {
    const LacParam *row = &experiment->params.rows[i];

    if (!row->choices || g_str_equal(row->key, "measured"))
      continue;
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

    if (!row->titles)
      g_error("the choices of %s have no names", row->key);
    for (guint k = 0; row->choices[k]; k++) {
      const char      *title = lac_param_get_title(row, k);
      g_autofree char *shown =
        lac_experiment_dup_shown(experiment->name, row->key, row->choices[k]);

      g_assert_true(title && *title);
      g_assert_cmpstr(shown, ==, title);
      if (!g_hash_table_add(names, (gpointer) title))
        g_error("two choices of %s are named %s", row->key, title);
    }
  }
}

/* Returns TRUE when the run is the same in single precision. @settings: (nullable) */
static gboolean
is_same_in_single(const LacExperiment *experiment, const char *settings)
{
  const SmallRunWay ways[] = {{"cpu", "f64", 1, 5, NULL, settings},
                              {"cpu", "f32", 1, 5, NULL, settings}};
  SmallRun          runs[2];
  gboolean          is_same = TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS(runs); i++) {
    small_run_init(&runs[i], experiment, &ways[i]);
    small_run_to(&runs[i], runs[i].n_steps);
  }
  for (gint64 k = 0; k < runs[0].n_steps; k++)
    is_same = is_same && memcmp(runs[0].metrics[k], runs[1].metrics[k],
                                runs[0].outline.n_metrics * sizeof(double)) == 0;
  for (gsize i = 0; i < G_N_ELEMENTS(runs); i++)
    small_run_clear(&runs[i]);
  return is_same;
}

/* Single precision is stated where it is used, and only there; every method alone. */
static void
test_precision(gconstpointer data)
{
  const LacExperiment *experiment = data;
  const LacParam      *methods = find_ways(experiment);

  for (gsize i = 0; i == 0 || (methods && methods->choices[i]); i++) {
    g_autoptr(LacDraft) draft = small_run_new_draft(experiment);
    g_autofree char    *settings =
      methods ? g_strdup_printf("%s=%s", methods->key, methods->choices[i]) : NULL;

    if (methods && !lac_draft_set(draft, methods->key, methods->choices[i], NULL))
      continue;
    gconstpointer params = lac_draft_get_values(draft);
    if (experiment->check && !experiment->check(experiment, params, NULL))
      continue; /* the experiment does not have that method */
    LacEstimate estimate = {0};
    experiment->estimate(experiment, params, &estimate);
    if (estimate.n_steps > SMALL_RUN_MAX_STEPS)
      continue; /* the small settings are those of other methods */
    const gboolean is_double =
      g_str_equal(lac_experiment_find_precision(experiment, params, "f32"), "f64");
    if (is_double != is_same_in_single(experiment, settings))
      g_error("%s %s is%s the same in f32", experiment->name, settings ? settings : "",
              is_double ? " not" : "");
  }
}

typedef struct {
  const char *what;
  void (*test)(gconstpointer experiment);
  gboolean runs_again; /* another method's lines */
} Check;

static const Check checks[] = {
  {"estimate-knows-steps-and-frames", test_estimate},
  {"claims-the-memory-of-its-buffers", test_claims},
  {"no-two-numbers-or-fields-have-one-name", test_keys},
  {"choices-have-names", test_choices_have_names},
  {"a-resumed-run-is-the-same-run", test_resume},
  {"readings-taken-back-without-the-truth-give-the-same-bits", test_withheld_truth},
  {"an-empty-checkpoint-is-refused", test_empty_checkpoint},
  {"a-cancelled-set-up-leaves-nothing-behind", test_cancel},
  {"a-small-run-ends-in-numbers", test_numbers, TRUE},
  {"threads-and-strict-backend-give-the-same-bits", test_ways, TRUE},
  {"the-precision-stated-is-that-of-the-run", test_precision, TRUE},
  {"another-seed-is-another-run", test_seeds, TRUE},
  {"saving-and-showing-change-nothing", test_watching, TRUE},
  {"steps-do-not-allocate", test_allocation, TRUE},
  {"live-parameters-that-stay-change-nothing", test_retune, TRUE},
};

int
main(int argc, char **argv)
{
  const LacExperiment *const *experiments;
  gsize                       n;

  g_test_init(&argc, &argv, NULL);
  experiments = lac_experiments(&n);
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < G_N_ELEMENTS(checks); k++) {
      g_autofree char *path =
        g_strdup_printf("/contract/experiments/%s/%s", experiments[i]->name, checks[k].what);

      if (test_runs(checks[k].runs_again))
        g_test_add_data_func(path, experiments[i], checks[k].test);
    }
  return g_test_run();
}
