/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna runs: lists, filters, tags and deletes the runs of a folder. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/format/json-text.h"
#include "report/text/number.h"
#include "run/library/filter.h"
#include "run/library/group.h"
#include "run/library/library.h"

#include <math.h>
#include <string.h>

typedef struct {
  char    *out, *sort, *group, *tags, *note;
  int      most;
  gboolean json, baseline, delete, restore;
} Options;

static void
options_clear(Options *options)
{
  g_free(options->out);
  g_free(options->sort);
  g_free(options->group);
  g_free(options->tags);
  g_free(options->note);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

/* ---- which ones ---- */

/* Returns: FALSE with an error that lists the valid keys. */
static gboolean
find_order(const char *key, LacRunOrder *order, GError **error)
{
  g_autoptr(GString) all = g_string_new(NULL);
  for (LacRunOrder i = 0; i < LAC_N_RUN_ORDERS; i++) {
    if (g_str_equal(lac_run_order_key(i), key)) {
      *order = i;
      return TRUE;
    }
    g_string_append_printf(all, "%s%s", i > 0 ? ", " : "", lac_run_order_key(i));
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "--sort %s is not one of %s", key, all->str);
  return FALSE;
}

static int
compare_runs(gconstpointer a, gconstpointer b, gpointer order)
{
  return lac_run_headline_compare(*(LacRunHeadline *const *) a, *(LacRunHeadline *const *) b,
                                  (LacRunOrder) GPOINTER_TO_INT(order));
}

/* Returns: (transfer full): the matching runs, in order; %NULL with an error. */
static GPtrArray *
choose(const Options *options, const GStrv words, GError **error)
{
  g_autofree char        *text = g_strjoinv(" ", words);
  g_autoptr(LacRunFilter) filter = lac_run_filter_new(text);
  const char             *problem = lac_run_filter_get_problem(filter);
  LacRunOrder             order = LAC_RUNS_BY_STARTED;
  if (problem != NULL) {
    g_set_error_literal(error, LAC_ERROR, LAC_ERROR_USAGE, problem);
    return NULL;
  }
  if (options->sort != NULL && !find_order(options->sort, &order, error))
    return NULL;
  g_autoptr(GPtrArray) all = lac_run_library_read(options->out, error);
  if (all == NULL)
    return NULL;
  GPtrArray *chosen = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_headline_unref);
  for (guint i = 0; i < all->len; i++)
    if (lac_run_filter_matches(filter, g_ptr_array_index(all, i)))
      g_ptr_array_add(chosen, lac_run_headline_ref(g_ptr_array_index(all, i)));
  if (options->sort != NULL)
    g_ptr_array_sort_with_data(chosen, compare_runs, GINT_TO_POINTER(order));
  if (options->most > 0 && chosen->len > (guint) options->most)
    g_ptr_array_set_size(chosen, options->most);
  return chosen;
}

/* ---- listing ---- */

#define N_COLUMNS 6

static void
fill_row(const LacRunHeadline *run, char *cells[N_COLUMNS])
{
  const LacHeadlineMetric *metric = lac_run_headline_get_result(run);
  g_autofree char         *value = metric != NULL ? lac_number_text(metric->value) : NULL;
  g_autofree char         *day = g_strndup(run->started, 16);
  g_strdelimit(day, "T", ' ');
  cells[0] = g_strdup_printf("%s%s", run->is_baseline ? "*" : "", run->name);
  cells[1] = g_steal_pointer(&day);
  cells[2] = g_strdup(run->outcome);
  cells[3] = metric != NULL ? g_strdup_printf("%s %s", metric->key, value) : g_strdup("");
  cells[4] = lac_duration_text(run->seconds);
  cells[5] = g_strjoinv(" ", run->tags);
}

static void
widen(GPtrArray *runs, glong widths[N_COLUMNS])
{
  for (guint i = 0; i < runs->len; i++) {
    char *cells[N_COLUMNS];
    fill_row(runs->pdata[i], cells);
    for (guint c = 0; c < N_COLUMNS; c++) {
      widths[c] = MAX(widths[c], g_utf8_strlen(cells[c], -1));
      g_free(cells[c]);
    }
  }
}

static void
print_row(const LacRunHeadline *run, const glong widths[N_COLUMNS], const char *indent)
{
  g_autoptr(GString) line = g_string_new(indent);
  char              *cells[N_COLUMNS];
  fill_row(run, cells);
  for (guint c = 0; c < N_COLUMNS; c++) {
    glong pad = widths[c] - g_utf8_strlen(cells[c], -1);
    g_string_append_printf(line, "%s%s%*s", c > 0 ? "  " : "", cells[c], (int) pad, "");
    g_free(cells[c]);
  }
  g_print("%s\n", g_strchomp(line->str));
}

