/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of a run, from its scene and the selected methods: what is displayed, what each method knows of it, and with
 * what it is compared. */
#include "experiment/flow/laboratory/laboratory-private.h"

#include <string.h>

gboolean
lac_laboratory_fluctuates(const LacScene *scene)
{
  return strstr(scene->offered, "pod") != NULL;
}

LacKnowledge
lac_laboratory_find_knowledge(const LacLaboratory *laboratory,
                              guint                e,
                              gconstpointer        params,
                              const LacCase       *subject)
{
  const LacFlowMethod *method = lac_laboratory_method(laboratory, e);
  gconstpointer        own = lac_laboratory_method_params(laboratory, e, params);

  return (LacKnowledge){
    .n_fields = method->forecasts && subject->solver
                  ? MIN(subject->n_fields, subject->solver->n_fields)
                  : subject->n_fields,
    .deviates = method->gives_deviation && (!method->deviates || method->deviates(own)),
    .predicts_left_out =
      method->leave_one_out || lac_laboratory_common(laboratory, params)->held_out_turn > 0,
  };
}

gboolean
lac_laboratory_knows(const LacKnowledge *knowledge, const LacShown *shown)
{
  return shown->field == LAC_QUANTITY_VORTICITY ? knowledge->n_fields >= 2
                                                : shown->field < knowledge->n_fields;
}

gboolean
lac_laboratory_has_deviation(const LacKnowledge *knowledge, const LacShown *shown)
{
  return knowledge->deviates && shown->field < knowledge->n_fields;
}

guint
lac_laboratory_shown(const LacCase *subject, LacShown *shown)
{
  guint n = 0;

  if (lac_budgets_is_flow(subject))
    shown[n++] = (LacShown){"vorticity", LAC_QUANTITY_VORTICITY};
  for (guint f = 0; f < subject->pde->n_fields; f++)
    if (subject->view_fields & 1u << f)
      shown[n++] = (LacShown){subject->pde->fields[f], f};
  g_assert(n > 0);
  return n;
}

gboolean
lac_laboratory_has_whole(const LacLaboratory *laboratory,
                         gconstpointer        params,
                         const LacCase       *subject)
{
  const gsize least = 3; /* observation times that can be divided in thirds */

  return lac_laboratory_common(laboratory, params)->whole_window &&
         lac_laboratory_has_truth(lac_laboratory_common(laboratory, params)) &&
         lac_laboratory_fluctuates(laboratory->scene) && !subject->steady &&
         subject->n_times >= least;
}

gboolean
lac_laboratory_is_calibrated(const LacLaboratory *laboratory,
                             gconstpointer        params,
                             const LacCase       *subject,
                             const LacKnowledge  *knowledge)
{
  return knowledge->deviates && lac_laboratory_common(laboratory, params)->band_coverage &&
         lac_laboratory_has_whole(laboratory, params, subject);
}
