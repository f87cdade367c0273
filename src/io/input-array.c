/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The named numeric arrays of a file: which format it is, and the list itself. */
#include "io/input-array.h"

#include "base/error.h"
#include "io/input-apart.h"

#include <errno.h>
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
  g_free(array->data);
  g_free(array);
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

gboolean
lac_input_set_damaged(GError **error, const char *path, const char *format)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s begins as a %s file but is truncated or damaged: copy it again from its source",
              path, format);
  return FALSE;
}

/* The first bytes tell the format; the name of a file tells nothing. */
static LacInputReadFunc
recognise(LacInputFile *file, const guint8 *head, gsize n)
{
  static const guint8 h5_mark[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

  if (n >= 6 && memcmp(head, "\x93NUMPY", 6) == 0) {
    file->format = "NPY";
    return lac_input_read_npy;
  }
  if (n >= 10 && memcmp(head, "MATLAB 7.3", 10) == 0) {
    file->format = "MAT 7.3";
    file->column_major = TRUE;
    return lac_input_read_mat;
  }
  if (n >= 10 && memcmp(head, "MATLAB 5.0", 10) == 0) {
    file->format = "MAT 5";
    file->column_major = TRUE;
    return lac_input_read_mat;
  }
  for (gsize at = 0; at + sizeof h5_mark <= n; at = at == 0 ? 512 : 2 * at) {
    if (memcmp(head + at, h5_mark, sizeof h5_mark) == 0) {
      file->format = "HDF5";
      return lac_input_read_h5;
    }
  }
  return NULL;
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

LacInputFile *
lac_input_file_read(const char *path, GError **error)
{
  g_autoptr(LacInputFile) file = g_new0(LacInputFile, 1);
  guint8                  head[4096 + 8];
  gsize                   n = sizeof head;

  file->arrays = g_ptr_array_new_with_free_func(array_free);
  if (!read_head(path, head, &n, error))
    return NULL;
  LacInputReadFunc reader = recognise(file, head, n);
  if (reader == NULL) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s is not a MAT 5, MAT 7.3, HDF5 or NPY file: its first bytes are of none of them",
                path);
    return NULL;
  }
  /* NPY is read by code of our own */
  gboolean done = reader == lac_input_read_npy ? reader(file, path, error)
                                               : lac_input_read_apart(file, path, reader, error);
  return done ? g_steal_pointer(&file) : NULL;
}
