/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The truth of a twin experiment. Its modes, mean and places know the training interval alone. */
#include "experiment/flow/twin.h"

#include "base/error.h"
#include "sensor/placement.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* Streams of random numbers, by what they are for; the observation's number is added to the last. */
enum { STREAM_START = 1, STREAM_PLACES = 2, STREAM_NOISE = 1 << 20 };

#define START_RMS 2.0 /* vorticity of the random beginning */

static gboolean
is_cancelled(const LacContext *context, GError **error)
{
  if (!context->cancelled || !context->cancelled(context->user_data))
    return FALSE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED, "the set-up was cancelled");
  return TRUE;
}

static void
report(const LacContext *context, double fraction, const char *what)
{
  if (context->progress)
    context->progress(fraction, what, context->user_data);
}

static gboolean
check_finite(const double *values, gsize n, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite(values[i])) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "the true flow diverged: time_step is too long for this reynolds and grid; "
                  "halve it");
      return FALSE;
    }
  return TRUE;
}

static gboolean
compute_truth(LacTwin *twin, const LacContext *context, GError **error)
{
  const LacTwinSettings        *settings = &twin->settings;
  g_autoptr(LacVorticitySolver) solver = lac_vorticity_new(&settings->flow, error);
  LacRng                        rng = lac_rng(context->seed, STREAM_START);
  const gsize                   between = settings->steps_between;
  const double                  interval = settings->flow.time_step * (double) between;
  const gsize                   n_spin_up = (gsize) ceil(settings->spin_up / interval - 1e-9);
  const gsize                   n_all = n_spin_up + settings->n_snapshots;

  if (!solver || !lac_vorticity_randomise(solver, &rng, START_RMS, error))
    return FALSE;
  for (gsize i = 0; i < n_all; i++) {
    if (is_cancelled(context, error))
      return FALSE;
    report(context, 0.9 * (double) i / (double) n_all,
           i < n_spin_up ? _("the true flow: spin-up") : _("the true flow: snapshots"));
    if (i >= n_spin_up) {
      double *snapshot = twin->snapshots + (i - n_spin_up) * twin->n;

      if (!lac_vorticity_get(solver, snapshot, error) || !check_finite(snapshot, twin->n, error))
        return FALSE;
    }
    if (!lac_vorticity_advance(solver, between, error))
      return FALSE;
  }
  return TRUE;
}

static void
place_sensors(LacTwin *twin)
{
  const LacTwinSettings *settings = &twin->settings;
  const gsize            n_points = twin->n / 2;
  LacRng                 rng = lac_rng(twin->seed, STREAM_PLACES);

  switch (settings->placement) {
  case LAC_PLACEMENT_QR:
    lac_placement_qr(twin->pod->modes, twin->pod->n_modes, 2, n_points, twin->places,
                     settings->n_sensors);
    break;
  case LAC_PLACEMENT_RANDOM:
    lac_placement_random(&rng, n_points, twin->places, settings->n_sensors);
    break;
  }
  for (gsize k = 0; k < settings->n_sensors; k++) {
    twin->rows[k] = twin->places[k];
    twin->rows[settings->n_sensors + k] = n_points + twin->places[k];
  }
}

LacTwin *
lac_twin_new(const LacTwinSettings *settings, const LacContext *context, GError **error)
{
  g_autoptr(LacTwin) twin = g_new0(LacTwin, 1);

  twin->settings = *settings;
  twin->seed = context->seed;
  twin->n = 2 * settings->flow.n * settings->flow.n;
  twin->n_training = (gsize) (LAC_TWIN_TRAINING * (double) settings->n_snapshots + 1e-9);
  twin->snapshots = g_new(double, settings->n_snapshots * twin->n);
  twin->places = g_new0(gsize, settings->n_sensors);
  twin->rows = g_new0(gsize, 2 * settings->n_sensors);
  twin->values = g_new0(double, 2 * settings->n_sensors);
  if (!compute_truth(twin, context, error))
    return NULL;
  report(context, 0.9, _("modes of the training interval"));
  twin->pod = lac_pod_new(twin->snapshots, twin->n_training, twin->n, 2 * settings->n_sensors);
  if (!twin->pod || twin->pod->n_modes == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the training interval has no fluctuation to learn from; raise reynolds or "
                "snapshots");
    return NULL;
  }
  report(context, 0.95, _("places of the sensors"));
  place_sensors(twin);
  return g_steal_pointer(&twin);
}

void
lac_twin_free(LacTwin *twin)
{
  if (!twin)
    return;
  g_free(twin->snapshots);
  lac_pod_free(twin->pod);
  g_free(twin->places);
  g_free(twin->rows);
  g_free(twin->values);
  g_free(twin);
}

const double *
lac_twin_get_truth(const LacTwin *twin, gsize k)
{
  g_assert(twin->n_training + k < twin->settings.n_snapshots);
  return twin->snapshots + (twin->n_training + k) * twin->n;
}

const double *
lac_twin_observe(LacTwin *twin, gsize k)
{
  const double *truth = lac_twin_get_truth(twin, k);
  const double  deviation = twin->settings.noise * twin->pod->rms;
  LacRng        rng = lac_rng(twin->seed, STREAM_NOISE + k);

  for (gsize i = 0; i < 2 * twin->settings.n_sensors; i++)
    twin->values[i] = truth[twin->rows[i]] + deviation * lac_rng_normal(&rng);
  return twin->values;
}

double
lac_twin_get_error(const LacTwin *twin, const double *field, gsize k)
{
  const double *truth = lac_twin_get_truth(twin, k);
  double        error = 0, fluctuation = 0;

  for (gsize i = 0; i < twin->n; i++) {
    const double part = truth[i] - twin->pod->mean[i];

    error += (field[i] - truth[i]) * (field[i] - truth[i]);
    fluctuation += part * part;
  }
  return sqrt(error / fluctuation);
}
