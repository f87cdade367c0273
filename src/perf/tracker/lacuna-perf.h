/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measure blocks of your own code and loops of epochs and batches: time, memory of the process, memory of a device. lacuna-perf(3)
 * is the manual. Plain C; the macros need gcc or clang. A tracker belongs to one thread; each thread may have its own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LAC_TRACK_UNKNOWN INT64_MIN /* of a number of bytes */

typedef struct _LacTracker LacTracker;

/* @enabled: false: blocks record nothing and cost a few nanoseconds */
LacTracker *lac_tracker_new(bool enabled);
void        lac_tracker_free(LacTracker *tracker);

/* ---- memory of a device, in bytes or LAC_TRACK_UNKNOWN ---- */

typedef struct {
  int64_t used, reserved; /* in use; including what an allocator holds back */
  int64_t peak;           /* most in use since the last reset */
} LacTrackMemory;

typedef struct {
  void (*read)(LacTrackMemory *memory, void *user_data);
  void (*reset_peak)(void *user_data);
  void (*wait)(void *user_data); /* until the device is idle; may be NULL */
  void *user_data;
} LacTrackDevice;

/* Before the first block. @device outlives the tracker; trackers of the same one share its peak. */
void lac_tracker_set_device(LacTracker *tracker, const LacTrackDevice *device);

/* ---- blocks, which nest ---- */

typedef enum {
  LAC_TRACK_ONCE = 1,     /* a row of its own, with memory: tens of microseconds */
  LAC_TRACK_REPEATED = 2, /* summed over its name, without memory: a fraction of a microsecond */
  LAC_TRACK_ALL = 3
} LacTrackMode;

/* @tracker: NULL is one that is not enabled. Returns: the block, for lac_tracker_end(); NULL, which that takes too, where nothing is
 * recorded */
LacTracker *lac_tracker_begin(LacTracker *tracker, const char *name, LacTrackMode mode);
void        lac_tracker_end(LacTracker **block); /* the innermost one */

/* A block with its own tracker, which prints what it took as it ends. @device: may be NULL */
LacTracker *lac_track_printed_begin(const char *name, FILE *file, const LacTrackDevice *device);
void        lac_track_printed_end(LacTracker **block);

#define LAC_TRACK_JOIN_(a, b) a##b
#define LAC_TRACK_NAME_(line) LAC_TRACK_JOIN_(lac_track_, line)
#define LAC_TRACK_UNTIL_(end) \
  __attribute__((cleanup(end), unused)) LacTracker *LAC_TRACK_NAME_(__LINE__)
/* These end where the braces around them do, also by return, break and goto. */
#define LAC_TRACK(tracker, name) \
  LAC_TRACK_UNTIL_(lac_tracker_end) = lac_tracker_begin(tracker, name, LAC_TRACK_ONCE)
#define LAC_TRACK_REPEATED(tracker, name) \
  LAC_TRACK_UNTIL_(lac_tracker_end) = lac_tracker_begin(tracker, name, LAC_TRACK_REPEATED)
#define LAC_TRACK_PRINTED(name, file, device) \
  LAC_TRACK_UNTIL_(lac_track_printed_end) = lac_track_printed_begin(name, file, device)
/* A call as a printed block; its value is that of @call. */
#define LAC_TRACK_CALL(name, file, call) \
  __extension__({                        \
    LAC_TRACK_PRINTED(name, file, NULL); \
    call;                                \
  })

/* ---- loops: each epoch is a block "epoch" tracked once, each batch a block "batch" tracked repeatedly ---- */

/* Prints a line for each of the first @verbose_batches batches and two at the end of an epoch. @file: NULL: none */
void lac_tracker_set_log(LacTracker *tracker, FILE *file, unsigned verbose_batches);
void lac_tracker_begin_epoch(LacTracker *tracker);
void lac_tracker_begin_batch(LacTracker *tracker, unsigned batch); /* from 0 in each epoch */
void lac_tracker_end_batch(LacTracker *tracker, double loss);      /* NAN: none */
void lac_tracker_end_epoch(LacTracker *tracker);

/* ---- results ---- */

typedef struct {
  const char *operation;
  uint64_t    count; /* 1 of a block tracked once */
  double      total_seconds, mean_seconds, min_seconds, max_seconds;
  int64_t     start_ns;            /* of a block tracked once, by the monotonic clock */
  unsigned    depth;               /* likewise: how many blocks lie around it */
  int64_t     cpu_delta, cpu_peak; /* likewise, resident bytes: end less beginning; most within */
  int64_t     gpu_delta, gpu_peak; /* the same of the device */
} LacTrackRow;

/* LAC_TRACK_ONCE: each block, in the order they began; LAC_TRACK_REPEATED: each name, largest total first; LAC_TRACK_ALL: each name,
 * however it was tracked. Returns: rows that are valid until the next call on @tracker */
const LacTrackRow *lac_tracker_get_rows(LacTracker *tracker, LacTrackMode mode, size_t *n_rows);
LacTrackRow        lac_tracker_get_sum(LacTracker *tracker,
                                       const char *operation); /* all 0: no such name */
double lac_tracker_get_total_time(LacTracker *tracker);        /* seconds of outermost blocks */
void   lac_tracker_clear(LacTracker *tracker);                 /* forgets what has ended */

/* Tables of 90 columns, in MB of 10^6 bytes. */
void lac_tracker_print(LacTracker *tracker, LacTrackMode tables, FILE *file);
/* Every block in the format of the ending: .csv, .json and .json.gz (Chrome trace), .pftrace (Perfetto).
 * Returns: NULL, or why it cannot be written; give it to free() */
char *lac_tracker_write(LacTracker *tracker, const char *path);

#ifdef __cplusplus
}
#endif
