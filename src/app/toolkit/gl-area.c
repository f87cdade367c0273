/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GL area: tries desktop OpenGL, then OpenGL ES, then falls back to the CPU. */
#include "app/toolkit/gl-area.h"

static void add(LacGlArea *self, gboolean es);

static void
drop(LacGlArea *self)
{
  g_clear_pointer(&self->area, gtk_widget_unparent);
  gtk_widget_queue_draw(self->overlay);
}

/* Removes the area in idle time: it cannot be unparented while it is being realized. */
static gboolean
on_without(gpointer user_data)
{
  LacGlArea *self = user_data;
  if (self->area != NULL) {
    drop(self);
    if (!self->tried_es)
      add(self, TRUE);
  }
  g_object_unref(self->owner);
  return G_SOURCE_REMOVE;
}

static void
on_realize(GtkGLArea *area, LacGlArea *self)
{
  g_autoptr(GError) error = NULL;
  gtk_gl_area_make_current(area);
  if (gtk_gl_area_get_error(area) == NULL) {
    self->gl =
      self->painter->make(gdk_gl_context_get_use_es(gtk_gl_area_get_context(area)), &error);
    if (self->gl != NULL)
      return;
  }
  g_debug("no OpenGL for %s: %s", G_OBJECT_TYPE_NAME(self->owner),
          error != NULL ? error->message : gtk_gl_area_get_error(area)->message);
  g_object_ref(self->owner); /* @self is embedded in the owner */
  g_idle_add_full(G_PRIORITY_HIGH, on_without, self, NULL);
}

static void
on_unrealize(GtkGLArea *area, LacGlArea *self)
{
  gtk_gl_area_make_current(area);
  if (gtk_gl_area_get_error(area) == NULL && self->gl != NULL) {
    self->painter->free(self->gl);
    self->gl = NULL;
  }
}

static gboolean
on_render(GtkGLArea *area, GdkGLContext *context, LacGlArea *self)
{
  return self->gl != NULL && self->painter->render(area, self->gl, self->owner);
}

static void
add(LacGlArea *self, gboolean es)
{
  self->tried_es = es;
  self->area = gtk_gl_area_new();
  gtk_gl_area_set_use_es(GTK_GL_AREA(self->area), es);
  gtk_widget_set_can_target(self->area, FALSE);
  g_signal_connect(self->area, "realize", G_CALLBACK(on_realize), self);
  g_signal_connect(self->area, "unrealize", G_CALLBACK(on_unrealize), self);
  g_signal_connect(self->area, "render", G_CALLBACK(on_render), self);
  gtk_widget_insert_before(self->area, self->owner, self->overlay);
}

void
lac_gl_area_add(LacGlArea *self, GtkWidget *owner, GtkWidget *overlay, const LacGlPainter *painter)
{
  g_return_if_fail(self != NULL && GTK_IS_WIDGET(owner) && GTK_IS_WIDGET(overlay));
  self->owner = owner;
  self->overlay = overlay;
  self->painter = painter;
  add(self, FALSE);
}

void
lac_gl_area_clear(LacGlArea *self)
{
  g_clear_pointer(&self->area, gtk_widget_unparent);
}

void
lac_gl_area_queue_render(LacGlArea *self)
{
  if (self->area != NULL)
    gtk_gl_area_queue_render(GTK_GL_AREA(self->area));
}

void
lac_gl_area_allocate(LacGlArea *self, int y, int width, int height)
{
  int least;
  if (self->area == NULL)
    return;
  gtk_widget_measure(self->area, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate(self->area, &(GtkAllocation){0, y, width, MAX(height, 1)}, -1);
}
