/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What training costs: an experiment's own steps, in groups of some tens of milliseconds between two probes, and what its
 * recorder says of them. The programs of a step compute tile by tile, forward then in reverse, so that no clock on the wall can
 * tell the two apart: the time within the tiles is divided as the ticks of the operations are, packing counts as forward, adding
 * up the gradients as backward. */
#include "base/clock.h"
#include "experiment/experiment.h"
#include "perf/ratio.h"
#include "run/bench-child.h"
#include "run/bench-private.h"
#include "run/bench-probe.h"

#include <math.h>
#include <string.h>

#define GROUP_SECONDS 0.06
#define QUALITY_MAY \
  0.05 /* grow over a baseline: other processors round otherwise, and training amplifies it */

/* Sums over the records of a group, in nanoseconds. */
typedef struct {
  LacPerf *perf;
  double   forward, reverse;    /* of operations, over all threads */
  double   tiles, pack, reduce; /* of spans, on the wall */
} Sums;

typedef struct {
  const LacBenchTask  *task;
  LacDevice            device;
  LacPool             *pool;
  LacPerf             *perf;
  LacBenchProbe       *probe;
  const LacExperiment *experiment;
  LacDraft            *draft;
  gpointer             state;
  LacOutline           outline;
  double              *metrics, *last; /* [n_metrics]; last: the finite ones */
  gint64               n_done;
} Training;

/* ---- rows ---- */

static const LacBenchRow forward_row = {.metric = "forward_seconds",
                                        .unit = "s",
                                        .kind = LAC_BENCH_TIME};
static const LacBenchRow backward_row = {.metric = "backward_seconds",
                                         .unit = "s",
                                         .kind = LAC_BENCH_TIME};
static const LacBenchRow step_row = {.metric = "step_seconds", .unit = "s", .kind = LAC_BENCH_TIME};
static const LacBenchRow setup_row = {.metric = "setup_seconds",
                                      .unit = "s",
                                      .kind = LAC_BENCH_TIME};
static const LacBenchRow peak_row = {.metric = "training_peak_resident_bytes",
                                     .unit = "B",
                                     .kind = LAC_BENCH_MEMORY,
                                     .note = "of the whole process, less the probe"};
static const LacBenchRow grown_row = {.metric = "training_grown_bytes",
                                      .unit = "B",
                                      .kind = LAC_BENCH_MEMORY,
                                      .note = "by set-up and training, at the peak"};

static LacBenchRow
with_limit(LacBenchRow row, double limit)
{
  row.limit = limit;
  return row;
}

/* ---- set-up ---- */

static gboolean
set_number(LacDraft *draft, const char *key, gint64 number, GError **error)
{
  g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, number);

  return lac_draft_set(draft, key, text, error);
}

static gboolean
fill_draft(Training *training, GError **error)
{
  const LacBenchLaboratory *laboratory = training->task->laboratory;
  const LacBenchTier       *tier = training->task->tier;
  const gint64              side = (gint64) tier->side;

  for (const LacBenchSetting *setting = laboratory->settings; setting->key; setting++)
    if (!lac_draft_set(training->draft, setting->key, setting->value, error))
      return FALSE;
  return set_number(training->draft, laboratory->grid_key, side, error) &&
         set_number(training->draft, laboratory->sensors_key, (gint64) tier->n_sensors, error) &&
         set_number(training->draft, laboratory->batch_key, side * side, error) &&
         set_number(training->draft, laboratory->epochs_key, tier->n_steps, error);
}

static gboolean
open_training(Training *training, const LacBenchTask *task, GError **error)
{
  training->task = task;
  training->experiment = lac_experiment_find(task->laboratory->experiment, error);
  if (!training->experiment || !lac_device_open(&training->device, "cpu", error))
    return FALSE;
  training->draft = lac_draft_new(&training->experiment->params);
  training->pool = lac_pool_new(task->n_threads);
  training->perf = lac_perf_new(LAC_PERF_COARSE);
  training->probe = lac_bench_probe_new(training->pool);
  return fill_draft(training, error);
}

static gboolean
set_up(Training *training, GError **error)
{
  const LacContext context = {
    .device = training->device,
    .pool = training->pool,
    .perf = training->perf,
    .lane = lac_perf_lane(training->perf, "compute"),
    .precision = training->task->laboratory->precision,
  };
  gconstpointer values = lac_draft_get_values(training->draft);

  training->outline = lac_experiment_outline(training->experiment, values);
  training->metrics = g_new(double, training->outline.n_metrics + 1);
  training->last = g_new(double, training->outline.n_metrics + 1);
  for (gsize i = 0; i < training->outline.n_metrics; i++)
    training->last[i] = NAN;
  training->state = training->experiment->create(training->experiment, values, &context, error);
  return training->state != NULL;
}

static void
close_training(Training *training)
{
  if (training->state)
    training->experiment->destroy(training->state);
  lac_outline_clear(&training->outline);
  g_free(training->metrics);
  g_free(training->last);
  lac_bench_probe_free(training->probe);
  lac_perf_free(training->perf);
  lac_pool_free(training->pool);
  lac_draft_free(training->draft);
  if (training->device.table)
    lac_device_close(&training->device);
}

/* ---- steps ---- */

