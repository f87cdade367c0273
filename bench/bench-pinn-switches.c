/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effect of every option of the physics-informed network: each off and on in one small documented case, the median
 * error of three seeds against the true field or a published solution. Prints JSON; an option without benefit fails.
 * Data: AC.mat, the solution of the Allen-Cahn equation used as reference for the PINNs of Raissi et al., in flow
 * below LACUNA_REFERENCE_DATA; without it the two options evaluated against it are left out. */
#include "base/rng.h"
#include "bench/harness/program.h"
#include "experiment/experiment.h"
#include "io/input/input.h"
#include "perf/analysis/ratio.h"

#include <math.h>
#include <string.h>

#define N_SEEDS 3
#define LEAST   1.1 /* a smaller error ratio counts as no benefit */
#define METRIC  "relative_l2"
#define CHANNEL "u.pinn"

/* Settings are key=value, separated by spaces; @off or @on follow @both. @file: (nullable): the solution, on the
 * positions and the first times of the settings. */
typedef struct {
  const char *name, *experiment, *both, *off, *on, *file;
} Switch;

/* clang-format off */
#define BURGERS "points=1000 pool=10 refresh=100 adam_steps=300 quasi_steps=700 width=20 depth=3"
#define CAVITY  "grid=32 points=600 condition_points=100 adam_steps=300 quasi_steps=400 condition_weight=0.01 balance_every=50"
#define PHASES  "points=800 pool=5 refresh=100 adam_steps=300 quasi_steps=500 width=20 grid=512 sensors=0 " \
                "placement=uniform diffusivity_unknown=no reaction_unknown=no diffusivity=1e-4 reaction=5"
static const Switch switches[] = {
  {"Fourier", "burgers", BURGERS, "fourier=none", "fourier=random frequencies=16"},
  {"Fourier-periodic", "allen-cahn", PHASES " duration=0.5 times=101", "harmonics=0", "harmonics=4", "AC.mat"},
  {"RWF", "burgers", "points=1000 pool=5 refresh=100 adam_steps=3000 rate=1e-3 quasi_steps=0 width=20 depth=3", "rwf=no", "rwf=yes"},
  {"modified-MLP", "burgers", BURGERS, "architecture=mlp", "architecture=modified-mlp"},
  {"PirateNet", "burgers", "points=500 pool=5 refresh=100 adam_steps=1000 rate=2e-3 quasi_steps=0 width=12", "architecture=mlp depth=9", "architecture=piratenet depth=3"},
  {"VS-PINN", "burgers", BURGERS, "scale_x=1", "scale_x=4"},
  {"causal", "allen-cahn", PHASES " duration=1 times=201", "causal=0", "causal=10", "AC.mat"},
  {"grad-norm", "cavity", CAVITY, "term_weights=fixed", "term_weights=gradient"},
  {"NTK", "cavity", CAVITY, "term_weights=fixed", "term_weights=ntk"},
  {"RBA", "burgers", BURGERS, "point_weights=none", "point_weights=rba"},
  {"vRBA", "burgers", BURGERS, "point_weights=none", "point_weights=vrba"},
  {"RAD", "burgers", BURGERS, "rule=uniform", "rule=rad"},
  {"mirror", "burgers", BURGERS, "points=1000", "mirror=yes points=500"},
};
/* clang-format on */

static void
apply(LacDraft *draft, const char *settings)
{
  g_auto(GStrv) pairs = g_strsplit(settings, " ", -1);

  for (gsize i = 0; pairs[i]; i++) {
    g_auto(GStrv)     pair = g_strsplit(pairs[i], "=", 2);
    g_autoptr(GError) error = NULL;

    if (*pair[0] && !lac_draft_set(draft, pair[0], pair[1], &error))
      g_error("%s", error->message);
  }
}

/* Returns: (transfer full) (nullable): the solution over positions and times; NULL without an error where the file is
 * missing. */
static LacGridField *
load_solution(const char *file)
{
  const char      *data = g_getenv("LACUNA_REFERENCE_DATA"), *root = g_getenv("LACUNA_SOURCE_ROOT");
  g_autofree char *near = g_build_filename(root ? root : ".", "..", "shared", "data", NULL);
  g_autofree char *path = g_build_filename(data ? data : near, "flow", file, NULL);
  g_autoptr(GError) error = NULL;
  LacGridField     *solution = NULL;

  if (g_file_test(path, G_FILE_TEST_EXISTS))
    solution = lac_input_load(path, "field", &error);
  if (error)
    g_error("%s", error->message);
  return solution;
}

static gsize
find_metric(const LacOutline *outline)
{
  for (gsize i = 0; i < outline->n_metrics; i++)
    if (g_str_equal(outline->metrics[i].key, METRIC))
      return i;
  g_error("there is no metric %s", METRIC);
}

static gsize
find_channel(const LacOutline *outline)
{
  for (gsize i = 0; i < outline->n_channels; i++)
    if (g_str_equal(outline->channels[i].key, CHANNEL))
      return i;
  g_error("there is no channel %s", CHANNEL);
}

