/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training, true fields and cached true fields, each in two variants. */
#include "bench/tiers/ways.h"

#include "bench/harness/pair.h"
#include "perf/analysis/ratio.h"

#include <glib/gstdio.h>

#include <math.h>

#define MOST_STEPS 6    /* per measurement */
#define LOSS_MAY   0.01 /* allowed difference: tens of Adam steps amplify single-precision rounding */
#define TRUTH_MAY \
  1e-6 /* allowed difference: few enough steps that the flow does not yet amplify the last bits */
#define CACHE_MOST ((guint64) 1 << 30)

LacBenchClocks
lac_bench_pair_begin(const LacBenchPairTask *task)
{
  return lac_bench_clocks_now(MAX(task->with.n_threads, task->without.n_threads));
}

double
lac_bench_pair_seconds(const LacBenchPairTask *task, LacBenchClocks begin)
{
  const guint n_threads = MAX(task->with.n_threads, task->without.n_threads);

  return lac_bench_clocks_scored(lac_bench_clocks_since(begin, n_threads), n_threads);
}

gboolean
lac_bench_pair_measure(gboolean (*measure)(gpointer way, double *seconds, GError **error),
                       gpointer            with,
                       gpointer            without,
                       LacBenchPairResult *result,
                       GError            **error)
{
  double seconds[2][LAC_BENCH_N_PAIRS], speedups[LAC_BENCH_N_PAIRS];

  if (!lac_bench_take_turns(&(LacBenchTurns){measure, with, without, LAC_BENCH_N_PAIRS, seconds[0],
                                             seconds[1], speedups},
                            error))
    return FALSE;
  result->speedup = lac_median(speedups, LAC_BENCH_N_PAIRS);
  result->with_seconds = lac_median(seconds[0], LAC_BENCH_N_PAIRS);
  result->without_seconds = lac_median(seconds[1], LAC_BENCH_N_PAIRS);
  result->unit = "1";
  return TRUE;
}

static double
difference(const LacBenchTraining *with, const LacBenchTraining *without, const char *key)
{
  const double a = lac_bench_training_get(with, key), b = lac_bench_training_get(without, key);

  return a == b ? 0 : fabs(b - a) / fabs(a);
}

/* ---- training ---- */

typedef struct {
  const LacBenchPairTask *task;
  LacBenchTraining        training;
  gint64                  n_steps; /* per measurement */
} Trained;

static gboolean
run_steps(gpointer way, double *seconds, GError **error)
{
  Trained             *trained = way;
  const LacBenchClocks begin = lac_bench_pair_begin(trained->task);
  LacOutcome           outcome;

  for (gint64 i = 0; i < trained->n_steps; i++)
    if (!lac_bench_training_step(&trained->training, &outcome, error))
      return FALSE;
  *seconds = lac_bench_pair_seconds(trained->task, begin) / (double) trained->n_steps;
  return TRUE;
}

static gboolean
open_trained(Trained *trained, const LacBenchWay *way, GError **error)
{
  gsize                     n;
  const LacBenchLaboratory *laboratory = lac_bench_laboratories(&n);
  const LacBenchTier       *tier = trained->task->tier;
  const gint64              side = (gint64) tier->side;
  LacBenchTraining         *training = &trained->training;
  double                    warm;

  trained->n_steps = CLAMP(tier->n_steps / 16, 1, MOST_STEPS);
  return lac_bench_training_open(training, way, laboratory->experiment, laboratory->settings,
                                 error) &&
         lac_bench_training_set(training, laboratory->grid_key, side, error) &&
         lac_bench_training_set(training, laboratory->sensors_key, (gint64) tier->n_sensors,
                                error) &&
         lac_bench_training_set(training, laboratory->batch_key, side * side, error) &&
         lac_bench_training_set(training, laboratory->epochs_key, tier->n_epochs, error) &&
         lac_bench_training_set_up(training, error) && run_steps(trained, &warm, error);
}

gboolean
lac_bench_pair_training(const LacBenchPairTask *task, LacBenchPairResult *result, GError **error)
{
  Trained        with = {.task = task}, without = {.task = task};
  const gboolean done = open_trained(&with, &task->with, error) &&
                        open_trained(&without, &task->without, error) &&
                        lac_bench_pair_measure(run_steps, &with, &without, result, error);

  if (done) {
    result->difference = difference(&with.training, &without.training, "pinn.loss");
    result->may_differ = LOSS_MAY;
    result->of = "of the loss after as many steps";
  }
  lac_bench_training_close(&with.training);
  lac_bench_training_close(&without.training);
  return done;
}

