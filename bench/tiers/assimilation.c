/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/tiers/assimilation.h"

#include "bench/tiers/training.h"
#include "experiment/flow/calibration.h"
#include "experiment/quantum/observables/blocking.h"

#include <math.h>
#include <string.h>

#define MOST_SPIN_UP 400 /* analyses before the first that counts */

#define LORENZ "lorenz96"
#define FRONT  "kuramoto-sivashinsky"

#define EVERY_SECOND "0;2;4;6;8;10;12;14;16;18;20;22;24;26;28;30;32;34;36;38"

/* No bounds and adaptations but those of the published filter. */
#define PLAIN                                                                           \
  {"engines", "enkf"}, {"noise_floor", "0.01"}, {"lag", "0"}, {"check_readings", "no"}, \
    {"budgets", "no"},                                                                  \
  {                                                                                     \
    "whole_window", "no"                                                                \
  }

/* An iterative smoother, compared like a filter by the analysis of the last observation. */
#define SMOOTHER                                                                       \
  {"engines", "ienks"}, {"ienks_smooths", "no"}, {"budgets", "no"}, {"sensors", "40"}, \
  {                                                                                    \
    "whole_window", "no"                                                               \
  }

/* The published setting of Kuramoto-Sivashinsky: Bocquet and Farchi (2019), doi:10.5194/npg-26-143-2019. */
#define LONG_FRONT                                                                          \
  {"length", "100.53096491487338"}, {"grid", "128"}, {"interval", "1"}, {"sensors", "128"}, \
    {"instability_unknown", "no"},                                                          \
  {                                                                                         \
    "damping_unknown", "no"                                                                 \
  }

typedef struct {
  const char     *name, *experiment;
  double          sigma, published, limit;
  LacBenchSetting settings[20]; /* the method first; ends with {NULL, NULL} */
} Row;

/* Published: Sakov and Oke (2008), doi:10.1111/j.1600-0870.2007.00299.x; Bocquet (2011),
 * doi:10.5194/npg-18-735-2011 (half of the variables); the time means that DAPPER 1.7 lists for them. */
static const Row rows[] = {
  {LORENZ "/stochastic-40",
   LORENZ,
   1,
   0.22,
   0.23,
   {PLAIN,
    {"sensors", "40"},
    {"localisation", "1e4"},
    {"analysis", "stochastic"},
    {"members", "40"},
    {"inflation", "1.06"},
    {"most_inflation", "1.06"},
    {NULL, NULL}}},
  {LORENZ "/denkf-40",
   LORENZ,
   1,
   0.18,
   0.19,
   {PLAIN,
    {"sensors", "40"},
    {"localisation", "1e4"},
    {"analysis", "denkf"},
    {"members", "40"},
    {"inflation", "1.01"},
    {"most_inflation", "1.01"},
    {NULL, NULL}}},
  {LORENZ "/square-root-24",
   LORENZ,
   1,
   0.18,
   0.19,
   {PLAIN,
    {"sensors", "40"},
    {"localisation", "1e4"},
    {"analysis", "square-root"},
    {"members", "24"},
    {"inflation", "1.013"},
    {"most_inflation", "1.013"},
    {NULL, NULL}}},
  {LORENZ "/localised-7",
   LORENZ,
   1,
   0.22,
   0.23,
   {PLAIN,
    {"sensors", "40"},
    {"localisation", "4"},
    {"analysis", "square-root"},
    {"members", "7"},
    {"inflation", "1.04"},
    {"most_inflation", "1.04"},
    {NULL, NULL}}},
  {LORENZ "/letkf-7",
   LORENZ,
   1,
   0.22,
   0.23,
   {PLAIN,
    {"sensors", "40"},
    {"localisation", "4"},
    {"analysis", "letkf"},
    {"members", "7"},
    {"inflation", "1.04"},
    {"most_inflation", "1.04"},
    {NULL, NULL}}},
  {LORENZ "/half-seen-24",
   LORENZ,
   1.5,
   0.58,
   0.59,
   {PLAIN,
    {"sensor_positions", EVERY_SECOND},
    {"localisation", "4"},
    {"analysis", "square-root"},
    {"members", "24"},
    {"inflation", "1.03"},
    {"most_inflation", "1.03"},
    {NULL, NULL}}},
  {LORENZ "/rare-ienks-20",
   LORENZ,
   1,
   0.31,
   0.32,
   {SMOOTHER,
    {"interval", "0.2"},
    {"ienks_members", "20"},
    {"ienks_lag", "4"},
    {"ienks_inflation", "1.04"},
    {NULL, NULL}}},
  {LORENZ "/half-seen-ienks-19",
   LORENZ,
   1.5,
   0.45,
   0, /* loses the truth at times */
   {SMOOTHER,
    {"sensor_positions", EVERY_SECOND},
    {"ienks_members", "19"},
    {"ienks_lag", "2"},
    {"ienks_inflation", "1.04"},
    {NULL, NULL}}},
  {FRONT "/square-root-20",
   FRONT,
   1,
   0.115,
   0.12,
   {PLAIN,
    LONG_FRONT,
    {"localisation", "1e4"},
    {"analysis", "square-root"},
    {"members", "20"},
    {"inflation", "1.03"},
    {"most_inflation", "1.03"},
    {NULL, NULL}}},
  {FRONT "/localised-16",
   FRONT,
   1,
   0.11,
   0.12,
   {PLAIN,
    LONG_FRONT,
    {"localisation", "15"},
    {"analysis", "square-root"},
    {"members", "16"},
    {"inflation", "1.02"},
    {"most_inflation", "1.02"},
    {NULL, NULL}}},
  {FRONT "/letkf-16",
   FRONT,
   1,
   0.11,
   0.12,
   {PLAIN,
    LONG_FRONT,
    {"localisation", "15"},
    {"analysis", "letkf"},
    {"members", "16"},
    {"inflation", "1.02"},
    {"most_inflation", "1.02"},
    {NULL, NULL}}},
};

