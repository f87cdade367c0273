/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every experiment of the registry: a complete descriptor, a small run that ends in numbers, the same bits from any number
 * of threads, either backend and every checkpoint, and no allocation within a step. An experiment is tested because it is
 * registered; it needs a row of small settings here. */
#include "../graph/counting-malloc.h"

#include "base/error.h"
#include "experiment/experiment.h"

#include <math.h>
#include <string.h>

#define MAX_STEPS   64
#define MAX_METRICS 64

typedef struct {
  const char *experiment;
  const char *settings; /* key=value, separated by spaces */
} Small;

static const Small smalls[] = {
  {"conductivity",
   "grid=16 family=4 interval=0.02 observations=6 sensors=4 iterations=7 members=6"},
  {"kolmogorov",
   "grid=16 reynolds=20 forcing=2 snapshots=30 observations=12 members=8 sensors=4 spin_up=1 "
   "surrogate_steps=8 surrogate_width=6 engines=enkf,pod,pinn,solver,surrogate "
   "viscosity_unknown=yes points=64 pool=3 width=6 depth=2 "
   "adam_steps=8 quasi_steps=6 refresh=5 watch=5 ensemble=2 held_out=25 term_weights=gradient "
   "balance_every=4 point_weights=rba causal=1 weigh_every=3 sampling=latin seek=both window=5 "
   "iterations=6"},
  {"burgers", "points=200 width=8 depth=2 adam_steps=10 quasi_steps=15 refresh=7 judge=3 "
              "sampling=sobol rule=rar first=soap anneal=yes "
              "fourier=axes harmonics=3 rwf=yes identify=yes sensors=5 every=20 term_weights=ntk "
              "balance_every=6 watch=4"},
  {"cylinder",
   "reynolds=50 diameter=8 breadth=6 upstream=3 to=3 half_height=1 snapshots=20 observations=8 "
   "interval=0.4 spin_up=1 sensors=4"},
  {"burgers2d", "grid=12 times=6 family=2 sensors=4 engines=enkf,pod,solver members=6 iterations=4 "
                "viscosity_unknown=yes"},
  {"taylor-green",
   "grid=12 times=6 family=4 sensors=4 members=6 engines=enkf,pinn,pod points=64 width=6 depth=2 "
   "adam_steps=6 quasi_steps=6 ensemble=2"},
  {"kovasznay",
   "grid=12 family=6 sensors=4 points=64 width=6 depth=2 adam_steps=6 quasi_steps=6 ensemble=2 "
   "engines=pod,pinn"},
  {"poiseuille",
   "grid=9 family=4 sensors=4 points=64 width=6 depth=2 adam_steps=6 quasi_steps=6 ensemble=2 "
   "engines=pod,pinn"},
  {"heat1d", "grid=17 times=6 family=4 sensors=3 points=64 width=6 depth=2 adam_steps=6 "
             "quasi_steps=6 ensemble=2 "
             "engines=pod,pinn,solver,enkf members=6 iterations=4 diffusivity_unknown=yes"},
  {"heat2d", "grid=12 times=6 family=4 sensors=4 engines=enkf,pod,solver members=6 iterations=4"},
  {"advection", "grid=32 times=6 family=4 sensors=4 engines=enkf,pod,surrogate members=6 "
                "surrogate_steps=8 surrogate_width=6 surrogate_optimiser=adam"},
  {"kdv", "grid=32 times=8 family=2 sensors=3 members=6 iterations=4 engines=enkf,pod,solver"},
  {"allen-cahn", "grid=32 times=8 family=2 sensors=3 members=6 engines=enkf,pod"},
  {"kuramoto-sivashinsky",
   "grid=48 spin_up=5 training=20 observations=8 sensors=3 members=6 engines=enkf,pod"},
  {"smoke", "grid=16 viscosity=0.1 diffusivity=0.1 radius=0.8 observations=12 family=3 members=8 "
            "sensors=4 engines=enkf,pod,solver iterations=6"},
  {"cavity", "grid=16 points=64 condition_points=16 pool=3 width=6 depth=2 adam_steps=8 "
             "quasi_steps=6 refresh=5 sensors=2 ensemble=2"},
  {"obstacles", "cells=4 viscosity=10 points=64 condition_points=16 pool=3 width=6 depth=2 "
                "adam_steps=8 quasi_steps=6 refresh=5 sensors=4 ensemble=2"},
  {"channel-slice", "grid=12 times=4 points=64 pool=3 width=6 depth=2 adam_steps=8 quasi_steps=6 "
                    "refresh=5 sensors=4 ensemble=2"},
  {"vorticity", "grid=12 times=4 points=64 pool=3 width=6 depth=2 adam_steps=8 quasi_steps=6 "
                "refresh=5 sensors=4 ensemble=2"},
};

