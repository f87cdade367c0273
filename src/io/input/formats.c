/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detection of file formats, and the list of a file's numeric arrays. */
#include "io/input/formats.h"

#include "base/error.h"
#include "io/format/whole-file.h"
#include "io/input/apart.h"
#include "io/input/picture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void
array_free(gpointer data)
{
  LacInputArray *array = data;

  g_free(array->name);
  g_free(array->unit);
  g_free(array->odd);
  g_strfreev(array->axes);
  g_strfreev(array->sets);
  g_free(array->data);
  g_free(array);
}

LacInputFile *
lac_input_file_new(void)
{
  LacInputFile *file = g_new0(LacInputFile, 1);

  file->arrays = g_ptr_array_new_with_free_func(array_free);
  return file;
}

void
lac_input_file_free(LacInputFile *file)
{
  if (file == NULL)
    return;
  g_ptr_array_unref(file->arrays);
  g_free(file);
}

LacInputArray *
lac_input_file_add(LacInputFile *file, const char *name, guint rank, const gsize *sizes)
{
  LacInputArray *array = g_new0(LacInputArray, 1);

  array->name = g_utf8_make_valid(name, -1);
  array->unit = g_strdup("1");
  for (guint i = 0; i < rank && array->rank < LAC_INPUT_MAX_RANK; i++) {
    if (sizes[i] != 1)
      array->sizes[array->rank++] = sizes[i];
  }
  g_ptr_array_add(file->arrays, array);
  return array;
}

gboolean
lac_input_file_leave(const LacInputFile *file, LacInputArray *array, gboolean column_major)
{
  array->is_left = file->leaves && array->rank >= 2;
  for (guint i = 0; i < array->rank / 2 && array->is_left && column_major; i++) {
    const gsize size = array->sizes[i];

    array->sizes[i] = array->sizes[array->rank - 1 - i];
    array->sizes[array->rank - 1 - i] = size;
  }
  return array->is_left;
}

void
lac_input_array_take_axes(LacInputArray *array, char **names, const gsize *sizes, guint n)
{
  guint rank = 0;

  g_strfreev(array->axes);
  array->axes = g_new0(char *, array->rank + 1);
  for (guint i = 0; i < n && rank < array->rank; i++)
    if (sizes[i] != 1)
      array->axes[rank++] = g_utf8_make_valid(names[i], -1);
  g_strfreev(names);
  if (rank < array->rank)
    g_clear_pointer(&array->axes, g_strfreev);
}

gsize
lac_input_array_get_length(const LacInputArray *array)
{
  gsize n = 1;

  for (guint i = 0; i < array->rank; i++) {
    if (!g_size_checked_mul(&n, n, array->sizes[i]))
      return G_MAXSIZE;
  }
  return n;
}

char *
lac_input_array_dup_shape(const LacInputArray *array)
{
  GString *text = g_string_new(array->rank == 0 ? "1" : NULL);

  for (guint i = 0; i < array->rank; i++)
    g_string_append_printf(text, "%s%" G_GSIZE_FORMAT, i > 0 ? " x " : "", array->sizes[i]);
  return g_string_free(text, FALSE);
}

double *
lac_input_numbers_new(gsize n)
{
  double *numbers = g_try_new(double, n);

  if (numbers != NULL)
    lac_input_numbers_clear(numbers, n);
  return numbers;
}

void
lac_input_numbers_clear(double *numbers, gsize n)
{
  for (gsize i = 0; i < n; i++)
    numbers[i] = NAN;
}

gboolean
lac_input_set_damaged(GError **error, const char *path, const char *format)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s begins as a %s file but is truncated or damaged: copy it again from its source",
              path, format);
  return FALSE;
}

gboolean
lac_input_set_truncated(GError    **error,
                        const char *path,
                        const char *format,
                        guint64     n_bytes,
                        guint64     n_needed)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s is a truncated %s file: it has %" G_GUINT64_FORMAT
              " bytes and needs at least %" G_GUINT64_FORMAT "; copy it again from its source",
              path, format, n_bytes, n_needed);
  return FALSE;
}

static gboolean
begins_with(const guint8 *head, gsize n, const char *mark)
{
  return n >= strlen(mark) && memcmp(head, mark, strlen(mark)) == 0;
}

static gboolean
is_npy(const guint8 *head, gsize n)
{
  return begins_with(head, n, "\x93NUMPY");
}

static gboolean
is_npz(const guint8 *head, gsize n)
{
  return begins_with(head, n, "PK\3\4") || begins_with(head, n, "PK\5\6");
}

static gboolean
is_mat_7(const guint8 *head, gsize n)
{
  return begins_with(head, n, "MATLAB 7.3");
}

static gboolean
is_mat_5(const guint8 *head, gsize n)
{
  return begins_with(head, n, "MATLAB 5.0");
}

/* Returns TRUE for HDF5, which may start after a user block: at 0, 512, 1024, 2048 ... */
static gboolean
is_h5(const guint8 *head, gsize n)
{
  for (gsize at = 0; at < n; at = at == 0 ? 512 : 2 * at)
    if (begins_with(head + at, n - at, "\x89HDF\r\n\x1a\n"))
      return TRUE;
  return FALSE;
}

