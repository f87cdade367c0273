/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark results as JSON. The file is untrusted: every member is checked before use. */
#include "base/error.h"
#include "io/format/bench-file.h"
#include "io/format/json-load.h"
#include "io/format/json-text.h"
#include "io/format/write-error.h"
#include "perf/analysis/ratio.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD_BYTES 512 /* bytes in which the format must be declared */

/* ---- writing ---- */

/* JSON has no NaN. */
static void
put_number(JsonBuilder *to, const char *name, double number)
{
  if (!isfinite(number))
    return;
  json_builder_set_member_name(to, name);
  json_builder_add_double_value(to, number);
}

static void
put_numbers(JsonBuilder *to, const char *name, const GArray *numbers)
{
  if (numbers->len == 0)
    return;
  json_builder_set_member_name(to, name);
  json_builder_begin_array(to);
  for (guint i = 0; i < numbers->len; i++) {
    const double number = g_array_index(numbers, double, i);

    if (isfinite(number))
      json_builder_add_double_value(to, number);
    else
      json_builder_add_null_value(to);
  }
  json_builder_end_array(to);
}

static void
put_row(JsonBuilder *to, const LacBenchRow *row)
{
  const double *samples = (const double *) (gpointer) row->samples->data;

  json_builder_begin_object(to);
  lac_json_add_text(to, "name", row->name);
  lac_json_add_text(to, "metric", row->metric);
  lac_json_add_text(to, "kind", lac_bench_kind_name(row->kind));
  lac_json_add_text(to, "unit", row->unit);
  put_number(to, "value", lac_bench_row_median(row));
  put_number(to, "spread", lac_median_deviation(samples, row->samples->len));
  put_numbers(to, "samples", row->samples);
  put_numbers(to, "relative", row->relative);
  if (row->limit > 0) {
    put_number(to, "limit", row->limit);
    json_builder_set_member_name(to, "passed");
    json_builder_add_boolean_value(to, lac_bench_row_passes(row));
  }
  if (row->tolerance > 0)
    put_number(to, "tolerance", row->tolerance);
  if (row->note)
    lac_json_add_text(to, "note", row->note);
  json_builder_end_object(to);
}

char *
lac_bench_file_dup_text(const LacBenchFile *file, gboolean pretty)
{
  g_autoptr(JsonBuilder) to = json_builder_new();
  g_autoptr(JsonNode)    root = NULL;

  json_builder_begin_object(to);
  lac_json_add_text(to, "format", LAC_BENCH_FORMAT);
  json_builder_set_member_name(to, "version");
  json_builder_add_int_value(to, LAC_BENCH_VERSION);
  json_builder_set_member_name(to, "machine");
  json_builder_begin_object(to);
  for (gsize i = 0; file->machine[i] && file->machine[i + 1]; i += 2)
    lac_json_add_text(to, file->machine[i], file->machine[i + 1]);
  json_builder_end_object(to);
  json_builder_set_member_name(to, "threads");
  json_builder_add_int_value(to, file->threads);
  json_builder_set_member_name(to, "passed");
  json_builder_add_boolean_value(to, lac_bench_file_passes(file));
  json_builder_set_member_name(to, "results");
  json_builder_begin_array(to);
  for (guint i = 0; i < file->rows->len; i++)
    put_row(to, g_ptr_array_index(file->rows, i));
  json_builder_end_array(to);
  json_builder_end_object(to);
  root = json_builder_get_root(to);
  return lac_json_dup_text(root, pretty);
}

gboolean
lac_bench_file_write(const LacBenchFile *file, const char *path, GError **error)
{
  g_autofree char  *text = lac_bench_file_dup_text(file, TRUE);
  g_autofree char  *lines = g_strconcat(text, "\n", NULL);
  g_autoptr(GError) problem = NULL;

  errno = 0;
  if (g_file_set_contents(path, lines, -1, &problem))
    return TRUE;
  return lac_write_error(error, errno ? errno : EIO, path, strlen(lines));
}

/* ---- reading ---- */

static const char *
get_text(JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member(object, name);

  return node && JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING
           ? json_node_get_string(node)
           : NULL;
}

static double
get_number(JsonNode *node)
{
  if (!node || !JSON_NODE_HOLDS_VALUE(node))
    return NAN;
  if (json_node_get_value_type(node) == G_TYPE_DOUBLE)
    return json_node_get_double(node);
  if (json_node_get_value_type(node) == G_TYPE_INT64)
    return (double) json_node_get_int(node);
  return NAN;
}

static double
get_positive(JsonObject *object, const char *name)
{
  const double number = get_number(json_object_get_member(object, name));

  return number > 0 && isfinite(number) ? number : 0;
}

