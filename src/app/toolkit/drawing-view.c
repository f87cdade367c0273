/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view and the screen painter. Event controllers are added only for the vfuncs a class implements. */
#include "app/toolkit/drawing-view.h"

#include "app/toolkit/style.h"

#include <pango/pangocairo.h>

#include <math.h>

/* Same as report/canvas/paint.c. */
#define HATCH_STEP 4.0
#define HATCH_FILL 0.35F

typedef struct {
  LacDrawing *drawing; /* empty between redraws; its memory is reused */
  double      drag_x;
} LacDrawingViewPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(LacDrawingView, lac_drawing_view, GTK_TYPE_WIDGET)

#define USUAL_DPI (96.0 * PANGO_SCALE)

double
lac_drawing_text_scale(void)
{
  GtkSettings *settings = gtk_settings_get_default();
  int          dpi = -1;
  if (settings != NULL)
    g_object_get(settings, "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? dpi / USUAL_DPI : 1;
}

/* ---- the screen painter ---- */

/* Rectangles and text become GPU nodes. Lines and images become small Cairo nodes: GSK 4.8 has no paths and filters
 * enlarged textures. */

static GdkRGBA
rgba(LacColour colour, float opacity)
{
  return (GdkRGBA){colour.red, colour.green, colour.blue, colour.alpha * opacity};
}

static graphene_rect_t
bounds(const LacDrawItem *item)
{
  return GRAPHENE_RECT_INIT((float) item->x, (float) item->y, (float) item->width,
                            (float) item->height);
}

/* Hatches with lines at 45 degrees, 0.7 wide, every HATCH_STEP along x. */
static void
paint_rectangle(GtkSnapshot *snapshot, const LacDrawItem *item)
{
  graphene_rect_t box = bounds(item);
  GdkRGBA         fill = rgba(item->colour, item->hatched ? HATCH_FILL : 1);
  if (item->width <= 0 || item->height <= 0)
    return;
  gtk_snapshot_append_color(snapshot, &fill, &box);
  if (!item->hatched)
    return;

  float        period = (float) (HATCH_STEP / G_SQRT2);
  float        share = 0.7F / period;
  GdkRGBA      line = rgba(item->colour, 1), none = rgba(item->colour, 0);
  GskColorStop stops[] = {
    {0, line}, {share / 2, line}, {share / 2, none}, {1 - share / 2, none}, {1 - share / 2, line},
    {1, line}};
  float            side = period / (float) G_SQRT2;
  float            x = (float) (item->x - item->height), y = (float) (item->y + item->height);
  graphene_point_t start = {x, y}, end = {x + side, y + side};
  gtk_snapshot_append_repeating_linear_gradient(snapshot, &box, &start, &end, stops,
                                                G_N_ELEMENTS(stops));
}

/* Paints an axis-parallel line as a rectangle, so that grids and frames need no Cairo node. */
static gboolean
paint_straight(GtkSnapshot *snapshot, const LacDrawItem *item, const LacPoint *p)
{
  if (item->n_points != 2 || item->dash != LAC_DASH_SOLID || item->filled ||
      (p[0].x != p[1].x && p[0].y != p[1].y))
    return FALSE;
  double          half = item->line_width / 2;
  gboolean        upright = p[0].x == p[1].x;
  double          x = MIN(p[0].x, p[1].x) - (upright ? half : 0);
  double          y = MIN(p[0].y, p[1].y) - (upright ? 0 : half);
  double          width = upright ? item->line_width : fabs(p[1].x - p[0].x);
  double          height = upright ? fabs(p[1].y - p[0].y) : item->line_width;
  graphene_rect_t box = GRAPHENE_RECT_INIT((float) x, (float) y, (float) width, (float) height);
  GdkRGBA         colour = rgba(item->colour, 1);
  gtk_snapshot_append_color(snapshot, &colour, &box);
  return TRUE;
}

static void
paint_lines(GtkSnapshot *snapshot, const LacDrawing *drawing, const LacDrawItem *item)
{
  const LacPoint *points = lac_drawing_get_points(drawing) + item->first_point;
  if (item->n_points < 2 || paint_straight(snapshot, item, points))
    return;
  double x0 = points[0].x, x1 = x0, y0 = points[0].y, y1 = y0;
  for (guint i = 1; i < item->n_points; i++) {
    if (!isfinite(points[i].x))
      continue;
    x0 = MIN(x0, points[i].x);
    x1 = MAX(x1, points[i].x);
    y0 = MIN(y0, points[i].y);
    y1 = MAX(y1, points[i].y);
  }
  /* Rounds out to whole pixels: the node is rasterised on its own grid. */
  double margin = ceil(item->line_width) + 1;
  x0 = floor(x0);
  y0 = floor(y0);
  graphene_rect_t box =
    GRAPHENE_RECT_INIT((float) (x0 - margin), (float) (y0 - margin),
                       (float) (ceil(x1) - x0 + 2 * margin), (float) (ceil(y1) - y0 + 2 * margin));
  cairo_t *cairo = gtk_snapshot_append_cairo(snapshot, &box);
  GdkRGBA  colour = rgba(item->colour, 1);
  gdk_cairo_set_source_rgba(cairo, &colour);
  cairo_set_line_width(cairo, item->line_width);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
  for (guint i = 0; i < item->n_points; i++)
    if (!isfinite(points[i].x))
      cairo_new_sub_path(cairo);
    else
      cairo_line_to(cairo, points[i].x, points[i].y); /* the first point of a line starts it */
  if (item->filled) {
    cairo_close_path(cairo);
    cairo_fill(cairo);
  } else {
    double lengths[2];
    cairo_set_dash(cairo, lengths, lac_dash_lengths(item->dash, item->line_width, lengths), 0);
    cairo_stroke(cairo);
  }
  cairo_destroy(cairo);
}

/* Returns: a text context without hinted metrics, so that text is as wide on screen as on paper. */
static PangoContext *
make_context(PangoContext *of_widget)
{
  PangoContext *context = pango_font_map_create_context(pango_context_get_font_map(of_widget));
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  pango_cairo_context_set_font_options(context, options);
  pango_cairo_context_set_resolution(context, pango_cairo_context_get_resolution(of_widget));
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(context, FALSE);
  return context;
}

static void
paint_text(GtkSnapshot       *snapshot,
           PangoContext      *context,
           const LacDrawing  *drawing,
           const LacDrawItem *item)
{
  g_autoptr(PangoLayout) layout = pango_layout_new(context);
  PangoFontDescription  *font = lac_text_font(item->size, item->bold);
  pango_layout_set_font_description(layout, font);
  pango_font_description_free(font);
  pango_layout_set_single_paragraph_mode(layout, TRUE);
  pango_layout_set_text(layout, lac_drawing_get_text(drawing, item), -1);

  PangoRectangle logical;
  pango_layout_get_extents(layout, NULL, &logical);
  double  width = (double) logical.width / PANGO_SCALE;
  double  shift = item->align == LAC_ALIGN_LEFT     ? 0
                  : item->align == LAC_ALIGN_CENTRE ? -width / 2
                                                    : -width;
  double  rise = (double) pango_layout_get_baseline(layout) / PANGO_SCALE;
  GdkRGBA colour = rgba(item->colour, 1);
  gtk_snapshot_save(snapshot);
  gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT((float) item->x, (float) item->y));
  if (item->vertical)
    gtk_snapshot_rotate(snapshot, -90);
  gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT((float) shift, (float) -rise));
  gtk_snapshot_append_layout(snapshot, layout, &colour);
  gtk_snapshot_restore(snapshot);
}

