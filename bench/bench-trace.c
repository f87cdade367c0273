/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long it takes, and how much memory, to open the trace of another program with ten million spans: written here as viztracer
 * writes, inner spans before outer, four threads. Prints JSON; --events N, --keep FILE for a trace that stays. */
#include "row.h"

#include "base/clock.h"
#include "io/trace/trace-file.h"

#include <glib/gstdio.h>

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define EVENTS       10000000
#define MOST_SECONDS 5
#define MOST_BYTES   1.5e9

enum { N_THREADS = 4, N_DEEP = 4, PERIOD_NS = 4000 };

static void
put_span(FILE *file, guint tid, gint64 begin_ns, gint64 duration_ns, const char *name)
{
  fprintf(file,
          ", {\"pid\": 4760, \"tid\": %u, \"ts\": %" G_GINT64_FORMAT
          ".%03d, \"ph\": \"X\", \"cat\": "
          "\"fee\", \"dur\": %" G_GINT64_FORMAT ".%03d, \"name\": \"%s\"}",
          tid, begin_ns / 1000, (int) (begin_ns % 1000), duration_ns / 1000,
          (int) (duration_ns % 1000), name);
}

static gboolean
write_trace(const char *path, gsize n)
{
  static const struct {
    gint64      begin_ns, duration_ns;
    const char *name;
  } calls[N_DEEP] = {{550, 240, "inner.<locals>.<genexpr> (run.py:3)"},
                     {500, 1872, "builtins.sum"},
                     {50, 3000, "inner (run.py:2)"},
                     {0, 3900, "outer (run.py:6)"}};
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return FALSE;
  fputs("{\"traceEvents\": [{\"ph\": \"M\", \"pid\": 4760, \"tid\": 1, \"name\": \"process_name\", "
        "\"args\": {\"name\": \"MainProcess\"}}",
        file);
  for (gsize i = 0; i < n; i++) {
    const gsize  period = i / N_DEEP, k = i % N_DEEP;
    const gint64 at = G_GINT64_CONSTANT(36091103899586) + (gint64) period * PERIOD_NS;
    put_span(file, 1 + (guint) (period % N_THREADS), at + calls[k].begin_ns, calls[k].duration_ns,
             calls[k].name);
  }
  fputs("], \"viztracer_metadata\": {\"overflow\": false}}", file);
  return fclose(file) == 0;
}

static gint64
most_resident_bytes(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (gint64) usage.ru_maxrss * 1024;
}

static int
measure(const char *path, gsize n)
{
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(GError)     error = NULL;
  const gint64          cpu = lac_clock_cpu_ns(), wall = lac_clock_ns();
  g_autoptr(LacCapture) capture = lac_trace_open(path, &facts, &error);
  double                cpu_s = (double) (lac_clock_cpu_ns() - cpu) * 1e-9;
  double                wall_s = (double) (lac_clock_ns() - wall) * 1e-9;
  double                bytes = (double) most_resident_bytes();
  if (capture == NULL || lac_capture_get_n_records(capture) != n) {
    g_printerr("%s\n", error != NULL ? error->message : "not every span was read");
    return 1;
  }
  const BenchRow rows[] = {{"trace/open", "cpu_seconds", "s", 1, MOST_SECONDS, TRUE},
                           {"trace/open", "wall_seconds", "s", 1, 0, TRUE},
                           {"trace/open", "most_resident", "B", 1, MOST_BYTES, TRUE}};
  g_print("[\n");
  bench_print_row(&rows[0], bench_figure_of(&cpu_s, 1));
  bench_print_row(&rows[1], bench_figure_of(&wall_s, 1));
  bench_print_row(&rows[2], bench_figure_of(&bytes, 1));
  g_print("\n]\n");
  return bench_all_passed() ? 0 : 1;
}

int
main(int argc, char **argv)
{
  gint64             n = EVENTS;
  g_autofree char   *keep = NULL;
  const GOptionEntry entries[] = {
    {"events", 0, 0, G_OPTION_ARG_INT64, &n, "How many spans", "N"},
    {"keep", 0, 0, G_OPTION_ARG_FILENAME, &keep, "Where the trace stays", "FILE"},
    {NULL}};
  g_autoptr(GOptionContext) context = g_option_context_new(NULL);
  g_autoptr(GError)         error = NULL;
  g_option_context_add_main_entries(context, entries, NULL);
  if (!g_option_context_parse(context, &argc, &argv, &error) || n <= 0) {
    g_printerr("%s\n", error != NULL ? error->message : "--events is 1 or more");
    return 2;
  }
  g_autofree char *path =
    keep != NULL ? g_strdup(keep) : g_build_filename(g_get_tmp_dir(), "bench-trace.json", NULL);
  if (!write_trace(path, (gsize) n)) {
    g_printerr("%s cannot be written\n", path);
    return 2;
  }
  const int status = measure(path, (gsize) n);
  if (keep == NULL)
    g_unlink(path);
  return status;
}
