/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tags and notes of a run, as JSON: {"tags": [...], "text": "...", "baseline": true}. */
#include "io/runfile/notes.h"

#include "io/format/json-load.h"
#include "io/format/json-text.h"
#include "io/format/write-error.h"
#include "io/runfile/format.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>

#define MOST_BYTES (1 << 20) /* a larger file was not written by Lacuna */

static int
compare_texts(gconstpointer a, gconstpointer b)
{
  return g_utf8_collate(*(const char *const *) a, *(const char *const *) b);
}

static gboolean
holds(const GPtrArray *texts, const char *text)
{
  for (guint i = 0; i < texts->len; i++)
    if (g_str_equal(g_ptr_array_index(texts, i), text))
      return TRUE;
  return FALSE;
}

/* Sorts and removes duplicates. */
static GStrv
settle(GPtrArray *tags)
{
  g_ptr_array_sort(tags, compare_texts);
  g_ptr_array_add(tags, NULL);
  return (GStrv) g_ptr_array_free(tags, FALSE);
}

GStrv
lac_run_notes_parse_tags(const char *text)
{
  g_auto(GStrv) words = g_strsplit_set(text, ", \t\n", -1);
  GPtrArray    *tags = g_ptr_array_new();

  for (char **word = words; *word != NULL; word++)
    if (**word != '\0' && !holds(tags, *word))
      g_ptr_array_add(tags, g_strdup(*word));
  return settle(tags);
}

static GStrv
read_tags(JsonObject *object)
{
  JsonNode  *node = json_object_get_member(object, "tags");
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
  GPtrArray *tags = g_ptr_array_new();

  for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
    JsonNode *element = json_array_get_element(array, i);
    if (json_node_get_value_type(element) == G_TYPE_STRING &&
        !holds(tags, json_node_get_string(element)))
      g_ptr_array_add(tags, json_node_dup_string(element));
  }
  return settle(tags);
}

static char *
read_text(JsonObject *object)
{
  JsonNode *node = json_object_get_member(object, "text");

  return node != NULL && json_node_get_value_type(node) == G_TYPE_STRING
           ? json_node_dup_string(node)
           : g_strdup("");
}

static gboolean
read_baseline(JsonObject *object)
{
  JsonNode *node = json_object_get_member(object, "baseline");

  return node != NULL && json_node_get_value_type(node) == G_TYPE_BOOLEAN &&
         json_node_get_boolean(node);
}

void
lac_run_notes_read(const char *folder, LacRunNotes *notes)
{
  g_autofree char      *path = g_build_filename(folder, LAC_RUN_NOTES, NULL);
  g_autofree char      *contents = NULL;
  g_autoptr(JsonParser) parser = json_parser_new();
  JsonNode             *root = NULL;
  GStatBuf              about;

  if (g_stat(path, &about) == 0 && about.st_size <= MOST_BYTES &&
      g_file_get_contents(path, &contents, NULL, NULL) && lac_json_load(parser, contents, -1, NULL))
    root = json_parser_get_root(parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT(root)) {
    *notes = (LacRunNotes){g_new0(char *, 1), g_strdup(""), FALSE};
    return;
  }
  JsonObject *object = json_node_get_object(root);
  *notes = (LacRunNotes){read_tags(object), read_text(object), read_baseline(object)};
}

void
lac_run_notes_clear(LacRunNotes *notes)
{
  g_clear_pointer(&notes->tags, g_strfreev);
  g_clear_pointer(&notes->text, g_free);
}

static char *
notes_to_json(const LacRunNotes *notes)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();

  json_builder_begin_object(builder);
  json_builder_set_member_name(builder, "tags");
  json_builder_begin_array(builder);
  for (char **tag = notes->tags; tag != NULL && *tag != NULL; tag++)
    json_builder_add_string_value(builder, *tag);
  json_builder_end_array(builder);
  lac_json_add_text(builder, "text", notes->text != NULL ? notes->text : "");
  json_builder_set_member_name(builder, "baseline");
  json_builder_add_boolean_value(builder, notes->is_baseline);
  json_builder_end_object(builder);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  return lac_json_dup_text(root, TRUE);
}

gboolean
lac_run_notes_write(const char *folder, const LacRunNotes *notes, GError **error)
{
  g_autofree char *path = g_build_filename(folder, LAC_RUN_NOTES, NULL);
  gboolean         says_nothing = (notes->tags == NULL || notes->tags[0] == NULL) &&
                          (notes->text == NULL || *notes->text == '\0') && !notes->is_baseline;
  g_autoptr(GError) why = NULL;

  if (says_nothing) {
    if (g_unlink(path) == 0 || errno == ENOENT)
      return TRUE;
    return lac_write_error(error, errno, path, 0);
  }
  g_autofree char *json = notes_to_json(notes);
  if (g_file_set_contents(path, json, -1, &why))
    return TRUE;
  int code = g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOSPC) ? ENOSPC : EACCES;
  return lac_write_error(error, code, path, strlen(json));
}
