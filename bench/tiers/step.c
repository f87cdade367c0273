/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost of training: steps of an experiment, in groups of some tens of milliseconds between two probes, and the data
 * of its recorder. A step is computed tile by tile, forward then in reverse, so that a wall clock cannot separate
 * them: the time within the tiles is divided in proportion to the recorded operation times; packing counts as
 * forward, summing the gradients as backward. */
#include "base/error.h"
#include "bench/harness/child.h"
#include "bench/harness/probe.h"
#include "bench/tiers/bench-private.h"
#include "bench/tiers/training.h"
#include "perf/analysis/aggregate.h"
#include "perf/analysis/ratio.h"

#include <math.h>
#include <string.h>

#define GROUP_SECONDS 0.06
#define N_OPERATIONS  12 /* listed one by one */
#define QUALITY_MAY \
  0.05 /* allowed growth over a baseline: rounding differs between processors, and training amplifies it */

/* Sums over the records of a group, in nanoseconds. */
typedef struct {
  LacPerf       *perf;
  double         forward, reverse;    /* of operations, over all threads */
  double         tiles, pack, reduce; /* of spans, wall time */
  LacAggregates *operations;          /* (nullable): all groups */
} Sums;

typedef struct {
  const LacBenchTask *task;
  LacBenchTraining    training;
  LacBenchProbe      *probe;
  LacAggregates      *operations; /* (nullable): records of the measured steps */
} Measured;

/* ---- rows ---- */

static const LacBenchRow forward_row = {.metric = "forward_seconds",
                                        .unit = "s",
                                        .kind = LAC_BENCH_TIME};
static const LacBenchRow backward_row = {.metric = "backward_seconds",
                                         .unit = "s",
                                         .kind = LAC_BENCH_TIME};
static const LacBenchRow step_row = {.metric = "step_seconds", .unit = "s", .kind = LAC_BENCH_TIME};
static const LacBenchRow whole_row = {
  .metric = "step_seconds",
  .unit = "s",
  .kind = LAC_BENCH_TIME,
  .note = "a device step is one unit: all of it must meet the limit of forward"};
static const LacBenchRow setup_row = {.metric = "setup_seconds",
                                      .unit = "s",
                                      .kind = LAC_BENCH_TIME};
static const LacBenchRow peak_row = {.metric = "training_peak_resident_bytes",
                                     .unit = "B",
                                     .kind = LAC_BENCH_MEMORY,
                                     .note = "of the whole process, without the probe"};
static const LacBenchRow grown_row = {.metric = "training_grown_bytes",
                                      .unit = "B",
                                      .kind = LAC_BENCH_MEMORY,
                                      .note = "peak increase by set-up and training"};

static LacBenchRow
with_limit(LacBenchRow row, double limit)
{
  row.limit = limit;
  return row;
}

/* ---- set-up ---- */

static gboolean
set_size(LacBenchTraining *training, const LacBenchSize *size, GError **error)
{
  for (const LacBenchSetting *setting = size->settings; setting->key; setting++)
    if (!lac_draft_set(training->draft, setting->key, setting->value, error))
      return FALSE;
  return TRUE;
}

static gboolean
open_measured(Measured *measured, const LacBenchTask *task, GError **error)
{
  const LacBenchLaboratory *laboratory = task->laboratory;
  const LacBenchTier       *tier = task->tier;
  const LacBenchSize       *size = lac_bench_find_size(laboratory, tier);
  LacBenchWay               way = lac_bench_way(task->n_threads, laboratory->precision);
  const gint64              side = (gint64) tier->side;
  LacBenchTraining         *training = &measured->training;

  measured->task = task;
  way.backend = task->backend;
  if (!lac_bench_training_open(training, &way, laboratory->experiment, laboratory->settings, error))
    return FALSE;
  measured->probe = lac_bench_probe_new(training->pool);
  if (size)
    return set_size(training, size, error);
  return lac_bench_training_set(training, laboratory->grid_key, side, error) &&
         lac_bench_training_set(training, laboratory->sensors_key, (gint64) tier->n_sensors,
                                error) &&
         lac_bench_training_set(training, laboratory->batch_key, side * side, error) &&
         lac_bench_training_set(training, laboratory->epochs_key, tier->n_steps, error);
}

/* ---- steps ---- */

static void
add_records(const LacRecord *records, gsize n, gpointer user_data)
{
  Sums *sums = user_data;

  if (sums->operations)
    lac_aggregates_add(sums->operations, records, n);
  for (gsize i = 0; i < n; i++) {
    const char  *name = lac_perf_get_name(sums->perf, records[i].name);
    const double ns = (double) records[i].duration_ns;

    if (records[i].kind == LAC_RECORD_AGGREGATE)
      *(g_str_has_suffix(name, " reverse") ? &sums->reverse : &sums->forward) += ns;
    else if (records[i].kind == LAC_RECORD_SPAN && g_str_equal(name, "forward+reverse"))
      sums->tiles += ns;
    else if (records[i].kind == LAC_RECORD_SPAN && g_str_equal(name, "pack"))
      sums->pack += ns;
    else if (records[i].kind == LAC_RECORD_SPAN && g_str_equal(name, "reduce"))
      sums->reduce += ns;
  }
}

