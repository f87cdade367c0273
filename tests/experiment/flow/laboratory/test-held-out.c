/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensors held out in turn: their readings change no estimate of any method, they are compared with it and its claim, the
 * claim holds for the model that made the truth, and a resumed run finds the same. */
#include "experiment/flow/laboratory/laboratory-private.h"

#include <math.h>
#include <string.h>

enum { TURN = 6, N_TIMES = 60 };

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacContext           context;
  LacLaboratoryState  *state;
} Bed;

static void
set(Bed *bed, const char *settings)
{
  g_auto(GStrv) pairs = g_strsplit(settings, " ", -1);

  for (gsize i = 0; pairs[i] && *pairs[i]; i++) {
    g_auto(GStrv)     pair = g_strsplit(pairs[i], "=", 2);
    g_autoptr(GError) error = NULL;

    lac_draft_set(bed->draft, pair[0], pair[1], &error);
    g_assert_no_error(error);
  }
}

static void
bed_open(Bed *bed, const char *settings)
{
  g_autoptr(GError) error = NULL;

  bed->experiment = lac_experiment_find("lorenz96", NULL);
  bed->draft = lac_draft_new(&bed->experiment->params);
  bed->context = (LacContext){.precision = "f64", .pool = lac_pool_new(1), .seed = 2};
  g_assert_true(lac_device_open(&bed->context.device, "cpu", NULL));
  set(bed, "engines=enkf observations=60 training=200 members=40 start_members=40 lag=0 sensors=40 "
           "held_out_turn=6");
  set(bed, settings);
  bed->state = bed->experiment->create(bed->experiment, lac_draft_get_values(bed->draft),
                                       &bed->context, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(bed->state->observations->n_times, ==, N_TIMES);
}

static void
bed_close(Bed *bed)
{
  bed->experiment->destroy(bed->state);
  lac_draft_free(bed->draft);
  lac_device_close(&bed->context.device);
  lac_pool_free(bed->context.pool);
}

static void
run(Bed *bed, double *metrics)
{
  g_autoptr(GError) error = NULL;
  LacStepReport     report = {.metrics = metrics};

  while (report.outcome == LAC_OUTCOME_CONTINUE) {
    g_assert_true(lac_experiment_step(bed->experiment, bed->state, &report, &error));
    g_assert_no_error(error);
  }
}

/* Half of a run, its checkpoint in another state, and the rest. */
static void
test_resumed(void)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  double              metrics[2][256];
  LacStepReport       report = {.metrics = metrics[0]};
  Bed                 beds[2];

  for (guint b = 0; b < 2; b++)
    bed_open(&beds[b], "sensors=12");
  for (guint k = 0; k < N_TIMES / 2; k++)
    g_assert_true(lac_experiment_step(beds[0].experiment, beds[0].state, &report, &error));
  beds[0].experiment->save(beds[0].state, store);
  g_assert_true(beds[1].experiment->load(beds[1].state, store, &error));
  g_assert_no_error(error);
  for (guint b = 0; b < 2; b++)
    run(&beds[b], metrics[b]);
  const gsize n = 2 * beds[0].state->observations->n_sensors * N_TIMES * sizeof(double);
  g_assert_cmpmem(beds[0].state->slots[0].held_out, n, beds[1].state->slots[0].held_out, n);
  for (guint b = 0; b < 2; b++)
    bed_close(&beds[b]);
}

static gboolean
is_held_out(const LacObservations *observations, gsize k, gsize i)
{
  return observations->sensors[i].station == k / TURN % observations->n_stations;
}

