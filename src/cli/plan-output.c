/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing run plans and presets. */
#include "cli/plan-output.h"

#include "run/plan/preset.h"
#include "run/plan/yaml-write.h"

/* Returns: (transfer full) (nullable): of the file that is written to, where there is one, else of the one it came from. */
static char *
read_model(const char *target, const char *origin)
{
  char *text = NULL;
  if (target != NULL && g_file_get_contents(target, &text, NULL, NULL))
    return text;
  if (origin != NULL)
    g_file_get_contents(origin, &text, NULL, NULL);
  return text;
}

gboolean
lac_plan_output_write(const LacRunRequest *request, GError **error)
{
  const LacRunPlan plan = {request->experiment, request->draft, request->launch};
  g_autofree char *model = read_model(request->write, request->plan);
  g_autofree char *text = lac_yaml_write(&plan, model, error);
  const char      *name = request->experiment->name;
  if (text == NULL || (request->write != NULL && !lac_yaml_save(text, request->write, error)) ||
      (request->keep != NULL && !lac_preset_save(name, request->keep, text, error)))
    return FALSE;
  if (request->quiet || request->json)
    return TRUE;
  if (request->write != NULL)
    g_print("written: %s\n", request->write);
  if (request->keep != NULL)
    g_print("kept as “%s”: lacuna run %s --preset \"%s\"\n", request->keep, name, request->keep);
  return TRUE;
}
