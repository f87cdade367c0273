/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna info: contents of a file. */
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/format/json-load.h"
#include "io/trace/trace-file.h"
#include "report/bench/table.h"
#include "run/plan/import.h"

#include <json-glib/json-glib.h>

static gboolean
is_run(const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename(path, NULL);
  g_autofree char *folder = g_path_get_dirname(absolute);
  return g_file_test(absolute, G_FILE_TEST_IS_DIR) ||
         (g_str_has_suffix(folder, ".lacuna") && !g_str_has_suffix(absolute, ".csv"));
}

/* Appends the experiments that accept the file, with the parameter that names it. */
static void
add_uses(GString *out, const LacImport *import)
{
  g_autoptr(GHashTable) reported = g_hash_table_new(g_str_hash, g_str_equal);

  for (gsize i = 0; i < import->n_uses; i++) {
    const LacImportUse *use = &import->uses[i];
    const char         *before = ": ";

    if (use->doubt != NULL || !g_hash_table_add(reported, (gpointer) use->row->key))
      continue;
    g_string_append_printf(out, "  lacuna run NAME --set %s=%s, NAME", use->row->key, use->value);
    for (gsize k = i; k < import->n_uses; k++) {
      if (import->uses[k].doubt != NULL || !g_str_equal(import->uses[k].row->key, use->row->key))
        continue;
      g_string_append_printf(out, "%s%s", before, import->uses[k].experiment->name);
      before = ", ";
    }
    g_string_append_c(out, '\n');
  }
  for (gsize i = 0; i < import->n_uses; i++)
    if (import->uses[i].doubt != NULL)
      g_string_append_printf(out, "  not %s with its default settings: %s\n",
                             import->uses[i].experiment->name, import->uses[i].doubt);
}

/* Returns: (transfer full): description of a data file and its uses. */
static char *
describe_data(const char *path, GError **error)
{
  g_autoptr(LacImport) import = lac_import_read(path, error);

  if (import == NULL)
    return NULL;
  GString *out = g_string_new(import->holds);
  add_uses(out, import);
  return g_string_free(out, FALSE);
}

/* Returns: (transfer full) (nullable): description from a figure's side file. */
static char *
describe_figure(const char *path)
{
  g_autoptr(JsonParser) parser = json_parser_new();
  if (!lac_json_load_file(parser, path, NULL) || json_parser_get_root(parser) == NULL ||
      !JSON_NODE_HOLDS_OBJECT(json_parser_get_root(parser)))
    return NULL;
  JsonObject *object = json_node_get_object(json_parser_get_root(parser));
  if (!json_object_has_member(object, "lacuna_figure"))
    return NULL;
  return g_strdup_printf("%s: specification of a figure of the run %s; lacuna figure redraws it",
                         path, json_object_get_string_member_with_default(object, "run", "?"));
}

static char *
describe_benchmark(const char *path, GError **error)
{
  g_autoptr(LacBenchFile) file = lac_bench_file_read(path, error);
  g_autofree char        *text = file != NULL ? lac_bench_text(file) : NULL;
  return file != NULL ? g_strdup_printf("%s: a benchmark of %s", path, text) : NULL;
}

static char *
describe_trace(const char *path, GError **error)
{
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(GError)     wrong = NULL;
  g_autoptr(LacCapture) capture = lac_trace_open(path, &facts, &wrong);
  if (capture != NULL)
    return lac_trace_describe(capture, path, &facts);
  char *figure = describe_figure(path);
  if (figure == NULL)
    g_propagate_error(error, g_steal_pointer(&wrong));
  return figure;
}

static int
run_verb(int argc, char **argv)
{
  const GOptionEntry entries[] = {{NULL}};
  const LacVerbForm form = {"FILE", "Describes the contents of a data, run or trace file.", entries,
                            1, 1};
  g_auto(GStrv)     words = NULL;
  g_autoptr(GError) error = NULL;
  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);

  g_autofree char *text = NULL;
  if (is_run(words[0])) {
    g_autoptr(LacRunFile) run = lac_run_file_open(words[0], &error);
    text = run != NULL ? lac_run_file_describe(run) : NULL;
    if (run != NULL && run->unassembled != NULL)
      g_printerr("lacuna: %s\n", run->unassembled);
  } else if (lac_is_bench_file(words[0])) {
    text = describe_benchmark(words[0], &error);
  } else if (lac_trace_is_named(words[0])) {
    text = describe_trace(words[0], &error);
  } else {
    /* a run.h5 may have been moved out of its folder */
    g_autoptr(LacRunFile) run =
      g_str_has_suffix(words[0], ".h5") ? lac_run_file_open(words[0], NULL) : NULL;
    text = run != NULL ? lac_run_file_describe(run) : describe_data(words[0], &error);
  }
  if (text == NULL)
    return lac_answer_error(error);
  g_print("%s%s", text, g_str_has_suffix(text, "\n") ? "" : "\n");
  return LAC_EXIT_FINISHED;
}

const LacVerb lac_verb_info = {
  .name = "info",
  .usage = "FILE",
  .summary = "contents of a data, run or trace file",
  .run = run_verb,
};
