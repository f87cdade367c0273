/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gain over random placement: none for random positions, some for chosen ones, none known without the truth. */
#include "experiment/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_SEEDS 15

static gsize
find(const LacOutline *outline, const char *key)
{
  for (gsize i = 0; i < outline->n_metrics; i++)
    if (g_str_equal(outline->metrics[i].key, key))
      return i;
  g_assert_not_reached();
}

/* @words: "key=value key=value". Returns: the gain after the last step */
static double
find_gain(const char *words, guint64 seed)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find("heat2d", &error);
  LacContext           context = {.precision = "f64", .seed = seed, .pool = lac_pool_new(1)};
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_auto(GStrv)        settings = g_strsplit(words, " ", -1);

  for (gsize i = 0; settings[i]; i++) {
    g_auto(GStrv) pair = g_strsplit(settings[i], "=", 2);

    lac_draft_set(draft, pair[0], pair[1], &error);
    g_assert_no_error(error);
  }
  lac_device_open(&context.device, "cpu", &error);
  g_assert_no_error(error);

  LacOutline outline = lac_experiment_outline(experiment, lac_draft_get_values(draft));
  gpointer   state = experiment->create(experiment, lac_draft_get_values(draft), &context, &error);

  g_assert_no_error(error);

  g_autofree double *metrics = g_new0(double, outline.n_metrics);
  LacStepReport      report = {.metrics = metrics};

  while (report.outcome == LAC_OUTCOME_CONTINUE) {
    g_assert_true(lac_experiment_step(experiment, state, &report, &error));
    g_assert_no_error(error);
  }

  const double gain = metrics[find(&outline, "placement_gain")];

  experiment->destroy(state);
  lac_outline_clear(&outline);
  lac_pool_free(context.pool);
  lac_device_close(&context.device);
  return gain;
}

static int
compare_numbers(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

#define SMALL "engines=pod grid=24 times=10 family=30 sensors=5"

/* Random positions are as often better as worse than the median of random positions: of 15 all but the three lowest and
 * three highest have either sign with a probability below 1 %. */
static void
test_random(void)
{
  double gains[N_SEEDS];

  for (guint64 seed = 0; seed < N_SEEDS; seed++)
    gains[seed] = find_gain(SMALL " placement=random", seed);
  qsort(gains, N_SEEDS, sizeof *gains, compare_numbers);
  g_test_message("gains from %g to %g, median %g", gains[0], gains[N_SEEDS - 1],
                 gains[N_SEEDS / 2]);
  g_assert_cmpfloat(gains[2], <, 0);
  g_assert_cmpfloat(gains[N_SEEDS - 3], >, 0);
}

static void
test_chosen(void)
{
  g_assert_cmpfloat(find_gain(SMALL " placement=qr", 0), >, 0.1);
}

static void
test_withheld(void)
{
  g_assert_true(isnan(find_gain(SMALL " judge_by=sensors", 0)));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/gain/random-positions-have-none", test_random);
  g_test_add_func("/experiment/gain/chosen-positions-have-some", test_chosen);
  g_test_add_func("/experiment/gain/it-is-unknown-without-the-truth", test_withheld);
  return g_test_run();
}
