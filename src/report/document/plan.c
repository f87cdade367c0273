/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report plans: entries and their JSON file. */
#include "report/document/plan.h"

#include "base/error.h"
#include "base/number-display.h"
#include "io/format/json-load.h"
#include "io/format/json-text.h"
#include "report/canvas/paper-private.h"
#include "report/document/document-private.h"
#include "report/document/report-json.h"
#include "report/text/words.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* Parts of plans of version 1 and their sections; the others had the keys of today. */
static const struct {
  const char   *key;
  LacReportPart part;
} earlier[] = {
  {"head", LAC_PART_HEAD},
  {"field", LAC_PART_FIELDS},
  {"results", LAC_PART_HEAD},
  {"trust", LAC_PART_HEAD},
  {"gates", LAC_PART_FINDINGS},
  {"distributions", LAC_PART_CURVES},
  {"operations", LAC_PART_TIME},
  {"profile", LAC_PART_TIME},
  {"settings", LAC_PART_ALL_SETTINGS},
  {"events", LAC_PART_CHANGES},
  {"provenance", LAC_PART_MACHINE},
};

static void
clear_entry(gpointer entry)
{
  g_free(((LacReportEntry *) entry)->text);
}

static LacReportPlan *
make_empty(void)
{
  LacReportPlan *plan = g_new0(LacReportPlan, 1);

  plan->runs = g_ptr_array_new_with_free_func(g_free);
  plan->entries = g_array_new(FALSE, TRUE, sizeof(LacReportEntry));
  g_array_set_clear_func(plan->entries, clear_entry);
  return plan;
}

LacReportPlan *
lac_report_plan_new(const char *const *folders)
{
  g_return_val_if_fail(folders != NULL && folders[0] != NULL, NULL);
  LacReportPlan *plan = make_empty();

  if (folders[1] != NULL) {
    LacReportEntry entry = {.part = LAC_PART_COMPARISON};
    g_array_append_val(plan->entries, entry);
  }
  for (gsize i = 0; folders[i] != NULL; i++)
    lac_report_plan_add_run(plan, folders[i]);
  return plan;
}

LacReportPlan *
lac_report_plan_copy(const LacReportPlan *plan)
{
  LacReportPlan *copy = make_empty();

  copy->title = g_strdup(plan->title);
  copy->paper = plan->paper;
  for (guint i = 0; i < plan->runs->len; i++)
    g_ptr_array_add(copy->runs, g_strdup(plan->runs->pdata[i]));
  for (guint i = 0; i < plan->entries->len; i++) {
    LacReportEntry entry = g_array_index(plan->entries, LacReportEntry, i);
    entry.text = g_strdup(entry.text);
    g_array_append_val(copy->entries, entry);
  }
  return copy;
}

void
lac_report_plan_free(LacReportPlan *plan)
{
  g_free(plan->title);
  g_ptr_array_unref(plan->runs);
  g_array_unref(plan->entries);
  g_free(plan);
}

/* ---- editing ---- */

void
lac_report_plan_add_run(LacReportPlan *plan, const char *folder)
{
  g_return_if_fail(plan != NULL && folder != NULL);
  if (g_ptr_array_find_with_equal_func(plan->runs, folder, g_str_equal, NULL))
    return;
  for (LacReportPart part = LAC_PART_HEAD; part < LAC_N_PARTS; part++) {
    LacReportEntry entry = {
      .part = part, .run = plan->runs->len, .is_left_out = !lac_report_part_is_default(part)};
    g_array_append_val(plan->entries, entry);
  }
  g_ptr_array_add(plan->runs, g_strdup(folder));
}

void
lac_report_plan_add_text(LacReportPlan *plan, guint at, const char *text)
{
  LacReportEntry entry = {.part = LAC_PART_TEXT, .text = g_strdup(text)};

  g_array_insert_val(plan->entries, MIN(at, plan->entries->len), entry);
}

