/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of all kinds, written with the libraries of their formats. */
#include "picture-files.h"

#include <png.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
/* must follow stdio.h, whose types it requires */
#include <jpeglib.h>

/* Returns an integer of @bits that identifies pixel and channel. */
guint
picture_value_at(gsize y, gsize x, guint channel, guint bits)
{
  return (guint) ((y * 1237 + x * 241 + channel * 7919) % (1u << bits));
}

/* ---- PNG ---- */

void
picture_write_png(const char *path, guint n_channels, guint bits, int interlace)
{
  static const int colours[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  FILE            *stream = fopen(path, "wb");
  png_structp      png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop        info = png_create_info_struct(png);
  guint8           bytes[PICTURE_HEIGHT][PICTURE_WIDTH * 8];
  png_bytep        rows[PICTURE_HEIGHT];

  for (gsize y = 0; y < PICTURE_HEIGHT; y++) {
    rows[y] = bytes[y];
    for (gsize i = 0; i < PICTURE_WIDTH * n_channels; i++) {
      const guint value = picture_value_at(y, i / n_channels, (guint) (i % n_channels), bits);

      if (bits == 16) {
        bytes[y][2 * i] = (guint8) (value >> 8);
        bytes[y][2 * i + 1] = (guint8) value;
      } else {
        bytes[y][i] = (guint8) value;
      }
    }
  }
  png_init_io(png, stream);
  png_set_IHDR(png, info, PICTURE_WIDTH, PICTURE_HEIGHT, (int) bits, colours[n_channels], interlace,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  png_write_image(png, rows);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  fclose(stream);
}

/* ---- TIFF ---- */

static void
put_tiff_sample(guint8 *to, const PictureTiff *kind, gsize y, gsize x, guint channel)
{
  guint32 value = kind->bits == 32 ? picture_value_at(y, x, channel, 16) * 65537u
                                   : picture_value_at(y, x, channel, kind->bits);

  if (kind->photometric == PHOTOMETRIC_MINISWHITE)
    value = (1u << kind->bits) - 1 - value;
  if (kind->bits == 8)
    *to = (guint8) value;
  else if (kind->bits == 16)
    memcpy(to, &(guint16){(guint16) value}, 2);
  else
    memcpy(to, &value, 4);
}

static void
fill_tiff_block(const PictureTiff *kind,
                guint8            *block,
                gsize              top,
                gsize              left,
                gsize              width,
                gsize              height,
                int                plane)
{
  const guint n = plane < 0 ? kind->n_channels : 1, bytes = kind->bits / 8u;

  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++)
      for (guint c = 0; c < n; c++)
        put_tiff_sample(block + ((y * width + x) * n + c) * bytes, kind, top + y, left + x,
                        plane < 0 ? c : (guint) plane);
}

TIFF *
picture_begin_tiff(const char *path, const PictureTiff *kind, const char *mode)
{
  TIFF *tiff = TIFFOpen(path, mode);

  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, PICTURE_WIDTH);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, PICTURE_HEIGHT);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, kind->n_channels);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, kind->bits);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, kind->photometric);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, kind->planes);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, kind->compression);
  if (kind->n_channels % 2 == 0)
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &(guint16){EXTRASAMPLE_UNASSALPHA});
  if (kind->tile != 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, kind->tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, kind->tile);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 5);
  }
  return tiff;
}

