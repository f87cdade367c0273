/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure descriptions as JSON side files. */
#include "base/error.h"
#include "base/unit.h"
#include "io/format/json-load.h"
#include "io/format/json-text.h"
#include "report/figure/figure-private.h"
#include "report/figure/journal.h"

#include <glib/gi18n-lib.h>

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static const struct {
  const char *word, *title;
} kinds[LAC_N_FIGURES] = {
  [LAC_FIGURE_FIELDS] = {"fields", N_("Fields")},
  [LAC_FIGURE_SPECTRUM] = {"spectrum", N_("Spectrum")},
  [LAC_FIGURE_CURVES] = {"curves", N_("Curves")},
  [LAC_FIGURE_TIMELINE] = {"timeline", N_("Timeline")},
  [LAC_FIGURE_PHASES] = {"phases", N_("Phases")},
  [LAC_FIGURE_FLAME] = {"flame", N_("Flame Graph")},
  [LAC_FIGURE_COMPARISON] = {"comparison", N_("Comparison")},
};

gboolean
lac_figure_kind_find(const char *word, LacFigureKind *kind)
{
  for (*kind = 0; *kind < LAC_N_FIGURES; (*kind)++)
    if (g_strcmp0(kinds[*kind].word, word) == 0)
      return TRUE;
  *kind = LAC_FIGURE_FIELDS;
  return FALSE;
}

const char *
lac_figure_kind_word(LacFigureKind kind)
{
  return kinds[kind].word;
}

const char *
lac_figure_kind_title(LacFigureKind kind)
{
  return kinds[kind].title;
}

void
lac_figure_spec_clear(LacFigureSpec *spec)
{
  g_free(spec->run);
  g_strfreev(spec->others);
  g_strfreev(spec->units);
  lac_figure_members_clear(spec);
  memset(spec, 0, sizeof *spec);
}

void
lac_figure_spec_copy(const LacFigureSpec *spec, LacFigureSpec *copy)
{
  *copy = *spec;
  copy->run = g_strdup(spec->run);
  copy->others = g_strdupv(spec->others);
  copy->units = g_strdupv(spec->units);
  lac_figure_members_own(copy);
}

/* Fills unset members from the journal, or from the first journal of the table. */
void
lac_figure_spec_resolve(LacFigureSpec *spec)
{
  gsize             n;
  const LacJournal *journal = lac_journal_find(spec->journal);
  LacColumns        columns;

  if (journal == NULL)
    journal = lac_journals(&n);
  lac_columns_find(spec->columns, &columns);
  if (journal->width_mm[columns] == 0)
    columns = LAC_COLUMNS_TWO;
  if (spec->width_mm == 0)
    spec->width_mm = journal->width_mm[columns];
  if (spec->font_size == 0)
    spec->font_size = journal->font_size;
  if (spec->line_width == 0)
    spec->line_width = journal->line_width;
  if (spec->dpi == 0)
    spec->dpi = journal->dpi;
  if (spec->n_steps == 0)
    spec->n_steps = 3;
  if (!spec->has_view)
    spec->volume_view = LAC_VOLUME_VIEW_START;
}

/* ---- reading ---- */

static gboolean
refuse_spec(const char *path, const char *why, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is not a Lacuna figure file: %s", path,
              why);
  return FALSE;
}

static void
load_view(JsonObject *object, LacFigureSpec *spec)
{
  gint64 cut = json_object_get_int_member_with_default(object, "cut", LAC_CUT_NUCLEI);

  spec->volume_view = LAC_VOLUME_VIEW_START;
  spec->has_view = json_object_has_member(object, "turn_deg");
  if (!spec->has_view)
    return;
  spec->volume_view = (LacVolumeView){
    .orbit = {0, 0, 1},
    .cut = (LacCutKind) CLAMP(cut, 0, LAC_N_CUTS - 1),
    .offset = json_object_get_double_member_with_default(object, "offset", 0),
    .share = CLAMP(json_object_get_double_member_with_default(object, "share", 0), 0, 1),
  };
  lac_orbit_rotate(&spec->volume_view.orbit,
                   G_PI / 180 * json_object_get_double_member_with_default(object, "turn_deg", 0),
                   G_PI / 180 * json_object_get_double_member_with_default(object, "tilt_deg", 0));
  lac_orbit_zoom(&spec->volume_view.orbit,
                 json_object_get_double_member_with_default(object, "zoom", 1));
}

static GStrv
dup_texts(JsonObject *object, const char *member)
{
  g_autoptr(GStrvBuilder) texts = g_strv_builder_new();
  JsonNode               *node = json_object_get_member(object, member);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
  for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
    JsonNode   *element = json_array_get_element(array, i);
    const char *text = JSON_NODE_HOLDS_VALUE(element) ? json_node_get_string(element) : NULL;
    if (text != NULL)
      g_strv_builder_add(texts, text);
  }
  return g_strv_builder_end(texts);
}

static void
load_object(JsonObject *object, LacFigureSpec *spec)
{
  lac_figure_kind_find(json_object_get_string_member_with_default(object, "kind", "fields"),
                       &spec->kind);
  spec->run = g_strdup(json_object_get_string_member_with_default(object, "run", NULL));
  spec->others = dup_texts(object, "others");
  spec->units = dup_texts(object, "units");
  lac_figure_members_load(object, spec);
  load_view(object, spec);
}

static gboolean
load_root(JsonNode *root, const char *path, LacFigureSpec *spec, GError **error)
{
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT(root))
    return refuse_spec(path, "it is not a JSON object", error);
  JsonObject *object = json_node_get_object(root);
  gint64      version = json_object_get_int_member_with_default(object, "lacuna_figure", 0);
  if (version != LAC_FIGURE_VERSION)
    return refuse_spec(path, "lacuna_figure is not 1", error);
  if (json_object_get_string_member_with_default(object, "run", NULL) == NULL)
    return refuse_spec(path, "it names no run", error);
  load_object(object, spec);
  return TRUE;
}