static gboolean
step(Measured *measured, GError **error)
{
  LacOutcome outcome;

  return lac_bench_training_step(&measured->training, &outcome, error);
}

/* Steps between two probes: one sample each. */
typedef struct {
  double wall, relative;    /* seconds per step; multiple of the probe */
  double forward, backward; /* seconds per step */
} Group;

/* Waits for the device. */
static gboolean
settle(const Measured *measured, GError **error)
{
  const LacDevice device = measured->training.device;
  const LacStatus status = device.table->synchronise(device.self);

  if (status != LAC_STATUS_OK)
    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "backend = %s: %s", device.table->name,
                lac_status_text(status));
  return status == LAC_STATUS_OK;
}

/* Uses wall time for a device, whose work takes no CPU time. */
static LacBenchClocks
end(const Measured *measured, const LacBenchBeside *beside, double *relative)
{
  return lac_bench_beside_end(beside, measured->task->backend != NULL, relative);
}

static gboolean
measure_group(Measured *measured, gint64 most, Group *group, GError **error)
{
  const gint64   first = measured->training.n_done;
  LacBenchBeside beside;
  Sums           sums = {.perf = measured->training.perf, .operations = measured->operations};
  double         n, tiles;

  lac_perf_drain(measured->training.perf, add_records, &(Sums){.perf = measured->training.perf});
  if (!settle(measured, error))
    return FALSE;
  beside = lac_bench_beside_begin(measured->probe);
  do {
    if (!step(measured, error))
      return FALSE;
  } while (measured->training.n_done - first < most &&
           lac_bench_wall_seconds() - beside.begin.wall < GROUP_SECONDS);
  if (!settle(measured, error))
    return FALSE;
  group->wall = end(measured, &beside, &group->relative).wall;
  lac_perf_drain(measured->training.perf, add_records, &sums);
  n = (double) (measured->training.n_done - first);
  tiles = sums.tiles / (sums.forward + sums.reverse);
  group->wall /= n;
  group->relative /= n;
  group->forward = 1e-9 * (sums.forward * tiles + sums.pack) / n;
  group->backward = 1e-9 * (sums.reverse * tiles + sums.reduce) / n;
  return TRUE;
}

/* Adds the extrapolated time of a whole training. @what: "epochs" */
static void
add_all(const LacBenchTask *task,
        LacBenchFile       *rows,
        const char         *what,
        gint64              n_all,
        gint64              n_run,
        const double       *step)
{
  const double     n = (double) n_all;
  g_autofree char *metric = g_strdup_printf("all_%s_seconds", what);
  g_autofree char *note =
    g_strdup_printf("%" G_GINT64_FORMAT " %s at the median step; %" G_GINT64_FORMAT " were run",
                    n_all, what, n_run);

  lac_bench_print(
    task, rows, (LacBenchRow){.metric = metric, .unit = "s", .note = note, .kind = LAC_BENCH_TIME},
    n * step[0], n * step[1]);
}

/* Adds the medians of the groups as the samples of this process. */
static void
add_groups(const LacBenchTask *task, LacBenchFile *rows, const GArray *groups)
{
  const LacBenchTier *tier = task->tier;
  const LacBenchSize *size = lac_bench_find_size(task->laboratory, tier);
  g_autoptr(GArray)   column = g_array_new(FALSE, FALSE, sizeof(double));
  double              middle[4], relative;

  for (gsize c = 0; c < G_N_ELEMENTS(middle); c++) {
    g_array_set_size(column, 0);
    for (guint i = 0; i < groups->len; i++) {
      const Group *group = &g_array_index(groups, Group, i);
      const double numbers[] = {group->wall, group->relative, group->forward, group->backward};

      g_array_append_val(column, numbers[c]);
    }
    middle[c] = lac_median((const double *) (gpointer) column->data, column->len);
  }
  relative = middle[1] / middle[0];
  if (size) {
    LacBenchRow row = with_limit(step_row, size->step_seconds);

    row.note = size->elsewhere;
    lac_bench_print(task, rows, row, middle[0], middle[1]);
    if (size->n_all)
      add_all(task, rows, "samples", size->n_all, size->n_steps, middle);
    return;
  }
  add_all(task, rows, "epochs", tier->n_epochs, tier->n_steps, middle);
  if (task->backend) {
    lac_bench_print(task, rows, with_limit(whole_row, tier->forward_seconds), middle[0], middle[1]);
    return;
  }
  lac_bench_print(task, rows, step_row, middle[0], middle[1]);
  lac_bench_print(task, rows, with_limit(forward_row, tier->forward_seconds), middle[2],
                  middle[2] * relative);
  lac_bench_print(task, rows, with_limit(backward_row, tier->backward_seconds), middle[3],
                  middle[3] * relative);
}

