/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of PRISM's baseline: Fourier transforms of its 1024 grid, and construction, steps and memory of its decoder
 * from 1024 to an image of 512. The times in the notes are its author's, on a laptop's RTX 4050. */
#include "base/error.h"
#include "base/rng.h"
#include "bench/harness/child.h"
#include "bench/harness/probe.h"
#include "bench/tiers/bench-private.h"
#include "bench/tiers/prism-work.h"
#include "perf/analysis/ratio.h"
#include "perf/recorder/heap.h"

#include <math.h>

#define GRID     1024
#define N_GROUPS 5
#define N_TIMES  100  /* repetitions for the memory growth test */
#define A_PAGE   4096 /* bytes of allowed heap rounding */

typedef struct {
  const LacBenchTask *task;
  LacBenchFile       *rows;
  LacBenchProbe      *probe;
} Phase;

/* Adds the median of several measurements, each between two probes. */
static void
add_time(const Phase *phase, const LacBenchRow *row, LacBenchAct work, gpointer data)
{
  double wall[N_GROUPS], relative[N_GROUPS];

  for (gsize i = 0; i < N_GROUPS; i++) {
    const LacBenchBeside beside = lac_bench_beside_begin(phase->probe);

    work(data);
    wall[i] = lac_bench_beside_end(&beside, FALSE, &relative[i]).wall;
  }
  lac_bench_print(phase->task, phase->rows, *row, lac_median(wall, N_GROUPS),
                  lac_median(relative, N_GROUPS));
}

/* Adds the heap growth over N_TIMES repetitions after the first. */
static void
add_growth(const Phase *phase,
           const char  *metric,
           const char  *note,
           LacBenchAct  work,
           gpointer     data)
{
  const LacBenchRow row = {
    .metric = metric, .unit = "B", .kind = LAC_BENCH_MEMORY, .note = note, .limit = A_PAGE};
  double before;

  work(data);
  before = (double) lac_heap_in_use();
  for (gsize i = 0; i < N_TIMES; i++)
    work(data);
  lac_bench_print(phase->task, phase->rows, row, MAX((double) lac_heap_in_use() - before, 0), NAN);
}

/* ---- transforms ---- */

static const LacBenchRow forward_row = {.metric = "fft_forward_seconds",
                                        .unit = "s",
                                        .kind = LAC_BENCH_TIME,
                                        .note = "1024 x 1024; PRISM 0.5 ms, the first 539 ms"};
static const LacBenchRow inverse_row = {.metric = "fft_inverse_seconds",
                                        .unit = "s",
                                        .kind = LAC_BENCH_TIME,
                                        .note = "1024 x 1024; PRISM 0.5 ms"};
static const LacBenchRow both_row = {.metric = "fft_round_trip_seconds",
                                     .unit = "s",
                                     .kind = LAC_BENCH_TIME,
                                     .note = "1024 x 1024, divided by N; PRISM 1.3 ms"};
static const LacBenchRow first_row = {.metric = "fft_first_extra_seconds",
                                      .unit = "s",
                                      .kind = LAC_BENCH_TIME,
                                      .note = "of the first call after the plan; PRISM 539 ms",
                                      .limit = 0.05};

static void
measure_transform(const Phase *phase, LacPrismTransform *t)
{
  const double first = lac_bench_time(lac_prism_forward, t).wall;
  double       next;

  lac_prism_inverse(t);
  for (gsize i = 0; i < t->n; i++)
    t->data[i] /= (double) t->n;
  next = lac_bench_time(lac_prism_forward, t).wall;
  lac_bench_print(phase->task, phase->rows, first_row, MAX(first - next, 0), NAN);
  add_time(phase, &both_row, lac_prism_round_trip, t);
  for (gsize i = 0; i < t->n; i++)
    t->data[i] = 0; /* prevents overflow over many repetitions */
  add_time(phase, &forward_row, lac_prism_forward, t);
  add_time(phase, &inverse_row, lac_prism_inverse, t);
  add_growth(phase, "fft_growth_bytes", "over 100 round trips; PRISM 24 MB", lac_prism_round_trip,
             t);
}

gboolean
lac_bench_transforms(const LacBenchTask *task, LacBenchFile *rows, GError **error)
{
  g_autoptr(LacPool)         pool = lac_pool_new(task->n_threads);
  g_autoptr(LacBenchProbe)   probe = lac_bench_probe_new(pool);
  const Phase                phase = {task, rows, probe};
  LacRng                     rng = lac_rng(1, GRID);
  g_autofree double complex *data = g_new(double complex, (gsize) GRID *GRID);
  LacPrismTransform transform = {lac_fourier_prepare(GRID, GRID), (gsize) GRID * GRID, data};

  if (!transform.fourier) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "there is no transform of %d x %d", GRID, GRID);
    return FALSE;
  }
  for (gsize i = 0; i < (gsize) GRID * GRID; i++)
    data[i] = lac_rng_uniform(&rng);
  measure_transform(&phase, &transform);
  return TRUE;
}

/* ---- decoder ---- */

static const LacBenchRow construct_row = {.metric = "model_construction_seconds",
                                          .unit = "s",
                                          .kind = LAC_BENCH_TIME,
                                          .note = "11 187 799 parameters; PRISM 265 ms"};
static const LacBenchRow look_row = {.metric = "model_forward_seconds",
                                     .unit = "s",
                                     .kind = LAC_BENCH_TIME,
                                     .note = "PRISM 1.0 ms, of training 1.5 ms"};
static const LacBenchRow train_row = {.metric = "model_training_step_seconds",
                                      .unit = "s",
                                      .kind = LAC_BENCH_TIME,
                                      .note = "forward, reverse and Adam; PRISM 10 ms, projected",
                                      .limit = 0.07};
static const LacBenchRow arena_row = {
  .metric = "model_arena_bytes",
  .unit = "B",
  .kind = LAC_BENCH_MEMORY,
  .note = "parameters, Adam state, all planes; PRISM 67.6 MB without Adam",
  .limit = 300e6};
static const LacBenchRow grown_row = {
  .metric = "model_grown_bytes",
  .unit = "B",
  .kind = LAC_BENCH_MEMORY,
  .note = "peak increase of resident memory by construction and training",
  .limit = 300e6};

gboolean
lac_bench_decoder(const LacBenchTask *task, LacBenchFile *rows, GError **error)
{
  g_auto(LacPrismModel) model = {0};
  double                grown;

  if (!lac_prism_model_init(&model, GRID, task->n_threads, error))
    return FALSE;
  g_autoptr(LacBenchProbe) probe = lac_bench_probe_new(model.pool);
  const LacBenchMemory     memory = lac_bench_memory_begin();
  const Phase              phase = {task, rows, probe};
  lac_prism_construct(&model);
  lac_prism_train(&model);
  add_time(&phase, &look_row, lac_prism_look, &model);
  add_time(&phase, &train_row, lac_prism_train, &model);
  lac_bench_memory_end(memory, &grown);
  lac_bench_print(task, rows, arena_row, (double) lac_decoder_get_arena_bytes(model.decoder), NAN);
  lac_bench_print(task, rows, grown_row, grown, NAN);
  add_growth(&phase, "model_growth_bytes", "over 100 steps", lac_prism_train, &model);
  add_time(&phase, &construct_row, lac_prism_construct, &model);
  return TRUE;
}
