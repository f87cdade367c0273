/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate over a workload with an artificial slowdown or memory increase: training steps of the first laboratory and
 * their memory. Not part of the program: bench/gate.py uses it to test that the gate detects regressions. */
#include "bench/harness/child.h"
#include "bench/harness/machine.h"
#include "bench/harness/probe.h"
#include "bench/harness/program.h"
#include "bench/tiers/training.h"
#include "perf/analysis/ratio.h"
#include "report/bench/gate.h"

#include <math.h>

#define N_GROUPS 4
#define N_STEPS  20 /* per group: five per cent more is a whole step */
#define N_WARM   3
#define SIDE     16 /* of the grid: a group takes about 80 ms */

typedef struct {
  double slower, larger; /* artificial increases, as fractions: 0.15, 0.25 */
  guint  n_threads;
} Planted;

static gboolean
open_training(LacBenchTraining *training, const Planted *planted, GError **error)
{
  gsize                     n;
  const LacBenchLaboratory *laboratory = lac_bench_laboratories(&n);
  const LacBenchWay         way = lac_bench_way(planted->n_threads, laboratory->precision);

  return lac_bench_training_open(training, &way, laboratory->experiment, laboratory->settings,
                                 error) &&
         lac_bench_training_set(training, laboratory->grid_key, SIDE, error) &&
         lac_bench_training_set(training, laboratory->batch_key, SIDE * SIDE, error) &&
         lac_bench_training_set(training, laboratory->epochs_key, 1000, error);
}

static gboolean
run_steps(LacBenchTraining *training, gint64 n_steps, GError **error)
{
  LacOutcome outcome;

  for (gint64 i = 0; i < n_steps; i++)
    if (!lac_bench_training_step(training, &outcome, error))
      return FALSE;
  return TRUE;
}

/* Plants the slowdown as additional steps, the same work as the measured one. */
static gboolean
measure_groups(LacBenchTraining *training,
               const Planted    *planted,
               LacBenchProbe    *probe,
               double           *relative,
               GError          **error)
{
  const gint64 n_steps = llround(N_STEPS * (1 + planted->slower));

  for (int i = 0; i < N_GROUPS; i++) {
    const LacBenchBeside beside = lac_bench_beside_begin(probe);

    if (!run_steps(training, n_steps, error))
      return FALSE;
    lac_bench_beside_end(&beside, FALSE, &relative[i]);
    relative[i] /= N_STEPS;
  }
  return TRUE;
}

static void
add(LacBenchFile *rows, LacBenchRow row, double sample)
{
  LacBenchRow *to;

  row.name = "planted";
  to = lac_bench_file_add(rows, &row);
  lac_bench_row_sample(to, sample);
}

/* Allocates the planted share at the peak of the measurement. */
static double
plant_memory(LacBenchMemory memory, double share)
{
  double         grown, larger;
  volatile char *bytes;

  lac_bench_memory_end(memory, &grown);
  bytes = g_malloc((gsize) (share * grown) + 1);
  for (gsize i = 0; i < (gsize) (share * grown); i += 512)
    bytes[i] = 1;
  lac_bench_memory_end(memory, &larger);
  g_free((gpointer) bytes);
  return larger;
}

static gboolean
measure_training(LacBenchTraining *training,
                 const Planted    *planted,
                 LacBenchFile     *rows,
                 GError          **error)
{
  g_autoptr(LacBenchProbe) probe = lac_bench_probe_new(training->pool);
  const LacBenchMemory     memory = lac_bench_memory_begin();
  double                   relative[N_GROUPS];

  if (!lac_bench_training_set_up(training, error) || !run_steps(training, N_WARM, error))
    return FALSE;
  add(rows,
      (LacBenchRow){.metric = "loss", .unit = "1", .kind = LAC_BENCH_QUALITY, .tolerance = 0.05},
      lac_bench_training_get(training, "pinn.loss"));
  if (!measure_groups(training, planted, probe, relative, error))
    return FALSE;
  add(rows, (LacBenchRow){.metric = "step_over_probe", .unit = "1", .kind = LAC_BENCH_TIME},
      lac_median(relative, N_GROUPS));
  add(rows, (LacBenchRow){.metric = "grown_bytes", .unit = "B", .kind = LAC_BENCH_MEMORY},
      plant_memory(memory, planted->larger));
  return TRUE;
}

static gboolean
work(gconstpointer task, LacBenchFile *rows, GError **error)
{
  const Planted   *planted = task;
  LacBenchTraining training;
  const gboolean   done =
    open_training(&training, planted, error) && measure_training(&training, planted, rows, error);

  lac_bench_training_close(&training);
  return done;
}

static gboolean
measure(guint n_rounds, LacBenchFile *file, gpointer user_data, GError **error)
{
  const Planted *planted = user_data;

  lac_bench_describe_machine(file, planted->n_threads, NULL);
  for (guint round = 0; round < n_rounds; round++)
    if (!lac_bench_in_child(work, planted, "planted", file, error))
      return FALSE;
  return TRUE;
}

/* Returns: 0 passed, 1 not passed, 2 an error. */
static int
run(Planted *planted, const char *out, const char *gate_path, int n_rounds)
{
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacBenchFile) file =
    gate_path ? lac_bench_file_read(gate_path, &error) : lac_bench_file_new();

  if (file && gate_path) {
    g_autoptr(LacBenchGate) gate = lac_bench_gate_new(file, FALSE);

    if (lac_bench_gate_run(gate, (guint) n_rounds, measure, planted, &error)) {
      g_autofree char *text = lac_bench_gate_dup_json(gate);

      g_print("%s\n", text);
      return lac_bench_gate_passes(gate) ? 0 : 1;
    }
  } else if (file && measure((guint) n_rounds, file, planted, &error) &&
             lac_bench_file_write(file, out, &error)) {
    return 0;
  }
  g_printerr("%s\n", error->message);
  return 2;
}

int
main(int argc, char **argv)
{
  Planted            planted = {0};
  g_autofree char   *out = NULL, *gate = NULL;
  int                n_threads = 1, n_rounds = 6;
  const GOptionEntry entries[] = {
    {"slower", 0, 0, G_OPTION_ARG_DOUBLE, &planted.slower, "artificial slowdown, as a fraction",
     "0.15"},
    {"larger", 0, 0, G_OPTION_ARG_DOUBLE, &planted.larger,
     "artificial memory increase, as a fraction", "0.25"},
    {"threads", 0, 0, G_OPTION_ARG_INT, &n_threads, "threads", "N"},
    {"rounds", 0, 0, G_OPTION_ARG_INT, &n_rounds, "processes of the first measurement", "N"},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &out, "write a baseline", "FILE.json"},
    {"gate", 0, 0, G_OPTION_ARG_FILENAME, &gate, "compare with a baseline", "FILE.json"},
    {NULL},
  };

  bench_parse(entries, NULL, &argc, &argv);
  if (!out == !gate) {
    g_printerr("either -o or --gate\n");
    return 2;
  }
  planted.n_threads = (guint) MAX(n_threads, 1);
  return run(&planted, out, gate, n_rounds);
}