/* Measures steps without the last one, in which the experiment evaluates its result. */
static gboolean
measure_steps(Measured *measured, LacBenchFile *rows, GError **error)
{
  const LacBenchSize *size = lac_bench_find_size(measured->task->laboratory, measured->task->tier);
  const gint64        last = (size ? size->n_steps : measured->task->tier->n_steps) - 1;
  g_autoptr(GArray)   groups = g_array_new(FALSE, FALSE, sizeof(Group));

  for (gint64 warm = size ? size->n_warm : MIN(2, last - 1); warm > 0; warm--)
    if (!step(measured, error))
      return FALSE;
  while (measured->training.n_done < last) {
    Group group;

    if (!measure_group(measured, last - measured->training.n_done, &group, error))
      return FALSE;
    g_array_append_val(groups, group);
  }
  add_groups(measured->task, rows, groups);
  return step(measured, error);
}

static void
add_qualities(Measured *measured, LacBenchFile *rows)
{
  const LacBenchLaboratory *laboratory = measured->task->laboratory;
  g_autofree char          *note =
    g_strdup_printf("after %" G_GINT64_FORMAT " steps", measured->training.n_done);

  for (gsize q = 0; laboratory->qualities[q]; q++) {
    const LacBenchRow row = {.metric = laboratory->qualities[q],
                             .unit = "1",
                             .note = note,
                             .kind = LAC_BENCH_QUALITY,
                             .tolerance = QUALITY_MAY};

    lac_bench_print(measured->task, rows, row,
                    lac_bench_training_get(&measured->training, laboratory->qualities[q]), NAN);
  }
}

static void
add_share(const Measured *measured, LacBenchFile *rows, const char *name, double share)
{
  g_autofree char *metric = g_strdup_printf("share of %s", name);

  lac_bench_print(measured->task, rows,
                  (LacBenchRow){.metric = metric,
                                .unit = "1",
                                .kind = LAC_BENCH_QUALITY,
                                .tolerance = 1e6, /* a share may grow when others shrink */
                                .note = "of the time of a step"},
                  share, NAN);
}

/* Returns the time of a row in itself: of an operation, or of a span without those within it. */
static double
get_own(const LacAggregate *row, gboolean of_operations)
{
  if (row->is_operation != of_operations)
    return 0;
  return of_operations ? row->total_ns : MAX(row->self_ns, 0);
}

/* Adds the largest operations as shares of the time of all, and the rest as one; spans where operations are not most of
 * the time. */
static void
add_operations(Measured *measured, LacBenchFile *rows)
{
  gsize               n, n_shown = 0;
  const LacAggregate *all = lac_aggregates_get(measured->operations, &n);
  double              sums[2] = {0, 0}, rest = 1, shares[N_OPERATIONS];
  const LacAggregate *shown[N_OPERATIONS];

  for (gsize i = 0; i < n; i++)
    sums[all[i].is_operation] += get_own(&all[i], all[i].is_operation);
  const gboolean of_operations = sums[1] > sums[0] / 2;
  for (gsize i = 0; i < n; i++) {
    const double share = get_own(&all[i], of_operations) / sums[of_operations];
    gsize        at = n_shown;

    if (share <= 0 || (n_shown == N_OPERATIONS && share <= shares[n_shown - 1]))
      continue;
    n_shown = MIN(n_shown + 1, N_OPERATIONS);
    for (at = MIN(at, N_OPERATIONS - 1); at > 0 && shares[at - 1] < share; at--) {
      shares[at] = shares[at - 1];
      shown[at] = shown[at - 1];
    }
    shares[at] = share;
    shown[at] = &all[i];
  }
  for (gsize i = 0; i < n_shown; i++) {
    add_share(measured, rows, lac_perf_get_name(measured->training.perf, shown[i]->name),
              shares[i]);
    rest -= shares[i];
  }
  if (n_shown > 0)
    add_share(measured, rows, "all others", MAX(rest, 0));
}

static gboolean
train(Measured *measured, LacBenchFile *rows, GError **error)
{
  const LacBenchTask  *task = measured->task;
  const LacBenchMemory memory = lac_bench_memory_begin();
  const LacBenchBeside beside = lac_bench_beside_begin(measured->probe);
  double               peak, grown, seconds, relative;

  if (!lac_bench_training_set_up(&measured->training, error))
    return FALSE;
  seconds = end(measured, &beside, &relative).wall;
  lac_bench_print(task, rows, setup_row, seconds, relative);
  if (!measure_steps(measured, rows, error))
    return FALSE;
  peak = lac_bench_memory_end(memory, &grown);
  lac_bench_print(task, rows, with_limit(peak_row, task->tier->memory_bytes),
                  peak - (double) lac_bench_probe_get_bytes(measured->probe), NAN);
  lac_bench_print(task, rows, grown_row, grown, NAN);
  add_qualities(measured, rows);
  if (measured->operations)
    add_operations(measured, rows);
  return TRUE;
}

gboolean
lac_bench_step(const LacBenchTask *task, LacBenchFile *rows, GError **error)
{
  Measured       measured = {.operations = task->profile ? lac_aggregates_new() : NULL};
  const gboolean done = open_measured(&measured, task, error) && train(&measured, rows, error);

  g_clear_pointer(&measured.operations, lac_aggregates_free);
  lac_bench_probe_free(measured.probe);
  lac_bench_training_close(&measured.training);
  return done;
}
