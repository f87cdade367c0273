/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaks of a real run: 64 bytes a step are found within 2000 steps, and a sound run raises nothing. */
#include "helpers/sanitized.h"
#include "io/runfile/run-file.h"
#include "perf/analysis/analysis.h"
#include "run/helpers/lorenz.h"

#define N_STEPS    2000
#define LEAK       64
#define MOST_TRIES 3

/* Returns: (nullable): the finding about memory that goes on growing; free @analysis after use. */
static const LacFinding *
find_growth(const LacAnalysis *analysis)
{
  for (gsize i = 0; i < analysis->n; i++)
    if (analysis->findings[i].kind == LAC_FINDING_LEAK ||
        analysis->findings[i].kind == LAC_FINDING_TOUCHED ||
        analysis->findings[i].kind == LAC_FINDING_GROWTH)
      return &analysis->findings[i];
  return NULL;
}

static void
ignore_records(const LacRecord *records, gsize n, gpointer user_data)
{
}

static void
ignore_row(gint64 step, double seconds, const double *values, gpointer user_data)
{
}

/* Takes what the run hands over, as every program does: what is not taken waits in memory. */
static LacRun *
watch(const LacRunSettings *settings)
{
  g_autoptr(GError) error = NULL;
  LacRun           *run = lac_run_new(settings, &error);
  LacRunStatus      status;
  g_assert_no_error(error);
  lac_run_start(run, FALSE);
  do {
    g_autoptr(LacFrame) frame = lac_run_take_frame(run);
    lac_run_drain(run, ignore_records, ignore_row, NULL);
    lac_run_get_status(run, &status);
    g_usleep(5000);
  } while (status.state != LAC_RUN_ENDED);
  lac_run_wait(run, &error);
  g_assert_no_error(error);
  return run;
}

static LacRunFile *
make_run(const char *out, const char *leak)
{
  g_autofree char     *steps = g_strdup_printf("%d", N_STEPS);
  g_autoptr(LacDraft)  draft = lorenz_draft("steps", steps, "pause_us", "3000", "leak", leak, NULL);
  const LacRunSettings settings = lorenz_settings(draft, out);
  g_autoptr(GError)    error = NULL;
  LacRun              *run = watch(&settings);
  LacRunFile          *file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  lac_run_free(run);
  return file;
}

/* Returns: FALSE if nothing was found. */
static gboolean
find_planted(void)
{
  g_autofree char      *out = test_folder_new();
  g_autoptr(LacRunFile) run = make_run(out, G_STRINGIFY(LEAK));
  g_auto(LacAnalysis)   analysis = lac_analysis_make(run->capture);
  const LacFinding     *leak = find_growth(&analysis);
  test_folder_remove(g_steal_pointer(&out));
  if (leak == NULL)
    return FALSE;
  g_assert_cmpint(leak->kind, ==, LAC_FINDING_LEAK);
  /* per 100 steps; the allocator adds its own header */
  g_assert_cmpfloat(leak->ratio, >, 100 * LEAK * 0.9);
  g_assert_cmpfloat(leak->ratio, <, 100 * (LEAK + 16) * 1.1);
  return TRUE;
}

/* On a busy machine the heap is sampled seldom, and one array that doubles may hide a leak as small as this. */
static void
test_planted(void)
{
  guint n = 0;
  while (n < MOST_TRIES && !find_planted())
    n++;
  g_assert_cmpuint(n, <, MOST_TRIES);
}

static void
test_sound(void)
{
  g_autofree char      *out = test_folder_new();
  g_autoptr(LacRunFile) run = make_run(out, "0");
  g_auto(LacAnalysis)   analysis = lac_analysis_make(run->capture);
  g_assert_null(find_growth(&analysis));
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (!TEST_IS_SANITIZED) /* a sanitizer's allocator does not count the live heap */
    g_test_add_func("/run/leak/planted", test_planted);
  g_test_add_func("/run/leak/sound", test_sound);
  return g_test_run();
}
