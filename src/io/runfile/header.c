/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first entry of a journal: what is known before the first step, as JSON. */
#include "io/runfile/header.h"

#include "base/error.h"
#include "io/format/json-load.h"
#include "io/format/json-text.h"
#include "io/runfile/format.h"
#include "io/runfile/run-file-private.h"

#include <json-glib/json-glib.h>
#include <math.h>

static void
put_text(JsonBuilder *builder, const char *key, const char *text)
{
  json_builder_set_member_name(builder, key);
  json_builder_add_string_value(builder, text != NULL ? text : "");
}

static void
put_settings(JsonBuilder *builder, const LacRunHeader *header)
{
  json_builder_set_member_name(builder, "settings");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < header->params->n_rows; i++) {
    const LacParam  *row = &header->params->rows[i];
    g_autofree char *text = lac_draft_dup_text(header->draft, row);

    json_builder_begin_object(builder);
    put_text(builder, "key", row->key);
    put_text(builder, "text", text);
    put_text(builder, "label", row->label);
    put_text(builder, "group", row->group != NULL ? row->group : "");
    put_text(builder, "unit", row->unit);
    json_builder_set_member_name(builder, "default");
    json_builder_add_boolean_value(builder, lac_draft_is_default(header->draft, row));
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

static void
put_layers(JsonBuilder *builder, const LacLayers *layers)
{
  json_builder_set_member_name(builder, "layers");
  json_builder_add_int_value(builder, (gint64) layers->n);
  json_builder_set_member_name(builder, "z_min");
  json_builder_add_double_value(builder, layers->low);
  json_builder_set_member_name(builder, "z_max");
  json_builder_add_double_value(builder, layers->high);
}

static void
put_chart(JsonBuilder *builder, const LacChart *chart)
{
  json_builder_set_member_name(builder, "curves");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < chart->n; i++)
    json_builder_add_string_value(builder, chart->labels[i]);
  json_builder_end_array(builder);
  json_builder_set_member_name(builder, "with_errors");
  json_builder_add_boolean_value(builder, chart->with_errors);
  json_builder_set_member_name(builder, "log_axis");
  json_builder_add_boolean_value(builder, chart->log_axis);
  if (!chart->has_mark)
    return;
  json_builder_set_member_name(builder, "mark");
  json_builder_add_double_value(builder, chart->mark);
}

