/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of the members of a figure description. */
#include "report/figure/members.h"

#include "base/error.h"
#include "field/transfer.h"
#include "io/format/json-text.h"
#include "report/canvas/colour-map.h"
#include "report/figure/figure-private.h"
#include "report/figure/journal.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* ---- words ---- */

static const char *
journal_word(gsize i, const char **reported)
{
  gsize             n;
  const LacJournal *journals = lac_journals(&n);

  *reported = i < n ? journals[i].title : NULL;
  return i < n ? journals[i].key : NULL;
}

static const char *
columns_word(gsize i, const char **reported)
{
  return *reported = i < LAC_N_COLUMNS ? lac_columns_word((LacColumns) i) : NULL;
}

static const char *
map_word(gsize i, const char **reported)
{
  gsize               n;
  const LacColourMap *maps = lac_colour_maps(&n);

  *reported = i == 0 ? N_("Field default") : i <= n ? maps[i - 1].name : NULL;
  return i == 0 ? "" : *reported;
}

static const char *
transfer_word(gsize i, const char **reported)
{
  static const char *const titles[LAC_N_TRANSFERS] = {
    N_("Linear"), N_("Logarithmic"), N_("Symmetric logarithmic"), N_("Asinh"), N_("Square root")};

  *reported = i < LAC_N_TRANSFERS ? titles[i] : NULL;
  return i < LAC_N_TRANSFERS ? lac_transfer_word((LacTransfer) i) : NULL;
}

static const char *
panels_word(gsize i, const char **reported)
{
  static const struct {
    const char *word, *title;
  } panels[LAC_N_PANELS] = {
    [LAC_PANELS_ALL] = {"all", N_("Fields and errors")},
    [LAC_PANELS_ERRORS] = {"errors", N_("Truth and errors")},
    [LAC_PANELS_DEVIATION] = {"deviation", N_("Uncertainties")},
    [LAC_PANELS_PAIR] = {"pair", N_("Two fields")},
    [LAC_PANELS_DIFFERENCE] = {"difference", N_("Difference only")},
    [LAC_PANELS_ONE] = {"one", N_("One field")},
  };

  *reported = i < LAC_N_PANELS ? panels[i].title : NULL;
  return i < LAC_N_PANELS ? panels[i].word : NULL;
}

const char *
lac_panels_word(LacPanels panels)
{
  const char *reported;

  return panels_word(panels, &reported);
}

/* ---- the table ---- */

#define AT(member) G_STRUCT_OFFSET(LacFigureSpec, member)

