/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paper painter: a drawing list onto a Cairo context. Text is set by Pango. */
#include "report/canvas/canvas.h"
#include "report/canvas/paint-private.h"

#include <pango/pangocairo.h>

#include <math.h>

#define HATCH_STEP    4.0   /* distance between the lines of a hatched rectangle */
#define HATCH_FILL    0.35F /* opacity below the lines */
#define DOTS_PER_INCH 300.0

PangoFontDescription *
lac_text_font(double size, gboolean bold)
{
  PangoFontDescription *font = pango_font_description_new();
  pango_font_description_set_family_static(font, "DejaVu Sans, Sans");
  pango_font_description_set_weight(font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  return font;
}

/* Disables metric hinting, so that text has the same width on paper and on screen at any scale. */
static void
set_unhinted(PangoContext *context)
{
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  pango_cairo_context_set_font_options(context, options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(context, FALSE);
}

static PangoLayout *
make_layout(PangoContext *context, const char *text, double size, gboolean bold)
{
  PangoLayout          *layout = pango_layout_new(context);
  PangoFontDescription *font = lac_text_font(size, bold);
  pango_layout_set_font_description(layout, font);
  pango_font_description_free(font);
  pango_layout_set_single_paragraph_mode(layout, TRUE);
  pango_layout_set_text(layout, text, -1);
  return layout;
}

static GObject *
make_context(void)
{
  PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
  set_unhinted(context);
  return G_OBJECT(context);
}

static double
layout_width(PangoLayout *layout)
{
  PangoRectangle logical;
  pango_layout_get_extents(layout, NULL, &logical);
  return (double) logical.width / PANGO_SCALE;
}

double
lac_text_width(const char *text, double size, gboolean bold)
{
  g_return_val_if_fail(text != NULL, 0);
  g_autoptr(GObject)     owner = make_context();
  PangoContext          *context = PANGO_CONTEXT(owner);
  g_autoptr(PangoLayout) layout = make_layout(context, text, size, bold);
  return layout_width(layout);
}

char *
lac_text_dup_fitted(const char *text, double size, gboolean bold, double width)
{
  g_return_val_if_fail(text != NULL, NULL);
  g_autoptr(GObject)     owner = make_context();
  PangoContext          *context = PANGO_CONTEXT(owner);
  g_autoptr(PangoLayout) layout = make_layout(context, text, size, bold);
  if (layout_width(layout) <= width)
    return g_strdup(text);

  glong low = 0, high = g_utf8_strlen(text, -1);
  while (low + 1 < high) {
    glong            middle = (low + high) / 2;
    g_autofree char *begin = g_utf8_substring(text, 0, middle);
    g_autofree char *tried = g_strconcat(begin, "…", NULL);
    pango_layout_set_text(layout, tried, -1);
    if (layout_width(layout) <= width)
      low = middle;
    else
      high = middle;
  }
  g_autofree char *begin = g_utf8_substring(text, 0, low);
  return g_strconcat(begin, "…", NULL);
}

static void
set_colour(cairo_t *cairo, LacColour colour, float opacity)
{
  cairo_set_source_rgba(cairo, (double) colour.red, (double) colour.green, (double) colour.blue,
                        (double) (colour.alpha * opacity));
}

static void
paint_rectangle(cairo_t *cairo, const LacDrawItem *item)
{
  cairo_rectangle(cairo, item->x, item->y, item->width, item->height);
  set_colour(cairo, item->colour, item->hatched ? HATCH_FILL : 1);
  cairo_fill(cairo);
  if (!item->hatched)
    return;

  cairo_save(cairo);
  cairo_rectangle(cairo, item->x, item->y, item->width, item->height);
  cairo_clip(cairo);
  cairo_set_line_width(cairo, 0.7);
  set_colour(cairo, item->colour, 1);
  for (double x = item->x - item->height; x < item->x + item->width; x += HATCH_STEP) {
    cairo_move_to(cairo, x, item->y + item->height);
    cairo_line_to(cairo, x + item->height, item->y);
  }
  cairo_stroke(cairo);
  cairo_restore(cairo);
}

static void
paint_lines(cairo_t *cairo, const LacDrawing *drawing, const LacDrawItem *item)
{
  const LacPoint *points = lac_drawing_get_points(drawing) + item->first_point;
  cairo_set_line_width(cairo, item->line_width);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
  set_colour(cairo, item->colour, 1);
  cairo_new_path(cairo); /* a text leaves a current point behind */
  for (guint i = 0; i < item->n_points; i++)
    if (!isfinite(points[i].x))
      cairo_new_sub_path(cairo);
    else
      cairo_line_to(cairo, points[i].x,
                    points[i].y); /* acts as a move for the first point of a line */
  if (item->filled) {
    cairo_close_path(cairo);
    cairo_fill(cairo);
    return;
  }
  double lengths[2];
  cairo_set_dash(cairo, lengths, lac_dash_lengths(item->dash, item->line_width, lengths), 0);
  cairo_stroke(cairo);
  cairo_set_dash(cairo, NULL, 0, 0);
}

static void
paint_text(cairo_t           *cairo,
           PangoContext      *context,
           const LacDrawing  *drawing,
           const LacDrawItem *item)
{
  g_autoptr(PangoLayout) layout =
    make_layout(context, lac_drawing_get_text(drawing, item), item->size, item->bold);
  double width = layout_width(layout);
  double shift = item->align == LAC_ALIGN_LEFT     ? 0
                 : item->align == LAC_ALIGN_CENTRE ? -width / 2
                                                   : -width;
  cairo_save(cairo);
  cairo_move_to(cairo, item->x, item->y);
  if (item->vertical)
    cairo_rotate(cairo, -G_PI / 2);
  cairo_rel_move_to(cairo, shift, -(double) pango_layout_get_baseline(layout) / PANGO_SCALE);
  set_colour(cairo, item->colour, 1);
  pango_cairo_show_layout(cairo, layout);
  cairo_restore(cairo);
}

cairo_surface_t *
lac_image_make_surface(const LacDrawItem *item, guint repeat)
{
  int              width = (int) (item->image_width * repeat);
  int              height = (int) (item->image_height * repeat);
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  guint8          *rows = cairo_image_surface_get_data(surface);
  if (rows == NULL)
    return surface;
  gsize stride = (gsize) cairo_image_surface_get_stride(surface);
  for (gsize y = 0; y < (gsize) height; y++) {
    const guint8 *source = item->pixels + (y / repeat) * item->image_width * 4;
    guint32      *target = (guint32 *) (gpointer) (rows + y * stride);
    for (gsize x = 0; x < (gsize) width; x++) {
      const guint8 *p = source + (x / repeat) * 4;
      guint32       a = p[3];
      target[x] = a << 24 | (p[0] * a / 255) << 16 | (p[1] * a / 255) << 8 | p[2] * a / 255;
    }
  }
  cairo_surface_mark_dirty(surface);
  return surface;
}

guint
lac_image_get_repeat(const LacDrawItem *item)
{
  double wanted = ceil(item->width / 72 * DOTS_PER_INCH / item->image_width);
  double room = floor(4096.0 / MAX(item->image_width, item->image_height));
  return (guint) CLAMP(wanted, 1, MAX(room, 1));
}

static gboolean
is_of_vectors(cairo_t *cairo)
{
  cairo_surface_type_t type = cairo_surface_get_type(cairo_get_target(cairo));
  return type == CAIRO_SURFACE_TYPE_PDF || type == CAIRO_SURFACE_TYPE_SVG;
}

static void
paint_image(cairo_t *cairo, const LacDrawItem *item)
{
  guint            repeat = is_of_vectors(cairo) ? lac_image_get_repeat(item) : 1;
  cairo_surface_t *surface = lac_image_make_surface(item, repeat);
  cairo_save(cairo);
  cairo_translate(cairo, item->x, item->y);
  cairo_scale(cairo, item->width / (item->image_width * repeat),
              item->height / (item->image_height * repeat));
  cairo_set_source_surface(cairo, surface, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
  cairo_rectangle(cairo, 0, 0, item->image_width * repeat, item->image_height * repeat);
  cairo_fill(cairo);
  cairo_restore(cairo);
  cairo_surface_destroy(surface);
}

void
lac_drawing_paint(const LacDrawing *drawing, cairo_t *cairo)
{
  g_return_if_fail(drawing != NULL && cairo != NULL);
  PangoContext *context = pango_cairo_create_context(cairo);
  set_unhinted(context);
  cairo_save(cairo);
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    switch (item->kind) {
    case LAC_DRAW_RECTANGLE: paint_rectangle(cairo, item); break;
    case LAC_DRAW_LINES: paint_lines(cairo, drawing, item); break;
    case LAC_DRAW_TEXT: paint_text(cairo, context, drawing, item); break;
    case LAC_DRAW_IMAGE: paint_image(cairo, item); break;
    case LAC_DRAW_CLIP:
      cairo_save(cairo);
      cairo_rectangle(cairo, item->x, item->y, item->width, item->height);
      cairo_clip(cairo);
      break;
    case LAC_DRAW_UNCLIP: cairo_restore(cairo); break;
    }
  }
  cairo_restore(cairo);
  g_object_unref(context);
}