static void
add_records(const LacRecord *records, gsize n, gpointer user_data)
{
  Sums *sums = user_data;

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
step(Training *training, GError **error)
{
  LacStepReport report = {.metrics = training->metrics};

  for (gsize i = 0; i < training->outline.n_metrics; i++)
    training->metrics[i] = NAN;
  if (!training->experiment->step(training->state, &report, error))
    return FALSE;
  for (gsize i = 0; i < training->outline.n_metrics; i++)
    if (isfinite(training->metrics[i]))
      training->last[i] = training->metrics[i];
  training->n_done++;
  return TRUE;
}

/* Steps between two probes: one sample of each. */
typedef struct {
  double wall, relative;    /* seconds of a step; as a multiple of the probe */
  double forward, backward; /* seconds of a step */
} Group;

static gboolean
measure_group(Training *training, gint64 most, Group *group, GError **error)
{
  const guint    n_threads = training->task->n_threads;
  const double   before = lac_bench_probe_run(training->probe, 0);
  const gint64   first = training->n_done;
  LacBenchClocks begin = lac_bench_clocks_now(n_threads), spent;
  Sums           sums = {.perf = training->perf};
  double         n, tiles;

  lac_perf_drain(training->perf, add_records, &(Sums){.perf = training->perf});
  do {
    if (!step(training, error))
      return FALSE;
    spent = lac_bench_clocks_since(begin, n_threads);
  } while (training->n_done - first < most && spent.wall < GROUP_SECONDS);
  lac_perf_drain(training->perf, add_records, &sums);
  n = (double) (training->n_done - first);
  tiles = sums.tiles / (sums.forward + sums.reverse);
  group->wall = spent.wall / n;
  group->relative = lac_bench_clocks_judged(spent, n_threads) / n /
                    ((before + lac_bench_probe_run(training->probe, 0)) / 2);
  group->forward = 1e-9 * (sums.forward * tiles + sums.pack) / n;
  group->backward = 1e-9 * (sums.reverse * tiles + sums.reduce) / n;
  return TRUE;
}

/* The median of the groups is the sample of this process. */
static void
tell_groups(const LacBenchTask *task, LacBenchFile *rows, const GArray *groups)
{
  const LacBenchTier *tier = task->tier;
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
  lac_bench_tell(task, rows, step_row, middle[0], middle[1]);
  lac_bench_tell(task, rows, with_limit(forward_row, tier->forward_seconds), middle[2],
                 middle[2] * relative);
  lac_bench_tell(task, rows, with_limit(backward_row, tier->backward_seconds), middle[3],
                 middle[3] * relative);
}

/* The last step is left out: the experiment judges its result in it. */
static gboolean
measure_steps(Training *training, LacBenchFile *rows, GError **error)
{
  const gint64      last = training->task->tier->n_steps - 1;
  g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(Group));

  for (gint64 warm = MIN(2, last - 1); warm > 0; warm--)
    if (!step(training, error))
      return FALSE;
  while (training->n_done < last) {
    Group group;

    if (!measure_group(training, last - training->n_done, &group, error))
      return FALSE;
    g_array_append_val(groups, group);
  }
  tell_groups(training->task, rows, groups);
  return step(training, error);
}

static void
tell_qualities(Training *training, LacBenchFile *rows)
{
  const LacBenchLaboratory *laboratory = training->task->laboratory;

  for (gsize q = 0; laboratory->qualities[q]; q++)
    for (gsize i = 0; i < training->outline.n_metrics; i++)
      if (g_str_equal(training->outline.metrics[i].key, laboratory->qualities[q])) {
        g_autofree char *note =
          g_strdup_printf("after %" G_GINT64_FORMAT " steps", training->n_done);
        const LacBenchRow row = {.metric = laboratory->qualities[q],
                                 .unit = "1",
                                 .note = note,
                                 .kind = LAC_BENCH_QUALITY,
                                 .tolerance = QUALITY_MAY};

        lac_bench_tell(training->task, rows, row, training->last[i], NAN);
      }
}

static gboolean
train(Training *training, LacBenchFile *rows, GError **error)
{
  const LacBenchTask  *task = training->task;
  const LacBenchMemory memory = lac_bench_memory_begin();
  const double         before = lac_bench_probe_run(training->probe, 0);
  const LacBenchClocks begin = lac_bench_clocks_now(task->n_threads);
  LacBenchClocks       spent;
  double               peak, grown;

  if (!set_up(training, error))
    return FALSE;
  spent = lac_bench_clocks_since(begin, task->n_threads);
  lac_bench_tell(task, rows, setup_row, spent.wall,
                 lac_bench_clocks_judged(spent, task->n_threads) /
                   ((before + lac_bench_probe_run(training->probe, 0)) / 2));
  if (!measure_steps(training, rows, error))
    return FALSE;
  peak = lac_bench_memory_end(memory, &grown);
  lac_bench_tell(task, rows, with_limit(peak_row, task->tier->memory_bytes),
                 peak - (double) lac_bench_probe_get_bytes(training->probe), NAN);
  lac_bench_tell(task, rows, grown_row, grown, NAN);
  tell_qualities(training, rows);
  return TRUE;
}

gboolean
lac_bench_step(const LacBenchTask *task, LacBenchFile *rows, GError **error)
{
  Training       training = {0};
  const gboolean done = open_training(&training, task, error) && train(&training, rows, error);

  close_training(&training);
  return done;
}
