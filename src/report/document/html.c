/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Self-contained HTML report: pictures are inline SVG, in light and dark colours. */
#include "report/document/document-private.h"
#include "report/text/words.h"

#include <cairo-svg.h>
#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define PICTURE_WIDTH 520.0 /* as drawn; displayed at page width, 1.5 times as wide */

typedef struct {
  LacDocument document;
  GString    *text;
} Html;

static const char style[] =
  ":root{color-scheme:light "
  "dark;--back:#fff;--fore:#1b1b1f;--faint:#5d5d66;--line:#d9d9df;--tile:#f3f4f7;"
  "--mark:#2a6fb0}\n"
  "@media(prefers-color-scheme:dark){:root{--back:#1e1e22;--fore:#ececf0;--faint:#a4a4ae;--line:#"
  "3c3c44;"
  "--tile:#29292f;--mark:#78aee0}}\n"
  "body{background:var(--back);color:var(--fore);font:15px/1.5 "
  "system-ui,sans-serif;max-width:800px;"
  "margin:2rem auto;padding:0 1rem}\n"
  "h1{font-size:1.6rem;line-height:1.2;margin:2.5rem 0 .3rem}h2{font-size:1.15rem;margin:2rem 0 "
  ".5rem}\n"
  ".faint{color:var(--faint);font-size:.87rem}\n"
  ".tiles{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}\n"
  ".tile{flex:1 1 8rem;background:var(--tile);border-left:3px solid var(--mark);padding:.5rem "
  ".8rem}.tile:first-child{flex-grow:2}\n"
  ".tile b{display:block;font-size:1.25rem;line-height:1.3;overflow-wrap:anywhere}.tile "
  "span{color:var(--faint);font-size:.8rem}\n"
  ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.83rem;"
  "font-variant-numeric:tabular-nums}\n"
  "th,td{padding:.22rem "
  ".5rem;border-bottom:1px solid "
  "var(--line);white-space:nowrap;text-align:left}th{color:var(--faint);font-weight:600}\n"
  "td.flexible{white-space:normal}.right{text-align:right}.centre{text-align:center}tr.strong "
  "td{font-weight:600}tr.group td{color:var(--faint);padding-top:.7rem}\n"
  "img{display:block;width:100%;height:auto;margin:.4rem 0}.paper{background:#fff}\n"
  "section+section{border-top:1px solid var(--line);margin-top:3rem}\n"
  "@media print{body{max-width:none;margin:0}}\n";

static void
put_text(GString *html, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  g_autofree char *escaped = g_markup_escape_text(valid, -1);
  g_string_append(html, escaped);
}

static void
put_element(LacDocument *document, const char *open, const char *text, const char *close)
{
  GString *html = ((Html *) document)->text;
  g_string_append(html, open);
  put_text(html, text);
  g_string_append(html, close);
}

static void
begin_run(LacDocument *document, gboolean is_first)
{
  if (!is_first)
    g_string_append(((Html *) document)->text, "</section>\n<section>\n");
}

static void
put_title(LacDocument *document, const char *text)
{
  put_element(document, "<h1>", text, "</h1>\n");
}

static void
put_heading(LacDocument *document, const char *text)
{
  put_element(document, "<h2>", text, "</h2>\n");
}

static void
put_paragraph(LacDocument *document, const char *text, gboolean is_faint)
{
  put_element(document, is_faint ? "<p class=\"faint\">" : "<p>", text, "</p>\n");
}

static void
put_items(LacDocument *document, const char *const *texts, gsize n)
{
  GString *html = ((Html *) document)->text;
  g_string_append(html, "<ul>\n");
  for (gsize i = 0; i < n; i++)
    put_element(document, "<li>", texts[i], "</li>\n");
  g_string_append(html, "</ul>\n");
}

static void
put_tiles(LacDocument *document, const LacTile *tiles, gsize n)
{
  GString *html = ((Html *) document)->text;
  g_string_append(html, "<div class=\"tiles\">\n");
  for (gsize i = 0; i < n; i++) {
    put_element(document, "<div class=\"tile\"><span>", tiles[i].label, "</span>");
    put_element(document, "<b>", tiles[i].value, "</b></div>\n");
  }
  g_string_append(html, "</div>\n");
}

static void
put_cell(GString *html, const LacColumn *column, const char *tag, const char *text)
{
  static const char *const aligns[] = {
    [LAC_ALIGN_LEFT] = "left", [LAC_ALIGN_CENTRE] = "centre", [LAC_ALIGN_RIGHT] = "right"};
  g_string_append_printf(html, "<%s class=\"%s%s\">", tag, aligns[column->align],
                         column->flexible ? " flexible" : "");
  put_text(html, text);
  g_string_append_printf(html, "</%s>", tag);
}

