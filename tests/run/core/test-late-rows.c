/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run whose experiment reports its metrics some steps late: the saved data is the same as with immediate reports. */
#include "io/runfile/run-file.h"
#include "run/core/rows.h"
#include "run/helpers/lorenz.h"

#include <math.h>
#include <string.h>

#define N_METRICS 3

/* Metrics measured but not yet reported; there is a single run. */
static struct {
  guint  n;
  double metrics[LAC_STEP_MOST_OPEN][N_METRICS]; /* oldest first */
  gint64 diverge_at, step;
} waiting;

static gboolean
row_is_ready(gpointer owner G_GNUC_UNUSED, guint64 step G_GNUC_UNUSED)
{
  return FALSE;
}

static gboolean
finish_row(gpointer owner G_GNUC_UNUSED,
           guint64        step,
           gpointer       result,
           GError **error G_GNUC_UNUSED)
{
  LacStepReport *report = result;

  g_assert_cmpint((gint64) step, ==, waiting.step - waiting.n + 1);
  memcpy(report->metrics, waiting.metrics[0], sizeof waiting.metrics[0]);
  memmove(waiting.metrics[0], waiting.metrics[1], --waiting.n * sizeof waiting.metrics[0]);
  if ((gint64) step != waiting.diverge_at)
    return TRUE;
  report->outcome = LAC_OUTCOME_DIVERGED;
  g_strlcpy(report->why, "the butterfly flew away", sizeof report->why);
  return TRUE;
}

static gboolean
late_step(gpointer state, LacStepReport *report, GError **error)
{
  static const LacPendingType row = {row_is_ready, finish_row};
  LacStepReport               own = *report;

  g_assert_cmpuint(waiting.n, <, LAC_STEP_MOST_OPEN);
  own.metrics = waiting.metrics[waiting.n];
  for (gsize i = 0; i < N_METRICS; i++)
    own.metrics[i] = (double) NAN;
  if (!lorenz.step(state, &own, error))
    return FALSE;
  waiting.n++;
  report->outcome = own.outcome;
  report->pending = (LacPending){&row, state, (guint64) ++waiting.step};
  return TRUE;
}

/* State requested for a frame; available at the third poll. */
static LacStore *asked;
static guint     n_polls;

static gboolean
frame_is_ready(gpointer owner G_GNUC_UNUSED, guint64 ticket G_GNUC_UNUSED)
{
  return ++n_polls >= 3;
}

static gboolean
finish_frame(gpointer       state,
             guint64 ticket G_GNUC_UNUSED,
             gpointer       frame,
             GError **error G_GNUC_UNUSED)
{
  g_autoptr(LacStore) now = lac_store_new();

  lorenz.save(state, now);
  g_assert_true(lorenz.load(state, asked, NULL));
  lorenz.snapshot(state, frame, NULL);
  g_assert_true(lorenz.load(state, now, NULL));
  g_clear_pointer(&asked, lac_store_free);
  return TRUE;
}

static void
late_snapshot(gpointer state, LacFrame *frame, LacPending *pending)
{
  static const LacPendingType type = {frame_is_ready, finish_frame};

  if (!pending) {
    lorenz.snapshot(state, frame, NULL);
    return;
  }
  g_assert_null(asked);
  asked = lac_store_new();
  lorenz.save(state, asked);
  n_polls = 0;
  *pending = (LacPending){&type, state, 0};
}

static LacRun *
run_late(const LacRunSettings *settings, gint64 diverge_at)
{
  LacExperiment  late = lorenz;
  LacRunSettings own = *settings;

  memset(&waiting, 0, sizeof waiting);
  waiting.diverge_at = diverge_at;
  late.step = late_step;
  late.snapshot = late_snapshot;
  own.experiment = &late;
  return lorenz_run(&own);
}

