/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MAT 5 and MAT 7.3 through matio; its column-major order is undone. */
#include "io/input/block.h"
#include "io/input/h5-numbers.h"
#include "io/input/mat-extent.h"

#include <matio.h>
#include <string.h>

#define MAT_5 "MAT 5"

static gboolean has_complained; /* under the HDF5 lock */

/* Element @i of a numeric variable as a double. */
static gboolean
get_number(const matvar_t *variable, gsize i, double *value)
{
  switch (variable->class_type) {
  case MAT_C_DOUBLE: *value = ((const double *) variable->data)[i]; return TRUE;
  case MAT_C_SINGLE: *value = (double) ((const float *) variable->data)[i]; return TRUE;
  case MAT_C_INT8: *value = ((const gint8 *) variable->data)[i]; return TRUE;
  case MAT_C_UINT8: *value = ((const guint8 *) variable->data)[i]; return TRUE;
  case MAT_C_INT16: *value = ((const gint16 *) variable->data)[i]; return TRUE;
  case MAT_C_UINT16: *value = ((const guint16 *) variable->data)[i]; return TRUE;
  case MAT_C_INT32: *value = ((const gint32 *) variable->data)[i]; return TRUE;
  case MAT_C_UINT32: *value = ((const guint32 *) variable->data)[i]; return TRUE;
  case MAT_C_INT64: *value = (double) ((const gint64 *) variable->data)[i]; return TRUE;
  case MAT_C_UINT64: *value = (double) ((const guint64 *) variable->data)[i]; return TRUE;
  case MAT_C_EMPTY:
  case MAT_C_CELL:
  case MAT_C_STRUCT:
  case MAT_C_OBJECT:
  case MAT_C_CHAR:
  case MAT_C_SPARSE:
  case MAT_C_FUNCTION:
  case MAT_C_OPAQUE: break;
  }
  return FALSE;
}

/* Row-major element @k of @array lies at this place of the column-major file. */
static gsize
column_major_place(const LacInputArray *array, gsize k)
{
  gsize place = 0, stride = lac_input_array_get_length(array);

  for (guint axis = array->rank; axis-- > 0;) {
    stride /= array->sizes[axis];
    place += k % array->sizes[axis] * stride;
    k /= array->sizes[axis];
  }
  return place;
}

static gboolean
is_numeric(const matvar_t *variable)
{
  return variable->class_type >= MAT_C_DOUBLE && variable->class_type <= MAT_C_UINT64;
}

/* The type of a log message: "char *" in matio 1.5.23, "const char *" in 1.5.28. */
typedef __typeof__(_Generic(Mat_LogInitFunc, int (*)(const char *, void (*)(int, char *))
                            : (char *) NULL, default
                            : (const char *) NULL)) LogMessage;

/* Notes that matio complained. It returns success for many a short read of data. */
static void
on_message(int level, LogMessage message)
{
  has_complained = TRUE;
}

/* The numbers of a MAT 5 variable in the order of the file. */
static gboolean
read_five(mat_t *mat, matvar_t *variable, gsize n, double *numbers)
{
  has_complained = FALSE;
  if (Mat_VarReadDataAll(mat, variable) != 0 || has_complained || variable->data == NULL ||
      variable->data_size <= 0 || variable->nbytes / (gsize) variable->data_size < n ||
      (gsize) variable->data_size != Mat_SizeOfClass(variable->class_type))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    get_number(variable, i, &numbers[i]);
  return TRUE;
}

/* Likewise of MAT 7.3, which is HDF5. */
static gboolean
read_seven(const char *path, const matvar_t *variable, gsize n, double *numbers)
{
  hid_t    h5 = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t    set = h5 >= 0 ? H5Dopen2(h5, variable->name, H5P_DEFAULT) : H5I_INVALID_HID;
  hid_t    space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
  gboolean good = space >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t) n &&
                  lac_h5_read_numbers(set, NULL, NULL, numbers);

  if (space >= 0)
    H5Sclose(space);
  if (set >= 0)
    H5Dclose(set);
  if (h5 >= 0)
    H5Fclose(h5);
  return good;
}

