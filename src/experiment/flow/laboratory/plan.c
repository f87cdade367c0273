/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts of sensors judged before a run: truth and modes are made once, then only the rows at the sensors change. */
#include "base/error.h"
#include "base/rng.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/laboratory/run.h"
#include "experiment/flow/sensors/places.h"
#include "experiment/flow/sensors/survey.h"
#include "experiment/param-rows.h"
#include "sensor/gappy.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  LacLaboratoryState *state; /* without engines */
} Plan;

static void
plan_close(gpointer data)
{
  Plan *plan = data;

  lac_laboratory_destroy(plan->state);
  g_free(plan);
}

static gpointer
plan_open(const LacExperiment *self,
          gconstpointer        params,
          const LacContext    *context,
          GError             **error)
{
  LacLaboratoryState *state = lac_laboratory_prepare(self, params, context, error);
  Plan               *plan;

  if (!state)
    return NULL;
  plan = g_new0(Plan, 1);
  plan->state = state;
  lac_rows_forget_texts(&self->params, state->params);
  return plan;
}

/* rms of the fluctuation of all measured fields at a cell over the training part. */
static double
fluctuation_at(const LacLaboratoryState *state, gsize cell)
{
  const LacTruth *truth = state->truth;
  const gsize     cells = truth->nx * truth->ny, n = lac_truth_get_length(truth);
  const gint64    measured = lac_laboratory_common(state->laboratory, state->params)->measured;
  double          sum = 0;

  for (guint f = 0; f < truth->n_fields && truth->file; f++)
    if (lac_list_has(measured, f))
      sum += truth->file->variance[f * cells + cell];
  for (gsize k = 0; k < truth->n_training && truth->training; k++)
    for (guint f = 0; f < truth->n_fields; f++) {
      const gsize  row = f * cells + cell;
      const double part = truth->training[k * n + row] - state->mean[row];

      if (lac_list_has(measured, f))
        sum += part * part / (double) truth->n_training;
    }
  return sqrt(sum);
}

static LacFrame *
plan_backdrop(gpointer data)
{
  const Plan               *plan = data;
  const LacLaboratoryState *state = plan->state;
  const LacTruth           *truth = state->truth;
  const gsize               size[1][2] = {{truth->nx, truth->ny}};
  LacFrame                 *frame = lac_frame_new(1, size, state->observations->n_stations, 0);
  LacPlane                 *plane = &frame->planes[0];

  plane->x_min = truth->lower[0];
  plane->x_max = truth->upper[0];
  plane->y_min = truth->lower[1];
  plane->y_max = truth->upper[1];
  for (gsize i = 0; i < truth->nx * truth->ny; i++)
    plane->data[i] = truth->mask && !truth->mask[i] ? NAN : (float) fluctuation_at(state, i);
  lac_plane_measure(plane);
  for (gsize i = 0; i < frame->n_markers; i++)
    frame->markers[i] = (LacMarker){.x = state->observations->stations[2 * i],
                                    .y = state->observations->stations[2 * i + 1],
                                    .kind = g_intern_static_string("sensor")};
  return frame;
}

/* One stencil for every measured field at every place. Returns: how many; 0 with an error. */
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
    const double rms = lac_survey_rms(state->truth, state->mean, f);

    for (gsize k = 0; k < n; k++) {
      LacSensor sensor = {.x = places[k][0], .y = places[k][1], .field = f};

      if (!lac_places_stencil(state->truth, &sensor, error))
        return 0;
      memcpy(stencils[next].rows, sensor.rows, sizeof sensor.rows);
      memcpy(stencils[next].weights, sensor.weights, sizeof sensor.weights);
      noises[next++] = lac_survey_sigma(common->noise / 100, rms);
    }
  }
  return next;
}

static gboolean
judge(const LacLaboratoryState *state,
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
                "there are no earlier snapshots to judge a layout by; let some train");
  else if (n == 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "there is no sensor; put one somewhere");
  if (!state->pod || n == 0)
    return FALSE;
  settings.n_values = fill_stencils(state, places, n, stencils, noises, error);
  return settings.n_values > 0 && lac_gappy_judge(&settings, quality, error);
}

static gboolean
plan_judge(gpointer data,
           const double (*places)[2],
           gsize             n,
           LacLayoutFigures *figures,
           GError          **error)
{
  LacLayoutQuality quality;

  if (!judge(((const Plan *) data)->state, places, n, &quality, error))
    return FALSE;
  figures->values[LAC_FLOW_FIGURE_CONDITION] = quality.condition;
  figures->values[LAC_FLOW_FIGURE_ERROR] = 100 * quality.expected_error;
  return TRUE;
}

#define N_DRAWS      30
#define MOST_TO_DRAW 64 /* stations: more take longer than a set-up may */
enum { STREAM_DRAWS = 7 };

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
  if (n > n_inside || !judge(state, (const double(*)[2]) observations->stations, n, &own, NULL))
    return NAN;
  for (gsize d = 0; d < N_DRAWS; d++) {
    lac_rng_shuffle(&rng, cells, n_inside);
    place_first(truth, cells, n, (double(*)[2]) places);
    if (!judge(state, (const double(*)[2]) places, n, &other, NULL))
      return NAN;
    errors[d] = other.expected_error;
  }
  qsort(errors, N_DRAWS, sizeof *errors, compare_numbers);
  return 1 - own.expected_error / (0.5 * (errors[N_DRAWS / 2 - 1] + errors[N_DRAWS / 2]));
}

const LacPlanning lac_laboratory_planning = {
  .title = N_("Sensors by Hand"),
  .figures =
    {
      [LAC_FLOW_FIGURE_CONDITION] = {N_("Condition number"), NULL, "1"},
      [LAC_FLOW_FIGURE_ERROR] = {N_("Expected error"),
                                 N_("Of the static reconstruction from these sensors, relative to "
                                    "the fluctuation"),
                                 "%"},
    },
  .backdrop =
    {
      .key = "fluctuation",
      .label = N_("Rms of the fluctuation"),
      .unit = "1",
      .quantity = N_("fluctuation"),
      .role = LAC_ROLE_OTHER,
      .colour_map = "dusk",
      .axis_x = "x",
      .axis_y = "y",
      .axis_unit_x = "1",
      .axis_unit_y = "1",
    },
  .open = plan_open,
  .close = plan_close,
  .draw = plan_backdrop,
  .judge = plan_judge,
};
