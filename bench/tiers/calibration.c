/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each case is three experiments of one seed: one takes the readings, which are then spoilt as the case says; one sees
 * the spoilt readings alone and gives the verdict; one is scored against the truth with the same readings. */
#include "bench/tiers/calibration.h"

#include "base/error.h"
#include "base/rng.h"
#include "bench/tiers/training.h"
#include "report/summary/reliability.h"

#include <math.h>
#include <string.h>

#define WRONG_FACTOR 2 /* errors above this multiple of the claimed uncertainty */

enum { STREAM_FAULT = 7 };

typedef void (*Spoil)(LacMeasurements *measurements, LacRng *rng);

typedef struct {
  const char     *name;
  LacBenchSetting settings[3]; /* ends with {NULL, NULL} */
  Spoil           spoil;       /* (nullable) */
  gboolean        kolmogorov;  /* the other scene has no such setting */
} Fault;

typedef struct {
  const char     *experiment;
  LacBenchSetting settings[10];
} Scene;

/* ---- readings that are not what they are said to be ---- */

/* Noise of three times what is stated. */
static void
understate(LacMeasurements *measurements, LacRng *rng)
{
  for (gsize i = 0; i < measurements->n; i++)
    measurements->rows[i].value += sqrt(8) * measurements->rows[i].sigma * lac_rng_normal(rng);
}

/* Student's t with three degrees of freedom: a normal number over the root of a mean of three squares. */
static void
fatten(LacMeasurements *measurements, LacRng *rng)
{
  for (gsize i = 0; i < measurements->n; i++) {
    double squares = 0;

    for (guint k = 0; k < 3; k++)
      squares += pow(lac_rng_normal(rng), 2) / 3;
    measurements->rows[i].value +=
      measurements->rows[i].sigma * lac_rng_normal(rng) / sqrt(squares);
  }
}

static double
find_size(const LacMeasurements *measurements)
{
  double sum = 0;

  for (gsize i = 0; i < measurements->n; i++)
    if (isfinite(measurements->rows[i].value))
      sum += pow(measurements->rows[i].value, 2) / (double) measurements->n;
  return sqrt(sum);
}

/* The sensor of one row, at all times, by half the size of the readings. */
static void
displace(LacMeasurements *measurements, LacRng *rng)
{
  const double         offset = 0.5 * find_size(measurements);
  const LacMeasurement bad = measurements->rows[lac_rng_below(rng, (guint64) measurements->n)];

  for (gsize i = 0; i < measurements->n; i++)
    if (measurements->rows[i].x == bad.x && measurements->rows[i].y == bad.y)
      measurements->rows[i].value += offset;
}

/* ---- the cases ---- */

static const Scene scenes[] = {
  {"kolmogorov",
   {{"engines", "enkf,pod"},
    {"grid", "32"},
    {"spin_up", "20"},
    {"snapshots", "200"},
    {"observations", "60"},
    {"sensors", "8"},
    {"members", "48"},
    {"start_members", "96"},
    {NULL, NULL}}},
  {"kuramoto-sivashinsky", {{"engines", "enkf,pod"}, {NULL, NULL}}},
};

static const Fault faults[] = {
  {"none", {{NULL, NULL}}, NULL, FALSE},
  {"noise-5", {{"noise", "5"}, {NULL, NULL}}, NULL, FALSE},
  {"viscosity-5", {{"model_error", "5"}, {NULL, NULL}}, NULL, TRUE},
  {"viscosity-20", {{"model_error", "20"}, {NULL, NULL}}, NULL, TRUE},
  {"viscosity-50", {{"model_error", "50"}, {NULL, NULL}}, NULL, TRUE},
  {"viscosity-too-low", {{"model_error", "-33"}, {"reynolds", "40"}, {NULL, NULL}}, NULL, TRUE},
  {"noise-understated", {{NULL, NULL}}, understate, FALSE},
  {"heavy-tails", {{NULL, NULL}}, fatten, FALSE},
  {"biased-sensor", {{NULL, NULL}}, displace, FALSE},
  {"held-out", {{"held_out_turn", "6"}, {NULL, NULL}}, NULL, FALSE},
  {"held-out-viscosity-5",
   {{"held_out_turn", "6"}, {"model_error", "5"}, {NULL, NULL}},
   NULL,
   TRUE},
};

static const char *const methods[] = {"enkf", "pod"};

enum { N_METHODS = G_N_ELEMENTS(methods), N_LEVELS = LAC_RELIABILITY_NONE + 1 };

/* Counts of one fault and method. */
typedef struct {
  guint  n, levels[N_LEVELS], wrong[N_LEVELS];
  double within; /* sum over the reliable cases of the share of errors within the 95 % band */
} Count;

typedef struct {
  const Scene            *scene;
  const Fault            *fault;
  const LacBenchSettings *settings;
  guint64                 seed;
} Case;

/* @measurements: (nullable); @reference: "truth" or "sensors", (nullable) */
static gboolean
set_up(const Case       *at,
       LacMeasurements  *measurements,
       const char       *reference,
       LacBenchTraining *training,
       GError          **error)
{
  const LacBenchWay way = lac_bench_way(at->settings->n_threads, "f32");

  if (!lac_bench_training_open(training, &way, at->scene->experiment, at->scene->settings, error))
    return FALSE;
  training->seed = at->seed;
  for (const LacBenchSetting *setting = at->fault->settings; setting->key; setting++)
    if (!lac_draft_set(training->draft, setting->key, setting->value, error))
      return FALSE;
  if (measurements) {
    training->measurements = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_insert(training->measurements, (gpointer) "measurements", measurements);
    if (!lac_draft_set(training->draft, "measurements", "readings", error) ||
        !lac_draft_set(training->draft, "judge_by", reference, error))
      return FALSE;
  }
  return lac_bench_training_set_up(training, error);
}

