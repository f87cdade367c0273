/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of tiers, laboratories and phases, and the rounds over them. */
#include "bench/tiers/bench.h"

#include "base/error.h"
#include "bench/tiers/bench-private.h"

#include <string.h>

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

/* The two sizes with times published by omriwen/PRISM: an object of 128 pixels on a grid of 512 seen through 100
 * apertures of radius 20, and one of 512 on 1024. A step of the run is 20 Adam steps. */
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
/* 240 samples of 100 steps at 256, following PRISM's projection of its own run. A step of the run is a sample. */
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

/* The two trainings of H2 with times published by spirlness/ferminet-jax, at commit 1ca95eb. */
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
  const char *laboratory, *tier; /* NULL: all */
  gboolean    on_devices;        /* also on devices, not only on the processor */
  gboolean
    on_request; /* wall clock of a disk or of whole runs, which no gate can hold to a tenth: if asked for */
} phases[] = {
  {"step", lac_bench_step, NULL, NULL, TRUE},
  {"transforms", lac_bench_transforms, "imaging", "large"},
  {"decoder", lac_bench_decoder, "imaging", "large"},
  {"sensor_selection", lac_bench_sensors, "flow", NULL},
  {"sensor_selection_uv", lac_bench_sensors_uv, "flow", "large"},
  {"placement", lac_bench_placement, "flow", NULL},
  {"prism", lac_bench_prism, "imaging", "small", .on_request = TRUE},
  {"cutout", lac_bench_pipeline, "flow", NULL, .on_request = TRUE},
  {"physics", lac_bench_physics, NULL, "small"},
};

/* Returns TRUE when phase @p is measured for @task. */
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

static gboolean
is_requested(const LacBenchSettings *settings, gsize p)
{
  return settings->everything || (settings->only && strstr(settings->only, phases[p].name));
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
  LacBenchItem item;
  LacBenchTask task;
  gsize        phase;
} Phase;

static GArray *
list_items(const LacBenchSettings *settings)
{
  GArray *items = lac_bench_items_new(sizeof(Phase));

  for (gsize l = 0; l < G_N_ELEMENTS(laboratories); l++)
    for (gsize t = 0; t < settings->n_tiers; t++)
      for (gsize p = 0; p < G_N_ELEMENTS(phases); p++) {
        const LacBenchTier *tier = settings->tiers[t];
        Phase               phase = {
                        {NULL},
                        {&laboratories[l], tier, settings->n_threads, settings->backend, settings->profile},
                        p};

        if (!is_offered(&phase.task, p) || (phases[p].on_request && !is_requested(settings, p)))
          continue;
        phase.item.name =
          g_strconcat(laboratories[l].name, "/", tier->name, "/", phases[p].name, NULL);
        lac_bench_items_add(items, settings, &phase.item);
      }
  return items;
}

static gboolean
work(gconstpointer data, LacBenchFile *rows, GError **error)
{
  const Phase *phase = data;

  return phases[phase->phase].measure(&phase->task, rows, error);
}

gboolean
lac_bench_measure(const LacBenchSettings *settings, LacBenchFile *file, GError **error)
{
  g_autoptr(GArray) items = list_items(settings);

  if (items->len == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "--only %s matches no phase of these tiers; examples: step, sensor_selection",
                settings->only);
    return FALSE;
  }
  return lac_bench_items_run(items, settings, work, file, error);
}
