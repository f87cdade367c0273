/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run folder whose values follow from their position, for the tests of io/. */
#include "kept-run.h"

#include "perf/trace/trace.h"

#include <math.h>
#include <string.h>

typedef struct {
  double nu;
  gint64 n;
} Params;

static const LacParam rows[] = {
  {LAC_FIELD(Params, nu), LAC_PARAM_REAL, "m^2/s", 0, 1, 0.01, "Viscosity", "Scene", "", 0},
  {LAC_FIELD(Params, n), LAC_PARAM_INTEGER, "1", 1, 99, 12, "Points", "Engine", "", 0},
};
static const LacParamTable table = {rows, G_N_ELEMENTS(rows), sizeof(Params)};

static const LacChannel channels[] = {
  {"truth", "Truth", "1/s", "w", LAC_ROLE_TRUTH, "balance", "x", "y", "m", "m"},
  {"found", "Found", "1/s", "w", LAC_ROLE_RECONSTRUCTION, "balance", "x", "y", "m", "m", TRUE},
};
static const LacMetric metrics[] = {
  {"relative_l2", "Error", "1", TRUE, TRUE},
  {"loss", "Loss", "1", TRUE, FALSE, TRUE, 0.5},
};

LacRunFolder *
kept_run_open(const char *place)
{
  static const char *const facts[] = {"program", "Lacuna", "input truth", "a.mat (SHA-256 0)",
                                      NULL};
  g_autoptr(LacDraft)      draft = lac_draft_new(&table);
  g_autoptr(GError)        error = NULL;
  const LacNucleus         nuclei[] = {{3, {0, 0, -1.5}}, {1, {0.25, 0, 1.5}}};
  g_autoptr(LacMolecule)   molecule = lac_molecule_new("LiH", 2, nuclei, 3, 1);
  LacRunHeader             header = {
                .experiment = "kept",
                .title = "Kept run",
                .caution = "Nothing is known of the wake.",
                .params = &table,
                .draft = draft,
                .channels = channels,
                .n_channels = G_N_ELEMENTS(channels),
                .metrics = metrics,
                .n_metrics = G_N_ELEMENTS(metrics),
                .molecule = molecule,
                .seed = G_MAXUINT64,
                .backend = "cpu",
                .precision = "f64",
                .threads = 2,
                .provenance = facts,
  };

  lac_draft_set(draft, "nu", "0.25", &error);
  g_assert_no_error(error);
  LacRunFolder *folder = lac_run_folder_create(place, &header, &error);
  g_assert_no_error(error);
  return folder;
}

/* The first channel changes at every second step only. */
float
kept_run_value(gint64 step, gsize channel, gsize i)
{
  const gint64 changed = channel > 0 ? step : step - step % 2;

  return (float) (1000 * changed + 100 * (gint64) channel + (gint64) i);
}

void
kept_run_add_frame(LacRunFolder *folder, gint64 step)
{
  const gsize         sizes[2][2] = {{KEPT_NX, KEPT_NY}, {KEPT_NX, KEPT_NY}};
  g_autoptr(LacFrame) frame = lac_frame_new(2, sizes, 1, 2);
  g_autoptr(GError)   error = NULL;

  frame->step = step;
  frame->seconds = 0.1 * (double) step;
  for (gsize c = 0; c < 2; c++) {
    LacPlane *plane = &frame->planes[c];
    plane->x_min = -1;
    plane->x_max = 1;
    plane->y_max = 0.5;
    for (gsize i = 0; i < KEPT_NX * KEPT_NY; i++)
      plane->data[i] = kept_run_value(step, c, i);
  }
  frame->markers[0] = (LacMarker){0.25, 0.125 * (double) step, g_intern_static_string("sensor")};
  frame->metrics[0] = NAN;
  frame->metrics[1] = (double) step;
  lac_run_folder_frame(folder, frame, &error);
  g_assert_no_error(error);
}

static void
add_checkpoint(LacRunFolder *folder, gint64 step)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  double             *theta = lac_store_put(store, "theta", 4, 2, 8);

  for (gsize i = 0; i < 8; i++)
    theta[i] = (double) i + 0.1 * (double) step;
  memcpy(lac_store_put(store, "note", 3, 1, 4), "abcdefghijkl", 12);
  lac_run_folder_checkpoint(folder, step, 0.1 * (double) step, store, &error);
  g_assert_no_error(error);
}

typedef struct {
  LacRunFolder *folder;
  LacPerf      *perf;
} Sink;

static void
on_records(const LacRecord *records, gsize n, gpointer user_data)
{
  Sink *sink = user_data;

  g_assert_true(lac_run_folder_records(sink->folder, sink->perf, records, n, NULL));
}

