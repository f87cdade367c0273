/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MAT 5 and MAT 7.3 through matio; its column-major order is undone. */
#include "io/h5.h"
#include "io/input-block.h"

#include <matio.h>
#include <string.h>

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

/* Returns: FALSE when the file ends before the data does. */
static gboolean
read_variable(LacInputFile *file, mat_t *mat, matvar_t *variable)
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
  if (Mat_VarReadDataAll(mat, variable) != 0 || variable->data == NULL ||
      variable->data_size <= 0 || variable->nbytes / (gsize) variable->data_size < n ||
      (gsize) variable->data_size != Mat_SizeOfClass(variable->class_type))
    return FALSE;
  array->data = g_try_new(double, n);
  if (array->data == NULL)
    return FALSE;
  for (gsize k = 0; k < n; k++)
    get_number(variable, column_major_place(array, k), &array->data[k]);
  return TRUE;
}

static gboolean
read_all(LacInputFile *file, const char *path)
{
  mat_t    *mat = Mat_Open(path, MAT_ACC_RDONLY);
  matvar_t *variable;
  gboolean  whole = mat != NULL;

  while (whole && (variable = Mat_VarReadNextInfo(mat)) != NULL) {
    whole = read_variable(file, mat, variable);
    Mat_VarFree(variable);
  }
  if (mat != NULL)
    Mat_Close(mat);
  return whole;
}

gboolean
lac_input_read_mat(LacInputFile *file, const char *path, GError **error)
{
  lac_h5_lock();
  gboolean whole = read_all(file, path);
  lac_h5_unlock();
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
  g_autofree guint8 *raw = g_try_malloc0_n(n, Mat_SizeOfClass(variable->class_type));
  matvar_t           part = {.class_type = variable->class_type, .data = raw};
  if (raw == NULL || Mat_VarReadData(mat, variable, raw, first, stride, edge) != 0)
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
  mat_t    *mat = Mat_Open(from->path, MAT_ACC_RDONLY);
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
