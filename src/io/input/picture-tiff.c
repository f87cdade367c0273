/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TIFF: grey, RGB and palette of 8, 16 or 32 bits, integer or floating point, in strips or tiles; other kinds through
 * the library's 8-bit RGBA rendering. The first picture of a file. */
#include "base/error.h"
#include "io/input/picture.h"

#include <math.h>
#include <string.h>
#include <tiffio.h>

/* Set by the library's handlers, which are process-wide: one picture at a time. */
static gboolean has_failed;

typedef struct {
  TIFF    *tiff;
  guint16  n_samples, bits, format, planes, photometric;
  guint16 *palette[3];
  double   largest; /* of an integer sample */
  guint8  *block;   /* one strip or tile */
  double  *samples; /* [rows of a block][width][n_channels] */
} Reading;

static double
get_sample(const Reading *reading, const guint8 *at)
{
  union {
    guint16 u16;
    guint32 u32;
    gint16  i16;
    gint32  i32;
    float   f32;
    double  f64;
  } word = {0};

  memcpy(&word, at, reading->bits / 8);
  if (reading->format == SAMPLEFORMAT_IEEEFP)
    return reading->bits == 32 ? (double) word.f32 : word.f64;
  if (reading->format == SAMPLEFORMAT_INT)
    return (reading->bits == 8    ? (double) (gint8) at[0]
            : reading->bits == 16 ? (double) word.i16
                                  : (double) word.i32) /
           reading->largest;
  if (reading->bits == 8)
    return at[0] / reading->largest;
  return (reading->bits == 16 ? (double) word.u16 : (double) word.u32) / reading->largest;
}

/* Returns TRUE when this reader supports the sample layout itself. */
static gboolean
is_plain(const Reading *reading)
{
  const guint16  bits = reading->bits;
  const gboolean is_real = reading->format == SAMPLEFORMAT_IEEEFP && (bits == 32 || bits == 64);
  const gboolean is_whole =
    (reading->format == SAMPLEFORMAT_UINT || reading->format == SAMPLEFORMAT_INT) &&
    (bits == 8 || bits == 16 || bits == 32);

  if (reading->photometric == PHOTOMETRIC_PALETTE)
    return is_whole && bits <= 16 && reading->n_samples == 1;
  return (is_real || is_whole) && (reading->photometric == PHOTOMETRIC_MINISBLACK ||
                                   reading->photometric == PHOTOMETRIC_MINISWHITE ||
                                   reading->photometric == PHOTOMETRIC_RGB);
}

/* Counts colours and, if present, transparency; other extra samples are ignored. */
static guint
count_channels(const Reading *reading)
{
  guint16 n_extra = 0, *kinds = NULL;
  guint   n = reading->photometric == PHOTOMETRIC_RGB ? 3 : 1;

  if (reading->photometric == PHOTOMETRIC_PALETTE)
    return 3;
  TIFFGetFieldDefaulted(reading->tiff, TIFFTAG_EXTRASAMPLES, &n_extra, &kinds);
  if (n_extra > 0 && reading->n_samples > n && (kinds[0] == EXTRASAMPLE_UNASSALPHA))
    n++;
  return reading->n_samples >= n ? n : 1;
}

static void
put_sample(const Reading    *reading,
           const LacPicture *picture,
           const guint8     *from,
           guint             c,
           double           *to)
{
  if (reading->photometric == PHOTOMETRIC_PALETTE) {
    guint16 index = from[0];
    if (reading->bits == 16)
      memcpy(&index, from, 2);
    for (guint k = 0; k < 3; k++)
      to[k] = reading->palette[k][index] / 65535.0;
    return;
  }
  to[c] = get_sample(reading, from);
  if (reading->photometric == PHOTOMETRIC_MINISWHITE && c == 0 && !picture->is_real)
    to[c] = 1 - to[c];
}

/* A row of a strip or tile; @plane: -1: samples are interleaved. */
typedef struct {
  const guint8 *from;
  gsize         n;
  int           plane;
} Run;