static void
put_channels(JsonBuilder *builder, const LacRunHeader *header)
{
  json_builder_set_member_name(builder, "channels");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < header->n_channels; i++) {
    const LacChannel *channel = &header->channels[i];

    json_builder_begin_object(builder);
    put_text(builder, "key", channel->key);
    put_text(builder, "label", channel->label);
    put_text(builder, "unit", channel->unit);
    put_text(builder, "quantity", channel->quantity);
    put_text(builder, "colour_map", channel->colour_map);
    put_text(builder, "axis_x", channel->axis_x);
    put_text(builder, "axis_y", channel->axis_y);
    put_text(builder, "axis_unit_x", channel->axis_unit_x);
    put_text(builder, "axis_unit_y", channel->axis_unit_y);
    json_builder_set_member_name(builder, "role");
    json_builder_add_int_value(builder, channel->role);
    json_builder_set_member_name(builder, "periodic");
    json_builder_add_boolean_value(builder, channel->periodic);
    if (channel->layers.n > 0)
      put_layers(builder, &channel->layers);
    if (channel->chart.n > 0)
      put_chart(builder, &channel->chart);
    json_builder_set_member_name(builder, "without_markers");
    json_builder_add_boolean_value(builder, channel->without_markers);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

static void
put_metrics(JsonBuilder *builder, const LacRunHeader *header)
{
  json_builder_set_member_name(builder, "metrics");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < header->n_metrics; i++) {
    const LacMetric *metric = &header->metrics[i];

    json_builder_begin_object(builder);
    put_text(builder, "key", metric->key);
    put_text(builder, "label", metric->label);
    put_text(builder, "unit", metric->unit);
    json_builder_set_member_name(builder, "log_axis");
    json_builder_add_boolean_value(builder, metric->log_axis);
    json_builder_set_member_name(builder, "is_result");
    json_builder_add_boolean_value(builder, metric->is_result);
    if (metric->has_reference) {
      json_builder_set_member_name(builder, "reference");
      json_builder_add_double_value(builder, metric->reference);
    }
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

/* Nuclei: [charge, x, y, z], bohr. */
static void
put_molecule(JsonBuilder *builder, const LacMolecule *molecule)
{
  json_builder_set_member_name(builder, "molecule");
  json_builder_begin_object(builder);
  put_text(builder, "name", molecule->name);
  json_builder_set_member_name(builder, "up");
  json_builder_add_int_value(builder, molecule->n_up);
  json_builder_set_member_name(builder, "down");
  json_builder_add_int_value(builder, molecule->n_down);
  json_builder_set_member_name(builder, "nuclei");
  json_builder_begin_array(builder);
  for (guint a = 0; a < molecule->n_nuclei; a++) {
    json_builder_begin_array(builder);
    json_builder_add_int_value(builder, molecule->nuclei[a].charge);
    for (guint k = 0; k < 3; k++)
      json_builder_add_double_value(builder, molecule->nuclei[a].position[k]);
    json_builder_end_array(builder);
  }
  json_builder_end_array(builder);
  json_builder_end_object(builder);
}

static void
put_provenance(JsonBuilder *builder, const LacRunHeader *header)
{
  json_builder_set_member_name(builder, "provenance");
  json_builder_begin_array(builder);
  for (const char *const *fact = header->provenance;
       fact != NULL && fact[0] != NULL && fact[1] != NULL; fact += 2) {
    json_builder_begin_object(builder);
    put_text(builder, "key", fact[0]);
    put_text(builder, "value", fact[1]);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

char *
lac_run_header_dup_json(const LacRunHeader *header, const char *started)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();
  g_autofree char       *seed = g_strdup_printf("%" G_GUINT64_FORMAT, header->seed);

  json_builder_begin_object(builder);
  put_text(builder, "format", "lacuna-run");
  json_builder_set_member_name(builder, "version");
  json_builder_add_int_value(builder, LAC_RUN_FOLDER_VERSION);
  put_text(builder, "experiment", header->experiment);
  put_text(builder, "title", header->title != NULL ? header->title : "");
  put_text(builder, "caution", header->caution != NULL ? header->caution : "");
  put_text(builder, "started", started);
  put_text(builder, "seed", seed);
  put_text(builder, "backend", header->backend);
  put_text(builder, "precision", header->precision);
  json_builder_set_member_name(builder, "threads");
  json_builder_add_int_value(builder, header->threads);
  put_settings(builder, header);
  put_provenance(builder, header);
  put_channels(builder, header);
  put_metrics(builder, header);
  if (header->molecule != NULL)
    put_molecule(builder, header->molecule);
  json_builder_end_object(builder);

  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  return lac_json_dup_text(root, FALSE);
}

static char *
take_text(JsonObject *object, const char *key)
{
  return g_strdup(json_object_get_string_member_with_default(object, key, ""));
}

/* Returns: (transfer none) (nullable): the array @key when every element of it is an object. */
static JsonArray *
get_objects(JsonObject *object, const char *key, gsize *n)
{
  JsonNode *node = json_object_get_member(object, key);

  *n = 0;
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY(node))
    return NULL;
  JsonArray *array = json_node_get_array(node);
  guint      length = json_array_get_length(array);
  for (guint i = 0; i < length; i++) {
    if (!JSON_NODE_HOLDS_OBJECT(json_array_get_element(array, i)))
      return NULL;
  }
  *n = length;
  return array;
}

static void
parse_settings(LacRunFile *run, JsonObject *root)
{
  JsonArray *array = get_objects(root, "settings", &run->n_settings);

  run->settings = g_new0(LacRunSetting, run->n_settings);
  for (gsize i = 0; i < run->n_settings; i++) {
    JsonObject *object = json_array_get_object_element(array, (guint) i);
    run->settings[i] = (LacRunSetting){
      .key = take_text(object, "key"),
      .label = take_text(object, "label"),
      .group = take_text(object, "group"),
      .unit = take_text(object, "unit"),
      .text = take_text(object, "text"),
      .is_default = json_object_get_boolean_member_with_default(object, "default", FALSE),
    };
  }
}

static void
parse_facts(LacRunFile *run, JsonObject *root)
{
  JsonArray *array = get_objects(root, "provenance", &run->n_facts);

  run->facts = g_new0(LacRunFact, run->n_facts);
  for (gsize i = 0; i < run->n_facts; i++) {
    JsonObject *object = json_array_get_object_element(array, (guint) i);
    run->facts[i] = (LacRunFact){take_text(object, "key"), take_text(object, "value")};
  }
}

static LacLayers
parse_layers(JsonObject *object)
{
  gint64 n = json_object_get_int_member_with_default(object, "layers", 0);

  return (LacLayers){
    .n = n > 0 ? (gsize) n : 0,
    .low = json_object_get_double_member_with_default(object, "z_min", 0),
    .high = json_object_get_double_member_with_default(object, "z_max", 0),
  };
}

/* Returns: FALSE where it is no array of a charge and three coordinates. */
static gboolean
parse_nucleus(JsonNode *node, LacNucleus *nucleus)
{
  JsonArray *row = JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

  if (row == NULL || json_array_get_length(row) != 4)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    if (!JSON_NODE_HOLDS_VALUE(json_array_get_element(row, i)))
      return FALSE;
  nucleus->charge = (guint) json_array_get_int_element(row, 0);
  for (guint k = 0; k < 3; k++)
    nucleus->position[k] = json_array_get_double_element(row, k + 1);
  return TRUE;
}

/* A molecule that makes no sense is none. */
static void
parse_molecule(LacRunFile *run, JsonObject *root)
{
  JsonNode   *node = json_object_get_member(root, "molecule");
  JsonObject *object =
    node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
  JsonNode *list = object != NULL ? json_object_get_member(object, "nuclei") : NULL;

  if (list == NULL || !JSON_NODE_HOLDS_ARRAY(list))
    return;
  JsonArray             *array = json_node_get_array(list);
  guint                  n = json_array_get_length(array);
  g_autofree LacNucleus *nuclei = g_new0(LacNucleus, n + 1);
  for (guint i = 0; i < n; i++)
    if (!parse_nucleus(json_array_get_element(array, i), &nuclei[i]))
      return;
  run->molecule = lac_run_file_make_molecule(
    json_object_get_string_member_with_default(object, "name", ""), n, nuclei,
    (gint64[]){json_object_get_int_member_with_default(object, "up", 0),
               json_object_get_int_member_with_default(object, "down", 0)});
}

/* Into a channel that has none yet; a list with something else than texts is none. */
static void
parse_chart(JsonObject *object, LacRunChannel *channel)
{
  JsonNode *list = json_object_get_member(object, "curves");

  if (list == NULL || !JSON_NODE_HOLDS_ARRAY(list))
    return;
  JsonArray *array = json_node_get_array(list);
  guint      n = MIN(json_array_get_length(array), LAC_MOST_CURVES);
  for (guint i = 0; i < n; i++)
    if (json_node_get_value_type(json_array_get_element(array, i)) != G_TYPE_STRING)
      return;
  channel->curves = g_new0(char *, n + 1);
  channel->chart = (LacChart){
    .n = n,
    .with_errors = json_object_get_boolean_member_with_default(object, "with_errors", FALSE),
    .log_axis = json_object_get_boolean_member_with_default(object, "log_axis", FALSE),
    .has_mark = json_object_has_member(object, "mark"),
    .mark = json_object_get_double_member_with_default(object, "mark", 0),
  };
  for (guint i = 0; i < n; i++)
    channel->chart.labels[i] = channel->curves[i] =
      g_strdup(json_array_get_string_element(array, i));
}

static void
parse_channels(LacRunFile *run, JsonObject *root)
{
  JsonArray *array = get_objects(root, "channels", &run->n_channels);

  run->channels = g_new0(LacRunChannel, run->n_channels);
  for (gsize i = 0; i < run->n_channels; i++) {
    JsonObject *object = json_array_get_object_element(array, (guint) i);
    gint64      role = json_object_get_int_member_with_default(object, "role", LAC_ROLE_OTHER);
    run->channels[i] = (LacRunChannel){
      .key = take_text(object, "key"),
      .label = take_text(object, "label"),
      .unit = take_text(object, "unit"),
      .quantity = take_text(object, "quantity"),
      .colour_map = take_text(object, "colour_map"),
      .axis_x = take_text(object, "axis_x"),
      .axis_y = take_text(object, "axis_y"),
      .axis_unit_x = take_text(object, "axis_unit_x"),
      .axis_unit_y = take_text(object, "axis_unit_y"),
      .role = role >= 0 && role <= LAC_ROLE_OTHER ? (LacRole) role : LAC_ROLE_OTHER,
      .periodic = json_object_get_boolean_member_with_default(object, "periodic", FALSE),
      .layers = parse_layers(object),
      .without_markers =
        json_object_get_boolean_member_with_default(object, "without_markers", FALSE),
    };
    parse_chart(object, &run->channels[i]);
  }
}

static void
parse_metrics(LacRunFile *run, JsonObject *root)
{
  JsonArray *array = get_objects(root, "metrics", &run->n_metrics);

  run->metrics = g_new0(LacRunMetric, run->n_metrics);
  for (gsize i = 0; i < run->n_metrics; i++) {
    JsonObject *object = json_array_get_object_element(array, (guint) i);
    run->metrics[i] = (LacRunMetric){
      .key = take_text(object, "key"),
      .label = take_text(object, "label"),
      .unit = take_text(object, "unit"),
      .log_axis = json_object_get_boolean_member_with_default(object, "log_axis", FALSE),
      .is_result = json_object_get_boolean_member_with_default(object, "is_result", FALSE),
      .has_reference = json_object_has_member(object, "reference"),
      .reference = json_object_get_double_member_with_default(object, "reference", 0),
      .last = NAN,
    };
  }
}

gboolean
lac_run_header_parse(LacRunFile *run,
                     const char *text,
                     gsize       length,
                     const char *path,
                     GError    **error)
{
  g_autoptr(JsonParser) parser = json_parser_new();
  JsonNode             *node = NULL;

  if (lac_json_load(parser, text, (gssize) length, NULL))
    node = json_parser_get_root(parser);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT(node)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: the journal does not begin with the description of a run", path);
    return FALSE;
  }
  JsonObject *root = json_node_get_object(node);
  gint64      version = json_object_get_int_member_with_default(root, "version", 0);
  if (version < 1 || version > LAC_RUN_FOLDER_VERSION) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s was written in version %" G_GINT64_FORMAT
                " of the run folder; this program reads versions 1 to %d",
                path, version, LAC_RUN_FOLDER_VERSION);
    return FALSE;
  }
  run->experiment = take_text(root, "experiment");
  run->title = take_text(root, "title");
  run->caution = take_text(root, "caution");
  run->started = take_text(root, "started");
  run->backend = take_text(root, "backend");
  run->precision = take_text(root, "precision");
  run->seed =
    g_ascii_strtoull(json_object_get_string_member_with_default(root, "seed", "0"), NULL, 10);
  run->threads = (guint) json_object_get_int_member_with_default(root, "threads", 0);
  parse_settings(run, root);
  parse_facts(run, root);
  parse_channels(run, root);
  parse_metrics(run, root);
  parse_molecule(run, root);
  return TRUE;
}
