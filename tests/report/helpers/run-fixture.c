/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creation and removal of the test run for figures and reports. */
#include "run-fixture.h"

#include "helpers/folder.h"
#include "io/runfile/folder.h"

#include <math.h>

typedef struct {
  double reynolds;
  gint64 sensors;
} Params;

static const LacParam rows[] = {
  {LAC_FIELD(Params, reynolds), LAC_PARAM_REAL, "1", 1, 1e5, 60, "Reynolds number", "Scene",
   "Ratio"},
  {LAC_FIELD(Params, sensors), LAC_PARAM_INTEGER, "1", 1, 64, 12, "Sensor count", "Sensors",
   "Count"},
};
static const LacParamTable table = {rows, G_N_ELEMENTS(rows), sizeof(Params)};

static const LacChannel channels[] = {
  {"truth", "Truth", "1/s", "vorticity", LAC_ROLE_TRUTH, "balance", "x", "y", "m", "m"},
  {"field", "Filtered field", "1/s", "vorticity", LAC_ROLE_RECONSTRUCTION, "balance", "x", "y", "m",
   "m"},
  {"at_once", "Static estimation", "1/s", "vorticity", LAC_ROLE_BASELINE, "balance", "x", "y", "m",
   "m"},
  {"u.truth", "Truth", "m/s", "u", LAC_ROLE_TRUTH, "balance", "x", "y", "m", "m"},
  {"u.field", "Filtered field", "m/s", "u", LAC_ROLE_RECONSTRUCTION, "balance", "x", "y", "m", "m"},
  {"v.truth", "Truth", "m/s", "v", LAC_ROLE_TRUTH, "balance", "x", "y", "m", "m"},
  {"v.field", "Filtered field", "m/s", "v", LAC_ROLE_RECONSTRUCTION, "balance", "x", "y", "m", "m"},
};
#define N_PLAIN 3 /* number of channels without the velocity */

static const LacMetric metrics[] = {
  {"relative_l2", "Relative error of the field", "1", TRUE, TRUE},
  {"spread", "Spread of the ensemble", "1/s", FALSE, FALSE},
};

float
run_fixture_truth(gsize i, gsize j)
{
  return (float) (3 * sin(0.5 * (double) i) * cos(0.4 * (double) j));
}

float
run_fixture_reconstruction(gsize i, gsize j)
{
  return run_fixture_truth(i, j) + (float) (0.1 * cos((double) (i + 2 * j)));
}

float
run_fixture_velocity(gsize component, gsize i, gsize j)
{
  return component == 0 ? 2 * (float) i + 3 * (float) j : 5 * (float) j - (float) i;
}

/* @faster: ratio of reconstructed to true velocity */
static float
get_value(gsize channel, gsize i, gsize j, float faster)
{
  switch (channel) {
  case 0: return run_fixture_truth(i, j);
  case 1: return run_fixture_reconstruction(i, j);
  case 2: return run_fixture_truth(i, j) * 0.5F;
  }
  return run_fixture_velocity((channel - N_PLAIN) / 2, i, j) *
         (channel % 2 == N_PLAIN % 2 ? 1 : faster);
}

static LacFrame *
make_frame(gint64 step, gsize n_channels, float faster)
{
  gsize sizes[G_N_ELEMENTS(channels)][2];
  for (gsize p = 0; p < n_channels; p++) {
    sizes[p][0] = FIXTURE_NX;
    sizes[p][1] = FIXTURE_NY;
  }
  LacFrame *frame = lac_frame_new(n_channels, (const gsize(*)[2]) sizes, 4, G_N_ELEMENTS(metrics));
  frame->step = step;
  frame->seconds = 0.01 * (double) step;
  frame->metrics[0] = exp(-0.1 * (double) step);
  frame->metrics[1] = 2;
  for (gsize p = 0; p < n_channels; p++) {
    LacPlane *plane = &frame->planes[p];
    plane->x_max = FIXTURE_NX - 1;
    plane->y_max = FIXTURE_NY - 1;
    for (gsize j = 0; j < FIXTURE_NY; j++)
      for (gsize i = 0; i < FIXTURE_NX; i++)
        plane->data[j * FIXTURE_NX + i] = get_value(p, i, j, faster);
    lac_plane_measure(plane);
  }
  for (gsize m = 0; m < 4; m++)
    frame->markers[m] = (LacMarker){3.0 + 5.0 * (double) m, 2.0 + 3.0 * (double) m, "sensor"};
  return frame;
}

