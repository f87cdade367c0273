/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark file of the process, with progress output to the terminal. */
#include "bench/harness/program.h"

#include "bench/harness/machine.h"

#include <stdlib.h>
#include <unistd.h>

static LacBenchFile *reported;

void
bench_parse(const GOptionEntry *entries, const char *what, int *argc, char ***argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new(what);
  g_autoptr(GError)         error = NULL;

  g_option_context_add_main_entries(context, entries, NULL);
  if (g_option_context_parse(context, argc, argv, &error))
    return;
  g_printerr("%s\n", error->message);
  exit(2);
}

void
bench_begin(guint n_threads, const char *backend)
{
  g_return_if_fail(!reported);
  reported = lac_bench_file_new();
  lac_bench_describe_machine(reported, n_threads, backend);
}

LacBenchRow
bench_row(const char *name, const char *metric, const char *unit, LacBenchKind kind, double limit)
{
  return (LacBenchRow){.name = name, .metric = metric, .unit = unit, .kind = kind, .limit = limit};
}

void
bench_print(LacBenchRow row, const double *samples, gsize n)
{
  LacBenchRow *to = lac_bench_file_add(reported, &row);

  g_return_if_fail(to->samples->len == 0);
  for (gsize i = 0; i < n; i++)
    lac_bench_row_sample(to, samples[i]);
  if (isatty(STDERR_FILENO))
    g_printerr("%s %s: %.6g %s\n", row.name, row.metric, lac_bench_row_median(to), row.unit);
}

void
bench_print_one(LacBenchRow row, double sample)
{
  bench_print(row, &sample, 1);
}

int
bench_end(void)
{
  g_autofree char *text = lac_bench_file_dup_text(reported, TRUE);
  const gboolean   passed = lac_bench_file_passes(reported);

  g_print("%s\n", text);
  g_clear_pointer(&reported, lac_bench_file_free);
  return passed ? 0 : 1;
}

void
bench_print_steps(LacBenchAct step, gpointer data, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    const LacBenchClocks clocks = lac_bench_time(step, data);

    g_print("%.6g %.6g\n", 1e3 * clocks.wall, 1e3 * clocks.cpu);
  }
}