/* Compares all times of the network's field, side by side, with the first times of the solution. */
static double
compare(const LacExperiment *experiment,
        gpointer             state,
        const LacOutline    *outline,
        const LacGridField  *solution)
{
  const gsize channel = find_channel(outline), n_times = solution->axes[1].n;
  gsize       n_markers = 0;
  double      errors = 0, norm = 0;
  g_autofree  gsize(*sizes)[2] = g_malloc0_n(outline->n_channels, sizeof *sizes);

  experiment->shapes(state, sizes, &n_markers);
  LacFrame *frame =
    lac_frame_new(outline->n_channels, (const gsize(*)[2]) sizes, n_markers, outline->n_metrics);
  experiment->snapshot(state, frame, NULL);
  const LacPlane *plane = &frame->planes[channel];
  g_assert(solution->n_axes == 2 && plane->ny == solution->axes[0].n && plane->nx <= n_times);
  for (gsize i = 0; i < plane->ny; i++)
    for (gsize k = 0; k < plane->nx; k++) {
      const double true_value = solution->data[i * n_times + k];
      const double error = (double) plane->data[i * plane->nx + k] - true_value;

      errors += error * error;
      norm += true_value * true_value;
    }
  lac_frame_unref(frame);
  return sqrt(errors / norm);
}

/* Returns: the error after the last step; INFINITY where the run diverged. @solution: (nullable): reference. */
static double
train(const LacExperiment *experiment,
      gconstpointer        params,
      const LacContext    *context,
      const LacGridField  *solution)
{
  g_auto(LacOutline) outline = lac_experiment_outline(experiment, params);
  g_autofree double *metrics = g_new(double, outline.n_metrics);
  const gsize        metric = find_metric(&outline);
  g_autoptr(GError)  error = NULL;
  gpointer           state = experiment->create(experiment, params, context, &error);
  LacStepReport      report = {.metrics = metrics};
  double             result = INFINITY;

  if (!state)
    g_error("%s", error->message);
  while (report.outcome == LAC_OUTCOME_CONTINUE) {
    for (gsize i = 0; i < outline.n_metrics; i++)
      metrics[i] = NAN;
    if (!lac_experiment_step(experiment, state, &report, &error))
      g_error("%s", error->message);
  }
  if (report.outcome == LAC_OUTCOME_FINISHED)
    result = solution ? compare(experiment, state, &outline, solution) : metrics[metric];
  experiment->destroy(state);
  return result;
}

static double
measure(const Switch       *of,
        const char         *settings,
        const LacGridField *solution,
        guint64             seed,
        LacPool            *pool)
{
  g_autoptr(GError)     error = NULL;
  const LacExperiment  *experiment = lac_experiment_find(of->experiment, &error);
  g_autoptr(LacDraft)   draft = NULL;
  g_autoptr(GHashTable) inputs = g_hash_table_new(g_str_hash, g_str_equal);
  LacContext context = {.pool = pool, .seed = seed, .precision = "f64", .inputs = inputs};
  double     result;

  if (!experiment)
    g_error("%s", error->message);
  draft = lac_draft_new(&experiment->params);
  apply(draft, "engines=pinn judge=100000");
  apply(draft, of->both);
  apply(draft, settings);
  if (!experiment->check(experiment, lac_draft_get_values(draft), &error) ||
      !lac_device_open(&context.device, "cpu", &error))
    g_error("%s", error->message);
  result = train(experiment, lac_draft_get_values(draft), &context, solution);
  lac_device_close(&context.device);
  return result;
}

static void
print_switch(const Switch *of, LacPool *pool)
{
  g_autoptr(LacGridField) solution = of->file ? load_solution(of->file) : NULL;
  g_autofree char        *name = g_strdup_printf("pinn/%s", of->name);
  double                  off[N_SEEDS], on[N_SEEDS];

  if (of->file && !solution) {
    g_printerr("%s: skipped; flow/%s is missing below LACUNA_REFERENCE_DATA\n", name, of->file);
    return;
  }
  for (guint64 seed = 0; seed < N_SEEDS; seed++) {
    off[seed] = measure(of, of->off, solution, seed, pool);
    on[seed] = measure(of, of->on, solution, seed, pool);
  }
  bench_print_one(bench_row(name, "error_off_over_on", "1", LAC_BENCH_MERIT, LEAST),
                  lac_median(off, N_SEEDS) / lac_median(on, N_SEEDS));
  bench_print(bench_row(name, "error_off", "1", LAC_BENCH_QUALITY, 0), off, N_SEEDS);
  bench_print(bench_row(name, "error_on", "1", LAC_BENCH_QUALITY, 0), on, N_SEEDS);
}

/* Runs the named options, or all of them without a name. */
int
main(int argc, char **argv)
{
  g_autoptr(LacPool) pool = lac_pool_new(MIN(lac_pool_available(), 4));

  bench_begin(lac_pool_get_n_threads(pool), NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(switches); i++) {
    gboolean asked = argc < 2;

    for (int k = 1; k < argc; k++)
      asked = asked || g_str_equal(argv[k], switches[i].name);
    if (asked)
      print_switch(&switches[i], pool);
  }
  return bench_end();
}
