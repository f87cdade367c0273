/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of all kinds: values are read back, and every error gives one message. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/helpers/picture-files.h"
#include "io/input/formats.h"
#include "io/input/input.h"

#include <png.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static char *folder;

static char *
place(const char *name)
{
  return g_build_filename(folder, name, NULL);
}

static double
luminance_at(gsize y, gsize x, guint n_channels, guint bits)
{
  const double most = (1u << bits) - 1;
  double       grey = picture_value_at(y, x, 0, bits);

  if (n_channels >= 3)
    grey = 0.299 * grey + 0.587 * picture_value_at(y, x, 1, bits) +
           0.114 * picture_value_at(y, x, 2, bits);
  if (n_channels % 2 == 0)
    grey *= picture_value_at(y, x, n_channels - 1, bits) / most;
  return grey / most;
}

static LacGridField *
load(const char *path)
{
  g_autoptr(GError) error = NULL;
  LacGridField     *field = lac_input_load(path, "picture", &error);

  g_assert_no_error(error);
  g_assert_cmpuint(field->n_axes, ==, 2);
  g_assert_cmpstr(field->axes[0].name, ==, "y");
  g_assert_cmpstr(field->axes[1].name, ==, "x");
  g_assert_cmpstr(field->axes[1].unit, ==, "px");
  return field;
}

static void
check_numbers(const char *path, guint n_channels, guint bits)
{
  g_autoptr(LacGridField) field = load(path);

  g_assert_cmpuint(field->axes[0].n, ==, PICTURE_HEIGHT);
  g_assert_cmpuint(field->axes[1].n, ==, PICTURE_WIDTH);
  for (gsize y = 0; y < PICTURE_HEIGHT; y++)
    for (gsize x = 0; x < PICTURE_WIDTH; x++)
      g_assert_cmpfloat_with_epsilon(field->data[y * PICTURE_WIDTH + x],
                                     luminance_at(y, x, n_channels, bits), 1e-14);
}

/* ---- PNG ---- */

static void
test_png(void)
{
  g_autofree char *path = place("some.png");

  for (guint bits = 8; bits <= 16; bits += 8)
    for (guint n_channels = 1; n_channels <= 4; n_channels++)
      for (int interlace = 0; interlace < 2; interlace++) {
        picture_write_png(path, n_channels, bits, interlace);
        check_numbers(path, n_channels, bits);
      }
}

/* Four colours, two bits per pixel; the last one is half transparent. */
static void
test_palette(void)
{
  static const png_color colours[] = {{0, 0, 0}, {255, 0, 0}, {0, 255, 0}, {255, 255, 255}};
  static const double    grey[] = {0, 0.299, 0.587, 128 / 255.0};
  static const guint8    shares[] = {255, 255, 255, 128};
  g_autofree char       *path = place("palette.png");
  FILE                  *stream = fopen(path, "wb");
  png_structp            png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop              info = png_create_info_struct(png);
  guint8                 row[1] = {0x1b}; /* 0 1 2 3 */

  png_init_io(png, stream);
  png_set_IHDR(png, info, 4, 2, 2, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, 0, 0);
  png_set_PLTE(png, info, colours, 4);
  png_set_tRNS(png, info, shares, 4, NULL);
  png_write_info(png, info);
  png_write_row(png, row);
  png_write_row(png, row);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  fclose(stream);

  g_autoptr(LacGridField) field = load(path);
  for (gsize i = 0; i < 8; i++)
    g_assert_cmpfloat_with_epsilon(field->data[i], grey[i % 4], 1e-14);
}

/* ---- TIFF ---- */

