/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Textures that are cheap to draw. */
#include "app/toolkit/texture.h"

#include <gtk/gtk.h>

/* ---- textures with three bytes per pixel ---- */

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

/* ---- a paintable backed by a Cairo surface ---- */

struct _LacStill {
  GObject          parent_instance;
  int              width, height;
  GThread         *reader;  /* NULL once it has been joined */
  cairo_surface_t *surface; /* NULL until then */
};

static cairo_surface_t *
get_surface(LacStill *self)
{
  if (self->reader != NULL)
    self->surface = g_thread_join(g_steal_pointer(&self->reader));
  return self->surface;
}

static void
lac_still_snapshot(GdkPaintable *paintable, GdkSnapshot *snapshot, double width, double height)
{
  LacStill        *self = LAC_STILL(paintable);
  cairo_pattern_t *pattern = cairo_pattern_create_for_surface(get_surface(self));
  cairo_t         *cairo = gtk_snapshot_append_cairo(
            GTK_SNAPSHOT(snapshot), &GRAPHENE_RECT_INIT(0, 0, (float) width, (float) height));
  cairo_scale(cairo, width / self->width, height / self->height);
  cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD);
  cairo_set_source(cairo, pattern);
  cairo_paint(cairo);
  cairo_destroy(cairo);
  cairo_pattern_destroy(pattern);
}

static GdkPaintableFlags
lac_still_get_flags(GdkPaintable *paintable)
{
  return GDK_PAINTABLE_STATIC_SIZE | GDK_PAINTABLE_STATIC_CONTENTS;
}

static int
lac_still_get_intrinsic_width(GdkPaintable *paintable)
{
  return LAC_STILL(paintable)->width;
}

static int
lac_still_get_intrinsic_height(GdkPaintable *paintable)
{
  return LAC_STILL(paintable)->height;
}

static void
lac_still_paintable_init(GdkPaintableInterface *interface)
{
  interface->snapshot = lac_still_snapshot;
  interface->get_flags = lac_still_get_flags;
  interface->get_intrinsic_width = lac_still_get_intrinsic_width;
  interface->get_intrinsic_height = lac_still_get_intrinsic_height;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(LacStill,
                              lac_still,
                              G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(GDK_TYPE_PAINTABLE, lac_still_paintable_init))

static void
lac_still_finalize(GObject *object)
{
  cairo_surface_destroy(get_surface(LAC_STILL(object)));
  G_OBJECT_CLASS(lac_still_parent_class)->finalize(object);
}

static void
lac_still_class_init(LacStillClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_still_finalize;
}

static void
lac_still_init(LacStill *self)
{
}

static guint8
to_byte(float share)
{
  return (guint8) (255 * share + 0.5F);
}

/* Averages a square of premultiplied Cairo pixels, blended with @behind. Returns: such a pixel */
static guint32
find_mean(const guint32 *pixels, gsize row, guint side, const guint8 *behind)
{
  guint32 mean = 0;
  for (guint k = 0; k < 3; k++) {
    guint sum = side * side / 2;
    for (guint y = 0; y < side; y++)
      for (guint x = 0; x < side; x++)
        sum += (pixels[y * row + x] >> (16 - 8 * k) & 255) +
               (255 - (pixels[y * row + x] >> 24)) * behind[k] / 255;
    mean |= sum / (side * side) << (16 - 8 * k);
  }
  return mean;
}

typedef struct {
  GBytes *bytes; /* of a picture file */
  guint   reduction;
  guint8  under[3];
} Picture;

/* GThreadFunc. @data: (transfer full): a Picture. Returns: (transfer full): a Cairo surface */
static gpointer
read_picture(gpointer data)
{
  g_autofree Picture   *picture = data;
  g_autoptr(GBytes)     bytes = picture->bytes;
  g_autoptr(GdkTexture) read = gdk_texture_new_from_bytes(bytes, NULL);
  const int             row = gdk_texture_get_width(read), rows = gdk_texture_get_height(read);
  const int             side = (int) picture->reduction;
  g_autofree guint32   *pixels = g_new(guint32, (gsize) row * (gsize) rows);
  gdk_texture_download(read, (guint8 *) pixels, 4 * (gsize) row);
  cairo_surface_t *surface =
    cairo_image_surface_create(CAIRO_FORMAT_RGB24, row / side, rows / side);
  guint8 *lines = cairo_image_surface_get_data(surface);
  for (int y = 0; y < rows / side; y++) {
    guint32 *line = (guint32 *) (void *) (lines + y * cairo_image_surface_get_stride(surface));
    for (int x = 0; x < row / side; x++)
      line[x] =
        find_mean(pixels + (y * row + x) * side, (gsize) row, picture->reduction, picture->under);
  }
  cairo_surface_mark_dirty(surface);
  return surface;
}

/* The header of a PNG file holds width and height as big-endian integers. */
static int
read_length(GBytes *png, gsize offset)
{
  const guint8 *bytes = (const guint8 *) g_bytes_get_data(png, NULL) + offset;
  return bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

GdkPaintable *
lac_still_new(const char *path, guint reduction, LacColour behind)
{
  g_return_val_if_fail(path != NULL && reduction > 0, NULL);
  LacStill *self = g_object_new(LAC_TYPE_STILL, NULL);
  Picture  *picture = g_new(Picture, 1);
  *picture = (Picture){g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL),
                       reduction,
                       {to_byte(behind.red), to_byte(behind.green), to_byte(behind.blue)}};
  self->width = read_length(picture->bytes, 16) / (int) reduction;
  self->height = read_length(picture->bytes, 20) / (int) reduction;
  self->reader = g_thread_new("picture", read_picture, picture);
  return GDK_PAINTABLE(self);
}