/* What check() refuses, and a part of its sentence. */
typedef struct {
  const char *experiment, *settings, *part;
} Refusal;

static const Refusal refusals[] = {
  {"conductivity", "grid=17", "odd"},
  {"conductivity", "interval=0.003", "multiple of time_step"},
  {"kolmogorov", "grid=17", "odd"},
  {"cavity", "sensors=0 judge_by=sensors", "needs some"},
  {"kolmogorov", "grid=16 forcing=2 sensors=257", "256 points"},
  {"kolmogorov", "grid=16 forcing=6", "not resolved"},
  {"kolmogorov", "time_step=0.02 interval=0.25", "multiple of time_step"},
  {"kolmogorov", "time_step=0.1 interval=0.01", "multiple of time_step"},
  {"kolmogorov", "snapshots=100 observations=41", "40 snapshots"},
  {"kolmogorov", "engines=pinn adam_steps=0 quasi_steps=0", "at least one"},
  {"kolmogorov", "engines=pinn width=128 depth=12", "at most 20000"},
  {"kolmogorov", "engines=pinn point_weights=sa", "set rule = fixed"},
  {"kolmogorov", "engines=pinn held_out=20", "ensemble to 2"},
  {"kolmogorov", "engines=pinn anneal=yes harmonics=0", "raise harmonics"},
  {"burgers", "adam_steps=0 quasi_steps=0", "at least one"},
  {"burgers", "width=128 depth=12", "at most 20000"},
  {"burgers", "identify=yes sensors=0", "found from measurements"},
  {"cylinder", "to=1", "half a diameter"},
  {"cylinder", "upstream=3 from=-3", "behind the inflow"},
  {"cylinder", "half_height=6", "does not fit"},
  {"cylinder", "observations=101", "100 snapshots"},
  {"smoke", "grid=17", "odd"},
  {"kuramoto-sivashinsky", "length=60", "does not resolve"},
  {"advection", "grid=24", "does not resolve"},
  {"taylor-green", "grid=17", "odd"},
  {"poiseuille", "drive=0", "nothing flows"},
  {"poiseuille", "drive=0 wall_speed=1 family=0 viscosity_unknown=yes", "needs a drive"},
  {"poiseuille", "drive=0 wall_speed=1", "needs a drive"},
  {"smoke", "time_step=0.02 interval=0.05", "multiple of time_step"},
};

static const char *const accepted[][2] = {
  {"kolmogorov", "snapshots=100 observations=40"},
  {"kolmogorov", "grid=16 forcing=5 sensors=256"},
  {"kolmogorov", "engines=pinn width=128 depth=12 quasi=lbfgs"},
  {"kolmogorov", "engines=pinn point_weights=sa rule=fixed"},
  {"burgers", "width=128 depth=12 quasi=lbfgs"},
  {"burgers", "width=128 depth=12 quasi_steps=0"},
  {"cylinder", "from=-1 half_height=5.5"},
};

static void
apply(LacDraft *draft, const char *settings)
{
  g_auto(GStrv) pairs = g_strsplit(settings, " ", -1);

  for (gsize i = 0; pairs[i]; i++) {
    g_auto(GStrv)     pair = g_strsplit(pairs[i], "=", 2);
    g_autoptr(GError) error = NULL;

    lac_draft_set(draft, pair[0], pair[1], &error);
    g_assert_no_error(error);
  }
}

static LacDraft *
make_draft(const LacExperiment *experiment)
{
  LacDraft *draft = lac_draft_new(&experiment->params);

  for (gsize i = 0; i < G_N_ELEMENTS(smalls); i++)
    if (g_str_equal(smalls[i].experiment, experiment->name)) {
      apply(draft, smalls[i].settings);
      return draft;
    }
  g_error("%s has no small settings in this test", experiment->name);
}

/* ---- running ---- */

