/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measuring stretches of one's own code: how long each took and what it did to memory. A tracker is a recorder with one lane
 * and the consumer of it; it belongs to one thread.
 *
 *   g_autoptr(LacTracker) tracker = lac_tracker_new(TRUE);
 *   {
 *     LAC_TRACK(tracker, "data loading");   ends where its block ends
 *     load();
 *   }
 *   lac_tracker_print(tracker, LAC_TRACKER_ALL, stdout);
 */
#pragma once

#include "perf/analysis/aggregate.h"
#include "perf/recorder/memory-scope.h"

#include <glib.h>

#include <stdio.h>

G_BEGIN_DECLS

typedef struct _LacTracker LacTracker;

/* @enabled: %FALSE: scopes cost next to nothing and leave nothing */
LacTracker *lac_tracker_new(gboolean enabled);
void        lac_tracker_free(LacTracker *tracker); /* after every scope has ended */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTracker, lac_tracker_free)

/* Of the device whose memory is measured too; copied. Before the first scope; without it the device's memory is unknown. */
void lac_tracker_set_probe(LacTracker *tracker, const LacMemoryProbe *probe);

/* ---- scopes: they nest, and each ends with the block it stands in ---- */

typedef enum {
  LAC_TRACK_ONCE,     /* a row of its own, with its memory */
  LAC_TRACK_REPEATED, /* summed with the others of its name, without: for what lasts microseconds */
} LacTrackMode;

/* Stays where it is between begin and end. */
typedef struct {
  LacTracker   *tracker;
  LacTrackMode  mode;
  LacMemorySpan span;
} LacTrackScope;

void
lac_track_begin(LacTrackScope *scope, LacTracker *tracker, const char *name, LacTrackMode mode);
void lac_track_end(LacTrackScope *scope); /* a second time does nothing */
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacTrackScope, lac_track_end)

#define LAC_TRACK_AS(tracker, name, mode)                    \
  g_auto(LacTrackScope) G_PASTE(lac_track_, __LINE__) = {0}; \
  lac_track_begin(&G_PASTE(lac_track_, __LINE__), (tracker), (name), (mode))
#define LAC_TRACK(tracker, name)          LAC_TRACK_AS(tracker, name, LAC_TRACK_ONCE)
#define LAC_TRACK_REPEATED(tracker, name) LAC_TRACK_AS(tracker, name, LAC_TRACK_REPEATED)

/* ---- what was measured; a pointer is valid until the next call on the tracker ---- */

typedef struct {
  const char     *operation; /* of the tracker */
  gint64          start_ns, duration_ns;
  double          seconds;
  guint           depth; /* 0: within no other scope */
  LacMemoryChange memory;
} LacTrackMetric;

typedef struct {
  const char *operation; /* of the tracker */
  guint64     count;
  double      total_seconds, mean_seconds, min_seconds, max_seconds;
} LacTrackStatistic;

/* Scopes tracked once, by their beginning; and names tracked repeatedly, largest total first. */
const LacTrackMetric    *lac_tracker_get_metrics(LacTracker *tracker, gsize *n_metrics);
const LacTrackStatistic *lac_tracker_get_statistics(LacTracker *tracker, gsize *n_statistics);

/* Seconds of all outermost scopes: nothing counts twice; and of all scopes of a name. */
double lac_tracker_get_total_time(LacTracker *tracker);
double lac_tracker_get_operation_time(LacTracker *tracker, const char *operation);

/* (transfer none): the whole recording, for analysis, timeline and traces; valid until the next call on the tracker. */
const LacCapture *lac_tracker_get_capture(LacTracker *tracker);

void lac_tracker_clear(LacTracker *tracker); /* forgets what has ended */

/* ---- taking it along ---- */

typedef enum {
  LAC_TRACKER_ONCE = 1 << 0,
  LAC_TRACKER_REPEATED = 1 << 1,
  LAC_TRACKER_ALL = LAC_TRACKER_ONCE | LAC_TRACKER_REPEATED,
} LacTrackerTables;

/* Tables of 90 columns, MB of 10^6 bytes, "-" where memory is unknown; scopes within others are indented, and TOTAL counts
 * them once. A table without rows is left out. */
char *lac_tracker_dup_summary(LacTracker *tracker, LacTrackerTables tables);
void  lac_tracker_print(LacTracker *tracker, LacTrackerTables tables, FILE *sink);

/* One row or object a metric and a statistic; bytes and seconds, nothing (CSV) or null (JSON) where unknown. */
char *lac_tracker_dup_csv(LacTracker *tracker);
char *lac_tracker_dup_json(LacTracker *tracker);
/* Returns: %FALSE with LAC_ERROR_UNWRITABLE set, and @path as it was. */
gboolean lac_tracker_write_csv(LacTracker *tracker, const char *path, GError **error);
gboolean lac_tracker_write_json(LacTracker *tracker, const char *path, GError **error);

/* "[Performance] NAME: 1.234s, CPU +250.5MB, GPU +512.0MB", and below the peak of the device; lines end with \n. */
char *lac_track_metric_dup_text(const LacTrackMetric *metric);

/* ---- one scope by itself, which says what it took as it ends ---- */

typedef struct {
  LacTracker   *tracker;
  LacTrackScope scope;
  FILE         *sink;
} LacTrackPrinted;

void lac_track_printed_begin(LacTrackPrinted      *self,
                             const char           *name,
                             FILE                 *sink,
                             const LacMemoryProbe *probe);
void lac_track_printed_end(LacTrackPrinted *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacTrackPrinted, lac_track_printed_end)

#define LAC_TRACK_PRINTED_TO(name, sink, probe)                \
  g_auto(LacTrackPrinted) G_PASTE(lac_track_, __LINE__) = {0}; \
  lac_track_printed_begin(&G_PASTE(lac_track_, __LINE__), (name), (sink), (probe))
#define LAC_TRACK_PRINTED(name) LAC_TRACK_PRINTED_TO(name, stderr, NULL)

/* A whole function as it is: its value is that of @call. LAC_TRACK_CALL("data processing", stderr, process(batch)) */
#define LAC_TRACK_CALL(name, sink, call)    \
  __extension__({                           \
    LAC_TRACK_PRINTED_TO(name, sink, NULL); \
    call;                                   \
  })

G_END_DECLS
