/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GtkGLArea under what a widget draws: with OpenGL as it is, else with OpenGL ES, else gone, so that the widget has its picture made
 * by the processor. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Called with the context current. */
typedef struct {
  gpointer (*make)(gboolean es, GError **error); /* what draws; NULL with an error */
  void (*free)(gpointer gl);
  gboolean (*render)(GtkGLArea *area, gpointer gl, GtkWidget *owner);
} LacGlPainter;

/* Part of its owner; zero before it is added. */
typedef struct {
  GtkWidget          *owner, *overlay;
  GtkWidget          *area; /* NULL where there is no OpenGL */
  const LacGlPainter *painter;
  gpointer            gl; /* between realize and unrealize of the area */
  gboolean            tried_es;
} LacGlArea;

/* @overlay: the child of @owner that is drawn over the area, and drawn again where there is none */
void
lac_gl_area_add(LacGlArea *self, GtkWidget *owner, GtkWidget *overlay, const LacGlPainter *painter);
/* On disposal of the owner, before its overlay goes. */
void lac_gl_area_clear(LacGlArea *self);

void lac_gl_area_queue_render(LacGlArea *self);
void lac_gl_area_allocate(LacGlArea *self, int y, int width, int height);

G_END_DECLS
