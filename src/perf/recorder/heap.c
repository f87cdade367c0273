/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heap and resident memory: mallinfo2 and /proc/self. */
#include "perf/recorder/heap.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define KIB ((gsize) 1024)

/* Opened once: opening costs five times as much as reading. The descriptors are valid in this process only, not after
 * a fork. */
static int            statm = -1, status = -1, clear_refs = -1;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

/* At the last reset: bytes resident, and peak from getrusage(). */
static gsize resident_at_reset, usage_at_reset;

gsize
lac_heap_in_use(void)
{
  const struct mallinfo2 info = mallinfo2();

  return info.uordblks + info.hblkhd;
}

static void
open_files(void)
{
  statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  clear_refs = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
}

/* Reads without allocating: called within steps. */
static gboolean
read_text(int file, char *text, gsize size)
{
  const ssize_t n = file < 0 ? -1 : pread(file, text, size - 1, 0);

  text[MAX(n, 0)] = '\0';
  return n > 0;
}

gsize
lac_heap_get_resident(void)
{
  char  text[128];
  char *second = NULL;

  pthread_once(&opened, open_files);
  if (!read_text(statm, text, sizeof text))
    return 0;
  strtoull(text, &second, 10);
  return (gsize) strtoull(second, NULL, 10) * (gsize) sysconf(_SC_PAGESIZE);
}

/* Returns the peak from getrusage(), which includes that of the program image before exec. */
static gsize
get_usage(void)
{
  struct rusage usage;

  return getrusage(RUSAGE_SELF, &usage) == 0 ? (gsize) usage.ru_maxrss * KIB : 0;
}

static gsize
read_peak(void)
{
  char        text[4096];
  const char *at;

  if (!read_text(status, text, sizeof text))
    return 0;
  at = strstr(text, "VmHWM:");
  return at != NULL ? (gsize) strtoull(at + strlen("VmHWM:"), NULL, 10) * KIB : 0;
}

/* getrusage() costs a thirtieth of reading the file and is equally exact when it has grown since the reset, or when
 * it did not exceed the resident size then. */
gsize
lac_heap_get_peak(void)
{
  const gsize usage = get_usage();

  pthread_once(&opened, open_files);
  if (usage_at_reset > 0 && (usage > usage_at_reset || usage_at_reset <= resident_at_reset))
    return usage;
  return read_peak();
}

gboolean
lac_heap_reset_peak(void)
{
  pthread_once(&opened, open_files);
  if (clear_refs < 0 || pwrite(clear_refs, "5", 1, 0) != 1)
    return FALSE;
  usage_at_reset = get_usage();
  resident_at_reset = lac_heap_get_resident();
  return TRUE;
}
