/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggestions for a shorter run: the gain follows from the recorded shares, and every suggested value is allowed. */
#include "experiment/speed-advice.h"

#include <string.h>

#define MS 1000000

typedef struct {
  const char *name;
  int         depth, begin, end; /* ms */
} Phase;

static LacCapture *
make_capture(const Phase *phases, gsize n)
{
  LacCapture *capture = lac_capture_new("made");
  lac_capture_add_lane(capture, "compute");
  for (gsize i = 0; i < n; i++) {
    const gint64    known = lac_capture_find_name(capture, phases[i].name);
    const LacRecord record = {.kind = LAC_RECORD_SPAN,
                              .name = known >= 0 ? (guint32) known
                                                 : lac_capture_add_name(capture, phases[i].name),
                              .depth = (guint8) phases[i].depth,
                              .start_ns = phases[i].begin * (gint64) MS,
                              .duration_ns = (phases[i].end - phases[i].begin) * (gint64) MS,
                              .step = -1,
                              .count = 1,
                              .memory = -1};
    lac_capture_append(capture, &record, 1);
  }
  return capture;
}

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacCapture          *capture;
  LacSpeedCase         of;
  GArray              *found;
} Bench;

static void
bench_open(Bench *bench, const char *name, const Phase *phases, gsize n)
{
  bench->experiment = lac_experiment_find(name, NULL);
  g_assert_nonnull(bench->experiment);
  bench->draft = lac_draft_new(&bench->experiment->params);
  bench->capture = make_capture(phases, n);
  bench->of = (LacSpeedCase){.experiment = bench->experiment,
                             .draft = bench->draft,
                             .precision = "f64",
                             .threads = 2,
                             .n_processors = 2,
                             .capture = bench->capture};
}

static void
bench_close(Bench *bench)
{
  g_clear_pointer(&bench->found, g_array_unref);
  lac_capture_unref(bench->capture);
  lac_draft_free(bench->draft);
}

static const LacSpeedAdvice *
find(Bench *bench, const char *key)
{
  g_clear_pointer(&bench->found, g_array_unref);
  bench->found = lac_speed_advice_find(&bench->of);
  for (guint i = 0; i < bench->found->len; i++)
    if (g_strcmp0(g_array_index(bench->found, LacSpeedAdvice, i).key, key) == 0)
      return &g_array_index(bench->found, LacSpeedAdvice, i);
  return NULL;
}

static void
set(Bench *bench, const char *key, const char *text)
{
  g_autoptr(GError) error = NULL;
  lac_draft_set(bench->draft, key, text, &error);
  g_assert_no_error(error);
}

/* 1000 ms, of which the steps take 900 and the moves 600. */
static const Phase quantum[] = {{"move the walkers", 1, 100, 700},
                                {"step", 0, 100, 1000},
                                {"set-up", 0, 0, 100}};

