/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library lacuna-perf: a recorder with one lane; results come from the capture of its records. */
#include "base/clock.h"
#include "perf/analysis/aggregate.h"
#include "perf/analysis/loop-lines.h"
#include "perf/recorder/heap.h"
#include "perf/recorder/lane.h"
#include "perf/recorder/memory-scope.h"
#include "perf/trace/trace.h"
#include "perf/tracker/lacuna-perf.h"

#include <inttypes.h>
#include <math.h>

/* Number of blocks that fit in the ring with two records each */
enum { DRAIN_BLOCKS = 500, MAX_DEPTH = 255, NAME_WIDTH = 30 };

#define NS      1e-9
#define MB      1e6
#define NINE(s) s s s s s s s s s
#define RULE(c) NINE(c c c c c c c c c c) "\n"

typedef struct {
  LacMemorySpan span; /* memory is read for LAC_TRACK_ONCE only */
  LacTrackMode  mode;
} Block;

struct _LacTracker {
  LacPerf              *perf;
  LacLane              *lane;
  LacCapture           *capture;
  const LacTrackDevice *device; /* (nullable) */
  LacMemoryProbe        probe;  /* wraps @device */
  Block                 blocks[MAX_DEPTH];
  guint                 depth, n_waiting; /* open blocks; ended blocks not yet drained */
  GArray               *rows;             /* LacTrackRow: last result */
  FILE                 *file;             /* (nullable) */
  guint                 verbose_batches, n_batches, epoch, batch;
  guint32               name_loss;
  gsize                 epoch_first; /* index in the capture */
};

LacTracker *
lac_tracker_new(bool enabled)
{
  LacTracker *tracker = g_new0(LacTracker, 1);
  tracker->perf = lac_perf_new(enabled ? LAC_PERF_COARSE : LAC_PERF_OFF);
  tracker->lane = lac_perf_lane(tracker->perf, "tracker");
  tracker->name_loss = lac_perf_name(tracker->perf, "loss");
  tracker->capture = lac_capture_new("tracker");
  tracker->rows = g_array_new(FALSE, FALSE, sizeof(LacTrackRow));
  return tracker;
}

void
lac_tracker_free(LacTracker *tracker)
{
  if (tracker == NULL)
    return;
  while (tracker->depth > 0) /* open memory scopes are listed process-wide and must be closed */
    lac_tracker_end(&(LacTracker *){tracker});
  g_array_unref(tracker->rows);
  lac_capture_unref(tracker->capture);
  lac_perf_free(tracker->perf);
  g_free(tracker);
}

/* ---- the device of a tracker; NULL: none ---- */

static void
read_device(LacDeviceMemory *memory, gpointer user_data)
{
  const LacTrackDevice *device = user_data;
  LacTrackMemory        now = {LAC_TRACK_UNKNOWN, LAC_TRACK_UNKNOWN, LAC_TRACK_UNKNOWN};
  if (device != NULL)
    device->read(&now, device->user_data);
  *memory = (LacDeviceMemory){now.used, now.reserved, now.peak};
}

static void
reset_device(gpointer user_data)
{
  const LacTrackDevice *device = user_data;
  device->reset_peak(device->user_data);
}

static void
wait_for_device(gpointer user_data)
{
  const LacTrackDevice *device = user_data;
  if (device != NULL && device->wait != NULL)
    device->wait(device->user_data);
}

void
lac_tracker_set_device(LacTracker *tracker, const LacTrackDevice *device)
{
  g_return_if_fail(tracker->depth == 0);
  tracker->device = lac_lane_is_recording(tracker->lane) ? device : NULL;
  tracker->probe = (LacMemoryProbe){read_device, reset_device, wait_for_device, (gpointer) device};
}

/* ---- blocks ---- */

static void
append(const LacRecord *records, gsize n, gpointer capture)
{
  lac_capture_append(capture, records, n);
}

/* Returns: the number of records so far */
static gsize
drain(LacTracker *tracker)
{
  lac_perf_drain(tracker->perf, append, tracker->capture);
  lac_capture_follow(tracker->capture, tracker->perf);
  tracker->n_waiting = 0;
  return lac_capture_get_n_records(tracker->capture);
}

