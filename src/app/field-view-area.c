/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field viewer's OpenGL: tried as it is, then as OpenGL ES, then done without. */
#include "app/field-view-private.h"
#include "base/clock.h"

static void
drop_area(LacFieldView *self)
{
  g_clear_pointer(&self->area, gtk_widget_unparent);
  gtk_widget_queue_draw(self->overlay);
}

/* Idle, because an area cannot leave the tree while it is being realized. */
static gboolean
on_without_gl(gpointer user_data)
{
  LacFieldView *self = user_data;
  if (self->area != NULL)
    drop_area(self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_try_es(gpointer user_data)
{
  LacFieldView *self = user_data;
  if (self->area == NULL)
    return G_SOURCE_REMOVE;
  drop_area(self);
  lac_field_view_add_area(self, TRUE);
  return G_SOURCE_REMOVE;
}

static void
on_area_realize(GtkGLArea *area, LacFieldView *self)
{
  g_autoptr(GError) error = NULL;
  gtk_gl_area_make_current(area);
  if (gtk_gl_area_get_error(area) == NULL) {
    gboolean es = gdk_gl_context_get_use_es(gtk_gl_area_get_context(area));
    self->gl = lac_field_gl_new(es, &error);
    if (self->gl != NULL)
      return;
  }
  const char *why = error != NULL ? error->message : gtk_gl_area_get_error(area)->message;
  g_debug("no OpenGL for the field viewer: %s", why);
  g_idle_add_full(G_PRIORITY_HIGH, self->tried_es ? on_without_gl : on_try_es, g_object_ref(self),
                  g_object_unref);
}

static void
on_area_unrealize(GtkGLArea *area, LacFieldView *self)
{
  gtk_gl_area_make_current(area);
  if (gtk_gl_area_get_error(area) == NULL)
    g_clear_pointer(&self->gl, lac_field_gl_free);
}

static gboolean
on_area_render(GtkGLArea *area, GdkGLContext *context, LacFieldView *self)
{
  if (self->gl == NULL)
    return FALSE;
  gint64        begin_ns = lac_clock_ns();
  LacPaneLayout layout = self->layout; /* the area begins below the titles */
  for (guint i = 0; i < layout.n_panes; i++)
    layout.panes[i].y -= LAC_FIELD_TOP;
  LacFieldView2d view =
    lac_field_view_describe(self, gtk_widget_get_height(GTK_WIDGET(area)), &layout);
  lac_field_gl_draw(self->gl, &self->scene, &view);
  lac_field_view_tell_painted(self, begin_ns, lac_field_gl_get_upload_ns(self->gl));
  return TRUE;
}

void
lac_field_view_add_area(LacFieldView *self, gboolean es)
{
  self->tried_es = es;
  self->area = gtk_gl_area_new();
  gtk_gl_area_set_use_es(GTK_GL_AREA(self->area), es);
  gtk_widget_set_can_target(self->area, FALSE);
  g_signal_connect(self->area, "realize", G_CALLBACK(on_area_realize), self);
  g_signal_connect(self->area, "unrealize", G_CALLBACK(on_area_unrealize), self);
  g_signal_connect(self->area, "render", G_CALLBACK(on_area_render), self);
  gtk_widget_insert_before(self->area, GTK_WIDGET(self), self->overlay);
}
