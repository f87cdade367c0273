/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of complete files. */
#include "io/format/whole-file.h"

#include "base/error.h"
#include "field/field.h"

#include <stdio.h>
#include <string.h>

#define BLOCK 65536

gboolean
lac_is_gzip(gconstpointer bytes, gsize length)
{
  return length >= 3 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0;
}

/* Calls the converter once. Returns: FALSE at the end or on damage; @whole distinguishes them. */
static gboolean
unfold_block(GConverter   *converter,
             const guint8 *bytes,
             gsize         length,
             gsize        *at,
             GByteArray   *out,
             gboolean     *whole)
{
  guint8           block[BLOCK];
  gsize            n_read = 0, n_written = 0;
  GConverterResult result =
    g_converter_convert(converter, bytes + *at, length - *at, block, sizeof block,
                        G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);

  if (result == G_CONVERTER_ERROR)
    return FALSE;
  g_byte_array_append(out, block, (guint) n_written);
  *at += n_read;
  *whole = result == G_CONVERTER_FINISHED;
  return !*whole && (n_read > 0 || n_written > 0);
}

/* Returns: TRUE when only zeros follow. */
static gboolean
is_padding(const guint8 *bytes, gsize at, gsize length)
{
  while (at < length && bytes[at] == 0)
    at++;
  return at == length;
}

/* @format: compression of the bytes; @most: size limit of the result: more is an error. Returns: (transfer full)
 * (nullable): the decompressed bytes with a terminating zero; NULL when damaged. */
static char *
unfold(gconstpointer bytes, gsize length, GZlibCompressorFormat format, gsize most, gsize *unfolded)
{
  g_autoptr(GConverter) converter = G_CONVERTER(g_zlib_decompressor_new(format));
  g_autoptr(GByteArray) out = g_byte_array_new();
  gsize                 at = 0;
  gboolean              whole = FALSE;

  most = MIN(most, G_MAXUINT - 2 * BLOCK); /* limit of a GByteArray */
  while (out->len <= most)
    if (!unfold_block(converter, bytes, length, &at, out, &whole)) {
      if (!whole || format != G_ZLIB_COMPRESSOR_FORMAT_GZIP || is_padding(bytes, at, length))
        break;
      g_converter_reset(converter); /* another member follows */
      whole = FALSE;
    }
  if (!whole || out->len > most)
    return NULL;
  *unfolded = out->len;
  g_byte_array_append(out, (const guint8 *) "", 1);
  return (char *) g_byte_array_free(g_steal_pointer(&out), FALSE);
}

static char *
read_whole(const char *path, gsize *length, gboolean *is_packed, GError **error)
{
  g_autoptr(GError) why = NULL;
  g_autofree char  *bytes = NULL;

  if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is a folder; name a file in it", path);
    return NULL;
  }
  if (!g_file_get_contents(path, &bytes, length, &why)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s cannot be read: %s", path, why->message);
    return NULL;
  }
  if (*length == 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is empty", path);
    return NULL;
  }
  *is_packed = lac_is_gzip(bytes, *length);
  if (!*is_packed)
    return g_steal_pointer(&bytes);
  char *unfolded =
    unfold(bytes, *length, G_ZLIB_COMPRESSOR_FORMAT_GZIP, LAC_WHOLE_FILE_MOST, length);
  if (unfolded == NULL)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s begins as a gzip file but is truncated, damaged or larger than 4 GiB: copy it "
                "again from its source",
                path);
  return unfolded;
}

char *
lac_whole_file_read(const char *path, gsize *length, GError **error)
{
  gboolean is_packed;

  return read_whole(path, length, &is_packed, error);
}

/* Returns: TRUE when more than a comment follows the last line end. JSON is exempt, as its brackets must close;
 * non-text bytes are left to the reader. */
static gboolean
has_open_line(const char *text, gsize length)
{
  gsize begin = length;

  if (strchr("[{", text[strspn(text, " \t\r\n")]) != NULL)
    return FALSE;
  while (begin > 0 && strchr("\r\n", text[begin - 1]) == NULL)
    begin--;
  begin += strspn(text + begin, " \t");
  return memchr(text, '\0', length) == NULL && strchr("#%", text[begin]) == NULL;
}

char *
lac_whole_file_read_lines(const char *path, gsize *length, GError **error)
{
  gboolean         is_packed;
  g_autofree char *text = read_whole(path, length, &is_packed, error);

  if (text == NULL || is_packed || !has_open_line(text, *length))
    return g_steal_pointer(&text);
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s: the last line has no line end and may be cut short; copy the file again, or add "
              "a line end if the line is complete",
              path);
  return NULL;
}

/* Returns: (transfer full): a stream of the file's contents. */
static GInputStream *
open_contents(const char *path, GError **error)
{
  g_autoptr(GFile)            file = g_file_new_for_path(path);
  g_autoptr(GFileInputStream) raw = g_file_read(file, NULL, error);
  guint8                      head[3] = {0};
  gsize                       n = 0;

  if (raw == NULL ||
      !g_input_stream_read_all(G_INPUT_STREAM(raw), head, sizeof head, &n, NULL, error) ||
      !g_seekable_seek(G_SEEKABLE(raw), 0, G_SEEK_SET, NULL, error))
    return NULL;
  if (!lac_is_gzip(head, n))
    return G_INPUT_STREAM(g_steal_pointer(&raw));
  g_autoptr(GConverter) unpacker =
    G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  return g_converter_input_stream_new(G_INPUT_STREAM(raw), unpacker);
}

char *
lac_file_read_head(const char *path, gsize *length, GError **error)
{
  g_autoptr(GError)       why = NULL;
  g_autoptr(GInputStream) contents = open_contents(path, &why);
  g_autofree char        *text = g_malloc0(BLOCK + 1);
  gsize                   n = 0;

  if (contents == NULL || !g_input_stream_read_all(contents, text, BLOCK, &n, NULL, &why)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s cannot be read: %s", path, why->message);
    return NULL;
  }
  if (n == BLOCK)
    while (n > 0 && text[n - 1] != '\n')
      text[--n] = '\0';
  *length = n;
  return g_steal_pointer(&text);
}

char *
lac_file_dup_source(const char *path)
{
  g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
  g_autofree guchar   *block = g_malloc(BLOCK);
  FILE                *stream = fopen(path, "rbe");
  gsize                n;

  while (stream != NULL && (n = fread(block, 1, BLOCK, stream)) > 0)
    g_checksum_update(sum, block, (gssize) n);
  if (stream != NULL)
    fclose(stream);
  return g_strdup_printf("%s" LAC_FIELD_CHECK_SUM "%s)", path, g_checksum_get_string(sum));
}
