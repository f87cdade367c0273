/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing as PDF, EPS, SVG or PNG. */
#include "report/canvas/paint-private.h"
#include "report/canvas/paper-layout-private.h"

#include <math.h>

/* ---- SVG 1.1: shapes, text elements, cells as images ---- */

#define HATCH_STEP 4.0
#define HATCH_FILL 0.35

typedef struct {
  const LacDrawing *drawing;
  GString          *text;
  guint             n_clips;
} Writer;

static void
put(Writer *writer, const char *name, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(number, sizeof number, "%.3f", value == 0 ? 0 : value);
  g_string_append_printf(writer->text, " %s=\"%s\"", name, number);
}

static void
put_point(Writer *writer, char command, double x, double y)
{
  char across[G_ASCII_DTOSTR_BUF_SIZE], down[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(across, sizeof across, "%.3f", x);
  g_ascii_formatd(down, sizeof down, "%.3f", y);
  g_string_append_printf(writer->text, "%c%s %s", command, across, down);
}

static void
put_colour(Writer *writer, const char *name, LacColour colour)
{
  g_string_append_printf(writer->text, " %s=\"#%02x%02x%02x\"", name,
                         (guint) lroundf(255 * colour.red), (guint) lroundf(255 * colour.green),
                         (guint) lroundf(255 * colour.blue));
  if (colour.alpha < 1) {
    g_autofree char *opacity = g_strconcat(name, "-opacity", NULL);
    put(writer, opacity, (double) colour.alpha);
  }
}

static void
put_box(Writer *writer, const LacDrawItem *item)
{
  put(writer, "x", item->x);
  put(writer, "y", item->y);
  put(writer, "width", item->width);
  put(writer, "height", item->height);
}

static void
put_escaped(Writer *writer, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text(text, -1);
  g_string_append(writer->text, escaped);
}

static void
open_clip(Writer *writer, const LacDrawItem *item)
{
  guint id = ++writer->n_clips;
  g_string_append_printf(writer->text, "<clipPath id=\"clip%u\"><rect", id);
  put_box(writer, item);
  g_string_append_printf(writer->text, "/></clipPath>\n<g clip-path=\"url(#clip%u)\">\n", id);
}

static void
put_rectangle(Writer *writer, const LacDrawItem *item)
{
  LacColour fill = item->colour;
  if (item->hatched)
    fill.alpha *= (float) HATCH_FILL;
  g_string_append(writer->text, "<rect");
  put_box(writer, item);
  put_colour(writer, "fill", fill);
  g_string_append(writer->text, "/>\n");
  if (!item->hatched)
    return;

  open_clip(writer, item);
  g_string_append(writer->text, "<path fill=\"none\" stroke-width=\"0.7\"");
  put_colour(writer, "stroke", item->colour);
  g_string_append(writer->text, " d=\"");
  for (double x = item->x - item->height; x < item->x + item->width; x += HATCH_STEP) {
    put_point(writer, 'M', x, item->y + item->height);
    put_point(writer, 'L', x + item->height, item->y);
  }
  g_string_append(writer->text, "\"/>\n</g>\n");
}

static void
put_lines(Writer *writer, const LacDrawItem *item)
{
  const LacPoint *points = lac_drawing_get_points(writer->drawing) + item->first_point;
  double          lengths[2];
  g_string_append(writer->text, "<path");
  if (item->filled) {
    put_colour(writer, "fill", item->colour);
  } else {
    g_string_append(writer->text, " fill=\"none\" stroke-linejoin=\"round\"");
    put_colour(writer, "stroke", item->colour);
    put(writer, "stroke-width", item->line_width);
    if (lac_dash_lengths(item->dash, item->line_width, lengths) > 0) {
      char on[G_ASCII_DTOSTR_BUF_SIZE], off[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd(on, sizeof on, "%.3f", lengths[0]);
      g_ascii_formatd(off, sizeof off, "%.3f", lengths[1]);
      g_string_append_printf(writer->text, " stroke-dasharray=\"%s %s\"", on, off);
    }
  }
  g_string_append(writer->text, " d=\"");
  for (guint i = 0; i < item->n_points; i++)
    if (isfinite(points[i].x)) /* else the line breaks here */
      put_point(writer, i == 0 || !isfinite(points[i - 1].x) ? 'M' : 'L', points[i].x, points[i].y);
  g_string_append(writer->text, item->filled ? "Z\"/>\n" : "\"/>\n");
}

static void
put_text(Writer *writer, const LacDrawItem *item)
{
  static const char *const anchors[] = {
    [LAC_ALIGN_LEFT] = "start", [LAC_ALIGN_CENTRE] = "middle", [LAC_ALIGN_RIGHT] = "end"};
  const char *words = lac_drawing_get_text(writer->drawing, item);
  double      width = lac_text_width(words, item->size, item->bold);
  if (*words == '\0')
    return;
  g_string_append(writer->text, "<text");
  put(writer, "x", item->x);
  put(writer, "y", item->y);
  put(writer, "font-size", item->size);
  put(writer, "textLength", width);
  put_colour(writer, "fill", item->colour);
  g_string_append_printf(writer->text, " text-anchor=\"%s\" lengthAdjust=\"spacingAndGlyphs\"%s",
                         anchors[item->align], item->bold ? " font-weight=\"bold\"" : "");
  if (item->vertical) {
    g_string_append(writer->text, " transform=\"rotate(-90");
    put_point(writer, ' ', item->x, item->y);
    g_string_append(writer->text, ")\"");
  }
  g_string_append_c(writer->text, '>');
  put_escaped(writer, words);
  g_string_append(writer->text, "</text>\n");
}

static cairo_status_t
collect(void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append(closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
put_image(Writer *writer, const LacDrawItem *item)
{
  g_autoptr(GByteArray) png = g_byte_array_new();
  cairo_surface_t      *surface = lac_image_make_surface(item, lac_image_get_repeat(item));
  cairo_surface_write_to_png_stream(surface, collect, png);
  cairo_surface_destroy(surface);
  g_autofree char *base64 = g_base64_encode(png->data, png->len);
  g_string_append(writer->text, "<image");
  put_box(writer, item);
  g_string_append_printf(
    writer->text, " preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64,%s\"/>\n",
    base64);
}

static void
put_item(Writer *writer, const LacDrawItem *item)
{
  switch (item->kind) {
  case LAC_DRAW_RECTANGLE: put_rectangle(writer, item); break;
  case LAC_DRAW_LINES: put_lines(writer, item); break;
  case LAC_DRAW_TEXT: put_text(writer, item); break;
  case LAC_DRAW_IMAGE: put_image(writer, item); break;
  case LAC_DRAW_CLIP: open_clip(writer, item); break;
  case LAC_DRAW_UNCLIP: g_string_append(writer->text, "</g>\n"); break;
  }
}

static void
put_fact(Writer *writer, const char *element, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  g_string_append_printf(writer->text, "<%s>", element);
  put_escaped(writer, text);
  g_string_append_printf(writer->text, "</%s>\n", element);
}

/* Writes Dublin Core metadata, as read by Inkscape and others. */
static void
put_facts(Writer *writer, const LacPaperFacts *facts)
{
  put_fact(writer, "title", facts->title);
  put_fact(writer, "desc", facts->subject);
  g_string_append(
    writer->text,
    "<metadata>\n"
    "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
    "xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<rdf:Description rdf:about=\"\">\n"
    "<dc:publisher>Lacuna</dc:publisher>\n");
  put_fact(writer, "dc:title", facts->title);
  put_fact(writer, "dc:date", facts->created);
  put_fact(writer, "dc:subject", facts->keywords);
  put_fact(writer, "dc:source", facts->source);
  g_string_append(writer->text, "</rdf:Description>\n</rdf:RDF>\n</metadata>\n");
}

/* Returns: (transfer full): SVG with text as text elements; textLength fixes their width for any installed font. */
static char *
sheet_dup_svg(const LacDrawing *drawing, const LacPaperLayout *sheet)
{
  g_return_val_if_fail(drawing != NULL && sheet != NULL, NULL);
  Writer writer = {drawing, g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), 0};
  char   across[G_ASCII_DTOSTR_BUF_SIZE], down[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(across, sizeof across, "%.4f", sheet->width);
  g_ascii_formatd(down, sizeof down, "%.4f", sheet->height);
  g_string_append_printf(writer.text,
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                         "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" "
                         "width=\"%spt\" height=\"%spt\" viewBox=\"0 0 %s %s\" "
                         "font-family=\"DejaVu Sans, Sans, sans-serif\">\n",
                         across, down, across, down);
  put_facts(&writer, &sheet->facts);
  if (!sheet->is_clear)
    g_string_append(writer.text, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++)
    put_item(&writer, lac_drawing_get_item(drawing, i));
  g_string_append(writer.text, "</svg>\n");
  return g_string_free(writer.text, FALSE);
}

/* ---- page ---- */

gboolean
lac_paper_layout_write(const LacDrawing     *drawing,
                       const LacPaperLayout *sheet,
                       const char           *path,
                       GError              **error)
{
  g_return_val_if_fail(drawing != NULL && sheet != NULL && path != NULL, FALSE);
  g_autofree char *lower = g_ascii_strdown(path, -1);
  if (g_str_has_suffix(lower, ".svg")) {
    g_autofree char *text = sheet_dup_svg(drawing, sheet);
    return lac_text_write(path, text, error);
  }
  g_autoptr(LacPaper) paper = lac_paper_open_page(
    path, &(LacPaperPage){sheet->width, sheet->height, sheet->dpi, sheet->is_clear}, error);
  if (paper == NULL)
    return FALSE;
  lac_paper_describe(paper, &sheet->facts);
  lac_drawing_paint(drawing, lac_paper_get_cairo(paper));
  return lac_paper_finish(paper, error);
}
