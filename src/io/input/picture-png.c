/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PNG: grey, RGB and palette, with transparency, up to 16 bits, interlaced or not. */
#include "io/input/picture.h"

#include <png.h>

#include <setjmp.h>
#include <stdio.h>

/* State that must survive a longjmp. */
typedef struct {
  png_structp png;
  png_infop   info;
  FILE       *stream;
  guint8     *raw;
  png_bytep  *rows;
  double     *samples;
  gboolean    too_odd; /* refused with a specific error */
} Reading;

static G_GNUC_NORETURN void
on_error(png_structp png, png_const_charp message)
{
  png_longjmp(png, 1);
}

static void
on_warning(png_structp png, png_const_charp message)
{
}

/* Reads the header and requests 1 to 4 channels of 8 or 16 bits. */
static void
learn_head(Reading *reading, LacPicture *picture)
{
  png_structp png = reading->png;

  png_read_info(png, reading->info);
  picture->width = png_get_image_width(png, reading->info);
  picture->height = png_get_image_height(png, reading->info);
  picture->bits = png_get_bit_depth(png, reading->info);
  picture->is_indexed = png_get_color_type(png, reading->info) == PNG_COLOR_TYPE_PALETTE;
  png_set_expand(png);
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, reading->info);
  picture->n_channels = png_get_channels(png, reading->info);
}

static void
learn_pixels(Reading *reading, LacPicture *picture)
{
  const gsize    stride = png_get_rowbytes(reading->png, reading->info);
  const gsize    n = picture->width * picture->n_channels;
  const gboolean is_wide = png_get_bit_depth(reading->png, reading->info) == 16;

  reading->raw =
    g_malloc_n(picture->height, stride); /* completely filled, or png_read_image() jumps */
  reading->rows = g_new(png_bytep, picture->height);
  reading->samples = g_new(double, n);
  for (gsize y = 0; y < picture->height; y++)
    reading->rows[y] = reading->raw + y * stride;
  png_read_image(reading->png, reading->rows);
  png_read_end(reading->png, NULL);
  for (gsize y = 0; y < picture->height; y++) {
    const guint16 *wide = (const guint16 *) (gconstpointer) reading->rows[y];

    for (gsize i = 0; i < n; i++)
      reading->samples[i] = is_wide ? wide[i] / 65535.0 : reading->rows[y][i] / 255.0;
    lac_picture_put_row(picture, y, reading->samples);
  }
}

static gboolean
read_guarded(Reading *reading, LacPicture *picture, const char *path, GError **error)
{
  if (setjmp(png_jmpbuf(reading->png)) != 0)
    return FALSE;
  png_init_io(reading->png, reading->stream);
  png_set_user_limits(reading->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  learn_head(reading, picture);
  if (!lac_picture_begin(picture, path, error)) {
    reading->too_odd = TRUE;
    return FALSE;
  }
  learn_pixels(reading, picture);
  return TRUE;
}

gboolean
lac_picture_read_png(LacPicture *picture, const char *path, GError **error)
{
  Reading  reading = {0};
  gboolean done = FALSE;

  picture->format = "PNG";
  reading.stream = fopen(path, "rbe");
  reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
  reading.info = reading.png != NULL ? png_create_info_struct(reading.png) : NULL;
  if (reading.stream != NULL && reading.info != NULL)
    done = read_guarded(&reading, picture, path, error);
  png_destroy_read_struct(&reading.png, &reading.info, NULL);
  if (reading.stream != NULL)
    fclose(reading.stream);
  g_free(reading.raw);
  g_free(reading.rows);
  g_free(reading.samples);
  if (!done && !reading.too_odd)
    lac_input_set_damaged(error, path, "PNG");
  return done;
}
