/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Textures of three bytes a pixel. */
#include "app/texture.h"

GdkTexture *
lac_texture_new_opaque(guint8 *rgba, gsize width, gsize height)
{
  g_return_val_if_fail(rgba != NULL && width > 0 && height > 0, NULL);
  for (gsize i = 1; i < width * height; i++)
    for (gsize k = 0; k < 3; k++)
      rgba[3 * i + k] = rgba[4 * i + k];
  g_autoptr(GBytes) bytes = g_bytes_new_take(rgba, 4 * width * height);
  return gdk_memory_texture_new((int) width, (int) height, GDK_MEMORY_R8G8B8, bytes, 3 * width);
}