LacTracker *
lac_tracker_begin(LacTracker *tracker, const char *name, LacTrackMode mode)
{
  if (tracker == NULL || !lac_lane_is_recording(tracker->lane) || tracker->depth == MAX_DEPTH)
    return NULL;
  Block        *block = &tracker->blocks[tracker->depth++];
  const guint32 id = lac_perf_name(tracker->perf, name);
  block->mode = mode;
  if (mode == LAC_TRACK_ONCE)
    lac_memory_span_begin(&block->span, tracker->lane, id,
                          tracker->device != NULL ? &tracker->probe : NULL);
  else
    block->span.span = lac_span_begin(tracker->lane, id);
  return tracker;
}

void
lac_tracker_end(LacTracker **block)
{
  LacTracker *tracker = *block;
  *block = NULL;
  if (tracker == NULL || tracker->depth == 0)
    return;
  Block *last = &tracker->blocks[--tracker->depth];
  if (last->mode == LAC_TRACK_ONCE)
    lac_memory_span_end(&last->span, tracker->lane, -1);
  else
    lac_span_end(tracker->lane, last->span.span, -1);
  if (++tracker->n_waiting >= DRAIN_BLOCKS)
    drain(tracker);
}

/* ---- results ---- */

static gint
compare_starts(gconstpointer a, gconstpointer b)
{
  const LacTrackRow *x = a, *y = b;
  return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static void
add_row(LacTracker *tracker, LacTrackRow row, guint32 name)
{
  row.operation = lac_perf_get_name(tracker->perf, name);
  row.mean_seconds = row.total_seconds / (double) row.count;
  g_array_append_val(tracker->rows, row);
}

static void
find_blocks(LacTracker *tracker)
{
  g_array_set_size(tracker->rows, 0);
  for (gsize i = 0, n = drain(tracker); i < n; i++) {
    const LacRecord *r = lac_capture_at(tracker->capture, i);
    const double     s = (double) r->duration_ns * NS;
    if (r->kind == LAC_RECORD_MEMORY)
      add_row(tracker,
              (LacTrackRow){NULL, 1, s, s, s, s, r->start_ns, r->depth, r->cpu_delta, r->cpu_peak,
                            r->gpu_delta, r->gpu_peak},
              r->name);
  }
  g_array_sort(tracker->rows, compare_starts);
}

/* Sums the spans from record @first on. A memory record follows each LAC_TRACK_ONCE block. */
static void
find_sums(LacTracker *tracker, gsize first, gboolean only_repeated)
{
  const gint64             none = LAC_TRACK_UNKNOWN;
  const gsize              n = drain(tracker);
  g_autoptr(LacAggregates) sums = lac_aggregates_new();
  for (gsize i = first; i < n; i++) {
    const LacRecord *r = lac_capture_at(tracker->capture, i);
    const LacRecord *next = i + 1 < n ? lac_capture_at(tracker->capture, i + 1) : r;
    if (r->kind == LAC_RECORD_SPAN && !(only_repeated && next->kind == LAC_RECORD_MEMORY))
      lac_aggregates_add(sums, r, 1);
  }
  gsize               n_sums;
  const LacAggregate *sum = lac_aggregates_get(sums, &n_sums);
  g_array_set_size(tracker->rows, 0);
  for (; n_sums > 0; n_sums--, sum++)
    add_row(tracker,
            (LacTrackRow){NULL, sum->count, sum->total_ns * NS, 0, sum->min_ns * NS,
                          sum->max_ns * NS, 0, 0, none, none, none, none},
            sum->name);
}

const LacTrackRow *
lac_tracker_get_rows(LacTracker *tracker, LacTrackMode mode, size_t *n_rows)
{
  if (mode == LAC_TRACK_ONCE)
    find_blocks(tracker);
  else
    find_sums(tracker, 0, mode == LAC_TRACK_REPEATED);
  *n_rows = tracker->rows->len;
  return (const LacTrackRow *) (gconstpointer) tracker->rows->data;
}

static LacTrackRow
get_sum(LacTracker *tracker, const char *operation, gsize first)
{
  find_sums(tracker, first, FALSE);
  for (guint i = 0; i < tracker->rows->len; i++) {
    const LacTrackRow *row = &g_array_index(tracker->rows, LacTrackRow, i);
    if (g_str_equal(row->operation, operation))
      return *row;
  }
  return (LacTrackRow){.operation = operation};
}

LacTrackRow
lac_tracker_get_sum(LacTracker *tracker, const char *operation)
{
  return get_sum(tracker, operation, 0);
}

double
lac_tracker_get_total_time(LacTracker *tracker)
{
  double seconds = 0;
  for (gsize i = 0, n = drain(tracker); i < n; i++) {
    const LacRecord *record = lac_capture_at(tracker->capture, i);
    if (record->kind == LAC_RECORD_SPAN && record->depth == 0)
      seconds += (double) record->duration_ns * NS;
  }
  return seconds;
}

void
lac_tracker_clear(LacTracker *tracker)
{
  drain(tracker);
  lac_capture_unref(tracker->capture);
  tracker->capture = lac_capture_new("tracker");
  tracker->epoch_first = 0;
}

char *
lac_tracker_write(LacTracker *tracker, const char *path)
{
  g_autoptr(GError) error = NULL;
  drain(tracker);
  return lac_trace_write(tracker->capture, path, &error) ? NULL : g_strdup(error->message);
}

/* ---- text ---- */

static double
megabytes(gint64 n_bytes)
{
  return n_bytes == LAC_TRACK_UNKNOWN ? (double) NAN : (double) n_bytes / MB;
}

/* @layout has %s for the value, which has a decimal point in every locale; "-" for NaN. */
static void
put(FILE *file, const char *layout, const char *format, double value)
{
  char text[64];
  fprintf(file, layout, isnan(value) ? "-" : g_ascii_formatd(text, sizeof text, format, value));
}

static void
put_known(FILE *file, const char *layout, const char *format, double value)
{
  if (!isnan(value))
    put(file, layout, format, value);
}

/* Counts characters, not bytes, and truncates to the column width. */
static void
put_name(FILE *file, const LacTrackRow *row)
{
  const int        indent = (int) MIN(2 * row->depth, NAME_WIDTH / 2), width = NAME_WIDTH - indent;
  g_autofree char *valid = g_utf8_make_valid(row->operation, -1);
  const int        n = (int) g_utf8_strlen(valid, -1);
  g_autofree char *shown = g_utf8_substring(valid, 0, n > width ? width - 3 : n);
  fprintf(file, "%*s%s%*s", indent, "", shown, MAX(width - n, 0), n > width ? "..." : "");
}

void
lac_tracker_print(LacTracker *tracker, LacTrackMode tables, FILE *file)
{
  size_t             n;
  double             total = 0;
  const LacTrackRow *row = lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n);
  if ((tables & LAC_TRACK_ONCE) != 0 && n > 0) {
    fputs(RULE("=") "PERFORMANCE SUMMARY\n" RULE("="), file);
    fputs("Operation                      Time (s)     CPU (MB)        GPU (MB)        GPU Peak\n",
          file);
    for (fputs(RULE("-"), file); n > 0; n--, row++) {
      put_name(file, row);
      put(file, "%11s", "%.3f", row->total_seconds);
      put(file, "%15s", "%+.1f", megabytes(row->cpu_delta));
      put(file, "%15s", "%+.1f", megabytes(row->gpu_delta));
      put(file, "%12s\n", "%.1f", megabytes(row->gpu_peak));
      total += row->depth == 0 ? row->total_seconds : 0;
    }
    put(file, RULE("-") "TOTAL%36ss\n" RULE("="), "%.3f", total);
  }
  row = lac_tracker_get_rows(tracker, LAC_TRACK_REPEATED, &n);
  if ((tables & LAC_TRACK_REPEATED) == 0 || n == 0)
    return;
  fputs(RULE("=") "AGGREGATE STATISTICS (for repeated operations)\n" RULE("="), file);
  fputs("Operation                      Count    Total (s)    Mean (s)     Min (s)      Max (s)\n",
        file);
  for (fputs(RULE("-"), file); n > 0; n--, row++) {
    put_name(file, row);
    fprintf(file, " %-8" PRIu64, row->count);
    put(file, " %-12s", "%.3f", row->total_seconds);
    put(file, " %-12s", "%.3f", row->mean_seconds);
    put(file, " %-12s", "%.3f", row->min_seconds);
    put(file, " %s\n", "%.3f", row->max_seconds);
  }
  fputs(RULE("="), file);
}

