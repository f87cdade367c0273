/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Description of the machine for the head of a file. */
#include "bench/harness/machine.h"

#include "base/pool.h"
#include "run/core/provenance.h"
#include "run/machine/machine.h"

#include <string.h>

void
lac_bench_describe_machine(LacBenchFile *file, guint n_threads, const char *backend)
{
  g_auto(GStrv)           provenance = lac_provenance_new(&(LacProvenance){0});
  g_autoptr(GStrvBuilder) facts = g_strv_builder_new();
  LacProcessorFacts       processor;
  const guint             n_available = lac_pool_available();
  g_autofree char        *identity = NULL;
  g_autofree char        *available = g_strdup_printf("%u", n_available);
  g_autofree char        *load = NULL;
  g_autoptr(GDateTime)    now = g_date_time_new_now_utc();
  g_autofree char        *started = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");

  lac_processor_query(&processor);
  identity = lac_machine_dup_identity(backend);
  g_strv_builder_add_many(facts, LAC_BENCH_IDENTITY, identity, NULL);
  g_strv_builder_addv(facts, (const char **) provenance);
  g_strv_builder_add_many(facts, "cores this process may use", available, NULL);
  g_strv_builder_add_many(facts, "kernels", processor.level, NULL);
  g_strv_builder_add_many(facts, "backend", backend ? backend : "cpu", NULL);
  if (g_file_get_contents("/proc/loadavg", &load, NULL, NULL))
    g_strv_builder_add_many(facts, "load before", strtok(load, " \n"), NULL);
  g_strv_builder_add_many(facts, "started", started, NULL);
  g_strfreev(file->machine);
  file->machine = g_strv_builder_end(facts);
  file->threads = n_threads;
}
