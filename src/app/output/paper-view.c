/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing list on white, drawn by the paper painter. */
#include "app/output/paper-view.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"

#include <glib/gi18n-lib.h>

#define RULER     20.0
#define EDGE      12.0
#define FONT      9.0
#define POINTS_MM (72.0 / 25.4)
#define LEAST_MM  6.0 /* minimum pixels between ruler marks */

struct _LacPaperView {
  LacDrawingView    parent_instance;
  const LacDrawing *drawing; /* belongs to the owner */
  double            width, height;
  gpointer          owner;
  GDestroyNotify    free_owner;
};

G_DEFINE_FINAL_TYPE(LacPaperView, lac_paper_view, LAC_TYPE_DRAWING_VIEW)

/* Returns the millimetres between ruler marks. */
static int
choose_step(double pixels_mm)
{
  static const int steps[] = {1, 2, 5, 10, 20, 50};

  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
    if (steps[i] * pixels_mm >= LEAST_MM)
      return steps[i];
  return 100;
}

/* Returns the number of marks per long mark, so that the numbers do not overlap. */
static int
choose_stride(double pixels_mm)
{
  static const int strides[] = {10, 20, 50, 100};

  for (gsize i = 0; i < G_N_ELEMENTS(strides); i++)
    if (strides[i] * pixels_mm >= 4 * FONT)
      return strides[i];
  return 200;
}

static void
draw_ruler(LacDrawing *ruler, LacPoint sheet, double length_mm, double pixels_mm, gboolean is_down)
{
  const LacPalette *palette = lac_style_palette();
  const int         step = choose_step(pixels_mm), stride = choose_stride(pixels_mm);

  for (int mm = 0; mm <= (int) (length_mm + 1e-6); mm += step) {
    const gboolean is_long = mm % stride == 0;
    const double   at = (is_down ? sheet.y : sheet.x) + mm * pixels_mm;
    const double   base = (is_down ? sheet.x : sheet.y) - 3, size = is_long ? 6 : 3;
    const LacPoint across[] = {{at, base - size}, {at, base}},
                   down[] = {{base - size, at}, {base, at}};
    g_autofree char *number = is_long ? g_strdup_printf("%d", mm) : NULL;

    lac_draw_lines(ruler, is_down ? down : across, 2, 1, palette->faint);
    if (number != NULL && is_down)
      lac_draw_text_vertical(ruler, base - size - 2, at, LAC_ALIGN_CENTRE, FONT, palette->faint,
                             number);
    else if (number != NULL)
      lac_draw_text(ruler, at, base - size - 2, LAC_ALIGN_CENTRE, FONT, palette->faint, number);
  }
}

/* @corner: (out): upper left corner of the page. Returns: pixels per point; 0 if no page is visible */
static double
place_sheet(LacPaperView *self, LacPoint *corner)
{
  const double room_x = gtk_widget_get_width(GTK_WIDGET(self)) - RULER - 2 * EDGE;
  const double room_y = gtk_widget_get_height(GTK_WIDGET(self)) - RULER - 2 * EDGE;
  const double scale = MIN(room_x / MAX(self->width, 1), room_y / MAX(self->height, 1));

  *corner = (LacPoint){EDGE + RULER + (room_x - scale * self->width) / 2, EDGE + RULER};
  return self->drawing != NULL ? MAX(scale, 0) : 0;
}

static void
lac_paper_view_paint_under(LacDrawingView *view, GtkSnapshot *snapshot)
{
  LacPaperView *self = LAC_PAPER_VIEW(view);
  LacPoint      corner;
  const double  scale = place_sheet(self, &corner);

  if (!(scale > 0))
    return;
  const graphene_rect_t box =
    GRAPHENE_RECT_INIT((float) corner.x, (float) corner.y, (float) (scale * self->width),
                       (float) (scale * self->height));
  GskRoundedRect rim;
  const GdkRGBA  white = {1, 1, 1, 1}, shadow = {0, 0, 0, 0.35F};

  gsk_rounded_rect_init_from_rect(&rim, &box, 0);
  gtk_snapshot_append_outset_shadow(snapshot, &rim, &shadow, 0, 1, 1, 4);
  gtk_snapshot_append_color(snapshot, &white, &box);
  cairo_t *cairo = gtk_snapshot_append_cairo(snapshot, &box);
  cairo_translate(cairo, corner.x, corner.y);
  cairo_scale(cairo, scale, scale);
  lac_drawing_paint(self->drawing, cairo);
  cairo_destroy(cairo);
}

static void
lac_paper_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacPaperView *self = LAC_PAPER_VIEW(view);
  LacPoint      corner;
  const double  scale = place_sheet(self, &corner);

  if (!(scale > 0))
    return;
  draw_ruler(drawing, corner, self->width / POINTS_MM, scale * POINTS_MM, FALSE);
  draw_ruler(drawing, corner, self->height / POINTS_MM, scale * POINTS_MM, TRUE);
}

static void
lac_paper_view_measure(GtkWidget     *widget,
                       GtkOrientation orientation,
                       int            for_size,
                       int           *minimum,
                       int           *natural,
                       int           *minimum_baseline,
                       int           *natural_baseline)
{
  *minimum = 160;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 480;
}

static void
lac_paper_view_dispose(GObject *object)
{
  lac_paper_view_show(LAC_PAPER_VIEW(object), NULL, 0, 0, NULL, NULL);
  G_OBJECT_CLASS(lac_paper_view_parent_class)->dispose(object);
}

static void
lac_paper_view_class_init(LacPaperViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_paper_view_dispose;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_paper_view_draw;
  LAC_DRAWING_VIEW_CLASS(class)->paint_under = lac_paper_view_paint_under;
  GTK_WIDGET_CLASS(class)->measure = lac_paper_view_measure;
}

static void
lac_paper_view_init(LacPaperView *self)
{
  lac_accessible_name(self, _("Preview"));
}

void
lac_paper_view_show(LacPaperView     *self,
                    const LacDrawing *drawing,
                    double            width,
                    double            height,
                    gpointer          owner,
                    GDestroyNotify    free_owner)
{
  g_return_if_fail(LAC_IS_PAPER_VIEW(self));
  if (self->free_owner != NULL)
    self->free_owner(self->owner);
  self->drawing = drawing;
  self->width = width;
  self->height = height;
  self->owner = owner;
  self->free_owner = free_owner;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
