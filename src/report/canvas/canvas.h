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
  double x, y, width, height; /* origin: upper left corner */
} LacBox;

typedef struct {
  LacDrawKind kind;
  double      x, y, width,
    height; /* bounds of a rectangle, image or clip; baseline anchor (x, y) of a text */
  LacColour colour;
  double    line_width;
  LacDash   dash;
  gboolean  hatched; /* hatched fill: the rectangle stands for several bars */
  gboolean  filled;  /* TRUE: a closed, filled polygon; FALSE: a stroked line */
  LacAlign  align;
  double    size; /* font size */
  gboolean  bold, vertical;
  guint     first_point, n_points; /* polyline: range in the list's points */
  guint     text;                  /* offset into the list's text */
  guint     image_width, image_height;
  guint8   *pixels; /* RGBA8, owned by the list; drawn with nearest sampling */
} LacDrawItem;

typedef struct _LacDrawing LacDrawing;

LacDrawing *lac_drawing_new(void);
void        lac_drawing_free(LacDrawing *drawing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDrawing, lac_drawing_free)
void lac_drawing_clear(LacDrawing *drawing); /* removes all items, retains the allocated memory */

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
/* A non-finite point breaks the line. */
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

/* Appends all items of @part, translated by (dx, dy). */
void lac_drawing_append(LacDrawing *drawing, const LacDrawing *part, double dx, double dy);

/* Maps one colour to another. */
typedef void (*LacColourFunc)(const guint8 rgba[4], guint8 mapped[4], gpointer data);
void lac_drawing_map_colours(LacDrawing *drawing, LacColourFunc map, gpointer data);

/* Multiplies every line width by @factor. */
void lac_drawing_scale_lines(LacDrawing *drawing, double factor);

gsize              lac_drawing_get_n_items(const LacDrawing *drawing);
const LacDrawItem *lac_drawing_get_item(const LacDrawing *drawing, gsize i);
const LacPoint    *lac_drawing_get_points(const LacDrawing *drawing);
const char        *lac_drawing_get_text(const LacDrawing *drawing, const LacDrawItem *item);

/* Computes the on and off lengths of a dashed line of @width, for both painters. Returns: the number of lengths; 0 for
 * a solid line. */
int lac_dash_lengths(LacDash dash, double width, double lengths[2]);

/* Paints the list with Cairo (paper). */
void lac_drawing_paint(const LacDrawing *drawing, cairo_t *cairo);

/* Returns: (transfer full): the font of both painters, with an absolute size. */
PangoFontDescription *lac_text_font(double size, gboolean bold);

/* Returns the width of a text in both painters. Not thread-safe. */
double lac_text_width(const char *text, double size, gboolean bold);

/* Returns: (transfer full): the text, truncated with "…" where it is wider than @width. */
char *lac_text_dup_fitted(const char *text, double size, gboolean bold, double width);

/* Returns: (transfer full): @text in lines at most @width wide, broken at spaces; a word longer than a line is cut. */
GStrv lac_text_wrap(const char *text, double size, gboolean bold, double width);

typedef struct {
  double    size;
  gboolean  bold;
  LacColour colour;
} LacParagraphStyle;

/* Draws wrapped text below @y. @drawing: (nullable): measures only. Returns: its height. */
double lac_draw_paragraph(LacDrawing              *drawing,
                          double                   x,
                          double                   y,
                          double                   width,
                          const LacParagraphStyle *style,
                          const char              *text);

G_END_DECLS
