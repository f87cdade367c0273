/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints: all named tensors, the step, and the lengths of the segment files. */
#include "io/runfile/checkpoint.h"

#include "base/error.h"
#include "base/hash.h"
#include "io/format/segment.h"
#include "io/format/write-error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CHECKPOINT_VERSION 1

/* Sink for two passes over the same bytes: length and checksum first, then the file. */
typedef struct {
  int     fd;   /* -1: compute the checksum only */
  int     code; /* errno of the first failed write */
  guint32 crc;
  guint64 length;
} Sink;

static void
sink_put(Sink *sink, gconstpointer data, gsize n_bytes)
{
  sink->length += n_bytes;
  if (sink->fd < 0) {
    sink->crc = lac_crc32c(sink->crc, data, n_bytes);
    return;
  }
  while (n_bytes > 0 && sink->code == 0) {
    ssize_t n = write(sink->fd, data, n_bytes);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      sink->code = n < 0 ? errno : ENOSPC;
      return;
    }
    data = (const guint8 *) data + n;
    n_bytes -= (gsize) n;
  }
}

static void
sink_pad(Sink *sink)
{
  static const guint8 zeros[8];

  sink_put(sink, zeros, (gsize) (-sink->length & 7));
}

static gsize
tensor_bytes(const LacEntry *tensor)
{
  return tensor->n_rows * tensor->n_columns * tensor->element_size;
}

static void
put_payload(Sink *sink, const LacCheckpointEntry *entry, const LacStore *store)
{
  sink_put(sink, entry, sizeof *entry);
  for (gsize i = 0; i < entry->n_tensors; i++) {
    const LacEntry *tensor = lac_store_get_entry(store, i);
    LacTensorEntry  head = {
       tensor->n_rows,
       tensor->n_columns,
       tensor->element_size,
       (guint32) strlen(tensor->name) + 1,
    };
    sink_put(sink, &head, sizeof head);
  }
  for (gsize i = 0; i < entry->n_tensors; i++) {
    const LacEntry *tensor = lac_store_get_entry(store, i);
    sink_put(sink, tensor->name, strlen(tensor->name) + 1);
    sink_pad(sink);
    sink_put(sink, tensor->data, tensor_bytes(tensor));
    sink_pad(sink);
  }
}

/* Syncs the folder, which makes the rename durable. */
static gboolean
sync_folder(const char *folder)
{
  int      fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  gboolean done = fd >= 0 && fsync(fd) == 0;

  if (fd >= 0)
    close(fd);
  return done;
}

char *
lac_run_checkpoint_dup_path(const char *folder)
{
  return g_build_filename(folder, LAC_RUN_CHECKPOINT, NULL);
}

gboolean
lac_run_checkpoint_write(const char         *folder,
                         LacCheckpointEntry *entry,
                         const LacStore     *store,
                         GError            **error)
{
  g_autofree char *path = lac_run_checkpoint_dup_path(folder);
  g_autofree char *temporary = g_strconcat(path, ".tmp", NULL);
  Sink             sum = {.fd = -1}, file = {.length = 0};
  LacSegmentHead   head = {.magic = LAC_SEGMENT_MAGIC, .type = LAC_SEGMENT_CHECKPOINT};

  entry->version = CHECKPOINT_VERSION;
  entry->n_tensors = (guint32) lac_store_get_n_entries(store);
  put_payload(&sum, entry, store);
  head.length = sum.length;
  sum.crc = lac_segment_crc(head.type, head.length, NULL, 0);
  sum.length = 0;
  put_payload(&sum, entry, store);
  head.crc = sum.crc;

  file.fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file.fd < 0)
    return lac_write_error(error, errno, path, 0);
  sink_put(&file, &head, sizeof head);
  file.length = 0;
  put_payload(&file, entry, store);
  if (file.code == 0 && fsync(file.fd) != 0)
    file.code = errno;
  if (close(file.fd) != 0 && file.code == 0)
    file.code = errno;
  if (file.code == 0 && rename(temporary, path) != 0)
    file.code = errno;
  if (file.code != 0) {
    unlink(temporary);
    return lac_write_error(error, file.code, path, sizeof head + head.length);
  }
  if (!sync_folder(folder))
    g_debug("%s: the folder cannot be synced on this file system", folder);
  return TRUE;
}

/* Bounds-checked cursor over the payload. */
typedef struct {
  const guint8 *data;
  gsize         left;
} Cursor;

static gconstpointer
cursor_take(Cursor *cursor, gsize n_bytes)
{
  gsize         padded = (n_bytes + 7) & ~(gsize) 7;
  gconstpointer data = cursor->data;

  if (padded < n_bytes || padded > cursor->left)
    return NULL;
  cursor->data += padded;
  cursor->left -= padded;
  return data;
}

static gboolean
parse_payload(const LacSegment *segment, LacCheckpointEntry *entry, LacStore *store)
{
  Cursor        cursor = {segment->payload, segment->length};
  gconstpointer head = cursor_take(&cursor, sizeof *entry);

  if (head == NULL)
    return FALSE;
  memcpy(entry, head, sizeof *entry);
  if (entry->version != CHECKPOINT_VERSION)
    return FALSE;
  const LacTensorEntry *tensors =
    cursor_take(&cursor, (gsize) entry->n_tensors * sizeof(LacTensorEntry));
  if (tensors == NULL)
    return FALSE;
  for (gsize i = 0; i < entry->n_tensors; i++) {
    const LacTensorEntry *tensor = &tensors[i];
    gsize                 n, n_bytes;

    if (!g_size_checked_mul(&n, tensor->n_rows, tensor->n_columns) ||
        !g_size_checked_mul(&n_bytes, n, tensor->element_size))
      return FALSE;
    const char   *name = cursor_take(&cursor, tensor->name_bytes);
    gconstpointer data = cursor_take(&cursor, n_bytes);
    if (name == NULL || data == NULL || tensor->name_bytes == 0 ||
        name[tensor->name_bytes - 1] != '\0')
      return FALSE;
    gpointer to =
      lac_store_put(store, name, tensor->n_rows, tensor->n_columns, tensor->element_size);
    if (n_bytes > 0)
      memcpy(to, data, n_bytes);
  }
  return TRUE;
}

gboolean
lac_run_checkpoint_read(const char         *folder,
                        LacCheckpointEntry *entry,
                        LacStore          **store,
                        GError            **error)
{
  g_autofree char    *path = lac_run_checkpoint_dup_path(folder);
  g_autoptr(LacStore) kept = lac_store_new();

  memset(entry, 0, sizeof *entry);
  if (g_file_test(path, G_FILE_TEST_EXISTS)) {
    g_autoptr(LacSegmentReader) reader = lac_segment_reader_new(path, error);
    LacSegment                  segment;

    if (reader == NULL)
      return FALSE;
    if (!lac_segment_reader_next(reader, &segment) || segment.type != LAC_SEGMENT_CHECKPOINT ||
        !parse_payload(&segment, entry, kept)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s is damaged or of another version: delete it to resume from step 0", path);
      return FALSE;
    }
  }
  *store = g_steal_pointer(&kept);
  return TRUE;
}
