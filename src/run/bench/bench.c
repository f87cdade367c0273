/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of tiers, laboratories and phases, and the rounds over them. */
#include "run/bench/bench.h"

#include "base/error.h"
#include "base/pool.h"
#include "base/rng.h"
#include "perf/analysis/ratio.h"
#include "run/bench/bench-private.h"
#include "run/bench/child.h"
#include "run/bench/probe.h"
#include "run/core/provenance.h"
#include "sensor/placement.h"
#include "sensor/pod.h"

#include <math.h>
#include <string.h>

/* ---- sensors ---- */

/* What sensor selection costs: POD by the method of snapshots, then pivoted QR of as many modes as sensors. */

#define N_SNAPSHOTS   200
#define GROUP_SECONDS 0.04 /* of placing between two probes */
#define TIMES_FASTER  10   /* than what is allowed: what is promised */

enum { N_WAVES = 60, N_NUMBERS = 9 /* at most, along an axis */, N_ROUNDS = 3 };

/* A square grid and how many numbers there are at a point. */
typedef struct {
  gsize side, n_components, n_sensors;
} Grid;

/* A wave along x over all rows, which are shifted against each other; by a turning pair, which is fast. */
static void
add_wave(const Grid *grid, const double *wave, double amplitude, float *snapshot)
{
  const double turn_c = cos(wave[0]), turn_s = sin(wave[0]);

  for (gsize row = 0; row < grid->side * grid->n_components; row++) {
    const double at =
      wave[2] * (double) (1 + row / grid->side) + wave[1] * (double) (row % grid->side);
    float *to = snapshot + row * grid->side;
    double c = amplitude * cos(at), s = amplitude * sin(at);

    for (gsize i = 0; i < grid->side; i++) {
      const double next = c * turn_c - s * turn_s;

      to[i] += (float) c;
      s = c * turn_s + s * turn_c;
      c = next;
    }
  }
}

/* Waves of falling amplitude that come and go. */
static float *
make_snapshots(const Grid *grid)
{
  const gsize  n = grid->side * grid->side * grid->n_components;
  const double once = 2 * G_PI / (double) grid->side;
  LacRng       rng = lac_rng(2, grid->side);
  float       *snapshots = g_try_new0(float, N_SNAPSHOTS *n);

  for (gsize k = 0; snapshots && k < N_WAVES; k++) {
    const double wave[] = {
      once * (double) lac_rng_below(&rng, N_NUMBERS),
      once * (double) lac_rng_below(&rng, N_NUMBERS),
      2 * G_PI * lac_rng_uniform(&rng),
    };

    for (gsize s = 0; s < N_SNAPSHOTS; s++)
      add_wave(grid, wave, lac_rng_normal(&rng) / (1 + 0.5 * (double) k), snapshots + s * n);
  }
  return snapshots;
}

/* From snapshots to places. */
static gboolean
place(const Grid *grid, const float *snapshots, LacPool *pool, GError **error)
{
  const gsize          n_points = grid->side * grid->side;
  const LacPodSettings settings = {
    .n_snapshots = N_SNAPSHOTS,
    .n = n_points * grid->n_components,
    .n_modes = grid->n_sensors,
    .narrow = snapshots,
    .method = LAC_POD_SNAPSHOTS,
    .pool = pool,
  };
  g_autoptr(LacPod)   pod = lac_pod_new_with(&settings, error);
  g_autofree gsize   *places = g_new(gsize, grid->n_sensors);
  LacPlacementProblem problem = {
    .n_components = grid->n_components, .n_points = n_points, .pool = pool};

  if (!pod)
    return FALSE;
  problem.modes = pod->modes;
  problem.n_modes = pod->n_modes;
  return lac_placement_find("qr", NULL)->choose(&problem, NULL, places, grid->n_sensors, error);
}

static void
tell(const LacBenchTask *task,
     LacBenchFile       *rows,
     const char         *what,
     LacBenchRow         row,
     double              sample,
     double              relative)
{
  g_autofree char *metric = g_strconcat(what, row.metric, NULL);

  row.metric = metric;
  if (row.limit > 0)
    row.note = "a tenth of what the plan allows";
  row.limit /= TIMES_FASTER;
  lac_bench_tell(task, rows, row, sample, relative);
}

static LacBenchRow
seconds_row(const LacBenchTier *tier)
{
  return (LacBenchRow){
    .metric = "seconds", .unit = "s", .kind = LAC_BENCH_TIME, .limit = tier->selection_seconds};
}

