/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the traces of this program say that those of others do not: writers and readers know it from here. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whoever made the file, as its readers recognise it. */
#define LAC_TRACE_PROGRAM "Lacuna"

/* The numbers of an event besides where it is drawn, with the key of each in every format. */
#define LAC_TRACE_KEYS(K)                                                \
  K(STEP, "step")                                                        \
  K(COUNT, "count")                                                      \
  K(FLOPS, "flops")                                                      \
  K(BYTES, "bytes")                                                      \
  K(MEMORY, "memory_bytes")                                              \
  K(EPOCH, "epoch")                                                      \
  K(BATCH, "batch")                                                      \
  K(CPU_DELTA, "cpu_delta_bytes")                                        \
  K(CPU_PEAK, "cpu_peak_bytes")                                          \
  K(GPU_DELTA, "gpu_delta_bytes")                                        \
  K(GPU_PEAK, "gpu_peak_bytes")                                          \
  K(BEGIN, "begin_ns") /* of an aggregate: of its step */                \
  K(TOTAL, "total_ns") /* likewise: what it took, however it is drawn */ \
  K(VALUE, "value")    /* of a counter */

typedef enum {
#define K(key, text) LAC_TRACE_KEY_##key,
  LAC_TRACE_KEYS(K)
#undef K
    LAC_TRACE_N_KEYS,
} LacTraceKey;

const char *lac_trace_key_text(LacTraceKey key);

G_END_DECLS