static void
print_group(const LacRunGroup *group, const glong widths[N_COLUMNS])
{
  g_print("%s (%u)\n", *group->name != '\0' ? group->name : "-", group->runs->len);
  for (guint i = 0; i < group->runs->len; i++)
    print_row(group->runs->pdata[i], widths, "  ");
}

/* @groups: (nullable): of @runs. */
static void
print_table(GPtrArray *runs, const GPtrArray *groups)
{
  glong widths[N_COLUMNS] = {0};
  widen(runs, widths);
  for (guint i = 0; groups != NULL && i < groups->len; i++)
    print_group(groups->pdata[i], widths);
  for (guint i = 0; groups == NULL && i < runs->len; i++)
    print_row(runs->pdata[i], widths, "");
}

static void
add_run(JsonBuilder *builder, const LacRunHeadline *run)
{
  json_builder_begin_object(builder);
  lac_json_add_text(builder, "run", run->path);
  lac_json_add_text(builder, "experiment", run->experiment);
  lac_json_add_text(builder, "laboratory", run->laboratory);
  lac_json_add_text(builder, "started", run->started);
  lac_json_add_text(builder, "outcome", run->outcome);
  lac_json_add_text(builder, "detail", run->detail);
  lac_json_add_integer(builder, "steps", run->steps);
  lac_json_add_number(builder, "seconds", run->seconds);
  lac_json_add_text(builder, "backend", run->backend);
  lac_json_add_text(builder, "precision", run->precision);
  json_builder_set_member_name(builder, "changed");
  json_builder_begin_array(builder);
  g_auto(GStrv) changes = g_strsplit(run->changed, "\n", -1);
  for (char **change = changes; *change != NULL; change++)
    json_builder_add_string_value(builder, *change);
  json_builder_end_array(builder);
  json_builder_set_member_name(builder, "metrics");
  json_builder_begin_object(builder);
  for (gsize i = 0; i < run->n_metrics; i++)
    lac_json_add_number(builder, run->metrics[i].key, run->metrics[i].value);
  json_builder_end_object(builder);
  json_builder_set_member_name(builder, "tags");
  json_builder_begin_array(builder);
  for (char **tag = run->tags; *tag != NULL; tag++)
    json_builder_add_string_value(builder, *tag);
  json_builder_end_array(builder);
  lac_json_add_text(builder, "note", run->note);
  json_builder_set_member_name(builder, "baseline");
  json_builder_add_boolean_value(builder, run->is_baseline);
  json_builder_end_object(builder);
}

static void
add_runs(JsonBuilder *builder, const GPtrArray *runs)
{
  json_builder_begin_array(builder);
  for (guint i = 0; i < runs->len; i++)
    add_run(builder, runs->pdata[i]);
  json_builder_end_array(builder);
}

static void
add_groups(JsonBuilder *builder, const GPtrArray *groups)
{
  json_builder_begin_array(builder);
  for (guint i = 0; i < groups->len; i++) {
    const LacRunGroup *group = groups->pdata[i];
    json_builder_begin_object(builder);
    lac_json_add_text(builder, "group", group->name);
    json_builder_set_member_name(builder, "runs");
    add_runs(builder, group->runs);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

/* @groups: (nullable): of @runs. */
static void
print_json(const GPtrArray *runs, const GPtrArray *groups)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();
  if (groups != NULL)
    add_groups(builder, groups);
  else
    add_runs(builder, runs);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  g_autofree char    *json = lac_json_dup_text(root, TRUE);
  g_print("%s\n", json);
}

/* Sets @groups, NULL without grouping. Returns: FALSE with an error about a key that no run has. */
static gboolean
put_together(const Options *options, GPtrArray *runs, GPtrArray **groups, GError **error)
{
  *groups = NULL;
  if (options->group == NULL || lac_run_grouping_find(options->group) == LAC_GROUP_NONE)
    return TRUE;
  g_autoptr(GPtrArray) made = lac_run_group(runs, options->group);
  const LacRunGroup   *first = made->len > 0 ? made->pdata[0] : NULL;
  if (lac_run_grouping_find(options->group) == LAC_GROUP_SETTING && first != NULL &&
      *first->name == '\0') {
    g_autoptr(GString) all = g_string_new(NULL);
    for (LacRunGrouping i = LAC_GROUP_EXPERIMENT; i < LAC_GROUP_SETTING; i++)
      g_string_append_printf(all, "%s, ", lac_run_grouping_key(i));
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "--group %s is neither %snor a setting of a run",
                options->group, all->str);
    return FALSE;
  }
  *groups = g_steal_pointer(&made);
  return TRUE;
}