void
picture_write_tiff(const char *path, const PictureTiff *kind, const char *mode)
{
  TIFF     *tiff = picture_begin_tiff(path, kind, mode);
  const int n_planes = kind->planes == PLANARCONFIG_SEPARATE ? kind->n_channels : 1;
  guint8    block[64 * 64 * 8];

  for (int p = 0; p < n_planes; p++) {
    const int plane = kind->planes == PLANARCONFIG_SEPARATE ? p : -1;

    for (guint32 y = 0; y < PICTURE_HEIGHT; y += kind->tile != 0 ? kind->tile : 1)
      for (guint32 x = 0; x < PICTURE_WIDTH; x += kind->tile != 0 ? kind->tile : PICTURE_WIDTH) {
        fill_tiff_block(kind, block, y, x, kind->tile != 0 ? kind->tile : PICTURE_WIDTH,
                        kind->tile != 0 ? kind->tile : 1, plane);
        if (kind->tile != 0)
          g_assert_cmpint(TIFFWriteTile(tiff, block, x, y, 0, (guint16) p), >, 0);
        else
          g_assert_cmpint(TIFFWriteScanline(tiff, block, y, (guint16) p), >=, 0);
      }
  }
  TIFFClose(tiff);
}

/* ---- JPEG ---- */

double
picture_smooth_at(gsize y, gsize x)
{
  return 0.5 + 0.4 * sin(0.12 * (double) x) * cos(0.1 * (double) y);
}

void
picture_write_jpeg(const char *path, int n_channels)
{
  FILE                       *stream = fopen(path, "wb");
  struct jpeg_error_mgr       errors;
  struct jpeg_compress_struct jpeg;

  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  jpeg_stdio_dest(&jpeg, stream);
  jpeg.image_width = PICTURE_WIDTH;
  jpeg.image_height = PICTURE_HEIGHT;
  jpeg.input_components = n_channels;
  jpeg.in_color_space = n_channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 98, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  for (gsize y = 0; y < PICTURE_HEIGHT; y++) {
    JSAMPLE  bytes[PICTURE_WIDTH * 3];
    JSAMPROW row = bytes;

    for (int i = 0; i < PICTURE_WIDTH * n_channels; i++)
      bytes[i] = (JSAMPLE) lround(255 * picture_smooth_at(y, (gsize) (i / n_channels)));
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  fclose(stream);
}

/* ---- FITS ---- */

void
picture_add_card(GByteArray *bytes, const char *text)
{
  char card[81];

  g_snprintf(card, sizeof card, "%-80s", text);
  g_byte_array_append(bytes, (const guint8 *) card, 80);
}

void
picture_fill_block(GByteArray *bytes, guint8 with)
{
  while (bytes->len % 2880 != 0)
    g_byte_array_append(bytes, &with, 1);
}

void
picture_write_bytes(const char *path, const GByteArray *bytes)
{
  g_assert_true(g_file_set_contents(path, (const char *) bytes->data, bytes->len, NULL));
}

/* 16-bit counts, unsigned by the usual BZERO, after a header without an image. */
void
picture_write_fits(const char *path)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new();

  picture_add_card(bytes, "SIMPLE  =                    T / a file of that format");
  picture_add_card(bytes, "BITPIX  =                    8");
  picture_add_card(bytes, "NAXIS   =                    0");
  picture_add_card(bytes, "END");
  picture_fill_block(bytes, ' ');
  picture_add_card(bytes, "XTENSION= 'IMAGE   '");
  picture_add_card(bytes, "BITPIX  =                   16");
  picture_add_card(bytes, "NAXIS   =                    2");
  picture_add_card(bytes, "NAXIS1  =                   37");
  picture_add_card(bytes, "NAXIS2  =                   23");
  picture_add_card(bytes, "PCOUNT  =                    0");
  picture_add_card(bytes, "GCOUNT  =                    1");
  picture_add_card(bytes, "BZERO   =                32768");
  picture_add_card(bytes, "BSCALE  =                  1.0");
  picture_add_card(bytes, "END");
  picture_fill_block(bytes, ' ');
  for (gsize y = PICTURE_HEIGHT; y-- > 0;)
    for (gsize x = 0; x < PICTURE_WIDTH; x++) {
      const guint16 word = (guint16) (picture_value_at(y, x, 0, 16) ^ 0x8000);
      const guint8  pair[] = {(guint8) (word >> 8), (guint8) word};
      g_byte_array_append(bytes, pair, 2);
    }
  picture_fill_block(bytes, 0);
  picture_write_bytes(path, bytes);
}