static void
put_row(GString *html, const LacTable *table, gsize r)
{
  static const char *const kinds[] = {
    [LAC_ROW_PLAIN] = "<tr>", [LAC_ROW_STRONG] = "<tr class=\"strong\">", [LAC_ROW_GROUP] = ""};
  const char *const *cells = (const char *const *) table->cells->pdata + r * table->n_columns;
  guint              kind = g_array_index(table->kinds, guint, r);
  if (kind == LAC_ROW_GROUP) {
    g_string_append_printf(html, "<tr class=\"group\"><td colspan=\"%" G_GSIZE_FORMAT "\">",
                           table->n_columns);
    put_text(html, cells[0]);
    g_string_append(html, "</td></tr>\n");
    return;
  }
  g_string_append(html, kinds[kind]);
  for (gsize c = 0; c < table->n_columns; c++)
    put_cell(html, &table->columns[c], "td", cells[c] != NULL ? cells[c] : "");
  g_string_append(html, "</tr>\n");
}

static void
put_table(LacDocument *document, const LacTable *table)
{
  GString *html = ((Html *) document)->text;
  g_string_append(html, "<div class=\"wide\"><table>\n<thead><tr>");
  for (gsize c = 0; c < table->n_columns; c++)
    put_cell(html, &table->columns[c], "th", lac_word(table->columns[c].title));
  g_string_append(html, "</tr></thead>\n<tbody>\n");
  for (gsize r = 0; r < table->kinds->len; r++)
    put_row(html, table, r);
  g_string_append(html, "</tbody></table></div>\n");
}

static cairo_status_t
collect(void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append(closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* Returns a picture as a data URI. */
static char *
dup_svg(const LacPicture *picture, double height, const LacPalette *palette)
{
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  picture->draw(drawing, (LacPoint){0, 0}, PICTURE_WIDTH, palette, picture->data);
  cairo_surface_t *surface =
    cairo_svg_surface_create_for_stream(collect, bytes, PICTURE_WIDTH, height);
  cairo_t *cairo = cairo_create(surface);
  lac_drawing_paint(drawing, cairo);
  cairo_destroy(cairo);
  cairo_surface_finish(surface);
  cairo_surface_destroy(surface);
  g_autofree char *coded = g_base64_encode(bytes->data, bytes->len);
  return g_strconcat("data:image/svg+xml;base64,", coded, NULL);
}

static void
put_picture(LacDocument *document, const LacPicture *picture)
{
  GString *html = ((Html *) document)->text;
  double   height = ceil(
      picture->draw(NULL, (LacPoint){0, 0}, PICTURE_WIDTH, &lac_palette_light, picture->data) + 2);
  g_autofree char *day =
    dup_svg(picture, height, picture->on_paper ? &lac_palette_paper : &lac_palette_light);
  g_string_append(html, "<picture>");
  if (!picture->on_paper) {
    g_autofree char *night = dup_svg(picture, height, &lac_palette_dark);
    g_string_append_printf(html, "<source media=\"(prefers-color-scheme: dark)\" srcset=\"%s\">",
                           night);
  }
  g_string_append_printf(html, "<img%s width=\"%.0f\" height=\"%.0f\" src=\"%s\" alt=\"",
                         picture->on_paper ? " class=\"paper\"" : "", PICTURE_WIDTH, height, day);
  put_text(html, picture->words);
  g_string_append(html, "\"></picture>\n");
}

char *
lac_document_dup_html(const LacDocumentContent *content, GError **error)
{
  Html html = {{begin_run, put_title, put_heading, put_paragraph, put_items, put_tiles, put_table,
                put_picture},
               g_string_new("<!DOCTYPE html>\n<html lang=\"@\">\n<head>\n<meta charset=\"utf-8\">\n"
                            "<meta name=\"viewport\" content=\"width=device-width\">\n<title>")};
  /* Translators: the language code for HTML: de, zh-TW. */
  g_string_replace(html.text, "@", C_("language", "en"), 1);
  put_text(html.text, content->title);
  g_string_append_printf(
    html.text, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<section>\n", style);
  gboolean reported = content->add(&html.document, content->data, error);
  g_string_append(html.text, "</section>\n</main>\n</body>\n</html>\n");
  return g_string_free(html.text, !reported);
}
