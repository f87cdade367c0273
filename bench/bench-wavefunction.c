/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost of a wavefunction per walker: value, forward Laplacian, tape and its products; and processor utilisation:
 * their rate divided by the rate of bare multiply-adds measured right before and after in this process. Prints JSON. */
#include "backend/cpu/peak.h"
#include "base/rng.h"
#include "bench/harness/program.h"
#include "experiment/quantum/wavefunction/wavefunction.h"

#include <string.h>

#define N_ROUNDS 7

typedef struct {
  const char *name;
  guint       n_up, n_down;
  LacAnsatz   ansatz;
  gsize       n_walkers;
} Case;

static const Case cases[] = {
  {"h2-32x8", 1, 1, {32, 8, 1, 1, TRUE, FALSE, FALSE}, 256},
  {"h2-64x8", 1, 1, {64, 8, 2, 2, TRUE, FALSE, FALSE}, 128},
  {"lih-64x8", 2, 2, {64, 8, 2, 2, TRUE, FALSE, FALSE}, 256},
  {"four-256x32", 2, 2, {256, 32, 4, 16, FALSE, FALSE, FALSE}, 256},
  {"n2-256x32", 7, 7, {256, 32, 4, 16, TRUE, FALSE, FALSE}, 32},
};

typedef struct {
  const Case      *row;
  LacPool         *pool;
  LacWavefunction *wavefunction;
  double          *theta, *positions, *log_abs, *gradient, *kinetic, *seed, *theta_bar, *gram;
  gint8           *sign;
} Subject;

static void
subject_init(Subject *subject, const Case *row, const char *precision, guint n_threads)
{
  const LacNucleus       nuclei[] = {{row->n_up, {0, 0, -0.7}}, {row->n_down, {0, 0, 0.7}}};
  const gsize            n = row->n_walkers, n_electrons = row->n_up + row->n_down;
  g_autoptr(LacMolecule) molecule = lac_molecule_new("M", 2, nuclei, row->n_up, row->n_down);
  LacRng                 rng = lac_rng(1, 0);

  subject->row = row;
  subject->pool = lac_pool_new(n_threads);
  subject->wavefunction =
    lac_wavefunction_new(molecule, &row->ansatz, precision, subject->pool, NULL);
  subject->theta = g_new(double, lac_wavefunction_get_n_params(subject->wavefunction));
  subject->theta_bar = g_new(double, lac_wavefunction_get_n_params(subject->wavefunction));
  subject->positions = g_new(double, n *n_electrons * 3);
  subject->log_abs = g_new(double, n);
  subject->sign = g_new(gint8, n);
  subject->gradient = g_new(double, n *n_electrons * 3);
  subject->kinetic = g_new(double, n);
  subject->seed = g_new(double, n);
  subject->gram = g_new(double, n *n);
  lac_wavefunction_init(subject->wavefunction, 1, subject->theta);
  for (gsize i = 0; i < n * n_electrons * 3; i++)
    subject->positions[i] = lac_rng_normal(&rng);
  for (gsize i = 0; i < n; i++)
    subject->seed[i] = lac_rng_normal(&rng);
}

static void
subject_clear(Subject *subject)
{
  lac_wavefunction_free(subject->wavefunction);
  lac_pool_free(subject->pool);
  g_free(subject->theta);
  g_free(subject->theta_bar);
  g_free(subject->positions);
  g_free(subject->log_abs);
  g_free(subject->sign);
  g_free(subject->gradient);
  g_free(subject->kinetic);
  g_free(subject->seed);
  g_free(subject->gram);
}

static void
do_value(Subject *s)
{
  lac_wavefunction_value(s->wavefunction, s->theta, s->positions, s->row->n_walkers, s->log_abs,
                         s->sign);
}

static void
do_local(Subject *s)
{
  const LacLocal out = {s->log_abs, s->sign, s->gradient, s->kinetic};

  lac_wavefunction_local(s->wavefunction, s->theta, s->positions, s->row->n_walkers, &out);
}

static void
do_tape(Subject *s)
{
  lac_wavefunction_tape(s->wavefunction, s->theta, s->positions, s->row->n_walkers, s->log_abs,
                        s->sign);
}

static void
do_gradient(Subject *s)
{
  lac_wavefunction_gradient(s->wavefunction, s->seed, s->theta_bar);
}

