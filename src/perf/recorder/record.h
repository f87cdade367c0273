/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One performance record. Plain C, read by nvcc too: the struct in the ring is the struct in the file. */
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
  LAC_RECORD_MEMORY, /* what the span just before it in its lane changed; name, step, depth and times are that span's */
  LAC_RECORD_SPANS_LET_GO, /* @count spans that are not kept one by one, summed; value: nanoseconds of them that are their own */
  LAC_RECORD_CALLS_LET_GO  /* likewise of aggregates */
} LacRecordKind;

/* The counter of the bytes the process has resident. */
#define LAC_COUNTER_RESIDENT "resident memory"
/* What one thread of the machine that records does at most, in a second, in the precision of the run: once, at its beginning. */
#define LAC_COUNTER_PEAK_FLOPS "peak FLOP/s of a thread"
#define LAC_COUNTER_PEAK_BYTES "peak bytes/s of a thread"

/* Of the four numbers of a memory record: nobody could say. */
#define LAC_RECORD_UNKNOWN INT64_MIN

typedef struct {
  uint64_t sequence;    /* consecutive within a lane; the consumer asserts it */
  int64_t  start_ns;    /* monotonic */
  int64_t  duration_ns; /* of an aggregate: the sum over count calls */
  int64_t  step;        /* -1 outside of a step */
  uint64_t count;       /* calls; 1 for a span */
  union {
    struct {
      double flops; /* floating-point operations, from the op's descriptor */
      double bytes; /* bytes read and written, likewise */
      union {
        double value; /* of a counter */
        struct {
          uint32_t epoch, batch; /* of a span: counted from 1; 0 outside of any */
        };
      };
      int64_t memory; /* bytes live while it ran, as the planner knows; -1 unknown */
    };
    struct { /* of a memory record, bytes or LAC_RECORD_UNKNOWN */
      int64_t cpu_delta,
        cpu_peak; /* resident at the end less at the beginning; most resident within */
      int64_t gpu_delta, gpu_peak; /* the same of the device's memory */
    };
  };
  uint32_t name;  /* id in the name table of the recorder */
  uint16_t lane;  /* who produced it */
  uint8_t  kind;  /* LacRecordKind */
  uint8_t  depth; /* nesting within the lane, 0 outermost */
} LacRecord;

#ifdef __cplusplus
}
#else
_Static_assert(sizeof(LacRecord) == 80, "the record is part of a file format");
#endif
