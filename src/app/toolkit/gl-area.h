/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GtkGLArea below a widget's own drawing. Tries desktop OpenGL, then OpenGL ES; if both fail, the area is removed
 * and the widget paints on the CPU. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Called with the context current. */
typedef struct {
  gpointer (*make)(gboolean es, GError **error); /* creates the renderer; NULL with an error */
  void (*free)(gpointer gl);
  gboolean (*render)(GtkGLArea *area, gpointer gl, GtkWidget *owner);
} LacGlPainter;

/* Embedded in its owner; zero-initialised before lac_gl_area_add(). */
typedef struct {
  GtkWidget          *owner, *overlay;
  GtkWidget          *area; /* NULL without OpenGL */
  const LacGlPainter *painter;
  gpointer            gl; /* renderer, between realize and unrealize of the area */
  gboolean            tried_es;
} LacGlArea;

/* @overlay: child of @owner above the area, redrawn when the area is removed */
void
lac_gl_area_add(LacGlArea *self, GtkWidget *owner, GtkWidget *overlay, const LacGlPainter *painter);
/* Called in dispose() of the owner, before its overlay is freed. */
void lac_gl_area_clear(LacGlArea *self);

void lac_gl_area_queue_render(LacGlArea *self);
void lac_gl_area_allocate(LacGlArea *self, int y, int width, int height);

G_END_DECLS