void
lac_report_plan_move(LacReportPlan *plan, guint from, guint to)
{
  LacReportEntry *entries = (LacReportEntry *) (gpointer) plan->entries->data;

  g_return_if_fail(from < plan->entries->len && to < plan->entries->len);
  LacReportEntry moved = entries[from];
  if (from < to)
    memmove(entries + from, entries + from + 1, (to - from) * sizeof *entries);
  else
    memmove(entries + to + 1, entries + to, (from - to) * sizeof *entries);
  entries[to] = moved;
}

void
lac_report_plan_remove(LacReportPlan *plan, guint at)
{
  g_array_remove_index(plan->entries, at);
}

/* ---- storage ---- */

char *
lac_report_plan_dup_text(const LacReportPlan *plan)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();

  json_builder_begin_object(builder);
  lac_json_add_integer(builder, "lacuna_report", LAC_REPORT_VERSION);
  if (plan->title != NULL)
    lac_json_add_text(builder, "title", plan->title);
  lac_json_add_text(builder, "paper", lac_report_paper_key(plan->paper));
  json_builder_set_member_name(builder, "runs");
  json_builder_begin_array(builder);
  for (guint i = 0; i < plan->runs->len; i++) {
    g_autofree char *folder = g_canonicalize_filename(plan->runs->pdata[i], NULL);
    json_builder_add_string_value(builder, folder);
  }
  json_builder_end_array(builder);
  json_builder_set_member_name(builder, "parts");
  json_builder_begin_array(builder);
  for (guint i = 0; i < plan->entries->len; i++) {
    const LacReportEntry *entry = &g_array_index(plan->entries, LacReportEntry, i);

    json_builder_begin_object(builder);
    lac_json_add_text(builder, "part", lac_report_part_key(entry->part));
    if (entry->part >= LAC_PART_HEAD)
      lac_json_add_integer(builder, "run", (gint64) entry->run);
    if (entry->part == LAC_PART_TEXT)
      lac_json_add_text(builder, "text", entry->text);
    if (entry->is_left_out) {
      json_builder_set_member_name(builder, "left_out");
      json_builder_add_boolean_value(builder, TRUE);
    }
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
  json_builder_end_object(builder);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  g_autofree char    *json = lac_json_dup_text(root, TRUE);
  return g_strconcat(json, "\n", NULL);
}

/* Returns: (nullable): the plan, of this version or an earlier one. */
static JsonObject *
get_plan(JsonParser *parser)
{
  JsonNode   *root = json_parser_get_root(parser);
  JsonObject *object =
    root != NULL && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL;
  const gint64 version =
    object != NULL ? json_object_get_int_member_with_default(object, "lacuna_report", 0) : 0;

  return version >= 1 && version <= LAC_REPORT_VERSION ? object : NULL;
}