/* Returns integers whose bits, read as doubles, would be minus zero, a signalling NaN, a subnormal and an infinity. */
static LacRecord
kept_memory(gint64 step)
{
  return (LacRecord){
    .start_ns = 1000 * step,
    .duration_ns = 10,
    .step = step,
    .count = 1,
    .cpu_delta = LAC_RECORD_UNKNOWN,
    .cpu_peak = G_GINT64_CONSTANT(0x7ff0000000000001),
    .gpu_delta = step,
    .gpu_peak = G_GINT64_CONSTANT(0x7ff0000000000000),
    .kind = LAC_RECORD_MEMORY,
  };
}

static void
add_step(Sink *sink, LacLane *lane, gint64 step)
{
  double            row[2] = {1.0 / (double) step, step % 2 == 0 ? NAN : (double) step};
  g_autofree char  *name = g_strdup_printf("operation %d", (int) (step % 3));
  g_autoptr(GError) error = NULL;

  lac_lane_push(lane, (LacRecord){
                        .start_ns = 1000 * step,
                        .duration_ns = 10,
                        .step = step,
                        .count = 1,
                        .memory = -1,
                        .name = lac_perf_name(sink->perf, name),
                        .kind = LAC_RECORD_SPAN,
                      });
  lac_lane_push(lane, kept_memory(step));
  lac_perf_drain(sink->perf, on_records, sink);
  lac_run_folder_metrics(sink->folder, step, 0.1 * (double) step, row, &error);
  g_assert_no_error(error);
  kept_run_add_frame(sink->folder, step);
}

char *
kept_run_write(const char *place, gint64 n_steps, gboolean finished)
{
  return kept_run_write_until(place, n_steps, finished ? "finished" : NULL);
}

char *
kept_run_write_until(const char *place, gint64 n_steps, const char *outcome)
{
  g_autoptr(LacRunFolder) folder = kept_run_open(place);
  g_autoptr(LacPerf)      perf = lac_perf_new(LAC_PERF_COARSE);
  LacLane                *lane = lac_perf_lane(perf, "compute");
  Sink                    sink = {folder, perf};
  g_autoptr(LacPool)      pool = lac_pool_new(3);
  LacRunEnd               end = {
                  .outcome = outcome,
                  .detail = "as planned",
                  .steps = n_steps,
                  .seconds = 0.1 * (double) n_steps,
                  .setup_seconds = 0.75,
                  .pool = pool,
  };
  g_autoptr(GError) error = NULL;

  for (gint64 step = 1; step <= n_steps; step++) {
    add_step(&sink, lane, step);
    if (step == 2)
      g_assert_true(lac_run_folder_event(folder, step, 0.2, "set", "nu = 0.25", &error));
    if (step == 5)
      add_checkpoint(folder, step);
  }
  if (outcome != NULL)
    lac_run_folder_finish(folder, &end, &error);
  g_assert_no_error(error);
  return g_strdup(lac_run_folder_get_path(folder));
}

static void
assert_header(const LacRunFile *run)
{
  g_assert_cmpstr(run->experiment, ==, "kept");
  g_assert_cmpstr(run->title, ==, "Kept run");
  g_assert_cmpstr(run->caution, ==, "Nothing is known of the wake.");
  g_assert_cmpuint(run->seed, ==, G_MAXUINT64);
  g_assert_cmpuint(run->threads, ==, 2);
  g_assert_cmpstr(run->backend, ==, "cpu");
  g_assert_cmpuint(run->n_settings, ==, 2);
  g_assert_cmpstr(run->settings[0].key, ==, "nu");
  g_assert_cmpstr(run->settings[0].text, ==, "0.25");
  g_assert_cmpstr(run->settings[0].unit, ==, "m^2/s");
  g_assert_false(run->settings[0].is_default);
  g_assert_true(run->settings[1].is_default);
  g_assert_cmpuint(run->n_facts, ==, 2);
  g_assert_cmpstr(run->facts[1].key, ==, "input truth");
  g_assert_nonnull(run->molecule);
  g_assert_cmpuint(run->molecule->n_up, ==, 3);
  g_assert_cmpfloat(run->molecule->nuclei[1].position[0], ==, 0.25);
  g_assert_cmpuint(run->n_channels, ==, 2);
  g_assert_cmpstr(run->channels[1].key, ==, "found");
  g_assert_cmpint(run->channels[1].role, ==, LAC_ROLE_RECONSTRUCTION);
  g_assert_cmpstr(run->channels[0].axis_unit_y, ==, "m");
  g_assert_cmpint(lac_run_file_find_channel(run, "found"), ==, 1);
  g_assert_cmpint(lac_run_file_find_channel(run, "lost"), ==, -1);
}

