/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Painting of a static picture: its pixels, the mean of each square of them, blended with the background. */
#include "app/helpers/display.h"
#include "app/toolkit/texture.h"

#include <math.h>

#define PICTURE "/io/github/lacuna/Lacuna/thumbnails/kolmogorov.png"

static const LacColour behind = {0.2F, 0.4F, 0.6F, 1};

/* Returns: (transfer full): [height][width], Cairo pixels; painted @scale times enlarged */
static guint32 *
paint(GdkPaintable *still, int scale, int *width, int *height)
{
  *width = scale * gdk_paintable_get_intrinsic_width(still);
  *height = scale * gdk_paintable_get_intrinsic_height(still);
  guint32         *pixels = g_new0(guint32, (gsize) *width * (gsize) *height);
  cairo_surface_t *surface = cairo_image_surface_create_for_data(
    (guint8 *) pixels, CAIRO_FORMAT_ARGB32, *width, *height, 4 * *width);
  cairo_t       *cairo = cairo_create(surface);
  GtkSnapshot   *snapshot = gtk_snapshot_new();
  GskRenderNode *node;
  gdk_paintable_snapshot(still, snapshot, *width, *height);
  node = gtk_snapshot_free_to_node(snapshot);
  gsk_render_node_draw(node, cairo);
  gsk_render_node_unref(node);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  return pixels;
}

static double
mean_of_square(const float *rgba, int row, int side, int x, int y, guint channel)
{
  const float under[] = {behind.red, behind.green, behind.blue};
  double      sum = 0;
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++) {
      const float *pixel = rgba + 4 * ((y * side + j) * row + x * side + i);
      sum += (double) pixel[channel] + (1 - (double) pixel[3]) * (double) under[channel];
    }
  return 255 * sum / (side * side);
}

static void
test_means(void)
{
  if (!display_open())
    return;
  g_autoptr(GdkTexture) read = gdk_texture_new_from_resource(PICTURE);
  const int             row = gdk_texture_get_width(read), rows = gdk_texture_get_height(read);
  g_autofree guint32   *bytes = g_new(guint32, (gsize) row * (gsize) rows);
  g_autofree float     *rgba = g_new(float, 4 * (gsize) row * (gsize) rows);
  gdk_texture_download(read, (guint8 *) bytes, 4 * (gsize) row);
  for (int i = 0; i < row * rows; i++) {
    for (int k = 0; k < 3; k++)
      rgba[4 * i + k] = (float) (bytes[i] >> (16 - 8 * k) & 255) / 255;
    rgba[4 * i + 3] = (float) (bytes[i] >> 24) / 255;
  }
  for (int side = 1; side <= 3; side++) {
    g_autoptr(GdkPaintable) still = lac_still_new(PICTURE, (guint) side, behind);
    int                     width, height;
    g_autofree guint32     *painted = paint(still, 1, &width, &height);
    g_assert_cmpint(width, ==, row / side);
    g_assert_cmpint(height, ==, rows / side);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        for (guint k = 0; k < 3; k++)
          g_assert_cmpfloat(fabs((painted[y * width + x] >> (16 - 8 * k) & 255) -
                                 mean_of_square(rgba, row, side, x, y, k)),
                            <, 1.5);
  }
}

static void
test_fills_its_place(void)
{
  if (!display_open())
    return;
  g_autoptr(GdkPaintable) still = lac_still_new(PICTURE, 2, behind);
  int                     width, height, widths, heights;
  g_autofree guint32     *once = paint(still, 1, &width, &height);
  g_autofree guint32     *twice = paint(still, 2, &widths, &heights);
  for (int i = 0; i < widths * heights; i++)
    g_assert_cmphex(twice[i] >> 24, ==, 255); /* no gaps, even at the edges */
  g_assert_cmphex(twice[0], ==, once[0]);
  g_assert_cmphex(twice[widths * heights - 1], ==, once[width * height - 1]);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/still/each-pixel-is-the-mean-of-a-square", test_means);
  g_test_add_func("/app/still/it-fills-its-place", test_fills_its_place);
  return g_test_run();
}
