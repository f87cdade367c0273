/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing list: items with their points, texts and pixels in shared arrays. */
#include "report/canvas/canvas.h"

#include <string.h>

struct _LacDrawing {
  GArray  *items;
  GArray  *points;
  GString *text;
};

LacDrawing *
lac_drawing_new(void)
{
  LacDrawing *drawing = g_new0(LacDrawing, 1);
  drawing->items = g_array_new(FALSE, TRUE, sizeof(LacDrawItem));
  drawing->points = g_array_new(FALSE, FALSE, sizeof(LacPoint));
  drawing->text = g_string_new(NULL);
  return drawing;
}

void
lac_drawing_clear(LacDrawing *drawing)
{
  g_return_if_fail(drawing != NULL);
  for (guint i = 0; i < drawing->items->len; i++)
    g_free(g_array_index(drawing->items, LacDrawItem, i).pixels);
  g_array_set_size(drawing->items, 0);
  g_array_set_size(drawing->points, 0);
  g_string_truncate(drawing->text, 0);
}

void
lac_drawing_free(LacDrawing *drawing)
{
  if (drawing == NULL)
    return;
  lac_drawing_clear(drawing);
  g_array_unref(drawing->items);
  g_array_unref(drawing->points);
  g_string_free(drawing->text, TRUE);
  g_free(drawing);
}

/* Appends an item; the pointer is valid until the next call. */
static LacDrawItem *
add_item(LacDrawing *drawing, LacDrawKind kind)
{
  g_array_set_size(drawing->items, drawing->items->len + 1);
  LacDrawItem *item = &g_array_index(drawing->items, LacDrawItem, drawing->items->len - 1);
  item->kind = kind;
  return item;
}

static LacDrawItem *
add_box(LacDrawing *drawing, LacDrawKind kind, double x, double y, double width, double height)
{
  LacDrawItem *item = add_item(drawing, kind);
  item->x = x;
  item->y = y;
  item->width = width;
  item->height = height;
  return item;
}

void
lac_draw_rectangle(LacDrawing *drawing,
                   double      x,
                   double      y,
                   double      width,
                   double      height,
                   LacColour   colour)
{
  g_return_if_fail(drawing != NULL);
  add_box(drawing, LAC_DRAW_RECTANGLE, x, y, width, height)->colour = colour;
}

void
lac_draw_hatched(LacDrawing *drawing,
                 double      x,
                 double      y,
                 double      width,
                 double      height,
                 LacColour   colour)
{
  g_return_if_fail(drawing != NULL);
  LacDrawItem *item = add_box(drawing, LAC_DRAW_RECTANGLE, x, y, width, height);
  item->colour = colour;
  item->hatched = TRUE;
}

void
lac_draw_lines(LacDrawing *drawing, const LacPoint *points, gsize n, double width, LacColour colour)
{
  g_return_if_fail(drawing != NULL);
  if (n < 2)
    return;
  LacDrawItem *item = add_item(drawing, LAC_DRAW_LINES);
  item->first_point = drawing->points->len;
  item->n_points = (guint) n;
  item->line_width = width;
  item->colour = colour;
  g_array_append_vals(drawing->points, points, (guint) n);
}

void
lac_draw_dashed(LacDrawing     *drawing,
                const LacPoint *points,
                gsize           n,
                double          width,
                LacColour       colour,
                LacDash         dash)
{
  guint before = drawing->items->len;
  lac_draw_lines(drawing, points, n, width, colour);
  if (drawing->items->len > before)
    g_array_index(drawing->items, LacDrawItem, before).dash = dash;
}

void
lac_draw_polygon(LacDrawing *drawing, const LacPoint *points, gsize n, LacColour colour)
{
  guint before = drawing->items->len;
  lac_draw_lines(drawing, points, n, 0, colour);
  if (drawing->items->len > before)
    g_array_index(drawing->items, LacDrawItem, before).filled = TRUE;
}

int
lac_dash_lengths(LacDash dash, double width, double lengths[2])
{
  lengths[0] = width * (dash == LAC_DASH_DASHED ? 4 : 1.2);
  lengths[1] = width * (dash == LAC_DASH_DASHED ? 2.5 : 2);
  return dash == LAC_DASH_SOLID ? 0 : 2;
}

static LacDrawItem *
add_text(LacDrawing *drawing,
         LacPoint    anchor,
         LacAlign    align,
         double      size,
         LacColour   colour,
         const char *text)
{
  guint        offset = (guint) drawing->text->len;
  LacDrawItem *item = add_item(drawing, LAC_DRAW_TEXT);
  item->x = anchor.x;
  item->y = anchor.y;
  item->align = align;
  item->size = size;
  item->colour = colour;
  item->text = offset;
  g_string_append_len(drawing->text, text, (gssize) strlen(text) + 1);
  return item;
}

void
lac_draw_text(LacDrawing *drawing,
              double      x,
              double      y,
              LacAlign    align,
              double      size,
              LacColour   colour,
              const char *text)
{
  g_return_if_fail(drawing != NULL && text != NULL);
  add_text(drawing, (LacPoint){x, y}, align, size, colour, text);
}