static void
keep_batch(const LacRecord *records, gsize n, gpointer user_data)
{
  g_array_append_vals(user_data, records, (guint) n);
}

static void
write_records(LacRunFolder *folder)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  LacLane           *lane = lac_perf_lane(perf, "compute");
  guint32 step_name = lac_perf_name(perf, "step"), forecast = lac_perf_name(perf, "forecast");
  for (gint64 step = 1; step <= FIXTURE_STEPS; step++) {
    LacRecord record = {.start_ns = step * 10000000,
                        .duration_ns = 6000000,
                        .step = step,
                        .count = 64,
                        .flops = 3e6,
                        .memory = 5000000,
                        .name = forecast,
                        .kind = LAC_RECORD_AGGREGATE,
                        .depth = 1};
    lac_lane_push(lane, record);
    record = (LacRecord){.start_ns = step * 10000000,
                         .duration_ns = 9000000,
                         .step = step,
                         .count = 1,
                         .memory = -1,
                         .name = step_name};
    lac_lane_push(lane, record);
  }
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(LacRecord));
  g_autoptr(GError) error = NULL;
  lac_perf_drain(perf, keep_batch, all);
  lac_run_folder_records(folder, perf, (const LacRecord *) (gconstpointer) all->data, all->len,
                         &error);
  g_assert_no_error(error);
}

void
run_fixture_set_up(RunFixture *fixture, gint64 sensors)
{
  static const char *const provenance[] = {"program", "Lacuna test", "host", "somewhere", NULL};
  g_autoptr(GError)        error = NULL;
  g_autoptr(LacDraft)      draft = lac_draft_new(&table);
  g_autofree char         *text = g_strdup_printf("%" G_GINT64_FORMAT, sensors);
  lac_draft_set(draft, "sensors", text, &error);
  g_assert_no_error(error);
  const gsize n_channels = fixture->has_velocity ? G_N_ELEMENTS(channels) : N_PLAIN;
  fixture->parent = test_folder_new();
  LacRunHeader  header = {.experiment = "kolmogorov",
                          .title = "Kolmogorov flow, a fixture",
                          .caution = "No pressure is measured.",
                          .params = &table,
                          .draft = draft,
                          .channels = channels,
                          .n_channels = n_channels,
                          .metrics = metrics,
                          .n_metrics = G_N_ELEMENTS(metrics),
                          .seed = 7,
                          .backend = "cpu",
                          .precision = "f64",
                          .threads = 2,
                          .provenance = provenance};
  LacRunFolder *folder = lac_run_folder_create(fixture->parent, &header, &error);
  g_assert_no_error(error);
  g_autofree char *path = g_strdup(lac_run_folder_get_path(folder));
  for (gint64 step = 1; step <= FIXTURE_STEPS; step++) {
    g_autoptr(LacFrame) frame = make_frame(step, n_channels, fixture->flows_back ? -1.1F : 1.1F);
    lac_run_folder_metrics(folder, step, frame->seconds, frame->metrics, &error);
    g_assert_no_error(error);
    if (step % 10 == 0)
      lac_run_folder_frame(folder, frame, &error);
    g_assert_no_error(error);
  }
  write_records(folder);
  lac_run_folder_event(folder, 12, 0.12, "pause", "the user asked", &error);
  g_assert_no_error(error);
  LacRunEnd end = {"finished", NULL, FIXTURE_STEPS, 0.3, 0.05};
  lac_run_folder_finish(folder, &end, &error);
  g_assert_no_error(error);
  lac_run_folder_close(folder);
  fixture->run = lac_run_file_open(path, &error);
  g_assert_no_error(error);
}

void
run_fixture_tear_down(RunFixture *fixture)
{
  g_clear_pointer(&fixture->run, lac_run_file_unref);
  g_clear_pointer(&fixture->parent, test_folder_remove);
}

char *
run_tool(const char *const *words)
{
  g_autofree char *program = g_find_program_in_path(words[0]);
  if (program == NULL)
    return NULL;
  char             *output = NULL;
  int               status = 0;
  g_autoptr(GError) error = NULL;
  g_spawn_sync(NULL, (char **) words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL, &status,
               &error);
  g_assert_no_error(error);
  g_spawn_check_wait_status(status, &error);
  g_assert_no_error(error);
  return output;
}
