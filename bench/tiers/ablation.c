/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ablation: optimisations disabled one by one, then all together. Every switch is a regular option of the method. */
#include "bench/tiers/ablation.h"

#include "base/error.h"
#include "base/pool.h"
#include "bench/tiers/bench-private.h"
#include "bench/tiers/ways.h"

static void
drop_replay(LacBenchWay *way)
{
  way->without |= LAC_WITHOUT_REPLAY;
}

static void
drop_tiles(LacBenchWay *way)
{
  way->without |= LAC_WITHOUT_TILES;
}

static void
drop_fusion(LacBenchWay *way)
{
  way->without |= LAC_WITHOUT_FUSION;
}

static void
drop_vectors(LacBenchWay *way)
{
  way->cpu.most = LAC_CPU_BASELINE;
}

static void
drop_threads(LacBenchWay *way)
{
  way->n_threads = 1;
}

static void
drop_single_precision(LacBenchWay *way)
{
  way->precision = "f64";
}

static void
drop_fft_plans(LacBenchWay *way)
{
  way->cpu.plans_every_call = TRUE;
}

static void
drop_cache(LacBenchWay *way)
{
  way->cached = FALSE;
}

static void
drop_measurements(LacBenchWay *way)
{
  way->plain |= LAC_PLAIN_MEASUREMENTS;
}

static void
drop_masks(LacBenchWay *way)
{
  way->plain |= LAC_PLAIN_MASKS;
}

static void
drop_detector(LacBenchWay *way)
{
  way->plain |= LAC_PLAIN_DETECTOR;
}

static void
drop_metrics(LacBenchWay *way)
{
  way->plain |= LAC_PLAIN_METRICS;
}

static void
drop_laplacian(LacBenchWay *way)
{
  way->wavefunction |= LAC_ELECTRON_WITHOUT_LAPLACIAN;
}

static void
drop_batching(LacBenchWay *way)
{
  way->one_by_one = TRUE;
}

static void
drop_wave_fusion(LacBenchWay *way)
{
  way->wavefunction |= LAC_ELECTRON_WITHOUT_FUSION;
}

static void
drop_wave_vectors(LacBenchWay *way)
{
  way->wavefunction |= LAC_ELECTRON_WITHOUT_VECTORS;
}

/* One optimisation and the work in which it is disabled. */
typedef struct {
  const char      *name, *note;
  LacBenchPairWork measure;       /* (nullable): NULL: the next */
  void (*drop)(LacBenchWay *way); /* NULL: applies all switches of rows with the same work */
  LacBenchPairsWork measure_all;
  const char       *tier; /* (nullable): the only tier */
} Switch;

#define QUANTUM(prefix, work, tier)                                                                 \
  {prefix "_laplacian",                                                                             \
   "derivatives nested, coordinate by coordinate",                                                  \
   NULL,                                                                                            \
   drop_laplacian,                                                                                  \
   work,                                                                                            \
   tier},                                                                                           \
    {prefix "_batching", "walkers one by one", NULL, drop_batching, work, tier},                    \
    {prefix "_fused_kernels",                                                                       \
     "product, then activation, each a pass over memory",                                           \
     NULL,                                                                                          \
     drop_wave_fusion,                                                                              \
     work,                                                                                          \
     tier},                                                                                         \
    {prefix "_vector_kernels", "kernels for baseline x86-64", NULL, drop_wave_vectors, work, tier}, \
    {prefix "_threads", "one thread instead of all", NULL, drop_threads, work, tier},               \
    {prefix "_precision", "f64 instead of f32", NULL, drop_single_precision, work, tier},           \
  {                                                                                                 \
    "all_of_" prefix, "all of the above together", NULL, NULL, work, tier                           \
  }

static const Switch switches[] = {
  {"graph_replay", "recorded, planned and allocated anew in every step", lac_bench_pair_training,
   drop_replay},
  {"tiles", "node by node over all points of a thread", lac_bench_pair_training, drop_tiles},
  {"fused_layers", "product, then activation, each a pass over memory", lac_bench_pair_training,
   drop_fusion},
  {"vector_kernels", "kernels for baseline x86-64", lac_bench_pair_training, drop_vectors},
  {"precision", "f64 instead of f32", lac_bench_pair_training, drop_single_precision},
  {"threads", "one thread instead of all", lac_bench_pair_training, drop_threads},
  {"all_of_training", "all of the above together", lac_bench_pair_training, NULL},
  {"fft_plans", "transforms planned by estimate at every call", lac_bench_pair_truth,
   drop_fft_plans},
  {"content_cache", "a wake recomputed; the benefit grows with its length", lac_bench_pair_cached,
   drop_cache},
  {"imaging_measurement_cache",
   "an exposure recomputed at every use; PRISM: 16 times in isolation, 0.94 in a whole run, on its "
   "author's machine",
   lac_bench_pair_progressive, drop_measurements},
  {"imaging_fft_plans",
   "transforms planned by estimate at every call; PRISM's cache of transforms: 1.00",
   lac_bench_pair_progressive, drop_fft_plans},
  {"imaging_mask_cache", "pixels of an aperture recomputed at every use",
   lac_bench_pair_progressive, drop_masks},
  {"imaging_small_detector", "a detector as large as the grid, as in PRISM",
   lac_bench_pair_progressive, drop_detector},
  {"imaging_fused_metrics", "PSNR, RMSE, correlation, three SSIM and MS-SSIM one by one",
   lac_bench_pair_progressive, drop_metrics},
  {"imaging_precision", "the network in f64 instead of f32; PRISM: 0.90 to 0.95 at this size",
   lac_bench_pair_progressive, drop_single_precision},
  {"imaging_threads", "one thread instead of all", lac_bench_pair_progressive, drop_threads},
  {"all_of_imaging",
   "all of the above together; PRISM's own pair: 14.9 ms per step before and 15.9 ms after, 0.94, "
   "on its author's machine",
   lac_bench_pair_progressive, NULL},
  QUANTUM("quantum", lac_bench_pair_quantum, NULL),
  QUANTUM("quantum_wide", lac_bench_pair_quantum_wide, "large"),
};