static JsonArray *
get_array(JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member(object, member);

  return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

gboolean
lac_is_report_plan(const char *path)
{
  g_autoptr(JsonParser) parser = json_parser_new();

  return g_str_has_suffix(path, ".json") && lac_json_load_file(parser, path, NULL) &&
         get_plan(parser) != NULL;
}

/* @version: of the plan. Returns: LAC_N_PARTS for an unknown part. */
static LacReportPart
find_part(const char *key, gint64 version)
{
  for (gsize i = 0; version == 1 && i < G_N_ELEMENTS(earlier); i++)
    if (g_str_equal(earlier[i].key, key))
      return earlier[i].part;
  return lac_report_part_find(key);
}

/* Returns: (nullable): the entry with the same section, where several parts of version 1 belong to it. */
static LacReportEntry *
find_same(LacReportPlan *plan, const LacReportEntry *entry)
{
  for (guint i = 0; i < plan->entries->len && entry->part >= LAC_PART_HEAD; i++) {
    LacReportEntry *other = &g_array_index(plan->entries, LacReportEntry, i);

    if (other->part == entry->part && other->run == entry->run)
      return other;
  }
  return NULL;
}

/* Loads an entry; unknown ones, as from a later version, are skipped. */
static void
load_entry(LacReportPlan *plan, JsonNode *node, gint64 version)
{
  JsonObject    *object = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
  LacReportEntry entry = {0};
  const char    *key =
    object != NULL ? json_object_get_string_member_with_default(object, "part", "") : "";
  const gint64 run = object != NULL ? json_object_get_int_member_with_default(object, "run", 0) : 0;

  entry.part = find_part(key, version);
  if (entry.part == LAC_N_PARTS || run < 0 || run >= (gint64) plan->runs->len)
    return;
  entry.run = (gsize) run;
  entry.is_left_out = json_object_get_boolean_member_with_default(object, "left_out", FALSE);
  LacReportEntry *same = find_same(plan, &entry);
  if (same != NULL) {
    same->is_left_out = same->is_left_out && entry.is_left_out;
    return;
  }
  if (entry.part == LAC_PART_TEXT)
    entry.text = g_strdup(json_object_get_string_member_with_default(object, "text", ""));
  g_array_append_val(plan->entries, entry);
}

/* @wrong: (nullable): parse error of @parser; @path: of the file, for error messages */
static LacReportPlan *
make_plan(JsonParser *parser, const char *path, const GError *wrong, GError **error)
{
  g_autoptr(LacReportPlan) plan = make_empty();
  JsonObject              *object = wrong == NULL ? get_plan(parser) : NULL;
  JsonArray               *runs = object != NULL ? get_array(object, "runs") : NULL;
  JsonArray               *entries = object != NULL ? get_array(object, "parts") : NULL;

  for (guint i = 0; runs != NULL && i < json_array_get_length(runs); i++) {
    JsonNode   *node = json_array_get_element(runs, i);
    const char *folder = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
    if (folder != NULL)
      g_ptr_array_add(plan->runs, g_strdup(folder));
  }
  if (plan->runs->len == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is not a report plan: %s", path,
                wrong != NULL ? wrong->message : "it lists no runs");
    return NULL;
  }
  plan->title = g_strdup(json_object_get_string_member_with_default(object, "title", NULL));
  plan->paper =
    lac_report_paper_find(json_object_get_string_member_with_default(object, "paper", ""));
  if (plan->paper == LAC_N_PAPERS) /* of another version */
    plan->paper = LAC_PAPER_A4;
  for (guint i = 0; entries != NULL && i < json_array_get_length(entries); i++)
    load_entry(plan, json_array_get_element(entries, i),
               json_object_get_int_member_with_default(object, "lacuna_report", 0));
  return g_steal_pointer(&plan);
}

LacReportPlan *
lac_report_plan_load(const char *path, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autoptr(GError)     wrong = NULL;
  lac_json_load_file(parser, path, &wrong);
  return make_plan(parser, path, wrong, error);
}

LacReportPlan *
lac_report_plan_parse(const char *text, GError **error)
{
  g_return_val_if_fail(text != NULL, NULL);
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autoptr(GError)     wrong = NULL;
  lac_json_load(parser, text, -1, &wrong);
  return make_plan(parser, "the text", wrong, error);
}

/* ---- output ---- */

typedef struct {
  const LacReportPlan *plan;
  LacRunFile *const   *runs;
} Reported;

static void
add_text(LacDocument *document, const char *text)
{
  g_auto(GStrv)      lines = g_strsplit(text, "\n", -1);
  g_autoptr(GString) paragraph = g_string_new(NULL);

  for (gsize i = 0;; i++) {
    const gboolean is_end =
      lines[i] == NULL || *g_strstrip(lines[i]) == '\0' || g_str_has_prefix(lines[i], "# ");

    if (is_end && paragraph->len > 0) {
      document->paragraph(document, paragraph->str, FALSE);
      g_string_truncate(paragraph, 0);
    }
    if (lines[i] == NULL)
      return;
    if (g_str_has_prefix(lines[i], "# "))
      document->heading(document, lines[i] + 2);
    else if (!is_end)
      g_string_append_printf(paragraph, "%s%s", paragraph->len > 0 ? " " : "", lines[i]);
  }
}

