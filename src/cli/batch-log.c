/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps and their metrics arrive separately and are printed once both are there. */
#include "cli/batch-log.h"

#include "perf/analysis/loop-lines.h"
#include "perf/recorder/heap.h"

#include <math.h>
#include <string.h>

#define NS          1e-9
#define MOST_LOSSES 4096 /* steps without a record would be kept for ever */

void
lac_batch_log_init(LacBatchLog *log, LacRun *run, guint most)
{
  const LacOutline *outline = lac_run_get_outline(run);
  *log = (LacBatchLog){.run = run, .most = most, .loss = outline->headline};
  log->records = g_array_new(FALSE, FALSE, sizeof(LacRecord));
  log->losses = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
  for (gsize m = outline->n_metrics; m-- > 0;)
    if (strstr(outline->metrics[m].key, "loss") != NULL)
      log->loss = m;
}

void
lac_batch_log_clear(LacBatchLog *log)
{
  g_clear_pointer(&log->records, g_array_unref);
  g_clear_pointer(&log->losses, g_hash_table_unref);
}

/* @memory: (out): all LAC_RECORD_UNKNOWN without a device */
static void
read_device(const LacBatchLog *log, LacDeviceMemory *memory)
{
  LacRunStatus status;
  lac_run_get_status(log->run, &status);
  *memory = status.memory;
  if (memory->used == 0 && memory->reserved == 0 && memory->peak == 0)
    *memory = (LacDeviceMemory){LAC_RECORD_UNKNOWN, LAC_RECORD_UNKNOWN, LAC_RECORD_UNKNOWN};
}

static void
end_epoch(LacBatchLog *log)
{
  if (log->epoch == 0)
    return;
  LacEpochLines lines = {.seconds = (double) (log->end_ns - log->begin_ns) * NS,
                         .cpu = log->cpu,
                         .cpu_peak = log->cpu_peak,
                         .n_batches = log->n_batches,
                         .mean = log->sum / (double) MAX(log->n_batches, 1),
                         .least = log->shortest,
                         .most = log->longest};
  read_device(log, &lines.device);
  g_autofree char *text = lac_epoch_lines_dup(&lines);
  g_printerr("%s", text);
  log->epoch = 0;
}

static void
print_batch(const LacBatchLog *log, const LacRecord *record, double loss)
{
  const char     *key = lac_run_get_outline(log->run)->metrics[log->loss].key;
  const char     *dot = strrchr(key, '.'); /* of "pinn.loss" */
  LacDeviceMemory device;
  read_device(log, &device);
  g_autofree char *line =
    lac_batch_line_dup(&(LacBatchLine){.batch = record->batch - 1,
                                       .seconds = (double) record->duration_ns * NS,
                                       .gpu = device.used,
                                       .cpu = log->cpu,
                                       .what = dot != NULL ? dot + 1 : key,
                                       .loss = loss});
  g_printerr("%s", line);
}

static void
add(LacBatchLog *log, const LacRecord *record, double loss)
{
  const double seconds = (double) record->duration_ns * NS;
  if (record->epoch != log->epoch) {
    end_epoch(log);
    log->epoch = record->epoch;
    log->begin_ns = record->start_ns;
    log->n_batches = 0;
    log->cpu_peak = 0;
    log->sum = log->longest = 0;
    log->shortest = INFINITY;
  }
  log->end_ns = record->start_ns + record->duration_ns;
  log->cpu = (gint64) lac_heap_get_resident();
  log->cpu_peak = MAX(log->cpu_peak, log->cpu);
  if (record->batch == 0)
    return;
  log->n_batches++;
  log->sum += seconds;
  log->shortest = fmin(log->shortest, seconds);
  log->longest = fmax(log->longest, seconds);
  if (record->batch <= log->most)
    print_batch(log, record, loss);
}

/* Prints the steps whose metrics are known, in order. */
static void
print_ready(LacBatchLog *log)
{
  guint n = 0;
  for (; n < log->records->len; n++) {
    const LacRecord *record = &g_array_index(log->records, LacRecord, n);
    const double    *loss = g_hash_table_lookup(log->losses, &record->step);
    if (loss == NULL)
      break;
    add(log, record, *loss);
    g_hash_table_remove(log->losses, &record->step);
  }
  g_array_remove_range(log->records, 0, n);
}

void
lac_batch_log_take_records(const LacRecord *records, gsize n, gpointer data)
{
  LacBatchLog *log = data;
  for (gsize i = 0; log->most > 0 && i < n; i++)
    if (records[i].kind == LAC_RECORD_SPAN && records[i].epoch > 0)
      g_array_append_val(log->records, records[i]);
  if (log->most > 0)
    print_ready(log);
}

void
lac_batch_log_take_metrics(gint64 step, double seconds, const double *metrics, gpointer data)
{
  LacBatchLog *log = data;
  if (log->most == 0)
    return;
  if (g_hash_table_size(log->losses) >= MOST_LOSSES)
    g_hash_table_remove_all(log->losses);
  g_hash_table_insert(log->losses, g_memdup2(&step, sizeof step),
                      g_memdup2(&metrics[log->loss], sizeof *metrics));
  print_ready(log);
}

void
lac_batch_log_end(LacBatchLog *log)
{
  for (guint i = 0; i < log->records->len; i++)
    add(log, &g_array_index(log->records, LacRecord, i), (double) NAN);
  g_array_set_size(log->records, 0);
  end_epoch(log);
}
