/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark result files: round trip, and refusal of invalid files. */
#include "base/error.h"
#include "io/format/bench-file.h"

#include <glib.h>
#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

static LacBenchFile *
make_file(void)
{
  LacBenchFile *file = lac_bench_file_new();
  const char   *facts[] = {LAC_BENCH_IDENTITY, "a processor, 2 cores", "load before", "0.50", NULL};
  const LacBenchRow time = {.name = "flow/small",
                            .metric = "step_seconds",
                            .unit = "s",
                            .kind = LAC_BENCH_TIME,
                            .limit = 0.1};
  const LacBenchRow error = {.name = "flow/small",
                             .metric = "relative_l2",
                             .unit = "1",
                             .note = "after 100 \"steps\"",
                             .kind = LAC_BENCH_QUALITY,
                             .tolerance = 0.05};
  LacBenchRow      *row = lac_bench_file_add(file, &time);

  g_strfreev(file->machine);
  file->machine = g_strdupv((GStrv) facts);
  file->threads = 2;
  for (int i = 0; i < 3; i++) {
    lac_bench_row_sample(row, 1.0 / (3 + i));
    lac_bench_row_relative(row, 1e-6 * (3 + i));
  }
  lac_bench_row_sample(lac_bench_file_add(file, &error), 0.25);
  return file;
}

static void
assert_equal(const GArray *a, const GArray *b)
{
  g_assert_cmpuint(a->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    g_assert_cmpfloat(g_array_index(a, double, i), ==, g_array_index(b, double, i));
}

static void
test_round_trip(void)
{
  g_autoptr(GError)       error = NULL;
  g_autofree char        *folder = g_dir_make_tmp("lacuna-bench-XXXXXX", &error);
  g_autofree char        *path = g_build_filename(folder, "a.json", NULL);
  g_autoptr(LacBenchFile) file = make_file(), read = NULL;

  g_assert_true(lac_bench_file_write(file, path, &error));
  g_assert_true(lac_is_bench_file(path));
  read = lac_bench_file_read(path, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(read->threads, ==, 2);
  g_assert_cmpstr(lac_bench_file_get_fact(read, LAC_BENCH_IDENTITY), ==, "a processor, 2 cores");
  g_assert_cmpuint(read->rows->len, ==, file->rows->len);
  for (guint i = 0; i < file->rows->len; i++) {
    const LacBenchRow *a = g_ptr_array_index(file->rows, i), *b = g_ptr_array_index(read->rows, i);

    g_assert_cmpstr(a->name, ==, b->name);
    g_assert_cmpstr(a->metric, ==, b->metric);
    g_assert_cmpstr(a->unit, ==, b->unit);
    g_assert_cmpstr(a->note, ==, b->note);
    g_assert_cmpint(a->kind, ==, b->kind);
    g_assert_cmpfloat(a->limit, ==, b->limit);
    g_assert_cmpfloat(a->tolerance, ==, b->tolerance);
    assert_equal(a->samples, b->samples);
    assert_equal(a->relative, b->relative);
  }
  g_remove(path);
  g_rmdir(folder);
}

static void
test_merge(void)
{
  g_autoptr(LacBenchFile) file = make_file(), more = make_file();
  const LacBenchRow      *row;

  lac_bench_file_merge(file, more);
  row = lac_bench_file_find(file, "flow/small", "step_seconds");
  g_assert_cmpuint(file->rows->len, ==, 2);
  g_assert_cmpuint(row->samples->len, ==, 6);
  g_assert_cmpuint(row->relative->len, ==, 6);
  g_assert_null(lac_bench_file_find(file, "flow/small", "nonsense"));
}

static void
test_limits(void)
{
  g_autoptr(LacBenchFile) file = make_file();
  LacBenchRow            *row = g_ptr_array_index(file->rows, 0);

  g_array_set_size(row->relative, 0); /* as measured without the fixed workload */
  g_assert_cmpfloat(lac_bench_row_median(row), ==, 0.25);
  g_assert_false(lac_bench_row_passes(row)); /* 0.25 s, the limit is 0.1 s */
  g_assert_false(lac_bench_file_passes(file));
  row->limit = 0.3;
  g_assert_true(lac_bench_file_passes(file));
  g_array_set_size(row->samples, 0);
  g_assert_false(lac_bench_row_passes(row)); /* without a measurement, a limit is not met */
}

/* When higher is better, the limit is a lower bound. */
static void
test_merit(void)
{
  const LacBenchRow wanted = {
    .name = "decoder", .metric = "psnr", .unit = "dB", .kind = LAC_BENCH_MERIT, .limit = 50};
  g_autoptr(LacBenchFile) file = lac_bench_file_new(), read = NULL;
  g_autoptr(GError)       error = NULL;
  g_autofree char        *text = NULL;
  LacBenchRow            *row = lac_bench_file_add(file, &wanted);

  lac_bench_row_sample(row, 51);
  g_assert_true(lac_bench_row_passes(row));
  row->limit = 52;
  g_assert_false(lac_bench_row_passes(row));
  row->kind = LAC_BENCH_QUALITY;
  g_assert_true(lac_bench_row_passes(row));
  row->kind = LAC_BENCH_MERIT;
  text = lac_bench_file_dup_text(file, FALSE);
  read = lac_bench_file_parse(text, "x.json", &error);
  g_assert_no_error(error);
  g_assert_cmpint(lac_bench_file_find(read, "decoder", "psnr")->kind, ==, LAC_BENCH_MERIT);
  g_assert_false(lac_bench_file_passes(read));
}

static void
test_refusals(void)
{
  static const char *const texts[] = {
    "",
    "[]",
    "{}",
    "{\"format\": \"lacuna-bench\"}",
    "{\"format\": \"lacuna-bench\", \"version\": 99, \"machine\": {}, \"results\": []}",
    "{\"format\": \"lacuna-bench\", \"version\": 1, \"machine\": [], \"results\": []}",
    "{\"format\": \"lacuna-bench\", \"version\": 1, \"machine\": {}, \"results\": [3]}",
    "{\"format\": \"lacuna-bench\", \"version\": 1, \"machine\": {}, \"results\": [{}]}",
    "{\"format\": \"lacuna-bench\", \"version\": 1, \"machine\": {}, \"results\": [{\"name\": "
    "\"a\", "
    "\"metric\": \"b\", \"unit\": \"s\", \"kind\": \"nonsense\"}]}",
    "{\"format\": 3, \"version\": 1, \"machine\": {}, \"results\": []}",
  };

  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(GError)       error = NULL;
    g_autoptr(LacBenchFile) file = lac_bench_file_parse(texts[i], "x.json", &error);

    g_assert_null(file);
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    g_assert_nonnull(strstr(error->message, "x.json"));
  }
}

/* Members of the wrong type are ignored. */
static void
test_wrong_members(void)
{
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacBenchFile) file = lac_bench_file_parse(
    "{\"format\": \"lacuna-bench\", \"version\": 1, \"threads\": \"two\", \"machine\": {\"a\": 3}, "
    "\"results\": [{\"name\": \"a\", \"metric\": \"b\", \"unit\": \"s\", \"kind\": \"time\", "
    "\"samples\": [1, null, \"x\", 2.5], \"relative\": 7, \"limit\": -1}]}",
    "x.json", &error);
  const LacBenchRow *row;

  g_assert_no_error(error);
  row = lac_bench_file_find(file, "a", "b");
  g_assert_cmpuint(row->samples->len, ==, 4);
  g_assert_true(isnan(g_array_index(row->samples, double, 1)));
  g_assert_cmpfloat(g_array_index(row->samples, double, 3), ==, 2.5);
  g_assert_cmpuint(row->relative->len, ==, 0);
  g_assert_cmpfloat(row->limit, ==, 0);
  g_assert_cmpuint(file->threads, ==, 0);
}

