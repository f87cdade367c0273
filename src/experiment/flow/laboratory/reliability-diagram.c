/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reliability diagram of the methods that give a standard deviation: for every probability, the share of the errors
 * within the central interval that is to hold it. A calibrated method follows the diagonal, an overconfident one lies
 * below it. Known at the end of a run. Source: Gneiting, Balabdaoui, Raftery (2007),
 * doi:10.1111/j.1467-9868.2007.00587.x, section 3 */
#include "experiment/flow/laboratory/laboratory-private.h"

#include <math.h>

static double
get_probability(gsize point)
{
  return (double) (point + 1) / LAC_CALIBRATION_LEVELS;
}

void
lac_laboratory_prepare_diagram(LacLaboratoryState *state)
{
  if (!lac_laboratory_common(state->laboratory, state->params)->reliability_diagram)
    return;
  for (guint s = 0; s < state->scheduler.n; s++)
    if (state->slots[s].place.calibration)
      state->slots[s].diagram_row = ++state->n_diagram_rows;
  if (!state->n_diagram_rows)
    return;
  state->n_diagram_rows++;
  state->diagram = g_new(float, state->n_diagram_rows *LAC_DIAGRAM_POINTS);
  for (gsize row = 0; row < state->n_diagram_rows; row++)
    for (gsize i = 0; i < LAC_DIAGRAM_POINTS; i++)
      state->diagram[row * LAC_DIAGRAM_POINTS + i] =
        row + 1 == state->n_diagram_rows ? (float) get_probability(i) : NAN;
}

void
lac_laboratory_record_diagram(LacLaboratoryState   *state,
                              const LacFlowSlot    *slot,
                              const LacCalibration *calibration)
{
  for (gsize i = 0; i < LAC_DIAGRAM_POINTS && slot->diagram_row; i++)
    state->diagram[(slot->diagram_row - 1) * LAC_DIAGRAM_POINTS + i] =
      (float) lac_calibration_get_share(calibration, (guint) i);
}

gsize
lac_laboratory_shape_diagram(const LacLaboratoryState *state, gsize *size)
{
  if (!state->n_diagram_rows)
    return 0;
  size[0] = LAC_DIAGRAM_POINTS;
  size[1] = state->n_diagram_rows;
  return 1;
}

void
lac_laboratory_fill_diagram(const LacLaboratoryState *state, LacFrame *frame)
{
  LacPlane *plane = &frame->planes[frame->n_planes - 1];

  if (!state->n_diagram_rows)
    return;
  plane->x_min = get_probability(0);
  plane->x_max = get_probability(LAC_DIAGRAM_POINTS - 1);
  plane->y_min = 0;
  plane->y_max = (double) state->n_diagram_rows - 1;
  for (gsize i = 0; i < state->n_diagram_rows * LAC_DIAGRAM_POINTS; i++)
    plane->data[i] = state->diagram[i];
  lac_plane_measure(plane);
}
