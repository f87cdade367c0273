/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures from PNG, JPEG, TIFF and FITS as one grey plane. Integer samples of PNG, JPEG and TIFF are scaled to [0,
 * 1]; real samples and all values of FITS are unchanged. */
#pragma once

#include "io/input/formats.h"

G_BEGIN_DECLS

/* Maximum number of pixels: half a gigabyte of values. */
#define LAC_PICTURE_MOST_PIXELS ((gsize) 8192 * 8192)

typedef struct {
  const char *format; /* "PNG" */
  gsize       width, height;
  guint       n_channels; /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha */
  guint       bits;       /* bits of a sample in the file */
  gboolean    is_real;    /* samples are floating point, unchanged */
  gboolean    is_indexed; /* the file stores indices into a palette */
  const char *remark;     /* (nullable): static; for the user: "the first of its planes" */
  double     *grey;       /* [height][width], top row first */
} LacPicture;

/**
 * lac_picture_begin:
 * @picture: complete except for the values
 *
 * Allocates the values. Returns: %FALSE with %LAC_ERROR_BAD_FILE: fewer than 2 pixels in a direction, or too many.
 */
gboolean lac_picture_begin(LacPicture *picture, const char *path, GError **error);

/**
 * lac_picture_put_row:
 * @samples: [width][n_channels]; signed integers are in [-1, 1]
 *
 * Converts a row to grey. Colours become their luminance 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601, of the stored
 * values), as in JPEG; transparent pixels are composited over black.
 */
void lac_picture_put_row(LacPicture *picture, gsize y, const double *samples);

/* Read a file of one format. Return: FALSE with %LAC_ERROR_BAD_FILE. */
gboolean lac_picture_read_png(LacPicture *picture, const char *path, GError **error);
gboolean lac_picture_read_jpeg(LacPicture *picture, const char *path, GError **error);
gboolean lac_picture_read_tiff(LacPicture *picture, const char *path, GError **error);
gboolean lac_picture_read_fits(LacPicture *picture, const char *path, GError **error);

/* Read a picture as an array, as for other formats: "grey" over "y" and "x", pixel coordinates from the upper left. */
gboolean lac_input_read_png(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_jpeg(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_tiff(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_fits(LacInputFile *file, const char *path, GError **error);

/* Recognises an unsupported format by the first bytes of a file. Returns: (nullable): its name, such as "GIF". */
const char *lac_picture_get_foreign(const guint8 *head, gsize n);

G_END_DECLS
