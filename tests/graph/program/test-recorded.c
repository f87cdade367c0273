/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded steps: same results as single calls, whatever changes between replays. */
#include "emulated.h"

#include "backend/cpu/cpu.h"
#include "backend/device-log.h"
#include "backend/strict/strict.h"
#include "graph/helpers/program-scene.h"
#include "graph/optimiser/optimiser.h"
#include "helpers/sanitized.h"

#include <math.h>
#include <string.h>

#define N_STEPS 20

/* Returns the table without concurrency: recorded if possible, else the plain calls in the same order. */
static LacBackend
serial(const LacBackend *table)
{
  LacBackend copy = *table;

  copy.concurrent = 0;
  return copy;
}

static void
open_serial(LacDevice *device, const LacBackend *table)
{
  *device = (LacDevice){table, NULL};
  g_assert_cmpint(table->open(&device->self, 0), ==, LAC_STATUS_OK);
}

/* Mode of obtaining losses: waiting, or LAG steps later. */
typedef enum { WAIT_FOR_EACH, IN_ONE_RECORDING, LATER } Way;
#define LAG         3
#define N_WATCHED   2
#define FIRST_THETA (N_STEPS * (1 + N_WATCHED))

/* Collects steps up to @end: the loss, then the watched values, N_STEPS of each. */
static void
collect(LacPending *runs, guint first, guint end, double *all)
{
  g_autoptr(GError) error = NULL;

  for (guint i = first; i < end; i++) {
    LacProgramResult result = {.watched = all + N_STEPS + (gsize) N_WATCHED * i};

    g_assert_true(lac_pending_finish(&runs[i], &result, &error));
    all[i] = result.loss;
  }
}

/* Returns the losses of Adam's steps, the watched values after each, and the final theta. Uses new points in every
 * step, and once all losses at a time. @perf: (nullable): times the steps */
static double *
walk(LacDevice device, LacType type, Way way, LacPerf *perf, gsize *length)
{
  g_autoptr(GError)    error = NULL;
  ProgramShape         shape = shape_small();
  ProgramScene         scene;
  LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_ADAM);
  LacPending           runs[N_STEPS];
  guint                n_collected = 0;
  double              *all;

  scene_init(&scene, &shape, "cpu");
  g_autoptr(LacProgram) program = scene_new_program(
    &scene, &(LacProgramOptions){.device = device,
                                 .type = type,
                                 .gradient = TRUE,
                                 .n_watched = N_WATCHED,
                                 .perf = perf,
                                 .lane = perf ? lac_perf_lane(perf, "compute") : NULL});
  g_autoptr(LacOptimiser) adam =
    lac_optimiser_new(&settings, scene.n_parameters, device, type, NULL, &error);
  all = g_new(double, FIRST_THETA + scene.n_parameters);
  for (guint i = 0; i < N_STEPS; i++) {
    LacObjective       objective = {.program = program, .step = i, .later = way == LATER};
    LacOptimiserReport report;

    if (i == 7) {
      collect(runs, n_collected, i, all);
      n_collected = i;
    }
    if (i == 11) {
      scene.at[5] += 0.25;
      lac_program_feed(program, scene.points, scene.at);
    }
    lac_optimiser_set_rate(adam, 1e-2 / (1 + i));
    if (way == WAIT_FOR_EACH)
      g_assert_true(lac_optimiser_step(adam, lac_program_get_theta(program), lac_program_evaluate,
                                       &objective, &report, &error));
    else
      g_assert_true(lac_optimiser_descend(adam, &objective, &report, &error));
    runs[i] = lac_program_get_pending(program);
    g_assert_true(way != LATER || isnan(report.loss));
    for (; n_collected + (way == LATER ? LAG : 0) <= i; n_collected++)
      collect(runs, n_collected, n_collected + 1, all);
    g_assert_true(way == LATER || report.loss == all[i]);
    if (way == WAIT_FOR_EACH) {
      lac_program_dup_theta(program, all + FIRST_THETA);
      memcpy(all + N_STEPS + (gsize) N_WATCHED * i, all + FIRST_THETA, N_WATCHED * sizeof *all);
    }
  }
  collect(runs, n_collected, N_STEPS, all);
  lac_program_dup_theta(program, all + FIRST_THETA);
  *length = FIRST_THETA + scene.n_parameters;
  scene_clear(&scene);
  return all;
}