typedef struct {
  const char *backend, *precision;
  guint       n_threads;
  guint64     seed;
} Way;

static const Way plain = {"cpu", "auto", 1, 5};

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacContext           context;
  gpointer             state;
  LacOutline           outline;
  LacFrame            *frame;
  gint64               n_steps, n_done;
  double               metrics[MAX_STEPS][MAX_METRICS];
} Subject;

/* @own: (nullable): measurements that take the place of simulated ones; the truth is withheld then. */
static void
subject_init_with(Subject             *subject,
                  const LacExperiment *experiment,
                  const Way           *way,
                  LacMeasurements     *own)
{
  g_autoptr(GError) error = NULL;
  gsize(*sizes)[2];
  gsize n_markers = 0;

  memset(subject, 0, sizeof *subject);
  subject->experiment = experiment;
  subject->draft = make_draft(experiment);
  subject->context.measurements = g_hash_table_new(g_str_hash, g_str_equal);
  if (own) {
    apply(subject->draft, "measurements=own.csv");
    g_hash_table_insert(subject->context.measurements, (gpointer) "measurements", own);
  }
  subject->outline = lac_experiment_outline(experiment, lac_draft_get_values(subject->draft));
  sizes = g_malloc0_n(subject->outline.n_channels, sizeof *sizes);
  lac_device_open(&subject->context.device, way->backend, &error);
  g_assert_no_error(error);
  subject->context.pool = lac_pool_new(way->n_threads);
  subject->context.seed = way->seed;
  subject->context.precision = way->precision;
  subject->context.inputs = g_hash_table_new(g_str_hash, g_str_equal);
  subject->state =
    experiment->create(experiment, lac_draft_get_values(subject->draft), &subject->context, &error);
  g_assert_no_error(error);
  g_assert_nonnull(subject->state);
  subject->n_steps = experiment->n_steps(subject->state);
  g_assert_cmpint(subject->n_steps, <=, MAX_STEPS);
  g_assert_cmpuint(subject->outline.n_metrics, <=, MAX_METRICS);
  experiment->shapes(subject->state, sizes, &n_markers);
  subject->frame = lac_frame_new(subject->outline.n_channels, (const gsize(*)[2]) sizes, n_markers,
                                 subject->outline.n_metrics);
  g_free(sizes);
}

static void
subject_init(Subject *subject, const LacExperiment *experiment, const Way *way)
{
  subject_init_with(subject, experiment, way, NULL);
}

static void
subject_clear(Subject *subject)
{
  subject->experiment->destroy(subject->state);
  lac_frame_unref(subject->frame);
  lac_outline_clear(&subject->outline);
  g_hash_table_unref(subject->context.inputs);
  g_hash_table_unref(subject->context.measurements);
  lac_pool_free(subject->context.pool);
  lac_device_close(&subject->context.device);
  lac_draft_free(subject->draft);
}

static void
step(Subject *subject)
{
  g_autoptr(GError) error = NULL;
  LacStepReport     report = {.metrics = subject->metrics[subject->n_done]};

  for (gsize i = 0; i < MAX_METRICS; i++)
    report.metrics[i] = NAN;
  subject->experiment->step(subject->state, &report, &error);
  g_assert_no_error(error);
  subject->n_done++;
  g_assert_cmpint(report.outcome, ==,
                  subject->n_done == subject->n_steps ? LAC_OUTCOME_FINISHED
                                                      : LAC_OUTCOME_CONTINUE);
}

static void
run_to(Subject *subject, gint64 n_steps)
{
  while (subject->n_done < n_steps)
    step(subject);
}

static LacFrame *
snap(Subject *subject)
{
  subject->experiment->snapshot(subject->state, subject->frame);
  return subject->frame;
}

static void
assert_same_frame(Subject *a, Subject *b)
{
  const LacFrame *first = snap(a), *second = snap(b);

  for (gsize i = 0; i < first->n_planes; i++) {
    const LacPlane *p = &first->planes[i], *q = &second->planes[i];

    g_assert_cmpmem(p->data, p->nx * p->ny * sizeof(float), q->data, q->nx * q->ny * sizeof(float));
  }
}

static void
assert_same_metrics(const Subject *a, const Subject *b, gint64 first)
{
  const gsize n = (gsize) (a->n_steps - first) * sizeof *a->metrics;

  g_assert_cmpint(a->n_steps, ==, b->n_steps);
  g_assert_cmpmem(a->metrics[first], n, b->metrics[first], n);
}

