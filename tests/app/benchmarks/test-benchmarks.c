/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of benchmarks with stored results of known values: verdict, lines, trend, baseline; and the process that
 * measures, played by a shell script. */
#include "app/benchmarks/page.h"
#include "app/helpers/display.h"
#include "base/pool.h"
#include "helpers/folder.h"
#include "run/machine/machine.h"

#include <glib/gstdio.h>

#include <math.h>
#include <signal.h>
#include <string.h>

#define N_RESULTS 16
#define N_SAMPLES 8
#define N_SLOWER  12 /* the first result that is slower */
#define BASELINE  9

typedef struct {
  char              *folder;
  GtkWidget         *window;
  LacBenchmarksPage *page;
} Fixture;

/* ---- stored results ---- */

static void
add_row(LacBenchFile *file, LacBenchRow row, double value)
{
  LacBenchRow *to = lac_bench_file_add(file, &row);

  for (guint k = 0; k < N_SAMPLES; k++)
    lac_bench_row_sample(
      to, row.kind == LAC_BENCH_QUALITY ? value : value * (1 + ((double) k - 3.5) / 350));
}

static void
set_machine(LacBenchFile *file, const char *identity, const char *revision, const char *started)
{
  const char *const facts[] = {LAC_BENCH_IDENTITY, identity, "revision", revision,
                               "started",          started,  NULL};

  g_strfreev(file->machine);
  file->machine = g_strdupv((char **) facts);
  file->threads = lac_pool_available();
}

/* Stores a result of @day with @step seconds; the name of its version is "v" and the day. */
static void
store(const char *folder, guint day, double step, const char *identity)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  g_autoptr(GError)       error = NULL;
  g_autofree char        *own = lac_machine_dup_identity(NULL);
  g_autofree char        *revision = g_strdup_printf("v%u", day);
  g_autofree char        *started = g_strdup_printf("2026-03-%02uT10:00:00Z", day);
  g_autofree char *path = g_strdup_printf("%s/%s-%u.json", folder, identity ? "x" : "a", day);

  set_machine(file, identity != NULL ? identity : own, revision, started);
  add_row(file,
          (LacBenchRow){.name = "imaging/medium",
                        .metric = "step_seconds",
                        .unit = "s",
                        .kind = LAC_BENCH_TIME,
                        .limit = 1},
          step);
  add_row(file,
          (LacBenchRow){
            .name = "flow/small", .metric = "step_seconds", .unit = "s", .kind = LAC_BENCH_TIME},
          0.007);
  add_row(
    file,
    (LacBenchRow){
      .name = "flow/small", .metric = "pinn.relative_l2", .unit = "1", .kind = LAC_BENCH_QUALITY},
    0.089);
  g_assert_true(lac_bench_file_write(file, path, &error));
  g_assert_no_error(error);
}

static void
store_ablation(const char *folder)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  g_autofree char        *own = lac_machine_dup_identity(NULL);
  g_autofree char        *path = g_build_filename(folder, "ablation.json", NULL);
  const LacBenchRow       times = {
          .name = "ablation/small/tiles", .unit = "s", .kind = LAC_BENCH_TIME, .metric = "with_seconds"};
  LacBenchRow without = times;

  without.metric = "without_seconds";
  set_machine(file, own, "v1", "2026-03-01T10:00:00Z");
  add_row(
    file,
    (LacBenchRow){
      .name = "ablation/small/tiles", .metric = "speedup", .unit = "1", .kind = LAC_BENCH_SPEEDUP},
    2);
  add_row(file, times, 0.01);
  add_row(file, without, 0.02);
  g_assert_true(lac_bench_file_write(file, path, NULL));
}

/* Stores exponents of one operation, measured on one thread: @time beside 2 by theory, at most 2.15. */
static void
store_growth(const char *folder, guint day, double time)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  g_autofree char        *own = lac_machine_dup_identity(NULL);
  g_autofree char        *started = g_strdup_printf("2026-03-%02uT10:00:00Z", day);
  g_autofree char        *path = g_strdup_printf("%s/growth-%u.json", folder, day);
  LacBenchRow             row = {.name = "growth/raar_step/object",
                                 .metric = "time_exponent",
                                 .unit = "1",
                                 .kind = LAC_BENCH_QUALITY,
                                 .limit = 2.15};

  set_machine(file, own, "v1", started);
  file->threads = 1;
  add_row(file, row, time);
  row.metric = "time_theory";
  row.limit = 0;
  add_row(file, row, 2);
  g_assert_true(lac_bench_file_write(file, path, NULL));
}

