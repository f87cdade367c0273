/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run plans in YAML, read with libfyaml. */
#include "run/plan/yaml.h"

#include "run/plan/equation.h"
#include "run/plan/sweep.h"
#include "run/plan/yaml-node.h"

#include <string.h>

typedef struct {
  const char *path;
  LacRunPlan *plan;
} Reading;

/* Position of an error message. */
#define AT(at)           \
  &(LacYamlPlace)        \
  {                      \
    reading->path, at, 0 \
  }

/* Returns: (transfer full): all top-level keys of a plan, in one sentence */
static char *
dup_keys(void)
{
  GString *keys = g_string_new("experiment, equation, settings");

  for (guint i = 0; i < LAC_N_LAUNCH; i++)
    if (lac_launch_row((LacLaunchKey) i)->places & LAC_LAUNCH_IN_PLAN)
      g_string_append_printf(keys, ", %s", lac_launch_row((LacLaunchKey) i)->param.key);
  return g_string_free(keys, FALSE);
}

/* States a value; a sweep is checked against the parameters of the experiment. */
static gboolean
state(LacRunPlan *plan, LacLaunchKey key, const char *text, GError **error)
{
  if (!lac_launch_state(&plan->launch, key, lac_launch_row(key)->param.key, text, error))
    return FALSE;
  if (key != LAC_LAUNCH_SWEEP)
    return TRUE;
  g_autoptr(LacSweep) sweep = lac_sweep_parse(&plan->experiment->params, text, error);
  return sweep != NULL;
}

static gboolean
read_member(Reading             *reading,
            struct fy_node_pair *pair,
            const char          *key,
            const char          *text,
            GError             **error)
{
  g_autoptr(GError) why = NULL;
  g_autofree char  *keys = NULL;

  for (guint i = 0; i < LAC_N_LAUNCH; i++) {
    const LacLaunchRow *row = lac_launch_row((LacLaunchKey) i);
    if (!(row->places & LAC_LAUNCH_IN_PLAN) || strcmp(key, row->param.key) != 0)
      continue;
    return state(reading->plan, (LacLaunchKey) i, text, &why) ||
           lac_yaml_refuse(AT(fy_node_pair_value(pair)), (LacError) why->code, error, "%s",
                           why->message);
  }
  keys = dup_keys();
  return lac_yaml_refuse(AT(fy_node_pair_key(pair)), LAC_ERROR_UNKNOWN_KEY, error,
                         "%s is not known here; known are %s", key, keys);
}

static gboolean
read_setting(Reading *reading, struct fy_node_pair *pair, GError **error)
{
  struct fy_node   *key_node = fy_node_pair_key(pair), *value_node = fy_node_pair_value(pair);
  g_autofree char  *key = lac_yaml_dup_scalar(key_node), *text = lac_yaml_dup_scalar(value_node);
  g_autoptr(GError) why = NULL;

  if (key == NULL || text == NULL)
    return lac_yaml_refuse(AT(key_node), LAC_ERROR_USAGE, error,
                           "a setting is one key and one value, as in \"sensors: 12\"");
  if (lac_draft_set(reading->plan->draft, key, text, &why))
    return TRUE;
  return lac_yaml_refuse(AT(why->code == LAC_ERROR_UNKNOWN_KEY ? key_node : value_node),
                         (LacError) why->code, error, "%s", why->message);
}

static gboolean
read_settings(Reading *reading, struct fy_node *settings, GError **error)
{
  void                *at = NULL;
  struct fy_node_pair *pair;

  g_autofree char *text = lac_yaml_dup_scalar(settings);
  if (settings == NULL ||
      (text != NULL && *text == '\0')) /* empty, or everything is commented out */
    return TRUE;
  if (!fy_node_is_mapping(settings))
    return lac_yaml_refuse(AT(settings), LAC_ERROR_USAGE, error,
                           "settings is a table of keys and values");
  while ((pair = fy_node_mapping_iterate(settings, &at)) != NULL) {
    if (!read_setting(reading, pair, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_experiment(Reading *reading, struct fy_node *root, GError **error)
{
  struct fy_node   *node = fy_node_mapping_lookup_by_string(root, "experiment", FY_NT);
  struct fy_node   *equation = fy_node_mapping_lookup_by_string(root, "equation", FY_NT);
  g_autofree char  *name = lac_yaml_dup_scalar(node);
  g_autoptr(GError) why = NULL;

  if (equation != NULL) {
    reading->plan->experiment = lac_equation_read(reading->path, equation, error);
    if (reading->plan->experiment == NULL)
      return FALSE;
    reading->plan->draft = lac_draft_new(&reading->plan->experiment->params);
    return TRUE;
  }
  if (name == NULL)
    return lac_yaml_refuse(AT(NULL), LAC_ERROR_USAGE, error,
                           "a line \"experiment: NAME\" or a table \"equation:\" is needed");
  reading->plan->experiment = lac_experiment_find(name, &why);
  if (reading->plan->experiment == NULL)
    return lac_yaml_refuse(AT(node), (LacError) why->code, error, "%s", why->message);
  reading->plan->draft = lac_draft_new(&reading->plan->experiment->params);
  return TRUE;
}

static gboolean
read_root(struct fy_node *root, gpointer data, GError **error)
{
  Reading             *reading = data;
  void                *at = NULL;
  struct fy_node_pair *pair;

  if (root == NULL || !fy_node_is_mapping(root))
    return lac_yaml_refuse(AT(NULL), LAC_ERROR_USAGE, error,
                           "a table with experiment and settings is needed");
  if (!read_experiment(reading, root, error))
    return FALSE;
  while ((pair = fy_node_mapping_iterate(root, &at)) != NULL) {
    struct fy_node  *key_node = fy_node_pair_key(pair), *value_node = fy_node_pair_value(pair);
    g_autofree char *key = lac_yaml_dup_scalar(key_node), *text = lac_yaml_dup_scalar(value_node);

    if (g_strcmp0(key, "experiment") == 0 || g_strcmp0(key, "equation") == 0)
      continue;
    if (g_strcmp0(key, "settings") == 0) {
      if (!read_settings(reading, value_node, error))
        return FALSE;
    } else if (key == NULL || text == NULL) {
      return lac_yaml_refuse(AT(key_node), LAC_ERROR_USAGE, error,
                             "one key and one value are needed here");
    } else if (!read_member(reading, pair, key, text, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

LacRunPlan *
lac_yaml_read(const char *path, GError **error)
{
  g_autoptr(LacRunPlan) plan = g_new0(LacRunPlan, 1);
  Reading               reading = {path, plan};

  return lac_yaml_visit(path, read_root, &reading, error) ? g_steal_pointer(&plan) : NULL;
}

LacRunPlan *
lac_yaml_read_text(const char *text, const char *path, GError **error)
{
  g_autoptr(LacRunPlan) plan = g_new0(LacRunPlan, 1);
  Reading               reading = {path, plan};

  return lac_yaml_visit_text(text, path, read_root, &reading, error) ? g_steal_pointer(&plan)
                                                                     : NULL;
}

void
lac_run_plan_free(LacRunPlan *plan)
{
  if (plan == NULL)
    return;
  lac_draft_free(plan->draft);
  lac_launch_clear(&plan->launch);
  g_free(plan);
}