static void
test_unseen(gconstpointer settings)
{
  double            metrics[2][256], fields[2][N_TIMES][64];
  g_autoptr(GError) error = NULL;
  Bed               beds[2];

  for (guint b = 0; b < 2; b++) {
    bed_open(&beds[b], settings);
    LacObservations *observations = beds[b].state->observations;
    const gsize      m = observations->n_sensors;
    for (gsize at = 0; at < N_TIMES * m && b; at++)
      if (is_held_out(observations, at / m, at % m))
        observations->values[at] += 1;
    run(&beds[b], metrics[b]);
    for (gsize k = 0; k < N_TIMES; k++) {
      const LacFlowSlot *slot = &beds[b].state->slots[0];

      g_assert_true(slot->method->field(slot->self, k, fields[b][k], NULL, &error));
    }
  }
  const LacObservations *observations = beds[0].state->observations;
  const gboolean         smooths = g_str_equal(beds[0].state->slots[0].method->name, "ienks");
  const gboolean         deviates = beds[0].state->slots[0].knowledge.deviates;
  for (gsize k = 0; k < N_TIMES; k++) {
    const double *found[2];

    g_assert_cmpmem(fields[0][k], 40 * sizeof(double), fields[1][k], 40 * sizeof(double));
    for (guint b = 0; b < 2; b++)
      found[b] = lac_laboratory_get_held_out(beds[b].state, &beds[b].state->slots[0], k);
    for (gsize i = 0; i < observations->n_sensors; i++) {
      const double estimate = lac_sensor_read(&observations->sensors[i], fields[0][k]);
      const double claim = found[0][observations->n_sensors + i];

      if (!is_held_out(observations, k, i) || k % TURN < TURN / 2) {
        g_assert_true(isnan(found[0][i]) && isnan(claim));
        continue;
      }
      if (!smooths)
        g_assert_cmpfloat_with_epsilon(
          found[0][i], estimate - observations->values[k * observations->n_sensors + i], 1e-9);
      g_assert_cmpfloat_with_epsilon(found[1][i], found[0][i] - 1, 1e-9);
      if (deviates)
        g_assert_cmpfloat(claim, >, observations->sigma[k * observations->n_sensors + i]);
    }
  }
  bed_close(&beds[0]);
  bed_close(&beds[1]);
}

/* Returns the share of the readings held out within their 95 % intervals over the last half. */
static double
find_coverage(const char *settings)
{
  LacCalibration calibration = {0};
  double         metrics[256];
  Bed            bed;

  bed_open(&bed, settings);
  run(&bed, metrics);
  const LacFlowSlot *slot = &bed.state->slots[0];
  for (gsize k = N_TIMES / 2; k < N_TIMES; k++) {
    const gsize   m = bed.state->observations->n_sensors;
    const double *found = lac_laboratory_get_held_out(bed.state, slot, k);

    for (gsize i = 0; i < m; i++)
      lac_calibration_add(&calibration, found[i], found[m + i]);
  }
  g_assert_cmpuint(calibration.n, ==, N_TIMES / 4);
  g_assert_true(slot->place.held_out > 0);
  bed_close(&bed);
  return lac_calibration_get_coverage(&calibration, LAC_BAND_95);
}

static void
test_claim(void)
{
  g_assert_cmpfloat(find_coverage("members=40"), >=, 0.85);
  g_assert_cmpfloat(find_coverage("scale_bands=no inflation=1 most_inflation=1 noise_floor=0.01 "
                                  "localisation=100 members=6 start_members=6 check_readings=no"),
                    <, 0.6); /* the members degenerate */
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/experiment/held-out/enkf/readings-change-no-estimate", "sensors=12",
                       test_unseen);
  g_test_add_data_func("/experiment/held-out/ienks/readings-change-no-estimate",
                       "sensors=12 engines=ienks ienks_members=40", test_unseen);
  g_test_add_data_func("/experiment/held-out/solver/readings-change-no-estimate",
                       "sensors=12 engines=solver window=10 iterations=8", test_unseen);
  g_test_add_data_func("/experiment/held-out/pod/readings-change-no-estimate",
                       "sensors=12 engines=pod", test_unseen);
  g_test_add_func("/experiment/held-out/a-resumed-run-finds-the-same", test_resumed);
  g_test_add_func("/experiment/held-out/claims-hold-and-false-ones-show", test_claim);
  return g_test_run();
}
