/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/tiers/coefficients.h"

#include "bench/tiers/training.h"
#include "experiment/flow/calibration.h"

#include <math.h>
#include <string.h>

#define SUFFIX   "_standard_error"
#define MOST_OUT 0.1 /* share of errors outside of their 95 % intervals */

#define SOLVER "solver"
#define FILTER "enkf"

#define NETWORK "pinn"

enum { MOST_SETTINGS = 4 };

/* @settings: "NAME=VALUE ..."; a small network that is trained within a second or two */
static const struct {
  const char *experiment, *method, *settings;
} rows[] = {
  {"heat1d", SOLVER, ""},
  {"heat2d", SOLVER, ""},
  {"advection", SOLVER, ""},
  {"kdv", SOLVER, ""},
  {"kdv", FILTER, ""},
  {"kuramoto-sivashinsky", FILTER, ""},
  {"heat1d", NETWORK, "depth=2 width=12 adam_steps=500 quasi_steps=1500"},
};

/* Sums over the draws of one coefficient. */
typedef struct {
  const char    *name; /* of its metric, interned */
  LacCalibration calibration;
  double         squares, relative;
} Sums;

/* Finds the first coefficient with a standard error. Returns: FALSE if there is none. */
static gboolean
find_coefficient(const LacBenchTraining *training, gsize *value, gsize *error)
{
  const LacOutline *outline = &training->outline;

  for (gsize m = 0; m < outline->n_metrics; m++) {
    g_autofree char *key = g_strconcat(outline->metrics[m].key, SUFFIX, NULL);

    for (gsize k = 0; k < outline->n_metrics && outline->metrics[m].has_reference; k++)
      if (g_str_equal(outline->metrics[k].key, key)) {
        *value = m;
        *error = k;
        return TRUE;
      }
  }
  return FALSE;
}

static void
add_draw(Sums *sums, const LacBenchTraining *training)
{
  gsize value, error;

  if (!find_coefficient(training, &value, &error))
    return;
  const LacMetric *metric = &training->outline.metrics[value];
  const double     deviation = training->last[error];
  const double     off = training->last[value] - metric->reference;

  sums->name = g_intern_string(metric->key);
  lac_calibration_add(&sums->calibration, off, deviation);
  sums->squares += pow(off / deviation, 2);
  sums->relative += deviation / fabs(metric->reference);
}

static gboolean
draw(gsize row, guint64 seed, const LacBenchSettings *settings, Sums *sums, GError **error)
{
  g_auto(GStrv)   words = g_strsplit_set(rows[row].settings, " =", -1); /* names and values */
  LacBenchSetting wanted[4 + MOST_SETTINGS] = {
    {"engines", rows[row].method}, {"whole_window", "no"}, {"budgets", "no"}};
  const LacBenchWay way = lac_bench_way(settings->n_threads, "f64");
  LacBenchTraining  training = {0};
  gboolean          done;

  for (guint i = 0; 2 * i + 1 < g_strv_length(words) && i < MOST_SETTINGS; i++)
    wanted[3 + i] = (LacBenchSetting){words[2 * i], words[2 * i + 1]};
  done = lac_bench_training_open(&training, &way, rows[row].experiment, wanted, error);
  training.seed = seed;
  done = done && lac_bench_training_set_up(&training, error);
  done = done && lac_bench_training_finish(&training, error);
  if (done)
    add_draw(sums, &training);
  lac_bench_training_close(&training);
  return done;
}

static void
add_sums(LacBenchFile *file, gsize row, const Sums *sums)
{
  const double     n = (double) sums->calibration.n;
  g_autofree char *name = g_strdup_printf("coefficients/%s/%s", rows[row].experiment, sums->name);

  lac_bench_add_quality(file, name, "cases", n, 0);
  lac_bench_add_quality(file, name, "relative_standard_error", sums->relative / n, 0);
  lac_bench_add_quality(file, name, "within_50",
                        lac_calibration_get_coverage(&sums->calibration, LAC_BAND_50), 0);
  lac_bench_add_quality(file, name, "within_90",
                        lac_calibration_get_coverage(&sums->calibration, LAC_BAND_90), 0);
  lac_bench_add_quality(file, name, "within_95",
                        lac_calibration_get_coverage(&sums->calibration, LAC_BAND_95), 0);
  lac_bench_add_quality(file, name, "outside_95",
                        1 - lac_calibration_get_coverage(&sums->calibration, LAC_BAND_95),
                        MOST_OUT);
  lac_bench_add_quality(file, name, "root_mean_square", sqrt(sums->squares / n), 0);
}

gboolean
lac_bench_find_coefficients(gsize                   n_draws,
                            const LacBenchSettings *settings,
                            LacBenchFile           *file,
                            GError                **error)
{
  for (gsize r = 0; r < G_N_ELEMENTS(rows); r++) {
    g_autofree char *name =
      g_strdup_printf("coefficients/%s/%s", rows[r].experiment, rows[r].method);
    Sums sums = {0};

    if (settings->only && !strstr(name, settings->only))
      continue;
    for (gsize i = 0; i < n_draws; i++) {
      if (settings->progress)
        settings->progress(&(LacBenchProgress){.name = name,
                                               .n_done = (guint) (r * n_draws + i),
                                               .n_all = (guint) (G_N_ELEMENTS(rows) * n_draws),
                                               .n_rounds = 1},
                           settings->user_data);
      if (!draw(r, i, settings, &sums, error))
        return FALSE;
    }
    if (sums.name)
      add_sums(file, r, &sums);
  }
  return TRUE;
}