/* The snapshots are part of it. */
static LacBenchRow
bytes_row(const LacBenchTier *tier)
{
  return (LacBenchRow){.metric = "peak_resident_bytes",
                       .unit = "B",
                       .kind = LAC_BENCH_MEMORY,
                       .limit = tier->memory_bytes};
}

static LacBenchRow
grown_row(void)
{
  return (LacBenchRow){.metric = "grown_bytes", .unit = "B", .kind = LAC_BENCH_MEMORY};
}

static gboolean
measure(const LacBenchTask *task,
        gsize               n_components,
        const char         *what,
        LacBenchFile       *rows,
        GError            **error)
{
  const Grid               grid = {task->tier->side, n_components, task->tier->n_sensors};
  g_autoptr(LacPool)       pool = lac_pool_new(task->n_threads);
  g_autoptr(LacBenchProbe) probe = lac_bench_probe_new(pool);
  const LacBenchMemory     memory = lac_bench_memory_begin();
  g_autofree float        *snapshots = make_snapshots(&grid);
  double                   before, peak, grown, wall[N_ROUNDS], relative[N_ROUNDS];

  if (!snapshots)
    return FALSE;
  for (gsize i = 0; i < N_ROUNDS; i++) {
    LacBenchClocks begin, spent;
    double         n = 0;

    before = lac_bench_probe_run(probe);
    begin = lac_bench_clocks_now(task->n_threads);
    do {
      if (!place(&grid, snapshots, pool, error))
        return FALSE;
      spent = lac_bench_clocks_since(begin, task->n_threads);
      n++;
    } while (spent.wall < GROUP_SECONDS);
    wall[i] = spent.wall / n;
    relative[i] = lac_bench_clocks_judged(spent, task->n_threads) / n /
                  ((before + lac_bench_probe_run(probe)) / 2);
  }
  peak = lac_bench_memory_end(memory, &grown);
  tell(task, rows, what, seconds_row(task->tier), lac_median(wall, N_ROUNDS),
       lac_median(relative, N_ROUNDS));
  tell(task, rows, what, bytes_row(task->tier), peak - (double) lac_bench_probe_get_bytes(probe),
       NAN);
  tell(task, rows, what, grown_row(), grown, NAN);
  return TRUE;
}

/* From snapshots in memory to places: seconds and memory. */
static gboolean
bench_sensors(const LacBenchTask *task, LacBenchFile *rows, GError **error)
{
  return measure(task, 1, "sensor_selection_", rows, error);
}

/* The same of two components. */
static gboolean
bench_sensors_uv(const LacBenchTask *task, LacBenchFile *rows, GError **error)
{
  return measure(task, 2, "sensor_selection_uv_", rows, error);
}

/* ---- bench ---- */

/* clang-format off */
static const LacBenchTier tiers[] = {
  /* name     side  K  epochs steps  forward backward selection memory */
  {"small",    32,  8,   100,   100,     0.1,     0.5,        2,  1e9},
  {"medium",  128, 12,  1000,    12,       1,       5,       30,  8e9},
  {"large",   512, 16,  5000,     4,      10,      50,      300, 32e9},
};
/* clang-format on */

static const LacBenchSetting flow_settings[] = {
  {"engines", "pinn"}, {"depth", "4"},       {"width", "128"},    {"fourier", "random"},
  {"times", "10"},     {"quasi_steps", "0"}, {"judge", "100000"}, {NULL, NULL},
};
static const char *const flow_qualities[] = {"pinn.loss", "pinn.relative_l2", "pinn.residual",
                                             NULL};

/* The two sizes that omriwen/PRISM published the times of: an object of 128 pixels on a grid of 512 seen through 100 apertures of radius
 * 20, and one of 512 on 1024. A step of the run is 20 of Adam. */