static gboolean
add_plan(LacDocument *document, gconstpointer data, GError **error)
{
  const Reported *reported = data;
  gboolean        is_first = TRUE;

  if (reported->plan->title != NULL && *reported->plan->title != '\0')
    document->title(document, reported->plan->title);
  for (guint i = 0; i < reported->plan->entries->len; i++) {
    const LacReportEntry *entry = &g_array_index(reported->plan->entries, LacReportEntry, i);

    if (entry->is_left_out)
      continue;
    if (entry->part == LAC_PART_TEXT) {
      add_text(document, entry->text);
      continue;
    }
    if (entry->part == LAC_PART_COMPARISON) {
      if (reported->plan->runs->len > 1)
        lac_report_add_comparison(document, reported->runs, reported->plan->runs->len);
      continue;
    }
    if (entry->part == LAC_PART_HEAD)
      document->begin_run(document, is_first);
    is_first = FALSE;
    if (!lac_report_add_part(document, reported->runs[entry->run], entry->part, error))
      return FALSE;
  }
  return TRUE;
}

static LacDocumentContent
make_content(const Reported *reported)
{
  const LacRunFile *run = reported->runs[0];
  const char       *title = reported->plan->title;

  return (LacDocumentContent){
    .title = title != NULL && *title != '\0' ? title : lac_word(run->title),
    .head = lac_word(run->title),
    .foot = run->experiment,
    .keywords = run->path,
    .add = add_plan,
    .data = reported,
    .paper = reported->plan->paper,
  };
}

/* Returns: (transfer full): the chosen sections of each run, and the user's texts. */
static char *
dup_json(gconstpointer data)
{
  const Reported               *reported = data;
  const LacReportPlan          *plan = reported->plan;
  g_autofree LacReportSections *sections = g_new0(LacReportSections, plan->runs->len);
  g_autoptr(GPtrArray)          texts = g_ptr_array_new();

  for (guint i = 0; i < plan->entries->len; i++) {
    const LacReportEntry *entry = &g_array_index(plan->entries, LacReportEntry, i);

    if (entry->is_left_out)
      continue;
    if (entry->part == LAC_PART_TEXT)
      g_ptr_array_add(texts, entry->text);
    else if (entry->part >= LAC_PART_HEAD)
      sections[entry->run].parts[sections[entry->run].n++] = entry->part;
  }
  const LacReportJson report = {reported->runs, sections, plan->runs->len, plan->title, texts};
  return lac_report_dup_json(&report);
}

gboolean
lac_report_plan_write(const LacReportPlan *plan,
                      LacRunFile *const   *runs,
                      const char          *path,
                      GError             **error)
{
  g_return_val_if_fail(plan != NULL && runs != NULL && path != NULL, FALSE);
  LAC_NUMBERS_WITH_POINTS;
  const Reported           reported = {plan, runs};
  const LacDocumentContent content = make_content(&reported);
  g_autofree char         *beside = g_strconcat(path, ".json", NULL);
  g_autofree char         *text = lac_report_plan_dup_text(plan);

  return lac_report_write_content(&content, NULL, dup_json, path, error) &&
         lac_text_write(beside, text, error);
}

GPtrArray *
lac_report_plan_lay_out(const LacReportPlan *plan, LacRunFile *const *runs, GError **error)
{
  g_return_val_if_fail(plan != NULL && runs != NULL, NULL);
  LAC_NUMBERS_WITH_POINTS;
  const Reported           reported = {plan, runs};
  const LacDocumentContent content = make_content(&reported);

  return lac_document_lay_out(&content, error);
}