LacTracker *
lac_track_printed_begin(const char *name, FILE *file, const LacTrackDevice *device)
{
  LacTracker *tracker = lac_tracker_new(true);
  tracker->file = file;
  lac_tracker_set_device(tracker, device);
  return lac_tracker_begin(tracker, name, LAC_TRACK_ONCE);
}

void
lac_track_printed_end(LacTracker **block)
{
  LacTracker *tracker = *block;
  size_t      n;
  lac_tracker_end(block);
  const LacTrackRow *row = lac_tracker_get_rows(tracker, LAC_TRACK_ONCE, &n);
  fprintf(tracker->file, "[Performance] %s", row->operation);
  put(tracker->file, ": %ss", "%.3f", row->total_seconds);
  put_known(tracker->file, ", CPU %sMB", "%+.1f", megabytes(row->cpu_delta));
  put_known(tracker->file, ", GPU %sMB", "%+.1f", megabytes(row->gpu_delta));
  put_known(tracker->file, "\n              GPU peak: %sMB", "%.1f", megabytes(row->gpu_peak));
  fputc('\n', tracker->file);
  lac_tracker_free(tracker);
}

/* ---- loops ---- */

void
lac_tracker_set_log(LacTracker *tracker, FILE *file, unsigned verbose_batches)
{
  tracker->file = file;
  tracker->verbose_batches = verbose_batches;
}

