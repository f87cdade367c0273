/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FITS through CFITSIO: the first image of two or more axes in a file, scaled according to its header; the top row,
 * last in FITS, is returned first. Source: FITS standard 4.0, 4 and 5 */
#include "base/error.h"
#include "io/format/whole-file.h"
#include "io/input/picture.h"

#include <fitsio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK     2880
#define MOST_AXES 999

/* One header-data unit. */
typedef struct {
  int      bits; /* BITPIX: 8, 16, 32, 64, -32, -64 */
  int      n_axes;
  LONGLONG sizes[MOST_AXES];
  gboolean is_image; /* uncompressed image */
} Head;

/* Computes the bytes of the image. Returns: FALSE on overflow. */
static gboolean
measure(const Head *head, gsize *n_bytes)
{
  gsize n = head->n_axes > 0;

  for (int i = 0; i < head->n_axes; i++)
    if (head->sizes[i] < 0 || !g_size_checked_mul(&n, n, (gsize) head->sizes[i]))
      return FALSE;
  return g_size_checked_mul(n_bytes, n, (gsize) abs(head->bits) / 8);
}

/* @end: (out): end of the data, possibly beyond the file; for a table, which is not read, excluding the final block's
 * padding. */
static gboolean
read_head(fitsfile *fits, Head *head, gsize *n_bytes, gsize *end)
{
  int      status = 0, type;
  LONGLONG begin, data, behind;

  *n_bytes = 0;
  fits_get_hdu_type(fits, &type, &status);
  fits_get_hduaddrll(fits, &begin, &data, &behind, &status);
  if (status != 0 || data < 0 || behind < data)
    return FALSE;
  head->is_image = type == IMAGE_HDU && !fits_is_compressed_image(fits, &status);
  *end = (gsize) (behind > data ? MAX(behind - BLOCK + 1, data) : data);
  if (!head->is_image)
    return TRUE;
  fits_get_img_paramll(fits, MOST_AXES, &head->bits, &head->n_axes, head->sizes, &status);
  return status == 0 && head->n_axes <= MOST_AXES && measure(head, n_bytes) &&
         g_size_checked_add(end, (gsize) data, *n_bytes);
}

/* Searches the header-data units for an image. The library silently fills data beyond the end of the file, so each
 * unit is checked against the file length. @end: (out): end of the last data checked. */
static gboolean
find_image(fitsfile *fits, gsize length, Head *head, gsize *end)
{
  int   status = 0;
  gsize n_bytes;

  *end = 0;
  while (status == 0 && read_head(fits, head, &n_bytes, end)) {
    if (*end > length)
      return FALSE;
    if (head->is_image && head->n_axes >= 2 && n_bytes > 0)
      return TRUE;
    fits_movrel_hdu(fits, 1, NULL, &status);
  }
  return FALSE;
}

/* Reads the plane. An integer image's blank value becomes NaN; real numbers are unchanged. */
static gboolean
take_plane(fitsfile *fits, const Head *head, LacPicture *picture)
{
  g_autofree double   *row = g_new(double, picture->width);
  g_autofree LONGLONG *first = g_new(LONGLONG, (gsize) head->n_axes);
  double               nothing = (double) NAN;
  int                  status = 0, is_any_nothing;

  for (int i = 0; i < head->n_axes; i++)
    first[i] = 1;
  for (gsize y = 0; y < picture->height; y++) {
    first[1] = (LONGLONG) (picture->height - y);
    fits_read_pixll(fits, TDOUBLE, first, (LONGLONG) picture->width,
                    head->bits > 0 ? &nothing : NULL, row, &is_any_nothing, &status);
    if (status != 0)
      break;
    for (gsize x = 0; x < picture->width; x++)
      row[x] += 0; /* removes negative zeros */
    lac_picture_put_row(picture, y, row);
  }
  return status == 0;
}

static gboolean
read_image(fitsfile *fits, gsize length, LacPicture *picture, const char *path, GError **error)
{
  g_autofree Head *head = g_new0(Head, 1);
  gsize            end;

  if (!find_image(fits, length, head, &end)) {
    if (end > length)
      return lac_input_set_truncated(error, path, "FITS", length, end);
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s begins as a FITS file but is truncated, or holds no image of two axes that is "
                "not packed",
                path);
    return FALSE;
  }
  picture->width = (gsize) head->sizes[0];
  picture->height = (gsize) head->sizes[1];
  picture->bits = (guint) abs(head->bits);
  picture->n_channels = 1;
  picture->is_real = head->bits < 0;
  picture->remark = head->n_axes > 2 ? "the first of its planes" : NULL;
  return lac_picture_begin(picture, path, error) &&
         (take_plane(fits, head, picture) || lac_input_set_damaged(error, path, "FITS"));
}

gboolean
lac_picture_read_fits(LacPicture *picture, const char *path, GError **error)
{
  gsize     length;
  char     *bytes = lac_whole_file_read(path, &length, error);
  fitsfile *fits = NULL;
  int       status = 0, closing = 0;
  gboolean  done = FALSE;

  picture->format = "FITS";
  if (bytes == NULL)
    return FALSE;
  /* the library reads whole blocks; padding of the last one may be missing in the file */
  gsize    filled = (length + BLOCK - 1) / BLOCK * BLOCK;
  gpointer block = g_realloc(bytes, filled);
  memset((char *) block + length, 0, filled - length);
  if (fits_open_memfile(&fits, "picture", READONLY, &block, &filled, 0, NULL, &status) != 0)
    lac_input_set_damaged(error, path, "FITS");
  else
    done = read_image(fits, length, picture, path, error);
  if (fits != NULL)
    fits_close_file(fits, &closing);
  g_free(block);
  return done;
}