static void
assert_frame(const LacRunFile *run, gsize i, gint64 step)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, &error);

  g_assert_no_error(error);
  g_assert_cmpint(frame->step, ==, step);
  g_assert_cmpuint(frame->n_planes, ==, 2);
  for (gsize c = 0; c < 2; c++) {
    const LacPlane *plane = &frame->planes[c];
    g_assert_cmpuint(plane->nx, ==, KEPT_NX);
    g_assert_cmpuint(plane->ny, ==, KEPT_NY);
    g_assert_cmpfloat(plane->x_min, ==, -1);
    g_assert_cmpfloat(plane->y_max, ==, 0.5);
    for (gsize k = 0; k < KEPT_NX * KEPT_NY; k++)
      g_assert_cmpfloat(plane->data[k], ==, kept_run_value(step, c, k));
    g_assert_cmpfloat(plane->max, ==, kept_run_value(step, c, KEPT_NX * KEPT_NY - 1));
  }
  g_assert_cmpuint(frame->n_markers, ==, 1);
  g_assert_cmpfloat(frame->markers[0].y, ==, 0.125 * (double) step);
  g_assert_cmpstr(frame->markers[0].kind, ==, "sensor");
  g_assert_true(isnan(frame->metrics[0]));
  g_assert_cmpfloat(frame->metrics[1], ==, step);
}

static void
assert_memory(const LacRecord *record, gint64 step)
{
  LacRecord expected = kept_memory(step);

  g_assert_cmpint(record->kind, ==, LAC_RECORD_MEMORY);
  g_assert_cmpint(record->step, ==, step);
  g_assert_cmpint(record->cpu_delta, ==, expected.cpu_delta);
  g_assert_cmpint(record->cpu_peak, ==, expected.cpu_peak);
  g_assert_cmpint(record->gpu_delta, ==, expected.gpu_delta);
  g_assert_cmpint(record->gpu_peak, ==, expected.gpu_peak);
}

void
kept_run_assert(const LacRunFile *run, gint64 n_steps)
{
  assert_header(run);
  g_assert_cmpuint(run->n_series, ==, n_steps);
  g_assert_cmpuint(run->n_frames, ==, n_steps);
  const gsize n_records = lac_capture_get_n_records(run->capture);
  if (n_records ==
      (gsize) (2 * n_steps) + 1) { /* a run that ended, with the span of its assembly */
    const LacRecord *last = lac_capture_at(run->capture, n_records - 1);
    g_assert_cmpstr(lac_capture_get_name(run->capture, last->name), ==, LAC_SPAN_ASSEMBLY);
  } else
    g_assert_cmpuint(n_records, ==, 2 * n_steps);
  g_assert_cmpuint(run->n_events, ==, 1);
  g_assert_cmpstr(run->events[0].detail, ==, "nu = 0.25");
  g_assert_cmpuint(lac_capture_get_n_lanes(run->capture), ==, 1);
  g_assert_cmpstr(lac_capture_get_lane(run->capture, 0), ==, "compute");
  for (gint64 i = 0; i < n_steps; i++) {
    gint64           step = i + 1;
    g_autofree char *name = g_strdup_printf("operation %d", (int) (step % 3));

    g_assert_cmpint(run->series_step[i], ==, step);
    g_assert_cmpfloat(run->series_seconds[i], ==, 0.1 * (double) step);
    g_assert_cmpfloat(run->series[2 * i], ==, 1.0 / (double) step);
    g_assert_cmpint(isnan(run->series[2 * i + 1]) != 0, ==, step % 2 == 0);
    const LacRecord *record = lac_capture_at(run->capture, 2 * i);
    g_assert_cmpint(record->step, ==, step);
    g_assert_cmpstr(lac_capture_get_name(run->capture, record->name), ==, name);
    assert_memory(lac_capture_at(run->capture, 2 * i + 1), step);
    assert_frame(run, (gsize) i, step);
  }
  g_assert_cmpfloat(run->metrics[0].last, ==, 1.0 / (double) n_steps);
  g_assert_false(run->channels[0].periodic);
  g_assert_true(run->channels[1].periodic);
  g_assert_false(run->metrics[0].has_reference);
  g_assert_true(run->metrics[1].has_reference);
  g_assert_cmpfloat(run->metrics[1].reference, ==, 0.5);
  g_assert_cmpfloat(run->metrics[1].last, ==, n_steps % 2 == 0 ? n_steps - 1 : n_steps);
}