static void
put_run(const Reading *reading, const LacPicture *picture, const Run *run, double *to)
{
  const gsize bytes = reading->bits / 8u;
  const gsize step = run->plane < 0 ? bytes * reading->n_samples : bytes;
  const guint n_all = reading->photometric == PHOTOMETRIC_PALETTE ? 1 : picture->n_channels;
  const guint n_here = run->plane < 0 ? n_all : 1;

  for (gsize x = 0; x < run->n; x++)
    for (guint c = 0; c < n_here; c++)
      put_sample(reading, picture, run->from + x * step + c * bytes,
                 run->plane < 0 ? c : (guint) run->plane, to + x * picture->n_channels);
}

/* Returns the first plane of a colour; -1: interleaved. */
static int
get_first_plane(const Reading *reading)
{
  return reading->planes == PLANARCONFIG_SEPARATE && reading->n_samples > 1 ? 0 : -1;
}

/* Reads strips plane by plane in file order: a compressed strip cannot be read backwards. */
static gboolean
read_strips(Reading *reading, LacPicture *picture)
{
  const int   first = get_first_plane(reading);
  const int   end = first < 0 ? 0 : (int) picture->n_channels;
  const gsize n = picture->width * picture->n_channels;

  reading->block = g_malloc0((gsize) MAX(TIFFScanlineSize(reading->tiff), 1));
  const gsize n_samples = n * (first < 0 ? 1 : picture->height);
  reading->samples = g_new(double, n_samples);
  lac_input_numbers_clear(reading->samples, n_samples);
  for (int plane = first; plane < end; plane++)
    for (gsize y = 0; y < picture->height; y++) {
      double *row = reading->samples + (plane < 0 ? 0 : y * n);

      if (TIFFReadScanline(reading->tiff, reading->block, (guint32) y, (guint16) MAX(plane, 0)) < 0)
        return FALSE;
      put_run(reading, picture, &(Run){reading->block, picture->width, plane}, row);
      if (plane == end - 1)
        lac_picture_put_row(picture, y, row);
    }
  return TRUE;
}

/* Reads one row of tiles. */
static gboolean
read_tiles_along(Reading *reading, LacPicture *picture, guint32 top, guint32 width, guint32 height)
{
  const int   first = get_first_plane(reading);
  const int   end = first < 0 ? 0 : (int) picture->n_channels;
  const gsize stride = (gsize) TIFFTileRowSize(reading->tiff);

  for (int plane = first; plane < end; plane++)
    for (guint32 left = 0; left < picture->width; left += width) {
      if (TIFFReadTile(reading->tiff, reading->block, left, top, 0, (guint16) MAX(plane, 0)) < 0)
        return FALSE;
      for (gsize y = 0; y < MIN(height, picture->height - top); y++)
        put_run(reading, picture,
                &(Run){reading->block + y * stride, MIN(width, picture->width - left), plane},
                reading->samples + (y * picture->width + left) * picture->n_channels);
    }
  return TRUE;
}

static gboolean
read_tiles(Reading *reading, LacPicture *picture)
{
  guint32 width = 0, height = 0;

  TIFFGetField(reading->tiff, TIFFTAG_TILEWIDTH, &width);
  TIFFGetField(reading->tiff, TIFFTAG_TILELENGTH, &height);
  if (width == 0 || height == 0 || width > 65536 || height > 65536 ||
      TIFFTileSize(reading->tiff) <= 0 || TIFFTileRowSize(reading->tiff) <= 0)
    return FALSE;
  reading->block = g_malloc0((gsize) TIFFTileSize(reading->tiff));
  const gsize n_samples = (gsize) height * picture->width * picture->n_channels;
  reading->samples = g_new(double, n_samples);
  lac_input_numbers_clear(reading->samples, n_samples);
  for (guint32 top = 0; top < picture->height; top += height) {
    if (!read_tiles_along(reading, picture, top, width, height))
      return FALSE;
    for (gsize y = top; y < MIN(top + height, picture->height); y++)
      lac_picture_put_row(picture, y,
                          reading->samples + (y - top) * picture->width * picture->n_channels);
  }
  return TRUE;
}