static double *
walk_on(const LacBackend *table, LacType type, Way way, gsize *length)
{
  LacDevice device;
  double   *all;

  open_serial(&device, table);
  all = walk(device, type, way, NULL, length);
  lac_device_close(&device);
  return all;
}

static void
strict_replays_what_the_processor_calls(void)
{
  const LacBackend cpu = serial(&lac_backend_cpu), strict = serial(&lac_backend_strict);

  for (int type = LAC_F32; type <= LAC_F64; type++) {
    gsize              length;
    g_autofree double *plain = walk_on(&cpu, (LacType) type, WAIT_FOR_EACH, &length);
    g_autofree double *replayed = walk_on(&strict, (LacType) type, IN_ONE_RECORDING, &length);

    g_assert_cmpmem(plain, length * sizeof *plain, replayed, length * sizeof *replayed);
  }
}

/* In double precision the two differ only by the order of summation: over 20 steps of a smooth descent that stays
 * small. */
static void
emulated_steps_are_those_of_the_processor(void)
{
  const LacBackend  *table = emulated_backend();
  const LacBackend   cpu = serial(&lac_backend_cpu);
  gsize              length;
  g_autofree double *wanted = walk_on(&cpu, LAC_F64, WAIT_FOR_EACH, &length), *first = NULL;

  if (!table) {
    g_test_skip("the emulated device was not built");
    return;
  }
  for (guint order = EMULATED_FORWARD; order <= EMULATED_RANDOM; order++) {
    g_autofree double *found = NULL;

    emulated_set_order((EmulatedOrder) order, 5);
    found = walk_on(table, LAC_F64, IN_ONE_RECORDING, &length);
    for (gsize i = 0; i < length; i++)
      g_assert_cmpfloat_with_epsilon(found[i], wanted[i], 1e-9 * (1 + fabs(wanted[i])));
    if (!first)
      first = g_steal_pointer(&found);
    else
      g_assert_cmpmem(first, length * sizeof *first, found, length * sizeof *found);
  }
}

/* Losses collected later, and theta, equal those obtained by waiting. */
static void
losses_may_come_late(void)
{
  const LacBackend *tables[2] = {NULL, emulated_backend()};
  const LacBackend  strict = serial(&lac_backend_strict);

  tables[0] = &strict;
  for (gsize t = 0; t < G_N_ELEMENTS(tables) && tables[t]; t++) {
    gsize              length;
    g_autofree double *apart = walk_on(tables[t], LAC_F32, WAIT_FOR_EACH, &length);
    g_autofree double *now = walk_on(tables[t], LAC_F32, IN_ONE_RECORDING, &length);
    g_autofree double *late = walk_on(tables[t], LAC_F32, LATER, &length);

    g_assert_cmpmem(apart, length * sizeof *apart, now, length * sizeof *now);
    g_assert_cmpmem(now, length * sizeof *now, late, length * sizeof *late);
  }
}

static double *
walk_timed(LacPerfDetail detail, EmulatedCounts *counted, gsize *length)
{
  g_autoptr(LacPerf)   perf = lac_perf_new(detail);
  const EmulatedCounts before = emulated_get_counts();
  EmulatedCounts       after;
  LacDevice            device;
  double              *all;

  open_serial(&device, emulated_backend());
  all = walk(device, LAC_F32, IN_ONE_RECORDING, perf, length);
  lac_device_close(&device);
  after = emulated_get_counts();
  g_assert_cmpint(after.alive, ==, before.alive);
  counted->graphs = after.graphs - before.graphs;
  counted->nodes = after.nodes - before.nodes;
  return all;
}

/* Steps are bitwise the same for any refused part of a capture; at full detail the capture with time stamps fails
 * first. */
