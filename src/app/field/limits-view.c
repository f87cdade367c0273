/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A histogram with draggable limits. */
#include "app/field/limits-view.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "report/plot/plot.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FONT    10.0
#define BINS    96
#define BAR     8.0  /* colour bar, below the counts */
#define BELOW   16.0 /* tick labels */
#define MARGIN  8.0  /* space for handles at the ends */
#define BEYOND  0.06 /* extra range on either side, as a fraction of the span */
#define A_KEY   0.01 /* step of an arrow key, as a fraction of the span */
#define PICTURE 320

struct _LacLimitsView {
  LacDrawingView      parent_instance;
  LacScale            span, limits;
  LacTransfer         transfer;
  const LacColourMap *map;
  LacDistribution    *counted[2 * LAC_MAX_PANES];
  guint               looks[2 * LAC_MAX_PANES]; /* of the methods' curves */
  guint               n;
  gboolean            symmetric, drags, drags_high;
};

G_DEFINE_FINAL_TYPE(LacLimitsView, lac_limits_view, LAC_TYPE_DRAWING_VIEW)

enum { LIMITS_DRAGGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static double
to_x(LacLimitsView *self, double value)
{
  double width = gtk_widget_get_width(GTK_WIDGET(self)) - 2 * MARGIN;
  return MARGIN + (value - self->span.low) / (self->span.high - self->span.low) * width;
}

static double
to_value(LacLimitsView *self, double x)
{
  double width = gtk_widget_get_width(GTK_WIDGET(self)) - 2 * MARGIN;
  double part = CLAMP((x - MARGIN) / MAX(width, 1), 0, 1);
  return self->span.low + part * (self->span.high - self->span.low);
}

/* Draws bars with logarithmic heights, so that single values are visible. */
static void
draw_counts(LacLimitsView *self, LacDrawing *drawing, double height)
{
  const LacPalette *palette = lac_style_palette();
  guint64           most = 1;
  for (guint i = 0; i < self->n; i++)
    most = MAX(most, lac_distribution_get_most(self->counted[i]));
  for (guint i = 0; i < self->n; i++) {
    LacPoint points[2 * BINS];
    for (gsize b = 0; b < BINS; b++) {
      const LacWarp *warp = &self->counted[i]->warp;
      double y = height * (1 - log1p((double) self->counted[i]->counts[b]) / log1p((double) most));
      points[2 * b] =
        (LacPoint){to_x(self, warp->low + (double) b / BINS * (warp->high - warp->low)), y};
      points[2 * b + 1] =
        (LacPoint){to_x(self, warp->low + (double) (b + 1) / BINS * (warp->high - warp->low)), y};
    }
    lac_draw_lines(drawing, points, G_N_ELEMENTS(points), 1.2,
                   lac_look_colour(palette, self->looks[i]));
  }
}

static void
draw_handle(LacLimitsView *self, LacDrawing *drawing, double value, double height, LacAlign align)
{
  const LacPalette *palette = lac_style_palette();
  double            x = round(to_x(self, value)) + 0.5;
  LacPoint          line[] = {{x, 0}, {x, height + BAR}};
  LacPoint          grip[] = {{x - 5, height}, {x + 5, height}, {x, height - 8}};
  g_autofree char  *text = lac_number_text(value);
  lac_draw_lines(drawing, line, 2, 1.5, palette->foreground);
  lac_draw_polygon(drawing, grip, 3, palette->foreground);
  double half = lac_text_width(text, FONT, FALSE);
  double at =
    align == LAC_ALIGN_LEFT ? MAX(x, half) : MIN(x, gtk_widget_get_width(GTK_WIDGET(self)) - half);
  lac_draw_text(drawing, at, height + BAR + BELOW - 4,
                align == LAC_ALIGN_LEFT ? LAC_ALIGN_RIGHT : LAC_ALIGN_LEFT, FONT,
                palette->foreground, text);
}

/* Draws the colour bar over the whole axis range. */
static void
draw_colours(LacLimitsView *self, LacDrawing *drawing, double top)
{
  guint8  rgba[PICTURE][4];
  LacWarp warp = lac_warp_new(self->transfer, self->limits.low, self->limits.high);
  for (gsize i = 0; i < PICTURE; i++) {
    double value =
      self->span.low + ((double) i + 0.5) / PICTURE * (self->span.high - self->span.low);
    memcpy(rgba[i], lac_colour_map_at_warp(self->map, &warp, value), 4);
  }
  double left = to_x(self, self->span.low), right = to_x(self, self->span.high);
  lac_draw_image(drawing, left, top, right - left, BAR, PICTURE, 1, &rgba[0][0]);
}

static void
lac_limits_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacLimitsView *self = LAC_LIMITS_VIEW(view);
  if (self->n == 0 || !(self->span.high > self->span.low))
    return;
  height -= BAR + BELOW;
  draw_counts(self, drawing, height);
  draw_colours(self, drawing, height);
  draw_handle(self, drawing, self->limits.low, height, LAC_ALIGN_LEFT);
  draw_handle(self, drawing, self->limits.high, height, LAC_ALIGN_RIGHT);
}

