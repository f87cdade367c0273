/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPZ: a ZIP archive of NPY files, stored or deflated, an array each.
 * Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 to 4.3.16 and 4.5.3 (ZIP64); numpy.savez */
#include "base/error.h"
#include "io/format/whole-file.h"
#include "io/input/array.h"

#include <string.h>

#define END_MARK     0x06054b50u
#define FAR_END_MARK 0x06064b50u
#define FAR_MARK     0x07064b50u
#define ENTRY_MARK   0x02014b50u
#define LOCAL_MARK   0x04034b50u
#define END_BYTES    22
#define ENTRY_BYTES  46
#define LOCAL_BYTES  30
#define MAX_COMMENT  65535
#define MAX_ENTRIES  4096
#define SUFFIX       ".npy"

typedef struct {
  const guint8 *bytes;
  gsize         length;
} Archive;

/* One file in the archive. */
typedef struct {
  char         *name;
  guint         method; /* 0: stored, 8: deflated */
  guint32       check_sum;
  const guint8 *packed;
  gsize         n_packed, n_bytes;
} Entry;

/* Little-endian number of @n bytes at @at, which the caller knows to be within. */
static guint64
get(const guint8 *at, guint n)
{
  guint64 value = 0;

  for (guint i = n; i-- > 0;)
    value = value << 8 | at[i];
  return value;
}

/* CRC-32 of ZIP: polynomial 0xedb88320, reflected. */
static guint32
check_sum_of(const guint8 *bytes, gsize n)
{
  guint32 table[256], sum = 0xffffffffu;

  for (guint32 i = 0; i < 256; i++) {
    table[i] = i;
    for (guint k = 0; k < 8; k++)
      table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
  }
  for (gsize i = 0; i < n; i++)
    sum = sum >> 8 ^ table[(sum ^ bytes[i]) & 0xff];
  return ~sum;
}

static gboolean
is_within(const Archive *archive, guint64 at, guint64 n)
{
  return at <= archive->length && n <= archive->length - at;
}

/* Where the list of entries begins and how many there are. Returns: FALSE where there is no end record. */
static gboolean
find_list(const Archive *archive, guint64 *at, guint64 *n)
{
  const gsize first =
    archive->length > END_BYTES + MAX_COMMENT ? archive->length - END_BYTES - MAX_COMMENT : 0;

  if (archive->length < END_BYTES)
    return FALSE;
  for (gsize end = archive->length - END_BYTES + 1; end-- > first;) {
    const guint8 *record = archive->bytes + end;

    if (get(record, 4) != END_MARK)
      continue;
    *n = get(record + 10, 2);
    *at = get(record + 16, 4);
    if (end < 20 || get(record - 20, 4) != FAR_MARK)
      return TRUE;
    const guint64 far_at = get(record - 20 + 8, 8);
    if (!is_within(archive, far_at, 56) || get(archive->bytes + far_at, 4) != FAR_END_MARK)
      return FALSE;
    *n = get(archive->bytes + far_at + 32, 8);
    *at = get(archive->bytes + far_at + 48, 8);
    return TRUE;
  }
  return FALSE;
}

/* Numbers that do not fit 32 bits stand in an extra field, in the order unpacked, packed, offset. */
static gboolean
read_far_numbers(const guint8 *extra, gsize n, guint64 *numbers[3])
{
  for (gsize at = 0; at + 4 <= n;) {
    const gsize size = (gsize) get(extra + at + 2, 2);
    gsize       next = at + 4;

    if (size > n - next)
      return FALSE;
    for (guint i = 0; get(extra + at, 2) == 1 && i < 3; i++) {
      if (*numbers[i] != 0xffffffffu)
        continue;
      if (next + 8 > at + 4 + size)
        return FALSE;
      *numbers[i] = get(extra + next, 8);
      next += 8;
    }
    at += 4 + size;
  }
  return TRUE;
}