static const LacFigureMember members[] = {
  {"channel", AT(channel), LAC_MEMBER_TEXT, 0, 0, "channel", 'c', "KEY",
   "Channel to show (default: first reconstruction)", NULL, NULL},
  {"step", AT(step), LAC_MEMBER_INTEGER, -1, (double) G_MAXINT64, "step", 's', "STEP",
   "Step to show, by its nearest saved frame (default: last)", NULL, NULL},
  {"n_steps", AT(n_steps), LAC_MEMBER_INTEGER, 0, 1000, "steps", 0, "N",
   "Number of steps in a timeline (default: 3)", NULL, NULL},
  {"between_s", AT(between), LAC_MEMBER_RANGE, 0, 0, "between", 0, "BEGIN,END",
   "Time range of a timeline, phases or flame graph, in seconds from the first record", NULL, NULL},
  {"against_seconds", AT(against_seconds), LAC_MEMBER_FLAG, 0, 0, "seconds", 0, NULL,
   "Plot curves over compute time, and compare frames of equal compute time", NULL, NULL},
  {"panels", AT(look.panels), LAC_MEMBER_WORD, 0, 0, "panels", 0, "WORD",
   "Panels of a field figure: all, errors, deviation, pair, difference or one", N_("Panels"),
   panels_word},
  {"colour_map", AT(look.colour_map), LAC_MEMBER_WORD, 0, 0, "colour-map", 0, "NAME",
   "Colour map (default: that of the field)", N_("Colours"), map_word},
  {"transfer", AT(look.transfer), LAC_MEMBER_WORD, 0, 0, "scale", 0, "WORD",
   "Colour scale: linear, log, symlog, asinh or root", N_("Scale"), transfer_word},
  {"limits", AT(look.limits), LAC_MEMBER_RANGE, 0, 0, "limits", 0, "LOW,HIGH",
   "Limits of the colour bar (default: range of the true field)", N_("Limits"), NULL},
  {"error_colour_map", AT(look.error_colour_map), LAC_MEMBER_WORD, 0, 0, "error-colour-map", 0,
   "NAME", "Colour map of errors (default: balance)", N_("Error Colours"), map_word},
  {"error_transfer", AT(look.error_transfer), LAC_MEMBER_WORD, 0, 0, "error-scale", 0, "WORD",
   "Colour scale of errors", N_("Error Scale"), transfer_word},
  {"error_limits", AT(look.error_limits), LAC_MEMBER_RANGE, 0, 0, "error-limits", 0, "LOW,HIGH",
   "Limits of the colour bar of errors", N_("Error Limits"), NULL},
  {"isolines", AT(look.isolines), LAC_MEMBER_FLAG, 0, 0, "isolines", 0, NULL,
   "Draw isolines at round values over the fields", N_("Isolines"), NULL},
  {"arrows", AT(look.flow.arrows), LAC_MEMBER_FLAG, 0, 0, "arrows", 0, NULL,
   "Draw velocity arrows over the fields", N_("Arrows"), NULL, TRUE},
  {"streamlines", AT(look.flow.streamlines), LAC_MEMBER_FLAG, 0, 0, "streamlines", 0, NULL,
   "Draw streamlines over the fields", N_("Streamlines"), NULL, TRUE},
  {"flow_texture", AT(look.flow.texture), LAC_MEMBER_FLAG, 0, 0, "flow-texture", 0, NULL,
   "Draw a flow texture (line integral convolution) over the fields", N_("Flow texture"), NULL,
   TRUE},
  {"journal", AT(journal), LAC_MEMBER_WORD, 0, 0, "journal", 'j', "KEY",
   "Journal that sets the sizes: nature, science, pnas, ieee, elsevier, aps, aip, acs, rsc, "
   "springer, plos, aa or slide",
   NULL, journal_word},
  {"columns", AT(columns), LAC_MEMBER_WORD, 0, 0, "columns", 0, "WORD",
   "Figure width: single, one-and-a-half or double (default: double)", NULL, columns_word},
  {"width_mm", AT(width_mm), LAC_MEMBER_REAL, 40, 500, "width", 'w', "MM",
   "Figure width instead of the journal's", NULL, NULL},
  {"font_size_pt", AT(font_size), LAC_MEMBER_REAL, 4, 30, "font-size", 0, "POINTS", "Font size",
   NULL, NULL},
  {"line_width_pt", AT(line_width), LAC_MEMBER_REAL, 0.1, 5, "line-width", 0, "POINTS",
   "Line width of frames; curves are twice as wide", NULL, NULL},
  {"dpi", AT(dpi), LAC_MEMBER_REAL, 50, 1200, "dpi", 0, "DPI", "Resolution of a PNG", NULL, NULL},
  {"caption", AT(caption), LAC_MEMBER_TEXT, 0, 0, "caption", 0, "TEXT", "Caption; \"\": none", NULL,
   NULL},
  {"scale_bar", AT(without_scale_bar), LAC_MEMBER_OFF, 0, 0, "no-scale-bar", 0, NULL,
   "Omit the scale bar", NULL, NULL},
  {"transparent", AT(transparent), LAC_MEMBER_FLAG, 0, 0, "transparent", 0, NULL,
   "Omit the white background of a PNG, SVG or EPS; a PDF has none", NULL, NULL},
};

const LacFigureMember *
lac_figure_members(gsize *n)
{
  *n = G_N_ELEMENTS(members);
  return members;
}

gpointer
lac_figure_member_of(const LacFigureMember *member, const LacFigureSpec *spec)
{
  return G_STRUCT_MEMBER_P(spec, member->offset);
}

/* ---- as text ---- */

