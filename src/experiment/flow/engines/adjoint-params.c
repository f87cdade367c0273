/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows from the parameters of the differentiable solver and the scene alone. */
#include "experiment/flow/engines/adjoint-params.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <math.h>

static const char *const seeks[] = {[LAC_SEEK_AUTO] = "auto",
                                    [LAC_SEEK_SCALARS] = "scalars",
                                    [LAC_SEEK_INITIAL] = "initial",
                                    [LAC_SEEK_BOTH] = "both",
                                    NULL};

/* clang-format off */
const LacParam lac_adjoint_rows[LAC_ADJOINT_N_ROWS] = {
  {LAC_FIELD(LacAdjointParams, seek), LAC_PARAM_CHOICE, "1", 0, 0, LAC_SEEK_AUTO, N_("Sought"), N_("Differentiable solver"), N_("scalars: unknown coefficients; initial: the field at the beginning, in the modes of the training part, and fields that stand still; auto: what the scene does not tell"), .choices = seeks},
  {LAC_FIELD(LacAdjointParams, window), LAC_PARAM_INTEGER, "1", 0, 5000, 0, N_("Window"), N_("Differentiable solver"), N_("Observations that one beginning has to explain, then the next window begins; 0: all of them. A chaotic flow forgets its beginning: one to three times the time in which errors grow by e")},
  {LAC_FIELD(LacAdjointParams, iterations), LAC_PARAM_INTEGER, "1", 1, 100000, 50, N_("Iterations a window"), N_("Differentiable solver"), N_("Of L-BFGS; a window ends earlier when nothing is left to gain")},
  {LAC_FIELD(LacAdjointParams, control_modes), LAC_PARAM_INTEGER, "1", 0, 2000, 200, N_("Modes of the beginning"), N_("Differentiable solver"), N_("In which the field at the beginning is sought; 0: as many as the training part has"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(LacAdjointParams, window_spread), LAC_PARAM_REAL, "1", 1e-4, 10, 0.1, N_("Spread of later windows"), N_("Differentiable solver"), N_("How far a later window may correct the forecast that it begins with, in spreads of the training part"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

LacSeek
lac_adjoint_choose(const LacAdjointParams *params, const LacCase *subject)
{
  guint          unknowns[LAC_SOLVER_MAX_PARAMETERS];
  const gboolean has_unknowns = lac_case_list_unknowns(subject, unknowns) > 0;

  if (params->seek != LAC_SEEK_AUTO)
    return (LacSeek) params->seek;
  if (!has_unknowns)
    return LAC_SEEK_INITIAL;
  return subject->initial && !subject->sought ? LAC_SEEK_SCALARS : LAC_SEEK_BOTH;
}

gsize
lac_adjoint_get_window_length(const LacAdjointParams *params, const LacCase *subject)
{
  const gsize wanted = params->window ? (gsize) params->window : subject->n_times;

  return MIN(wanted, subject->n_times);
}

/* Windows follow each other only where each has a beginning of its own. */
gsize
lac_adjoint_count_windows(const LacAdjointParams *params, const LacCase *subject)
{
  const gsize length = lac_adjoint_get_window_length(params, subject);

  return lac_adjoint_choose(params, subject) == LAC_SEEK_SCALARS
           ? 1
           : (subject->n_times + length - 1) / length;
}

void
lac_adjoint_estimate(gconstpointer  values,
                     const LacCase *subject,
                     gsize n_values G_GNUC_UNUSED,
                     LacEstimate   *result)
{
  static const double     flops_per_second = 1.6e10;
  const LacAdjointParams *params = values;
  const double            n = (double) (subject->model.nx * subject->model.ny);
  const double            n_fields = subject->solver->n_fields;
  const double            n_steps =
    (double) (lac_adjoint_get_window_length(params, subject) * subject->steps_between);

  result->n_steps = params->iterations * (gint64) lac_adjoint_count_windows(params, subject);
  /* four stages of six transforms a step; five steps' work and 1.2 evaluations an iteration */
  result->seconds_per_step = 1.2 * 5 * n_steps * 4 * 6 * 2.5 * n * log2(n) / flops_per_second;
  result->memory_bytes =
    8 * n * n_fields * (2 * (double) subject->n_times + 100 + (double) params->control_modes);
}

gboolean
lac_adjoint_check(gconstpointer values, const LacCase *subject, GError **error)
{
  const LacAdjointParams *params = values;
  guint                   unknowns[LAC_SOLVER_MAX_PARAMETERS];

  if (!subject->solver || !subject->solver->reverse)
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "engines = solver needs a solver of the equation that runs backwards, and this scene "
      "has none");
  else if ((params->seek == LAC_SEEK_SCALARS || params->seek == LAC_SEEK_BOTH) &&
           lac_case_list_unknowns(subject, unknowns) == 0)
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "seek = %s wants an unknown coefficient, and all are known here; make one unknown or "
      "take seek = initial",
      seeks[params->seek]);
  else
    return TRUE;
  return FALSE;
}
