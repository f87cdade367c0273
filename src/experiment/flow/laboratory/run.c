/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of a flow run: the scheduler advances the methods, and each step is scored. */
#include "experiment/flow/laboratory/run.h"

#include "experiment/flow/laboratory/laboratory-private.h"
#include "experiment/flow/sensors/own-measurements.h"

gboolean
lac_laboratory_step(gpointer data, LacStepReport *report, GError **error)
{
  LacLaboratoryState *state = data;

  if (!lac_scheduler_step(&state->scheduler, report, error))
    return FALSE;
  if (report->outcome == LAC_OUTCOME_DIVERGED)
    return TRUE;
  if (!lac_laboratory_score(state, report->outcome == LAC_OUTCOME_FINISHED, report, error))
    return FALSE;
  lac_scheduler_conclude(&state->scheduler, report);
  return TRUE;
}

gboolean
lac_laboratory_flush(gpointer data, LacStepReport *report, GError **error)
{
  return lac_scheduler_flush(&((LacLaboratoryState *) data)->scheduler, report, error);
}

LacMeasurements *
lac_laboratory_readings(gconstpointer data)
{
  const LacLaboratoryState *state = data;

  if (!state->observations->n_sensors)
    return NULL;
  return lac_own_measurements_new(state->observations, &state->grid,
                                  lac_case_is_line(&state->subject) ? 1 : 2, state->subject.steady);
}

gint64
lac_laboratory_n_steps(gconstpointer data)
{
  return ((const LacLaboratoryState *) data)->scheduler.n_steps;
}

void
lac_laboratory_save(gpointer data, LacStore *store)
{
  lac_scheduler_save(&((LacLaboratoryState *) data)->scheduler, store);
}

gboolean
lac_laboratory_load(gpointer data, const LacStore *store, GError **error)
{
  return lac_scheduler_load(&((LacLaboratoryState *) data)->scheduler, store, error);
}

void
lac_laboratory_retune(gpointer data, gconstpointer params)
{
  LacLaboratoryState    *state = data;
  const LacCommonParams *common = lac_laboratory_common(state->laboratory, state->params);

  for (guint s = 0; s < state->scheduler.n; s++)
    lac_scheduler_retune(&state->scheduler, s,
                         lac_laboratory_method_params(
                           state->laboratory, (guint) lac_list_get(common->methods, s), params));
}
