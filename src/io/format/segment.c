/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of segment files: one buffer, complete segments, partial writes truncated. */
#include "io/format/segment.h"

#include "base/hash.h"
#include "io/format/write-error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if G_BYTE_ORDER != G_LITTLE_ENDIAN
#  error "segments are little-endian: the structs in memory are the structs in the file"
#endif

#define MAX_PARTS 128

struct _LacSegmentWriter {
  int     fd;
  char   *path;
  guint8 *buffer;
  gsize   capacity, used;
  guint64 written; /* bytes of complete segments written to the operating system */
};

static const guint8 padding[8];

LacSegmentWriter *
lac_segment_writer_new(const char *path, guint64 offset, gsize buffer_bytes, GError **error)
{
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

  if (fd < 0 || ftruncate(fd, (off_t) offset) != 0 || lseek(fd, (off_t) offset, SEEK_SET) < 0) {
    lac_write_error(error, errno, path, 0);
    if (fd >= 0)
      close(fd);
    return NULL;
  }
  LacSegmentWriter *writer = g_new0(LacSegmentWriter, 1);
  writer->fd = fd;
  writer->path = g_strdup(path);
  writer->buffer = g_malloc(buffer_bytes);
  writer->capacity = buffer_bytes;
  writer->written = offset;
  return writer;
}

void
lac_segment_writer_free(LacSegmentWriter *writer)
{
  if (writer == NULL)
    return;
  lac_segment_flush(writer, NULL);
  close(writer->fd);
  g_free(writer->buffer);
  g_free(writer->path);
  g_free(writer);
}

/* Writes all of @parts (which it consumes) or nothing: a partial write to a full disk is truncated. */
static gboolean
write_all(LacSegmentWriter *writer, struct iovec *parts, guint n_parts, GError **error)
{
  gsize total = 0;

  for (guint i = 0; i < n_parts; i++)
    total += parts[i].iov_len;
  for (guint i = 0; i < n_parts;) {
    ssize_t n = writev(writer->fd, parts + i, (int) (n_parts - i));

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      int code = n < 0 ? errno : ENOSPC;
      if (ftruncate(writer->fd, (off_t) writer->written) != 0 ||
          lseek(writer->fd, (off_t) writer->written, SEEK_SET) < 0)
        g_debug("%s: the torn end stays; readers stop before it", writer->path);
      return lac_write_error(error, code, writer->path, total);
    }
    while (i < n_parts && (gsize) n >= parts[i].iov_len)
      n -= (ssize_t) parts[i++].iov_len;
    if (i < n_parts) {
      parts[i].iov_base = (guint8 *) parts[i].iov_base + n;
      parts[i].iov_len -= (gsize) n;
    }
  }
  writer->written += total;
  return TRUE;
}

gboolean
lac_segment_flush(LacSegmentWriter *writer, GError **error)
{
  struct iovec part = {writer->buffer, writer->used};

  if (writer->used == 0)
    return TRUE;
  if (!write_all(writer, &part, 1, error))
    return FALSE;
  writer->used = 0;
  return TRUE;
}

gboolean
lac_segment_sync(LacSegmentWriter *writer, GError **error)
{
  if (!lac_segment_flush(writer, error))
    return FALSE;
  if (fdatasync(writer->fd) != 0)
    return lac_write_error(error, errno, writer->path, 0);
  return TRUE;
}

gboolean
lac_segment_writer_rename(LacSegmentWriter *writer, const char *path, GError **error)
{
  if (!lac_segment_sync(writer, error))
    return FALSE;
  if (rename(writer->path, path) != 0)
    return lac_write_error(error, errno, path, 0);
  g_free(writer->path);
  writer->path = g_strdup(path);
  return TRUE;
}

guint32
lac_segment_crc(guint32 type, guint64 length, const struct iovec *parts, guint n_parts)
{
  guint32 crc = lac_crc32c(0, &type, sizeof type);

  crc = lac_crc32c(crc, &length, sizeof length);
  for (guint i = 0; i < n_parts; i++)
    crc = lac_crc32c(crc, parts[i].iov_base, parts[i].iov_len);
  return crc;
}

static void
buffer_put(LacSegmentWriter *writer, gconstpointer data, gsize n_bytes)
{
  if (n_bytes > 0)
    memcpy(writer->buffer + writer->used, data, n_bytes);
  writer->used += n_bytes;
}

gboolean
lac_segment_append(LacSegmentWriter   *writer,
                   guint32             type,
                   const struct iovec *parts,
                   guint               n_parts,
                   GError            **error)
{
  LacSegmentHead head = {.magic = LAC_SEGMENT_MAGIC, .type = type};

  g_assert(n_parts <= MAX_PARTS);
  for (guint i = 0; i < n_parts; i++)
    head.length += parts[i].iov_len;
  head.crc = lac_segment_crc(type, head.length, parts, n_parts);

  gsize pad = (gsize) (-head.length & 7);
  gsize total = sizeof head + head.length + pad;
  if (total > writer->capacity - writer->used && !lac_segment_flush(writer, error))
    return FALSE;
  if (total <= writer->capacity) {
    buffer_put(writer, &head, sizeof head);
    for (guint i = 0; i < n_parts; i++)
      buffer_put(writer, parts[i].iov_base, parts[i].iov_len);
    buffer_put(writer, padding, pad);
    return TRUE;
  }

  struct iovec all[MAX_PARTS + 2];
  guint        n = 0;
  all[n++] = (struct iovec){&head, sizeof head};
  for (guint i = 0; i < n_parts; i++) {
    if (parts[i].iov_len > 0)
      all[n++] = parts[i];
  }
  if (pad > 0)
    all[n++] = (struct iovec){(gpointer) padding, pad};
  return write_all(writer, all, n, error);
}

guint64
lac_segment_writer_get_offset(const LacSegmentWriter *writer)
{
  return writer->written + writer->used;
}

guint64
lac_segment_writer_get_written(const LacSegmentWriter *writer)
{
  return writer->written;
}