static void
test_tiff(void)
{
  static const PictureTiff kinds[] = {
    {1, 8, PLANARCONFIG_CONTIG, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, 0},
    {1, 16, PLANARCONFIG_CONTIG, PHOTOMETRIC_MINISBLACK, COMPRESSION_LZW, 0},
    {1, 16, PLANARCONFIG_CONTIG, PHOTOMETRIC_MINISWHITE, COMPRESSION_NONE, 16},
    {2, 8, PLANARCONFIG_CONTIG, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, 0},
    {3, 8, PLANARCONFIG_CONTIG, PHOTOMETRIC_RGB, COMPRESSION_NONE, 0},
    {3, 16, PLANARCONFIG_SEPARATE, PHOTOMETRIC_RGB, COMPRESSION_LZW, 0},
    {3, 8, PLANARCONFIG_SEPARATE, PHOTOMETRIC_RGB, COMPRESSION_NONE, 16},
    {4, 16, PLANARCONFIG_CONTIG, PHOTOMETRIC_RGB, COMPRESSION_LZW, 32},
  };
  g_autofree char *path = place("some.tif");

  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
    for (int big = 0; big < 2; big++) {
      g_test_message("kind %zu, %s end first", i, big ? "big" : "little");
      picture_write_tiff(path, &kinds[i], big ? "wb" : "wl");
      check_numbers(path, kinds[i].n_channels, kinds[i].bits);
    }
}

/* @odd: (nullable): replaces the value in the middle */
static void
write_real_tiff(const char *path, const float *odd)
{
  static const PictureTiff kind = {
    1, 32, PLANARCONFIG_CONTIG, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, 0};
  TIFF *tiff = picture_begin_tiff(path, &kind, "w");

  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
  for (guint32 y = 0; y < PICTURE_HEIGHT; y++) {
    float row[PICTURE_WIDTH];

    for (gsize x = 0; x < PICTURE_WIDTH; x++)
      row[x] = odd != NULL && y == PICTURE_HEIGHT / 2 && x == PICTURE_WIDTH / 2
                 ? *odd
                 : 1e3f * (float) y - 7.5f * (float) x;
    TIFFWriteScanline(tiff, row, y, 0);
  }
  TIFFClose(tiff);
}

static void
test_real_tiff(void)
{
  g_autofree char *path = place("real.tif");

  write_real_tiff(path, NULL);
  g_autoptr(LacGridField) field = load(path);
  for (gsize y = 0; y < PICTURE_HEIGHT; y++)
    for (gsize x = 0; x < PICTURE_WIDTH; x++)
      g_assert_cmpfloat(field->data[y * PICTURE_WIDTH + x], ==,
                        1e3 * (double) y - 7.5 * (double) x);
}

static void
write_odd_tiff(const char *path, guint16 bits, guint16 format, const guint8 *row)
{
  const PictureTiff kind = {1, bits, PLANARCONFIG_CONTIG, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE,
                            0};
  TIFF             *tiff = picture_begin_tiff(path, &kind, "w");

  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format);
  for (guint32 y = 0; y < PICTURE_HEIGHT; y++)
    TIFFWriteScanline(tiff, (gpointer) row, y, 0);
  TIFFClose(tiff);
}

/* Black and white, signed counts, and an unsupported kind. */
static void
test_odd_tiff(void)
{
  g_autofree char  *path = place("odd.tif");
  g_autoptr(GError) error = NULL;
  guint8            row[PICTURE_WIDTH * 2] = {0x35};

  write_odd_tiff(path, 1, SAMPLEFORMAT_UINT, row);
  g_autoptr(LacGridField) two = load(path);
  for (gsize x = 0; x < PICTURE_WIDTH; x++)
    g_assert_cmpfloat(two->data[x], ==, x < 8 ? 0x35 >> (7 - x) & 1 : 0);
  memcpy(row, &(gint16){-32767}, 2);
  write_odd_tiff(path, 16, SAMPLEFORMAT_INT, row);
  g_autoptr(LacGridField) counts = load(path);
  g_assert_cmpfloat(counts->data[0], ==, -1);
  g_assert_cmpfloat(counts->data[1], ==, 0);
  write_odd_tiff(path, 12, SAMPLEFORMAT_UINT, row);
  g_assert_null(lac_input_load(path, "picture", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "1 samples of 12 bits"));
}

/* ---- JPEG ---- */