static void
pin(const char *folder, const char *name)
{
  g_autoptr(GKeyFile) pins = g_key_file_new();
  g_autofree char    *own = lac_machine_dup_identity(NULL);
  g_autofree char    *path = g_build_filename(folder, "baselines.ini", NULL);

  g_key_file_set_string(pins, own, "file", name);
  g_key_file_set_string(pins, own, "pinned", "2026-03-11T10:00:00Z");
  g_assert_true(g_key_file_save_to_file(pins, path, NULL));
}

/* Twelve results of 40 ms, then four of 46 ms; one of another machine, and a broken file. */
static void
store_all(const char *folder)
{
  g_autofree char *broken = g_build_filename(folder, "broken.json", NULL);
  g_autofree char *name = g_strdup_printf("a-%u.json", BASELINE + 1);

  for (guint i = 0; i < N_RESULTS; i++)
    store(folder, i + 1, (i < N_SLOWER ? 0.040 : 0.046) * (1 + 0.002 * (double) (i % 3)), NULL);
  store(folder, 20, 0.001, "another machine");
  g_assert_true(g_file_set_contents(broken, "{\"format\": \"lacuna-bench\"", -1, NULL));
  pin(folder, name);
}

/* ---- the page ---- */

static void
on_changed(gboolean *has_changed)
{
  *has_changed = TRUE;
}

static void
wait_for_change(Fixture *fixture)
{
  gboolean has_changed = FALSE;
  guint    late = display_limit_wait();
  gulong   handler =
    g_signal_connect_swapped(fixture->page, "changed", G_CALLBACK(on_changed), &has_changed);

  while (!has_changed)
    g_main_context_iteration(NULL, TRUE);
  g_signal_handler_disconnect(fixture->page, handler);
  g_source_remove(late);
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  fixture->folder = test_folder_new();
  fixture->window = gtk_window_new();
  fixture->page = g_object_new(LAC_TYPE_BENCHMARKS_PAGE, NULL);
  gtk_window_set_default_size(GTK_WINDOW(fixture->window), 1016, 700);
  gtk_window_set_child(GTK_WINDOW(fixture->window), GTK_WIDGET(fixture->page));
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  gtk_window_destroy(GTK_WINDOW(fixture->window));
  test_folder_remove(fixture->folder);
}

static void
read_folder(Fixture *fixture)
{
  lac_benchmarks_page_set_folder(fixture->page, fixture->folder);
  wait_for_change(fixture);
}

static const LacBenchLine *
get_line(Fixture *fixture, LacBenchTable kind, guint i)
{
  return lac_column_table_get_row(lac_benchmarks_page_get_table(fixture->page, kind), i);
}

static guint
count_lines(Fixture *fixture, LacBenchTable kind)
{
  return lac_column_table_get_n_rows(lac_benchmarks_page_get_table(fixture->page, kind));
}

static void
test_empty(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  read_folder(fixture);
  g_assert_null(lac_benchmarks_page_get_shown(fixture->page));
  g_assert_null(lac_benchmarks_page_get_answer(fixture->page));
  g_assert_cmpuint(count_lines(fixture, LAC_BENCH_TIERS), ==, 0);
}

static void
test_verdict(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  store_all(fixture->folder);
  read_folder(fixture);
  g_assert_cmpstr(lac_benchmarks_page_get_shown(fixture->page)->version, ==, "v16");
  g_assert_cmpstr(lac_benchmarks_page_get_baseline(fixture->page)->version, ==, "v10");
  g_assert_cmpstr(lac_benchmarks_page_get_answer(fixture->page), ==,
                  "The gate fails: the step (Imaging, medium) is 15 % slower than its baseline.");
  g_assert_cmpuint(count_lines(fixture, LAC_BENCH_TIERS), ==, 2);
  const LacBenchLine *imaging = get_line(fixture, LAC_BENCH_TIERS, 0);
  const LacBenchLine *flow = get_line(fixture, LAC_BENCH_TIERS, 1);
  g_assert_cmpstr(imaging->laboratory, ==, "Imaging");
  g_assert_cmpint(imaging->shown->state, ==, LAC_BENCH_FAILS);
  g_assert_cmpfloat_with_epsilon(imaging->shown->change, 0.15, 0.003);
  g_assert_cmpint(flow->shown->state, ==, LAC_BENCH_HOLDS);
  g_assert_cmpfloat(lac_bench_row_median(flow->physics->row), ==, 0.089);
  g_assert_null(flow->forward);
  /* in the gate the row that fails is the first */
  g_assert_cmpuint(count_lines(fixture, LAC_BENCH_GATE), ==, 3);
  g_assert_cmpint(get_line(fixture, LAC_BENCH_GATE, 0)->shown->state, ==, LAC_BENCH_FAILS);
  g_assert_cmpint(get_line(fixture, LAC_BENCH_GATE, 1)->shown->state, ==, LAC_BENCH_HOLDS);
}

