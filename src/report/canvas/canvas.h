/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One drawing list for timeline, plots and figures, with two painters: Cairo here (paper), GSK in app/ (screen).
 * Lengths are in points on paper and in logical pixels on screen; y points down. */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <pango/pango.h>

G_BEGIN_DECLS

typedef struct {
  float red, green, blue, alpha;
} LacColour;

typedef enum {
  LAC_DRAW_RECTANGLE,
  LAC_DRAW_LINES,
  LAC_DRAW_TEXT,
  LAC_DRAW_IMAGE,
  LAC_DRAW_CLIP,
  LAC_DRAW_UNCLIP
} LacDrawKind;
typedef enum { LAC_DASH_SOLID, LAC_DASH_DASHED, LAC_DASH_DOTTED } LacDash;
typedef enum { LAC_ALIGN_LEFT, LAC_ALIGN_CENTRE, LAC_ALIGN_RIGHT } LacAlign;

typedef struct {
  double x, y;
} LacPoint;

typedef struct {
  double x, y, width, height; /* from the upper left corner */
} LacBox;

typedef struct {
  LacDrawKind kind;
  double x, y, width, height; /* of a rectangle, an image, a clip; x, y baseline anchor of a text */
  LacColour colour;
  double    line_width;
  LacDash   dash;
  gboolean  hatched; /* a rectangle that stands for many */
  gboolean  filled;  /* lines that are closed and filled in place of drawn */
  LacAlign  align;
  double    size; /* font size */
  gboolean  bold, vertical;
  guint     first_point, n_points; /* of lines, into the list's points */
  guint     text;                  /* offset into the list's text */
  guint     image_width, image_height;
  guint8   *pixels; /* RGBA8, owned by the list; drawn with nearest sampling */
} LacDrawItem;

typedef struct _LacDrawing LacDrawing;

LacDrawing *lac_drawing_new(void);
void        lac_drawing_free(LacDrawing *drawing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDrawing, lac_drawing_free)
void lac_drawing_clear(LacDrawing *drawing); /* keeps the memory */

void lac_draw_rectangle(LacDrawing *drawing,
                        double      x,
                        double      y,
                        double      width,
                        double      height,
                        LacColour   colour);
void lac_draw_hatched(LacDrawing *drawing,
                      double      x,
                      double      y,
                      double      width,
                      double      height,
                      LacColour   colour);
/* A point that is not finite breaks the line. */
void lac_draw_lines(LacDrawing     *drawing,
                    const LacPoint *points,
                    gsize           n,
                    double          width,
                    LacColour       colour);
void lac_draw_dashed(LacDrawing     *drawing,
                     const LacPoint *points,
                     gsize           n,
                     double          width,
                     LacColour       colour,
                     LacDash         dash);
void lac_draw_polygon(LacDrawing *drawing, const LacPoint *points, gsize n, LacColour colour);
void lac_draw_text(LacDrawing *drawing,
                   double      x,
                   double      y,
                   LacAlign    align,
                   double      size,
                   LacColour   colour,
                   const char *text);
void lac_draw_text_bold(LacDrawing *drawing,
                        double      x,
                        double      y,
                        LacAlign    align,
                        double      size,
                        LacColour   colour,
                        const char *text);
void lac_draw_text_vertical(LacDrawing *drawing,
                            double      x,
                            double      y,
                            LacAlign    align,
                            double      size,
                            LacColour   colour,
                            const char *text);
/* @pixels: RGBA8, [image_height][image_width], top row first; copied */
void lac_draw_image(LacDrawing   *drawing,
                    double        x,
                    double        y,
                    double        width,
                    double        height,
                    guint         image_width,
                    guint         image_height,
                    const guint8 *pixels);
void lac_draw_clip(LacDrawing *drawing, double x, double y, double width, double height);
void lac_draw_unclip(LacDrawing *drawing);

/* All items of @part, moved by (dx, dy). */
void lac_drawing_append(LacDrawing *drawing, const LacDrawing *part, double dx, double dy);

/* Each colour as @map makes another of it. */
typedef void (*LacColourFunc)(const guint8 rgba[4], guint8 mapped[4], gpointer data);
void lac_drawing_map_colours(LacDrawing *drawing, LacColourFunc map, gpointer data);

/* Every line @factor times as strong. */
void lac_drawing_scale_lines(LacDrawing *drawing, double factor);

gsize              lac_drawing_get_n_items(const LacDrawing *drawing);
const LacDrawItem *lac_drawing_get_item(const LacDrawing *drawing, gsize i);
const LacPoint    *lac_drawing_get_points(const LacDrawing *drawing);
const char        *lac_drawing_get_text(const LacDrawing *drawing, const LacDrawItem *item);

/* Lengths on and off, of a line of @width, for both painters. Returns: how many; 0 for a solid line. */
int lac_dash_lengths(LacDash dash, double width, double lengths[2]);

/* The paper painter. */
void lac_drawing_paint(const LacDrawing *drawing, cairo_t *cairo);

/* The typeface both painters set text in, at an absolute size. Returns: (transfer full) */
PangoFontDescription *lac_text_font(double size, gboolean bold);

/* Width of a text as both painters set it. One thread. */
double lac_text_width(const char *text, double size, gboolean bold);

/* Returns: (transfer full): the text, or its beginning and "…" so that it is at most @width wide. */
char *lac_text_dup_fitted(const char *text, double size, gboolean bold, double width);

/* Returns: (transfer full): @text in lines at most @width wide, broken at spaces; a word longer than a line is cut. */
GStrv lac_text_wrap(const char *text, double size, gboolean bold, double width);

typedef struct {
  double    size;
  gboolean  bold;
  LacColour colour;
} LacParagraphStyle;

/* Wrapped text below @y. @drawing: NULL to measure only. Returns: its height. */
double lac_draw_paragraph(LacDrawing              *drawing,
                          double                   x,
                          double                   y,
                          double                   width,
                          const LacParagraphStyle *style,
                          const char              *text);

G_END_DECLS
