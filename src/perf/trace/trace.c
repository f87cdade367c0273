/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing the format by the ending; the file, whole or not at all, packed on its way where that is asked for. */
#define _GNU_SOURCE
#include "perf/trace/trace.h"

#include "base/error.h"
#include "perf/trace/trace-private.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define BLOCK         65536
#define PACKED_ENDING ".gz"
/* Traces repeat themselves: a tenth of the size already, several times as fast as the usual 6. */
#define PACK_LEVEL 1

static const struct {
  const char *ending;
  void (*put)(const LacCapture *capture, FILE *file);
} formats[] = {
  {".json", lac_trace_put_chrome},
  {".pftrace", lac_trace_put_perfetto},
  {".csv", lac_trace_put_csv},
};

typedef struct {
  GConverter *converter;
  FILE       *file;
} Packer;

static gboolean
pack(Packer *packer, const char *bytes, gsize n, GConverterFlags flags)
{
  GConverterResult result = G_CONVERTER_CONVERTED;
  while (n > 0 || (flags == G_CONVERTER_INPUT_AT_END && result != G_CONVERTER_FINISHED)) {
    guint8 block[BLOCK];
    gsize  n_read, n_written;
    result = g_converter_convert(packer->converter, bytes, n, block, sizeof block, flags, &n_read,
                                 &n_written, NULL);
    if (result == G_CONVERTER_ERROR || fwrite(block, 1, n_written, packer->file) != n_written)
      return FALSE;
    bytes += n_read;
    n -= n_read;
  }
  return TRUE;
}

static ssize_t
write_packed(void *cookie, const char *bytes, size_t n)
{
  return pack(cookie, bytes, n, G_CONVERTER_NO_FLAGS) ? (ssize_t) n : 0;
}

static int
close_packed(void *cookie)
{
  return pack(cookie, NULL, 0, G_CONVERTER_INPUT_AT_END) ? 0 : EOF;
}

/* Returns: errno of what went wrong; 0 */
static int
put_packed(const LacCapture *capture, FILE *file, gsize format)
{
  g_autoptr(GZlibCompressor) compressor =
    g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, PACK_LEVEL);
  Packer packer = {G_CONVERTER(compressor), file};
  FILE  *unpacked = fopencookie(
     &packer, "w", (cookie_io_functions_t){.write = write_packed, .close = close_packed});
  if (unpacked == NULL)
    return errno;
  formats[format].put(capture, unpacked);
  gboolean is_wrong = ferror(unpacked) != 0;
  if (fclose(unpacked) != 0 || is_wrong)
    return errno != 0 ? errno : EIO;
  return 0;
}

static gboolean
refuse(const char *path, const char *temporary, int cause, GError **error)
{
  g_set_error(error, LAC_ERROR, cause == ENOSPC ? LAC_ERROR_DISK_FULL : LAC_ERROR_UNWRITABLE,
              _("the trace cannot be written to %s: %s"), path, g_strerror(cause));
  if (temporary != NULL)
    g_unlink(temporary);
  return FALSE;
}

static gboolean
write_format(const LacCapture *capture, const char *path, gsize format, GError **error)
{
  g_autofree char *temporary = g_strdup_printf("%s.XXXXXX", path);
  int              fd = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0)
    return refuse(path, NULL, errno, error);
  FILE *file = fdopen(fd, "w");
  if (file == NULL) {
    int cause = errno;
    close(fd);
    return refuse(path, temporary, cause, error);
  }
  int cause = 0;
  errno = 0;
  if (g_str_has_suffix(path, PACKED_ENDING))
    cause = put_packed(capture, file, format);
  else
    formats[format].put(capture, file);
  if ((fflush(file) != 0 || ferror(file) != 0) && cause == 0)
    cause = errno != 0 ? errno : EIO;
  if (fclose(file) != 0 && cause == 0)
    cause = errno;
  if (cause == 0 && g_rename(temporary, path) != 0)
    cause = errno;
  return cause == 0 ? TRUE : refuse(path, temporary, cause, error);
}

gboolean
lac_trace_write(const LacCapture *capture, const char *path, GError **error)
{
  g_return_val_if_fail(capture != NULL && path != NULL, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
    g_autofree char *packed = g_strconcat(formats[i].ending, PACKED_ENDING, NULL);
    if (g_str_has_suffix(path, formats[i].ending) || g_str_has_suffix(path, packed))
      return write_format(capture, path, i, error);
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              _("%s: the ending of a trace is .json, .json.gz, .pftrace or .csv"), path);
  return FALSE;
}
