/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of segment files: stops before the first torn or damaged segment. Segments are mostly short and sequential,
 * so the file is read in large pieces. */
#include "base/error.h"
#include "io/format/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE 65536 /* bytes */

struct _LacSegmentReader {
  int     fd;
  guint64 size, next, end;
  guint8 *payload;
  gsize   capacity;
  guint64 piece_at;
  gsize   piece_length; /* bytes read into it */
  guint8  piece[PIECE];
};

LacSegmentReader *
lac_segment_reader_new(const char *path, GError **error)
{
  int         fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat about;

  if (fd < 0 || fstat(fd, &about) != 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s cannot be read: %s", path,
                g_strerror(errno));
    if (fd >= 0)
      close(fd);
    return NULL;
  }
  LacSegmentReader *reader = g_new0(LacSegmentReader, 1);
  reader->fd = fd;
  reader->size = (guint64) about.st_size;
  return reader;
}

void
lac_segment_reader_free(LacSegmentReader *reader)
{
  if (reader == NULL)
    return;
  close(reader->fd);
  g_free(reader->payload);
  g_free(reader);
}

/* Returns: the number of bytes read */
static gsize
read_file(const LacSegmentReader *reader, gpointer data, gsize n_bytes, guint64 offset)
{
  gsize done = 0;
  while (done < n_bytes) {
    ssize_t n = pread(reader->fd, (guint8 *) data + done, n_bytes - done, (off_t) (offset + done));

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    done += (gsize) n;
  }
  return done;
}

static gboolean
is_in_piece(const LacSegmentReader *reader, guint64 offset, gsize n_bytes)
{
  return offset >= reader->piece_at && offset + n_bytes <= reader->piece_at + reader->piece_length;
}

/* Reads more than a piece, reusing the bytes already in it. */
static gboolean
read_large(const LacSegmentReader *reader, guint8 *data, gsize n_bytes, guint64 offset)
{
  gsize known = 0;

  if (is_in_piece(reader, offset, 1)) {
    known = (gsize) MIN(reader->piece_at + reader->piece_length - offset, n_bytes);
    memcpy(data, reader->piece + (offset - reader->piece_at), known);
  }
  return read_file(reader, data + known, n_bytes - known, offset + known) == n_bytes - known;
}

static gboolean
read_at(LacSegmentReader *reader, gpointer data, gsize n_bytes, guint64 offset)
{
  if (n_bytes == 0)
    return TRUE; /* a segment without payload; @data may be NULL */
  if (n_bytes > PIECE)
    return read_large(reader, data, n_bytes, offset);
  if (!is_in_piece(reader, offset, n_bytes)) {
    reader->piece_at = offset;
    reader->piece_length = read_file(reader, reader->piece, PIECE, offset);
  }
  if (!is_in_piece(reader, offset, n_bytes))
    return FALSE;
  memcpy(data, reader->piece + (offset - reader->piece_at), n_bytes);
  return TRUE;
}

gboolean
lac_segment_reader_next(LacSegmentReader *reader, LacSegment *segment)
{
  LacSegmentHead head;
  guint64        at = reader->next;

  reader->end = at;
  if (at > reader->size || reader->size - at < sizeof head ||
      !read_at(reader, &head, sizeof head, at))
    return FALSE;
  if (head.magic != LAC_SEGMENT_MAGIC || head.length > reader->size - at - sizeof head)
    return FALSE;
  if (head.length > reader->capacity) {
    guint8 *larger = g_try_realloc(reader->payload, head.length);
    if (larger == NULL)
      return FALSE;
    reader->payload = larger;
    reader->capacity = head.length;
  }
  struct iovec part = {reader->payload, head.length};
  if (!read_at(reader, reader->payload, head.length, at + sizeof head) ||
      head.crc != lac_segment_crc(head.type, head.length, &part, 1))
    return FALSE;

  *segment = (LacSegment){head.type, at, head.length, reader->payload};
  reader->next = at + sizeof head + ((head.length + 7) & ~(guint64) 7);
  reader->end = reader->next;
  return TRUE;
}

void
lac_segment_reader_seek(LacSegmentReader *reader, guint64 offset)
{
  reader->next = offset;
}

guint64
lac_segment_reader_get_end(const LacSegmentReader *reader)
{
  return reader->end;
}

guint64
lac_segment_reader_get_size(const LacSegmentReader *reader)
{
  return reader->size;
}
