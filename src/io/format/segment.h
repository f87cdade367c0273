/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Append-only files of segments: {magic, type, length, CRC-32C, payload}, padded to 8 bytes. Little-endian. A reader
 * stops before the first torn or damaged segment and returns its offset. */
#pragma once

#include <glib.h>

#include <sys/uio.h>

G_BEGIN_DECLS

#define LAC_SEGMENT_MAGIC 0x4745534cu /* "LSEG" */

typedef struct {
  guint32 magic;
  guint32 type;
  guint64 length; /* length of the payload, excluding padding */
  guint32 crc;    /* checksum of type, length and payload */
  guint32 reserved;
} LacSegmentHead;
_Static_assert(sizeof(LacSegmentHead) == 24, "the segment head is part of a file format");

typedef struct _LacSegmentWriter LacSegmentWriter;

/**
 * lac_segment_writer_new:
 * @path: created when missing; truncated to @offset, where appending begins
 * @offset: in bytes; 0 for a new file
 * @buffer_bytes: size of the buffer, allocated once; appending does not allocate
 *
 * Returns: %NULL with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL set.
 */
LacSegmentWriter      *
lac_segment_writer_new(const char *path, guint64 offset, gsize buffer_bytes, GError **error);
void lac_segment_writer_free(LacSegmentWriter *writer); /* flushes first, as far as possible */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSegmentWriter, lac_segment_writer_free)

/**
 * lac_segment_append:
 * @parts: [n_parts]: the payload in pieces
 *
 * Returns: FALSE with an error. The file is then unchanged, because a partial write is truncated, and segments appended
 * earlier stay in the buffer for the next attempt.
 */
gboolean lac_segment_append(LacSegmentWriter   *writer,
                            guint32             type,
                            const struct iovec *parts,
                            guint               n_parts,
                            GError            **error);

/* Writes the buffer to the operating system, so that it survives the end of the process. */
gboolean lac_segment_flush(LacSegmentWriter *writer, GError **error);
/* Flushes and waits for the disk, so that the data survive a power failure. */
gboolean lac_segment_sync(LacSegmentWriter *writer, GError **error);

/* Syncs the file and renames it to @path, replacing an existing file. */
gboolean lac_segment_writer_rename(LacSegmentWriter *writer, const char *path, GError **error);

/* Return the offset of the next segment, and the end of what has been written to the operating system. */
guint64 lac_segment_writer_get_offset(const LacSegmentWriter *writer);
guint64 lac_segment_writer_get_written(const LacSegmentWriter *writer);

typedef struct _LacSegmentReader LacSegmentReader;

typedef struct {
  guint32       type;
  guint64       offset;  /* offset of the segment's header */
  guint64       length;  /* length of the payload */
  const guint8 *payload; /* valid until the next call on the reader; 8-byte aligned */
} LacSegment;

/* Returns: %NULL with %LAC_ERROR_BAD_FILE set. */
LacSegmentReader *lac_segment_reader_new(const char *path, GError **error);
void              lac_segment_reader_free(LacSegmentReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSegmentReader, lac_segment_reader_free)

/* Reads the next segment. Returns: FALSE at the end of the undamaged segments. */
gboolean lac_segment_reader_next(LacSegmentReader *reader, LacSegment *segment);
void     lac_segment_reader_seek(LacSegmentReader *reader, guint64 offset);

/* Return the end of the last undamaged segment read, and the length of the file; any bytes between are torn or
 * damaged. */
guint64 lac_segment_reader_get_end(const LacSegmentReader *reader);
guint64 lac_segment_reader_get_size(const LacSegmentReader *reader);

/* Returns the CRC-32C that is stored in a segment header. */
guint32 lac_segment_crc(guint32 type, guint64 length, const struct iovec *parts, guint n_parts);

G_END_DECLS
