/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Targets from PRISM's baseline (1024 x 1024, a laptop's RTX 4050): a forward pass of 3 ms, no growth of the memory of
 * transforms, a first call at most 50 ms longer than the others, 240 samples of 100 epochs within 4 min, a peak of
 * 500 MB. */
#include "bench/tiers/prism.h"

#include "base/error.h"
#include "base/rng.h"
#include "bench/harness/clocks.h"
#include "bench/tiers/bench-private.h"
#include "bench/tiers/prism-work.h"
#include "perf/recorder/heap.h"

#include <math.h>

#define TARGET_SIZE     1024
#define TARGET_FORWARD  3e-3
#define TARGET_FIRST    0.05
#define TARGET_BYTES    500e6
#define TARGET_SECONDS  240.0
#define TARGET_SAMPLES  240.0
#define TARGET_EPOCHS   100.0
#define A_PAGE          4096 /* allowed heap rounding */
#define N_TRANSFORMS    100
#define N_FORWARDS      50
#define N_STEPS         10
#define N_CONSTRUCTIONS 5

typedef struct _Item Item;

typedef gboolean (*Measure)(const Item *item, LacBenchFile *rows, GError **error);

/* One operation, in a process of its own. */
struct _Item {
  LacBenchItem            item;
  Measure                 measure;
  const LacPrismSettings *prism;
  guint                   n_threads;
};

static gboolean
has_targets(const Item *item)
{
  return item->prism->size == TARGET_SIZE;
}

static void
add(const Item *item, LacBenchFile *rows, LacBenchRow row, double value)
{
  row.name = item->item.name;
  lac_bench_row_sample(lac_bench_file_add(rows, &row), value);
}

/* ---- times of repeated calls ---- */

typedef struct {
  double first, least, most, sum;
  gsize  n; /* calls */
} Times;

static void
times_add(Times *times, double seconds)
{
  times->first = times->n == 0 ? seconds : times->first;
  times->least = times->n == 0 ? seconds : MIN(times->least, seconds);
  times->most = times->n == 0 ? seconds : MAX(times->most, seconds);
  times->sum += seconds;
  times->n++;
}

static double
get_mean(const Times *times)
{
  return times->sum / (double) times->n;
}

/* The mean without the first call, which is reported apart. */
static double
get_steady(const Times *times)
{
  return times->n > 1 ? (times->sum - times->first) / (double) (times->n - 1) : times->first;
}

static void
repeat(Times *times, gsize n, LacBenchAct act, gpointer data)
{
  for (gsize i = 0; i < n; i++)
    times_add(times, lac_bench_time(act, data).wall);
}

/* Adds the rows of an act. @target: of the steady mean, in seconds; 0: none */
static void
add_times(const Item *item, LacBenchFile *rows, const char *act, const Times *times, double target)
{
  const struct {
    const char *what;
    double      value;
  } of[] = {
    {"first", times->first},
    {"min", times->least},
    {"mean", get_mean(times)},
    {"max", times->most},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(of); i++) {
    g_autofree char *metric = g_strdup_printf("%s_%s_seconds", act, of[i].what);
    g_autofree char *note =
      target > 0 && i == 2 ? g_strdup_printf("target on a GPU %g ms; here, without the first call, "
                                             "%.3g times as long",
                                             1e3 * target, get_steady(times) / target)
                           : NULL;

    add(item, rows,
        (LacBenchRow){.metric = metric, .unit = "s", .kind = LAC_BENCH_TIME, .note = note},
        of[i].value);
  }
}

static void
add_first(const Item *item, LacBenchFile *rows, const char *act, const Times *times)
{
  g_autofree char *metric = g_strdup_printf("%s_first_extra_seconds", act);

  add(item, rows,
      (LacBenchRow){.metric = metric,
                    .unit = "s",
                    .kind = LAC_BENCH_TIME,
                    .limit = has_targets(item) ? TARGET_FIRST : 0,
                    .note = "of the first call over the mean of the others"},
      MAX(times->first - get_steady(times), 0));
}

static void
add_growth(const Item *item, LacBenchFile *rows, double bytes, const char *note)
{
  add(item, rows,
      (LacBenchRow){.metric = "heap_growth_bytes",
                    .unit = "B",
                    .kind = LAC_BENCH_MEMORY,
                    .limit = A_PAGE,
                    .note = note},
      MAX(bytes, 0));
}