/* ---- doing something to runs that are named ---- */

static gboolean
pin(const char *run, GError **error)
{
  g_autoptr(LacRunHeadline) headline = lac_run_headline_read(run);
  if (headline == NULL) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is not the folder of a run", run);
    return FALSE;
  }
  g_autofree char     *folder = g_path_get_dirname(headline->path);
  g_autoptr(GPtrArray) runs = lac_run_library_read(folder, error);
  return runs != NULL && lac_run_set_baseline(headline, runs, TRUE, error);
}

static gboolean
set_aside(const char *run, GError **error)
{
  g_autofree char *aside = lac_run_set_aside(run, error);
  if (aside != NULL)
    g_print("run deleted; lacuna runs --restore %s restores it\n", aside);
  return aside != NULL;
}

static gboolean
bring_back(const char *aside, GError **error)
{
  g_autofree char *run = lac_run_bring_back(aside, error);
  if (run != NULL)
    g_print("%s\n", run);
  return run != NULL;
}

static gboolean
acts(const Options *options)
{
  return options->tags != NULL || options->note != NULL || options->baseline || options->delete ||
         options->restore;
}

static gboolean
act(const Options *options, const GStrv runs, GError **error)
{
  if (runs[0] == NULL) {
    g_set_error_literal(
      error, LAC_ERROR, LAC_ERROR_USAGE,
      "--tag, --note, --baseline, --delete and --restore need the folder of a run");
    return FALSE;
  }
  for (char **run = runs; *run != NULL; run++) {
    g_autofree char *path = g_canonicalize_filename(*run, NULL);
    if ((options->tags != NULL && !lac_run_set_tags(path, options->tags, error)) ||
        (options->note != NULL && !lac_run_set_note(path, options->note, error)) ||
        (options->baseline && !pin(path, error)) || (options->delete &&!set_aside(path, error)) ||
        (options->restore && !bring_back(path, error)))
      return FALSE;
  }
  return TRUE;
}

static int
run_verb(int argc, char **argv)
{
  g_auto(Options)    options = {0};
  const GOptionEntry entries[] = {
    {"out", 0, 0, G_OPTION_ARG_FILENAME, &options.out, "The folder of runs", "DIR"},
    {"sort", 0, 0, G_OPTION_ARG_STRING, &options.sort,
     "Sort by name, experiment, laboratory, started, outcome, metric, seconds, steps or tags",
     "KEY"},
    {"group", 0, 0, G_OPTION_ARG_STRING, &options.group,
     "Group by experiment, laboratory, outcome, tag, day, sweep or a setting", "KEY"},
    {"most", 0, 0, G_OPTION_ARG_INT, &options.most, "Maximum number of runs", "N"},
    {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "Print one JSON array", NULL},
    {"tag", 0, 0, G_OPTION_ARG_STRING, &options.tags, "Set the tags of the given runs", "A,B"},
    {"note", 0, 0, G_OPTION_ARG_STRING, &options.note, "Set TEXT as the note of the given runs",
     "TEXT"},
    {"baseline", 0, 0, G_OPTION_ARG_NONE, &options.baseline,
     "Pin the given run as the baseline of its experiment", NULL},
    {"delete", 0, 0, G_OPTION_ARG_NONE, &options.delete,
     "Delete the given runs; --restore brings them back", NULL},
    {"restore", 0, 0, G_OPTION_ARG_NONE, &options.restore, "Restore deleted runs", NULL},
    {NULL}};
  const LacVerbForm form = {
    "[WORD|KEY=VALUE|KEY<VALUE]... | --tag A,B RUN...",
    "Lists runs, the latest first; words must all occur, conditions compare settings and results.",
    entries, 0, 1000};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  if (acts(&options))
    return act(&options, words, &error) ? LAC_EXIT_FINISHED : lac_answer_error(error);
  g_autoptr(GPtrArray) runs = choose(&options, words, &error);
  if (runs == NULL)
    return lac_answer_error(error);
  g_autoptr(GPtrArray) groups = NULL;
  if (!put_together(&options, runs, &groups, &error))
    return lac_answer_error(error);
  if (options.json)
    print_json(runs, groups);
  else
    print_table(runs, groups);
  return LAC_EXIT_FINISHED;
}

const LacVerb lac_verb_runs = {
  .name = "runs",
  .usage = "[WORD|KEY=VALUE|KEY<VALUE]...",
  .summary = "runs: list, search, sort, tag, note, delete",
  .run = run_verb,
};
