/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probes of the processor, and what they said the last time. */
#include "run/machine-peak.h"

#include "backend/cpu/peak.h"

#include <string.h>

typedef struct {
  double flops[2], bytes; /* by LacType; a second, of one thread */
} Measured;

static Measured
measure(guint n_threads)
{
  return (Measured){
    .flops = {[LAC_F32] = lac_cpu_peak_flops(LAC_F32, n_threads).cpu / n_threads,
              [LAC_F64] = lac_cpu_peak_flops(LAC_F64, n_threads).cpu / n_threads},
    .bytes = lac_cpu_peak_bytes(n_threads).cpu / n_threads,
  };
}

LacPeak
lac_machine_peak(const LacMemory *memory, LacType type, guint n_threads)
{
  g_return_val_if_fail(memory != NULL && n_threads > 0, ((LacPeak){0, 0}));
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
  return (LacPeak){measured.flops[type], measured.bytes};
}