static void
add_peak(const Item *item, LacBenchFile *rows, LacBenchMemory memory)
{
  double       grown;
  const double peak = lac_bench_memory_end(memory, &grown);

  add(item, rows,
      (LacBenchRow){.metric = "peak_resident_bytes",
                    .unit = "B",
                    .kind = LAC_BENCH_MEMORY,
                    .limit = has_targets(item) ? TARGET_BYTES : 0,
                    .note = "of the whole process"},
      peak);
  add(item, rows, (LacBenchRow){.metric = "grown_bytes", .unit = "B", .kind = LAC_BENCH_MEMORY},
      grown);
}

/* ---- fft ---- */

static gboolean
measure_fft(const Item *item, LacBenchFile *rows, GError **error)
{
  const gsize                size = item->prism->size;
  const LacBenchMemory       memory = lac_bench_memory_begin();
  g_autofree double complex *data = g_new0(double complex, size *size);
  LacRng                     rng = lac_rng(1, 0);
  LacPrismTransform          t = {lac_fourier_prepare(size, size), size * size, data};
  Times                      there = {0}, back = {0}, both = {0};

  if (t.fourier == NULL)
    return lac_refuse(error, LAC_ERROR_FAILED, "there is no transform of %zu x %zu", size, size);
  repeat(&there, N_TRANSFORMS, lac_prism_forward, &t);
  repeat(&back, N_TRANSFORMS, lac_prism_inverse, &t);
  for (gsize i = 0; i < t.n; i++)
    data[i] = lac_rng_uniform(&rng);
  const gsize before = lac_heap_in_use();
  repeat(&both, N_TRANSFORMS, lac_prism_round_trip, &t);
  add_growth(item, rows, (double) lac_heap_in_use() - (double) before, "over 100 round trips");
  add_times(item, rows, "forward", &there, 0);
  add_first(item, rows, "forward", &there);
  add_times(item, rows, "inverse", &back, 0);
  add_times(item, rows, "round_trip", &both, 0);
  add_peak(item, rows, memory);
  return TRUE;
}

/* ---- model ---- */

static gboolean
measure_model(const Item *item, LacBenchFile *rows, GError **error)
{
  const LacBenchMemory  memory = lac_bench_memory_begin();
  g_auto(LacPrismModel) model = {0};
  Times                 made = {0}, looked = {0}, trained = {0};

  if (!lac_prism_model_init(&model, item->prism->size, item->n_threads, error))
    return FALSE;
  repeat(&made, 1, lac_prism_construct, &model);
  repeat(&looked, N_FORWARDS, lac_prism_look, &model);
  repeat(&trained, N_STEPS, lac_prism_train, &model);
  add_peak(item, rows, memory);
  const gsize before = lac_heap_in_use();
  repeat(&trained, N_STEPS, lac_prism_train, &model);
  add_growth(item, rows, (double) lac_heap_in_use() - (double) before, "over ten training steps");
  add(item, rows,
      (LacBenchRow){.metric = "arena_bytes",
                    .unit = "B",
                    .kind = LAC_BENCH_MEMORY,
                    .note = "parameters, Adam state, all planes"},
      (double) lac_decoder_get_arena_bytes(model.decoder));
  repeat(&made, N_CONSTRUCTIONS - 1, lac_prism_construct, &model);
  add_times(item, rows, "construction", &made, 0);
  add_times(item, rows, "forward", &looked, has_targets(item) ? TARGET_FORWARD : 0);
  add_first(item, rows, "forward", &looked);
  add_times(item, rows, "training_step", &trained, 0);
  add_first(item, rows, "training_step", &trained);
  return TRUE;
}

/* ---- training, and a full run ---- */

/* Steps through all samples; @samples: of a sample, @steps: of a step */
static void
learn(const LacPrismSettings *prism, LacBenchProgressive *progressive, Times *samples, Times *steps)
{
  for (gsize i = 0; i < prism->n_samples; i++) {
    const double begin = lac_bench_wall_seconds();

    for (gsize epoch = 0; epoch < prism->n_epochs; epoch++) {
      const double before = lac_bench_wall_seconds();
      lac_bench_progressive_step(progressive, i);
      times_add(steps, lac_bench_wall_seconds() - before);
    }
    times_add(samples, lac_bench_wall_seconds() - begin);
  }
}

