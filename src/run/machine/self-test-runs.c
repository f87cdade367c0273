/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of experiments on a device, compared number by number with the CPU: covers recording, replay, transfers to
 * the host, and the kernels that only whole iterations use. In double precision. */
#include "experiment/experiment.h"
#include "run/machine/self-test-private.h"

#include <math.h>

#define QUANTUM                                                                              \
  "layers=1 width=5 pair_width=2 determinants=1 walkers=11 moves=3 burn_in=2 iterations=18 " \
  "evaluation=8 evaluation_moves=2 picture=16 volume=8 pretraining=0"

/* @tolerance: relative, absolute below 1: sums in another order, amplified from step to step. */
typedef struct {
  const char *experiment, *settings;
  double      tolerance;
} Steps;

static const Steps steps[] = {
  {"h2", QUANTUM, 1e-9},
  {"li", QUANTUM " optimizer=adam", 1e-9},
  {"taylor-green",
   "grid=12 times=6 family=4 sensors=4 engines=pinn points=64 width=6 depth=2 adam_steps=8 "
   "quasi_steps=0",
   1e-8},
  {"heat1d",
   "grid=17 times=6 family=4 sensors=3 engines=pinn points=96 width=64 depth=2 adam_steps=6 "
   "quasi_steps=0",
   1e-8},
  {"europa",
   "grid=32 size=16 diameter=8 roi=16 apertures=7 snr=40 stop_at_noise=no calibrate_from=2 "
   "judge=100000 "
   "solver=decoder decoder_steps=3 decoder_finish=1 decoder_retry_steps=2 decoder_together=3 "
   "decoder_replays=2 decoder_latent=8",
   1e-6},
};

enum { MOST_STEPS = 40 };

static gboolean
is_never(gpointer user_data)
{
  return FALSE;
}

static void
ignore(double fraction, const char *what, gpointer user_data)
{
}

static LacDraft *
new_draft(const LacExperiment *experiment, const char *settings)
{
  LacDraft     *draft = lac_draft_new(&experiment->params);
  g_auto(GStrv) pairs = g_strsplit(settings, " ", -1);

  for (gsize i = 0; pairs[i] != NULL; i++) {
    char *value = strchr(pairs[i], '=');

    *value++ = '\0';
    if (!lac_draft_set(draft, pairs[i], value, NULL))
      g_critical("%s takes no %s = %s", experiment->name, pairs[i], value);
  }
  return draft;
}

/* Metrics of all steps, concatenated; fewer if the experiment fails. */
typedef struct {
  const LacExperiment *experiment;
  const LacDraft      *draft;
  gsize                n_metrics;
  GArray              *numbers;
} Walk;

static gboolean
walk_steps(Walk *walk, gpointer state, const LacDevice *device, GError **error)
{
  g_autofree double *metrics = g_new(double, walk->n_metrics + 1);
  LacStepReport      report = {.metrics = metrics};

  for (guint i = 0; i < MOST_STEPS && report.outcome == LAC_OUTCOME_CONTINUE; i++) {
    for (gsize m = 0; m < walk->n_metrics; m++)
      metrics[m] = (double) NAN;
    if (!lac_experiment_step(walk->experiment, state, &report, error))
      return FALSE;
    g_array_append_vals(walk->numbers, metrics, (guint) walk->n_metrics);
  }
  return device->table->synchronise(device->self) == LAC_STATUS_OK;
}

static gboolean
walk_on(Walk *walk, const LacDevice *device, GError **error)
{
  g_autoptr(LacPool) pool = lac_pool_new(1);
  LacPerf           *perf = lac_perf_new(LAC_PERF_OFF);
  const LacContext   context = {
      .device = *device,
      .pool = pool,
      .perf = perf,
      .lane = lac_perf_lane(perf, "self-test"),
      .seed = 7,
      .precision = "f64",
      .cancelled = is_never,
      .progress = ignore,
  };
  gpointer state =
    walk->experiment->create(walk->experiment, lac_draft_get_values(walk->draft), &context, error);
  const gboolean done = state != NULL && walk_steps(walk, state, device, error);

  if (state != NULL)
    walk->experiment->destroy(state);
  lac_perf_free(perf);
  return done;
}

static void
compare(const LacContract *contract, const Walk *here, const Walk *there, double tolerance)
{
  lac_contract_require(contract, here->numbers->len == there->numbers->len);
  for (guint i = 0; i < MIN(here->numbers->len, there->numbers->len); i++) {
    const double right = g_array_index(here->numbers, double, i);
    const double found = g_array_index(there->numbers, double, i);

    if (isnan(right))
      lac_contract_require(contract, isnan(found));
    else
      lac_contract_within(contract, found, right, tolerance * MAX(1, fabs(right)));
  }
}

static void
run_steps(LacContract *contract)
{
  const Steps         *these = contract->data;
  const LacExperiment *experiment = lac_experiment_find(these->experiment, NULL);
  g_autoptr(LacDraft)  draft = new_draft(experiment, these->settings);
  g_auto(LacOutline)   outline = lac_experiment_outline(experiment, lac_draft_get_values(draft));
  Walk here = {experiment, draft, outline.n_metrics, g_array_new(FALSE, FALSE, sizeof(double))};
  Walk there = {experiment, draft, outline.n_metrics, g_array_new(FALSE, FALSE, sizeof(double))};
  g_autoptr(GError) error = NULL;
  LacDevice         processor;

  if (lac_device_open(&processor, "cpu", &error)) {
    if (walk_on(&here, &processor, &error) && walk_on(&there, &contract->device, &error))
      compare(contract, &here, &there, these->tolerance);
    lac_device_close(&processor);
  }
  lac_contract_check(contract, error == NULL, error != NULL ? error->message : "");
  g_array_unref(here.numbers);
  g_array_unref(there.numbers);
}

const LacContractRow lac_self_test_runs[] = {
  {"iterations-of-spring", run_steps, NULL, &steps[0], TRUE},
  {"iterations-of-adam", run_steps, NULL, &steps[1], TRUE},
  {"steps-of-a-network", run_steps, NULL, &steps[2], TRUE},
  {"steps-of-a-wide-network", run_steps, NULL, &steps[3], TRUE},
  {"steps-of-the-decoder", run_steps, NULL, &steps[4], TRUE},
  {NULL},
};
