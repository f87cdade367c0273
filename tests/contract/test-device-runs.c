/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every experiment of the registry on a CUDA device, or on the emulated one: results equal the CPU's in double
 * precision up to rounding, bitwise reproducible for the same seed; and methods declared CPU-only never use the
 * device. */
#include "emulated.h"

#include "contract/helpers/counted-device.h"
#include "contract/helpers/shard.h"
#include "contract/helpers/small-run.h"
#include "helpers/sanitized.h"

#include <math.h>
#include <string.h>

/* Wide enough for a device's fused layer kernel. */
#define WIDE "engines=pinn width=64 depth=2 quasi=lbfgs"

typedef struct {
  const LacExperiment *experiment;
  const char          *device;  /* "cuda", "cuda-emulated" */
  guint                without; /* LacWithout */
} Subject;

static gboolean
run_init(SmallRun *run, const Subject *subject, const char *precision, const char *settings)
{
  const SmallRunWay way = {subject->device, precision,       1, 5, counted_device_open,
                           settings,        subject->without};

  return small_run_init(run, subject->experiment, &way);
}

/* Rounding differs and is amplified by iterations: tolerance of a hundred thousand roundings of a plane's largest
 * value. */
static void
assert_near_frame(SmallRun *found, SmallRun *wanted)
{
  const LacFrame *a = small_run_snap(found), *b = small_run_snap(wanted);

  for (gsize i = 0; i < a->n_planes; i++) {
    const LacPlane *p = &a->planes[i], *q = &b->planes[i];
    float           size = 0, off = 0;

    g_assert_cmpuint(p->nx * p->ny, ==, q->nx * q->ny);
    for (gsize k = 0; k < p->nx * p->ny; k++) {
      g_assert_true(isnan(p->data[k]) == isnan(q->data[k]));
      if (isnan(p->data[k]))
        continue;
      size = fmaxf(size, fabsf(q->data[k]));
      off = fmaxf(off, fabsf(p->data[k] - q->data[k]));
    }
    g_test_message("%s: %g of %g", found->outline.channels[i].key, (double) off, (double) size);
    g_assert_cmpfloat(off, <=, size * 1e-5f);
  }
}

/* SOAP's first bases come from gradients that span too little: rounding alone determines the rest. */
static char *
dup_smooth_settings(const LacExperiment *experiment)
{
  static const char *const optimisers[] = {"first", "surrogate_optimiser"};
  GString                 *settings = g_string_new(NULL);

  for (gsize i = 0; i < G_N_ELEMENTS(optimisers); i++)
    if (lac_param_find(&experiment->params, optimisers[i]))
      g_string_append_printf(settings, "%s%s=adam", settings->len ? " " : "", optimisers[i]);
  return g_string_free(settings, FALSE);
}

static void
assert_agrees(const Subject *subject, const char *more)
{
  g_autofree char  *smooth = dup_smooth_settings(subject->experiment);
  g_autofree char  *settings = g_strjoin(" ", smooth, more, NULL);
  const SmallRunWay plain = {"cpu", "f64", 1, 5, NULL, settings};
  SmallRun          here, there;

  if (!run_init(&there, subject, "f64", settings))
    return;
  small_run_init(&here, subject->experiment, &plain);
  small_run_to(&here, here.n_steps);
  small_run_to(&there, there.n_steps);
  assert_near_frame(&there, &here);
  small_run_clear(&here);
  small_run_clear(&there);
}

static void
test_agrees(gconstpointer data)
{
  assert_agrees(data, NULL);
}

static void
test_wide(gconstpointer data)
{
  assert_agrees(data, WIDE);
}

static void
assert_same_bits(const Subject *subject, const char *settings)
{
  SmallRun once, again;

  emulated_set_order(EMULATED_FORWARD, 0);
  if (!run_init(&once, subject, "f32", settings))
    return;
  small_run_to(&once, once.n_steps);
  emulated_set_order(EMULATED_REVERSE, 0);
  g_assert_true(run_init(&again, subject, "f32", settings));
  small_run_to(&again, again.n_steps);
  assert_same_metrics(&once, &again, 0);
  assert_same_frame(&once, &again);
  small_run_clear(&once);
  small_run_clear(&again);
  emulated_set_order(EMULATED_FORWARD, 0);
}