/* ---- tests ---- */

static void
assert_frame_holds(const LacFrame *frame)
{
  for (gsize i = 0; i < frame->n_planes; i++) {
    const LacPlane *plane = &frame->planes[i];

    /* what is cut out of the domain is shown by no plane */
    g_assert_cmpuint(plane->n_not_finite, ==, frame->planes[0].n_not_finite);
    g_assert_cmpuint(plane->n_not_finite, <, plane->nx * plane->ny / 2);
    g_assert_cmpfloat(plane->x_min, <, plane->x_max);
    g_assert_cmpfloat(plane->y_min, <, plane->y_max);
    g_assert_cmpfloat(plane->min, <, plane->max);
  }
  for (gsize i = 0; i < frame->n_markers; i++) {
    g_assert_nonnull(frame->markers[i].kind);
    g_assert_cmpfloat(frame->markers[i].x, >=, frame->planes[0].x_min);
    g_assert_cmpfloat(frame->markers[i].x, <=, frame->planes[0].x_max);
    g_assert_cmpfloat(frame->markers[i].y, >=, frame->planes[0].y_min);
    g_assert_cmpfloat(frame->markers[i].y, <=, frame->planes[0].y_max);
  }
}

/* A metric is a number or absent; at the end every result is a number. */
static void
test_numbers(gconstpointer data)
{
  const LacExperiment *experiment = data;
  static const char   *precisions[] = {"auto", "f64", "f32"};

  for (gsize c = 0; c < G_N_ELEMENTS(precisions); c++) {
    const Way way = {"cpu", precisions[c], 1, 5};
    Subject   subject;

    subject_init(&subject, experiment, &way);
    assert_frame_holds(snap(&subject));
    run_to(&subject, subject.n_steps);
    assert_frame_holds(snap(&subject));
    for (gint64 k = 0; k < subject.n_steps; k++)
      for (gsize i = 0; i < subject.outline.n_metrics; i++)
        g_assert_false(isinf(subject.metrics[k][i]));
    for (gsize i = 0; i < subject.outline.n_metrics; i++)
      if (!isfinite(subject.metrics[subject.n_steps - 1][i]))
        g_error("%s is not a number in the end", subject.outline.metrics[i].key);
    subject_clear(&subject);
  }
}

/* The whole run beside runs that were cut, kept and taken up by a fresh state. */
static void
test_resume(gconstpointer data)
{
  static const gint64 cuts[] = {0, 1, 4, 7, 9, 10, 11, 14, 24};
  Subject             whole;

  subject_init(&whole, data, &plain);
  run_to(&whole, whole.n_steps);
  for (gsize i = 0; i < G_N_ELEMENTS(cuts) && cuts[i] < whole.n_steps; i++) {
    g_autoptr(LacStore) store = lac_store_new();
    g_autoptr(GError)   error = NULL;
    Subject             cut, resumed;

    subject_init(&cut, data, &plain);
    subject_init(&resumed, data, &plain);
    run_to(&cut, cuts[i]);
    cut.experiment->save(cut.state, store);
    g_assert_true(resumed.experiment->load(resumed.state, store, &error));
    g_assert_no_error(error);
    resumed.n_done = cuts[i];
    assert_same_frame(&cut, &resumed);
    run_to(&resumed, resumed.n_steps);
    assert_same_metrics(&whole, &resumed, cuts[i]);
    assert_same_frame(&whole, &resumed);
    subject_clear(&cut);
    subject_clear(&resumed);
  }
  subject_clear(&whole);
}

/* Index of the channel with that key, or -1. */
static gssize
find_channel(const Subject *subject, const char *key)
{
  for (gsize i = 0; i < subject->outline.n_channels; i++)
    if (g_str_equal(subject->outline.channels[i].key, key))
      return (gssize) i;
  return -1;
}

/* What the sensors of a run said, taken as somebody's own measurements with the truth withheld: the same reconstruction, and
 * numbers in place of errors. */
