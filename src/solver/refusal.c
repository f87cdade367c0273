/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error messages of the solvers. */
#include "solver/refusal.h"

#include "base/error.h"
#include "solver/trajectory.h"

gboolean
lac_solver_check_status(LacStatus status, GError **error)
{
  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the solver's device: %s",
              lac_status_text(status));
  return FALSE;
}

gboolean
lac_solver_check_reverse(gsize n_steps, GError **error)
{
  if (n_steps <= LAC_TRAJECTORY_LONGEST)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "The reverse pass cannot cover %" G_GSIZE_FORMAT
              " time steps, at most %" G_GSIZE_FORMAT "; use a shorter window or longer steps.",
              n_steps, LAC_TRAJECTORY_LONGEST);
  return FALSE;
}