/* Returns: FALSE when the file ends before the data does. */
static gboolean
read_variable(LacInputFile *file, const char *path, mat_t *mat, matvar_t *variable)
{
  gsize sizes[LAC_INPUT_MAX_RANK] = {0};

  if (variable->name == NULL || variable->rank < 1 || variable->dims == NULL)
    return TRUE;
  guint rank = MIN((guint) variable->rank, LAC_INPUT_MAX_RANK);
  for (guint i = 0; i < rank; i++)
    sizes[i] = variable->dims[i];
  LacInputArray *array = lac_input_file_add(file, variable->name, rank, sizes);
  if (variable->isComplex || !is_numeric(variable) || variable->rank > LAC_INPUT_MAX_RANK) {
    array->odd = g_strdup(variable->isComplex ? "complex numbers" : "no numbers");
    return TRUE;
  }
  gsize n = lac_input_array_get_length(array);
  if (n == 0 || n > G_MAXSIZE / 16) {
    array->odd = g_strdup("nothing");
    return n == 0;
  }
  if (lac_input_file_leave(file, array, TRUE))
    return TRUE;
  g_autofree double *numbers = lac_input_numbers_new(n);
  array->data = lac_input_numbers_new(n);
  if (array->data == NULL || numbers == NULL ||
      !(Mat_GetVersion(mat) == MAT_FT_MAT73 ? read_seven(path, variable, n, numbers)
                                            : read_five(mat, variable, n, numbers)))
    return FALSE;
  for (gsize k = 0; k < n; k++)
    array->data[k] = numbers[column_major_place(array, k)];
  return TRUE;
}

static gboolean
read_all(LacInputFile *file, const char *path)
{
  mat_t    *mat = Mat_Open(path, MAT_ACC_RDONLY);
  matvar_t *variable;
  gboolean  whole = mat != NULL;

  Mat_LogInitFunc("", on_message);
  while (whole && (variable = Mat_VarReadNextInfo(mat)) != NULL) {
    whole = read_variable(file, path, mat, variable);
    Mat_VarFree(variable);
  }
  if (mat != NULL)
    Mat_Close(mat);
  return whole;
}

gboolean
lac_input_read_mat(LacInputFile *file, const char *path, GError **error)
{
  const gboolean is_five = g_str_equal(file->format, MAT_5);

  if (is_five && !lac_mat_check(path, file->leaves ? LAC_INPUT_HEADS : LAC_INPUT_WHOLE, error))
    return FALSE;
  lac_h5_lock();
  gboolean whole = read_all(file, path);
  lac_h5_unlock();
  if (!whole && !is_five && lac_h5_is_truncated(path, file->format, error))
    return FALSE;
  return whole || lac_input_set_damaged(error, path, file->format);
}

/* Columns first: the file's slowest axis is the last one of MAT. */
static gboolean
read_part(mat_t               *mat,
          matvar_t            *variable,
          const LacInputBlock *from,
          const gsize         *start,
          const gsize         *count,
          double              *numbers)
{
  const guint n_all = (guint) variable->rank;
  gsize       sizes[LAC_INPUT_MAX_RANK] = {0}, all[2][LAC_INPUT_MAX_RANK], n = 1;
  int         first[LAC_INPUT_MAX_RANK], stride[LAC_INPUT_MAX_RANK], edge[LAC_INPUT_MAX_RANK];

  for (guint i = 0; i < n_all; i++)
    sizes[i] = variable->dims[n_all - 1 - i];
  if (!lac_input_block_spread(start, count, from->rank, sizes, n_all, all))
    return FALSE;
  for (guint i = 0; i < n_all; i++) {
    if (sizes[n_all - 1 - i] > G_MAXINT)
      return FALSE;
    first[i] = (int) all[0][n_all - 1 - i];
    edge[i] = (int) all[1][n_all - 1 - i];
    stride[i] = 1;
    n *= (gsize) edge[i];
  }
  const gsize        size = Mat_SizeOfClass(variable->class_type);
  g_autofree guint8 *raw = g_try_malloc_n(n, size);
  matvar_t           part = {.class_type = variable->class_type, .data = raw};
  if (raw == NULL)
    return FALSE;
  memset(raw, 0xff, n * size); /* NaN, where they are real numbers */
  Mat_LogInitFunc("", on_message);
  has_complained = FALSE;
  if (Mat_VarReadData(mat, variable, raw, first, stride, edge) != 0 || has_complained)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    get_number(&part, i, &numbers[i]);
  return TRUE;
}

gboolean
lac_input_block_read_mat(const LacInputBlock *from,
                         const gsize         *start,
                         const gsize         *count,
                         double              *numbers)
{
  lac_h5_lock();
  /* it may have become shorter since it was opened */
  mat_t *mat =
    lac_mat_check(from->path, LAC_INPUT_HEADS, NULL) ? Mat_Open(from->path, MAT_ACC_RDONLY) : NULL;
  matvar_t *variable = mat != NULL ? Mat_VarReadInfo(mat, from->name) : NULL;
  gboolean good = variable != NULL && variable->rank >= 1 && variable->rank <= LAC_INPUT_MAX_RANK &&
                  !variable->isComplex && is_numeric(variable) &&
                  read_part(mat, variable, from, start, count, numbers);
  if (variable != NULL)
    Mat_VarFree(variable);
  if (mat != NULL)
    Mat_Close(mat);
  lac_h5_unlock();
  return good;
}
