/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameter checks and their error messages. */
#include "experiment/flow/scenes/checks.h"

#include "base/error.h"

#include <math.h>

#define TRAINING 0.6 /* fraction of the snapshots used for training */

gboolean
lac_scene_check_grid(gint64 grid, GError **error)
{
  if (grid % 2 == 0)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "grid = %" G_GINT64_FORMAT " is odd; use an even number of points", grid);
  return FALSE;
}

gboolean
lac_scene_check_interval(double interval, double time_step, GError **error)
{
  const double ratio = interval / time_step;

  if (fabs(ratio - round(ratio)) <= 1e-6 * ratio && ratio >= 0.5)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "interval must be a multiple of time_step");
  return FALSE;
}

gsize
lac_scene_count_training(gint64 snapshots)
{
  return (gsize) (TRAINING * (double) snapshots + 1e-9);
}

gboolean
lac_scene_check_observations(gint64 observations, gint64 snapshots, GError **error)
{
  const gint64 most = snapshots - (gint64) lac_scene_count_training(snapshots);

  if (observations <= most)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "observations = %" G_GINT64_FORMAT " is more than the %" G_GINT64_FORMAT
              " snapshots not used for training; raise snapshots or lower observations",
              observations, most);
  return FALSE;
}
