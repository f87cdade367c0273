/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the slider; its pointer and keys. */
#include "app/live/scrubber.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "report/plot/plot.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>

#define WIDTH    140
#define TROUGH   8.0 /* height */
#define MIDDLE   16.0
#define HANDLE   9.0 /* radius */
#define MARGIN   12.0
#define A_PAGE   0.1 /* of the steps */
#define MOST     256 /* marks drawn */
#define TRIANGLE 5.0
#define HALF     13 /* points of a round end */

struct _LacScrubber {
  LacDrawingView parent_instance;
  gint64         n_steps, computed, step;
  GArray        *stops, *changes, *checkpoints; /* gint64, ascending */
  gboolean       is_dragged;
};

G_DEFINE_FINAL_TYPE(LacScrubber, lac_scrubber, LAC_TYPE_DRAWING_VIEW)

enum { CHOSEN, RELEASED, N_SIGNALS };
static guint signals[N_SIGNALS];

static double
to_x(LacScrubber *self, gint64 step)
{
  double width = gtk_widget_get_width(GTK_WIDGET(self)) - 2 * MARGIN;
  return MARGIN + width * CLAMP((double) step / (double) MAX(self->n_steps, 1), 0, 1);
}

static gint64
to_step(LacScrubber *self, double x)
{
  double width = gtk_widget_get_width(GTK_WIDGET(self)) - 2 * MARGIN;
  double share = CLAMP((x - MARGIN) / MAX(width, 1), 0, 1);
  return MIN((gint64) (share * (double) self->n_steps + 0.5), self->computed);
}

/* ---- drawing ---- */

/* Draws a bar with round ends as one shape: colours may be translucent. */
static void
draw_bar(LacDrawing *drawing, double from, double to, double radius, LacColour colour)
{
  LacPoint rim[2 * HALF];
  if (to < from)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS(rim); i++) {
    double angle = G_PI * ((double) (i % HALF) / (HALF - 1) + (i < HALF ? -0.5 : 0.5));
    rim[i] = (LacPoint){(i < HALF ? to : from) + radius * cos(angle), MIDDLE + radius * sin(angle)};
  }
  lac_draw_polygon(drawing, rim, G_N_ELEMENTS(rim), colour);
}

static void
draw_disc(LacDrawing *drawing, double x, double radius, LacColour colour)
{
  draw_bar(drawing, x, x, radius, colour);
}

/* Returns: the baseline of the numbers below the bar. */
static double
find_text_line(void)
{
  return MIDDLE + HANDLE + LAC_DRAWING_FONT + 1;
}

static void
draw_numbers(LacScrubber *self, LacDrawing *drawing, double width)
{
  double size = LAC_DRAWING_FONT - 1, ticks[16], end = -G_MAXDOUBLE;
  gsize  most = (gsize) CLAMP(width / (6 * size), 2, 8);
  gsize  n = self->n_steps > 0 ? lac_ticks(0, (double) self->n_steps, most, ticks) : 0;
  for (gsize i = 0; i < n; i++) {
    g_autofree char *text = g_strdup_printf("%.0f", ticks[i]);
    double           half = lac_text_width(text, size, FALSE) / 2;
    double x = CLAMP(to_x(self, (gint64) ticks[i]), MARGIN / 2 + half, width - MARGIN / 2 - half);
    if (x - half < end || ticks[i] != floor(ticks[i]))
      continue;
    end = x + half + size / 2;
    lac_draw_text(drawing, x, find_text_line(), LAC_ALIGN_CENTRE, size, lac_style_palette()->faint,
                  text);
  }
}

static void
draw_marks(LacScrubber *self, LacDrawing *drawing)
{
  const LacPalette *palette = lac_style_palette();
  LacColour         orange = lac_look_colour(palette, 2);
  for (guint i = 0; i < MIN(self->checkpoints->len, MOST); i++) {
    double   x = floor(to_x(self, g_array_index(self->checkpoints, gint64, i))) + 0.5;
    LacPoint tick[] = {{x, MIDDLE + TROUGH / 2 + 2}, {x, MIDDLE + TROUGH / 2 + 6}};
    lac_draw_lines(drawing, tick, 2, 1, palette->foreground);
  }
  for (guint i = 0; i < MIN(self->changes->len, MOST); i++) {
    double   x = to_x(self, g_array_index(self->changes, gint64, i));
    LacPoint triangle[] = {{x - TRIANGLE, 1}, {x + TRIANGLE, 1}, {x, 1 + 1.2 * TRIANGLE}};
    lac_draw_polygon(drawing, triangle, 3, orange);
  }
}

static void
lac_scrubber_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  static const LacColour blue = {0.208F, 0.518F, 0.894F, 1};
  LacScrubber           *self = LAC_SCRUBBER(view);
  LacColour              rest = lac_style_palette()->foreground, rim = rest;
  LacColour              face = {1, 1, 1, 1};
  rest.alpha = 0.15F;
  rim.alpha = 0.4F;
  draw_bar(drawing, MARGIN, width - MARGIN, TROUGH / 2, rest);
  draw_bar(drawing, MARGIN, to_x(self, self->computed), TROUGH / 2, blue);
  draw_numbers(self, drawing, width);
  draw_marks(self, drawing);
  draw_disc(drawing, to_x(self, self->step), HANDLE + 1, rim);
  draw_disc(drawing, to_x(self, self->step), HANDLE, face);
}

static void
lac_scrubber_measure(GtkWidget     *widget,
                     GtkOrientation orientation,
                     int            for_size,
                     int           *minimum,
                     int           *natural,
                     int           *minimum_baseline,
                     int           *natural_baseline)
{
  *minimum = *natural =
    orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : (int) ceil(find_text_line() + 3);
}

