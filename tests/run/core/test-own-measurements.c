/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User measurements: the sensor readings of a run, imported into another run, give a bitwise identical
 * reconstruction; and measurements that do not fit the scene are refused with their line number. */
#include "base/error.h"
#include "io/input/measurements-csv.h"
#include "io/runfile/run-file.h"
#include "io/runfile/sensors.h"
#include "run/helpers/lorenz.h"

#include <math.h>
#include <string.h>

static char *folder;

/* A difficult case: sensors between grid points, two at the same position, drop-out, noise. */
#define SENSORS                                                                             \
  "sensor_positions=0.3 0.7; 4.1 2.2; 1.9 5.05; 4.1 2.2; 6.2 0.1", "noise=3", "dropout=20", \
    "measured=u,v"

static LacDraft *
make_draft(const char *const *settings)
{
  static const char *const small[] = {
    "grid=16",         "reynolds=20", "forcing=2", "spin_up=1",        "snapshots=30",
    "observations=12", "members=8",   "modes=8",   "engines=enkf,pod", NULL,
  };
  g_autoptr(GError)        error = NULL;
  const LacExperiment     *experiment = lac_experiment_find("kolmogorov", &error);
  LacDraft                *draft = lac_draft_new(&experiment->params);
  const char *const *const lists[] = {small, settings};

  for (gsize l = 0; l < G_N_ELEMENTS(lists); l++)
    for (gsize i = 0; lists[l][i] != NULL; i++) {
      g_auto(GStrv) pair = g_strsplit(lists[l][i], "=", 2);
      lac_draft_set(draft, pair[0], pair[1], &error);
      g_assert_no_error(error);
    }
  return draft;
}

static LacRunSettings
make_settings(LacDraft *draft)
{
  return (LacRunSettings){.experiment = lac_experiment_find("kolmogorov", NULL),
                          .draft = draft,
                          .seed = 7,
                          .backend = "cpu",
                          .precision = "f64",
                          .detail = LAC_PERF_COARSE,
                          .threads = 2,
                          .out = folder};
}

/* Returns: (transfer full): the folder of a finished run. */
static char *
run_to_end(const char *const *texts)
{
  g_autoptr(LacDraft)  draft = make_draft(texts);
  const LacRunSettings settings = make_settings(draft);
  LacRun              *run = lorenz_run(&settings);
  LacRunStatus         status;
  char                *path = g_strdup(lac_run_get_folder(run));

  lac_run_get_status(run, &status);
  g_assert_cmpstr(status.outcome, ==, "finished");
  lac_run_free(run);
  return path;
}

static void
assert_same_planes(const LacRunFile *a, const LacRunFile *b)
{
  guint n_compared = 0;

  g_assert_cmpuint(a->n_frames, ==, b->n_frames);
  for (gsize i = 0; i < a->n_frames; i++) {
    g_autoptr(LacFrame) first = lac_run_file_load_frame(a, i, NULL);
    g_autoptr(LacFrame) second = lac_run_file_load_frame(b, i, NULL);

    for (gsize c = 0; c < a->n_channels; c++) {
      const gssize there = lac_run_file_find_channel(b, a->channels[c].key);

      if (there < 0)
        continue;
      g_assert_cmpuint(first->planes[c].nx * first->planes[c].ny, ==,
                       second->planes[there].nx * second->planes[there].ny);
      g_assert_cmpmem(first->planes[c].data, first->planes[c].nx * first->planes[c].ny * 4,
                      second->planes[there].data,
                      second->planes[there].nx * second->planes[there].ny * 4);
      n_compared += a->channels[c].role != LAC_ROLE_TRUTH;
    }
  }
  g_assert_cmpuint(n_compared, >=, 4); /* at least a field and its deviation for both methods */
}

/* Asserts equal values for every step that both runs have. */
static void
assert_same_series(const LacRunFile *a, const LacRunFile *b)
{
  guint n_compared = 0;

  g_assert_cmpuint(a->n_series, ==, b->n_series);
  for (gsize m = 0; m < a->n_metrics; m++)
    for (gsize other = 0; other < b->n_metrics; other++) {
      if (!g_str_equal(a->metrics[m].key, b->metrics[other].key))
        continue;
      for (gsize i = 0; i < a->n_series; i++) {
        const double first = a->series[i * a->n_metrics + m];
        const double second = b->series[i * b->n_metrics + other];

        g_assert_true(memcmp(&first, &second, sizeof first) == 0 ||
                      (isnan(first) && isnan(second)));
      }
      n_compared++;
    }
  g_assert_cmpuint(n_compared, >=, 1);
}