/* The trend is that of the line chosen: first of the one that fails. */
static void
test_trend(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  store_all(fixture->folder);
  read_folder(fixture);
  LacTrendView   *trend = lac_benchmarks_page_get_trend(fixture->page);
  LacColumnTable *table = lac_benchmarks_page_get_table(fixture->page, LAC_BENCH_TIERS);
  gsize           n;
  const gsize    *changes = lac_trend_view_get_changes(trend, &n);
  g_assert_cmpuint(lac_trend_view_get_n(trend), ==, N_RESULTS); /* without the other machine */
  g_assert_cmpuint(n, ==, 1);
  g_assert_cmpuint(changes[0], ==, N_SLOWER);
  gtk_selection_model_select_item(lac_column_table_get_selection(table), 1, TRUE);
  lac_trend_view_get_changes(trend, &n);
  g_assert_cmpuint(lac_trend_view_get_n(trend), ==, N_RESULTS);
  g_assert_cmpuint(n, ==, 0);
}

static void
test_pin(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  store_all(fixture->folder);
  read_folder(fixture);
  lac_benchmarks_page_pin(fixture->page);
  wait_for_change(fixture);
  g_assert_null(lac_benchmarks_page_get_baseline(fixture->page)); /* not compared with itself */
  g_assert_cmpstr(lac_benchmarks_page_get_answer(fixture->page), ==, "Every limit holds.");
  store(fixture->folder, 17, 0.046, NULL);
  read_folder(fixture);
  g_assert_cmpstr(lac_benchmarks_page_get_baseline(fixture->page)->version, ==, "v16");
  g_assert_cmpstr(lac_benchmarks_page_get_answer(fixture->page), ==,
                  "The gate holds: 3 rows are within their limits.");
}

static void
test_ablation(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  store_all(fixture->folder);
  store_ablation(fixture->folder);
  read_folder(fixture);
  g_assert_cmpuint(count_lines(fixture, LAC_BENCH_ABLATION), ==, 0);
  g_assert_false(lac_benchmarks_page_show_table(fixture->page, "another"));
  g_assert_true(lac_benchmarks_page_show_table(fixture->page, "ablation"));
  g_assert_true(lac_benchmarks_page_get_shown(fixture->page)->family == LAC_BENCH_OF_ABLATION);
  g_assert_cmpuint(count_lines(fixture, LAC_BENCH_ABLATION), ==, 1);
  const LacBenchLine *tiles = get_line(fixture, LAC_BENCH_ABLATION, 0);
  g_assert_cmpfloat_with_epsilon(lac_bench_row_median(tiles->shown->row), 2, 1e-9);
  g_assert_cmpfloat_with_epsilon(lac_bench_row_median(tiles->without->row), 0.02, 1e-9);
  g_assert_true(lac_benchmarks_page_show_table(fixture->page, "tiers"));
  g_assert_cmpstr(lac_benchmarks_page_get_shown(fixture->page)->version, ==, "v16");
}

