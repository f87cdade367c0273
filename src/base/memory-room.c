/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits from getrlimit(2), use from /proc/self/statm. */
#include "base/memory-room.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SIZE = 0, DATA = 5, N_FIELDS = 7 }; /* indices into statm, in pages */

static void
read_use(guint64 use[N_FIELDS])
{
  g_autofree char *text = NULL;
  const guint64    page = (guint64) sysconf(_SC_PAGESIZE);

  memset(use, 0, N_FIELDS * sizeof *use);
  if (!g_file_get_contents("/proc/self/statm", &text, NULL, NULL))
    return;
  char *at = text;
  for (gsize i = 0; i < N_FIELDS; i++)
    use[i] = strtoull(at, &at, 10) * page;
}

static guint64
get_left(const LacMemoryLimit *limit)
{
  return limit->limit - MIN(limit->used, limit->limit);
}

LacMemoryLimit
lac_memory_limit_get(void)
{
  guint64 use[N_FIELDS];
  read_use(use);
  const struct {
    int            resource;
    LacMemoryLimit limit;
  } limits[] = {{RLIMIT_AS, {0, use[SIZE], 'v'}}, {RLIMIT_DATA, {0, use[DATA], 'd'}}};
  LacMemoryLimit tightest = {0};

  for (gsize i = 0; i < G_N_ELEMENTS(limits); i++) {
    LacMemoryLimit one = limits[i].limit;
    struct rlimit  allowed;
    if (getrlimit(limits[i].resource, &allowed) != 0 || allowed.rlim_cur == RLIM_INFINITY)
      continue;
    one.limit = allowed.rlim_cur;
    if (tightest.limit == 0 || get_left(&one) < get_left(&tightest))
      tightest = one;
  }
  return tightest;
}

gboolean
lac_memory_room_check(guint64 bytes, const char *what, const char *advice, GError **error)
{
  const LacMemoryLimit limit = lac_memory_limit_get();

  if (limit.limit == 0 || get_left(&limit) >= bytes)
    return TRUE;
  g_autofree char *allowed = g_format_size(limit.limit);
  g_autofree char *used = g_format_size(limit.used);
  g_autofree char *needed = g_format_size(bytes);
  const guint64    enough = (limit.used + bytes + 1023) / 1024;
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
              "%s needs %s of memory, and %s of the limit of %s (ulimit -%c %" G_GUINT64_FORMAT
              ") are in use: raise the limit to %" G_GUINT64_FORMAT " or more%s%s",
              what, needed, used, allowed, limit.letter, limit.limit / 1024, enough,
              advice != NULL ? ", or " : "", advice != NULL ? advice : "");
  return FALSE;
}
