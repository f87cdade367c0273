/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine that a benchmark ran on, so that its file says whom it can be compared with. */
#include "backend/processor.h"
#include "base/pool.h"
#include "run/bench.h"
#include "run/provenance.h"

#include <string.h>
#include <sys/utsname.h>

static void
add(GPtrArray *facts, const char *key, const char *value)
{
  g_ptr_array_add(facts, g_strdup(key));
  g_ptr_array_add(facts, g_strdup(value));
}

static const char *
find(const GStrv facts, const char *key)
{
  for (gsize i = 0; facts[i] && facts[i + 1]; i += 2)
    if (g_str_equal(facts[i], key))
      return facts[i + 1];
  return "";
}

/* What a time depends on and the program does not: processor, its cores, the kernels that were chosen. The host's name is none
 * of it: a container has a new one every day. */
static char *
dup_identity(const GStrv facts, const char *level, guint n_available, const char *backend)
{
  return g_strdup_printf("%s, %u cores, %s%s%s", find(facts, "processor"), n_available, level,
                         backend ? ", " : "", backend ? backend : "");
}

void
lac_bench_describe_machine(LacBenchFile *file, guint n_threads, const char *backend)
{
  g_auto(GStrv)        provenance = lac_provenance_new(&(LacProvenance){0});
  GPtrArray           *facts = g_ptr_array_new();
  LacProcessorFacts    processor;
  const guint          n_available = lac_pool_available();
  g_autofree char     *identity = NULL;
  g_autofree char     *available = g_strdup_printf("%u", n_available);
  g_autofree char     *load = NULL;
  g_autoptr(GDateTime) now = g_date_time_new_now_utc();
  g_autofree char     *started = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");

  lac_processor_ask(&processor);
  identity = dup_identity(provenance, processor.level, n_available, backend);
  add(facts, LAC_BENCH_IDENTITY, identity);
  for (gsize i = 0; provenance[i] && provenance[i + 1]; i += 2)
    add(facts, provenance[i], provenance[i + 1]);
  add(facts, "cores this process may use", available);
  add(facts, "kernels", processor.level);
  add(facts, "backend", backend ? backend : "cpu");
  if (g_file_get_contents("/proc/loadavg", &load, NULL, NULL))
    add(facts, "load before", strtok(load, " \n"));
  add(facts, "started", started);
  g_ptr_array_add(facts, NULL);
  g_strfreev(file->machine);
  file->machine = (GStrv) g_ptr_array_free(facts, FALSE);
  file->threads = n_threads;
}