static void
add_projection(const Item *item, LacBenchFile *rows, const Times *steps)
{
  const double     seconds = TARGET_SAMPLES * TARGET_EPOCHS * get_steady(steps);
  g_autofree char *note =
    has_targets(item)
      ? g_strdup_printf("240 samples of 100 epochs; target on a GPU 240 s; here %.3g times as long",
                        seconds / TARGET_SECONDS)
      : g_strdup("240 samples of 100 epochs");

  add(item, rows,
      (LacBenchRow){
        .metric = "projected_240_seconds", .unit = "s", .kind = LAC_BENCH_TIME, .note = note},
      seconds);
}

static gboolean
measure_training(const Item *item, LacBenchFile *rows, GError **error)
{
  const LacPrismSettings *prism = item->prism;
  const LacBenchMemory    memory = lac_bench_memory_begin();
  LacBenchProgressive    *progressive =
    lac_bench_progressive_new(prism->size, prism->n_samples, item->n_threads, error);
  Times samples = {0}, steps = {0};

  if (progressive == NULL)
    return FALSE;
  learn(prism, progressive, &samples, &steps);
  const gsize before = lac_heap_in_use();
  for (gsize i = 0; i < N_STEPS; i++)
    lac_bench_progressive_step(progressive, prism->n_samples - 1);
  add_growth(item, rows, (double) lac_heap_in_use() - (double) before, "over ten steps");
  add_times(item, rows, "step", &steps, 0);
  add_first(item, rows, "step", &steps);
  add_times(item, rows, "sample", &samples, 0);
  add_projection(item, rows, &steps);
  add_peak(item, rows, memory);
  lac_bench_progressive_free(progressive);
  return TRUE;
}

static void
add_part(const Item *item, LacBenchFile *rows, const char *metric, double *from)
{
  const double now = lac_bench_wall_seconds();

  add(item, rows, (LacBenchRow){.metric = metric, .unit = "s", .kind = LAC_BENCH_TIME},
      now - *from);
  *from = now;
}

static gboolean
measure_full(const Item *item, LacBenchFile *rows, GError **error)
{
  const LacPrismSettings *prism = item->prism;
  const LacBenchMemory    memory = lac_bench_memory_begin();
  const double            begin = lac_bench_wall_seconds();
  double                  part = begin, whole = begin;
  LacBenchProgressive    *progressive =
    lac_bench_progressive_new(prism->size, prism->n_samples, item->n_threads, error);
  Times samples = {0}, steps = {0};

  if (progressive == NULL)
    return FALSE;
  add_part(item, rows, "setup_seconds", &part);
  learn(prism, progressive, &samples, &steps);
  add_part(item, rows, "training_seconds", &part);
  const double psnr = lac_bench_progressive_psnr(progressive);
  add_part(item, rows, "metrics_seconds", &part);
  add_part(item, rows, "total_seconds", &whole);
  add(item, rows, (LacBenchRow){.metric = "psnr_db", .unit = "dB", .kind = LAC_BENCH_MERIT}, psnr);
  add_peak(item, rows, memory);
  lac_bench_progressive_free(progressive);
  return TRUE;
}

/* ---- the operations ---- */

const char *const lac_prism_operations[] = {"fft", "model", "training", "full", NULL};

static const Measure measures[] = {measure_fft, measure_model, measure_training, measure_full};

static gboolean
work(gconstpointer item, LacBenchFile *rows, GError **error)
{
  return ((const Item *) item)->measure(item, rows, error);
}

gboolean
lac_bench_prism_operations(const LacPrismSettings *prism,
                           const LacBenchSettings *settings,
                           LacBenchFile           *file,
                           GError                **error)
{
  g_autoptr(GArray) items = lac_bench_items_new(sizeof(Item));

  for (gsize i = 0; lac_prism_operations[i] != NULL; i++) {
    Item item = {.measure = measures[i], .prism = prism, .n_threads = settings->n_threads};

    if (prism->operation != NULL && !g_str_equal(prism->operation, lac_prism_operations[i]))
      continue;
    item.item.name =
      g_strdup_printf("prism/%" G_GSIZE_FORMAT "/%s", prism->size, lac_prism_operations[i]);
    lac_bench_items_add(items, settings, &item.item);
  }
  return lac_bench_items_run(items, settings, work, file, error);
}
