/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars drawn by report/plot/bars.h; the cell has their values as text. */
#include "app/benchmarks/bar-view.h"

#include "app/toolkit/style.h"
#include "report/plot/bars.h"

#include <math.h>

/* ---- a value of its limit ---- */

#define LIMIT_WIDTH  30
#define LIMIT_HEIGHT 8

struct _LacLimitBar {
  LacDrawingView parent_instance;
  double         share;
  gboolean       is_beyond;
};

G_DEFINE_FINAL_TYPE(LacLimitBar, lac_limit_bar, LAC_TYPE_DRAWING_VIEW)

static void
lac_limit_bar_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  const LacLimitBar *self = LAC_LIMIT_BAR(view);
  const LacBar       bar = {self->share, self->is_beyond ? lac_style_wrong() : lac_style_good()};

  if (!isnan(self->share))
    lac_bars_draw(drawing, (LacBox){0, 0, width, height}, &bar, 1, 1, &lac_style_palette()->grid);
}

static void
lac_limit_bar_class_init(LacLimitBarClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_limit_bar_draw;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_limit_bar_init(LacLimitBar *self)
{
  self->share = NAN;
  gtk_widget_set_size_request(GTK_WIDGET(self), LIMIT_WIDTH, LIMIT_HEIGHT);
  gtk_widget_set_valign(GTK_WIDGET(self), GTK_ALIGN_CENTER);
}

GtkWidget *
lac_limit_bar_new(void)
{
  return g_object_new(LAC_TYPE_LIMIT_BAR, NULL);
}

void
lac_limit_bar_set(LacLimitBar *self, double share, gboolean is_beyond)
{
  g_return_if_fail(LAC_IS_LIMIT_BAR(self));
  self->share = share;
  self->is_beyond = is_beyond;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* ---- before and after ---- */

#define PAIR_WIDTH  76
#define PAIR_HEIGHT 14

struct _LacBeforeAfter {
  LacDrawingView parent_instance;
  double         before, after;
  LacChangeLook  look;
};

G_DEFINE_FINAL_TYPE(LacBeforeAfter, lac_before_after, LAC_TYPE_DRAWING_VIEW)

static void
lac_before_after_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  const LacBeforeAfter *self = LAC_BEFORE_AFTER(view);
  const LacPalette     *palette = lac_style_palette();
  const LacBar          bars[] = {{self->before, palette->faint},
                                  {self->after, self->look == LAC_CHANGE_WORSE ? lac_style_wrong()
                                                : self->look == LAC_CHANGE_BETTER ? lac_style_good()
                                                                                  : palette->series[0]}};

  if (isfinite(self->before))
    lac_bars_draw(drawing, (LacBox){0, 0, width, height}, bars, G_N_ELEMENTS(bars),
                  fmax(self->before, self->after), NULL);
}

static void
lac_before_after_class_init(LacBeforeAfterClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_before_after_draw;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
lac_before_after_init(LacBeforeAfter *self)
{
  self->before = self->after = NAN;
  gtk_widget_set_size_request(GTK_WIDGET(self), PAIR_WIDTH, PAIR_HEIGHT);
  gtk_widget_set_valign(GTK_WIDGET(self), GTK_ALIGN_CENTER);
}

GtkWidget *
lac_before_after_new(void)
{
  return g_object_new(LAC_TYPE_BEFORE_AFTER, NULL);
}

void
lac_before_after_set(LacBeforeAfter *self, double before, double after, LacChangeLook look)
{
  g_return_if_fail(LAC_IS_BEFORE_AFTER(self));
  self->before = before;
  self->after = after;
  self->look = look;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