static void
test_jpeg(void)
{
  g_autofree char *path = place("some.jpg");

  for (int n_channels = 1; n_channels <= 3; n_channels += 2) {
    picture_write_jpeg(path, n_channels);
    g_autoptr(LacGridField) field = load(path);
    for (gsize y = 0; y < PICTURE_HEIGHT; y++)
      for (gsize x = 0; x < PICTURE_WIDTH;
           x++) /* at this quality the format preserves smooth images to about two of 255 levels */
        g_assert_cmpfloat_with_epsilon(field->data[y * PICTURE_WIDTH + x], picture_smooth_at(y, x),
                                       3 / 255.0);
  }
}

/* ---- FITS ---- */

static void
test_fits(void)
{
  g_autofree char *path = place("some.fits");

  picture_write_fits(path);
  g_autoptr(LacGridField) field = load(path);
  g_assert_cmpuint(field->axes[0].n, ==, PICTURE_HEIGHT);
  for (gsize y = 0; y < PICTURE_HEIGHT; y++)
    for (gsize x = 0; x < PICTURE_WIDTH; x++)
      g_assert_cmpfloat(field->data[y * PICTURE_WIDTH + x], ==, picture_value_at(y, x, 0, 16));
}

static void
test_real_fits(void)
{
  g_autofree char      *path = place("real.fits");
  g_autoptr(GByteArray) bytes = g_byte_array_new();

  picture_add_card(bytes, "SIMPLE  =                    T");
  picture_add_card(bytes, "BITPIX  =                  -32");
  picture_add_card(bytes, "NAXIS   =                    3");
  picture_add_card(bytes, "NAXIS1  =                    2");
  picture_add_card(bytes, "NAXIS2  =                    2");
  picture_add_card(bytes, "NAXIS3  =                    2");
  picture_add_card(bytes, "END");
  picture_fill_block(bytes, ' ');
  for (int i = 0; i < 8; i++) {
    guint32     word;
    const float value = -1.5f * (float) i;

    memcpy(&word, &value, 4);
    word = GUINT32_TO_BE(word);
    g_byte_array_append(bytes, (const guint8 *) &word, 4);
  }
  picture_fill_block(bytes, 0);
  picture_write_bytes(path, bytes);
  g_autoptr(LacGridField) field = load(path);
  const double            upper_first[] = {-3, -4.5, 0, -1.5};
  g_assert_cmpmem(field->data, 4 * sizeof(double), upper_first, sizeof upper_first);
  g_autofree char *reported = lac_input_describe(path, NULL);
  g_assert_nonnull(strstr(reported, "the first of its planes"));
}

/* An integer image's blank value becomes NaN. */
static void
test_blank_fits(void)
{
  g_autofree char        *path = place("blank.fits");
  g_autoptr(GByteArray)   bytes = g_byte_array_new();
  static const guint8     numbers[] = {0, 1, 0xff, 0xfb, 0, 3, 0, 4}; /* 1, -5, 3, 4 */
  g_autoptr(LacInputFile) file = NULL;

  picture_add_card(bytes, "SIMPLE  =                    T");
  picture_add_card(bytes, "BITPIX  =                   16");
  picture_add_card(bytes, "NAXIS   =                    2");
  picture_add_card(bytes, "NAXIS1  =                    2");
  picture_add_card(bytes, "NAXIS2  =                    2");
  picture_add_card(bytes, "BLANK   =                   -5");
  picture_add_card(bytes, "BSCALE  =                  0.5");
  picture_add_card(bytes, "END");
  picture_fill_block(bytes, ' ');
  g_byte_array_append(bytes, numbers, sizeof numbers);
  picture_fill_block(bytes, 0);
  picture_write_bytes(path, bytes);
  file = lac_input_file_read(path, LAC_INPUT_WHOLE, NULL);
  const double *grey = ((const LacInputArray *) file->arrays->pdata[0])->data;
  g_assert_cmpfloat(grey[0], ==, 1.5);
  g_assert_cmpfloat(grey[2], ==, 0.5);
  g_assert_true(isnan(grey[3]));
}

/* ---- reports and refusals ---- */