static void
test_gain_follows_from_the_shares(void)
{
  Bench bench = {0};
  bench_open(&bench, "h2", quantum, G_N_ELEMENTS(quantum));
  set(&bench, "walkers", "256");
  set(&bench, "iterations", "100");
  set(&bench, "moves", "10");
  set(&bench, "evaluation", "150");
  set(&bench, "evaluation_moves", "20");
  const LacSpeedAdvice *walkers = find(&bench, "walkers");
  g_assert_cmpstr(walkers->to, ==, "128");
  g_assert_cmpstr(walkers->now, ==, "256");
  g_assert_cmpfloat_with_epsilon(walkers->share, 0.9, 1e-12);
  g_assert_cmpfloat_with_epsilon(walkers->gain, 0.45, 1e-12);
  /* 3000 of 4000 moves belong to the evaluation */
  g_assert_cmpfloat_with_epsilon(find(&bench, "evaluation_moves")->gain, 0.6 * 0.75 * 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon(find(&bench, "moves")->gain, 0.6 * 0.25 * 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon(find(&bench, "precision")->gain, 0.9 * 0.48, 1e-12);
  for (guint i = 1; i < bench.found->len; i++)
    g_assert_cmpfloat(g_array_index(bench.found, LacSpeedAdvice, i - 1).gain, >=,
                      g_array_index(bench.found, LacSpeedAdvice, i).gain);
  g_autofree char *text = lac_speed_advice_dup_text(find(&bench, "walkers"), TRUE);
  g_assert_true(g_str_has_prefix(
    text, "--set walkers=128 (now 256) would save about 45 % of the time: step takes 90 %."));
  bench_close(&bench);
}

static void
test_options_apply_only_where_they_help(void)
{
  Bench bench = {0};
  bench_open(&bench, "h2", quantum, G_N_ELEMENTS(quantum));
  g_assert_null(find(&bench, "threads")); /* all are used */
  bench.of.threads = 1;
  const LacSpeedAdvice *threads = find(&bench, "threads");
  g_assert_cmpstr(threads->to, ==, "2");
  g_assert_cmpfloat(threads->gain, >, 0.3);
  bench.of.precision = "f32";
  g_assert_null(find(&bench, "precision"));
  bench.of.precision = "f64";
  bench.of.on_device = TRUE;
  g_assert_null(find(&bench, "precision"));
  g_assert_null(find(&bench, "threads"));
  bench_close(&bench);
}

/* A whole number that cannot be halved exactly saves what it really saves; one that cannot be halved saves nothing. */
static void
test_values_are_rounded_and_allowed(void)
{
  static const Phase flow[] = {{"Ensemble Kalman filter", 1, 0, 1000}, {"step", 0, 0, 1000}};
  Bench              bench = {0};
  bench_open(&bench, "kolmogorov", flow, G_N_ELEMENTS(flow));
  set(&bench, "members", "5");
  const LacSpeedAdvice *members = find(&bench, "members");
  g_assert_cmpfloat_with_epsilon(members->gain, 1 - g_ascii_strtod(members->to, NULL) / 5, 1e-12);
  set(&bench, "members", "2"); /* the least that is allowed */
  g_assert_null(find(&bench, "members"));
  set(&bench, "engines", "pod"); /* the filter has no part in this run */
  set(&bench, "members", "64");
  g_assert_null(find(&bench, "members"));
  bench_close(&bench);
}

/* Ten iterations were made of the fifty that were allowed: twenty-five fewer save nothing, but five do. */
static void
test_a_limit_that_was_not_reached_saves_nothing(void)
{
  Phase phases[11];
  Bench bench = {0};
  for (int i = 0; i < 10; i++)
    phases[i] = (Phase){"Differentiable solver", 1, 100 * i, 100 * i + 100};
  phases[10] = (Phase){"step", 0, 0, 1000};
  bench_open(&bench, "heat2d", phases, G_N_ELEMENTS(phases));
  set(&bench, "iterations", "50");
  g_assert_null(find(&bench, "iterations"));
  set(&bench, "iterations", "10");
  g_assert_cmpfloat_with_epsilon(find(&bench, "iterations")->gain, 0.5, 1e-12);
  bench_close(&bench);
}

static void
test_data_are_kept_for_the_next_run(void)
{
  static const Phase phases[] = {
    {"take the exposures", 1, 0, 500}, {"set-up", 0, 0, 500}, {"step", 0, 500, 1000}};
  Bench bench = {0};
  bench_open(&bench, "usaf", phases, G_N_ELEMENTS(phases));
  const LacSpeedAdvice *kept = find(&bench, NULL);
  g_assert_cmpstr(kept->operation, ==, "take the exposures");
  g_assert_null(kept->to);
  g_assert_null(lac_speed_advice_dup_change(kept));
  bench_close(&bench);
}

/* The methods whose operations are slow, in every experiment: what is suggested can be run. */
static void
test_every_suggestion_can_be_run(void)
{
  static const Phase all[] = {{"Ensemble Kalman filter", 1, 0, 100},
                              {"Differentiable solver", 1, 100, 200},
                              {"Physics-informed network", 1, 200, 300},
                              {"make the truth", 1, 300, 400},
                              {"PIE", 1, 400, 500},
                              {"move the walkers", 1, 500, 600},
                              {"compare with the truth", 1, 600, 700},
                              {"step", 0, 0, 1000}};
  gsize              n, n_found = 0;
  for (const LacExperiment *const *list = lac_experiments(&n), *const *end = list + n; list < end;
       list++) {
    Bench bench = {0};
    bench_open(&bench, (*list)->name, all, G_N_ELEMENTS(all));
    find(&bench, "");
    for (guint i = 0; i < bench.found->len; i++) {
      const LacSpeedAdvice *advice = &g_array_index(bench.found, LacSpeedAdvice, i);
      n_found++;
      if (advice->row != NULL)
        set(&bench, advice->key, advice->to);
      g_assert_cmpfloat(advice->gain, >=, LAC_SPEED_LEAST);
      g_assert_cmpfloat(advice->gain, <, 1);
    }
    bench_close(&bench);
  }
  g_assert_cmpuint(n_found, >, n / 2);
}

static void
test_nothing_for_an_empty_recording(void)
{
  Bench bench = {0};
  bench_open(&bench, "h2", NULL, 0);
  find(&bench, "");
  g_assert_cmpuint(bench.found->len, ==, 0);
  bench_close(&bench);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/speed-advice/gain-follows-from-the-shares", test_gain_follows_from_the_shares);
  g_test_add_func("/speed-advice/options-apply-only-where-they-help",
                  test_options_apply_only_where_they_help);
  g_test_add_func("/speed-advice/values-are-rounded-and-allowed",
                  test_values_are_rounded_and_allowed);
  g_test_add_func("/speed-advice/a-limit-that-was-not-reached-saves-nothing",
                  test_a_limit_that_was_not_reached_saves_nothing);
  g_test_add_func("/speed-advice/data-are-kept-for-the-next-run",
                  test_data_are_kept_for_the_next_run);
  g_test_add_func("/speed-advice/every-suggestion-can-be-run", test_every_suggestion_can_be_run);
  g_test_add_func("/speed-advice/nothing-for-an-empty-recording",
                  test_nothing_for_an_empty_recording);
  return g_test_run();
}