static void
do_apply(Subject *s)
{
  lac_wavefunction_apply(s->wavefunction, s->theta, s->log_abs);
}

static void
do_gram(Subject *s)
{
  lac_wavefunction_gram(s->wavefunction, s->gram);
}

typedef struct {
  const char *name;
  void (*run)(Subject *subject);
} Operation;

static const Operation operations[] = {
  {"value", do_value},       {"local", do_local}, {"tape", do_tape},
  {"gradient", do_gradient}, {"apply", do_apply}, {"gram", do_gram},
};

typedef struct {
  const Operation *operation;
  Subject         *subject;
} Call;

static void
act(gpointer data)
{
  const Call *call = data;

  call->operation->run(call->subject);
}

static double
flops_of(const Subject *subject, gsize operation)
{
  const LacWavefunctionCost cost = lac_wavefunction_get_cost(subject->wavefunction);
  const double              flops[] = {cost.value, cost.local, cost.tape};

  return operation < G_N_ELEMENTS(flops) ? flops[operation] * (double) subject->row->n_walkers : 0;
}

static void
measure(const Case *row, const char *precision, guint n_threads)
{
  const gboolean   narrow = g_str_equal(precision, "f32");
  const LacType    type = narrow ? LAC_F32 : LAC_F64;
  g_autofree char *name = g_strdup_printf("quantum/%s-%s", row->name, precision);
  Subject          subject;

  subject_init(&subject, row, precision, n_threads);
  for (gsize k = 0; k < G_N_ELEMENTS(operations); k++) {
    g_autofree char *time = g_strdup_printf("%s_time", operations[k].name);
    g_autofree char *fraction = g_strdup_printf("%s_peak_fraction", operations[k].name);
    const double     flops = flops_of(&subject, k);
    double           us[N_ROUNDS], fractions[N_ROUNDS];

    Call call = {&operations[k], &subject};

    act(&call);
    for (guint i = 0; i < N_ROUNDS; i++) {
      const LacCpuRate     before = lac_cpu_peak_flops(type, n_threads);
      const LacBenchClocks clocks = lac_bench_time_many(act, &call, 3, 0.1);
      const LacCpuRate     after = lac_cpu_peak_flops(type, n_threads);
      us[i] = 1e6 * clocks.cpu / (double) row->n_walkers;
      fractions[i] = flops / (clocks.cpu / n_threads) / ((before.cpu + after.cpu) / 2);
    }
    bench_print(bench_row(name, time, "us per walker and core", LAC_BENCH_TIME, 0), us, N_ROUNDS);
    if (flops > 0)
      bench_print(bench_row(name, fraction, "1", LAC_BENCH_MERIT, 0), fractions, N_ROUNDS);
  }
  subject_clear(&subject);
}

/* Prints wall and CPU milliseconds of each forward Laplacian, for an alternating comparison with another program. */
static void
print_steps(const Case *row, guint n_threads, gsize n_steps)
{
  const Operation local = {"local", do_local};
  Subject         subject;
  Call            call = {&local, &subject};

  subject_init(&subject, row, "f32", n_threads);
  act(&call);
  bench_print_steps(act, &call, n_steps);
  subject_clear(&subject);
}

int
main(int argc, char **argv)
{
  int                n_threads = 1, steps = 0;
  g_autofree char   *only = NULL, *precision = NULL;
  const GOptionEntry entries[] = {
    {"case", 0, 0, G_OPTION_ARG_STRING, &only, "only this case", "NAME"},
    {"precision", 0, 0, G_OPTION_ARG_STRING, &precision, "f32 or f64", "NAME"},
    {"threads", 0, 0, G_OPTION_ARG_INT, &n_threads, "threads", "N"},
    {"steps", 0, 0, G_OPTION_ARG_INT, &steps,
     "only print the wall and CPU milliseconds of N forward Laplacians", "N"},
    {NULL},
  };

  bench_parse(entries, NULL, &argc, &argv);
  if (steps == 0)
    bench_begin((guint) n_threads, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    if (only && !g_str_equal(only, cases[i].name))
      continue;
    if (steps > 0)
      print_steps(&cases[i], (guint) n_threads, (gsize) steps);
    else
      measure(&cases[i], precision ? precision : "f32", (guint) n_threads);
  }
  if (steps == 0)
    return bench_end();
}
