/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /proc/cpuinfo and /proc/meminfo. */
#include "backend/cpu/processor.h"

#include "backend/cpu/cpu.h"
#include "base/pool.h"

#include <string.h>

static const char *const level_names[] =
  {[LAC_CPU_BASELINE] = "baseline", [LAC_CPU_V3] = "x86-64-v3", [LAC_CPU_V4] = "x86-64-v4"};

/* Returns: (transfer full) (nullable): the text after the colon in the first line from @text on that starts with
 * @key */
static char *
dup_value(const char *text, const char *key)
{
  for (const char *line = text; line; line = strchr(line, '\n')) {
    const char *colon;

    line += *line == '\n';
    if (g_str_has_prefix(line, key) && (colon = strchr(line, ':')))
      return g_strstrip(g_strndup(colon + 1, strcspn(colon + 1, "\n")));
  }
  return NULL;
}

/* Hardware threads of one core share a pair of ids. Without ids each counts as a core. */
static guint
count_cores(const char *text)
{
  g_autoptr(GHashTable) cores = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  guint                 n = 0;

  for (const char *part = strstr(text, "processor"); part; part = strstr(part + 1, "\nprocessor")) {
    g_autofree char *socket = dup_value(part, "physical id"), *core = dup_value(part, "core id");

    n++;
    if (socket && core)
      g_hash_table_add(cores, g_strdup_printf("%s %s", socket, core));
  }
  return g_hash_table_size(cores) ? g_hash_table_size(cores) : MAX(n, 1);
}

static guint64
read_memory(const char *text, const char *key)
{
  g_autofree char *value = dup_value(text, key);

  return value ? 1024 * g_ascii_strtoull(value, NULL, 10) : 0; /* "16384 kB" */
}

void
lac_processor_query(LacProcessorFacts *facts)
{
  g_autofree char *processors = NULL, *memory = NULL, *name = NULL;

  *facts = (LacProcessorFacts){.n_cores = g_get_num_processors(),
                               .n_threads = lac_pool_available(),
                               .level = level_names[lac_cpu_level()]};
  if (g_file_get_contents("/proc/cpuinfo", &processors, NULL, NULL)) {
    name = dup_value(processors, "model name");
    facts->n_cores = count_cores(processors);
  }
  g_strlcpy(facts->name, name ? name : "unknown", sizeof facts->name);
  if (g_file_get_contents("/proc/meminfo", &memory, NULL, NULL)) {
    facts->memory = read_memory(memory, "MemTotal");
    facts->memory_free = read_memory(memory, "MemAvailable");
  }
}