void
lac_draw_text_bold(LacDrawing *drawing,
                   double      x,
                   double      y,
                   LacAlign    align,
                   double      size,
                   LacColour   colour,
                   const char *text)
{
  g_return_if_fail(drawing != NULL && text != NULL);
  add_text(drawing, (LacPoint){x, y}, align, size, colour, text)->bold = TRUE;
}

void
lac_draw_text_vertical(LacDrawing *drawing,
                       double      x,
                       double      y,
                       LacAlign    align,
                       double      size,
                       LacColour   colour,
                       const char *text)
{
  g_return_if_fail(drawing != NULL && text != NULL);
  add_text(drawing, (LacPoint){x, y}, align, size, colour, text)->vertical = TRUE;
}

void
lac_draw_image(LacDrawing   *drawing,
               double        x,
               double        y,
               double        width,
               double        height,
               guint         image_width,
               guint         image_height,
               const guint8 *pixels)
{
  g_return_if_fail(drawing != NULL && pixels != NULL && image_width > 0 && image_height > 0);
  LacDrawItem *item = add_box(drawing, LAC_DRAW_IMAGE, x, y, width, height);
  item->image_width = image_width;
  item->image_height = image_height;
  item->pixels = g_memdup2(pixels, (gsize) image_width * image_height * 4);
}

void
lac_draw_clip(LacDrawing *drawing, double x, double y, double width, double height)
{
  g_return_if_fail(drawing != NULL);
  add_box(drawing, LAC_DRAW_CLIP, x, y, width, height);
}

void
lac_draw_unclip(LacDrawing *drawing)
{
  g_return_if_fail(drawing != NULL);
  add_item(drawing, LAC_DRAW_UNCLIP);
}

gsize
lac_drawing_get_n_items(const LacDrawing *drawing)
{
  g_return_val_if_fail(drawing != NULL, 0);
  return drawing->items->len;
}

const LacDrawItem *
lac_drawing_get_item(const LacDrawing *drawing, gsize i)
{
  g_return_val_if_fail(drawing != NULL && i < drawing->items->len, NULL);
  return &g_array_index(drawing->items, LacDrawItem, i);
}

const LacPoint *
lac_drawing_get_points(const LacDrawing *drawing)
{
  g_return_val_if_fail(drawing != NULL, NULL);
  return (const LacPoint *) (gconstpointer) drawing->points->data;
}

const char *
lac_drawing_get_text(const LacDrawing *drawing, const LacDrawItem *item)
{
  g_return_val_if_fail(drawing != NULL && item != NULL && item->kind == LAC_DRAW_TEXT, NULL);
  return drawing->text->str + item->text;
}

void
lac_drawing_append(LacDrawing *drawing, const LacDrawing *part, double dx, double dy)
{
  g_return_if_fail(drawing != NULL && part != NULL && drawing != part);
  guint first_point = drawing->points->len, first_text = (guint) drawing->text->len;
  for (guint i = 0; i < part->points->len; i++) {
    LacPoint point = g_array_index(part->points, LacPoint, i);
    point.x += dx;
    point.y += dy;
    g_array_append_val(drawing->points, point);
  }
  g_string_append_len(drawing->text, part->text->str, (gssize) part->text->len);
  for (guint i = 0; i < part->items->len; i++) {
    LacDrawItem item = g_array_index(part->items, LacDrawItem, i);
    item.x += dx;
    item.y += dy;
    item.first_point += first_point;
    item.text += first_text;
    if (item.pixels != NULL)
      item.pixels = g_memdup2(item.pixels, (gsize) item.image_width * item.image_height * 4);
    g_array_append_val(drawing->items, item);
  }
}

void
lac_drawing_scale_lines(LacDrawing *drawing, double factor)
{
  g_return_if_fail(drawing != NULL && factor > 0);
  for (guint i = 0; i < drawing->items->len; i++)
    g_array_index(drawing->items, LacDrawItem, i).line_width *= factor;
}

static guint8
to_byte(float share)
{
  return (guint8) (CLAMP(share, 0, 1) * 255.0F + 0.5F);
}

void
lac_drawing_map_colours(LacDrawing *drawing, LacColourFunc map, gpointer data)
{
  g_return_if_fail(drawing != NULL && map != NULL);
  for (guint i = 0; i < drawing->items->len; i++) {
    LacDrawItem *item = &g_array_index(drawing->items, LacDrawItem, i);
    LacColour   *colour = &item->colour;
    guint8       mapped[4],
      from[4] = {to_byte(colour->red), to_byte(colour->green), to_byte(colour->blue), 255};

    map(from, mapped, data);
    colour->red = (float) mapped[0] / 255.0F;
    colour->green = (float) mapped[1] / 255.0F;
    colour->blue = (float) mapped[2] / 255.0F;
    for (gsize k = 0; item->pixels != NULL && k < (gsize) item->image_width * item->image_height;
         k++) {
      map(item->pixels + 4 * k, mapped, data);
      memcpy(item->pixels + 4 * k, mapped, 4);
    }
  }
}