void
lac_tracker_begin_epoch(LacTracker *tracker)
{
  tracker->epoch_first = drain(tracker);
  lac_lane_set_batch(tracker->lane, ++tracker->epoch, 0);
  lac_tracker_begin(tracker, "epoch", LAC_TRACK_ONCE);
}

void
lac_tracker_begin_batch(LacTracker *tracker, unsigned batch)
{
  tracker->batch = batch;
  tracker->n_batches++;
  lac_lane_set_batch(tracker->lane, tracker->epoch, batch + 1);
  wait_for_device((gpointer) tracker->device);
  lac_tracker_begin(tracker, "batch", LAC_TRACK_REPEATED);
}

static void
put_batch(LacTracker *tracker, double loss)
{
  const LacRecord *batch = lac_capture_at(tracker->capture, drain(tracker) - 1);
  LacDeviceMemory  device;
  read_device(&device, (gpointer) tracker->device);
  g_autofree char *line =
    lac_batch_line_dup(&(LacBatchLine){.batch = tracker->batch,
                                       .seconds = (double) batch->duration_ns * NS,
                                       .gpu = device.used,
                                       .cpu = (gint64) lac_heap_get_resident(),
                                       .what = "loss",
                                       .loss = loss});
  fputs(line, tracker->file);
}

void
lac_tracker_end_batch(LacTracker *tracker, double loss)
{
  if (tracker->depth == 0) /* nothing recorded, or no open batch */
    return;
  wait_for_device((gpointer) tracker->device);
  lac_tracker_end(&(LacTracker *){tracker});
  if (tracker->file != NULL && tracker->n_batches <= tracker->verbose_batches)
    put_batch(tracker, loss);
  if (!isnan(loss))
    lac_lane_push(tracker->lane, (LacRecord){.start_ns = lac_clock_ns(),
                                             .step = -1,
                                             .count = 1,
                                             .value = loss,
                                             .memory = -1,
                                             .name = tracker->name_loss,
                                             .kind = LAC_RECORD_COUNTER});
  lac_lane_set_batch(tracker->lane, tracker->epoch, 0);
}

static void
put_epoch(LacTracker *tracker)
{
  const LacRecord  *epoch = lac_capture_at(tracker->capture, drain(tracker) - 1);
  const LacTrackRow batches = get_sum(tracker, "batch", tracker->epoch_first);
  LacEpochLines     lines = {.seconds = (double) epoch->duration_ns * NS,
                             .cpu = (gint64) lac_heap_get_resident(),
                             .cpu_peak = epoch->cpu_peak,
                             .n_batches = batches.count,
                             .mean = batches.mean_seconds,
                             .least = batches.min_seconds,
                             .most = batches.max_seconds};
  read_device(&lines.device, (gpointer) tracker->device);
  lines.device.peak = epoch->gpu_peak;
  g_autofree char *text = lac_epoch_lines_dup(&lines);
  fputs(text, tracker->file);
}

void
lac_tracker_end_epoch(LacTracker *tracker)
{
  if (tracker->depth == 0)
    return;
  lac_tracker_end(&(LacTracker *){tracker});
  lac_lane_set_batch(tracker->lane, 0, 0);
  if (tracker->file != NULL)
    put_epoch(tracker);
}