static void
paint_image(GtkSnapshot *snapshot, const LacDrawItem *item)
{
  graphene_rect_t  box = bounds(item);
  int              width = (int) item->image_width, height = (int) item->image_height;
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  guint8          *rows = cairo_image_surface_get_data(surface);
  gsize            stride = (gsize) cairo_image_surface_get_stride(surface);
  for (gsize y = 0; rows != NULL && y < item->image_height; y++) {
    const guint8 *p = item->pixels + y * item->image_width * 4;
    guint32      *target = (guint32 *) (gpointer) (rows + y * stride);
    for (gsize x = 0; x < item->image_width; x++, p += 4) {
      guint32 a = p[3];
      target[x] = a << 24 | (p[0] * a / 255) << 16 | (p[1] * a / 255) << 8 | p[2] * a / 255;
    }
  }
  cairo_surface_mark_dirty(surface);
  cairo_t *cairo = gtk_snapshot_append_cairo(snapshot, &box);
  cairo_translate(cairo, item->x, item->y);
  cairo_scale(cairo, item->width / width, item->height / height);
  cairo_set_source_surface(cairo, surface, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
  cairo_rectangle(cairo, 0, 0, width, height);
  cairo_fill(cairo);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
}

void
lac_drawing_snapshot(const LacDrawing *drawing, GtkSnapshot *snapshot, PangoContext *of_widget)
{
  g_return_if_fail(drawing != NULL && snapshot != NULL);
  PangoContext *context = NULL; /* created for the first text */
  for (gsize i = 0; i < lac_drawing_get_n_items(drawing); i++) {
    const LacDrawItem *item = lac_drawing_get_item(drawing, i);
    switch (item->kind) {
    case LAC_DRAW_RECTANGLE: paint_rectangle(snapshot, item); break;
    case LAC_DRAW_LINES: paint_lines(snapshot, drawing, item); break;
    case LAC_DRAW_TEXT:
      if (context == NULL)
        context = make_context(of_widget);
      paint_text(snapshot, context, drawing, item);
      break;
    case LAC_DRAW_IMAGE: paint_image(snapshot, item); break;
    case LAC_DRAW_CLIP: {
      graphene_rect_t box = bounds(item);
      gtk_snapshot_push_clip(snapshot, &box);
      break;
    }
    case LAC_DRAW_UNCLIP: gtk_snapshot_pop(snapshot); break;
    }
  }
  g_clear_object(&context);
}

/* ---- the view's picture ---- */

static void
lac_drawing_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  LacDrawingView *self = LAC_DRAWING_VIEW(widget);
  const LacDrawingViewClass *class = LAC_DRAWING_VIEW_GET_CLASS(self);
  LacDrawing *drawing =
    ((LacDrawingViewPrivate *) lac_drawing_view_get_instance_private(self))->drawing;
  const double width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);

  if (class->paint_under != NULL)
    class->paint_under(self, snapshot);
  if (class->draw == NULL)
    return;
  class->draw(self, drawing, width, height);
  lac_drawing_snapshot(drawing, snapshot, gtk_widget_get_pango_context(widget));
  lac_drawing_clear(drawing);
}

