/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPZ through libzip: a ZIP archive of NPY files, stored or deflated, one per array. Source: numpy.savez */
#include "base/error.h"
#include "io/input/formats.h"

#include <string.h>
#include <zip.h>

#define MAX_ENTRIES 4096
#define MOST_PACKED 1100 /* maximum compression ratio: deflate reaches 1032 */
#define SUFFIX      ".npy"

/* Returns: TRUE when the entry's compression is one of NPZ and its declared size is plausible. */
static gboolean
is_likely(const zip_stat_t *about)
{
  const zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;

  return (about->valid & needed) == needed && about->size < G_MAXSIZE &&
         (about->comp_method == ZIP_CM_STORE || about->comp_method == ZIP_CM_DEFLATE) &&
         about->size / MOST_PACKED <= about->comp_size;
}

/* Reads to the end, where the library checks the checksum. Returns: FALSE when there are more or fewer than @n
 * bytes. */
static gboolean
read_bytes(zip_file_t *member, guint8 *bytes, gsize n)
{
  gsize       at = 0;
  zip_int64_t n_read;
  guint8      beyond;

  while (at < n && (n_read = zip_fread(member, bytes + at, n - at)) > 0)
    at += (gsize) n_read;
  return at == n && zip_fread(member, &beyond, 1) == 0;
}

/* Returns: (transfer full) (nullable): NULL when damaged or not a plausible NPZ entry. */
static guint8 *
unpack(zip_t *archive, guint64 i, gsize *n)
{
  zip_stat_t  about;
  zip_file_t *member = NULL;
  guint8     *bytes = NULL;

  if (zip_stat_index(archive, i, 0, &about) != 0 || !is_likely(&about))
    return NULL;
  *n = (gsize) about.size;
  member = zip_fopen_index(archive, i, 0);
  bytes = member != NULL ? g_try_malloc(*n + 1) : NULL;
  if (bytes != NULL && !read_bytes(member, bytes, *n))
    g_clear_pointer(&bytes, g_free);
  if (member != NULL)
    zip_fclose(member);
  return bytes;
}

/* Reads member @i of the archive. Returns: FALSE when damaged. */
static gboolean
read_member(LacInputFile *file, zip_t *archive, guint64 i)
{
  g_autofree guint8 *bytes = NULL;
  g_autofree char   *name = g_strdup(zip_get_name(archive, i, ZIP_FL_ENC_RAW));
  gsize              n;

  if (name == NULL)
    return FALSE;
  if (g_str_has_suffix(name, "/"))
    return TRUE;
  if (!g_str_has_suffix(name, SUFFIX)) {
    lac_input_file_add(file, name, 0, NULL)->odd = g_strdup("no array");
    return TRUE;
  }
  bytes = unpack(archive, i, &n);
  if (bytes == NULL)
    return FALSE;
  name[strlen(name) - strlen(SUFFIX)] = '\0';
  const guint before = file->arrays->len;
  if (lac_input_parse_npy(file, name, bytes, n))
    return TRUE;
  if (file->arrays->len == before)
    lac_input_file_add(file, name, 0, NULL);
  LacInputArray *array = file->arrays->pdata[before];
  array->odd = g_strdup("no real numbers");
  return TRUE;
}

static gboolean
read_members(LacInputFile *file, zip_t *archive, const char *path, GError **error)
{
  const guint64 n = (guint64) MAX(zip_get_num_entries(archive, 0), 0);

  if (n > MAX_ENTRIES) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s holds %" G_GUINT64_FORMAT " files; an NPZ is read with at most %d", path, n,
                MAX_ENTRIES);
    return FALSE;
  }
  for (guint64 i = 0; i < n; i++)
    if (!read_member(file, archive, i))
      return lac_input_set_damaged(error, path, file->format);
  return TRUE;
}

gboolean
lac_input_read_npz(LacInputFile *file, const char *path, GError **error)
{
  zip_t *archive = zip_open(path, ZIP_RDONLY, NULL);

  if (archive == NULL)
    return lac_input_set_damaged(error, path, file->format);
  const gboolean done = read_members(file, archive, path, error);
  zip_discard(archive);
  return done;
}