gboolean
lac_figure_spec_load(const char *path, LacFigureSpec *spec, GError **error)
{
  g_return_val_if_fail(path != NULL && spec != NULL, FALSE);
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autoptr(GError)     wrong = NULL;
  if (!lac_json_load_file(parser, path, &wrong))
    return refuse_spec(path, wrong->message, error);
  return load_root(json_parser_get_root(parser), path, spec, error);
}

/* ---- writing ---- */

/* Rounds, so that a figure reproduced from the degrees in its side file has the same angle. */
static double
round_degrees(double radians)
{
  return round(radians * 180 / G_PI * 1e6) / 1e6;
}

static void
add_view(JsonBuilder *builder, const LacVolumeView *volume_view)
{
  lac_json_add_number(builder, "turn_deg", round_degrees(volume_view->orbit.turn));
  lac_json_add_number(builder, "tilt_deg", round_degrees(volume_view->orbit.tilt));
  lac_json_add_number(builder, "zoom", volume_view->orbit.zoom);
  json_builder_set_member_name(builder, "cut");
  json_builder_add_int_value(builder, volume_view->cut);
  lac_json_add_number(builder, "offset", volume_view->offset);
  lac_json_add_number(builder, "share", volume_view->share);
}

static void
add_facts(JsonBuilder *builder, const LacRunFile *run)
{
  json_builder_set_member_name(builder, "provenance");
  json_builder_begin_object(builder);
  for (gsize i = 0; i < run->n_facts; i++)
    lac_json_add_text(builder, run->facts[i].key, run->facts[i].value);
  json_builder_end_object(builder);
}

static void
add_runs(JsonBuilder *builder, const char *const *folders)
{
  g_autofree char *folder = g_canonicalize_filename(folders[0], NULL);
  lac_json_add_text(builder, "run", folder);
  if (folders[1] == NULL)
    return;
  json_builder_set_member_name(builder, "others");
  json_builder_begin_array(builder);
  for (gsize r = 1; folders[r] != NULL; r++) {
    g_autofree char *other = g_canonicalize_filename(folders[r], NULL);
    json_builder_add_string_value(builder, other);
  }
  json_builder_end_array(builder);
}

/* Adds the display units that differ from the native ones. */
static void
add_units(JsonBuilder *builder)
{
  json_builder_set_member_name(builder, "units");
  json_builder_begin_array(builder);
  for (LacDimension i = 0; i < LAC_N_DIMENSIONS; i++)
    if (lac_unit_preferred(i)->size != 1)
      json_builder_add_string_value(builder, lac_unit_preferred(i)->key);
  json_builder_end_array(builder);
}

/* @run: (nullable): adds its provenance. */
static char *
dup_json(const LacFigureSpec *spec,
         const char *const   *folders,
         const LacRunFile    *run,
         gboolean             pretty)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();
  json_builder_begin_object(builder);
  lac_json_add_integer(builder, "lacuna_figure", LAC_FIGURE_VERSION);
  lac_json_add_text(builder, "kind", lac_figure_kind_word(spec->kind));
  add_runs(builder, folders);
  if (run != NULL)
    lac_json_add_text(builder, "experiment", run->experiment);
  lac_figure_members_add(builder, spec);
  if (spec->has_view)
    add_view(builder, &spec->volume_view);
  add_units(builder);
  if (run != NULL)
    add_facts(builder, run);
  json_builder_end_object(builder);
  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  return lac_json_dup_text(root, pretty);
}

/* Returns: (transfer full): the text of a side file, with every default filled in. */
char *
lac_figure_spec_dup_text(const LacFigureSpec *spec, LacRunFile *const *runs, gsize n_runs)
{
  g_autoptr(GPtrArray) folders = g_ptr_array_new();
  for (gsize r = 0; r < n_runs; r++)
    g_ptr_array_add(folders, (gpointer) runs[r]->path);
  g_ptr_array_add(folders, NULL);
  g_autofree char *json = dup_json(spec, (const char *const *) folders->pdata, runs[0], TRUE);
  return g_strconcat(json, "\n", NULL);
}

char *
lac_figure_spec_dup_order(const LacFigureSpec *spec, const char *const *folders)
{
  g_return_val_if_fail(spec != NULL && folders != NULL && folders[0] != NULL, NULL);
  return dup_json(spec, folders, NULL, FALSE);
}

gboolean
lac_figure_spec_parse(const char *text, LacFigureSpec *spec, GError **error)
{
  g_return_val_if_fail(text != NULL && spec != NULL, FALSE);
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autoptr(GError)     wrong = NULL;
  if (!lac_json_load(parser, text, -1, &wrong))
    return refuse_spec("the text", wrong->message, error);
  return load_root(json_parser_get_root(parser), "the text", spec, error);
}

/* Replaces @spec by its side file read back, so that the reproduced figure is identical. */
void
lac_figure_spec_fill_from_runs(LacFigureSpec *spec, LacRunFile *const *runs, gsize n_runs)
{
  g_autofree char      *text = lac_figure_spec_dup_text(spec, runs, n_runs);
  g_autoptr(JsonParser) parser = json_parser_new();
  LacFigureSpec         settled = {0};
  gboolean              read = lac_json_load(parser, text, -1, NULL) &&
                  load_root(json_parser_get_root(parser), "", &settled, NULL);

  g_assert(read);
  if (!settled.has_view)
    settled.volume_view = LAC_VOLUME_VIEW_START;
  lac_figure_spec_clear(spec);
  *spec = settled;
}
