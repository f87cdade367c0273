/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One performance record. Plain C, also compiled by nvcc; the ring and the file use the same struct. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  LAC_RECORD_SPAN,      /* one interval of one lane */
  LAC_RECORD_AGGREGATE, /* @count calls summed over a step; duration_ns is their sum */
  LAC_RECORD_COUNTER,   /* a sampled value: @value at start_ns */
  LAC_RECORD_MARK,      /* an instant: a command, a checkpoint, a resume */
  LAC_RECORD_MEMORY, /* memory change of the preceding span in its lane; name, step, depth and times are that span's */
  LAC_RECORD_SPANS_DROPPED, /* dropped spans, summed; @count: their number; value: their self time in nanoseconds */
  LAC_RECORD_CALLS_DROPPED, /* dropped aggregates, summed; @count: their calls; value: their time in nanoseconds */
  LAC_RECORD_KERNEL /* one kernel of the next outermost span in the lane of a device; only of steps that are timed */
} LacRecordKind;

/* Counter of the resident bytes of the process. */
#define LAC_COUNTER_RESIDENT "resident memory"
/* Counter of the bytes allocated on the heap, which unlike resident ones do not depend on which pages were touched. */
#define LAC_COUNTER_HEAP "live heap"
/* Peak rates of one thread of the recording machine, per second, in the precision of the run: recorded once at the
 * start. A run on a GPU has those of the GPU instead. */
#define LAC_COUNTER_PEAK_FLOPS "peak FLOP/s of a thread"
#define LAC_COUNTER_PEAK_BYTES "peak bytes/s of a thread"
#define LAC_COUNTER_GPU_LINK   "peak bytes/s of the link to the GPU"
#define LAC_COUNTER_GPU_FLOPS  "peak FLOP/s of the GPU"
#define LAC_COUNTER_GPU_BYTES  "peak bytes/s of the GPU"

/* The same for data that stay in a cache: a thread works again and again on LAC_PEAK_CACHE_SIZES bytes of its own. */
#define LAC_COUNTERS_PEAK_CACHES                                                         \
  {                                                                                      \
    "peak bytes/s of a thread within 16 KiB", "peak bytes/s of a thread within 256 KiB", \
      "peak bytes/s of a thread within 4 MiB"                                            \
  }
#define LAC_PEAK_CACHE_SIZES     \
  {                              \
    16 << 10, 256 << 10, 4 << 20 \
  }
#define LAC_N_PEAK_CACHES 3

/* Value of a member of a memory record that is unavailable. */
#define LAC_RECORD_UNKNOWN INT64_MIN

typedef struct {
  uint64_t sequence;    /* consecutive within a lane; asserted by the consumer */
  int64_t  start_ns;    /* monotonic clock */
  int64_t  duration_ns; /* aggregate: the sum over count calls */
  int64_t  step;        /* -1 outside a step */
  uint64_t count;       /* calls; 1 for a span */
  union {
    struct {
      double flops; /* floating-point operations, from the op's descriptor */
      double bytes; /* bytes read and written, from the op's descriptor */
      union {
        double
          value; /* counter and sums of dropped records only; kernel: its occupancy, 0: unknown */
        struct {
          uint32_t epoch, batch; /* span: counted from 1; 0: none */
        };
      };
      int64_t memory; /* live bytes during the operation, from the planner; -1: unknown */
    };
    struct { /* memory record: bytes or LAC_RECORD_UNKNOWN */
      int64_t cpu_delta,
        cpu_peak; /* resident bytes at the end minus those at the start; peak in between */
      int64_t gpu_delta, gpu_peak; /* the same for device memory */
    };
  };
  uint32_t name;  /* id in the recorder's name table */
  uint16_t lane;  /* producing lane */
  uint8_t  kind;  /* LacRecordKind */
  uint8_t  depth; /* nesting depth within the lane, 0 outermost */
} LacRecord;

/* Returns 1 for records of one interval with a position in time. */
static inline int
lac_record_is_interval(const LacRecord *record)
{
  return record->kind == LAC_RECORD_SPAN || record->kind == LAC_RECORD_KERNEL;
}

#ifdef __cplusplus
}
#else
_Static_assert(sizeof(LacRecord) == 80, "the record is part of a file format");
#endif