static const LacBenchSetting imaging_settings[] = {
  {"solver", "decoder"},   {"decoder_together", "20"}, {"decoder_steps", "20"},
  {"decoder_finish", "0"}, {"decoder_retries", "0"},   {"decoder_replays", "1"},
  {"stop_at_noise", "no"}, {"judge", "100000"},        {NULL, NULL},
};
static const LacBenchSetting imaging_small[] = {
  {"grid", "512"}, {"size", "128"},      {"diameter", "40"},
  {"roi", "320"},  {"apertures", "100"}, {NULL, NULL},
};
static const LacBenchSetting imaging_large[] = {
  {"grid", "1024"}, {"size", "512"},      {"diameter", "17"},
  {"roi", "120"},   {"apertures", "100"}, {NULL, NULL},
};
/* 240 samples of 100 steps at 256, as PRISM projects its own run. A step of the run is a sample. */
static const LacBenchSetting imaging_medium[] = {
  {"grid", "256"},
  {"size", "64"},
  {"diameter", "17"},
  {"roi", "200"},
  {"apertures", "240"},
  {"decoder_together", "100"},
  {"decoder_steps", "100"},
  {"decoder_latent", "64"},
  {"decoder_threshold", "0"},
  {NULL, NULL},
};
static const LacBenchSize imaging_sizes[] = {
  {"small", imaging_small, 1, 8, 0.4,
   "20 steps; PRISM 0.2 needed 3.93 ms for one, measured by its author on a laptop's GPU"},
  {"medium", imaging_medium, 1, 8, 2,
   "100 steps of a sample; PRISM 0.3 expects 4 minutes for all 240 at 1024 on an RTX 4050, "
   "projected by its author",
   240},
  {"large", imaging_large, 1, 5, 1.4,
   "20 steps; PRISM 0.3 expects 10 ms for one on an RTX 4050, projected by its author"},
  {NULL},
};
static const char *const imaging_qualities[] = {NULL};

/* The two trainings of H2 that spirlness/ferminet-jax published the times of, at commit 1ca95eb. */
static const LacBenchSetting quantum_settings[] = {
  {"optimizer", "adam"}, {"pretraining", "0"}, {"exchange", "0"}, {"burn_in", "10"},
  {"evaluation", "8"},   {"volume", "0"},      {NULL, NULL},
};
static const LacBenchSetting quantum_small[] = {
  {"width", "32"},    {"pair_width", "8"}, {"layers", "1"},       {"determinants", "1"},
  {"walkers", "256"}, {"moves", "5"},      {"iterations", "400"}, {NULL, NULL},
};
static const LacBenchSetting quantum_medium[] = {
  {"width", "64"},    {"pair_width", "8"}, {"layers", "2"},       {"determinants", "2"},
  {"walkers", "128"}, {"moves", "3"},      {"iterations", "400"}, {NULL, NULL},
};
static const LacBenchSize quantum_sizes[] = {
  {"small", quantum_small, 12, 400, 1.5e-3,
   "ferminet-jax needed 300 ms, measured by its author on a CPU"},
  {"medium", quantum_medium, 12, 400, 2e-3, "ferminet-jax needed 150 s, measured by its author"},
  {NULL},
};
static const char *const quantum_qualities[] = {NULL};

static const LacBenchLaboratory laboratories[] = {
  {"flow", "taylor-green", "f32", flow_settings, "grid", "sensors", "points", "adam_steps",
   flow_qualities},
  {"imaging", "moon", "f64", imaging_settings, .qualities = imaging_qualities,
   .sizes = imaging_sizes},
  {"quantum", "h2", "f32", quantum_settings, .qualities = quantum_qualities,
   .sizes = quantum_sizes},
};

static const struct {
  const char *name;
  gboolean (*measure)(const LacBenchTask *task, LacBenchFile *rows, GError **error);
  const char *laboratory, *tier; /* NULL: every one */
  gboolean    on_devices;        /* too, not on the processor alone */
} phases[] = {
  {"step", lac_bench_step, NULL, NULL, TRUE},
  {"transforms", lac_bench_transforms, "imaging", "large"},
  {"decoder", lac_bench_decoder, "imaging", "large"},
  {"sensor_selection", bench_sensors, "flow", NULL},
  {"sensor_selection_uv", bench_sensors_uv, "flow", "large"},
};

/* Whether phase @p is measured of @task. */
static gboolean
is_offered(const LacBenchTask *task, gsize p)
{
  if (task->backend && !phases[p].on_devices)
    return FALSE;
  if (phases[p].laboratory && !g_str_equal(phases[p].laboratory, task->laboratory->name))
    return FALSE;
  if (phases[p].tier && !g_str_equal(phases[p].tier, task->tier->name))
    return FALSE;
  return !task->laboratory->sizes || lac_bench_find_size(task->laboratory, task->tier);
}

const LacBenchTier *
lac_bench_tiers(gsize *n_tiers)
{
  *n_tiers = G_N_ELEMENTS(tiers);
  return tiers;
}

