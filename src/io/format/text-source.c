/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving window over a text. */
#include "io/format/text-source.h"

#include "base/error.h"
#include "io/format/whole-file.h"

#include <string.h>

#define BLOCK ((gsize) 1 << 20)

/* Returns: (transfer full): the stream of @file, through a decompressor if it starts with the gzip signature. */
static GInputStream *
unpack(GFileInputStream *file, GError **error)
{
  char  head[3];
  gsize n;
  if (!g_input_stream_read_all(G_INPUT_STREAM(file), head, sizeof head, &n, NULL, error) ||
      !g_seekable_seek(G_SEEKABLE(file), 0, G_SEEK_SET, NULL, error))
    return NULL;
  if (!lac_is_gzip(head, n))
    return G_INPUT_STREAM(g_object_ref(file));
  g_autoptr(GZlibDecompressor) unpacker = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  return g_converter_input_stream_new(G_INPUT_STREAM(file), G_CONVERTER(unpacker));
}

LacTextSource *
lac_text_source_open(const char *path, GError **error)
{
  g_autoptr(GError)           why = NULL;
  g_autoptr(GFile)            place = g_file_new_for_path(path);
  g_autoptr(GFileInputStream) file = g_file_read(place, NULL, &why);
  g_autoptr(GInputStream)     stream = file != NULL ? unpack(file, &why) : NULL;
  if (stream == NULL) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s cannot be read: %s", path, why->message);
    return NULL;
  }
  LacTextSource *source = g_new0(LacTextSource, 1);
  source->stream = g_steal_pointer(&stream);
  source->capacity = 2 * BLOCK;
  source->window = g_malloc(source->capacity);
  source->window[0] = '\0';
  source->at = source->end = source->window;
  if (!lac_text_source_more(source, NULL) && !source->is_broken) {
    lac_text_source_free(source);
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is empty", path);
    return NULL;
  }
  return source;
}

void
lac_text_source_free(LacTextSource *source)
{
  if (source == NULL)
    return;
  g_object_unref(source->stream);
  g_free(source->window);
  g_free(source);
}

/* Moves the retained bytes to the front of a window with room for another block and a zero. */
static void
make_room(LacTextSource *source, const char **keep)
{
  const char *from = keep != NULL ? *keep : source->at;
  const gsize n = (gsize) (source->end - from), at = (gsize) (source->at - from);
  source->offset += (gsize) (from - source->window);
  memmove(source->window, from, n);
  while (source->capacity - n < BLOCK + 1) {
    source->capacity *= 2;
    source->window = g_realloc(source->window, source->capacity);
  }
  source->at = source->window + at;
  source->end = source->window + n;
  if (keep != NULL)
    *keep = source->window;
}

gboolean
lac_text_source_more(LacTextSource *source, const char **keep)
{
  if (source->is_done)
    return FALSE;
  make_room(source, keep);
  char  *to = source->window + (source->end - source->window);
  gssize n = g_input_stream_read(source->stream, to, BLOCK, NULL, NULL);
  source->is_done = n <= 0;
  source->is_broken = n < 0;
  to[MAX(n, 0)] = '\0';
  source->end = to + MAX(n, 0);
  return n > 0;
}

guint64
lac_text_source_tell(const LacTextSource *source)
{
  return source->offset + (gsize) (source->at - source->window);
}

gboolean
lac_text_source_is_broken(const LacTextSource *source)
{
  return source->is_broken;
}
