/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First entry of a journal: data known before the first step, as JSON. */
#include "io/runfile/header.h"

#include "base/error.h"
#include "io/format/json-load.h"
#include "io/format/json-text.h"
#include "io/runfile/format.h"
#include "io/runfile/metadata.h"
#include "io/runfile/run-file-private.h"

#include <json-glib/json-glib.h>
#include <math.h>

/* Begins the array @name of objects. */
static void
begin_array(JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name(builder, name);
  json_builder_begin_array(builder);
}

static void
put_settings(JsonBuilder *builder, const LacRunHeader *header)
{
  begin_array(builder, "settings");
  for (gsize i = 0; i < header->params->n_rows; i++) {
    const LacParam     *row = &header->params->rows[i];
    g_autofree char    *text = lac_draft_dup_text(header->draft, row);
    const LacRunSetting setting = {.key = (char *) row->key,
                                   .label = (char *) row->label,
                                   .group = (char *) row->group,
                                   .unit = (char *) row->unit,
                                   .text = text,
                                   .method = (char *) row->entry,
                                   .is_default = lac_draft_is_default(header->draft, row),
                                   .is_advanced = (row->flags & LAC_PARAM_ADVANCED) != 0,
                                   .is_unused = !lac_draft_is_in_use(header->draft, row)};

    json_builder_begin_object(builder);
    lac_meta_put_json(&lac_meta_setting, LAC_META_JOURNAL, &setting, builder);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

static void
put_chart(JsonBuilder *builder, const LacChart *chart)
{
  begin_array(builder, "curves");
  for (gsize i = 0; i < chart->n; i++)
    json_builder_add_string_value(builder, chart->labels[i]);
  json_builder_end_array(builder);
  lac_meta_put_json(&lac_meta_chart, LAC_META_JOURNAL, chart, builder);
}

/* Returns: @channel in its form when read back; its texts are borrowed */
static LacRunChannel
to_run_channel(const LacChannel *channel)
{
  return (LacRunChannel){.key = (char *) channel->key,
                         .label = (char *) channel->label,
                         .unit = (char *) channel->unit,
                         .quantity = (char *) channel->quantity,
                         .colour_map = (char *) channel->colour_map,
                         .axis_x = (char *) channel->axis_x,
                         .axis_y = (char *) channel->axis_y,
                         .axis_unit_x = (char *) channel->axis_unit_x,
                         .axis_unit_y = (char *) channel->axis_unit_y,
                         .role = channel->role,
                         .periodic = channel->periodic,
                         .without_markers = channel->without_markers};
}

static void
put_channels(JsonBuilder *builder, const LacRunHeader *header)
{
  begin_array(builder, "channels");
  for (gsize i = 0; i < header->n_channels; i++) {
    const LacChannel   *channel = &header->channels[i];
    const LacRunChannel texts = to_run_channel(channel);

    json_builder_begin_object(builder);
    lac_meta_put_json(&lac_meta_channel, LAC_META_JOURNAL, &texts, builder);
    if (channel->layers.n > 0)
      lac_meta_put_json(&lac_meta_layers, LAC_META_JOURNAL, &channel->layers, builder);
    if (channel->chart.n > 0)
      put_chart(builder, &channel->chart);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

static void
put_metrics(JsonBuilder *builder, const LacRunHeader *header)
{
  begin_array(builder, "metrics");
  for (gsize i = 0; i < header->n_metrics; i++) {
    const LacMetric   *declared = &header->metrics[i];
    const LacRunMetric metric = {.key = (char *) declared->key,
                                 .label = (char *) declared->label,
                                 .unit = (char *) declared->unit,
                                 .log_axis = declared->log_axis,
                                 .is_result = declared->is_result,
                                 .has_reference = declared->has_reference,
                                 .reference = declared->reference,
                                 .placing = declared->placing};

    json_builder_begin_object(builder);
    lac_meta_put_json(&lac_meta_metric, LAC_META_JOURNAL, &metric, builder);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

/* Adds nuclei: [charge, x, y, z], bohr. */
static void
put_molecule(JsonBuilder *builder, const LacMolecule *molecule)
{
  json_builder_set_member_name(builder, "molecule");
  json_builder_begin_object(builder);
  lac_json_add_text(builder, "name", molecule->name);
  json_builder_set_member_name(builder, "up");
  json_builder_add_int_value(builder, molecule->n_up);
  json_builder_set_member_name(builder, "down");
  json_builder_add_int_value(builder, molecule->n_down);
  begin_array(builder, "nuclei");
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
  begin_array(builder, "provenance");
  for (const char *const *fact = header->provenance;
       fact != NULL && fact[0] != NULL && fact[1] != NULL; fact += 2) {
    json_builder_begin_object(builder);
    lac_meta_put_json(&lac_meta_fact, LAC_META_JOURNAL,
                      &(LacRunFact){(char *) fact[0], (char *) fact[1]}, builder);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}

char *
lac_run_header_dup_json(const LacRunHeader *header, const char *started)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();
  const LacRunFile       run = {.experiment = (char *) header->experiment,
                                .title = (char *) header->title,
                                .caution = (char *) header->caution,
                                .started = (char *) started,
                                .seed = header->seed,
                                .backend = (char *) header->backend,
                                .precision = (char *) header->precision,
                                .threads = header->threads};

  json_builder_begin_object(builder);
  lac_json_add_text(builder, "format", "lacuna-run");
  lac_json_add_integer(builder, "version", LAC_RUN_FOLDER_VERSION);
  lac_meta_put_json(&lac_meta_run, LAC_META_JOURNAL, &run, builder);
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
    lac_meta_get_json(&lac_meta_setting, object, &run->settings[i]);
  }
}

static void
parse_facts(LacRunFile *run, JsonObject *root)
{
  JsonArray *array = get_objects(root, "provenance", &run->n_facts);

  run->facts = g_new0(LacRunFact, run->n_facts);
  for (gsize i = 0; i < run->n_facts; i++) {
    JsonObject *object = json_array_get_object_element(array, (guint) i);
    lac_meta_get_json(&lac_meta_fact, object, &run->facts[i]);
  }
}

/* Returns: FALSE when it is not an array of a charge and three coordinates. */
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

/* Parses the molecule; an inconsistent one is ignored. */
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

/* Parses a chart into a channel that has none yet; a list with anything but texts is ignored. */
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
  channel->chart.n = n;
  lac_meta_get_json(&lac_meta_chart, object, &channel->chart);
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
    lac_meta_get_json(&lac_meta_channel, object, &run->channels[i]);
    lac_meta_get_json(&lac_meta_layers, object, &run->channels[i].layers);
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
    lac_meta_get_json(&lac_meta_metric, object, &run->metrics[i]);
    run->metrics[i].last = NAN;
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
  lac_meta_get_json(&lac_meta_run, root, run);
  parse_settings(run, root);
  parse_facts(run, root);
  parse_channels(run, root);
  parse_metrics(run, root);
  parse_molecule(run, root);
  return TRUE;
}
