/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine without a graphics device needs no OpenGL at all; where there is one, OpenGL itself is asked who computes it. */
#include "app/graphics.h"

#include <epoxy/gl.h>
#include <gtk/gtk.h>

#include <string.h>

static gboolean
has_device(void)
{
  static const char *const nodes[] = {"/dev/dri", "/dev/nvidiactl", "/dev/dxg", "/dev/mali0"};
  for (gsize i = 0; i < G_N_ELEMENTS(nodes); i++)
    if (g_file_test(nodes[i], G_FILE_TEST_EXISTS))
      return TRUE;
  return FALSE;
}

static gboolean
is_chosen(void)
{
  return g_getenv("GSK_RENDERER") != NULL || g_getenv("GDK_DEBUG") != NULL ||
         g_getenv("GDK_DISABLE") != NULL;
}

void
lac_graphics_choose_before_display(void)
{
  const char *always = g_getenv("LIBGL_ALWAYS_SOFTWARE");
  gboolean    is_software = always != NULL && (*always == '1' || *always == 't' || *always == 'y');
  if (!is_chosen() && (is_software || !has_device())) {
    if (gtk_get_minor_version() >= 16)
      g_setenv("GDK_DISABLE", "gl", TRUE);
    else
      g_setenv("GDK_DEBUG", "gl-disable", TRUE);
    g_setenv("GSK_RENDERER", "cairo", TRUE); /* asked for it needs no try */
  }
}

/* As Mesa calls its rasterizers. */
static gboolean
is_computed(const char *renderer)
{
  static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "Software Rasterizer"};
  for (gsize i = 0; renderer != NULL && i < G_N_ELEMENTS(names); i++)
    if (strstr(renderer, names[i]) != NULL)
      return TRUE;
  return FALSE;
}

void
lac_graphics_choose_for_display(void)
{
  GdkDisplay *display = gdk_display_get_default();
  if (is_chosen() || display == NULL)
    return;
  g_autoptr(GdkGLContext) context = gdk_display_create_gl_context(display, NULL);
  if (context == NULL || !gdk_gl_context_realize(context, NULL))
    return; /* without OpenGL the toolkit takes Cairo by itself */
  gdk_gl_context_make_current(context);
  if (is_computed((const char *) glGetString(GL_RENDERER)))
    g_setenv("GSK_RENDERER", "cairo", TRUE);
  gdk_gl_context_clear_current();
}