static void
test_description(void)
{
  g_autofree char *path = place("told.png");
  picture_write_png(path, 3, 16, PNG_INTERLACE_NONE);
  g_autofree char *reported = lac_input_describe(path, NULL);

  g_test_message("%s", reported);
  g_assert_nonnull(strstr(reported, "PNG picture, 37 x 23 pixels, RGB of 16 bits"));
  g_assert_nonnull(strstr(reported, "luminance"));
}

static void
test_content_tells(void)
{
  g_autofree char *path = place("wrong.jpg");
  g_autofree char *other = place("wrong.csv");

  picture_write_png(path, 1, 16, PNG_INTERLACE_NONE);
  check_numbers(path, 1, 16);
  picture_write_fits(other);
  g_autoptr(LacGridField) field = load(other);
  g_assert_cmpuint(field->axes[1].n, ==, PICTURE_WIDTH);
}

static void
assert_refused(const char *path, const char *type, const char *words)
{
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacGridField) field = lac_input_load(path, type, &error);

  g_assert_null(field);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_test_message("%s", error->message);
  g_assert_nonnull(strstr(error->message, path));
  g_assert_nonnull(strstr(error->message, words));
  g_assert_null(strchr(error->message, '\n'));
}

static void
put_bytes(const char *path, const char *bytes, gsize n)
{
  g_assert_true(g_file_set_contents(path, bytes, (gssize) n, NULL));
}

/* Writes a header that declares more than the file holds. */
static void
write_png_head(const char *path, guint32 width, guint32 height)
{
  FILE       *stream = fopen(path, "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop   info = png_create_info_struct(png);

  png_init_io(png, stream);
  png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, 0, 0);
  png_write_info(png, info);
  /* header of a chunk of pixels, without data */
  fwrite("\0\0\0\1IDAT", 1, 8, stream);
  png_destroy_write_struct(&png, &info);
  fclose(stream);
}

static void
test_refusals(void)
{
  g_autofree char *path = place("odd");
  const float      odd[] = {(float) NAN, (float) INFINITY};

  put_bytes(path, "", 0);
  assert_refused(path, "picture", "is empty");
  put_bytes(path, "GIF89a\1\0\1\0\0\0\0;", 14);
  assert_refused(path, "picture", "GIF");
  put_bytes(path, "RIFF\20\0\0\0WEBPVP8 ", 16);
  assert_refused(path, "picture", "WebP");
  write_png_head(path, 20000, 30000);
  assert_refused(path, "picture", "20000 x 30000 pixels, which would take 4.8 GB");
  write_png_head(path, 1, 512);
  assert_refused(path, "picture", "needs 2 or more each way");
  write_png_head(path, 64, 64);
  assert_refused(path, "picture", "truncated or damaged");
  for (gsize i = 0; i < G_N_ELEMENTS(odd); i++) {
    write_real_tiff(path, &odd[i]);
    assert_refused(path, "picture", "is not a finite number");
  }
  picture_write_png(path, 1, 8, PNG_INTERLACE_NONE);
  assert_refused(path, "field", "is a picture");
}

/* A truncated file is refused, at each of many lengths, unless only the padding of its last block is missing. */
static void
refuse_truncated(const char *path, gsize n_filling)
{
  g_autofree char *whole = NULL;
  gsize            length;

  g_assert_true(g_file_get_contents(path, &whole, &length, NULL));
  for (gsize part = 0; part < 24; part++) {
    g_autoptr(GError)       error = NULL;
    g_autoptr(LacGridField) field = NULL;
    const gsize             left = length * part / 25;

    put_bytes(path, whole, left);
    field = lac_input_load(path, "picture", &error);
    g_test_message("%zu of %zu bytes: %s", left, length, error != NULL ? error->message : "read");
    g_assert_true((field != NULL) == (left + n_filling >= length));
  }
}