static void
steps_that_cannot_be_recorded_are_called(gconstpointer detail)
{
  const LacPerfDetail how = GPOINTER_TO_INT(detail);
  EmulatedCounts      whole, part;
  gsize               length;

  if (!emulated_backend()) {
    g_test_skip("the emulated device was not built");
    return;
  }
  g_autofree double *wanted = walk_timed(how, &whole, &length);

  g_assert_cmpuint(whole.graphs, ==, N_STEPS - 1);
  for (EmulatedFaults faults = {.node = 1};; faults.node += TEST_IS_SANITIZED ? 11 : 1) {
    emulated_set_faults(&faults);
    g_autofree double *found = walk_timed(how, &part, &length);
    g_assert_cmpmem(wanted, length * sizeof *wanted, found, length * sizeof *found);
    if (part.nodes == whole.nodes) { /* beyond the end of every capture */
      g_assert_cmpuint(faults.node, >, 40);
      break;
    }
    g_assert_cmpuint(part.nodes, <, whole.nodes);
  }
  for (EmulatedFaults faults = {.call = EMULATED_BEGIN_CAPTURE};
       faults.call <= EMULATED_UPLOAD_GRAPH; faults.call++) {
    emulated_set_faults(&faults);
    g_autofree double *found = walk_timed(how, &part, &length);
    g_assert_cmpmem(wanted, length * sizeof *wanted, found, length * sizeof *found);
    g_assert_cmpuint(part.graphs, ==, 0);
  }
  emulated_set_faults(NULL);
}

/* Steady state: the optimiser's values, one graph, the message and its event; no allocation, no recording, and the
 * device always has another step queued while the host waits. */
static void
a_steady_step_is_one_graph(void)
{
  enum { WARM = 4, STEADY = 12 };
  g_autoptr(GError)          error = NULL;
  const LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_ADAM);
  ProgramShape               shape = shape_small();
  ProgramScene               scene;
  LacDevice                  device;
  EmulatedCounts             before = {0}, after;
  LacPending                 pending[LAG + 1];
  LacProgramResult           result = {0};

  if (!emulated_open_counted(&device))
    return;
  emulated_set_order(EMULATED_FORWARD, 0);
  scene_init(&scene, &shape, "cpu");
  LacProgram *program = scene_new_program(
    &scene, &(LacProgramOptions){.device = device, .type = LAC_F32, .gradient = TRUE});
  LacOptimiser *adam =
    lac_optimiser_new(&settings, scene.n_parameters, device, LAC_F32, NULL, &error);

  for (guint i = 0; i < WARM + STEADY; i++) {
    LacObjective       objective = {.program = program, .step = i, .later = TRUE};
    LacOptimiserReport report;

    if (i == WARM)
      before = emulated_get_counts();
    g_assert_true(lac_optimiser_descend(adam, &objective, &report, &error));
    pending[i % (LAG + 1)] = lac_program_get_pending(program);
    if (i >= LAG)
      g_assert_true(lac_pending_finish(&pending[(i - LAG) % (LAG + 1)], &result, &error));
  }
  after = emulated_get_counts();
  g_assert_cmpuint(after.graphs - before.graphs, ==, STEADY);
  g_assert_cmpuint(after.submitted - before.submitted, ==, 4 * STEADY);
  g_assert_cmpuint(after.captures, ==, before.captures);
  g_assert_cmpuint(after.allocations, ==, before.allocations);
  g_assert_cmpuint(after.waits - before.waits, ==, STEADY);
  g_assert_cmpuint(after.drains, ==, before.drains);
  lac_optimiser_free(adam);
  lac_program_free(program);
  scene_clear(&scene);
  lac_device_close(&device);
}

typedef struct {
  LacPerf *perf;
  guint    n, n_tanh, n_optimise;
  gint64   end_ns, step;
} Spans;

/* The spans of a step are contiguous. */
static void
look_at_spans(const LacRecord *records, gsize n, gpointer user_data)
{
  Spans *spans = user_data;

  for (gsize i = 0; i < n; i++) {
    const LacRecord *record = &records[i];
    const char      *name = lac_perf_get_name(spans->perf, record->name);

    if (!g_str_equal(lac_perf_get_lane_name(spans->perf, record->lane), "GPU"))
      continue;
    g_assert_cmpint(record->duration_ns, >=, 0);
    if (record->kind == LAC_RECORD_KERNEL)
      continue;
    g_assert_cmpint(record->kind, ==, LAC_RECORD_SPAN);
    if (record->step == spans->step)
      g_assert_cmpint(record->start_ns, ==, spans->end_ns);
    spans->step = record->step;
    spans->end_ns = record->start_ns + record->duration_ns;
    spans->n_tanh += strstr(name, "tanh") != NULL && record->flops > 0;
    spans->n_optimise += g_str_equal(name, "optimise");
    spans->n++;
  }
}

