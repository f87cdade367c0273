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

static guint8
to_byte(float share)
{
  return (guint8) (255 * share + 0.5F);
}

/* The mean of a square of pixels, which Cairo has as numbers, multiplied by their opacity. */
static void
put_mean(const guint32 *pixels, gsize row, guint side, const guint8 *behind, guint8 *rgba)
{
  for (guint k = 0; k < 3; k++) {
    guint sum = side * side / 2;
    for (guint y = 0; y < side; y++)
      for (guint x = 0; x < side; x++)
        sum += (pixels[y * row + x] >> (16 - 8 * k) & 255) +
               (255 - (pixels[y * row + x] >> 24)) * behind[k] / 255;
    rgba[k] = (guint8) (sum / (side * side));
  }
}

GdkTexture *
lac_texture_new_resource(const char *path, guint reduction, LacColour behind)
{
  const guint8 under[] = {to_byte(behind.red), to_byte(behind.green), to_byte(behind.blue)};
  g_return_val_if_fail(path != NULL && reduction > 0, NULL);
  g_autoptr(GdkTexture) read = gdk_texture_new_from_resource(path);
  gsize                 row = (gsize) gdk_texture_get_width(read), width = row / reduction;
  gsize                 height = (gsize) gdk_texture_get_height(read) / reduction;
  g_autofree guint32   *pixels = g_new(guint32, row * (gsize) gdk_texture_get_height(read));
  guint8               *rgba = g_malloc(4 * width * height);
  gdk_texture_download(read, (guint8 *) pixels, 4 * row);
  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++)
      put_mean(pixels + (y * row + x) * reduction, row, reduction, under,
               rgba + 4 * (y * width + x));
  return lac_texture_new_opaque(rgba, width, height);
}
