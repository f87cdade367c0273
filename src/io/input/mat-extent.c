/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks the elements of a MAT 5 file and compares what they announce with what is there.
 * Source: MathWorks, MAT-File Format, chapter "Level 5 MAT-File Format" */
#include "io/input/mat-extent.h"

#include <gio/gio.h>

#include <string.h>

#define FORMAT     "MAT 5"
#define HEAD_BYTES 128 /* of the file */
#define TAG_BYTES  8
#define MOST_HEAD \
  4096 /* bytes kept of an element: its tag, flags, dimensions, name and the tag of its data */
#define BLOCK 65536

enum { TYPE_INT32 = 5, TYPE_UINT32 = 6, TYPE_MATRIX = 14, TYPE_COMPRESSED = 15 };
enum { CLASS_DOUBLE = 6, CLASS_UINT64 = 15 }; /* the numeric classes lie between */

typedef struct {
  const guint8 *bytes;
  gsize         n;
  gboolean      is_swapped;
} Part;

typedef struct {
  guint32 type;
  guint64 n_bytes;
  gsize   begin; /* of the data */
} Tag;

static guint32
get_word(const Part *part, gsize at)
{
  guint32 word;

  memcpy(&word, part->bytes + at, sizeof word);
  return part->is_swapped ? GUINT32_SWAP_LE_BE(word) : word;
}

/* Reads the tag at *@at and moves *@at behind the data, which need not be within @part. Up to four bytes lie in the tag itself.
 * Returns: FALSE where the tag is not within @part. */
static gboolean
take_tag(const Part *part, gsize *at, Tag *tag)
{
  if (*at > part->n || part->n - *at < TAG_BYTES)
    return FALSE;
  const guint32 first = get_word(part, *at);
  if (first >> 16 != 0) {
    *tag = (Tag){first & 0xffff, first >> 16, *at + 4};
    *at += TAG_BYTES;
    return tag->n_bytes <= 4;
  }
  *tag = (Tag){first, get_word(part, *at + 4), *at + TAG_BYTES};
  *at = tag->begin + (tag->n_bytes + 7) / 8 * 8;
  return TRUE;
}

/* Bytes of one number of a data type; 0: not a type of numbers. */
static gsize
get_size(guint32 type)
{
  static const guint8 sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};

  return type < G_N_ELEMENTS(sizes) ? sizes[type] : 0;
}

/* @head: the beginning of a matrix, its tag included; @n_all: bytes of the whole of it.
 * Returns: FALSE where a matrix of numbers has fewer of them than its dimensions ask for. */
static gboolean
has_all_numbers(const Part *head, guint64 n_all)
{
  gsize at = 0, n = 1;
  Tag   matrix, flags, dimensions, name, data;
  guint32 class;

  if (!take_tag(head, &at, &matrix) || matrix.type != TYPE_MATRIX ||
      matrix.begin + matrix.n_bytes > n_all)
    return FALSE;
  at = matrix.begin;
  if (matrix.n_bytes == 0) /* an empty place */
    return TRUE;
  if (!take_tag(head, &at, &flags) || flags.type != TYPE_UINT32 || flags.n_bytes < 8 ||
      at > head->n)
    return FALSE;
  class = get_word(head, flags.begin) & 0xff;
  if (class < CLASS_DOUBLE || class > CLASS_UINT64)
    return TRUE;
  if (!take_tag(head, &at, &dimensions) || dimensions.type != TYPE_INT32)
    return FALSE;
  if (dimensions.n_bytes / 4 > LAC_INPUT_MAX_RANK) /* not read */
    return TRUE;
  for (gsize i = 0; i < dimensions.n_bytes / 4; i++)
    if (dimensions.begin + 4 * (i + 1) > head->n ||
        !g_size_checked_mul(&n, n, get_word(head, dimensions.begin + 4 * i)))
      return FALSE;
  if (n == 0)
    return TRUE;
  return take_tag(head, &at, &name) && take_tag(head, &at, &data) && get_size(data.type) > 0 &&
         data.n_bytes / get_size(data.type) >= n && data.begin + data.n_bytes <= n_all;
}