static void
test_micro(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  store_all(fixture->folder);
  store_growth(fixture->folder, 1, 2.41);
  read_folder(fixture);
  g_assert_true(lac_benchmarks_page_has_tiers(fixture->page));
  g_assert_true(lac_benchmarks_page_show_table(fixture->page, "micro"));
  g_assert_false(lac_benchmarks_page_has_tiers(fixture->page));
  g_assert_cmpuint(count_lines(fixture, LAC_BENCH_MICRO), ==, 1);
  const LacGrowthLine *growth = &get_line(fixture, LAC_BENCH_MICRO, 0)->growth;
  g_assert_cmpstr(growth->time, ==, "2.41 ± 0.00 (2.00)");
  g_assert_cmpint(growth->time_verdict, ==, LAC_GROWTH_ABOVE);
  g_assert_cmpstr(
    lac_benchmarks_page_get_answer(fixture->page), ==,
    "The cost of RAAR step grows faster with object than theory allows: the exponent of time is "
    "2.41, at most 2.15.");
  g_assert_null(lac_benchmarks_page_get_baseline(fixture->page));
  store_growth(fixture->folder, 2, 2.05);
  read_folder(fixture);
  g_assert_cmpint(get_line(fixture, LAC_BENCH_MICRO, 0)->growth.time_verdict, ==,
                  LAC_GROWTH_AGREES);
  g_assert_cmpstr(lac_benchmarks_page_get_answer(fixture->page), ==,
                  "1 operation grows no faster than theory allows.");
  g_assert_cmpuint(lac_trend_view_get_n(lac_benchmarks_page_get_trend(fixture->page)), ==, 2);
  g_assert_true(lac_benchmarks_page_show_table(fixture->page, "gate"));
  g_assert_cmpstr(lac_benchmarks_page_get_shown(fixture->page)->version, ==, "v16");
}

/* ---- the process ---- */

typedef struct {
  char *path, *why;
  guint n_ended, n_phases;
  char *last; /* the phase seen last */
} Seen;

static void
on_ended(LacBenchRunner *runner, const char *path, const char *why, Seen *seen)
{
  seen->path = g_strdup(path);
  seen->why = g_strdup(why);
  seen->n_ended++;
}

static void
on_progressed(LacBenchRunner *runner, Seen *seen)
{
  const LacBenchPhase phase = lac_bench_runner_get_phase(runner);

  if (phase.phase == NULL)
    return;
  seen->n_phases++;
  g_free(seen->last);
  seen->last =
    g_strdup_printf("%s %u/%u %u/%u %s", phase.phase, phase.n_done, phase.n_all, phase.round,
                    phase.n_rounds, isnan(phase.seconds_left) ? "unknown" : "known");
}

static void
seen_clear(Seen *seen)
{
  g_free(seen->path);
  g_free(seen->why);
  g_free(seen->last);
  *seen = (Seen){0};
}

static const LacBenchOrder two_tiers = {LAC_BENCH_OF_TIERS, "small,medium", "flow/", NULL};
static const LacBenchOrder operations = {LAC_BENCH_OF_GROWTH, NULL, NULL, NULL};

/* Runs @script as the program, with @order; stops it after the first phase if @stops. */
static void
measure(const char *folder, LacBenchOrder order, const char *script, gboolean stops, Seen *seen)
{
  g_autofree char  *program = g_build_filename(folder, "program", NULL);
  g_autofree char  *path = g_build_filename(folder, "result.json", NULL);
  g_autoptr(GError) error = NULL;
  guint             late = display_limit_wait();

  g_assert_true(g_file_set_contents(program, script, -1, &error));
  g_chmod(program, 0755);
  g_autoptr(LacBenchRunner) runner = lac_bench_runner_new(program);
  g_signal_connect(runner, "ended", G_CALLBACK(on_ended), seen);
  g_signal_connect(runner, "progressed", G_CALLBACK(on_progressed), seen);
  order.path = path;
  g_assert_true(lac_bench_runner_start(runner, &order, &error));
  g_assert_no_error(error);
  g_assert_true(lac_bench_runner_is_running(runner));
  while (seen->n_ended == 0) {
    if (stops && seen->n_phases > 0)
      lac_bench_runner_stop(runner);
    g_main_context_iteration(NULL, TRUE);
  }
  g_assert_false(lac_bench_runner_is_running(runner));
  g_source_remove(late);
}