/* Optimisations that cannot be switched. */
static const struct {
  const char *name, *why;
} absent[] = {
  {"jets",
   "the method has no nested derivatives to compare with; bench/peers compares with PyTorch's"},
  {"fused_jets", "devices only; bench-device times steps with and without it"},
  {"together", "fuses small kernels, devices only; bench-device times steps with and without it"},
  {"collapsed_laplacian", "built into the equations: not an option"},
  {"imaging_grid_cache", "apertures are lists of rows and transforms take their signs from the "
                         "parity of a pixel: there are no coordinate grids to cache"},
};

/* A switch in one tier. */
typedef struct {
  LacBenchItem     item;
  LacBenchPairTask task;
  const Switch    *row;
} Item;

static void
drop(const Switch *row, LacBenchWay *way)
{
  if (row->drop)
    row->drop(way);
  for (gsize i = 0; i < G_N_ELEMENTS(switches) && !row->drop; i++)
    if (switches[i].measure == row->measure && switches[i].measure_all == row->measure_all &&
        switches[i].drop)
      switches[i].drop(way);
}

/* Makes an item; the switch of threads compares one thread with all. */
static Item
make_item(const LacBenchSettings *settings, const LacBenchTier *tier, const Switch *row)
{
  const gboolean all_threads = row->drop == drop_threads || !row->drop;
  const guint    n_threads = all_threads ? lac_pool_available() : settings->n_threads;
  Item           item = {.row = row};

  item.task = (LacBenchPairTask){.tier = tier, .with = lac_bench_way(n_threads, "f32")};
  item.task.with.cached = row->measure == lac_bench_pair_cached;
  item.task.without = item.task.with;
  drop(row, &item.task.without);
  item.item.name = g_strconcat("ablation/", tier->name, "/", row->name, NULL);
  return item;
}

static GArray *
list_items(const LacBenchSettings *settings)
{
  GArray *items = lac_bench_items_new(sizeof(Item));

  for (gsize t = 0; t < settings->n_tiers; t++)
    for (gsize s = 0; s < G_N_ELEMENTS(switches); s++) {
      Item item;

      if (switches[s].tier && !g_str_equal(switches[s].tier, settings->tiers[t]->name))
        continue;
      item = make_item(settings, settings->tiers[t], &switches[s]);
      lac_bench_items_add(items, settings, &item.item);
    }
  return items;
}

static void
add(LacBenchFile *rows, const char *name, LacBenchRow row, double sample)
{
  row.name = name;
  lac_bench_row_sample(lac_bench_file_add(rows, &row), sample);
}

void
lac_bench_add_pair(LacBenchFile             *rows,
                   const LacBenchPairName   *name,
                   const LacBenchPairResult *result)
{
  add(
    rows, name->name,
    (LacBenchRow){.metric = "speedup", .unit = "1", .note = name->note, .kind = LAC_BENCH_SPEEDUP},
    result->speedup);
  add(rows, name->name,
      (LacBenchRow){.metric = "with_seconds", .unit = "s", .kind = LAC_BENCH_TIME},
      result->with_seconds);
  add(rows, name->name,
      (LacBenchRow){.metric = "without_seconds", .unit = "s", .kind = LAC_BENCH_TIME},
      result->without_seconds);
  if (result->of)
    add(rows, name->name,
        (LacBenchRow){.metric = "difference",
                      .unit = result->unit,
                      .note = result->of,
                      .kind = LAC_BENCH_QUALITY,
                      .limit = result->may_differ},
        result->difference);
}

/* Runs in the child process. */
static gboolean
work(gconstpointer data, LacBenchFile *rows, GError **error)
{
  const Item            *item = data;
  const LacBenchPairName name = {item->item.name, item->row->note};
  LacBenchPairResult     result = {0};

  if (item->row->measure_all)
    return item->row->measure_all(&item->task, &name, rows, error);
  if (!item->row->measure(&item->task, &result, error))
    return FALSE;
  lac_bench_add_pair(rows, &name, &result);
  return TRUE;
}

static void
add_absent(LacBenchFile *file)
{
  for (gsize i = 0; i < G_N_ELEMENTS(absent); i++) {
    g_autofree char  *name = g_strconcat("ablation/", absent[i].name, NULL);
    const LacBenchRow row = {.name = name,
                             .metric = "speedup",
                             .unit = "1",
                             .note = absent[i].why,
                             .kind = LAC_BENCH_SPEEDUP};

    lac_bench_file_add(file, &row);
  }
}

gboolean
lac_bench_ablate(const LacBenchSettings *settings, LacBenchFile *file, GError **error)
{
  g_autoptr(GArray) items = list_items(settings);

  if (items->len == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "--only %s matches no optimisation; examples: tiles, threads, fft_plans",
                settings->only);
    return FALSE;
  }
  if (!lac_bench_items_run(items, settings, work, file, error))
    return FALSE;
  add_absent(file);
  return TRUE;
}