static LacMeasurements *
take_readings(const Case *at, GError **error)
{
  LacBenchTraining training = {0};
  LacMeasurements *measurements = NULL;
  LacRng           rng = lac_rng(at->seed, STREAM_FAULT);

  if (set_up(at, NULL, NULL, &training, error))
    measurements = training.experiment->readings(training.state);
  if (measurements && at->fault->spoil)
    at->fault->spoil(measurements, &rng);
  lac_bench_training_close(&training);
  return measurements;
}

/* The results of one experiment. */
typedef struct {
  LacReliability reliability[N_METHODS];
  double         error[N_METHODS]; /* relative to the fluctuation; NaN: it diverged */
  double         within[N_METHODS];
} Found;

static gboolean
run(const Case      *at,
    LacMeasurements *measurements,
    const char      *reference,
    Found           *found,
    GError         **error)
{
  LacBenchTraining training = {0};
  gboolean         done = set_up(at, measurements, reference, &training, error);

  done = done && lac_bench_training_finish(&training, error);
  for (guint m = 0; m < N_METHODS && done; m++) {
    g_autofree char *key = g_strdup_printf("%s.fluctuation_relative_l2", methods[m]);
    g_autofree char *band = g_strdup_printf("%s.within_95", methods[m]);

    found->reliability[m] = lac_reliability_gather(methods[m], training.outline.metrics,
                                                   training.last, training.outline.n_metrics);
    found->error[m] = lac_bench_training_get(&training, key);
    found->within[m] = lac_bench_training_get(&training, band);
  }
  lac_bench_training_close(&training);
  return done;
}

static gboolean
measure(const Case *at, Count counts[N_METHODS], GError **error)
{
  g_autoptr(LacMeasurements) readings = take_readings(at, error);
  Found                      blind, scored;

  if (!readings || !run(at, readings, "sensors", &blind, error) ||
      !run(at, readings, "truth", &scored, error))
    return FALSE;
  for (guint m = 0; m < N_METHODS; m++) {
    const LacReliability     *reliability = &blind.reliability[m];
    const LacReliabilityLevel level = lac_reliability_get_level(reliability);

    counts[m].n++;
    counts[m].levels[level]++;
    counts[m].within += level == LAC_RELIABILITY_GOOD ? scored.within[m] : 0;
    counts[m].wrong[level] += !(scored.error[m] <= WRONG_FACTOR * reliability->uncertainty);
  }
  return TRUE;
}

/* ---- the table ---- */

static guint
sum_up(const guint of_levels[N_LEVELS])
{
  guint sum = 0;

  for (guint level = 0; level < N_LEVELS; level++)
    sum += of_levels[level];
  return sum;
}

static void
add_count(LacBenchFile *file, const char *name, const Count *count, double limit)
{
  const double n = MAX(count->n, 1), reliable = count->levels[LAC_RELIABILITY_GOOD];

  lac_bench_add_quality(file, name, "cases", count->n, 0);
  lac_bench_add_quality(file, name, "reliable", reliable / n, 0);
  lac_bench_add_quality(file, name, "questionable", count->levels[LAC_RELIABILITY_QUESTIONABLE] / n,
                        0);
  lac_bench_add_quality(file, name, "not_reliable", count->levels[LAC_RELIABILITY_NONE] / n, 0);
  lac_bench_add_quality(file, name, "wrong", sum_up(count->wrong) / n, 0);
  lac_bench_add_quality(file, name, "wrong_of_reliable",
                        count->wrong[LAC_RELIABILITY_GOOD] / MAX(reliable, 1), limit);
  if (reliable > 0)
    lac_bench_add_quality(file, name, "within_95_of_reliable", count->within / reliable, 0);
}

static void
add_counts(LacBenchFile *file, Count counts[][N_METHODS])
{
  Count all = {0};

  for (gsize f = 0; f < G_N_ELEMENTS(faults); f++)
    for (guint m = 0; m < N_METHODS; m++) {
      g_autofree char *name = g_strdup_printf("calibration/%s/%s", faults[f].name, methods[m]);
      const Count     *count = &counts[f][m];

      if (count->n)
        add_count(file, name, count, 0);
      all.n += count->n;
      all.within += count->within;
      for (guint level = 0; level < N_LEVELS; level++) {
        all.levels[level] += count->levels[level];
        all.wrong[level] += count->wrong[level];
      }
    }
  add_count(file, "calibration/all", &all, LAC_CALIBRATION_LIMIT);
}

gboolean
lac_bench_calibrate(gsize                   n_runs,
                    const LacBenchSettings *settings,
                    LacBenchFile           *file,
                    GError                **error)
{
  Count counts[G_N_ELEMENTS(faults)][N_METHODS] = {{{0}}};

  for (gsize i = 0; i < n_runs; i++) {
    const gsize f = i % G_N_ELEMENTS(faults);
    /* the other scene has every other turn of the faults that it can have */
    const gsize s = !faults[f].kolmogorov && i / G_N_ELEMENTS(faults) % 2 ? 1 : 0;
    const Case  at = {&scenes[s], &faults[f], settings, 1000 + i};

    if (settings->progress)
      settings->progress(
        &(LacBenchProgress){
          .name = faults[f].name, .n_done = (guint) i, .n_all = (guint) n_runs, .n_rounds = 1},
        settings->user_data);
    if (!measure(&at, counts[f], error))
      return FALSE;
  }
  add_counts(file, counts);
  return TRUE;
}
