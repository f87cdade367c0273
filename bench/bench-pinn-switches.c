/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every switch of the physics-informed network is worth: each off and on in one stated small case, the median error against
 * the truth of three seeds. Prints JSON; a switch that does not help there fails. */
#include "row.h"

#include "base/rng.h"
#include "experiment/experiment.h"

#include <math.h>
#include <string.h>

#define N_SEEDS 3
#define LEAST   1.1 /* a factor below this is no help */
#define METRIC  "relative_l2"

/* Settings are key=value, separated by spaces; those of @off or @on come after those of both. */
typedef struct {
  const char *name, *experiment, *both, *off, *on;
} Switch;

/* clang-format off */
#define BURGERS "points=1000 pool=10 refresh=100 adam_steps=300 quasi_steps=700 width=20 depth=3"
#define CAVITY  "grid=32 points=600 condition_points=100 adam_steps=300 quasi_steps=400 condition_weight=0.01 balance_every=50"
#define PHASES  "points=800 pool=5 refresh=100 adam_steps=300 quasi_steps=500 width=20 grid=128 times=50 sensors=0 " \
                "placement=uniform diffusivity_unknown=no reaction_unknown=no"
static const Switch switches[] = {
  {"Fourier", "burgers", BURGERS, "fourier=none", "fourier=random frequencies=16"},
  {"Fourier-periodic", "allen-cahn", PHASES " duration=0.5", "harmonics=0", "harmonics=4"},
  {"RWF", "burgers", "points=1000 pool=5 refresh=100 adam_steps=3000 rate=1e-3 quasi_steps=0 width=20 depth=3", "rwf=no", "rwf=yes"},
  {"modified-MLP", "burgers", BURGERS, "architecture=mlp", "architecture=modified-mlp"},
  {"PirateNet", "burgers", "points=500 pool=5 refresh=100 adam_steps=1000 rate=2e-3 quasi_steps=0 width=12", "architecture=mlp depth=9", "architecture=piratenet depth=3"},
  {"VS-PINN", "burgers", BURGERS, "scale_x=1", "scale_x=4"},
  {"causal", "allen-cahn", PHASES " duration=1", "causal=0", "causal=10"},
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

static gsize
find_metric(const LacOutline *outline)
{
  for (gsize i = 0; i < outline->n_metrics; i++)
    if (g_str_equal(outline->metrics[i].key, METRIC))
      return i;
  g_error("there is no metric %s", METRIC);
}

/* Returns: the error after the last step; INFINITY where the run diverged. */
static double
train(const LacExperiment *experiment, gconstpointer params, const LacContext *context)
{
  g_auto(LacOutline) outline = lac_experiment_outline(experiment, params);
  g_autofree double *metrics = g_new(double, outline.n_metrics);
  const gsize        metric = find_metric(&outline);
  g_autoptr(GError)  error = NULL;
  gpointer           state = experiment->create(experiment, params, context, &error);
  LacStepReport      report = {.metrics = metrics};

  if (!state)
    g_error("%s", error->message);
  while (report.outcome == LAC_OUTCOME_CONTINUE) {
    for (gsize i = 0; i < outline.n_metrics; i++)
      metrics[i] = NAN;
    if (!experiment->step(state, &report, &error))
      g_error("%s", error->message);
  }
  experiment->destroy(state);
  return report.outcome == LAC_OUTCOME_FINISHED ? metrics[metric] : (double) INFINITY;
}

static double
measure(const Switch *of, const char *settings, guint64 seed, LacPool *pool)
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
  result = train(experiment, lac_draft_get_values(draft), &context);
  lac_device_close(&context.device);
  return result;
}

static void
print_switch(const Switch *of, LacPool *pool)
{
  const guint      n_threads = lac_pool_get_n_threads(pool);
  g_autofree char *name = g_strdup_printf("pinn/%s", of->name);
  double           off[N_SEEDS], on[N_SEEDS];
  BenchFigure      without, with;
  double           factor;

  for (guint64 seed = 0; seed < N_SEEDS; seed++) {
    off[seed] = measure(of, of->off, seed, pool);
    on[seed] = measure(of, of->on, seed, pool);
  }
  without = bench_figure_of(off, N_SEEDS);
  with = bench_figure_of(on, N_SEEDS);
  factor = without.value / with.value;
  bench_print_row(
    &(BenchRow){name, "error_off_over_on", "1", n_threads, LEAST, FALSE},
    (BenchFigure){factor, without.lowest / with.highest, without.highest / with.lowest});
  bench_print_row(&(BenchRow){name, "error_off", "1", n_threads, 0, FALSE}, without);
  bench_print_row(&(BenchRow){name, "error_on", "1", n_threads, 0, FALSE}, with);
}

/* Named switches alone; all of them without a name. */
int
main(int argc, char **argv)
{
  g_autoptr(LacPool) pool = lac_pool_new(MIN(lac_pool_available(), 4));

  g_print("[\n");
  for (gsize i = 0; i < G_N_ELEMENTS(switches); i++) {
    gboolean asked = argc < 2;

    for (int k = 1; k < argc; k++)
      asked = asked || g_str_equal(argv[k], switches[i].name);
    if (asked)
      print_switch(&switches[i], pool);
  }
  g_print("\n]\n");
  return bench_all_passed() ? 0 : 1;
}