const LacBenchLaboratory *
lac_bench_laboratories(gsize *n_laboratories)
{
  *n_laboratories = G_N_ELEMENTS(laboratories);
  return laboratories;
}

/* One phase of one tier of one laboratory. */
typedef struct {
  LacBenchTask task;
  gsize        phase;
  char        *name; /* "flow/small/step" */
} Item;

static void
clear_item(gpointer data)
{
  g_free(((Item *) data)->name);
}

static GArray *
list_items(const LacBenchSettings *settings)
{
  GArray *items = g_array_new(FALSE, TRUE, sizeof(Item));

  g_array_set_clear_func(items, clear_item);
  for (gsize l = 0; l < G_N_ELEMENTS(laboratories); l++)
    for (gsize t = 0; t < settings->n_tiers; t++)
      for (gsize p = 0; p < G_N_ELEMENTS(phases); p++) {
        const LacBenchTier *tier = settings->tiers[t];
        Item item = {{&laboratories[l], tier, settings->n_threads, settings->backend}, p, NULL};

        if (!is_offered(&item.task, p))
          continue;
        item.name = g_strconcat(laboratories[l].name, "/", tier->name, "/", phases[p].name, NULL);
        if (settings->only && !strstr(item.name, settings->only))
          g_free(item.name);
        else
          g_array_append_val(items, item);
      }
  return items;
}

static gboolean
work(gconstpointer data, LacBenchFile *rows, GError **error)
{
  const Item *item = data;

  return phases[item->phase].measure(&item->task, rows, error);
}

gboolean
lac_bench_measure(const LacBenchSettings *settings, LacBenchFile *file, GError **error)
{
  g_autoptr(GArray) items = list_items(settings);
  const double      n_all = (double) items->len * settings->n_rounds;
  gsize             n_done = 0;

  if (items->len == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "--only %s is in the name of no phase of these tiers; step and sensor_selection "
                "are phases",
                settings->only);
    return FALSE;
  }
  for (guint round = 0; round < settings->n_rounds; round++)
    for (guint i = 0; i < items->len; i++) {
      const Item *item = &g_array_index(items, Item, i);

      if (settings->progress)
        settings->progress((double) n_done++ / n_all, item->name, settings->user_data);
      if (!lac_bench_in_child(work, item, item->name, file, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- the machine that is measured ---- */

static const char *
find_fact(const GStrv facts, const char *key)
{
  for (gsize i = 0; facts[i] && facts[i + 1]; i += 2)
    if (g_str_equal(facts[i], key))
      return facts[i + 1];
  return "";
}

/* What a time depends on and the program does not: processor, its cores, the kernels that were chosen. The host's name is none
 * of it: a container has a new one every day. */
static char *
dup_identity(const GStrv facts, const char *level, guint n_available, const char *backend)
{
  return g_strdup_printf("%s, %u cores, %s%s%s", find_fact(facts, "processor"), n_available, level,
                         backend ? ", " : "", backend ? backend : "");
}

void
lac_bench_describe_machine(LacBenchFile *file, guint n_threads, const char *backend)
{
  g_auto(GStrv)           provenance = lac_provenance_new(&(LacProvenance){0});
  g_autoptr(GStrvBuilder) facts = g_strv_builder_new();
  LacProcessorFacts       processor;
  const guint             n_available = lac_pool_available();
  g_autofree char        *identity = NULL;
  g_autofree char        *available = g_strdup_printf("%u", n_available);
  g_autofree char        *load = NULL;
  g_autoptr(GDateTime)    now = g_date_time_new_now_utc();
  g_autofree char        *started = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");

  lac_processor_ask(&processor);
  identity = dup_identity(provenance, processor.level, n_available, backend);
  g_strv_builder_add_many(facts, LAC_BENCH_IDENTITY, identity, NULL);
  g_strv_builder_addv(facts, (const char **) provenance);
  g_strv_builder_add_many(facts, "cores this process may use", available, NULL);
  g_strv_builder_add_many(facts, "kernels", processor.level, NULL);
  g_strv_builder_add_many(facts, "backend", backend ? backend : "cpu", NULL);
  if (g_file_get_contents("/proc/loadavg", &load, NULL, NULL))
    g_strv_builder_add_many(facts, "load before", strtok(load, " \n"), NULL);
  g_strv_builder_add_many(facts, "started", started, NULL);
  g_strfreev(file->machine);
  file->machine = g_strv_builder_end(facts);
  file->threads = n_threads;
}
