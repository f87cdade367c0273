/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forked process that measures and writes its rows, as the text of a benchmark file, into a pipe. */
#include "bench/harness/child.h"

#include "base/error.h"
#include "perf/recorder/heap.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define TELLS_ROWS  'r'
#define TELLS_ERROR 'e'

static gboolean
write_all(int to, const char *bytes, gsize n)
{
  while (n > 0) {
    const gssize written = write(to, bytes, n);

    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return FALSE;
    bytes += written;
    n -= (gsize) written;
  }
  return TRUE;
}

/* Runs in the child process. */
static gboolean
act(LacBenchWork work, gconstpointer task, int to)
{
  g_autoptr(LacBenchFile) rows = lac_bench_file_new();
  g_autoptr(GError)       error = NULL;
  const gboolean          done = work(task, rows, &error);
  g_autofree char        *text =
    done ? lac_bench_file_dup_text(rows, FALSE) : g_strdup(error ? error->message : "");
  const char tells = done ? TELLS_ROWS : TELLS_ERROR;

  return write_all(to, &tells, 1) && write_all(to, text, strlen(text));
}

static GString *
read_all(int from)
{
  GString *text = g_string_new(NULL);
  char     bytes[4096];
  gssize   n;

  while ((n = read(from, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0)
      g_string_append_len(text, bytes, n);
  return text;
}

static gboolean
take(const GString *reported, const char *what, LacBenchFile *rows, GError **error)
{
  if (reported->len > 0 && reported->str[0] == TELLS_ROWS) {
    g_autoptr(LacBenchFile) more = lac_bench_file_parse(reported->str + 1, what, error);

    if (more)
      lac_bench_file_merge(rows, more);
    return more != NULL;
  }
  if (reported->len > 1)
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "%s: %s", what, reported->str + 1);
  else
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
                "%s did not end; check that it fits into memory", what);
  return FALSE;
}

gboolean
lac_bench_in_child(LacBenchWork  work,
                   gconstpointer task,
                   const char   *what,
                   LacBenchFile *rows,
                   GError      **error)
{
  int   ends[2], status = 0;
  pid_t child;

  if (pipe(ends) != 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "%s cannot be measured: %s", what,
                g_strerror(errno));
    return FALSE;
  }
  child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* an interrupted benchmark leaves no process behind */
    close(ends[0]);
    _exit(act(work, task, ends[1]) ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  close(ends[1]);
  g_autoptr(GString) reported = read_all(ends[0]);
  close(ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return take(reported, what, rows, error);
}

/* Resets the memory peak; where the system does not support it, the peak is that of the whole process. */
static void
reset_peak(void)
{
  const int    file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  const gssize n = file < 0 ? -1 : write(file, "5", 1);

  if (n < 0)
    g_debug("the peak of memory counts from the beginning of the process");
  if (file >= 0)
    close(file);
}

LacBenchMemory
lac_bench_memory_begin(void)
{
  reset_peak();
  return (LacBenchMemory){(double) lac_heap_get_resident()};
}

double
lac_bench_memory_end(LacBenchMemory memory, double *grown)
{
  g_autofree char *text = NULL;
  const char      *row;
  double           peak = NAN;

  if (g_file_get_contents("/proc/self/status", &text, NULL, NULL) &&
      (row = strstr(text, "\nVmHWM:")) != NULL)
    peak = 1024 * g_ascii_strtod(row + strlen("\nVmHWM:"), NULL);
  *grown = peak - memory.begin_bytes;
  return peak;
}
