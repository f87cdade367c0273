/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna devices: what this machine computes with, and whether a GPU can be used. */
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/json-text.h"
#include "run/machine.h"

/* null where there is none */
static void
put_text(JsonBuilder *builder, const char *key, const char *text)
{
  if (text != NULL) {
    lac_json_add_text(builder, key, text);
    return;
  }
  json_builder_set_member_name(builder, key);
  json_builder_add_null_value(builder);
}

static void
put_processor(JsonBuilder *builder, const LacProcessorFacts *facts)
{
  lac_json_add_integer(builder, "cores", facts->n_cores);
  lac_json_add_integer(builder, "threads", facts->n_threads);
  put_text(builder, "instructions", facts->level);
  lac_json_add_integer(builder, "memory_bytes", (gint64) facts->memory);
  lac_json_add_integer(builder, "memory_free_bytes", (gint64) facts->memory_free);
}

/* 13.0 of 13000; null where there is none. */
static void
put_version(JsonBuilder *builder, const char *key, int version)
{
  g_autofree char *text = lac_machine_dup_version(version);

  put_text(builder, key, version > 0 ? text : NULL);
}

static void
put_device(JsonBuilder *builder, const LacDeviceFacts *facts)
{
  g_autofree char *capability = g_strdup_printf("%d.%d", facts->major, facts->minor);

  put_text(builder, "compute_capability", facts->major > 0 ? capability : NULL);
  lac_json_add_integer(builder, "multiprocessors", facts->multiprocessors);
  lac_json_add_integer(builder, "memory_bytes", (gint64) facts->memory);
  lac_json_add_integer(builder, "memory_free_bytes", (gint64) facts->memory_free);
  put_version(builder, "cuda_driver", facts->driver);
  put_version(builder, "cuda_runtime", facts->runtime);
  put_version(builder, "cuda_toolkit", facts->toolkit);
  put_text(builder, "built_for", facts->built_for);
}

static void
put_part(JsonBuilder *builder, const LacMachinePart *part)
{
  json_builder_begin_object(builder);
  put_text(builder, "name", part->name);
  put_text(builder, "model", lac_machine_part_get_title(part));
  json_builder_set_member_name(builder, "usable");
  json_builder_add_boolean_value(builder, part->why == NULL);
  put_text(builder, "why", part->why);
  if (part->is_device)
    put_device(builder, &part->device);
  else
    put_processor(builder, &part->processor);
  json_builder_end_object(builder);
}

static void
print_json(const GPtrArray *parts)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();
  g_autoptr(JsonNode)    root = NULL;
  g_autofree char       *text = NULL;

  json_builder_begin_object(builder);
  json_builder_set_member_name(builder, "devices");
  json_builder_begin_array(builder);
  for (guint i = 0; i < parts->len; i++)
    put_part(builder, g_ptr_array_index(parts, i));
  json_builder_end_array(builder);
  json_builder_end_object(builder);
  root = json_builder_get_root(builder);
  text = lac_json_dup_text(root, FALSE);
  g_print("%s\n", text);
}

/* Labels of a language are as wide as they are: columns of characters, not of bytes. */
static void
print_part(const LacMachinePart *part)
{
  g_auto(GStrv) rows = lac_machine_part_dup_rows(part);
  glong         width = 0;

  g_print("%s  %s\n", part->name, lac_machine_part_get_title(part));
  for (char **row = rows; row[0] != NULL && row[1] != NULL; row += 2)
    width = MAX(width, g_utf8_strlen(row[0], -1));
  for (char **row = rows; row[0] != NULL && row[1] != NULL; row += 2)
    g_print("  %s%*s  %s\n", row[0], (int) (width - g_utf8_strlen(row[0], -1)), "", row[1]);
}

int
lac_verb_devices(int argc, char **argv)
{
  gboolean           json = FALSE;
  const GOptionEntry entries[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object", NULL},
    {NULL},
  };
  const LacVerbForm form = {
    "", "Lists the processor and the GPUs, with versions, memory and why one cannot be used.",
    entries, 0, 0};
  g_auto(GStrv)        words = NULL;
  g_autoptr(GError)    error = NULL;
  g_autoptr(GPtrArray) parts = NULL;

  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  parts = lac_machine_ask();
  if (json)
    print_json(parts);
  for (guint i = 0; i < parts->len && !json; i++) {
    g_print("%s", i > 0 ? "\n" : "");
    print_part(g_ptr_array_index(parts, i));
  }
  return LAC_EXIT_FINISHED;
}