/* ---- pointer and keys ---- */

static void
on_released(GtkGestureClick *click, int n_press, double x, double y, LacDrawingView *self)
{
  gtk_widget_grab_focus(GTK_WIDGET(self));
  LAC_DRAWING_VIEW_GET_CLASS(self)->click(self, x, y);
}

static void
on_drag_begin(GtkGestureDrag *drag, double x, double y, LacDrawingView *self)
{
  LacDrawingViewPrivate *private = lac_drawing_view_get_instance_private(self);

  private->drag_x = x;
  gtk_widget_grab_focus(GTK_WIDGET(self));
  LAC_DRAWING_VIEW_GET_CLASS(self)->drag(self, LAC_DRAG_BEGIN, x, 0);
}

static void
on_drag_update(GtkGestureDrag *drag, double dx, double dy, LacDrawingView *self)
{
  LacDrawingViewPrivate *private = lac_drawing_view_get_instance_private(self);

  LAC_DRAWING_VIEW_GET_CLASS(self)->drag(self, LAC_DRAG_MOVE, private->drag_x, dx);
}

static void
on_drag_end(GtkGestureDrag *drag, double dx, double dy, LacDrawingView *self)
{
  LacDrawingViewPrivate *private = lac_drawing_view_get_instance_private(self);

  LAC_DRAWING_VIEW_GET_CLASS(self)->drag(self, LAC_DRAG_END, private->drag_x, dx);
}

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacDrawingView        *self)
{
  return LAC_DRAWING_VIEW_GET_CLASS(self)->key(self, key, state);
}

static void
lac_drawing_view_constructed(GObject *object)
{
  GtkWidget *widget = GTK_WIDGET(object);
  const LacDrawingViewClass *class = LAC_DRAWING_VIEW_GET_CLASS(object);

  G_OBJECT_CLASS(lac_drawing_view_parent_class)->constructed(object);
  if (class->click != NULL) {
    GtkGesture *click = gtk_gesture_click_new();
    g_signal_connect(click, "released", G_CALLBACK(on_released), object);
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(click));
  }
  if (class->drag != NULL) {
    GtkGesture *drag = gtk_gesture_drag_new();
    g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), object);
    g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), object);
    g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), object);
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(drag));
  }
  if (class->key != NULL) {
    GtkEventController *keys = gtk_event_controller_key_new();
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), object);
    gtk_widget_add_controller(widget, keys);
    gtk_widget_set_focusable(widget, TRUE);
  }
}

/* ---- the object ---- */

static void
lac_drawing_view_finalize(GObject *object)
{
  LacDrawingViewPrivate *private = lac_drawing_view_get_instance_private(LAC_DRAWING_VIEW(object));

  lac_drawing_free(private->drawing);
  G_OBJECT_CLASS(lac_drawing_view_parent_class)->finalize(object);
}

static void
lac_drawing_view_class_init(LacDrawingViewClass *class)
{
  G_OBJECT_CLASS(class)->constructed = lac_drawing_view_constructed;
  G_OBJECT_CLASS(class)->finalize = lac_drawing_view_finalize;
  GTK_WIDGET_CLASS(class)->snapshot = lac_drawing_view_snapshot;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
lac_drawing_view_init(LacDrawingView *self)
{
  LacDrawingViewPrivate *private = lac_drawing_view_get_instance_private(self);

  private->drawing = lac_drawing_new();
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  lac_style_follow(GTK_WIDGET(self));
}

void
lac_drawing_show_message(LacDrawing *drawing,
                         double      width,
                         double      height,
                         LacColour   colour,
                         const char *words)
{
  lac_draw_text(drawing, width / 2, height / 2, LAC_ALIGN_CENTRE, LAC_DRAWING_FONT, colour, words);
}