/* A machine half as fast takes twice as long for the fixed workload too. */
static void
test_limits_of_time_are_those_of_one_machine(void)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_new();
  const LacBenchRow       form = {.name = "flow/small",
                                  .metric = "step_seconds",
                                  .unit = "s",
                                  .kind = LAC_BENCH_TIME,
                                  .limit = 0.1};
  LacBenchRow            *row = lac_bench_file_add(file, &form);
  lac_bench_row_sample(row, 0.16);
  g_assert_false(lac_bench_row_passes(row));
  lac_bench_row_relative(row, 0.16 / (2 * LAC_BENCH_PROBE_SECONDS));
  g_assert_cmpfloat_with_epsilon(lac_bench_row_get_scaled(row), 0.08, 1e-12);
  g_assert_cmpfloat(lac_bench_row_median(row), ==, 0.16);
  g_assert_true(lac_bench_row_passes(row));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/bench-file/what-is-written-is-read-back", test_round_trip);
  g_test_add_func("/io/bench-file/rows-of-one-name-are-merged", test_merge);
  g_test_add_func("/io/bench-file/limits-are-of-the-median", test_limits);
  g_test_add_func("/io/bench-file/where-more-is-better-the-limit-is-the-least", test_merit);
  g_test_add_func("/io/bench-file/what-is-none-is-refused", test_refusals);
  g_test_add_func("/io/bench-file/members-of-another-type-are-left-out", test_wrong_members);
  g_test_add_func("/bench-file/limits-of-time-are-those-of-one-machine",
                  test_limits_of_time_are_those_of_one_machine);
  return g_test_run();
}