/* The entry at *@at of the list; moves *@at behind it. Returns: FALSE at damage. */
static gboolean
read_entry(const Archive *archive, guint64 *at, Entry *entry)
{
  if (!is_within(archive, *at, ENTRY_BYTES) || get(archive->bytes + *at, 4) != ENTRY_MARK)
    return FALSE;
  const guint8 *record = archive->bytes + *at;
  const gsize   n_name = (gsize) get(record + 28, 2), n_extra = (gsize) get(record + 30, 2);
  guint64       n_packed = get(record + 20, 4), n_bytes = get(record + 24, 4);
  guint64       local = get(record + 42, 4);
  guint64      *numbers[3] = {&n_bytes, &n_packed, &local};

  *at += ENTRY_BYTES + n_name + n_extra + get(record + 32, 2);
  if (*at > archive->length || !read_far_numbers(record + ENTRY_BYTES + n_name, n_extra, numbers))
    return FALSE;
  if (!is_within(archive, local, LOCAL_BYTES) || get(archive->bytes + local, 4) != LOCAL_MARK)
    return FALSE;
  const guint8 *head = archive->bytes + local;
  const guint64 data = local + LOCAL_BYTES + get(head + 26, 2) + get(head + 28, 2);
  if (!is_within(archive, data, n_packed))
    return FALSE;
  *entry = (Entry){
    .name = g_strndup((const char *) record + ENTRY_BYTES, n_name),
    .method = (guint) get(record + 10, 2),
    .check_sum = (guint32) get(record + 16, 4),
    .packed = archive->bytes + data,
    .n_packed = (gsize) n_packed,
    .n_bytes = (gsize) n_bytes,
  };
  return TRUE;
}

/* Returns: (transfer full) (nullable): the bytes of the entry; NULL at damage, or packed as nobody packs NPZ. */
static guint8 *
unpack(const Entry *entry)
{
  gsize   n = 0;
  guint8 *bytes = NULL;

  if (entry->method == 0 && entry->n_packed == entry->n_bytes) {
    n = entry->n_bytes;
    bytes = g_memdup2(entry->packed, n);
  } else if (entry->method == 8) {
    bytes = (guint8 *) lac_unfold(entry->packed, entry->n_packed, G_ZLIB_COMPRESSOR_FORMAT_RAW,
                                  entry->n_bytes, &n);
  }
  if (bytes != NULL && (n != entry->n_bytes || check_sum_of(bytes, n) != entry->check_sum))
    g_clear_pointer(&bytes, g_free);
  return bytes;
}

static gboolean
read_member(LacInputFile *file, const Entry *entry)
{
  g_autofree guint8 *bytes = NULL;
  g_autofree char   *name = g_strdup(entry->name);

  if (g_str_has_suffix(name, "/"))
    return TRUE;
  if (!g_str_has_suffix(name, SUFFIX)) {
    lac_input_file_add(file, name, 0, NULL)->odd = g_strdup("no array");
    return TRUE;
  }
  bytes = unpack(entry);
  if (bytes == NULL)
    return FALSE;
  name[strlen(name) - strlen(SUFFIX)] = '\0';
  const guint before = file->arrays->len;
  if (lac_input_parse_npy(file, name, bytes, entry->n_bytes))
    return TRUE;
  if (file->arrays->len == before)
    lac_input_file_add(file, name, 0, NULL);
  LacInputArray *array = file->arrays->pdata[before];
  array->odd = g_strdup("no real numbers");
  return TRUE;
}

gboolean
lac_input_read_npz(LacInputFile *file, const char *path, GError **error)
{
  g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, NULL);
  guint64                at = 0, n = 0;

  if (map == NULL)
    return lac_input_set_damaged(error, path, file->format);
  const Archive archive = {(const guint8 *) g_mapped_file_get_contents(map),
                           g_mapped_file_get_length(map)};
  if (!find_list(&archive, &at, &n))
    return lac_input_set_damaged(error, path, file->format);
  if (n > MAX_ENTRIES) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s holds %" G_GUINT64_FORMAT " files; an NPZ is read with at most %d", path, n,
                MAX_ENTRIES);
    return FALSE;
  }
  for (guint64 i = 0; i < n; i++) {
    Entry    entry;
    gboolean done = read_entry(&archive, &at, &entry);

    if (!done)
      return lac_input_set_damaged(error, path, file->format);
    done = read_member(file, &entry);
    g_free(entry.name);
    if (!done)
      return lac_input_set_damaged(error, path, file->format);
  }
  return TRUE;
}