static void
test_same_bits(gconstpointer data)
{
  assert_same_bits(data, NULL);
}

static void
test_wide_bits(gconstpointer data)
{
  assert_same_bits(data, WIDE);
}

/* @method: from the list @key, or both NULL: everything; checks its steps, not the set-up it shares with others */
static void
assert_word_is_kept(const Subject *subject, const char *key, const char *method)
{
  g_autofree char   *settings = method ? g_strdup_printf("%s=%s", key, method) : NULL;
  g_autoptr(GString) apart = g_string_new(NULL);
  gboolean           uses;
  guint64            before;
  SmallRun           run;

  if (!run_init(&run, subject, "f32", settings))
    return;
  uses = lac_experiment_uses_device(subject->experiment, lac_draft_get_values(run.draft), apart);
  before = counted_device_get_calls();
  small_run_to(&run, MIN(3, run.n_steps));
  if (uses != (counted_device_get_calls() > before))
    g_error("%s: says that it %s the device, and %s", method ? method : subject->experiment->name,
            uses ? "uses" : "leaves alone", uses ? "asked it for nothing" : "asked it for kernels");
  if (!uses && method)
    g_assert_cmpstr(apart->str, ==, method);
  small_run_clear(&run);
}

/* Tests the methods of the small settings one by one: together the experiments cover all. */
static void
test_word(gconstpointer data)
{
  const Subject       *subject = data;
  const LacParamTable *params = &subject->experiment->params;
  const LacParam      *row = lac_param_find(params, "engines");
  g_autoptr(LacDraft)  draft = small_run_new_draft(subject->experiment);

  if (!row)
    row = lac_param_find(params, "solver");
  if (!row) {
    assert_word_is_kept(subject, NULL, NULL);
    return;
  }
  g_autofree char *text = lac_draft_dup_text(draft, row);
  g_auto(GStrv)    methods = g_strsplit(text, ",", -1);

  for (gsize i = 0; methods[i]; i++)
    assert_word_is_kept(subject, row->key, methods[i]);
}

/* Uses the settings of the small run. */
static gboolean
uses_device(const LacExperiment *experiment)
{
  g_autoptr(LacDraft) draft = small_run_new_draft(experiment);

  return lac_experiment_uses_device(experiment, lac_draft_get_values(draft), NULL);
}

/* One-dimensional, steady and unsteady plane problems: jets of two, three and three directions. */
static gboolean
has_wide(const char *experiment)
{
  static const char *const names[] = {"heat1d", "kovasznay", "taylor-green"};

  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    if (g_str_equal(names[i], experiment))
      return TRUE;
  return FALSE;
}

static void
add(const Subject *subject, gboolean repeats, const char *what, void (*test)(gconstpointer subject))
{
  g_autofree char *path =
    g_strdup_printf("/contract/runs-on/%s/%s/%s", subject->device, subject->experiment->name, what);

  if (test_runs(repeats) && shard_has_next())
    g_test_add_data_func(path, shard_keep(subject, sizeof *subject), test);
}

int
main(int argc, char **argv)
{
  static const char *const    devices[] = {"cuda", "cuda-emulated"};
  const LacExperiment *const *experiments;
  gsize                       n;

  g_test_init(&argc, &argv, NULL);
  shard_init(argc, argv);
  experiments = lac_experiments(&n);
  for (gsize i = 0; i < n; i++)
    for (gsize d = 0; d < G_N_ELEMENTS(devices); d++) {
      Subject subject = {experiments[i], devices[d], 0};

      add(&subject, FALSE, "what-it-says-of-the-device-is-so", test_word);
      if (!uses_device(experiments[i]))
        continue;
      add(&subject, FALSE, "frames-are-those-of-the-processor", test_agrees);
      add(&subject, TRUE, "the-same-seed-gives-the-same-bits", test_same_bits);
      if (!has_wide(experiments[i]->name))
        continue;
      subject.without = LAC_WITHOUT_FUSION_RULE;
      add(&subject, FALSE, "frames-are-those-of-the-processor-with-layers-in-one-kernel",
          test_wide);
      add(&subject, TRUE, "the-same-seed-gives-the-same-bits-with-layers-in-one-kernel",
          test_wide_bits);
    }
  return g_test_run();
}
