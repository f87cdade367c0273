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
  LAC_RECORD_MARK       /* an instant: a command, a checkpoint, a resume */
} LacRecordKind;

typedef struct {
  uint64_t sequence;    /* consecutive within a lane; the consumer asserts it */
  int64_t  start_ns;    /* monotonic */
  int64_t  duration_ns; /* of an aggregate: the sum over count calls */
  int64_t  step;        /* -1 outside of a step */
  uint64_t count;       /* calls; 1 for a span */
  double   flops;       /* floating-point operations, from the op's descriptor */
  double   bytes;       /* bytes read and written, likewise */
  double   value;       /* of a counter */
  int64_t  memory;      /* bytes live while it ran, as the planner knows; -1 unknown */
  uint32_t name;        /* id in the name table of the recorder */
  uint16_t lane;        /* who produced it */
  uint8_t  kind;        /* LacRecordKind */
  uint8_t  depth;       /* nesting within the lane, 0 outermost */
} LacRecord;

#ifdef __cplusplus
}
#else
_Static_assert(sizeof(LacRecord) == 80, "the record is part of a file format");
#endif