static void
test_withheld_truth(gconstpointer data)
{
  Subject whole, blind;

  subject_init(&whole, data, &plain);
  g_autoptr(LacMeasurements) readings =
    whole.experiment->readings ? whole.experiment->readings(whole.state) : NULL;
  if (readings == NULL) {
    g_test_skip("nothing is measured here");
    subject_clear(&whole);
    return;
  }
  subject_init_with(&blind, data, &plain, readings);
  run_to(&whole, whole.n_steps);
  g_assert_cmpint(blind.n_steps, ==, whole.n_steps);
  run_to(&blind, blind.n_steps);
  snap(&whole);
  snap(&blind);
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
  subject_clear(&blind);
  subject_clear(&whole);
}

/* Saving and showing do not change a run. */
static void
test_watching(gconstpointer data)
{
  g_autoptr(LacStore) store = lac_store_new();
  Subject             watched, alone;

  subject_init(&watched, data, &plain);
  subject_init(&alone, data, &plain);
  while (watched.n_done < watched.n_steps) {
    step(&watched);
    snap(&watched);
    watched.experiment->save(watched.state, store);
  }
  run_to(&alone, alone.n_steps);
  assert_same_metrics(&watched, &alone, 0);
  assert_same_frame(&watched, &alone);
  subject_clear(&watched);
  subject_clear(&alone);
}