static gboolean
parse_range(const LacFigureMember *member, const char *text, LacFigureRange *range, GError **error)
{
  g_auto(GStrv)  parts = g_strsplit(text, ",", -1);
  LacFigureRange read = {.is_given = TRUE};
  double        *ends[] = {&read.low, &read.high};
  gboolean       is_sound = g_strv_length(parts) == 2;

  for (gsize i = 0; is_sound && i < G_N_ELEMENTS(ends); i++) {
    char *end;

    *ends[i] = g_ascii_strtod(g_strstrip(parts[i]), &end);
    is_sound = end != parts[i] && *end == '\0' && isfinite(*ends[i]);
  }
  if (!is_sound || !(read.high > read.low)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "%s = %s must be two numbers, the lower one first, as in -2,3", member->option,
                text);
    return FALSE;
  }
  *range = read;
  return TRUE;
}

static gboolean
check_word(const LacFigureMember *member, const char *text, GError **error)
{
  g_autoptr(GString) words = g_string_new(NULL);
  const char        *word, *reported;

  for (gsize i = 0; (word = member->word(i, &reported)) != NULL; i++) {
    if (g_str_equal(word, text))
      return TRUE;
    g_string_append_printf(words, "%s%s", words->len > 0 ? ", " : "", word);
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "%s = %s is unknown; allowed: %s", member->option,
              text, words->str);
  return FALSE;
}

gboolean
lac_figure_member_parse(const LacFigureMember *member,
                        const char            *text,
                        LacFigureSpec         *spec,
                        GError               **error)
{
  g_return_val_if_fail(member != NULL && text != NULL && spec != NULL, FALSE);
  gpointer at = lac_figure_member_of(member, spec);

  if (member->kind == LAC_MEMBER_RANGE && *text == '\0') {
    *(LacFigureRange *) at = (LacFigureRange){0};
    return TRUE;
  }
  if (member->kind == LAC_MEMBER_RANGE)
    return parse_range(member, text, at, error);
  g_return_val_if_fail(member->kind == LAC_MEMBER_TEXT || member->kind == LAC_MEMBER_WORD, FALSE);
  if (member->kind == LAC_MEMBER_WORD && *text != '\0' && !check_word(member, text, error))
    return FALSE;
  g_free(*(char **) at);
  *(char **) at = member->kind == LAC_MEMBER_WORD && *text == '\0' ? NULL : g_strdup(text);
  return TRUE;
}

char *
lac_figure_member_dup_text(const LacFigureMember *member, const LacFigureSpec *spec)
{
  g_return_val_if_fail(member != NULL && spec != NULL, NULL);
  const LacFigureRange *range = lac_figure_member_of(member, spec);
  char                  low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];

  if (member->kind != LAC_MEMBER_RANGE)
    return g_strdup(*(char **) lac_figure_member_of(member, spec));
  if (!range->is_given)
    return g_strdup("");
  return g_strdup_printf("%s, %s", g_ascii_formatd(low, sizeof low, "%.6g", range->low),
                         g_ascii_formatd(high, sizeof high, "%.6g", range->high));
}

