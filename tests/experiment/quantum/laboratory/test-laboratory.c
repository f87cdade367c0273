/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole runs with one electron, for which the exact energy is -Z^2 / 2 and an exact psi has zero variance. */
#include "base/rng.h"
#include "experiment/quantum/laboratory/laboratory-private.h"

#include <math.h>
#include <string.h>

/* Settings for a very small network: longer steps than the default, and the usual damping for every atom. */
#define SMALL                                                                                  \
  "width=8 pair_width=2 layers=1 determinants=1 walkers=96 moves=5 burn_in=20 iterations=300 " \
  "rate=0.2 damping=1e-3 norm=0 "                                                              \
  "evaluation=48 evaluation_moves=5 momentum=0.95 picture=16"

typedef struct {
  LacPool             *pool;
  const LacExperiment *experiment;
  LacOutline           outline;
  double              *last; /* [n_metrics]: last step */
} Run;

static void
set_all(LacDraft *draft, const char *settings)
{
  g_auto(GStrv) pairs = g_strsplit(settings, " ", -1);

  for (guint i = 0; pairs[i]; i++) {
    g_auto(GStrv)     pair = g_strsplit(pairs[i], "=", 2);
    g_autoptr(GError) error = NULL;

    lac_draft_set(draft, pair[0], pair[1], &error);
    g_assert_no_error(error);
  }
}

static void
run_init(Run *run, const char *name, const char *settings)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacDraft) draft = NULL;
  LacContext          context = {.seed = 2, .precision = "f64"};
  LacStepReport       report = {.outcome = LAC_OUTCOME_CONTINUE};
  gpointer            state;

  run->experiment = lac_experiment_find(name, &error);
  g_assert_no_error(error);
  draft = lac_draft_new(&run->experiment->params);
  set_all(draft, SMALL);
  set_all(draft, settings);
  run->pool = context.pool = lac_pool_new(1);
  run->outline = lac_experiment_outline(run->experiment, lac_draft_get_values(draft));
  run->last = g_new0(double, run->outline.n_metrics);
  report.metrics = run->last;
  state = run->experiment->create(run->experiment, lac_draft_get_values(draft), &context, &error);
  g_assert_no_error(error);
  while (report.outcome == LAC_OUTCOME_CONTINUE) {
    lac_experiment_step(run->experiment, state, &report, &error);
    g_assert_no_error(error);
  }
  g_assert_cmpint(report.outcome, ==, LAC_OUTCOME_FINISHED);
  run->experiment->destroy(state);
}

static double
metric(const Run *run, const char *key)
{
  for (gsize i = 0; i < run->outline.n_metrics; i++)
    if (g_str_equal(run->outline.metrics[i].key, key))
      return run->last[i];
  g_error("there is no metric %s", key);
}

static void
run_clear(Run *run)
{
  lac_outline_clear(&run->outline);
  lac_pool_free(run->pool);
  g_free(run->last);
}

typedef struct {
  const char *name, *settings;
  double      energy;
} Case;

/* A psi that has learnt the cusp is nearly exact: the energy is bounded by 10 mHa per Z^2 above the exact one and
 * four standard errors, and the excess by the variance. */
static void
test_one_electron(gconstpointer data)
{
  const Case  *subject = data;
  const double scale = -2 * subject->energy; /* Z^2 */
  Run          run;

  run_init(&run, subject->name, subject->settings);
  const double energy = metric(&run, "energy_hartree");
  const double error = metric(&run, "energy_standard_error_hartree");

  g_assert_cmpfloat(energy - subject->energy, >, -4 * error);
  g_assert_cmpfloat(energy - subject->energy, <, 4 * error + 1e-2 * scale);
  g_assert_cmpfloat(metric(&run, "variance_hartree2"), <, 0.05 * scale * scale);
  g_assert_cmpfloat(fabs(metric(&run, "spin_squared") - 0.75), <, 1e-12);
  g_assert_cmpfloat(fabs(metric(&run, "virial_ratio") - 2), <, 0.2);
  run_clear(&run);
}

#define TRAIL 4000

/* Fills @trail with correlated noise of standard deviation 1, and a slope over its second half that moves the mean of
 * the last quarter by @drift against the one before. */
static void
make_trail(double *trail, guint64 seed, double drift)
{
  const double memory = 0.8;
  LacRng       rng = lac_rng(seed, 0);
  double       noise = lac_rng_normal(&rng);

  for (gint64 i = 0; i < TRAIL; i++) {
    const double after = MAX(0.0, (double) i - TRAIL / 2.0) / (TRAIL / 4.0);

    noise = memory * noise + sqrt(1 - memory * memory) * lac_rng_normal(&rng);
    trail[i] = noise + drift * after;
  }
}

/* Noise alone exceeds its resolution in some 5 % of the cases, as two standard errors do, although its values are
 * correlated, which a plain standard error would not know; a drift of twice the resolution is seen. */
static void
test_settling(void)
{
  const guint n = 400;
  double      trail[TRAIL], scratch[TRAIL / 4];
  guint       n_false = 0, n_plain = 0, n_seen = 0;

  for (guint64 seed = 0; seed < n; seed++) {
    make_trail(trail, seed, 0);
    const LacQuantumSettling still = lac_quantum_find_settling(trail, TRAIL, scratch);
    n_false += fabs(still.drift) > still.resolution;
    n_plain += fabs(lac_quantum_find_drift(trail, TRAIL)) > 2;
    make_trail(trail, seed, 2 * still.resolution);
    const LacQuantumSettling moving = lac_quantum_find_settling(trail, TRAIL, scratch);
    n_seen += fabs(moving.drift) > moving.resolution;
  }
  g_test_message("false %u, plain %u, seen %u of %u", n_false, n_plain, n_seen, n);
  g_assert_cmpuint(n_false, <, n / 8);
  g_assert_cmpuint(n_plain, >, n / 3);
  g_assert_cmpuint(n_seen, >, 3 * n / 4);
  g_assert_true(isnan(lac_quantum_find_settling(trail, 7, scratch).drift));
}

int
main(int argc, char **argv)
{
  static const Case cases[] = {
    {"h", "optimizer=spring", -0.5},
    {"h", "optimizer=kfac rate=0.05", -0.5},
    {"h", "optimizer=adam rate=0.01 iterations=400", -0.5},
    {"h", "proposal=langevin", -0.5},
    {"h", "proposal=harmonic", -0.5},
    {"he", "charge=1 iterations=600", -2},
    {"molecule", "geometry=He,0,0,0 charge=1 iterations=600", -2},
  };

  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *path = g_strdup_printf("/experiment/quantum/laboratory/one-electron/%s/%s",
                                            cases[i].name, cases[i].settings);

    g_test_add_data_func(path, &cases[i], test_one_electron);
  }
  g_test_add_func("/experiment/quantum/laboratory/a-drift-has-a-resolution", test_settling);
  return g_test_run();
}