static void
test_truncation(void)
{
  static const PictureTiff kind = {3, 16, PLANARCONFIG_CONTIG, PHOTOMETRIC_RGB, COMPRESSION_LZW, 0};
  g_autofree char         *path = place("cut");

  picture_write_png(path, 3, 8, PNG_INTERLACE_NONE);
  refuse_truncated(path, 0);
  picture_write_jpeg(path, 3);
  refuse_truncated(path, 0);
  picture_write_tiff(path, &kind, "w");
  refuse_truncated(path, 0);
  picture_write_fits(path);
  refuse_truncated(path, 2880 - PICTURE_WIDTH * PICTURE_HEIGHT * 2);
}

/* A numeric plane in another format is a picture too; a three-dimensional array is not. */
static void
test_plane_of_numbers(void)
{
  g_autofree char *path = place("plane.csv");
  const char       text[] = "x,y,u\n0,0,1\n1,0,2\n0,1,3\n1,1,4\n";

  put_bytes(path, text, strlen(text));
  g_autoptr(LacGridField) field = lac_input_load(path, "picture", NULL);
  g_assert_nonnull(field);
  g_assert_cmpuint(field->n_axes, ==, 2);
}

/* ---- published pictures ---- */

/* Returns: (transfer full) (nullable): the path of the file; NULL after skipping. */
static char *
find_reference(const char *name)
{
  const char      *data = g_getenv("LACUNA_REFERENCE_DATA");
  g_autofree char *path = data != NULL ? g_build_filename(data, "images", name, NULL)
                                       : g_build_filename(g_getenv("LACUNA_SOURCE_ROOT"), "..",
                                                          "shared", "data", "images", name, NULL);

  if (g_file_test(path, G_FILE_TEST_EXISTS))
    return g_steal_pointer(&path);
  if (g_getenv("CI") != NULL)
    g_error("%s is missing; name its folder in LACUNA_REFERENCE_DATA", name);
  g_test_skip("no reference data: images");
  return NULL;
}

static void
test_published(void)
{
  static const struct {
    const char *name;
    gsize       width, height;
  } known[] = {
    {"camera.png", 512, 512}, {"hubble_deep_field.jpg", 1000, 872}, {"simple.fits", 0, 0}};

  for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
    g_autofree char *path = find_reference(known[i].name);
    if (path == NULL)
      return;
    g_autoptr(LacGridField) field = load(path);
    g_autofree char        *reported = lac_input_describe(path, NULL);
    g_test_message("%s", reported);
    if (known[i].width == 0)
      continue;
    g_assert_cmpuint(field->axes[1].n, ==, known[i].width);
    g_assert_cmpuint(field->axes[0].n, ==, known[i].height);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = test_folder_new();
  g_test_add_func("/io/picture/png-of-every-kind-holds-what-was-put-in", test_png);
  g_test_add_func("/io/picture/png-with-a-palette", test_palette);
  g_test_add_func("/io/picture/tiff-in-strips-and-tiles-holds-what-was-put-in", test_tiff);
  g_test_add_func("/io/picture/tiff-of-real-numbers-is-kept-as-it-is", test_real_tiff);
  g_test_add_func("/io/picture/tiff-of-odd-kinds", test_odd_tiff);
  g_test_add_func("/io/picture/jpeg-is-near-what-was-put-in", test_jpeg);
  g_test_add_func("/io/picture/fits-counts-in-a-second-part", test_fits);
  g_test_add_func("/io/picture/fits-of-real-numbers-has-its-upper-row-first", test_real_fits);
  g_test_add_func("/io/picture/fits-has-a-number-for-nothing", test_blank_fits);
  g_test_add_func("/io/picture/description-names-format-size-and-depth", test_description);
  g_test_add_func("/io/picture/content-tells-the-format-not-the-name", test_content_tells);
  g_test_add_func("/io/picture/odd-pictures-are-refused-in-one-sentence", test_refusals);
  g_test_add_func("/io/picture/truncated-pictures-are-refused", test_truncation);
  g_test_add_func("/io/picture/plane-of-numbers-is-a-picture-too", test_plane_of_numbers);
  g_test_add_func("/io/picture/published-pictures", test_published);
  int result = g_test_run();
  test_folder_remove(folder);
  return result;
}
