/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna presets: named settings. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "experiment/experiment.h"
#include "io/format/json-text.h"
#include "run/plan/preset.h"

#include <json-glib/json-glib.h>

static void
add_presets(JsonBuilder *builder, const char *experiment, GPtrArray *presets)
{
  for (guint i = 0; i < presets->len; i++) {
    const LacPreset *preset = g_ptr_array_index(presets, i);
    json_builder_begin_object(builder);
    lac_json_add_text(builder, "experiment", experiment);
    lac_json_add_text(builder, "name", preset->name);
    lac_json_add_text(builder, "file", preset->path);
    json_builder_set_member_name(builder, "is_own");
    json_builder_add_boolean_value(builder, preset->is_own);
    json_builder_end_object(builder);
  }
}

static void
print_presets(const char *experiment, GPtrArray *presets)
{
  if (presets->len > 0)
    g_print("%s\n", experiment);
  for (guint i = 0; i < presets->len; i++) {
    const LacPreset *preset = g_ptr_array_index(presets, i);
    g_print("  %-40s %s\n", preset->name, preset->is_own ? preset->path : "built-in");
  }
}

static void
list(const char *only, gboolean json)
{
  gsize                       n;
  const LacExperiment *const *experiments = lac_experiments(&n);
  g_autoptr(JsonBuilder)      builder = json_builder_new();
  guint                       n_presets = 0;
  json_builder_begin_array(builder);
  for (gsize i = 0; i < n; i++) {
    if (only != NULL && !g_str_equal(experiments[i]->name, only))
      continue;
    g_autoptr(GPtrArray) presets = lac_presets_list(experiments[i]->name);
    n_presets += presets->len;
    add_presets(builder, experiments[i]->name, presets);
    if (!json)
      print_presets(experiments[i]->name, presets);
  }
  json_builder_end_array(builder);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  g_autofree char    *text = lac_json_dup_text(root, TRUE);
  if (json)
    g_print("%s\n", text);
  else if (n_presets == 0)
    g_print("There are no presets; lacuna run %s --save-preset NAME saves one.\n",
            only != NULL ? only : "EXPERIMENT");
}

static int
run_verb(int argc, char **argv)
{
  gboolean           json = FALSE;
  g_autofree char   *gone = NULL;
  const GOptionEntry entries[] = {
    {"delete", 0, 0, G_OPTION_ARG_STRING, &gone, "Delete one of your presets", "NAME"},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON array", NULL},
    {NULL}};
  const LacVerbForm form = {"[EXPERIMENT]", "Lists presets, the named settings of experiments.",
                            entries, 0, 1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  if (words[0] != NULL && lac_experiment_find(words[0], &error) == NULL)
    return lac_answer_error(error);
  if (gone != NULL) {
    g_autofree char *text = words[0] != NULL ? lac_preset_delete(words[0], gone, &error) : NULL;
    if (words[0] == NULL)
      g_set_error_literal(&error, LAC_ERROR, LAC_ERROR_USAGE,
                          "--delete needs the experiment of the preset");
    return text != NULL ? LAC_EXIT_FINISHED : lac_answer_error(error);
  }
  list(words[0], json);
  return LAC_EXIT_FINISHED;
}

const LacVerb lac_verb_presets = {
  .name = "presets",
  .usage = "[EXPERIMENT]",
  .summary = "named settings of experiments",
  .run = run_verb,
};
