/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPY, versions 1 and 2. One file holds one array; its coordinates are in adjacent files: u.npy, u-x.npy, u-t.npy.
 * Source: numpy/lib/format.py, the NPY format */
#include "base/error.h"
#include "io/input/block.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_HEAD 65536 /* bytes, of an array that is read in parts */

typedef struct {
  char     kind; /* f, i, u */
  guint    bytes;
  gboolean swap, column_major;
  guint    rank;
  gsize    sizes[LAC_INPUT_MAX_RANK];
  gsize    begin; /* offset of the values */
} NpyHead;

/* Returns: (nullable): the text after "'key':" and spaces. */
static const char *
find_value(const char *dictionary, const char *key)
{
  g_autofree char *quoted = g_strdup_printf("'%s'", key);
  const char      *at = strstr(dictionary, quoted);

  if (at == NULL)
    return NULL;
  at += strlen(quoted);
  at += strspn(at, " \t:");
  return at;
}

static gboolean
parse_type(const char *text, NpyHead *head)
{
  /* strchr also finds the terminating zero, which must be excluded */
  if (text == NULL || text[0] != '\'' || text[1] == '\0' || strchr("<>|=", text[1]) == NULL ||
      text[2] == '\0' || strchr("fiub", text[2]) == NULL)
    return FALSE;
  head->swap = text[1] == '>';
  head->kind = text[2] == 'b' ? 'u' : text[2];
  head->bytes = (guint) strtoul(text + 3, NULL, 10);
  if (head->kind == 'f')
    return head->bytes == 4 || head->bytes == 8;
  return head->bytes == 1 || head->bytes == 2 || head->bytes == 4 || head->bytes == 8;
}

static gboolean
parse_shape(const char *text, NpyHead *head)
{
  if (text == NULL || *text++ != '(')
    return FALSE;
  for (;;) {
    char *end;

    text += strspn(text, " ,");
    if (*text == ')')
      return TRUE;
    if (!isdigit((unsigned char) *text) || head->rank == LAC_INPUT_MAX_RANK)
      return FALSE;
    head->sizes[head->rank++] = (gsize) strtoull(text, &end, 10);
    text = end;
  }
}

static gboolean
parse_head(const char *dictionary, NpyHead *head)
{
  const char *order = find_value(dictionary, "fortran_order");

  head->column_major = order != NULL && g_str_has_prefix(order, "True");
  return parse_type(find_value(dictionary, "descr"), head) &&
         parse_shape(find_value(dictionary, "shape"), head);
}

/* Returns element @i of the raw data, converted from the file's byte order and type. */
static double
get_number(const NpyHead *head, const guint8 *data, gsize i)
{
  guint8  bytes[8];
  guint64 word = 0;

  for (guint b = 0; b < head->bytes; b++)
    bytes[b] = data[i * head->bytes + (head->swap ? head->bytes - 1 - b : b)];
  memcpy(&word, bytes, head->bytes);
  if (head->kind == 'f' && head->bytes == 4) {
    float value;
    memcpy(&value, bytes, sizeof value);
    return (double) value;
  }
  if (head->kind == 'f') {
    double value;
    memcpy(&value, bytes, sizeof value);
    return value;
  }
  if (head->kind == 'u')
    return (double) word;
  guint shift = 64 - 8 * head->bytes;
  return (double) ((gint64) (word << shift) >> shift);
}

static gsize
get_place(const LacInputArray *array, const NpyHead *head, gsize k)
{
  if (!head->column_major)
    return k;
  gsize place = 0, stride = lac_input_array_get_length(array);
  for (guint axis = array->rank; axis-- > 0;) {
    stride /= array->sizes[axis];
    place += k % array->sizes[axis] * stride;
    k /= array->sizes[axis];
  }
  return place;
}

/* Returns: FALSE when the header is incomplete. */
static gboolean
read_npy_head(const guint8 *data, gsize length, NpyHead *head)
{
  if (length < 12 || memcmp(data, "\x93NUMPY", 6) != 0)
    return FALSE;
  gsize start = data[6] == 1 ? 10 : 12;
  gsize n_head = data[8] + 256u * data[9];
  if (data[6] != 1)
    n_head += 65536u * data[10] + 16777216u * (gsize) data[11];
  if (n_head > length - start)
    return FALSE;
  g_autofree char *dictionary = g_strndup((const char *) data + start, n_head);
  head->begin = start + n_head;
  return parse_head(dictionary, head);
}

gboolean
lac_input_parse_npy(LacInputFile *file, const char *name, const guint8 *data, gsize length)
{
  NpyHead head = {0};

  if (!read_npy_head(data, length, &head))
    return FALSE;
  LacInputArray *array = lac_input_file_add(file, name, head.rank, head.sizes);
  gsize          n = lac_input_array_get_length(array);
  if (n == 0 || n > (length - head.begin) / head.bytes)
    return FALSE;
  if (lac_input_file_leave(file, array, head.column_major))
    return TRUE;
  array->data = g_new(double, n);
  for (gsize k = 0; k < n; k++)
    array->data[k] = get_number(&head, data + head.begin, get_place(array, &head, k));
  return TRUE;
}