/* ---- truth ---- */

/* Set-up of a scene: the true field of one is dominated by transforms, that of the other is cached. */
typedef struct {
  const char            *experiment;
  const char            *grid_key; /* (nullable): parameter set by the tier */
  const LacBenchSetting *settings;
} SetUp;

static const LacBenchSetting turbulent_settings[] = {
  {"engines", "pod"}, {"spin_up", "10"},      {"snapshots", "100"}, {"interval", "0.05"},
  {"sensors", "8"},   {"observations", "10"}, {NULL, NULL},
};
static const SetUp turbulent = {"kolmogorov", "grid", turbulent_settings};

static const LacBenchSetting wake_settings[] = {
  {"engines", "pod"},  {"reynolds", "50"}, {"diameter", "8"},      {"spin_up", "30"},
  {"snapshots", "40"}, {"sensors", "8"},   {"observations", "10"}, {NULL, NULL},
};
static const SetUp wake = {"cylinder", NULL, wake_settings};

typedef struct {
  const LacBenchPairTask *task;
  const LacBenchWay      *way;
  const SetUp            *set_up;
  LacRunMemory           *memory;
  LacBenchTraining        training; /* of the last measurement */
} Truth;

static gboolean
set_up_truth(gpointer data, double *seconds, GError **error)
{
  Truth         *truth = data;
  LacBenchClocks begin;

  lac_bench_training_close(&truth->training);
  if (!lac_bench_training_open(&truth->training, truth->way, truth->set_up->experiment,
                               truth->set_up->settings, error) ||
      (truth->set_up->grid_key && !lac_bench_training_set(&truth->training, truth->set_up->grid_key,
                                                          (gint64) truth->task->tier->side, error)))
    return FALSE;
  truth->training.memory = truth->memory;
  begin = lac_bench_pair_begin(truth->task);
  if (!lac_bench_training_set_up(&truth->training, error))
    return FALSE;
  *seconds = lac_bench_pair_seconds(truth->task, begin);
  return TRUE;
}

static gboolean
finish(Truth *truth, GError **error)
{
  LacOutcome outcome = LAC_OUTCOME_CONTINUE;

  while (outcome == LAC_OUTCOME_CONTINUE)
    if (!lac_bench_training_step(&truth->training, &outcome, error))
      return FALSE;
  return TRUE;
}

/* The first set-ups of both variants create FFTW wisdom and fill the cache. */
static gboolean
measure_truths(Truth *with, Truth *without, LacBenchPairResult *result, GError **error)
{
  double warm;

  if (!set_up_truth(with, &warm, error) || !set_up_truth(without, &warm, error) ||
      !lac_bench_pair_measure(set_up_truth, with, without, result, error) || !finish(with, error) ||
      !finish(without, error))
    return FALSE;
  result->difference =
    difference(&with->training, &without->training, "pod.fluctuation_relative_l2");
  result->may_differ = TRUTH_MAY;
  result->of = "of the error of the modes' reconstruction";
  return TRUE;
}

static void
remove_folder(const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char     *name;

  while (dir && (name = g_dir_read_name(dir))) {
    g_autofree char *path = g_build_filename(folder, name, NULL);

    g_unlink(path);
  }
  g_rmdir(folder);
}

static gboolean
pair_set_ups(const LacBenchPairTask *task,
             const SetUp            *set_up,
             LacBenchPairResult     *result,
             GError                **error)
{
  g_autofree char           *folder = g_dir_make_tmp("lacuna-bench-XXXXXX", error);
  g_autoptr(LacContentCache) cache = folder ? lac_content_cache_new(folder, CACHE_MOST) : NULL;
  LacRunMemory              *memory = lac_run_memory_new(cache);
  Truth                      with = {task, &task->with, set_up, memory, {{0}}};
  Truth                      without = {task, &task->without, set_up, memory, {{0}}};
  const gboolean             done = folder && measure_truths(&with, &without, result, error);

  lac_bench_training_close(&with.training);
  lac_bench_training_close(&without.training);
  lac_run_memory_free(memory);
  if (folder)
    remove_folder(folder);
  return done;
}

gboolean
lac_bench_pair_truth(const LacBenchPairTask *task, LacBenchPairResult *result, GError **error)
{
  return pair_set_ups(task, &turbulent, result, error);
}

gboolean
lac_bench_pair_cached(const LacBenchPairTask *task, LacBenchPairResult *result, GError **error)
{
  return pair_set_ups(task, &wake, result, error);
}
