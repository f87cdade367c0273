/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenGL area of the field viewer. */
#include "app/field/view-private.h"
#include "base/clock.h"

static gpointer
make_painter(gboolean es, GError **error)
{
  return lac_field_gl_new(es, error);
}

static void
free_painter(gpointer gl)
{
  lac_field_gl_free(gl);
}

static gboolean
render(GtkGLArea *area, gpointer gl, GtkWidget *owner)
{
  LacFieldView *self = LAC_FIELD_VIEW(owner);
  gint64        begin_ns = lac_clock_ns();
  LacPaneLayout layout = self->layout; /* the area starts below the titles */
  for (guint i = 0; i < layout.n_panes; i++)
    layout.panes[i].y -= lac_field_view_get_top(self);
  LacFieldView2d view =
    lac_field_view_describe(self, gtk_widget_get_height(GTK_WIDGET(area)), &layout);
  lac_field_gl_draw(gl, &self->scene, &view);
  lac_field_view_notify_painted(self, begin_ns, lac_field_gl_get_upload_ns(gl));
  return TRUE;
}

void
lac_field_view_add_area(LacFieldView *self)
{
  static const LacGlPainter painter = {make_painter, free_painter, render};
  lac_gl_area_add(&self->area, GTK_WIDGET(self), self->overlay, &painter);
}