/* ---- pointer and keys ---- */

static void
move(LacLimitsView *self, gboolean high, double value)
{
  double least = (self->span.high - self->span.low) * 1e-3;
  if (high)
    self->limits.high = MAX(value, self->symmetric ? least : self->limits.low + least);
  else
    self->limits.low = MIN(value, self->symmetric ? -least : self->limits.high - least);
  if (self->symmetric && high)
    self->limits.low = -self->limits.high;
  else if (self->symmetric)
    self->limits.high = -self->limits.low;
  gtk_widget_queue_draw(GTK_WIDGET(self));
  g_signal_emit(self, signals[LIMITS_DRAGGED], 0);
}

static void
lac_limits_view_drag(LacDrawingView *view, LacDragPhase phase, double from_x, double dx)
{
  LacLimitsView *self = LAC_LIMITS_VIEW(view);
  if (phase == LAC_DRAG_MOVE && self->drags)
    move(self, self->drags_high, to_value(self, from_x + dx));
  if (phase == LAC_DRAG_MOVE)
    return;
  self->drags = phase == LAC_DRAG_BEGIN && self->n > 0;
  if (phase == LAC_DRAG_BEGIN)
    self->drags_high =
      fabs(from_x - to_x(self, self->limits.high)) < fabs(from_x - to_x(self, self->limits.low));
}

static gboolean
lac_limits_view_key(LacDrawingView *view, guint key, GdkModifierType state)
{
  LacLimitsView *self = LAC_LIMITS_VIEW(view);
  gboolean       high = (state & GDK_SHIFT_MASK) != 0;
  double         step = A_KEY * (self->span.high - self->span.low);
  if (self->n == 0 || (key != GDK_KEY_Left && key != GDK_KEY_Right))
    return GDK_EVENT_PROPAGATE;
  move(self, high,
       (high ? self->limits.high : self->limits.low) + (key == GDK_KEY_Left ? -step : step));
  return GDK_EVENT_STOP;
}

/* ---- the object ---- */

static void
clear(LacLimitsView *self)
{
  for (guint i = 0; i < self->n; i++)
    g_clear_pointer(&self->counted[i], lac_distribution_free);
  self->n = 0;
}

static void
lac_limits_view_finalize(GObject *object)
{
  clear(LAC_LIMITS_VIEW(object));
  G_OBJECT_CLASS(lac_limits_view_parent_class)->finalize(object);
}

static void
lac_limits_view_class_init(LacLimitsViewClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_limits_view_finalize;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_limits_view_draw;
  LAC_DRAWING_VIEW_CLASS(class)->drag = lac_limits_view_drag;
  LAC_DRAWING_VIEW_CLASS(class)->key = lac_limits_view_key;
  signals[LIMITS_DRAGGED] = g_signal_new("limits-dragged", LAC_TYPE_LIMITS_VIEW, G_SIGNAL_RUN_LAST,
                                         0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lac_limits_view_init(LacLimitsView *self)
{
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_VISIBLE);
  lac_accessible_name(
    self, _("Value histogram; arrow keys move the lower limit, with Shift the upper one"));
}

/* Returns: the look of the curves of the source in a pane; a colour by its place if that is unknown. */
static guint
find_look(LacFieldView *field, guint pane)
{
  const LacFieldScene *scene = lac_field_view_get_scene(field);
  const LacChannel    *channel = lac_field_scene_get_channel(scene, pane);
  guint                look = lac_field_view_find_look(field, channel->label);
  return channel->role == LAC_ROLE_TRUTH ? LAC_LOOK_TRUTH : look > 0 ? look : pane + 1;
}

void
lac_limits_view_show(LacLimitsView *self, LacFieldView *field, gboolean of_errors)
{
  const LacFieldScene *scene = lac_field_view_get_scene(field);
  LacScaleView         view;
  LacScale             data;
  g_return_if_fail(LAC_IS_LIMITS_VIEW(self));
  clear(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
  if (!lac_field_scene_get_scale(scene, of_errors, &view) ||
      !lac_field_scene_find_limits(scene, of_errors, 0, &data))
    return;
  if (!self->drags) {
    double low = MIN(data.low, view.scale.low), high = MAX(data.high, view.scale.high);
    double beyond = high > low ? BEYOND * (high - low) : MAX(fabs(low), 1) * BEYOND;
    self->span = (LacScale){low - beyond, high + beyond};
    self->limits = view.scale;
  }
  self->symmetric = view.symmetric;
  self->transfer = view.transfer;
  self->map = view.map;
  LacWarp warp = lac_warp_new(LAC_TRANSFER_LINEAR, self->span.low, self->span.high);
  for (guint i = 0; i < scene->n_panes + scene->n_below; i++)
    if (scene->panes[i].difference == of_errors) {
      self->looks[self->n] = find_look(field, i);
      self->counted[self->n++] = lac_field_scene_count(scene, i, &warp, BINS);
    }
}

LacScale
lac_limits_view_get_limits(LacLimitsView *self)
{
  g_return_val_if_fail(LAC_IS_LIMITS_VIEW(self), (LacScale){0});
  return self->limits;
}
