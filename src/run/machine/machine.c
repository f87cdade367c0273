/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processor and devices as rows of text, and the measured peaks of the processor. */
#include "run/machine/machine.h"

#include "backend/cpu/peak.h"
#include "base/pool.h"

#include <glib/gi18n-lib.h>

#include <string.h>

void
lac_machine_part_free(LacMachinePart *part)
{
  if (part == NULL)
    return;
  g_free(part->name);
  g_free(part->why);
  g_free(part);
}

LacMachinePart *
lac_machine_query_device(guint number)
{
  LacMachinePart *part = g_new0(LacMachinePart, 1);

  part->name = number > 0 ? g_strdup_printf("cuda:%u", number) : g_strdup("cuda");
  part->is_device = TRUE;
  lac_device_query(number, &part->device, &part->why);
  return part;
}

GPtrArray *
lac_machine_query(void)
{
  GPtrArray      *parts = g_ptr_array_new_with_free_func((GDestroyNotify) lac_machine_part_free);
  const guint     n = MAX(lac_device_count(), 1);
  LacMachinePart *processor = g_new0(LacMachinePart, 1);

  processor->name = g_strdup("cpu");
  lac_processor_query(&processor->processor);
  g_ptr_array_add(parts, processor);
  for (guint number = 0; number < n; number++)
    g_ptr_array_add(parts, lac_machine_query_device(number));
  return parts;
}

const char *
lac_machine_part_get_title(const LacMachinePart *part)
{
  if (!part->is_device)
    return part->processor.name;
  return part->device.name[0] != '\0' ? part->device.name : _("NVIDIA GPU");
}

char *
lac_machine_dup_identity(const char *backend)
{
  LacProcessorFacts processor;

  lac_processor_query(&processor);
  return g_strdup_printf("%s, %u cores, %s%s%s", processor.name, lac_pool_available(),
                         processor.level, backend != NULL ? ", " : "",
                         backend != NULL ? backend : "");
}

char *
lac_machine_dup_version(int cuda_version)
{
  return g_strdup_printf("%d.%d", cuda_version / 1000, cuda_version % 1000 / 10);
}

/* @text: (transfer full) (nullable) */
static void
add(GPtrArray *rows, const char *label, char *text)
{
  if (text == NULL)
    return;
  g_ptr_array_add(rows, g_strdup(label));
  g_ptr_array_add(rows, text);
}

static char *
dup_memory(guint64 all, guint64 available)
{
  g_autofree char *whole = g_format_size(all), *left = g_format_size(available);

  if (all == 0)
    return NULL;
  /* Translators: sizes: "8.6 GB, 7.1 GB free" */
  return g_strdup_printf(_("%s, %s free"), whole, left);
}

static void
add_processor(GPtrArray *rows, const LacProcessorFacts *facts)
{
  add(rows, _("Cores"),
      /* Translators: "8 cores, 16 threads" */
      g_strdup_printf(_("%u cores, %u threads"), facts->n_cores, facts->n_threads));
  add(rows, _("Vector instructions"), g_strdup(facts->level));
  add(rows, _("Memory"), dup_memory(facts->memory, facts->memory_free));
}

static void
add_version(GPtrArray *rows, const char *label, int version)
{
  add(rows, label, version > 0 ? lac_machine_dup_version(version) : NULL);
}

static char *
dup_peak(const LacDeviceFacts *facts)
{
  if (!(facts->bandwidth > 0))
    return NULL;
  /* Translators: peak rates of a GPU: "34.0 TFLOP/s in f32, 17.0 in f64; 4917 GB/s" */
  return g_strdup_printf(_("%.1f TFLOP/s in f32, %.1f in f64; %.0f GB/s"),
                         1e-12 * facts->flops[LAC_F32], 1e-12 * facts->flops[LAC_F64],
                         1e-9 * facts->bandwidth);
}

static void
add_device(GPtrArray *rows, const LacDeviceFacts *facts)
{
  if (facts->major > 0) {
    add(rows, _("Memory"), dup_memory(facts->memory, facts->memory_free));
    add(rows, _("Compute capability"), g_strdup_printf("%d.%d", facts->major, facts->minor));
    add(rows, _("Multiprocessors"), g_strdup_printf("%d", facts->multiprocessors));
    add(rows, _("Peak by its clocks"), dup_peak(facts));
  }
  add_version(rows, _("CUDA version of the driver"), facts->driver);
  add_version(rows, _("CUDA runtime"), facts->runtime);
  add_version(rows, _("CUDA toolkit of the build"), facts->toolkit);
  if (facts->built_for[0] != '\0')
    add(rows, _("Built for"), g_strdup(facts->built_for));
}

GStrv
lac_machine_part_dup_rows(const LacMachinePart *part)
{
  GPtrArray *rows = g_ptr_array_new();

  add(rows, _("Usable"),
      part->why != NULL ? g_strdup_printf(_("no: %s"), part->why) : g_strdup(_("yes")));
  if (part->is_device)
    add_device(rows, &part->device);
  else
    add_processor(rows, &part->processor);
  g_ptr_array_add(rows, NULL);
  return (GStrv) g_ptr_array_free(rows, FALSE);
}

/* ---- what it can do at most ---- */

typedef struct {
  double flops[2], bytes; /* by LacType; per second, one thread */
  double caches[LAC_N_PEAK_CACHES];
} Measured;

static Measured
measure(guint n_threads)
{
  static const gsize sizes[LAC_N_PEAK_CACHES] = LAC_PEAK_CACHE_SIZES;
  Measured           measured = {
              .flops = {[LAC_F32] = lac_cpu_peak_flops(LAC_F32, n_threads).cpu / n_threads,
                        [LAC_F64] = lac_cpu_peak_flops(LAC_F64, n_threads).cpu / n_threads},
              .bytes = lac_cpu_peak_bytes(n_threads).cpu / n_threads,
  };

  for (gsize i = LAC_N_PEAK_CACHES; i-- > 0;) { /* a smaller cache is never slower */
    const double next = i + 1 < LAC_N_PEAK_CACHES ? measured.caches[i + 1] : measured.bytes;
    measured.caches[i] = MAX(lac_cpu_peak_cache_bytes(n_threads, sizes[i]).cpu / n_threads, next);
  }
  return measured;
}

LacPeak
lac_machine_peak(const LacMemory *memory, LacType type, guint n_threads)
{
  g_return_val_if_fail(memory != NULL && n_threads > 0, ((LacPeak){0}));
  g_autofree char  *key = g_strdup_printf("what the machine does at most, %u threads", n_threads);
  g_autoptr(GBytes) kept = memory->recall(key, memory->user_data);
  Measured          measured;

  if (kept != NULL && g_bytes_get_size(kept) == sizeof measured) {
    memcpy(&measured, g_bytes_get_data(kept, NULL), sizeof measured);
  } else {
    g_autoptr(GBytes) bytes = NULL;

    measured = measure(n_threads);
    bytes = g_bytes_new(&measured, sizeof measured);
    memory->remember(key, bytes, memory->user_data);
  }
  LacPeak peak = {.flops = measured.flops[type], .bytes = measured.bytes};
  memcpy(peak.caches, measured.caches, sizeof peak.caches);
  return peak;
}
