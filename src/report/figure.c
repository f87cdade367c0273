/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure as a file, with the side file that re-creates it. */
#include "report/figure.h"

#include "base/error.h"
#include "io/json-text.h"
#include "report/paper-private.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define DEFAULT_WIDTH_MM 183.0 /* two columns of Nature */
#define DEFAULT_FONT     7.0
#define DEFAULT_DPI      300.0
#define MARGIN           4.0 /* points */

void
lac_figure_spec_clear(LacFigureSpec *spec)
{
  g_free(spec->run);
  g_free(spec->channel);
  memset(spec, 0, sizeof *spec);
}

static gboolean
refuse_spec(const char *path, const char *why, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is not a figure of Lacuna: %s", path, why);
  return FALSE;
}

static double
get_size(JsonObject *object, const char *member, double least, double most)
{
  double value = json_object_get_double_member_with_default(object, member, 0);
  return value == 0 ? 0 : CLAMP(value, least, most);
}

gboolean
lac_figure_spec_load(const char *path, LacFigureSpec *spec, GError **error)
{
  g_return_val_if_fail(path != NULL && spec != NULL, FALSE);
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autoptr(GError)     wrong = NULL;
  if (!json_parser_load_from_file(parser, path, &wrong))
    return refuse_spec(path, wrong->message, error);
  JsonNode *root = json_parser_get_root(parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT(root))
    return refuse_spec(path, "it holds no JSON object", error);
  JsonObject *object = json_node_get_object(root);
  gint64      version = json_object_get_int_member_with_default(object, "lacuna_figure", 0);
  const char *run = json_object_get_string_member_with_default(object, "run", NULL);
  if (version != LAC_FIGURE_VERSION)
    return refuse_spec(path, "lacuna_figure is not 1", error);
  if (run == NULL)
    return refuse_spec(path, "it names no run", error);
  spec->run = g_strdup(run);
  spec->channel = g_strdup(json_object_get_string_member_with_default(object, "channel", NULL));
  spec->step = json_object_get_int_member_with_default(object, "step", -1);
  spec->width_mm = get_size(object, "width_mm", 40, 500);
  spec->font_size = get_size(object, "font_size_pt", 4, 30);
  spec->dpi = get_size(object, "dpi", 50, 1200);
  return TRUE;
}

static void
add_member(JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name(builder, name);
  json_builder_add_string_value(builder, value);
}

static gboolean
write_side_file(const LacRunFile    *run,
                const LacFigureSpec *spec,
                gint64               step,
                const char          *path,
                GError             **error)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();
  json_builder_begin_object(builder);
  json_builder_set_member_name(builder, "lacuna_figure");
  json_builder_add_int_value(builder, LAC_FIGURE_VERSION);
  g_autofree char *folder = g_canonicalize_filename(run->path, NULL);
  add_member(builder, "run", folder);
  add_member(builder, "experiment", run->experiment);
  add_member(builder, "channel", spec->channel);
  json_builder_set_member_name(builder, "step");
  json_builder_add_int_value(builder, step);
  lac_json_add_number(builder, "width_mm", spec->width_mm);
  lac_json_add_number(builder, "font_size_pt", spec->font_size);
  lac_json_add_number(builder, "dpi", spec->dpi);
  json_builder_set_member_name(builder, "provenance");
  json_builder_begin_object(builder);
  for (gsize i = 0; i < run->n_facts; i++)
    add_member(builder, run->facts[i].key, run->facts[i].value);
  json_builder_end_object(builder);
  json_builder_end_object(builder);

  g_autoptr(JsonNode) root = json_builder_get_root(builder);
  g_autofree char    *json = lac_json_dup_text(root, TRUE);
  g_autofree char    *text = g_strconcat(json, "\n", NULL);
  g_autofree char    *beside = g_strconcat(path, ".json", NULL);
  return lac_text_write(beside, text, error);
}

gssize
lac_figure_choose_channel(const LacRunFile *run, const char *key, GError **error)
{
  if (key != NULL) {
    gssize found = lac_run_file_find_channel(run, key);
    if (found >= 0)
      return found;
    g_autoptr(GString) keys = g_string_new(NULL);
    for (gsize i = 0; i < run->n_channels; i++)
      g_string_append_printf(keys, "%s%s", i > 0 ? ", " : "", run->channels[i].key);
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
                "channel = %s is not in this run; it has %s", key, keys->str);
    return -1;
  }
  for (gsize i = 0; i < run->n_channels; i++)
    if (run->channels[i].role == LAC_ROLE_RECONSTRUCTION)
      return (gssize) i;
  if (run->n_channels > 0)
    return 0;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s has no channel to draw", run->path);
  return -1;
}

static void
describe(LacPaper *paper, const LacRunFile *run, const LacFrame *frame)
{
  g_autofree char   *title = g_strdup_printf("%s, step %" G_GINT64_FORMAT, run->title, frame->step);
  g_autofree char   *name = g_path_get_basename(run->path);
  g_autofree char   *subject = g_strdup_printf("Figure of the run %s (%s)", name, run->experiment);
  g_autoptr(GString) keywords = g_string_new(name);
  for (gsize i = 0; i < run->n_facts; i++)
    g_string_append_printf(keywords, "; %s: %s", run->facts[i].key, run->facts[i].value);
  lac_paper_describe(paper, title, subject, keywords->str);
}

gboolean
lac_figure_write_spec(const LacRunFile    *run,
                      const LacFigureSpec *spec,
                      const char          *path,
                      GError             **error)
{
  g_return_val_if_fail(run != NULL && spec != NULL && path != NULL, FALSE);
  gssize channel = lac_figure_choose_channel(run, spec->channel, error);
  if (channel < 0)
    return FALSE;
  gssize kept = lac_run_file_find_frame(run, spec->step < 0 ? G_MAXINT64 : spec->step);
  if (kept < 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s keeps no frame to draw; it ended before the first one", run->path);
    return FALSE;
  }
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, (gsize) kept, error);
  if (frame == NULL)
    return FALSE;

  LacFigureSpec whole = {
    .channel = run->channels[channel].key,
    .width_mm = spec->width_mm > 0 ? spec->width_mm : DEFAULT_WIDTH_MM,
    .font_size = spec->font_size > 0 ? spec->font_size : DEFAULT_FONT,
    .dpi = spec->dpi > 0 ? spec->dpi : DEFAULT_DPI,
  };
  double         width = whole.width_mm * LAC_POINTS_PER_MM;
  LacFigurePlace place = {MARGIN, MARGIN, width - 2 * MARGIN, whole.font_size, (gsize) channel,
                          TRUE,   NULL};
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  double                height = lac_figure_draw(drawing, run, frame, &place) + 2 * MARGIN;
  g_autoptr(LacPaper)   paper = lac_paper_open(path, width, height, whole.dpi, error);
  if (paper == NULL)
    return FALSE;
  describe(paper, run, frame);
  lac_drawing_paint(drawing, lac_paper_get_cairo(paper));
  return lac_paper_finish(paper, error) && write_side_file(run, &whole, frame->step, path, error);
}

gboolean
lac_figure_write(const LacRunFile *run,
                 const char       *channel,
                 gint64            step,
                 const char       *path,
                 GError          **error)
{
  LacFigureSpec spec = {.channel = (char *) channel, .step = step};
  return lac_figure_write_spec(run, &spec, path, error);
}
