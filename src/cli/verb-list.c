/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna list: experiments and their parameters. */
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "experiment/experiment.h"
#include "io/format/json-text.h"
#include "report/text/number.h"

#include <json-glib/json-glib.h>

static const char *const kinds[] = {
  [LAC_PARAM_REAL] = "real",     [LAC_PARAM_INTEGER] = "integer", [LAC_PARAM_CHOICE] = "choice",
  [LAC_PARAM_SWITCH] = "switch", [LAC_PARAM_FILE] = "file",       [LAC_PARAM_LIST] = "list",
  [LAC_PARAM_TEXT] = "text",
};

static void
print_group(const LacParamTable *table, gsize i)
{
  if (i == 0 || g_strcmp0(table->rows[i].group, table->rows[i - 1].group) != 0)
    g_print("\n    %s\n", table->rows[i].group);
}

/* @in_full: with source, groups and the help of each parameter */
static void
print_experiment(const LacExperiment *experiment, gboolean in_full)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);
  g_print("%s%s  %s (%s)\n    %s\n", experiment->name, experiment->is_default ? " [default]" : "",
          experiment->title, experiment->laboratory, experiment->summary);
  if (in_full && experiment->source != NULL)
    g_print("    %s\n", experiment->source);
  for (gsize i = 0; i < experiment->params.n_rows; i++) {
    const LacParam *row = &experiment->params.rows[i];
    if (in_full)
      print_group(&experiment->params, i);
    g_autofree char *value = lac_draft_dup_text(draft, row);
    g_autofree char *allowed = lac_param_dup_allowed(row);
    g_autofree char *label = lac_label_with_unit(row->label, row->unit);
    g_autofree char *setting = g_strdup_printf("%s=%s", row->key, value);
    g_print("      %-28s %s: %s%s\n", setting, label, allowed,
            (row->flags & LAC_PARAM_LIVE) != 0 ? "; may change while running" : "");
    if (in_full)
      g_print("      %-28s %s\n", "", row->help);
  }
}

static void
add_parameter(JsonBuilder *builder, const LacDraft *draft, const LacParam *row)
{
  g_autofree char *value = lac_draft_dup_text(draft, row);
  g_autofree char *allowed = lac_param_dup_allowed(row);
  json_builder_begin_object(builder);
  lac_json_add_text(builder, "key", row->key);
  lac_json_add_text(builder, "kind", kinds[row->kind]);
  lac_json_add_text(builder, "label", row->label);
  lac_json_add_text(builder, "group", row->group);
  lac_json_add_text(builder, "help", row->help);
  lac_json_add_text(builder, "unit", row->unit);
  lac_json_add_text(builder, "default", value);
  lac_json_add_text(builder, "allowed", allowed);
  if (row->kind == LAC_PARAM_REAL || row->kind == LAC_PARAM_INTEGER) {
    json_builder_set_member_name(builder, "min");
    json_builder_add_double_value(builder, row->min);
    json_builder_set_member_name(builder, "max");
    json_builder_add_double_value(builder, row->max);
  }
  json_builder_set_member_name(builder, "live");
  json_builder_add_boolean_value(builder, (row->flags & LAC_PARAM_LIVE) != 0);
  json_builder_end_object(builder);
}

static void
add_experiment(JsonBuilder *builder, const LacExperiment *experiment)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);
  json_builder_begin_object(builder);
  lac_json_add_text(builder, "name", experiment->name);
  lac_json_add_text(builder, "title", experiment->title);
  lac_json_add_text(builder, "laboratory", experiment->laboratory);
  lac_json_add_text(builder, "summary", experiment->summary);
  lac_json_add_text(builder, "source", experiment->source);
  json_builder_set_member_name(builder, "is_default");
  json_builder_add_boolean_value(builder, experiment->is_default);
  json_builder_set_member_name(builder, "parameters");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < experiment->params.n_rows; i++)
    add_parameter(builder, draft, &experiment->params.rows[i]);
  json_builder_end_array(builder);
  json_builder_set_member_name(builder, "metrics");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < experiment->n_metrics; i++)
    if (experiment->metrics[i].is_result)
      json_builder_add_string_value(builder, experiment->metrics[i].key);
  json_builder_end_array(builder);
  json_builder_set_member_name(builder, "channels");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < experiment->n_channels; i++)
    json_builder_add_string_value(builder, experiment->channels[i].key);
  json_builder_end_array(builder);
  json_builder_end_object(builder);
}

static void
print_json(const LacExperiment *const *experiments, gsize n)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();
  json_builder_begin_array(builder);
  for (gsize i = 0; i < n; i++)
    add_experiment(builder, experiments[i]);
  json_builder_end_array(builder);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  g_autofree char    *json = lac_json_dup_text(root, TRUE);
  g_print("%s\n", json);
}

/* Sets @one to the experiment that was named. */
static gboolean
take_word(const GStrv words, const LacExperiment **one, GError **error)
{
  if (words[0] != NULL)
    *one = lac_experiment_find(words[0], error);
  return words[0] == NULL || *one != NULL;
}

static int
run_verb(int argc, char **argv)
{
  gboolean           json = FALSE;
  const GOptionEntry entries[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON array", NULL}, {NULL}};
  const LacVerbForm    form = {"[NAME]", "Lists the experiments, or one, with their parameters.",
                               entries, 0, 1};
  g_auto(GStrv)        words = NULL;
  g_autoptr(GError)    error = NULL;
  const LacExperiment *one = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error) || !take_word(words, &one, &error))
    return lac_answer_error(error);

  gsize                       n = 1;
  const LacExperiment *const *experiments = one != NULL ? &one : lac_experiments(&n);
  if (json)
    print_json(experiments, n);
  for (gsize i = 0; i < n && !json; i++) {
    if (i > 0)
      g_print("\n");
    print_experiment(experiments[i], one != NULL);
  }
  return LAC_EXIT_FINISHED;
}

const LacVerb lac_verb_list = {
  .name = "list",
  .usage = "[NAME] [--json]",
  .summary = "experiments, with their parameters",
  .run = run_verb,
};
