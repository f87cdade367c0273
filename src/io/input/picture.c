/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common parts of all picture formats: size limits, conversion to grey, integration with other data files. */
#include "io/input/picture.h"

#include "base/error.h"

#include <string.h>

#define RED   0.299
#define GREEN 0.587
#define BLUE  0.114

gboolean
lac_picture_begin(LacPicture *picture, const char *path, GError **error)
{
  const gsize width = picture->width, height = picture->height;

  if (width < 2 || height < 2) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is a %s picture of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT
                " pixels; it needs 2 or more each way",
                path, picture->format, width, height);
    return FALSE;
  }
  if (height > LAC_PICTURE_MOST_PIXELS / width) {
    const double gigabytes = (double) width * (double) height * sizeof(double) / 1e9;
    char         text[G_ASCII_DTOSTR_BUF_SIZE];

    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is a %s picture of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT
                " pixels, which would take %s GB of memory; at most %" G_GSIZE_FORMAT
                " pixels are read, as 8192 x 8192: make it smaller first",
                path, picture->format, width, height,
                g_ascii_formatd(text, sizeof text, "%.1f", gigabytes), LAC_PICTURE_MOST_PIXELS);
    return FALSE;
  }
  picture->grey = g_new(double, width *height);
  lac_input_numbers_clear(picture->grey, width * height);
  return TRUE;
}

void
lac_picture_put_row(LacPicture *picture, gsize y, const double *samples)
{
  const guint n = picture->n_channels;
  double     *row = picture->grey + y * picture->width;

  for (gsize x = 0; x < picture->width; x++) {
    const double *at = samples + x * n;

    row[x] = n >= 3 ? RED * at[0] + GREEN * at[1] + BLUE * at[2] : at[0];
    if (n == 2 || n == 4)
      row[x] *= at[n - 1];
  }
}

/* Returns: interned: "PNG picture, 512 x 512 pixels, RGB of 8 bits: grey is its luminance" */
static const char *
get_words(const LacPicture *picture)
{
  static const char *const kinds[] = {"grey", "grey with transparency", "RGB",
                                      "RGB with transparency"};
  g_autofree char         *words = g_strdup_printf(
            "%s picture, %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT " pixels, %s of %u %sbit%s%s%s%s%s",
            picture->format, picture->width, picture->height,
    picture->is_indexed ? "palette" : kinds[picture->n_channels - 1], picture->bits,
    picture->is_real ? "floating-point " : "", picture->bits == 1 ? "" : "s",
    picture->n_channels >= 3 ? ", taken by its luminance" : "",
    picture->n_channels % 2 == 0 ? ", on black" : "", picture->remark != NULL ? ", " : "",
    picture->remark != NULL ? picture->remark : "");

  return g_intern_string(words);
}

static void
add_pixels(LacInputFile *file, const char *name, gsize n)
{
  LacInputArray *axis = lac_input_file_add(file, name, 1, &n);

  g_free(axis->unit);
  axis->unit = g_strdup("px");
  axis->data = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    axis->data[i] = (double) i;
}

static gboolean
read_picture(LacInputFile *file,
             const char   *path,
             gboolean (*reader)(LacPicture *picture, const char *path, GError **error),
             GError **error)
{
  LacPicture picture = {0};

  if (!reader(&picture, path, error)) {
    g_free(picture.grey);
    return FALSE;
  }
  const gsize    sizes[] = {picture.height, picture.width};
  LacInputArray *grey = lac_input_file_add(file, "grey", 2, sizes);
  grey->data = picture.grey;
  lac_input_array_take_axes(grey, g_strsplit("y x", " ", 2), sizes, 2);
  add_pixels(file, "y", picture.height);
  add_pixels(file, "x", picture.width);
  file->format = get_words(&picture);
  return TRUE;
}

gboolean
lac_input_read_png(LacInputFile *file, const char *path, GError **error)
{
  return read_picture(file, path, lac_picture_read_png, error);
}

gboolean
lac_input_read_jpeg(LacInputFile *file, const char *path, GError **error)
{
  return read_picture(file, path, lac_picture_read_jpeg, error);
}

gboolean
lac_input_read_tiff(LacInputFile *file, const char *path, GError **error)
{
  return read_picture(file, path, lac_picture_read_tiff, error);
}

gboolean
lac_input_read_fits(LacInputFile *file, const char *path, GError **error)
{
  return read_picture(file, path, lac_picture_read_fits, error);
}

const char *
lac_picture_get_foreign(const guint8 *head, gsize n)
{
  static const struct {
    const char *format, *mark;
    gsize       at, length;
  } foreign[] = {
    {"GIF", "GIF8", 0, 4},
    {"BMP", "BM", 0, 2},
    {"WebP", "WEBP", 8, 4},
    {"HEIF or AVIF", "ftyp", 4, 4},
    {"JPEG XL", "\xff\x0a", 0, 2},
    {"JPEG 2000", "jP  ", 4, 4},
    {"OpenEXR", "\x76\x2f\x31", 0, 3},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(foreign); i++)
    if (n >= foreign[i].at + foreign[i].length &&
        memcmp(head + foreign[i].at, foreign[i].mark, foreign[i].length) == 0)
      return foreign[i].format;
  return NULL;
}
