/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JPEG: grey or colour, baseline or progressive. */
#include "base/error.h"
#include "io/input/picture.h"

#include <setjmp.h>
#include <stdio.h>
/* must follow stdio.h, whose types it requires */
#include <jerror.h>
#include <jpeglib.h>

typedef struct {
  struct jpeg_error_mgr         errors; /* first member: the library passes this pointer back */
  struct jpeg_decompress_struct jpeg;
  jmp_buf                       back;
  FILE                         *stream;
  JSAMPLE                      *row;
  double                       *samples;
  gboolean                      too_odd; /* refused with a specific error */
} Reading;

static G_GNUC_NORETURN void
on_error(j_common_ptr jpeg)
{
  Reading *reading = (Reading *) jpeg->err;

  longjmp(reading->back, 1);
}

/* Treats warnings as damage: the library fills missing data with grey. */
static void
on_message(j_common_ptr jpeg, int level)
{
  const int code = jpeg->err->msg_code;

  if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE))
    on_error(jpeg);
}

static void
on_output(j_common_ptr jpeg)
{
}

static gboolean
read_guarded(Reading *reading, LacPicture *picture, const char *path, GError **error)
{
  struct jpeg_decompress_struct *jpeg = &reading->jpeg;

  if (setjmp(reading->back) != 0)
    return FALSE;
  jpeg_create_decompress(jpeg);
  jpeg_stdio_src(jpeg, reading->stream);
  jpeg_read_header(jpeg, TRUE);
  picture->width = jpeg->image_width;
  picture->height = jpeg->image_height;
  picture->bits = (guint) jpeg->data_precision;
  picture->n_channels = jpeg->num_components >= 3 ? 3 : 1;
  if (jpeg->num_components == 4) {
    reading->too_odd = TRUE;
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is a JPEG picture in colours for print (CMYK): save it as RGB or grey", path);
    return FALSE;
  }
  jpeg->out_color_space = picture->n_channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg->dct_method = JDCT_ISLOW;
  if (!lac_picture_begin(picture, path, error)) {
    reading->too_odd = TRUE;
    return FALSE;
  }
  jpeg_start_decompress(jpeg);
  const gsize n = picture->width * picture->n_channels;
  reading->row = g_new(JSAMPLE, n);
  reading->samples = g_new(double, n);
  while (jpeg->output_scanline < jpeg->output_height) {
    const gsize y = jpeg->output_scanline;

    if (jpeg_read_scanlines(jpeg, &reading->row, 1) != 1)
      return FALSE;
    for (gsize i = 0; i < n; i++)
      reading->samples[i] = reading->row[i] / 255.0;
    lac_picture_put_row(picture, y, reading->samples);
  }
  jpeg_finish_decompress(jpeg);
  return TRUE;
}

gboolean
lac_picture_read_jpeg(LacPicture *picture, const char *path, GError **error)
{
  g_autofree Reading *reading = g_new0(Reading, 1);
  gboolean            done = FALSE;

  picture->format = "JPEG";
  reading->stream = fopen(path, "rbe");
  reading->jpeg.err = jpeg_std_error(&reading->errors);
  reading->errors.error_exit = on_error;
  reading->errors.emit_message = on_message;
  reading->errors.output_message = on_output;
  if (reading->stream != NULL)
    done = read_guarded(reading, picture, path, error);
  jpeg_destroy_decompress(&reading->jpeg);
  if (reading->stream != NULL)
    fclose(reading->stream);
  g_free(reading->row);
  g_free(reading->samples);
  if (!done && !reading->too_odd)
    lac_input_set_damaged(error, path, "JPEG");
  return done;
}