static gboolean
is_png(const guint8 *head, gsize n)
{
  return begins_with(head, n, "\x89PNG\r\n\x1a\n");
}

static gboolean
is_jpeg(const guint8 *head, gsize n)
{
  return begins_with(head, n, "\xff\xd8\xff");
}

/* Returns TRUE for TIFF and BigTIFF: little and big endian, 32-bit and 64-bit offsets. */
static gboolean
is_tiff(const guint8 *head, gsize n)
{
  return n >= 4 && (memcmp(head, "II\x2a\0", 4) == 0 || memcmp(head, "MM\0\x2a", 4) == 0 ||
                    memcmp(head, "II\x2b\0", 4) == 0 || memcmp(head, "MM\0\x2b", 4) == 0);
}

static gboolean
is_fits(const guint8 *head, gsize n)
{
  return begins_with(head, n, "SIMPLE  =");
}

static gboolean
is_text(const guint8 *head, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (head[i] == 0x7f || (head[i] < ' ' && strchr("\t\r\n", head[i]) == NULL) || head[i] == 0)
      return FALSE;
  return TRUE;
}

static gboolean
is_table(const guint8 *head, gsize n)
{
  return lac_is_gzip(head, n) || is_text(head, n);
}

/* Formats are detected by the first bytes, never by the file name. */
static const struct {
  const char *name;
  gboolean (*is)(const guint8 *head, gsize n);
  gboolean (*read)(LacInputFile *file, const char *path, GError **error);
  gboolean column_major;
  gboolean apart;    /* read by a library that may crash: use a separate process */
  gboolean in_parts; /* supports partial reads */
  gboolean picture;
} formats[] = {
  {"MAT 5", is_mat_5, lac_input_read_mat, TRUE, TRUE, TRUE, FALSE},
  {"MAT 7.3", is_mat_7, lac_input_read_mat, TRUE, TRUE, TRUE, FALSE},
  {"HDF5", is_h5, lac_input_read_h5, FALSE, TRUE, TRUE, FALSE},
  {"NPY", is_npy, lac_input_read_npy, FALSE, FALSE, TRUE, FALSE},
  {"NPZ", is_npz, lac_input_read_npz, FALSE, FALSE, FALSE, FALSE},
  {"PNG", is_png, lac_input_read_png, FALSE, TRUE, FALSE, TRUE},
  {"JPEG", is_jpeg, lac_input_read_jpeg, FALSE, TRUE, FALSE, TRUE},
  {"TIFF", is_tiff, lac_input_read_tiff, FALSE, TRUE, FALSE, TRUE},
  {"FITS", is_fits, lac_input_read_fits, FALSE, TRUE, FALSE, TRUE},
  {"CSV", is_table, lac_input_read_table, FALSE, FALSE, FALSE, FALSE},
};

gboolean
lac_input_file_read_here(LacInputFile *file, const char *path, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS(formats); i++)
    if (g_str_equal(formats[i].name, file->format))
      return formats[i].read(file, path, error);
  g_return_val_if_reached(FALSE);
}

static gboolean
read_head(const char *path, guint8 *head, gsize *n, GError **error)
{
  struct stat about;
  FILE       *stream = fopen(path, "rbe");

  if (stream == NULL) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s cannot be read: %s", path,
                g_strerror(errno));
    return FALSE;
  }
  if (fstat(fileno(stream), &about) == 0 && S_ISDIR(about.st_mode)) {
    fclose(stream);
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is a folder; name a file in it", path);
    return FALSE;
  }
  *n = fread(head, 1, *n, stream);
  fclose(stream);
  if (*n == 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is empty", path);
  return *n > 0;
}

static void
set_unknown(GError **error, const char *path, const char *foreign)
{
  if (foreign != NULL)
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "%s is a %s picture; of pictures, PNG, JPEG, TIFF and FITS are read: save it as one of "
      "these",
      path, foreign);
  else
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s has an unknown format; supported are MAT 5, MAT 7.3, HDF5 and NetCDF-4, NPY, "
                "NPZ, CSV and COMSOL text, also gzip-compressed; PNG, JPEG, TIFF and FITS pictures",
                path);
}

LacInputFile *
lac_input_file_read(const char *path, LacInputExtent extent, GError **error)
{
  g_autoptr(LacInputFile) file = lac_input_file_new();
  guint8                  head[4096 + 8];
  gsize                   n = sizeof head;

  if (!read_head(path, head, &n, error))
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
    if (!formats[i].is(head, n))
      continue;
    file->format = formats[i].name;
    file->column_major = formats[i].column_major;
    file->is_picture = formats[i].picture;
    file->leaves = extent == LAC_INPUT_HEADS && formats[i].in_parts;
    gboolean done = formats[i].apart ? lac_input_read_apart(file, path, error)
                                     : formats[i].read(file, path, error);
    if (done && formats[i].read == lac_input_read_h5)
      lac_input_unfold_cutout(file);
    return done ? g_steal_pointer(&file) : NULL;
  }
  set_unknown(error, path, lac_picture_get_foreign(head, n));
  return NULL;
}
