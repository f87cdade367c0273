/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures blocks of your own code and loops of epochs and batches: time, process memory, device memory. Manual:
 * lacuna-perf(3). Plain C; the macros need gcc or clang. A tracker belongs to one thread; each thread may have its
 * own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LAC_TRACK_UNKNOWN INT64_MIN /* unknown number of bytes */

typedef struct _LacTracker LacTracker;

/* @enabled: false: blocks record nothing and cost a few nanoseconds */
LacTracker *lac_tracker_new(bool enabled);
void        lac_tracker_free(LacTracker *tracker);

/* ---- memory of a device, in bytes or LAC_TRACK_UNKNOWN ---- */

typedef struct {
  int64_t used, reserved; /* in use; in use and cached by the allocator */
  int64_t peak;           /* peak use since the last reset */
} LacTrackMemory;

typedef struct {
  void (*read)(LacTrackMemory *memory, void *user_data);
  void (*reset_peak)(void *user_data);
  void (*wait)(void *user_data); /* waits until the device is idle; may be NULL */
  void *user_data;
} LacTrackDevice;

/* Call before the first block. @device must outlive the tracker; trackers of the same device share its peak. */
void lac_tracker_set_device(LacTracker *tracker, const LacTrackDevice *device);

/* ---- nested blocks ---- */

typedef enum {
  LAC_TRACK_ONCE = 1,     /* one row per block, with memory: costs tens of microseconds */
  LAC_TRACK_REPEATED = 2, /* summed by name, without memory: costs a fraction of a microsecond */
  LAC_TRACK_ALL = 3
} LacTrackMode;

/* @tracker: NULL acts like a disabled tracker. Returns: the block, to be passed to lac_tracker_end(), which accepts
 * NULL; NULL when nothing is recorded */
LacTracker *lac_tracker_begin(LacTracker *tracker, const char *name, LacTrackMode mode);
void        lac_tracker_end(LacTracker **block); /* must be the innermost block */

/* Begins a block with its own tracker; time and memory are printed when the block ends. @device: may be NULL */
LacTracker *lac_track_printed_begin(const char *name, FILE *file, const LacTrackDevice *device);
void        lac_track_printed_end(LacTracker **block);

#define LAC_TRACK_JOIN_(a, b) a##b
#define LAC_TRACK_NAME_(line) LAC_TRACK_JOIN_(lac_track_, line)
#define LAC_TRACK_UNTIL_(end) \
  __attribute__((cleanup(end), unused)) LacTracker *LAC_TRACK_NAME_(__LINE__)
/* Blocks that end with the enclosing braces, also on return, break and goto. */
#define LAC_TRACK(tracker, name) \
  LAC_TRACK_UNTIL_(lac_tracker_end) = lac_tracker_begin(tracker, name, LAC_TRACK_ONCE)
#define LAC_TRACK_REPEATED(tracker, name) \
  LAC_TRACK_UNTIL_(lac_tracker_end) = lac_tracker_begin(tracker, name, LAC_TRACK_REPEATED)
#define LAC_TRACK_PRINTED(name, file, device) \
  LAC_TRACK_UNTIL_(lac_track_printed_end) = lac_track_printed_begin(name, file, device)
/* Wraps the expression @call in a printed block and evaluates to its value. */
#define LAC_TRACK_CALL(name, file, call) \
  __extension__({                        \
    LAC_TRACK_PRINTED(name, file, NULL); \
    call;                                \
  })

/* ---- loops: each epoch is a block "epoch" tracked once, each batch a block "batch" tracked repeatedly ---- */

/* Prints a line for each of the first @verbose_batches batches and two at the end of an epoch. @file: NULL: no log */
void lac_tracker_set_log(LacTracker *tracker, FILE *file, unsigned verbose_batches);
void lac_tracker_begin_epoch(LacTracker *tracker);
void lac_tracker_begin_batch(LacTracker *tracker, unsigned batch); /* from 0 in each epoch */
void lac_tracker_end_batch(LacTracker *tracker, double loss);      /* NAN: no loss */
void lac_tracker_end_epoch(LacTracker *tracker);

/* ---- results ---- */

typedef struct {
  const char *operation;
  uint64_t    count; /* 1 for LAC_TRACK_ONCE */
  double      total_seconds, mean_seconds, min_seconds, max_seconds;
  int64_t     start_ns;            /* LAC_TRACK_ONCE: start, monotonic clock */
  unsigned    depth;               /* LAC_TRACK_ONCE: number of enclosing blocks */
  int64_t     cpu_delta, cpu_peak; /* LAC_TRACK_ONCE: resident bytes, end minus start; their peak */
  int64_t     gpu_delta, gpu_peak; /* the same for the device */
} LacTrackRow;

/* Returns: rows, valid until the next call on @tracker. LAC_TRACK_ONCE: one per block, in order of start;
 * LAC_TRACK_REPEATED: one per name, largest total first; LAC_TRACK_ALL: one per name, over both modes */
const LacTrackRow *lac_tracker_get_rows(LacTracker *tracker, LacTrackMode mode, size_t *n_rows);
LacTrackRow        lac_tracker_get_sum(LacTracker *tracker,
                                       const char *operation); /* all 0 for an unknown name */
double lac_tracker_get_total_time(LacTracker *tracker); /* total seconds of the outermost blocks */
void   lac_tracker_clear(LacTracker *tracker);          /* drops all ended blocks */

/* Prints tables 90 columns wide, in MB of 10^6 bytes. */
void lac_tracker_print(LacTracker *tracker, LacTrackMode tables, FILE *file);
/* Writes every block in the format of the extension: .csv, .json and .json.gz (Chrome trace), .pftrace (Perfetto).
 * Returns: NULL, or an error message, to be passed to free() */
char *lac_tracker_write(LacTracker *tracker, const char *path);

#ifdef __cplusplus
}
#endif
