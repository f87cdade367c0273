/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of all kinds, written with the libraries of their formats. */
#pragma once

#include <glib.h>

#include <tiffio.h>

G_BEGIN_DECLS

#define PICTURE_WIDTH  37
#define PICTURE_HEIGHT 23

/* Returns an integer of @bits that identifies pixel and channel: the value in PNG, TIFF and FITS files. */
guint picture_value_at(gsize y, gsize x, guint channel, guint bits);
/* Returns the value in JPEG files, in [0, 1]. */
double picture_smooth_at(gsize y, gsize x);

void picture_write_png(const char *path, guint n_channels, guint bits, int interlace);
void picture_write_jpeg(const char *path, int n_channels);

typedef struct {
  guint16 n_channels, bits, planes, photometric, compression;
  guint32 tile; /* 0: strips of 5 rows */
} PictureTiff;

/* Begins a TIFF without samples. @mode: of TIFFOpen(). */
TIFF *picture_begin_tiff(const char *path, const PictureTiff *kind, const char *mode);
void  picture_write_tiff(const char *path, const PictureTiff *kind, const char *mode);

/* Writes 16-bit counts in the second header-data unit of the file. */
void picture_write_fits(const char *path);
void picture_add_card(GByteArray *bytes, const char *text);
/* Pads to the next whole block. */
void picture_fill_block(GByteArray *bytes, guint8 with);
void picture_write_bytes(const char *path, const GByteArray *bytes);

G_END_DECLS