static JsonArray *
get_list(JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member(object, name);

  return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

static void
take_numbers(JsonObject *object, const char *name, GArray *numbers)
{
  JsonArray *list = get_list(object, name);

  for (guint i = 0; list && i < json_array_get_length(list); i++) {
    const double number = get_number(json_array_get_element(list, i));

    g_array_append_val(numbers, number);
  }
}

static gboolean
find_kind(const char *name, LacBenchKind *kind)
{
  for (guint i = 0; i < LAC_N_BENCH_KINDS; i++)
    if (g_str_equal(lac_bench_kind_name((LacBenchKind) i), name)) {
      *kind = (LacBenchKind) i;
      return TRUE;
    }
  return FALSE;
}

static gboolean
take_row(LacBenchFile *file, JsonNode *node)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
  LacBenchRow row = {0};
  const char *kind;

  if (!object)
    return FALSE;
  row.name = get_text(object, "name");
  row.metric = get_text(object, "metric");
  row.unit = get_text(object, "unit");
  row.note = get_text(object, "note");
  kind = get_text(object, "kind");
  if (!row.name || !row.metric || !row.unit || !kind || !find_kind(kind, &row.kind) ||
      lac_bench_file_find(file, row.name, row.metric))
    return FALSE;
  row.limit = get_positive(object, "limit");
  row.tolerance = get_positive(object, "tolerance");
  LacBenchRow *added = lac_bench_file_add(file, &row);
  take_numbers(object, "samples", added->samples);
  take_numbers(object, "relative", added->relative);
  return TRUE;
}

static void
take_machine(LacBenchFile *file, JsonObject *object)
{
  GPtrArray       *facts = g_ptr_array_new();
  g_autoptr(GList) keys = json_object_get_members(object);

  for (GList *key = keys; key; key = key->next) {
    const char *value = get_text(object, key->data);

    if (!value)
      continue;
    g_ptr_array_add(facts, g_strdup(key->data));
    g_ptr_array_add(facts, g_strdup(value));
  }
  g_ptr_array_add(facts, NULL);
  g_strfreev(file->machine);
  file->machine = (GStrv) g_ptr_array_free(facts, FALSE);
}

static gboolean
refuse(GError **error, const char *what, const char *why)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is not a result file of lacuna bench: %s",
              what, why);
  return FALSE;
}

static gboolean
take_file(LacBenchFile *file, JsonNode *root, const char *what, GError **error)
{
  JsonObject *object = root && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL;
  JsonNode   *machine = object ? json_object_get_member(object, "machine") : NULL;
  JsonArray  *rows = object ? get_list(object, "results") : NULL;

  if (!object || g_strcmp0(get_text(object, "format"), LAC_BENCH_FORMAT) != 0)
    return refuse(error, what, "it does not begin with \"format\": \"" LAC_BENCH_FORMAT "\"");
  if (get_number(json_object_get_member(object, "version")) != LAC_BENCH_VERSION)
    return refuse(error, what, "it has another version of the format: run the benchmark again");
  if (!rows || !machine || !JSON_NODE_HOLDS_OBJECT(machine))
    return refuse(error, what, "it lacks \"machine\" or \"results\"");
  take_machine(file, json_node_get_object(machine));
  file->threads = (guint) MIN(get_positive(object, "threads"), 1e6);
  for (guint i = 0; i < json_array_get_length(rows); i++)
    if (!take_row(file, json_array_get_element(rows, i))) {
      g_autofree char *why =
        g_strdup_printf("result %u lacks name, metric, kind or unit, or is there twice", i + 1);

      return refuse(error, what, why);
    }
  return TRUE;
}

LacBenchFile *
lac_bench_file_parse(const char *text, const char *what, GError **error)
{
  g_autoptr(JsonParser)   parser = json_parser_new();
  g_autoptr(GError)       problem = NULL;
  g_autoptr(LacBenchFile) file = lac_bench_file_new();

  if (!lac_json_load(parser, text, -1, &problem)) {
    refuse(error, what, problem->message);
    return NULL;
  }
  return take_file(file, json_parser_get_root(parser), what, error) ? g_steal_pointer(&file) : NULL;
}

LacBenchFile *
lac_bench_file_read(const char *path, GError **error)
{
  g_autofree char  *text = NULL;
  g_autoptr(GError) problem = NULL;

  if (g_file_get_contents(path, &text, NULL, &problem))
    return lac_bench_file_parse(text, path, error);
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s cannot be read: %s", path,
              g_file_test(path, G_FILE_TEST_IS_DIR) ? "it is a folder" : "there is no such file");
  return NULL;
}

gboolean
lac_is_bench_file(const char *path)
{
  char  head[HEAD_BYTES + 1] = {0};
  FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
  gsize n = file ? fread(head, 1, HEAD_BYTES, file) : 0;

  if (file)
    fclose(file);
  return n > 0 && strstr(head, "\"" LAC_BENCH_FORMAT "\"");
}
