/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several methods of one run: they end together, each writes its own curves, and a run resumes correctly. */
#include "base/error.h"
#include "experiment/scheduler.h"
#include "perf/recorder/capture.h"

#include <math.h>
#include <string.h>

/* Counts its steps, and returns a given outcome at one of them. */
typedef struct {
  gint64     n_steps, done;
  gint64     special; /* the step of @outcome; 0: none */
  LacOutcome outcome;
  guint     *n_destroyed;
} Counter;

static gint64
count_steps(gconstpointer counter)
{
  return ((const Counter *) counter)->n_steps;
}

static gboolean
count(gpointer data, LacMethodReport *report, GError **error G_GNUC_UNUSED)
{
  Counter *counter = data;

  counter->done++;
  report->samples = 10;
  report->curves[1] = (double) counter->done;
  if (counter->done == counter->special) {
    report->outcome = counter->outcome;
    g_strlcpy(report->why, "it was requested", sizeof report->why);
  }
  return TRUE;
}

static void
destroy(gpointer data)
{
  Counter *counter = data;

  ++*counter->n_destroyed;
  g_free(counter);
}

static void
visit(gpointer data, LacVisit *visit)
{
  Counter *counter = data;

  lac_visit_bytes(visit, "done", &counter->done, sizeof counter->done);
}

static Counter *
add(LacScheduler *scheduler, const char *name, gint64 n_steps, gsize curves, guint *n_destroyed)
{
  const LacScheduledMethod method = {
    .name = name,
    .title = name,
    .n_steps = count_steps,
    .step = count,
    .destroy = destroy,
    .visit = visit,
  };
  Counter *counter = g_new0(Counter, 1);

  *counter = (Counter){.n_steps = n_steps, .n_destroyed = n_destroyed};
  lac_scheduler_add(scheduler, &method, counter, curves, 2);
  return counter;
}

#define N_METRICS 6

static LacOutcome
step(LacScheduler *scheduler, double *metrics, double *samples)
{
  LacStepReport     report = {.metrics = metrics};
  g_autoptr(GError) error = NULL;

  for (gsize i = 0; i < N_METRICS; i++)
    metrics[i] = NAN;
  g_assert_true(lac_scheduler_step(scheduler, &report, &error));
  g_assert_no_error(error);
  if (samples)
    *samples = report.samples;
  return report.outcome;
}

/* 10 steps of the run, 3 of the shorter method: it is never off by a whole step. */
static void
test_together(void)
{
  LacScheduler scheduler = {.n_kept = 4};
  guint        n_destroyed = 0;
  Counter     *lengthy = add(&scheduler, "long", 10, 0, &n_destroyed);
  Counter     *brief = add(&scheduler, "short", 3, 2, &n_destroyed);
  double       metrics[N_METRICS], samples;

  g_assert_cmpint(scheduler.n_steps, ==, 10);
  for (gint64 i = 1; i <= 10; i++) {
    const gint64 before = brief->done;

    g_assert_cmpint(step(&scheduler, metrics, &samples), ==,
                    i < 10 ? LAC_OUTCOME_CONTINUE : LAC_OUTCOME_FINISHED);
    g_assert_cmpint(scheduler.step, ==, i);
    g_assert_cmpint(lengthy->done, ==, i);
    g_assert_cmpint(brief->done, ==, 3 * i / 10);
    g_assert_cmpfloat(metrics[1], ==, (double) i);
    g_assert_true(isnan(metrics[0]));
    g_assert_cmpfloat(samples, ==, brief->done > before ? 20 : 10);
    if (brief->done > before)
      g_assert_cmpfloat(metrics[3], ==, (double) brief->done);
    else
      g_assert_true(isnan(metrics[3]));
  }
  lac_scheduler_clear(&scheduler);
  g_assert_cmpuint(n_destroyed, ==, 2);
}

static void
append(const LacRecord *records, gsize n, gpointer capture)
{
  lac_capture_append(capture, records, n);
}

