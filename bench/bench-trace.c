/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time and memory to open another program's trace with ten million spans: written here in viztracer's order, inner
 * spans before outer, four threads. Prints JSON; --events N, --keep FILE to keep the trace. */
#include "bench/harness/child.h"
#include "bench/harness/program.h"
#include "io/trace/trace-file.h"

#include <glib/gstdio.h>

#include <stdio.h>
#include <string.h>

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

static int
measure(const char *path, gsize n)
{
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(GError)     error = NULL;
  const LacBenchClocks  begin = lac_bench_clocks_now(1);
  g_autoptr(LacCapture) capture = lac_trace_open(path, &facts, &error);
  const LacBenchClocks  spent = lac_bench_clocks_since(begin, 1);
  double                grown, bytes = lac_bench_memory_end((LacBenchMemory){0}, &grown);
  if (capture == NULL || lac_capture_get_n_records(capture) != n) {
    g_printerr("%s\n", error != NULL ? error->message : "not every span was read");
    return 1;
  }
  bench_begin(1, NULL);
  bench_print_one(bench_row("trace/open", "cpu_seconds", "s", LAC_BENCH_TIME, MOST_SECONDS),
                  spent.cpu);
  bench_print_one(bench_row("trace/open", "wall_seconds", "s", LAC_BENCH_TIME, 0), spent.wall);
  bench_print_one(bench_row("trace/open", "most_resident", "B", LAC_BENCH_MEMORY, MOST_BYTES),
                  bytes);
  return bench_end();
}

int
main(int argc, char **argv)
{
  gint64             n = EVENTS;
  g_autofree char   *keep = NULL;
  const GOptionEntry entries[] = {
    {"events", 0, 0, G_OPTION_ARG_INT64, &n, "number of spans", "N"},
    {"keep", 0, 0, G_OPTION_ARG_FILENAME, &keep, "file to keep the trace in", "FILE"},
    {NULL}};
  bench_parse(entries, NULL, &argc, &argv);
  if (n <= 0) {
    g_printerr("--events must be 1 or more\n");
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