gboolean
lac_figure_spec_check(const LacFigureSpec *spec, GError **error)
{
  g_return_val_if_fail(spec != NULL, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
    const char *const *text = lac_figure_member_of(&members[i], spec);

    if (members[i].kind == LAC_MEMBER_WORD && *text != NULL &&
        !check_word(&members[i], *text, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- members of the structure ---- */

static gboolean
is_text(const LacFigureMember *member)
{
  return member->kind == LAC_MEMBER_TEXT || member->kind == LAC_MEMBER_WORD;
}

void
lac_figure_members_clear(LacFigureSpec *spec)
{
  for (gsize i = 0; i < G_N_ELEMENTS(members); i++)
    if (is_text(&members[i]))
      g_clear_pointer((char **) lac_figure_member_of(&members[i], spec), g_free);
}

void
lac_figure_members_own(LacFigureSpec *copy)
{
  for (gsize i = 0; i < G_N_ELEMENTS(members); i++)
    if (is_text(&members[i])) {
      char **text = lac_figure_member_of(&members[i], copy);
      *text = g_strdup(*text);
    }
}

/* ---- as JSON ---- */

static double
load_real(JsonObject *object, const LacFigureMember *member)
{
  double value = json_object_get_double_member_with_default(object, member->key, 0);
  return value == 0 ? 0 : CLAMP(value, member->least, member->most);
}

static gint64
load_integer(JsonObject *object, const LacFigureMember *member)
{
  const gint64 least = (gint64) member->least;
  gint64       value = json_object_get_int_member_with_default(object, member->key, least);

  if ((double) value >= member->most)
    return member->most < (double) G_MAXINT64 ? (gint64) member->most : value;
  return MAX(value, least);
}

static LacFigureRange
load_range(JsonObject *object, const LacFigureMember *member)
{
  JsonNode  *node = json_object_get_member(object, member->key);
  JsonArray *pair = node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
  LacFigureRange range = {0};

  if (pair == NULL || json_array_get_length(pair) != 2)
    return range;
  for (guint i = 0; i < 2; i++)
    if (!JSON_NODE_HOLDS_VALUE(json_array_get_element(pair, i)))
      return range;
  range.low = json_array_get_double_element(pair, 0);
  range.high = json_array_get_double_element(pair, 1);
  range.is_given = isfinite(range.low) && isfinite(range.high) && range.high > range.low;
  return range.is_given ? range : (LacFigureRange){0};
}

void
lac_figure_members_load(JsonObject *object, LacFigureSpec *spec)
{
  for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
    const LacFigureMember *member = &members[i];
    const char            *key = member->key;
    gpointer               at = lac_figure_member_of(member, spec);

    switch (member->kind) {
    case LAC_MEMBER_TEXT:
    case LAC_MEMBER_WORD:
      *(char **) at = g_strdup(json_object_get_string_member_with_default(object, key, NULL));
      break;
    case LAC_MEMBER_REAL: *(double *) at = load_real(object, member); break;
    case LAC_MEMBER_INTEGER: *(gint64 *) at = load_integer(object, member); break;
    case LAC_MEMBER_FLAG:
      *(gboolean *) at = json_object_get_boolean_member_with_default(object, key, FALSE);
      break;
    case LAC_MEMBER_OFF:
      *(gboolean *) at = !json_object_get_boolean_member_with_default(object, key, TRUE);
      break;
    case LAC_MEMBER_RANGE: *(LacFigureRange *) at = load_range(object, member); break;
    }
  }
}

static void
add_range(JsonBuilder *builder, const char *key, const LacFigureRange *range)
{
  if (!range->is_given)
    return;
  json_builder_set_member_name(builder, key);
  json_builder_begin_array(builder);
  json_builder_add_double_value(builder, range->low);
  json_builder_add_double_value(builder, range->high);
  json_builder_end_array(builder);
}

static void
add_text(JsonBuilder *builder, const char *key, const char *text)
{
  if (text != NULL)
    lac_json_add_text(builder, key, text);
}

static void
add_flag(JsonBuilder *builder, const char *key, gboolean value)
{
  json_builder_set_member_name(builder, key);
  json_builder_add_boolean_value(builder, value);
}

void
lac_figure_members_add(JsonBuilder *builder, const LacFigureSpec *spec)
{
  for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
    const LacFigureMember *member = &members[i];
    gconstpointer          at = lac_figure_member_of(member, spec);

    switch (member->kind) {
    case LAC_MEMBER_TEXT:
    case LAC_MEMBER_WORD: add_text(builder, member->key, *(const char *const *) at); break;
    case LAC_MEMBER_REAL:
      if (*(const double *) at != 0)
        lac_json_add_number(builder, member->key, *(const double *) at);
      break;
    case LAC_MEMBER_INTEGER:
      lac_json_add_integer(builder, member->key, *(const gint64 *) at);
      break;
    case LAC_MEMBER_FLAG: add_flag(builder, member->key, *(const gboolean *) at); break;
    case LAC_MEMBER_OFF: add_flag(builder, member->key, !*(const gboolean *) at); break;
    case LAC_MEMBER_RANGE: add_range(builder, member->key, at); break;
    }
  }
}