/* The turns of a method within one step of the run are one span of its name; no turn, no span. */
static void
test_spans(void)
{
  g_autoptr(LacPerf)    perf = lac_perf_new(LAC_PERF_COARSE);
  g_autoptr(LacCapture) capture = lac_capture_new(NULL);
  const LacContext      context = {.perf = perf, .lane = lac_perf_lane(perf, "compute")};
  LacScheduler          scheduler = {.n_kept = 4, .context = &context};
  static const gint64   turns[] = {4, 7, 10}; /* of the shorter method */
  guint                 n_destroyed = 0, n_long = 0, n_short = 0;
  double                metrics[N_METRICS];

  add(&scheduler, "long", 10, 0, &n_destroyed);
  add(&scheduler, "short", 3, 2, &n_destroyed);
  for (gint64 i = 1; i <= 10; i++)
    step(&scheduler, metrics, NULL);
  lac_scheduler_clear(&scheduler);
  lac_perf_drain(perf, append, capture);
  lac_capture_follow(capture, perf);
  for (gsize i = 0; i < lac_capture_get_n_records(capture); i++) {
    const LacRecord *record = lac_capture_at(capture, i);
    const gboolean   is_long = g_str_equal(lac_capture_get_name(capture, record->name), "long");

    g_assert_cmpint(record->kind, ==, LAC_RECORD_SPAN);
    g_assert_cmpint(record->depth, ==, 0);
    n_long += is_long;
    n_short += !is_long;
    g_assert_cmpint(record->step, ==, is_long ? (gint64) n_long : turns[n_short - 1]);
  }
  g_assert_cmpuint(n_long, ==, 10);
  g_assert_cmpuint(n_short, ==, 3);
}

/* A method that finishes early is not stepped again; the run ends with the last one. */
static void
test_ends(void)
{
  LacScheduler scheduler = {.n_kept = 4};
  guint        n_destroyed = 0;
  Counter     *first = add(&scheduler, "first", 6, 0, &n_destroyed);
  Counter     *second = add(&scheduler, "second", 6, 2, &n_destroyed);
  double       metrics[N_METRICS];

  first->special = 2;
  first->outcome = LAC_OUTCOME_FINISHED;
  for (gint64 i = 1; i < 6; i++)
    g_assert_cmpint(step(&scheduler, metrics, NULL), ==, LAC_OUTCOME_CONTINUE);
  g_assert_cmpint(first->done, ==, 2);
  g_assert_cmpint(step(&scheduler, metrics, NULL), ==, LAC_OUTCOME_FINISHED);
  g_assert_cmpint(second->done, ==, 6);
  lac_scheduler_clear(&scheduler);
}

/* A method that diverges is set aside, and is so again in a run that is resumed. The run has diverged if it was the
 * first, which gives the result, but only once the other has ended. */
static void
test_set_aside(void)
{
  for (guint bad = 0; bad < 2; bad++) {
    LacScheduler        scheduler = {.n_kept = 4}, resumed = {.n_kept = 4};
    g_autoptr(LacStore) store = lac_store_new();
    g_autoptr(GError)   error = NULL;
    guint               n_destroyed = 0;
    Counter            *counters[] = {add(&scheduler, "one", 6, 0, &n_destroyed),
                                      add(&scheduler, "two", 6, 2, &n_destroyed)};
    double              metrics[N_METRICS];
    LacStepReport       report = {.metrics = metrics};

    add(&resumed, "one", 6, 0, &n_destroyed);
    add(&resumed, "two", 6, 2, &n_destroyed);
    counters[bad]->special = 2;
    counters[bad]->outcome = LAC_OUTCOME_DIVERGED;
    g_assert_cmpint(step(&scheduler, metrics, NULL), ==, LAC_OUTCOME_CONTINUE);
    g_assert_true(lac_scheduler_step(&scheduler, &report, &error));
    g_assert_cmpint(report.outcome, ==, LAC_OUTCOME_CONTINUE);
    g_assert_cmpstr(report.who, ==, bad ? "two" : "one");
    g_assert_cmpstr(report.why, ==, "it was requested");
    lac_scheduler_save(&scheduler, store);
    g_assert_true(lac_scheduler_load(&resumed, store, &error));
    for (gint64 i = 2; i < 6; i++) {
      report = (LacStepReport){.metrics = metrics};
      g_assert_true(lac_scheduler_step(&resumed, &report, &error));
      g_assert_cmpint(report.outcome, ==, i < 5 ? LAC_OUTCOME_CONTINUE : LAC_OUTCOME_FINISHED);
      g_assert_cmpint(resumed.step, ==, i + 1);
    }
    for (guint i = 0; i < 2; i++)
      g_assert_cmpint(lac_scheduler_has_failed(&resumed, i), ==, i == bad);
    g_assert_nonnull(strstr(report.why, "it was requested"));
    lac_scheduler_conclude(&resumed, &report);
    g_assert_cmpint(report.outcome, ==, bad ? LAC_OUTCOME_FINISHED : LAC_OUTCOME_DIVERGED);
    lac_scheduler_clear(&scheduler);
    lac_scheduler_clear(&resumed);
  }
}