static void
test_runner(void)
{
  char *folder = test_folder_new();
  Seen  seen = {0};

  /* the last argument but one is the output; the second round has an estimate */
  measure(folder, two_tiers,
          "#!/bin/sh\n"
          "[ \"$1 $2 $3 $5\" = 'bench --progress --scale=small,medium --only=flow/' ] || exit 2\n"
          "echo progress 0 4 1 2 flow/small/step >&2\n"
          "echo progress 1 4 1 2 flow/medium/step >&2\n"
          "echo progress 2 4 2 2 flow/small/step >&2\n"
          "echo progress 3 4 2 2 flow/medium/step >&2\n"
          "echo {} > ${4#--output=}\nexit 1\n",
          FALSE, &seen);
  g_assert_true(g_str_has_suffix(seen.path, "result.json")); /* status 1: a limit is missed */
  g_assert_null(seen.why);
  g_assert_cmpstr(seen.last, ==, "flow/medium/step 3/4 2/2 known");
  g_assert_cmpuint(seen.n_phases, >=, 4);
  seen_clear(&seen);
  test_folder_remove(folder);
}

static void
test_runner_operations(void)
{
  char *folder = test_folder_new();
  Seen  seen = {0};

  measure(folder, operations,
          "#!/bin/sh\n"
          "[ \"$1 $2 $3 $4\" = 'bench growth --rounds=2 --progress' ] || exit 2\n"
          "echo progress 0 1 1 1 growth/pod/grid >&2\n"
          "echo {} > ${5#--output=}\n",
          FALSE, &seen);
  g_assert_true(g_str_has_suffix(seen.path, "result.json"));
  seen_clear(&seen);
  test_folder_remove(folder);
}

static void
test_runner_fails(void)
{
  char *folder = test_folder_new();
  Seen  seen = {0};

  measure(folder, two_tiers, "#!/bin/sh\necho 'lacuna: no memory' >&2\nexit 1\n", FALSE, &seen);
  g_assert_null(seen.path);
  g_assert_cmpstr(seen.why, ==, "lacuna: no memory");
  seen_clear(&seen);
  measure(folder, two_tiers,
          "#!/bin/sh\necho progress 0 2 1 2 flow/small/step >&2\nexec sleep 1000\n", TRUE, &seen);
  g_assert_null(seen.path);
  g_assert_null(seen.why);
  g_assert_cmpstr(seen.last, ==, "flow/small/step 0/2 1/2 unknown");
  seen_clear(&seen);
  test_folder_remove(folder);
}

/* Disposing of the owner's reference ends the process, which writes its number. */
static void
test_runner_disposed(void)
{
  char             *folder = test_folder_new();
  g_autofree char  *program = g_build_filename(folder, "program", NULL);
  g_autofree char  *path = g_build_filename(folder, "pid", NULL);
  g_autofree char  *text = NULL;
  g_autoptr(GError) error = NULL;
  guint             late = display_limit_wait();

  g_assert_true(g_file_set_contents(program,
                                    "#!/bin/sh\necho $$ > ${4#--output=}.part\nmv "
                                    "${4#--output=}.part ${4#--output=}\nexec sleep 1000\n",
                                    -1, &error));
  g_chmod(program, 0755);
  LacBenchRunner *runner = lac_bench_runner_new(program);
  g_assert_true(lac_bench_runner_start(
    runner, &(LacBenchOrder){LAC_BENCH_OF_TIERS, "small", NULL, path}, &error));
  while (!g_file_get_contents(path, &text, NULL, NULL))
    g_usleep(1000);
  g_object_run_dispose(G_OBJECT(runner));
  g_object_unref(runner);
  while (kill((pid_t) g_ascii_strtoll(text, NULL, 10), 0) == 0)
    g_main_context_iteration(NULL, FALSE);
  g_source_remove(late);
  test_folder_remove(folder);
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
#define TEST(name, function) \
  g_test_add("/app/benchmarks/" name, Fixture, NULL, set_up, function, tear_down)
  TEST("no-result-has-no-verdict", test_empty);
  TEST("the-verdict-names-the-slower-row", test_verdict);
  TEST("the-trend-follows-the-line", test_trend);
  TEST("a-pinned-result-is-the-baseline", test_pin);
  TEST("an-ablation-has-its-own-results", test_ablation);
  TEST("operations-have-their-exponents", test_micro);
  g_test_add_func("/app/benchmarks/the-process-reports-its-phases", test_runner);
  g_test_add_func("/app/benchmarks/operations-take-no-tier", test_runner_operations);
  g_test_add_func("/app/benchmarks/a-failure-and-a-stop-are-told-apart", test_runner_fails);
  g_test_add_func("/app/benchmarks/the-process-ends-with-its-owner", test_runner_disposed);
  return g_test_run();
}