/* Reads consecutive values. */
static gboolean
read_run(FILE *stream, const NpyHead *head, gsize n, guint8 *raw, double *numbers)
{
  if (fread(raw, head->bytes, n, stream) != n)
    return FALSE;
  if (head->kind == 'f' && head->bytes == 8 && !head->swap)
    memcpy(numbers, raw, n * sizeof *numbers);
  else
    for (gsize i = 0; i < n; i++)
      numbers[i] = get_number(head, raw, i);
  return TRUE;
}

/* Merges axes that are read completely into longer runs. */
static gboolean
read_runs(FILE                *stream,
          const NpyHead       *head,
          const LacInputBlock *from,
          const gsize         *start,
          const gsize         *count,
          double              *numbers)
{
  gsize at[LAC_INPUT_MAX_RANK] = {0}, run = count[from->rank - 1], n_runs = 1;
  guint n_outer = from->rank - 1;

  while (n_outer > 0 && count[n_outer] == from->sizes[n_outer])
    run *= count[--n_outer];
  for (guint i = 0; i < n_outer; i++)
    n_runs *= count[i];
  g_autofree guint8 *raw = g_try_malloc_n(run, head->bytes);
  for (gsize r = 0; r < n_runs && raw != NULL; r++) {
    gsize place = 0, left = r;

    for (guint i = n_outer; i-- > 0;) {
      at[i] = left % count[i];
      left /= count[i];
    }
    for (guint i = 0; i < from->rank; i++)
      place = place * from->sizes[i] + start[i] + at[i];
    if (fseeko(stream, (off_t) (head->begin + place * head->bytes), SEEK_SET) != 0 ||
        !read_run(stream, head, run, raw, numbers + r * run))
      return FALSE;
  }
  return raw != NULL;
}

gboolean
lac_input_block_read_npy(const LacInputBlock *from,
                         const gsize         *start,
                         const gsize         *count,
                         double              *numbers)
{
  FILE    *stream = fopen(from->path, "rbe");
  guint8   start_of_file[MOST_HEAD];
  NpyHead  head = {0};
  gsize    length = stream != NULL ? fread(start_of_file, 1, sizeof start_of_file, stream) : 0;
  gsize    sizes[LAC_INPUT_MAX_RANK] = {0};
  gsize    all[2][LAC_INPUT_MAX_RANK];
  gboolean good = read_npy_head(start_of_file, length, &head);

  for (guint i = 0; i < head.rank; i++)
    sizes[i] = head.sizes[head.column_major ? head.rank - 1 - i : i];
  good = good && lac_input_block_spread(start, count, from->rank, sizes, head.rank, all) &&
         read_runs(stream, &head, from, start, count, numbers);
  if (stream != NULL)
    fclose(stream);
  return good;
}

/* Returns: TRUE with an error when the file has fewer values than its header declares. */
static gboolean
is_truncated(GMappedFile *map, const char *path, GError **error)
{
  const gsize length = g_mapped_file_get_length(map);
  NpyHead     head = {0};
  gsize       needed = 1;
  gboolean    fits = read_npy_head((const guint8 *) g_mapped_file_get_contents(map), length, &head);

  for (guint i = 0; fits && i < head.rank; i++)
    fits = g_size_checked_mul(&needed, needed, head.sizes[i]);
  fits = fits && g_size_checked_mul(&needed, needed, head.bytes) &&
         g_size_checked_add(&needed, needed, head.begin);
  if (fits && length < needed)
    lac_input_set_truncated(error, path, "NPY", length, needed);
  return fits && length < needed;
}

static gboolean
read_one(LacInputFile *file, const char *path, const char *name, GError **error)
{
  g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, NULL);

  if (map != NULL &&
      lac_input_parse_npy(file, name, (const guint8 *) g_mapped_file_get_contents(map),
                          g_mapped_file_get_length(map)))
    return TRUE;
  if (map != NULL && is_truncated(map, path, error))
    return FALSE;
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_BAD_FILE,
    "%s is an NPY file that is truncated or does not hold real numbers (f4, f8 or integers)", path);
  return FALSE;
}

/* Reads the coordinates: every STEM-NAME.npy next to STEM.npy. */
static gboolean
read_beside(LacInputFile *file, const char *folder, const char *stem, GError **error)
{
  g_autoptr(GDir)  directory = g_dir_open(folder, 0, NULL);
  g_autofree char *prefix = g_strconcat(stem, "-", NULL);
  const char      *entry;

  while (directory != NULL && (entry = g_dir_read_name(directory)) != NULL) {
    if (!g_str_has_prefix(entry, prefix) || !g_str_has_suffix(entry, ".npy"))
      continue;
    g_autofree char *path = g_build_filename(folder, entry, NULL);
    g_autofree char *axis = g_strndup(entry + strlen(prefix), strlen(entry) - strlen(prefix) - 4);
    if (!read_one(file, path, axis, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
lac_input_read_npy(LacInputFile *file, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *stem = g_path_get_basename(path);

  if (g_str_has_suffix(stem, ".npy"))
    stem[strlen(stem) - 4] = '\0';
  return read_one(file, path, stem, error) && read_beside(file, folder, stem, error);
}
