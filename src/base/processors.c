/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Available processors: affinity mask, limited by the quota of every enclosing control group. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/processors.h"

#include "base/pool.h"

#include <sched.h>
#include <string.h>

static guint
of_affinity(void)
{
  for (int size = 1024; size <= 1 << 20; size *= 2) {
    cpu_set_t *set = CPU_ALLOC((gsize) size);
    gsize      bytes = CPU_ALLOC_SIZE((gsize) size);
    guint      n = 0;
    if (sched_getaffinity(0, bytes, set) == 0)
      n = (guint) CPU_COUNT_S(bytes, set);
    CPU_FREE(set);
    if (n > 0)
      return n;
  }
  return 1;
}

guint
lac_processors_of_quota(const char *text)
{
  g_return_val_if_fail(text != NULL, 0);
  char   *end;
  guint64 quota = g_ascii_strtoull(text, &end, 10);
  if (end == text || quota == 0)
    return 0; /* "max" */
  const char *rest = end;
  guint64     period = g_ascii_strtoull(rest, &end, 10);
  if (end == rest || period == 0)
    return 0;
  return (guint) CLAMP((quota + period - 1) / period, 1, G_MAXUINT);
}

static guint
of_file(const char *folder, const char *group)
{
  g_autofree char *path = g_build_filename(folder, group, "cpu.max", NULL);
  g_autofree char *text = NULL;
  if (!g_file_get_contents(path, &text, NULL, NULL))
    return 0;
  return lac_processors_of_quota(text);
}

/* Returns the path of this process's group in the unified hierarchy, from the line "0::PATH". */
static char *
dup_group(void)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents("/proc/self/cgroup", &text, NULL, NULL))
    return g_strdup("/");
  const char *line = g_str_has_prefix(text, "0::") ? text : strstr(text, "\n0::");
  if (line == NULL)
    return g_strdup("/");
  line = strchr(line, '/');
  return line == NULL ? g_strdup("/") : g_strndup(line, strcspn(line, "\n"));
}

guint
lac_pool_available(void)
{
  guint            n = of_affinity();
  g_autofree char *group = dup_group();
  for (;;) {
    guint quota = of_file("/sys/fs/cgroup", group);
    if (quota > 0)
      n = MIN(n, quota);
    char *last = strrchr(group, '/');
    if (last == NULL || group[1] == '\0')
      return n;
    last[last == group] = '\0';
  }
}