/* Unpacks all of @packed and keeps the beginning. Returns: FALSE where the stream has no sound end. */
static gboolean
unpack(const Part *packed, guint8 *head, gsize *n_head, guint64 *n_all)
{
  g_autoptr(GConverter) unpacker =
    G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  g_autofree guint8 *block = g_malloc(BLOCK);
  GConverterResult   result = G_CONVERTER_CONVERTED;

  *n_head = 0;
  *n_all = 0;
  for (gsize at = 0; result == G_CONVERTER_CONVERTED;) {
    gsize n_read = 0, n_written = 0;

    result = g_converter_convert(unpacker, packed->bytes + at, packed->n - at, block, BLOCK,
                                 G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
    if (result == G_CONVERTER_ERROR)
      return FALSE;
    const gsize n_kept = MIN(n_written, MOST_HEAD - *n_head);
    memcpy(head + *n_head, block, n_kept);
    *n_head += n_kept;
    *n_all += n_written;
    at += n_read;
  }
  return result == G_CONVERTER_FINISHED;
}

/* @element: a tag and all bytes that it announces. */
static gboolean
is_whole(const Part *element, guint32 type)
{
  guint8  bytes[MOST_HEAD];
  Part    head = {bytes, 0, element->is_swapped};
  guint64 n_all;

  if (type != TYPE_COMPRESSED)
    return has_all_numbers(element, element->n);
  const Part packed = {element->bytes + TAG_BYTES, element->n - TAG_BYTES, FALSE};
  return unpack(&packed, bytes, &head.n, &n_all) && has_all_numbers(&head, n_all);
}

static gboolean
check_elements(const Part *file, const char *path, LacInputExtent extent, GError **error)
{
  for (gsize at = HEAD_BYTES; at < file->n;) {
    const gsize begin = at;
    Tag         tag;

    if (file->n - at < TAG_BYTES)
      return lac_input_set_truncated(error, path, FORMAT, file->n, at + TAG_BYTES);
    if (!take_tag(file, &at, &tag) || (tag.type != TYPE_MATRIX && tag.type != TYPE_COMPRESSED))
      return lac_input_set_damaged(error, path, FORMAT);
    const guint64 end = tag.begin + tag.n_bytes;
    if (end > file->n)
      return lac_input_set_truncated(error, path, FORMAT, file->n, end);
    const Part element = {file->bytes + begin, (gsize) (end - begin), file->is_swapped};
    if (extent == LAC_INPUT_WHOLE && !is_whole(&element, tag.type))
      return lac_input_set_damaged(error, path, FORMAT);
    if (tag.type == TYPE_COMPRESSED) /* not filled up to a multiple of eight */
      at = (gsize) end;
  }
  return TRUE;
}

gboolean
lac_mat_check(const char *path, LacInputExtent extent, GError **error)
{
  g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, NULL);

  if (map == NULL)
    return lac_input_set_damaged(error, path, FORMAT);
  Part file = {(const guint8 *) g_mapped_file_get_contents(map), g_mapped_file_get_length(map),
               FALSE};
  if (file.n < HEAD_BYTES + TAG_BYTES)
    return lac_input_set_truncated(error, path, FORMAT, file.n, HEAD_BYTES + TAG_BYTES);
  /* the writer put the letters MI as one number of its own byte order */
  const gboolean is_little = memcmp(file.bytes + HEAD_BYTES - 2, "IM", 2) == 0;
  if (!is_little && memcmp(file.bytes + HEAD_BYTES - 2, "MI", 2) != 0)
    return lac_input_set_damaged(error, path, FORMAT);
  file.is_swapped = is_little != (G_BYTE_ORDER == G_LITTLE_ENDIAN);
  return check_elements(&file, path, extent, error);
}
