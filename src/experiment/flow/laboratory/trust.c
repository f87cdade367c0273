/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far to trust an engine when nobody knows the truth: what it leaves of the measurements, how well it knew them before it
 * saw them, what each says less what the others say of it, and how sure it believes to be. */
#include "experiment/flow/laboratory/laboratory-private.h"

#include <math.h>

/* Grid values that a look on the way costs; the last one looks at all. */
#define MOST_ON_THE_WAY 65536

/* Sums over the measured values of the times that count. */
typedef struct {
  double squares, weighted,
    fluctuation; /* of residuals; over sigma^2; of the values around the mean */
  gsize  n;
  double left_out, left_out_fluctuation;
  double innovation;
  gsize  n_innovations;
} Sums;

static double
fluctuation_of(const LacLaboratoryState *state, gsize at, const LacSensor *sensor)
{
  return pow(state->observations->values[at] - lac_sensor_read(sensor, state->mean), 2);
}

/* What the field in the state's scratch leaves of the values at @k. */
static void
add_residuals(const LacLaboratoryState *state, gsize k, Sums *sums)
{
  const LacObservations *observations = state->observations;

  for (gsize i = 0; i < observations->n_sensors; i++) {
    const LacSensor *sensor = &observations->sensors[i];
    const gsize      at = k * observations->n_sensors + i;
    const double     apart = observations->values[at] - lac_sensor_read(sensor, state->field);

    if (!isfinite(apart))
      continue;
    sums->squares += apart * apart;
    sums->weighted += pow(apart / observations->sigma[at], 2);
    sums->fluctuation += fluctuation_of(state, at, sensor);
    sums->n++;
  }
}

static void
add_left_out(LacLaboratoryState *state, const LacSeat *seat, gsize k, Sums *sums)
{
  const LacObservations *observations = state->observations;

  seat->engine->leave_one_out(seat->self, k, state->errors);
  for (gsize i = 0; i < observations->n_sensors; i++) {
    if (!isfinite(state->errors[i]))
      continue;
    sums->left_out += state->errors[i] * state->errors[i];
    sums->left_out_fluctuation +=
      fluctuation_of(state, k * observations->n_sensors + i, &observations->sensors[i]);
  }
}

static gboolean
add_time(LacLaboratoryState *state, const LacSeat *seat, gsize k, Sums *sums, GError **error)
{
  if (!seat->engine->field(seat->self, k, state->field, NULL, error))
    return FALSE;
  add_residuals(state, k, sums);
  if (seat->engine->leave_one_out)
    add_left_out(state, seat, k, sums);
  if (seat->engine->innovation) {
    const double chi_squared = seat->engine->innovation(seat->self, k);

    if (isfinite(chi_squared)) {
      sums->innovation += chi_squared;
      sums->n_innovations++;
    }
  }
  return TRUE;
}

/* rms of what the engine believes its error to be at @k, relative to the fluctuation. */
static gboolean
find_uncertainty(LacLaboratoryState *state,
                 const LacSeat      *seat,
                 gsize               k,
                 const Sums         *sums,
                 double             *metrics,
                 GError            **error)
{
  const LacTruth *grid = &state->grid;
  const gsize     cells = grid->nx * grid->ny;
  const double    scale =
    state->pod ? state->pod->rms : sqrt(sums->fluctuation / (double) MAX(sums->n, 1));
  double sum = 0;
  gsize  n = 0;

  if (!seat->engine->field(seat->self, k, state->field, state->deviation, error))
    return FALSE;
  for (gsize i = 0; i < grid->n_fields * cells; i++) {
    if (!isfinite(state->deviation[i]) || (grid->mask && !grid->mask[i % cells]))
      continue;
    sum += state->deviation[i] * state->deviation[i];
    n++;
  }
  if (n > 0 && scale > 0)
    metrics[seat->place.uncertainty] = sqrt(sum / (double) n) / scale;
  return TRUE;
}

gboolean
lac_laboratory_trust_now(LacLaboratoryState *state,
                         const LacSeat      *seat,
                         double             *metrics,
                         GError            **error)
{
  const gsize k = lac_laboratory_time(state, state->turns.step);
  Sums        sums = {0};

  if (!seat->engine->field(seat->self, k, state->field, NULL, error))
    return FALSE;
  add_residuals(state, k, &sums);
  if (sums.n > 0)
    metrics[seat->place.error] = sqrt(sums.squares / sums.fluctuation);
  return TRUE;
}

gboolean
lac_laboratory_trust_whole(LacLaboratoryState *state,
                           guint               s,
                           gboolean            is_last,
                           double             *metrics,
                           GError            **error)
{
  const LacSeat        *seat = &state->seats[s];
  const LacMetricPlace *place = &seat->place;
  const gsize           n_times = state->grid.n_times;
  const gsize           first = lac_laboratory_first_judged(state);
  const gsize           most = MAX(1, MOST_ON_THE_WAY / (state->grid.nx * state->grid.ny));
  const gsize           stride = is_last ? 1 : MAX(1, (n_times - first + most - 1) / most);
  Sums                  sums = {0};

  for (gsize k = first; k < n_times; k += stride)
    if (!add_time(state, seat, k, &sums, error))
      return FALSE;
  if (place->uncertainty &&
      !find_uncertainty(state, seat, lac_laboratory_time(state, state->turns.step), &sums, metrics,
                        error))
    return FALSE;
  if (sums.n > 0) {
    metrics[place->misfit] = sums.weighted / (double) sums.n;
    metrics[place->residual] = sqrt(sums.squares / sums.fluctuation);
    if (lac_case_is_line(&state->subject)) /* all times are shown at once */
      metrics[place->error] = metrics[place->residual];
  }
  if (sums.n_innovations > 0)
    metrics[place->innovation] = sums.innovation / (double) sums.n_innovations;
  if (sums.left_out_fluctuation > 0)
    metrics[place->leave_one_out] = sqrt(sums.left_out / sums.left_out_fluctuation);
  if (s == 0) {
    metrics[LAC_METRIC_KEY] = metrics[place->key];
    metrics[LAC_METRIC_SECOND] = metrics[place->second];
  }
  return TRUE;
}