static void
test_last_one_diverges(void)
{
  LacScheduler scheduler = {.n_kept = 4};
  guint        n_destroyed = 0;
  Counter     *first = add(&scheduler, "first", 6, 0, &n_destroyed);
  Counter     *second = add(&scheduler, "second", 6, 2, &n_destroyed);
  double       metrics[N_METRICS];

  first->special = 2;
  second->special = 5;
  first->outcome = second->outcome = LAC_OUTCOME_DIVERGED;
  for (gint64 i = 1; i < 5; i++)
    g_assert_cmpint(step(&scheduler, metrics, NULL), ==, LAC_OUTCOME_CONTINUE);
  g_assert_cmpint(first->done, ==, 2);
  g_assert_cmpint(step(&scheduler, metrics, NULL), ==, LAC_OUTCOME_DIVERGED);
  g_assert_cmpint(scheduler.step, ==, 4); /* the last counted step */
  lac_scheduler_clear(&scheduler);
}

static void
test_resume(void)
{
  LacScheduler        straight = {.n_kept = 4}, other = {.n_kept = 4}, foreign = {.n_kept = 5};
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  guint               n_destroyed = 0;
  LacScheduler       *all[] = {&straight, &other, &foreign};
  Counter            *counters[G_N_ELEMENTS(all)][2];
  double              metrics[N_METRICS];

  for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
    counters[i][0] = add(all[i], "one", 8, 0, &n_destroyed);
    counters[i][1] = add(all[i], "two", 5, 2, &n_destroyed);
    counters[i][1]->special = 2;
    counters[i][1]->outcome = LAC_OUTCOME_FINISHED;
  }
  for (gint64 i = 0; i < 5; i++)
    step(&straight, metrics, NULL);
  lac_scheduler_save(&straight, store);
  g_assert_true(lac_scheduler_load(&other, store, &error));
  g_assert_no_error(error);
  g_assert_cmpint(other.step, ==, 5);
  for (gint64 i = 5; i < 8; i++)
    g_assert_cmpint(step(&straight, metrics, NULL), ==, step(&other, metrics, NULL));
  for (gsize c = 0; c < 2; c++)
    g_assert_cmpint(counters[0][c]->done, ==, counters[1][c]->done);
  g_assert_false(
    lac_scheduler_load(&foreign, store, &error)); /* a checkpoint of another laboratory */
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
    lac_scheduler_clear(all[i]);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/turns/solvers-of-a-run-end-together", test_together);
  g_test_add_func("/experiment/scheduler/turns-are-recorded-by-method", test_spans);
  g_test_add_func("/turns/who-ends-early-waits-and-who-diverges-ends-it", test_ends);
  g_test_add_func("/experiment/scheduler/a-method-that-diverges-leaves-the-others-alone",
                  test_set_aside);
  g_test_add_func("/experiment/scheduler/a-run-whose-last-method-diverges-has-diverged",
                  test_last_one_diverges);
  g_test_add_func("/turns/a-run-goes-on-from-where-it-was", test_resume);
  return g_test_run();
}
