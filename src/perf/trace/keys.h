/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace keys specific to this program, shared by writers and readers. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Program name written to a trace file; the reader recognises Lacuna's own traces by this name. */
#define LAC_TRACE_PROGRAM "Lacuna"

/* Numeric attributes of an event besides its drawn position, with their key in every format. */
#define LAC_TRACE_KEYS(K)                                                              \
  K(STEP, "step")                                                                      \
  K(COUNT, "count")                                                                    \
  K(FLOPS, "flops")                                                                    \
  K(BYTES, "bytes")                                                                    \
  K(MEMORY, "memory_bytes")                                                            \
  K(EPOCH, "epoch")                                                                    \
  K(BATCH, "batch")                                                                    \
  K(CPU_DELTA, "cpu_delta_bytes")                                                      \
  K(CPU_PEAK, "cpu_peak_bytes")                                                        \
  K(GPU_DELTA, "gpu_delta_bytes")                                                      \
  K(GPU_PEAK, "gpu_peak_bytes")                                                        \
  K(BEGIN, "begin_ns") /* aggregate: start of its step */                              \
  K(TOTAL, "total_ns") /* aggregate: its total time, independent of its drawn width */ \
  K(VALUE, "value")    /* counter only */

typedef enum {
#define K(key, text) LAC_TRACE_KEY_##key,
  LAC_TRACE_KEYS(K)
#undef K
    LAC_TRACE_N_KEYS,
} LacTraceKey;

const char *lac_trace_key_text(LacTraceKey key);

G_END_DECLS