/* ---- choosing ---- */

static void
describe(LacScrubber *self)
{
  g_autofree char *words =
    g_strdup_printf(_("step %" PRId64 " of %" PRId64), self->step, self->n_steps);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                 GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, (double) self->n_steps,
                                 GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, (double) self->step,
                                 GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, words, -1);
}

static void
choose(LacScrubber *self, gint64 step)
{
  step = CLAMP(step, 0, self->computed);
  if (step != self->step) {
    lac_scrubber_set_step(self, step);
    g_signal_emit(self, signals[CHOSEN], 0, step);
  }
}

static void
lac_scrubber_drag(LacDrawingView *view, LacDragPhase phase, double from_x, double dx)
{
  LacScrubber *self = LAC_SCRUBBER(view);
  self->is_dragged = phase != LAC_DRAG_END;
  if (phase != LAC_DRAG_END)
    choose(self, to_step(self, from_x + (phase == LAC_DRAG_MOVE ? dx : 0)));
  else
    g_signal_emit(self, signals[RELEASED], 0);
}

/* Returns: the stop after the present step, or before it. */
static gint64
find_stop(LacScrubber *self, int direction)
{
  if (self->stops->len == 0)
    return self->step + direction;
  gint64 found = self->step;
  for (guint i = 0; i < self->stops->len; i++) {
    gint64 stop = g_array_index(self->stops, gint64, i);
    if (direction > 0 && stop > self->step)
      return stop;
    if (direction < 0 && stop < self->step)
      found = stop;
  }
  return found;
}

static gboolean
lac_scrubber_key(LacDrawingView *view, guint key, GdkModifierType state)
{
  LacScrubber *self = LAC_SCRUBBER(view);
  gint64       page = MAX((gint64) (A_PAGE * (double) self->n_steps), 1);
  switch (key) {
  case GDK_KEY_Left: choose(self, find_stop(self, -1)); break;
  case GDK_KEY_Right: choose(self, find_stop(self, 1)); break;
  case GDK_KEY_Page_Down: choose(self, self->step - page); break;
  case GDK_KEY_Page_Up: choose(self, self->step + page); break;
  default: return GDK_EVENT_PROPAGATE;
  }
  g_signal_emit(self, signals[RELEASED], 0);
  return GDK_EVENT_STOP;
}

/* ---- the object ---- */

static void
lac_scrubber_finalize(GObject *object)
{
  LacScrubber *self = LAC_SCRUBBER(object);
  g_array_unref(self->stops);
  g_array_unref(self->changes);
  g_array_unref(self->checkpoints);
  G_OBJECT_CLASS(lac_scrubber_parent_class)->finalize(object);
}

static void
lac_scrubber_class_init(LacScrubberClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_scrubber_finalize;
  GTK_WIDGET_CLASS(class)->measure = lac_scrubber_measure;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_scrubber_draw;
  LAC_DRAWING_VIEW_CLASS(class)->drag = lac_scrubber_drag;
  LAC_DRAWING_VIEW_CLASS(class)->key = lac_scrubber_key;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_SLIDER);
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "scrubber");
  signals[CHOSEN] = g_signal_new("chosen", LAC_TYPE_SCRUBBER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
  signals[RELEASED] = g_signal_new("released", LAC_TYPE_SCRUBBER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
lac_scrubber_init(LacScrubber *self)
{
  self->stops = g_array_new(FALSE, FALSE, sizeof(gint64));
  self->changes = g_array_new(FALSE, FALSE, sizeof(gint64));
  self->checkpoints = g_array_new(FALSE, FALSE, sizeof(gint64));
  /* time runs to the right in every language */
  gtk_widget_set_direction(GTK_WIDGET(self), GTK_TEXT_DIR_LTR);
  lac_accessible_name(self, _("Step shown"));
  describe(self);
}

void
lac_scrubber_set_range(LacScrubber *self, gint64 n_steps, gint64 computed)
{
  g_return_if_fail(LAC_IS_SCRUBBER(self));
  n_steps = MAX(n_steps, computed);
  if (self->n_steps == n_steps && self->computed == computed)
    return;
  self->n_steps = n_steps;
  self->computed = computed;
  describe(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_scrubber_set_step(LacScrubber *self, gint64 step)
{
  g_return_if_fail(LAC_IS_SCRUBBER(self));
  if (self->step == step)
    return;
  self->step = step;
  describe(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

gint64
lac_scrubber_get_step(LacScrubber *self)
{
  g_return_val_if_fail(LAC_IS_SCRUBBER(self), 0);
  return self->step;
}

static void
set_steps(LacScrubber *self, GArray *array, const gint64 *steps, gsize n)
{
  g_array_set_size(array, 0);
  if (n > 0)
    g_array_append_vals(array, steps, (guint) n);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_scrubber_set_stops(LacScrubber *self, const gint64 *steps, gsize n)
{
  g_return_if_fail(LAC_IS_SCRUBBER(self));
  set_steps(self, self->stops, steps, n);
}

void
lac_scrubber_set_changes(LacScrubber *self, const gint64 *steps, gsize n)
{
  g_return_if_fail(LAC_IS_SCRUBBER(self));
  set_steps(self, self->changes, steps, n);
}

void
lac_scrubber_set_checkpoints(LacScrubber *self, const gint64 *steps, gsize n)
{
  g_return_if_fail(LAC_IS_SCRUBBER(self));
  set_steps(self, self->checkpoints, steps, n);
}
