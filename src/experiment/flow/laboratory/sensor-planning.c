/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of sensor layouts before a run: truth and modes are computed once, then only the rows at the sensors
 * change. */
#include "base/error.h"
#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/sensors/synthetic.h"
#include "experiment/param-rows.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  LacLaboratoryState *state; /* without methods */
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

/* Returns the RMS fluctuation of all measured fields at a cell over the training part. */
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

/* Parameters whose change leaves the true field as it is. */
static const char *const light[] = {"sensors",  "placement", "sensor_regions", "minimum_distance",
                                    "measured", "noise",     "modes",          NULL};

static gboolean
plan_replace(gpointer data, gconstpointer params, GError **error)
{
  LacLaboratoryState  *state = ((Plan *) data)->state;
  const LacParamTable *table = &state->laboratory->table;
  gboolean             is_placed;

  g_free(state->params);
  state->params = g_memdup2(params, table->size);
  is_placed = lac_laboratory_place_again(state, error);
  lac_rows_forget_texts(table, state->params);
  return is_placed;
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

static gboolean
plan_score(gpointer data,
           const double (*places)[2],
           gsize             n,
           LacLayoutFigures *figures,
           GError          **error)
{
  LacLayoutQuality quality;

  if (!lac_laboratory_evaluate_layout(((const Plan *) data)->state, places, n, &quality, error))
    return FALSE;
  figures->values[LAC_FLOW_FIGURE_CONDITION] = quality.condition;
  figures->values[LAC_FLOW_FIGURE_ERROR] = 100 * quality.expected_error;
  return TRUE;
}

const LacPlanning lac_laboratory_planning = {
  .title = N_("Sensors"),
  .figures =
    {
      [LAC_FLOW_FIGURE_ERROR] = {N_("Expected error"),
                                 N_("Expected error of the static reconstruction from these "
                                    "sensors, relative to the fluctuation"),
                                 "%"},
      [LAC_FLOW_FIGURE_CONDITION] = {N_("Condition number"), NULL, "1"},
    },
  .backdrop =
    {
      .key = "fluctuation",
      .label = N_("RMS fluctuation"),
      .unit = "1",
      .quantity = N_("fluctuation"),
      .role = LAC_ROLE_OTHER,
      .colour_map = "dusk",
      .axis_x = "x",
      .axis_y = "y",
      .axis_unit_x = "1",
      .axis_unit_y = "1",
    },
  .chooser = "placement",
  .regions = "sensor_regions",
  .light = light,
  .open = plan_open,
  .replace = plan_replace,
  .close = plan_close,
  .draw = plan_backdrop,
  .score = plan_score,
};
