/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview of a run: validation, input files, drawing. */
#include "run/plan/preview.h"

#include "run/core/inputs.h"

LacFrame *
lac_run_preview(const LacRunSettings *settings,
                gboolean (*cancelled)(gpointer user_data),
                gpointer user_data,
                GError **error)
{
  const LacExperiment *experiment = settings->experiment;
  gconstpointer        values = lac_draft_get_values(settings->draft);
  g_auto(LacInputs)    inputs = {0};
  LacContext context = {.seed = settings->seed, .cancelled = cancelled, .user_data = user_data};

  g_return_val_if_fail(experiment->preview != NULL, NULL);
  if (experiment->check != NULL && !experiment->check(experiment, values, error))
    return NULL;
  lac_inputs_init(&inputs);
  if (!lac_inputs_load(&inputs, settings->draft, error))
    return NULL;
  lac_inputs_borrow(&inputs, &context);
  return experiment->preview->draw(experiment, values, &context, error);
}
