/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantum laboratory in two variants: the operations of an iteration, and the energy that both reach. */
#include "bench/tiers/bench-private.h"
#include "bench/tiers/vmc.h"
#include "bench/tiers/ways.h"

#include <math.h>

#define MAY_DEVIATIONS 4 /* standard errors by which two energies may differ */

/* Batches of the quantum optimisation plan: 256, 512 and 1024 walkers. */
static const struct {
  const char *tier;
  gsize       n_walkers;
} batches[] = {{"small", 256}, {"medium", 512}, {"large", 1024}};

enum { OTHER_WALKERS = 64 };

static const LacAnsatz narrow = {32, 8, 1, 1, TRUE, TRUE, FALSE};
static const LacAnsatz wide = {64, 16, 3, 4, TRUE, TRUE, FALSE};

static const struct {
  const char *name;
  gboolean (*act)(LacVmc *vmc, GError **error);
} operations[] = {
  {"train", lac_vmc_train},
  {"mcmc", lac_vmc_move},
  {"energy_gradient", lac_vmc_find_gradient},
  {"optimiser", lac_vmc_update},
  {"forward", lac_vmc_evaluate},
};

typedef struct {
  const LacBenchPairTask *task;
  LacVmc                 *vmc;
  gsize                   operation, n_calls;
} Measured;

#define LEAST_SECONDS 0.01 /* of a measurement */

static gboolean
act(gpointer way, double *seconds, GError **error)
{
  Measured            *measured = way;
  const LacBenchClocks begin = lac_bench_pair_begin(measured->task);

  for (gsize i = 0; i < measured->n_calls; i++)
    if (!operations[measured->operation].act(measured->vmc, error))
      return FALSE;
  *seconds = lac_bench_pair_seconds(measured->task, begin) / (double) measured->n_calls;
  return TRUE;
}

/* Chooses the number of calls from one call, after a first one. */
static gboolean
warm_up(Measured *measured, GError **error)
{
  double seconds;

  measured->n_calls = 1;
  if (!act(measured, &seconds, error) || !act(measured, &seconds, error))
    return FALSE;
  measured->n_calls = (gsize) CLAMP(ceil(LEAST_SECONDS / seconds), 1, 10000);
  return TRUE;
}

/* Mean energy over the last third of a training. */
typedef struct {
  double mean, error;
} Energy;

static gboolean
converge(const LacVmcCase *subject, const LacBenchWay *way, Energy *energy, GError **error)
{
  g_autoptr(LacVmc)  vmc = lac_vmc_new(subject, way, error);
  const gint64       first = 2 * subject->n_iterations / 3, n = subject->n_iterations - first;
  g_autofree double *energies = g_new(double, n);
  double             squares = 0;

  for (gint64 i = 0; i < subject->n_iterations; i++) {
    if (!vmc || !lac_vmc_train(vmc, error))
      return FALSE;
    if (i >= first)
      energies[i - first] = lac_vmc_get_energy(vmc);
  }
  energy->mean = 0;
  for (gint64 i = 0; i < n; i++)
    energy->mean += energies[i] / (double) n;
  /* from successive differences, which a falling energy hardly changes */
  for (gint64 i = 1; i < n; i++)
    squares += pow(energies[i] - energies[i - 1], 2) / 2;
  energy->error = sqrt(squares / (double) (n * (n - 1)));
  return TRUE;
}

static gboolean
compare_energies(const LacVmcCase       *subject,
                 const LacBenchPairTask *task,
                 LacBenchPairResult     *result,
                 Energy                  energies[2],
                 GError                **error)
{
  if (!converge(subject, &task->with, &energies[0], error) ||
      !converge(subject, &task->without, &energies[1], error))
    return FALSE;
  result->difference = fabs(energies[1].mean - energies[0].mean);
  result->may_differ = MAY_DEVIATIONS * hypot(energies[0].error, energies[1].error);
  result->of = "of the mean energy over the last third of the iterations, in hartree";
  return TRUE;
}

static char *
dup_note(const LacVmcCase *subject, const char *note, const Energy energies[2])
{
  return g_strdup_printf("%s; %" G_GSIZE_FORMAT " walkers of %s; after %" G_GINT64_FORMAT
                         " iterations %.4f Ha with and %.4f Ha without it",
                         note, subject->n_walkers, subject->molecule, subject->n_iterations,
                         energies[0].mean, energies[1].mean);
}

static gboolean
measure_operations(const LacVmcCase       *subject,
                   const LacBenchPairTask *task,
                   const LacBenchPairName *name,
                   LacBenchFile           *rows,
                   GError                **error)
{
  LacBenchPairResult converged = {0};
  Energy             energies[2] = {{0}};
  g_autoptr(LacVmc)  with = lac_vmc_new(subject, &task->with, error);
  g_autoptr(LacVmc)  without = with ? lac_vmc_new(subject, &task->without, error) : NULL;

  if (!without || !compare_energies(subject, task, &converged, energies, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS(operations); i++) {
    Measured           ways[] = {{task, with, i, 1}, {task, without, i, 1}};
    LacBenchPairResult result = {0};
    g_autofree char   *whole = g_strconcat(name->name, "/", operations[i].name, NULL);
    g_autofree char   *note = i ? g_strdup(name->note) : dup_note(subject, name->note, energies);

    if (!warm_up(&ways[0], error) || !warm_up(&ways[1], error) ||
        !lac_bench_pair_measure(act, &ways[0], &ways[1], &result, error))
      return FALSE;
    if (i == 0) {
      result.difference = converged.difference;
      result.may_differ = converged.may_differ;
      result.of = converged.of;
      result.unit = "Ha";
    }
    lac_bench_add_pair(rows, &(LacBenchPairName){whole, note}, &result);
  }
  return TRUE;
}

gboolean
lac_bench_pair_quantum(const LacBenchPairTask *task,
                       const LacBenchPairName *name,
                       LacBenchFile           *rows,
                       GError                **error)
{
  LacVmcCase subject = {"h2", narrow, OTHER_WALKERS, 90};

  for (gsize i = 0; i < G_N_ELEMENTS(batches); i++)
    if (g_str_equal(batches[i].tier, task->tier->name))
      subject.n_walkers = batches[i].n_walkers;
  return measure_operations(&subject, task, name, rows, error);
}

gboolean
lac_bench_pair_quantum_wide(const LacBenchPairTask *task,
                            const LacBenchPairName *name,
                            LacBenchFile           *rows,
                            GError                **error)
{
  const LacVmcCase subject = {"lih", wide, 2048, 30};

  return measure_operations(&subject, task, name, rows, error);
}