enum { TRUTH, ESTIMATE, DEVIATION, N_PLANES };
/* of u, behind the name of the method */
static const char *const planes[N_PLANES] = {"truth", "", ".deviation"};

typedef struct {
  double         error, half_width, spread;
  LacCalibration calibration;
  double         diagnoses[3]; /* of the filter; NaN: none */
} Found;

static const char *const diagnoses[3] = {"leave_one_out_chi_squared", "noise_over_assumed",
                                         "outer_ranks"};

/* @noise: per cent of the fluctuation */
static gboolean
set_up(const Row              *row,
       const LacBenchSettings *settings,
       gsize                   n_cycles,
       double                  noise,
       LacBenchTraining       *training,
       GError                **error)
{
  const LacBenchWay way = lac_bench_way(settings->n_threads, "f64");
  char              text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_dtostr(text, sizeof text, noise);
  if (!lac_bench_training_open(training, &way, row->experiment, row->settings, error) ||
      !lac_bench_training_set(training, "observations", (gint64) n_cycles, error) ||
      !lac_draft_set(training->draft, "noise", text, error))
    return FALSE;
  return lac_bench_training_set_up(training, error);
}

/* Finds the noise in per cent that has the row's standard deviation. */
static gboolean
find_noise(const Row *row, const LacBenchSettings *settings, double *noise, GError **error)
{
  const double     tried = 10;
  LacBenchTraining training = {0};
  const gboolean   done = set_up(row, settings, 2, tried, &training, error);

  if (done) {
    g_autoptr(LacMeasurements) readings = training.experiment->readings(training.state);

    *noise = tried * row->sigma / readings->rows[0].sigma;
  }
  lac_bench_training_close(&training);
  return done;
}

static LacFrame *
take_frame(const LacBenchTraining *training)
{
  gsize      n_markers;
  g_autofree gsize(*sizes)[2] = g_malloc0_n(training->outline.n_channels, sizeof *sizes);
  LacFrame  *frame;

  training->experiment->shapes(training->state, sizes, &n_markers);
  frame = lac_frame_new(training->outline.n_channels, (const gsize(*)[2]) sizes, n_markers,
                        training->outline.n_metrics);
  training->experiment->snapshot(training->state, frame, NULL);
  return frame;
}

