/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A wavefunction in use: no allocation after the first round, one span per call with its operations, memory as
 * estimated. */
#include "base/error.h"
#include "experiment/quantum/helpers/electrons.h"
#include "helpers/counting-malloc.h"
#include "perf/recorder/heap.h"

#include <string.h>

enum { N_WALKERS = 40, HUGE_PAGE = 2 << 20 };

typedef struct {
  LacWavefunction *wavefunction;
  gsize            n_params, n_blocks;
  double          *theta, *walkers, *log_abs, *gradient, *kinetic, *theta_bar, *gram, *phi, *factor;
  gint8            sign[N_WALKERS];
} Use;

static void
use_init(Use *use, const LacElectronSystem *system, LacPool *pool)
{
  const gsize n = system->n_up + system->n_down;

  use->wavefunction = lac_electron_system_new(system, "f32", pool);
  use->n_params = lac_wavefunction_get_n_params(use->wavefunction);
  lac_wavefunction_get_blocks(use->wavefunction, &use->n_blocks);
  use->theta = lac_electron_system_theta(use->wavefunction, 1, 0);
  use->walkers = lac_electron_system_walkers(system, 2, N_WALKERS);
  use->log_abs = g_new0(double, N_WALKERS);
  use->gradient = g_new0(double, N_WALKERS *n * 3);
  use->kinetic = g_new0(double, N_WALKERS);
  use->theta_bar = g_new0(double, use->n_params);
  use->gram = g_new0(double, N_WALKERS *N_WALKERS);
  use->phi = g_new0(double, N_WALKERS * system->ansatz.n_determinants * n * n);
  use->factor = g_new0(double, use->n_params * use->n_params);
}

static void
use_clear(Use *use)
{
  double *const arrays[] = {use->theta,     use->walkers, use->log_abs, use->gradient, use->kinetic,
                            use->theta_bar, use->gram,    use->phi,     use->factor};

  lac_wavefunction_free(use->wavefunction);
  for (gsize i = 0; i < G_N_ELEMENTS(arrays); i++)
    g_free(arrays[i]);
}

/* Calls every function once, with changing parameters. */
static void
use_all(Use *use)
{
  LacWavefunction *w = use->wavefunction;
  const LacLocal   local = {use->log_abs, use->sign, use->gradient, use->kinetic};

  use->theta[0] += 1e-3;
  lac_wavefunction_value(w, use->theta, use->walkers, N_WALKERS, use->log_abs, use->sign);
  lac_wavefunction_local(w, use->theta, use->walkers, N_WALKERS, &local);
  lac_wavefunction_orbitals(w, use->theta, use->walkers, N_WALKERS, use->phi);
  lac_wavefunction_orbitals_reverse(w, use->theta, use->walkers, N_WALKERS, use->phi,
                                    use->theta_bar);
  lac_wavefunction_tape(w, use->theta, use->walkers, N_WALKERS, use->log_abs, use->sign);
  lac_wavefunction_gradient(w, use->kinetic, use->theta_bar);
  lac_wavefunction_apply(w, use->theta_bar, use->log_abs);
  lac_wavefunction_gram(w, use->gram);
  for (gsize i = 0; i < use->n_blocks; i++)
    lac_wavefunction_factors(w, i, use->factor, use->theta_bar);
}

static void
test_steady(void)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);
  Use                use;
  guint              before;

  use_init(&use, &lac_electron_systems[7], pool);
  use_all(&use);
  before = n_allocations;
  for (gsize i = 0; i < 3; i++)
    use_all(&use);
  g_assert_cmpuint(n_allocations, ==, before);
  use_clear(&use);
}

typedef struct {
  LacPerf *perf;
  gsize    n_spans, n_named;
} Seen;

static void
see(const LacRecord *records, gsize n, gpointer user_data)
{
  static const char *const names[] = {
    "wavefunction",       "forward Laplacian",
    "orbitals",           "wavefunction and its reverse",
    "parameter gradient", "wavefunction and its reverse",
    "parameter gradient", "derivative along a direction",
    "Gram matrix",
  };
  Seen *seen = user_data;

  for (gsize i = 0; i < n; i++) {
    if (records[i].kind != LAC_RECORD_SPAN)
      continue;
    if (seen->n_spans < G_N_ELEMENTS(names))
      g_assert_cmpstr(lac_perf_get_name(seen->perf, records[i].name), ==, names[seen->n_spans]);
    else
      g_assert_cmpstr(lac_perf_get_name(seen->perf, records[i].name), ==, "Kronecker factors");
    g_assert_cmpfloat((double) records[i].flops, >, 0);
    seen->n_spans++;
  }
}

static void
test_spans(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_COARSE);
  LacLane           *lane = lac_perf_lane(perf, "compute");
  Seen               seen = {.perf = perf};
  Use                use;

  use_init(&use, &lac_electron_systems[3], NULL);
  lac_wavefunction_record(use.wavefunction, perf, lane);
  use_all(&use);
  lac_perf_drain(perf, see, &seen);
  g_assert_cmpuint(seen.n_spans, ==, 9 + use.n_blocks);
  use_clear(&use);
}

/* Heap in use: apart from small ones a wavefunction consists of its arrays, of which the tape begins at a huge page. */
static void
test_estimate(void)
{
  const LacElectronSystem system = {
    "Be", 1, 2, 2, {{4, {0, 0, 0}}}, {64, 16, 3, 4, TRUE, FALSE, FALSE}};
  g_autofree double         *walkers = lac_electron_system_walkers(&system, 3, 1000);
  const gsize                before = lac_heap_in_use();
  g_autoptr(LacWavefunction) wavefunction = lac_electron_system_new(&system, "f32", NULL);
  g_autofree double         *theta = NULL, *y = g_new(double, 1000);
  gsize                      taken, estimate;

  theta = lac_electron_system_theta(wavefunction, 4, 0);
  lac_wavefunction_tape(wavefunction, theta, walkers, 1000, NULL, NULL);
  lac_wavefunction_apply(wavefunction, theta, y);
  taken = lac_heap_in_use() - before;
  estimate = (gsize) lac_wavefunction_estimate(lac_wavefunction_get_molecule(wavefunction),
                                               &system.ansatz, "f32", 1, 1000);
  g_assert_cmpuint(taken, >, estimate);
  g_assert_cmpuint(taken, <,
                   estimate + HUGE_PAGE +
                     sizeof *theta * lac_wavefunction_get_n_params(wavefunction) + 100000);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  if (COUNTS_MALLOC) {
    g_test_add_func("/quantum/steady/nothing-is-allocated-after-the-first-round", test_steady);
    g_test_add_func("/quantum/steady/memory-is-as-estimated", test_estimate);
  }
  g_test_add_func("/quantum/steady/every-call-is-a-span-with-its-operations", test_spans);
  return g_test_run();
}
