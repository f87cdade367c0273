/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a channel's curves with report/plot/chart.h. */
#include "app/plot/chart-view.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "report/plot/chart.h"

#include <glib/gi18n-lib.h>

struct _LacChartView {
  LacDrawingView parent_instance;
  LacSession    *session;
  LacFrame      *frame; /* (nullable) */
  gsize          channel;
};

G_DEFINE_FINAL_TYPE(LacChartView, lac_chart_view, LAC_TYPE_DRAWING_VIEW)

static void
lac_chart_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacChartView *self = LAC_CHART_VIEW(view);
  gsize         n;
  LacFrame     *frame = self->frame;
  if (frame == NULL)
    return;
  const LacChannel *channels = lac_session_get_channels(self->session, &n);
  if (self->channel >= MIN(n, frame->n_planes) || channels[self->channel].chart.n == 0)
    return;
  LacChartPlace place = {
    .width = width,
    .height = height,
    .font_size = LAC_DRAWING_FONT,
    .legend = TRUE,
  };
  lac_chart_draw(drawing, &channels[self->channel], &frame->planes[self->channel], &place,
                 lac_style_palette());
}

static void
lac_chart_view_dispose(GObject *object)
{
  lac_chart_view_set_session(LAC_CHART_VIEW(object), NULL);
  G_OBJECT_CLASS(lac_chart_view_parent_class)->dispose(object);
}

static void
lac_chart_view_class_init(LacChartViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_chart_view_dispose;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_chart_view_draw;
}

static void
lac_chart_view_init(LacChartView *self)
{
  lac_accessible_name(self, _("Curves of the frame"));
}

void
lac_chart_view_set_session(LacChartView *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_CHART_VIEW(self));
  g_set_object(&self->session, session);
  g_clear_pointer(&self->frame, lac_frame_unref);
  self->channel = 0;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_chart_view_set_frame(LacChartView *self, LacFrame *frame)
{
  g_return_if_fail(LAC_IS_CHART_VIEW(self) && self->session != NULL);
  lac_frame_ref(frame);
  g_clear_pointer(&self->frame, lac_frame_unref);
  self->frame = frame;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_chart_view_set_channel(LacChartView *self, gsize channel)
{
  gsize n;
  g_return_if_fail(LAC_IS_CHART_VIEW(self) && self->session != NULL);
  const LacChannel *channels = lac_session_get_channels(self->session, &n);
  g_return_if_fail(channel < n && channels[channel].chart.n > 0);
  self->channel = channel;
  lac_accessible_name(self, g_dgettext(GETTEXT_PACKAGE, channels[channel].label));
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