/* Asserts equal frames with the metrics of their own steps. */
static void
assert_same_frames(const char *folder, const char *other)
{
  g_autoptr(LacRunFile) one = lac_run_file_open(folder, NULL), two = lac_run_file_open(other, NULL);

  g_assert_cmpuint(one->n_frames, ==, two->n_frames);
  for (gsize i = 0; i < one->n_frames; i++) {
    g_autoptr(LacFrame) a = lac_run_file_load_frame(one, (guint) i, NULL);
    g_autoptr(LacFrame) b = lac_run_file_load_frame(two, (guint) i, NULL);

    g_assert_cmpint(a->step, ==, b->step);
    g_assert_cmpmem(a->metrics, a->n_metrics * sizeof(double), b->metrics,
                    b->n_metrics * sizeof(double));
  }
}

static void
test_same_rows(void)
{
  g_autofree char    *out = test_folder_new();
  g_autoptr(LacDraft) draft = lorenz_draft("steps", "3000", NULL);
  LacRunSettings      settings = lorenz_settings(draft, out);
  g_autoptr(LacRun)   now = lorenz_run(&settings);
  g_autoptr(LacRun)   late = run_late(&settings, 0);

  assert_same_results(lac_run_get_folder(now), lac_run_get_folder(late));
  assert_same_frames(lac_run_get_folder(now), lac_run_get_folder(late));
  test_folder_remove(g_steal_pointer(&out));
}

/* With few saved frames rows wait; those after the diverged step are never recorded. */
static void
test_divergence(void)
{
  g_autofree char      *out = test_folder_new();
  g_autoptr(LacDraft)   draft = lorenz_draft("steps", "100000", NULL);
  LacRunSettings        settings = lorenz_settings(draft, out);
  g_autoptr(LacRun)     late = run_late(&settings, 1003);
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(late), NULL);

  g_assert_cmpstr(file->outcome, ==, "diverged");
  g_assert_cmpuint(file->n_series, ==, 1003);
  for (gsize i = 0; i < file->n_series; i++)
    g_assert_true(isfinite(file->series[i * N_METRICS]));
  g_assert_cmpint(file->steps, >=, 1003);
  g_assert_cmpint(file->steps, <=, 1003 + LAC_STEP_MOST_OPEN);
  test_folder_remove(g_steal_pointer(&out));
}

static gboolean
is_old(gpointer newest, guint64 step)
{
  return *(const gint64 *) newest - (gint64) step >= 5;
}

/* Rows become due in order: when their metrics are there, when there is no more room, or when all are asked for. */
static void
test_rows_go_round(void)
{
  static const LacPendingType type = {is_old, NULL};
  LacRunRows                  rows;
  gint64                      wanted = 1, newest;

  lac_run_rows_init(&rows, 2);
  for (gint64 step = newest = 1; step <= 100; newest = ++step) {
    LacRunRow *row = lac_run_rows_add(&rows), *due;

    g_assert_true(isnan(row->metrics[0]) && isnan(row->metrics[1]));
    g_assert_false(lac_pending_is_open(&row->pending));
    row->step = step;
    row->metrics[0] = (double) step;
    row->pending = (LacPending){&type, &newest, (guint64) (step <= 40 ? step : G_MAXINT32)};
    g_assert_true(lac_run_rows_find(&rows, step) == row->metrics);
    while ((due = lac_run_rows_get_due(&rows, step % 20 == 0))) {
      const LacRunRow *taken = lac_run_rows_take(&rows);

      g_assert_true(taken == due);
      g_assert_cmpint(taken->step, ==, wanted);
      g_assert_cmpfloat(taken->metrics[0], ==, (double) wanted);
      wanted++;
    }
    g_assert_cmpuint(rows.n, <, LAC_STEP_MOST_OPEN);
    g_assert_true(step % 20 != 0 || rows.n == 0);
    g_assert_true(step % 20 < 10 || rows.n == (step <= 40 ? 5 : LAC_STEP_MOST_OPEN - 1));
  }
  lac_run_rows_forget_pending(&rows);
  g_assert_true(rows.n == 0 || lac_run_rows_get_due(&rows, FALSE) != NULL);
  lac_run_rows_clear(&rows);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/late-rows/rows-go-round", test_rows_go_round);
  g_test_add_func("/run/late-rows/same-rows", test_same_rows);
  g_test_add_func("/run/late-rows/nothing-after-a-divergence", test_divergence);
  return g_test_run();
}