static gboolean
has_emulated(void)
{
  if (!emulated_backend())
    g_test_skip("the emulated device was not built");
  return emulated_backend() != NULL;
}

static void
open_emulated(LacDevice *device, LacPerf *perf)
{
  open_serial(device, emulated_backend());
  lac_device_log_open(device, perf, lac_perf_lane(perf, "compute"));
}

/* Timing does not change results and waits for nothing. */
static void
operations_are_timed_on_the_device(void)
{
  enum { N = 80, WARM = 40 };
  g_autoptr(GError)          error = NULL;
  const LacOptimiserSettings settings = lac_optimiser_defaults(LAC_OPTIMISER_ADAM);
  double                     losses[3][N];
  LacPending                 pending[N];
  LacProgramResult           result = {0};
  Spans                      spans = {.step = -1};

  if (!has_emulated())
    return;
  emulated_set_order(EMULATED_FORWARD, 0);
  for (int detail = LAC_PERF_OFF; detail <= LAC_PERF_FULL; detail++) {
    g_autoptr(LacPerf) perf = lac_perf_new((LacPerfDetail) detail);
    ProgramShape       shape = shape_small();
    ProgramScene       scene;
    LacDevice          device;
    EmulatedCounts     before = {0}, after;

    open_emulated(&device, perf);
    scene_init(&scene, &shape, "cpu");
    LacProgram *program =
      scene_new_program(&scene, &(LacProgramOptions){.device = device,
                                                     .type = LAC_F32,
                                                     .gradient = TRUE,
                                                     .perf = perf,
                                                     .lane = lac_perf_lane(perf, "compute")});
    LacOptimiser *adam =
      lac_optimiser_new(&settings, scene.n_parameters, device, LAC_F32, NULL, &error);

    for (guint i = 0; i < N + LAG; i++) {
      LacObjective       objective = {.program = program, .step = i, .later = TRUE};
      LacOptimiserReport report;

      if (i == WARM)
        before = emulated_get_counts();
      if (i < N) {
        g_assert_true(lac_optimiser_descend(adam, &objective, &report, &error));
        pending[i] = lac_program_get_pending(program);
      }
      if (i == N - 1) {
        after = emulated_get_counts();
        g_assert_cmpuint(after.drains, ==, before.drains);
        g_assert_cmpuint(after.captures, ==, before.captures);
      }
      if (i < LAG)
        continue;
      g_assert_true(lac_pending_finish(&pending[i - LAG], &result, &error));
      losses[detail][i - LAG] = result.loss;
    }
    g_assert_cmpmem(losses[detail], sizeof losses[0], losses[0], sizeof losses[0]);
    spans = (Spans){.perf = perf, .step = -1};
    lac_perf_drain(perf, look_at_spans, &spans);
    g_assert_cmpuint(spans.n_optimise, >=,
                     detail == LAC_PERF_FULL ? N / (LAG + 2) : (guint) detail);
    g_assert_cmpuint(spans.n_tanh, >=, 2 * spans.n_optimise);
    lac_optimiser_free(adam);
    lac_program_free(program);
    scene_clear(&scene);
    lac_device_close(&device);
  }
}