/* Reads bilevel, YCbCr, Lab ... as 8-bit RGBA. */
static gboolean
read_drawn(Reading *reading, LacPicture *picture)
{
  const guint         n = picture->n_channels;
  g_autofree guint32 *raster = g_new(guint32, picture->width * picture->height);

  if (!TIFFReadRGBAImageOriented(reading->tiff, (guint32) picture->width, (guint32) picture->height,
                                 raster, ORIENTATION_TOPLEFT, 1))
    return FALSE;
  reading->samples = g_new(double, n * picture->width);
  for (gsize y = 0; y < picture->height; y++) {
    for (gsize x = 0; x < picture->width; x++) {
      const guint32 pixel = raster[y * picture->width + x];
      const double  colours[] = {TIFFGetR(pixel) / 255.0, TIFFGetG(pixel) / 255.0,
                                 TIFFGetB(pixel) / 255.0};

      memcpy(reading->samples + n * x, colours, n * sizeof *colours);
    }
    lac_picture_put_row(picture, y, reading->samples);
  }
  return TRUE;
}

static gboolean
learn_head(Reading *reading, LacPicture *picture)
{
  guint32 width = 0, height = 0;
  TIFF   *tiff = reading->tiff;

  if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) ||
      !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height) ||
      !TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &reading->photometric))
    return FALSE;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &reading->n_samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &reading->bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &reading->format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &reading->planes);
  if (reading->format == SAMPLEFORMAT_VOID)
    reading->format = SAMPLEFORMAT_UINT;
  if (reading->photometric == PHOTOMETRIC_PALETTE &&
      !TIFFGetField(tiff, TIFFTAG_COLORMAP, &reading->palette[0], &reading->palette[1],
                    &reading->palette[2]))
    return FALSE;
  reading->largest =
    ldexp(1, reading->format == SAMPLEFORMAT_INT ? reading->bits - 1 : reading->bits) - 1;
  picture->width = width;
  picture->height = height;
  picture->bits = reading->bits;
  picture->is_real = reading->format == SAMPLEFORMAT_IEEEFP;
  picture->is_indexed = reading->photometric == PHOTOMETRIC_PALETTE;
  picture->n_channels = count_channels(reading);
  return reading->n_samples > 0;
}

static gboolean
learn_pixels(Reading *reading, LacPicture *picture, const char *path, GError **odd)
{
  char why[1024];

  if (!is_plain(reading) && !TIFFRGBAImageOK(reading->tiff, why)) {
    g_set_error(
      odd, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "%s is a TIFF picture of a kind that is not read here (%u samples of %u bits): save it "
      "as grey or RGB of 8, 16 or 32 bits",
      path, reading->n_samples, reading->bits);
    return FALSE;
  }
  if (!is_plain(reading)) {
    picture->is_real = FALSE;
    return read_drawn(reading, picture);
  }
  return TIFFIsTiled(reading->tiff) ? read_tiles(reading, picture) : read_strips(reading, picture);
}

/* Records an error: some codecs fill missing data and return success. */
static void
on_error(const char *module, const char *format, va_list arguments)
{
  has_failed = TRUE;
}

static void
on_warning(const char *module, const char *format, va_list arguments)
{
  has_failed = has_failed || g_strcmp0(module, "JPEGLib") == 0;
}

gboolean
lac_picture_read_tiff(LacPicture *picture, const char *path, GError **error)
{
  Reading  reading = {0};
  gboolean done = FALSE;
  GError  *odd = NULL;

  picture->format = "TIFF";
  /* Lacuna reports damage with its own message */
  TIFFErrorHandler errors = TIFFSetErrorHandler(on_error);
  TIFFErrorHandler warnings = TIFFSetWarningHandler(on_warning);
  reading.tiff = TIFFOpen(path, "rm");
  if (reading.tiff != NULL && learn_head(&reading, picture) &&
      lac_picture_begin(picture, path, &odd)) {
    has_failed = FALSE;
    done = learn_pixels(&reading, picture, path, &odd) && !has_failed;
  }
  if (reading.tiff != NULL)
    TIFFClose(reading.tiff);
  TIFFSetErrorHandler(errors);
  TIFFSetWarningHandler(warnings);
  g_free(reading.block);
  g_free(reading.samples);
  if (odd != NULL)
    g_propagate_error(error, odd);
  else if (!done)
    lac_input_set_damaged(error, path, "TIFF");
  return done;
}