static void
test_empty_checkpoint(gconstpointer data)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  Subject             subject;

  subject_init(&subject, data, &plain);
  g_assert_false(subject.experiment->load(subject.state, store, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  subject_clear(&subject);
}

static void
assert_way_is_plain(const LacExperiment *experiment, const Way *way)
{
  Subject a, b;

  subject_init(&a, experiment, &plain);
  subject_init(&b, experiment, way);
  run_to(&a, a.n_steps);
  run_to(&b, b.n_steps);
  assert_same_metrics(&a, &b, 0);
  assert_same_frame(&a, &b);
  subject_clear(&a);
  subject_clear(&b);
}

static void
test_ways(gconstpointer data)
{
  static const Way ways[] = {
    {"cpu", "auto", 1, 5},    {"cpu", "auto", 2, 5},    {"cpu", "auto", 3, 5},
    {"strict", "auto", 1, 5}, {"strict", "auto", 2, 5},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(ways); i++)
    assert_way_is_plain(data, &ways[i]);
}

static void
test_seeds(gconstpointer data)
{
  const Way other = {"cpu", "auto", 1, 6};
  Subject   a, b;

  subject_init(&a, data, &plain);
  subject_init(&b, data, &other);
  run_to(&a, a.n_steps);
  run_to(&b, b.n_steps);
  g_assert_cmpfloat(a.metrics[a.n_steps - 1][0], !=, b.metrics[b.n_steps - 1][0]);
  subject_clear(&a);
  subject_clear(&b);
}

static void
test_allocation(gconstpointer data)
{
  const Way way = {"cpu", "auto", 2, 5};
  Subject   subject;

  if (!COUNTS_MALLOC) {
    g_test_skip("this build brings its own malloc");
    return;
  }
  subject_init(&subject, data, &way);
  g_assert_cmpuint((guint) g_atomic_int_get(&n_allocations), >, 0);
  run_to(&subject, 1);
  while (subject.n_done < subject.n_steps) {
    const guint before = (guint) g_atomic_int_get(&n_allocations);

    step(&subject);
    if ((guint) g_atomic_int_get(&n_allocations) != before)
      g_error("step %" G_GINT64_FORMAT " allocated %u times", subject.n_done,
              (guint) g_atomic_int_get(&n_allocations) - before);
  }
  subject_clear(&subject);
}

/* The parameters that a run began with change nothing when they come again. */
static void
test_retune(gconstpointer data)
{
  const LacExperiment *experiment = data;
  Subject              a, b;

  if (!experiment->retune) {
    for (gsize i = 0; i < experiment->params.n_rows; i++)
      g_assert_false(experiment->params.rows[i].flags & LAC_PARAM_LIVE);
    return;
  }
  subject_init(&a, data, &plain);
  subject_init(&b, data, &plain);
  run_to(&a, a.n_steps);
  run_to(&b, b.n_steps / 2);
  experiment->retune(b.state, lac_draft_get_values(b.draft));
  run_to(&b, b.n_steps);
  assert_same_metrics(&a, &b, 0);
  subject_clear(&a);
  subject_clear(&b);
}

static gboolean
always(gpointer data)
{
  (*(guint *) data)++;
  return TRUE;
}

/* A set-up that was told to stop gives an error or a state, and leaves nothing behind. */
static void
test_cancel(gconstpointer data)
{
  const LacExperiment *experiment = data;
  g_autoptr(GError)    error = NULL;
  guint                n_polls = 0;
  LacContext           context;
  Subject              subject;
  gpointer             state;

  subject_init(&subject, data, &plain);
  context = subject.context;
  context.cancelled = always;
  context.user_data = &n_polls;
  state = experiment->create(experiment, lac_draft_get_values(subject.draft), &context, &error);
  g_assert_true((state != NULL) == (error == NULL));
  if (state)
    experiment->destroy(state);
  else
    g_assert_cmpuint(n_polls, >=, 1);
  subject_clear(&subject);
}

/* ---- descriptors ---- */

static void
assert_row(const LacParam *row)
{
  g_assert_true(row->key && *row->key && row->unit);
  g_assert_true(row->label && *row->label);
  g_assert_true(row->group && *row->group);
  g_assert_true(row->help && *row->help);
  switch (row->kind) {
  case LAC_PARAM_REAL:
  case LAC_PARAM_INTEGER:
    g_assert_cmpfloat(row->min, <, row->max);
    g_assert_cmpfloat(row->fallback, >=, row->min);
    g_assert_cmpfloat(row->fallback, <=, row->max);
    break;
  case LAC_PARAM_CHOICE:
    g_assert_nonnull(row->choices);
    g_assert_cmpfloat(row->fallback, <, g_strv_length((char **) row->choices));
    break;
  case LAC_PARAM_LIST: g_assert_nonnull(row->choices); break;
  case LAC_PARAM_SWITCH: g_assert_true(row->fallback == 0 || row->fallback == 1); break;
  case LAC_PARAM_FILE: g_assert_nonnull(row->file_type); break;
  case LAC_PARAM_TEXT: break;
  }
}

static void
assert_new(GHashTable *keys, const char *key)
{
  g_assert_true(key && *key);
  g_assert_true(g_hash_table_add(keys, (gpointer) key));
}

static void
test_descriptor(gconstpointer data)
{
  const LacExperiment  *experiment = data;
  g_autoptr(GHashTable) keys = g_hash_table_new(g_str_hash, g_str_equal);
  g_autoptr(GHashTable) channels = g_hash_table_new(g_str_hash, g_str_equal);
  g_autoptr(GHashTable) metrics = g_hash_table_new(g_str_hash, g_str_equal);

  g_assert_true(experiment->title && *experiment->title);
  g_assert_true(experiment->laboratory && *experiment->laboratory);
  g_assert_true(experiment->summary && *experiment->summary);
  g_assert_true(experiment->source && *experiment->source);
  for (gsize i = 0; i < experiment->params.n_rows; i++) {
    assert_row(&experiment->params.rows[i]);
    assert_new(keys, experiment->params.rows[i].key);
    g_assert_cmpuint(experiment->params.rows[i].offset, <, experiment->params.size);
  }
  g_assert_cmpuint(experiment->n_channels, >=, 1);
  for (gsize i = 0; i < experiment->n_channels; i++) {
    const LacChannel *channel = &experiment->channels[i];

    assert_new(channels, channel->key);
    g_assert_true(channel->label && channel->unit && channel->quantity && channel->colour_map);
    g_assert_true(channel->axis_x && channel->axis_y);
    g_assert_true(channel->axis_unit_x && channel->axis_unit_y);
  }
  g_assert_cmpuint(experiment->n_metrics, >=, 1);
  g_assert_true(experiment->metrics[0].is_result);
  for (gsize i = 0; i < experiment->n_metrics; i++) {
    assert_new(metrics, experiment->metrics[i].key);
    g_assert_true(experiment->metrics[i].label && experiment->metrics[i].unit);
  }
}

static void
test_defaults(gconstpointer data)
{
  const LacExperiment *experiment = data;
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autoptr(GError)    error = NULL;
  LacEstimate          estimate = {0};

  g_assert_true(experiment->check(experiment, lac_draft_get_values(draft), &error));
  g_assert_no_error(error);
  experiment->estimate(experiment, lac_draft_get_values(draft), &estimate);
  g_assert_cmpfloat(estimate.memory_bytes, >, 0);
  g_assert_cmpfloat(estimate.seconds_per_step, >, 0);
  g_assert_cmpint(estimate.n_steps, >, 0);
  g_assert_cmpfloat(estimate.seconds_setup, >=, 0);
  g_assert_cmpfloat(estimate.frame_bytes, >, 0);
}

/* Steps and the size of a frame are known exactly before the run. */
static void
test_estimate(gconstpointer data)
{
  LacEstimate estimate = {0};
  double      n_bytes = 0;
  Subject     subject;

  subject_init(&subject, data, &plain);
  subject.experiment->estimate(subject.experiment, lac_draft_get_values(subject.draft), &estimate);
  for (gsize i = 0; i < subject.frame->n_planes; i++)
    n_bytes += (double) (subject.frame->planes[i].nx * subject.frame->planes[i].ny * sizeof(float));
  g_assert_cmpint(estimate.n_steps, ==, subject.n_steps);
  g_assert_cmpfloat(estimate.frame_bytes, ==, n_bytes);
  subject_clear(&subject);
}

static const LacExperiment *
find(const char *name)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find(name, &error);

  g_assert_no_error(error);
  return experiment;
}

