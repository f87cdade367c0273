/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quality of a sensor layout, and its gain over random layouts. */
#include "base/error.h"
#include "base/rng.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/sensors/positions.h"
#include "experiment/flow/sensors/synthetic.h"
#include "experiment/param-rows.h"

#include <stdlib.h>
#include <string.h>

#define N_DRAWS      30
#define MOST_TO_DRAW 64 /* stations; more would take too long in the set-up */
enum { STREAM_DRAWS = 7 };

/* Fills one stencil per measured field and position. Returns: their number; 0 with an error. */
static gsize
fill_stencils(const LacLaboratoryState *state,
              const double (*places)[2],
              gsize       n,
              LacStencil *stencils,
              double     *noises,
              GError    **error)
{
  const LacCommonParams *common = lac_laboratory_common(state->laboratory, state->params);
  gsize                  next = 0;

  for (guint i = 0; lac_list_get(common->measured, i) >= 0; i++) {
    const guint  f = (guint) lac_list_get(common->measured, i);
    const double rms = lac_synthetic_rms(state->truth, state->mean, f);

    for (gsize k = 0; k < n; k++) {
      LacSensor sensor = {.x = places[k][0], .y = places[k][1], .field = f};

      if (!lac_positions_stencil(state->truth, &sensor, error))
        return 0;
      memcpy(stencils[next].rows, sensor.rows, sizeof sensor.rows);
      memcpy(stencils[next].weights, sensor.weights, sizeof sensor.weights);
      noises[next++] = lac_synthetic_sigma(common->noise / 100, rms);
    }
  }
  return next;
}

gboolean
lac_laboratory_evaluate_layout(const LacLaboratoryState *state,
                               const double (*places)[2],
                               gsize             n,
                               LacLayoutQuality *quality,
                               GError          **error)
{
  const gsize            m = n * state->truth->n_fields;
  g_autofree LacStencil *stencils = g_new0(LacStencil, m + 1);
  g_autofree double     *noises = g_new0(double, m + 1);
  LacGappySettings       settings = {.pod = state->pod, .stencils = stencils, .noises = noises};

  if (!state->pod)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "evaluating a layout needs training snapshots; set some in the scene");
  else if (n == 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "there is no sensor; add at least one");
  if (!state->pod || n == 0)
    return FALSE;
  settings.n_values = fill_stencils(state, places, n, stencils, noises, error);
  return settings.n_values > 0 && lac_gappy_evaluate(&settings, quality, error);
}

/* @cells: [n_cells], shuffled */
static void
place_first(const LacTruth *truth, const gsize *cells, gsize n, double (*places)[2])
{
  for (gsize k = 0; k < n; k++) {
    places[k][0] = lac_truth_get_x(truth, cells[k] % truth->nx);
    places[k][1] = lac_truth_get_y(truth, cells[k] / truth->nx);
  }
}

static int
compare_numbers(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
lac_laboratory_find_gain(const LacLaboratoryState *state)
{
  const LacTruth        *truth = state->truth;
  const LacObservations *observations = state->observations;
  const gsize            n = observations->n_stations, n_cells = truth->nx * truth->ny;
  g_autofree gsize      *cells = g_new(gsize, n_cells);
  g_autofree double     *places = g_new(double, 2 * n + 2);
  double                 errors[N_DRAWS];
  LacLayoutQuality       own, other;
  LacRng                 rng = lac_rng(state->context.seed, STREAM_DRAWS);
  gsize                  n_inside = 0;

  if (!state->pod || n == 0 || n > MOST_TO_DRAW)
    return NAN;
  for (gsize i = 0; i < n_cells; i++)
    if (!truth->mask || truth->mask[i])
      cells[n_inside++] = i;
  if (n > n_inside || !lac_laboratory_evaluate_layout(
                        state, (const double(*)[2]) observations->stations, n, &own, NULL))
    return NAN;
  for (gsize d = 0; d < N_DRAWS; d++) {
    lac_rng_shuffle(&rng, cells, n_inside);
    place_first(truth, cells, n, (double(*)[2]) places);
    if (!lac_laboratory_evaluate_layout(state, (const double(*)[2]) places, n, &other, NULL))
      return NAN;
    errors[d] = other.expected_error;
  }
  qsort(errors, N_DRAWS, sizeof *errors, compare_numbers);
  return 1 - own.expected_error / (0.5 * (errors[N_DRAWS / 2 - 1] + errors[N_DRAWS / 2]));
}
