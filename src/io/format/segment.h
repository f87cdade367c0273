/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An append-only file of segments: {magic, type, length, CRC-32C, payload}, padded to 8 bytes. Little-endian.
 * A reader stops before the first segment that is torn or damaged and says where that is. */
#pragma once

#include <glib.h>

#include <sys/uio.h>

G_BEGIN_DECLS

#define LAC_SEGMENT_MAGIC 0x4745534cu /* "LSEG" */

typedef struct {
  guint32 magic;
  guint32 type;
  guint64 length; /* of the payload, without padding */
  guint32 crc;    /* of type, length and payload */
  guint32 reserved;
} LacSegmentHead;
_Static_assert(sizeof(LacSegmentHead) == 24, "the segment head is part of a file format");

typedef struct _LacSegmentWriter LacSegmentWriter;

/**
 * lac_segment_writer_new:
 * @path: created when missing; appended to from @offset on, what lies behind is cut off
 * @offset: 0 for a new file
 * @buffer_bytes: allocated once; appending allocates nothing
 *
 * Returns: %NULL with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL set.
 */
LacSegmentWriter      *
lac_segment_writer_new(const char *path, guint64 offset, gsize buffer_bytes, GError **error);
void lac_segment_writer_free(LacSegmentWriter *writer); /* flushes what can be flushed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSegmentWriter, lac_segment_writer_free)

/**
 * lac_segment_append:
 * @parts: [n_parts] the payload in pieces
 *
 * Returns: FALSE with an error and the file as before the call: a partial write is cut back, and what was appended
 *   earlier is kept in memory for the next attempt.
 */
gboolean lac_segment_append(LacSegmentWriter   *writer,
                            guint32             type,
                            const struct iovec *parts,
                            guint               n_parts,
                            GError            **error);

/* Hands the buffer to the system: survives the process. */
gboolean lac_segment_flush(LacSegmentWriter *writer, GError **error);
/* Flushes and waits for the disk: survives the machine. */
gboolean lac_segment_sync(LacSegmentWriter *writer, GError **error);

/* Synced and then called @path, in place of what was. */
gboolean lac_segment_writer_rename(LacSegmentWriter *writer, const char *path, GError **error);

/* Where the next segment begins; and where what the system has ends. */
guint64 lac_segment_writer_get_offset(const LacSegmentWriter *writer);
guint64 lac_segment_writer_get_written(const LacSegmentWriter *writer);

typedef struct _LacSegmentReader LacSegmentReader;

typedef struct {
  guint32       type;
  guint64       offset;  /* of the segment's head */
  guint64       length;  /* of the payload */
  const guint8 *payload; /* valid until the next call on the reader; aligned to 8 bytes */
} LacSegment;

/* Returns: %NULL with %LAC_ERROR_BAD_FILE set. */
LacSegmentReader *lac_segment_reader_new(const char *path, GError **error);
void              lac_segment_reader_free(LacSegmentReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSegmentReader, lac_segment_reader_free)

/* Returns: FALSE at the end of what is whole. */
gboolean lac_segment_reader_next(LacSegmentReader *reader, LacSegment *segment);
void     lac_segment_reader_seek(LacSegmentReader *reader, guint64 offset);

/* Behind the last whole segment read, and the length of the file: what lies between is no segment. */
guint64 lac_segment_reader_get_end(const LacSegmentReader *reader);
guint64 lac_segment_reader_get_size(const LacSegmentReader *reader);

/* CRC-32C as in a head. */
guint32 lac_segment_crc(guint32 type, guint64 length, const struct iovec *parts, guint n_parts);

G_END_DECLS