/* Compares the analyses of all times; planes hold the times along their rows. */
static void
compare(const LacBenchTraining *training, const char *method, const LacFrame *frame, Found *found)
{
  const float *data[N_PLANES] = {NULL};
  gsize        n_times = 0, n = 0, n_spin_up;
  LacBlocking  blocking;
  double       squares = 0;

  for (guint p = 0; p < N_PLANES; p++) {
    g_autofree char *key = g_strconcat("u.", p == TRUTH ? "" : method, planes[p], NULL);

    for (gsize c = 0; c < training->outline.n_channels; c++)
      if (g_str_equal(training->outline.channels[c].key, key)) {
        data[p] = frame->planes[c].data;
        n_times = frame->planes[c].nx;
        n = frame->planes[c].ny;
      }
  }
  g_assert(data[TRUTH] && data[ESTIMATE] && data[DEVIATION]);
  n_spin_up = MIN(MOST_SPIN_UP, n_times / 5);
  g_autofree double *series = g_new0(double, n_times);
  for (gsize k = n_spin_up; k < n_times; k++) {
    double sum = 0;

    for (gsize i = 0; i < n; i++) {
      const gsize  at = i * n_times + k;
      const double apart = (double) data[ESTIMATE][at] - (double) data[TRUTH][at];

      sum += apart * apart / (double) n;
      squares += pow((double) data[DEVIATION][at], 2) / (double) (n * (n_times - n_spin_up));
      lac_calibration_add(&found->calibration, apart, (double) data[DEVIATION][at]);
    }
    series[k - n_spin_up] = sqrt(sum);
  }
  lac_blocking_find(series, n_times - n_spin_up, &blocking);
  found->error = blocking.mean;
  found->half_width = 1.96 * blocking.error;
  found->spread = sqrt(squares);
}

static gboolean
measure(const Row              *row,
        const LacBenchSettings *settings,
        gsize                   n_cycles,
        Found                  *found,
        GError                **error)
{
  const char      *method = row->settings[0].value;
  LacBenchTraining training = {0};
  double           noise = 0;
  gboolean         done = find_noise(row, settings, &noise, error) &&
                  set_up(row, settings, n_cycles, noise, &training, error);

  done = done && lac_bench_training_finish(&training, error);
  if (done) {
    g_autoptr(LacFrame) frame = take_frame(&training);

    compare(&training, method, frame, found);
    for (guint i = 0; i < G_N_ELEMENTS(diagnoses); i++) {
      g_autofree char *key = g_strconcat(method, ".", diagnoses[i], NULL);

      found->diagnoses[i] = lac_bench_training_get(&training, key);
    }
  }
  lac_bench_training_close(&training);
  return done;
}

static void
add_found(LacBenchFile *file, const char *name, const Row *row, const Found *found)
{
  static const char *const coverages[LAC_N_BANDS] = {"within_50", "within_90", "within_95"};

  lac_bench_add_quality(file, name, "error", found->error, row->limit);
  lac_bench_add_quality(file, name, "half_width", found->half_width, 0);
  lac_bench_add_quality(file, name, "published", row->published, 0);
  lac_bench_add_quality(file, name, "spread", found->spread, 0);
  for (guint b = 0; b < LAC_N_BANDS; b++)
    lac_bench_add_quality(file, name, coverages[b],
                          lac_calibration_get_coverage(&found->calibration, b), 0);
  lac_bench_add_quality(file, name, "ranked_score", lac_calibration_get_score(&found->calibration),
                        0);
  for (guint i = 0; i < G_N_ELEMENTS(diagnoses); i++)
    if (isfinite(found->diagnoses[i]))
      lac_bench_add_quality(file, name, diagnoses[i], found->diagnoses[i], 0);
}

gboolean
lac_bench_assimilate(gsize                   n_cycles,
                     const LacBenchSettings *settings,
                     LacBenchFile           *file,
                     GError                **error)
{
  for (gsize r = 0; r < G_N_ELEMENTS(rows); r++) {
    const Row       *row = &rows[r];
    g_autofree char *name = g_strdup_printf("assimilation/%s", row->name);
    Found            found = {0};

    if (settings->only && !strstr(name, settings->only))
      continue;
    if (settings->progress)
      settings->progress(
        &(LacBenchProgress){
          .name = name, .n_done = (guint) r, .n_all = G_N_ELEMENTS(rows), .n_rounds = 1},
        settings->user_data);
    if (!measure(row, settings,
                 g_str_equal(row->experiment, FRONT) ? MAX(2, n_cycles / 5) : n_cycles, &found,
                 error))
      return FALSE;
    add_found(file, name, row, &found);
  }
  return TRUE;
}
