/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures: PNG, JPEG, TIFF and FITS become one grey plane: the whole numbers of the first three in [0, 1], real ones and those of
 * FITS as they are. */
#pragma once

#include "io/input/formats.h"

G_BEGIN_DECLS

/* The most pixels that are read: half a gigabyte of numbers. */
#define LAC_PICTURE_MOST_PIXELS ((gsize) 8192 * 8192)

typedef struct {
  const char *format; /* "PNG" */
  gsize       width, height;
  guint       n_channels; /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha */
  guint       bits;       /* of a sample in the file */
  gboolean    is_real;    /* samples are real numbers, kept as they are */
  gboolean    is_indexed; /* colours come from a palette */
  const char
    *remark;    /* (nullable): static: what else somebody should know: "the first of its planes" */
  double *grey; /* [height][width], the upper row first */
} LacPicture;

/**
 * lac_picture_begin:
 * @picture: all but the numbers
 *
 * Makes room. Returns: %FALSE with %LAC_ERROR_BAD_FILE: less than 2 pixels each way, or more than are read.
 */
gboolean lac_picture_begin(LacPicture *picture, const char *path, GError **error);

/**
 * lac_picture_put_row:
 * @samples: [width][n_channels]; of signed whole numbers in [-1, 1]
 *
 * Colours become their luminance 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601, of the values as they are stored), which is also
 * what JPEG keeps; what shines through lies on black.
 */
void lac_picture_put_row(LacPicture *picture, gsize y, const double *samples);

/* Each reads one format. Return: FALSE with %LAC_ERROR_BAD_FILE. */
gboolean lac_picture_read_png(LacPicture *picture, const char *path, GError **error);
gboolean lac_picture_read_jpeg(LacPicture *picture, const char *path, GError **error);
gboolean lac_picture_read_tiff(LacPicture *picture, const char *path, GError **error);
gboolean lac_picture_read_fits(LacPicture *picture, const char *path, GError **error);

/* As the readers of other formats: "grey" over "y" and "x", which count pixels from the upper left one. */
gboolean lac_input_read_png(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_jpeg(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_tiff(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_fits(LacInputFile *file, const char *path, GError **error);

/* By the first bytes of a file. Returns: (nullable): "GIF": a picture of a format that is not read here. */
const char *lac_picture_get_foreign(const guint8 *head, gsize n);

G_END_DECLS