static void
test_same_bits(void)
{
  const char *const simulated[] = {SENSORS, NULL};
  g_autofree char  *first = run_to_end(simulated), *file = NULL;
  g_autofree char  *setting = NULL;
  g_autoptr(GError) error = NULL;

  g_autoptr(LacMeasurements) readings = lac_run_sensors_read(first, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(readings->n, ==, 12 * 5 * 2);
  file = g_build_filename(folder, "readings.csv", NULL);
  g_assert_true(lac_measurements_write_csv(readings, file, &error));

  setting = g_strdup_printf("measurements=%s", file);
  const char *const     own[] = {setting, NULL};
  g_autofree char      *second = run_to_end(own);
  g_autoptr(LacRunFile) a = lac_run_file_open(first, &error), b = lac_run_file_open(second, &error);
  g_assert_no_error(error);
  assert_same_planes(a, b);
  assert_same_series(a, b);

  gboolean is_remembered = FALSE;
  for (gsize i = 0; i < b->n_facts; i++)
    is_remembered = is_remembered || (g_str_equal(b->facts[i].key, "input measurements") &&
                                      strstr(b->facts[i].value, "SHA-256") != NULL);
  g_assert_true(is_remembered);
}

static double
get_metric(const LacRunFile *run, const char *key)
{
  for (gsize m = 0; m < run->n_metrics; m++)
    if (g_str_equal(run->metrics[m].key, key))
      return run->metrics[m].last;
  g_error("there is no metric %s", key);
}

/* The withheld true field is nowhere in the run: no channel, no error, no true coefficient. */
static void
test_withheld(void)
{
  const char *const     texts[] = {SENSORS, "judge_by=sensors", NULL};
  g_autofree char      *path = run_to_end(texts);
  g_autoptr(LacRunFile) run = lac_run_file_open(path, NULL);

  for (gsize c = 0; c < run->n_channels; c++)
    g_assert_cmpint(run->channels[c].role, !=, LAC_ROLE_TRUTH);
  for (gsize m = 0; m < run->n_metrics; m++) {
    g_assert_null(strstr(run->metrics[m].key, "relative_l2"));
    g_assert_false(run->metrics[m].is_result && run->metrics[m].has_reference);
  }
  /* the first method's key metrics come first */
  g_assert_cmpstr(run->metrics[0].key, ==, "innovation_chi_squared");
  g_assert_cmpfloat(run->metrics[0].last, ==, get_metric(run, "enkf.innovation_chi_squared"));
  g_assert_cmpstr(run->metrics[1].key, ==, "misfit_chi_squared");
  g_assert_cmpfloat(run->metrics[1].last, ==, get_metric(run, "enkf.misfit_chi_squared"));
  g_assert_cmpfloat(get_metric(run, "pod.leave_one_out"), >, get_metric(run, "pod.left_over"));
  g_assert_cmpfloat(get_metric(run, "pod.uncertainty"), >, 0);
}

/* With eight values and eight modes the reconstruction interpolates the values with zero residual; with four modes it
 * cannot. */
static void
test_residual(void)
{
  static const char *const modes[] = {"modes=8", "modes=4"};
  double                   residuals[2];

  for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
    const char *const     texts[] = {"engines=pod",  "gappy=least-squares", "sensors=4", "noise=1",
                                     "measured=u,v", "judge_by=sensors",    modes[i],    NULL};
    g_autofree char      *path = run_to_end(texts);
    g_autoptr(LacRunFile) run = lac_run_file_open(path, NULL);

    residuals[i] = get_metric(run, "pod.left_over");
  }
  /* rounding times the condition number of the modes at the sensors */
  g_assert_cmpfloat(residuals[0], <, 1e-9);
  g_assert_cmpfloat(residuals[1], >, 1e-3);
}

static void
test_refusals(void)
{
  static const struct {
    const char *rows, *where, *what;
  } wrong[] = {
    {"x,y,t,quantity,value,sigma\n1,2,0.5,w,1,1\n", "line 2", "u, v"},
    {"x,y,t,quantity,value,sigma\n1,2,1e3,u,1,1\n", "line 2", "t = 1000"},
    {"x,y,quantity,value,sigma\n1,2,u,1,1\n", "line 1", "column t"},
    {"x,t,quantity,value,sigma\n1,2,u,1,1\n", "line 1", "column y"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autofree char    *file = g_build_filename(folder, "wrong.csv", NULL);
    g_autofree char    *setting = g_strdup_printf("measurements=%s", file);
    const char *const   texts[] = {setting, NULL};
    g_autoptr(LacDraft) draft = make_draft(texts);

    g_assert_true(g_file_set_contents(file, wrong[i].rows, -1, NULL));
    const LacRunSettings settings = make_settings(draft);
    g_autoptr(GError)    error = NULL;
    g_autoptr(LacRun)    run = lac_run_new(&settings, &error);

    g_assert_no_error(error);
    lac_run_start(run, FALSE);
    g_assert_false(lac_run_wait(run, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
    if (strstr(error->message, wrong[i].where) == NULL ||
        strstr(error->message, wrong[i].what) == NULL)
      g_error("\"%s\" does not tell %s and %s", error->message, wrong[i].where, wrong[i].what);
  }
}

static void
test_run_without_sensors(void)
{
  g_autoptr(GError) error = NULL;

  g_assert_null(lac_run_sensors_read(folder, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = test_folder_new();
  g_test_add_func("/run/own-measurements/readings-taken-back-give-the-same-bits", test_same_bits);
  g_test_add_func("/run/own-measurements/a-withheld-truth-is-nowhere", test_withheld);
  g_test_add_func("/run/own-measurements/what-goes-through-the-values-leaves-nothing",
                  test_residual);
  g_test_add_func("/run/own-measurements/what-does-not-fit-is-refused-by-line", test_refusals);
  g_test_add_func("/run/own-measurements/a-folder-without-readings-says-so",
                  test_run_without_sensors);
  int result = g_test_run();
  test_folder_remove(folder);
  return result;
}