/* Calls that wait, copy or allocate are refused while a step is recorded; afterwards the device works as before. */
static void
recording_refuses_what_waits(gconstpointer data)
{
  const LacBackend *table = data ? data : emulated_backend();
  LacDevice         device;
  void             *memory = NULL, *other = NULL, *recording = NULL, *staging = NULL;
  double            host[4] = {1, 2, 3, 4}, sum = 0;
  const void       *read;

  if (!table) {
    g_test_skip("the emulated device was not built");
    return;
  }
  open_serial(&device, table);
  g_assert_cmpint(table->alloc(device.self, sizeof host, &memory), ==, LAC_STATUS_OK);
  g_assert_cmpint(table->upload(device.self, memory, host, sizeof host), ==, LAC_STATUS_OK);
  g_assert_cmpint(table->staging_new(device.self, sizeof host, &staging), ==, LAC_STATUS_OK);
  g_assert_cmpint(table->record_begin(device.self), ==, LAC_STATUS_OK);
  g_assert_cmpint(table->record_begin(device.self), ==, LAC_STATUS_RECORDING);
  g_assert_cmpint(table->fill(device.self, LAC_F64, memory, 7, 2), ==, LAC_STATUS_OK);
  g_assert_cmpint(table->alloc(device.self, 64, &other), ==, LAC_STATUS_RECORDING);
  g_assert_cmpint(table->upload(device.self, memory, host, 8), ==, LAC_STATUS_RECORDING);
  g_assert_cmpint(table->download(device.self, host, memory, 8), ==, LAC_STATUS_RECORDING);
  g_assert_cmpint(table->synchronise(device.self), ==, LAC_STATUS_RECORDING);
  g_assert_cmpint(table->staging_put(device.self, staging, 0, memory, 8), ==, LAC_STATUS_RECORDING);
  g_assert_cmpint(
    table->fft_prepare(device.self, &(LacFft){.type = LAC_F32, .nx = 6, .ny = 10, .n_batch = 1}),
    ==, LAC_STATUS_RECORDING);
  g_assert_cmpint(
    table->dot(device.self, &(LacDot){.type = LAC_F64, .n = 4, .x = memory, .out = &sum}), ==,
    LAC_STATUS_RECORDING);
  g_assert_cmpint(table->record_end(device.self, &recording), ==, LAC_STATUS_OK);
  g_assert_cmpint(table->download(device.self, host, memory, sizeof host), ==, LAC_STATUS_OK);
  g_assert_cmpfloat(host[0], ==, 1);
  g_assert_cmpint(table->replay(device.self, recording), ==, LAC_STATUS_OK);
  g_assert_cmpint(table->staging_put(device.self, staging, 0, memory, sizeof host), ==,
                  LAC_STATUS_OK);
  g_assert_cmpint(table->staging_send(device.self, staging), ==, LAC_STATUS_OK);
  g_assert_cmpint(table->fill(device.self, LAC_F64, memory, 0, 4), ==, LAC_STATUS_OK);
  g_assert_cmpint(table->staging_open(device.self, staging, 1, &read), ==, LAC_STATUS_OK);
  g_assert_cmpfloat(((const double *) read)[1], ==, 7);
  g_assert_cmpfloat(((const double *) read)[2], ==, 3);
  table->staging_free(device.self, staging);
  table->recording_free(device.self, recording);
  table->release(device.self, memory);
  lac_device_close(&device);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/program/recorded/strict-replays-what-the-processor-calls",
                  strict_replays_what_the_processor_calls);
  g_test_add_func("/program/recorded/emulated-steps-are-those-of-the-processor",
                  emulated_steps_are_those_of_the_processor);
  g_test_add_func("/program/recorded/losses-may-come-late", losses_may_come_late);
  g_test_add_func("/program/recorded/a-steady-step-is-one-graph", a_steady_step_is_one_graph);
  g_test_add_data_func("/program/recorded/steps-that-cannot-be-recorded-are-called",
                       GINT_TO_POINTER(LAC_PERF_OFF), steps_that_cannot_be_recorded_are_called);
  g_test_add_data_func("/program/recorded/steps-that-cannot-be-timed-are-not",
                       GINT_TO_POINTER(LAC_PERF_FULL), steps_that_cannot_be_recorded_are_called);
  g_test_add_func("/program/recorded/operations-are-timed-on-the-device",
                  operations_are_timed_on_the_device);
  g_test_add_data_func("/program/recorded/strict-refuses-what-waits", &lac_backend_strict,
                       recording_refuses_what_waits);
  g_test_add_data_func("/program/recorded/cuda-refuses-what-waits", NULL,
                       recording_refuses_what_waits);
  return g_test_run();
}