static void
test_refusals(void)
{
  for (gsize i = 0; i < G_N_ELEMENTS(refusals); i++) {
    const LacExperiment *experiment = find(refusals[i].experiment);
    g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
    g_autoptr(GError)    error = NULL;

    apply(draft, refusals[i].settings);
    g_assert_false(experiment->check(experiment, lac_draft_get_values(draft), &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
    if (!strstr(error->message, refusals[i].part))
      g_error("\"%s\" does not say \"%s\"", error->message, refusals[i].part);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(accepted); i++) {
    const LacExperiment *experiment = find(accepted[i][0]);
    g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
    g_autoptr(GError)    error = NULL;

    apply(draft, accepted[i][1]);
    experiment->check(experiment, lac_draft_get_values(draft), &error);
    g_assert_no_error(error);
  }
}

static void
test_registry(void)
{
  gsize                       n, n_defaults = 0;
  const LacExperiment *const *experiments = lac_experiments(&n);
  g_autoptr(GHashTable)       names = g_hash_table_new(g_str_hash, g_str_equal);
  g_autoptr(GError)           error = NULL;

  for (gsize i = 0; i < n; i++) {
    assert_new(names, experiments[i]->name);
    g_assert_true(find(experiments[i]->name) == experiments[i]);
    n_defaults += experiments[i]->is_default ? 1 : 0;
  }
  g_assert_cmpuint(n_defaults, ==, 1);
  g_assert_null(lac_experiment_find("kolmogoroff", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
  for (gsize i = 0; i < n; i++)
    g_assert_nonnull(strstr(error->message, experiments[i]->name));
}

typedef struct {
  const char *what;
  void (*test)(gconstpointer experiment);
} Check;

static const Check checks[] = {
  {"descriptor-is-complete", test_descriptor},
  {"defaults-pass-their-own-check", test_defaults},
  {"estimate-knows-steps-and-frames", test_estimate},
  {"a-small-run-ends-in-numbers", test_numbers},
  {"threads-and-strict-backend-give-the-same-bits", test_ways},
  {"another-seed-is-another-run", test_seeds},
  {"a-resumed-run-is-the-same-run", test_resume},
  {"saving-and-showing-change-nothing", test_watching},
  {"readings-taken-back-without-the-truth-give-the-same-bits", test_withheld_truth},
  {"an-empty-checkpoint-is-refused", test_empty_checkpoint},
  {"steps-do-not-allocate", test_allocation},
  {"live-parameters-that-stay-change-nothing", test_retune},
  {"a-cancelled-set-up-leaves-nothing-behind", test_cancel},
};

int
main(int argc, char **argv)
{
  const LacExperiment *const *experiments;
  gsize                       n;

  g_test_init(&argc, &argv, NULL);
  experiments = lac_experiments(&n);
  g_test_add_func("/contract/experiments/names-are-found", test_registry);
  g_test_add_func("/contract/experiments/impossible-settings-are-refused-in-words", test_refusals);
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < G_N_ELEMENTS(checks); k++) {
      g_autofree char *path =
        g_strdup_printf("/contract/experiments/%s/%s", experiments[i]->name, checks[k].what);

      g_test_add_data_func(path, experiments[i], checks[k].test);
    }
  return g_test_run();
}
