/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MAT 5 and MAT 7.3 through matio; column-major order is undone. Includes a truncation check of MAT 5 files. */
#include "io/input/block.h"
#include "io/input/formats.h"
#include "io/input/h5-numbers.h"

#include <gio/gio.h>

#include <matio.h>
#include <string.h>

/* ---- completeness of MAT 5 files ---- */

/* matio reports success for data it could not read and leaves zeros or uninitialised memory. Therefore this code
 * walks the elements and compares their declared sizes with the file. Source: MathWorks, MAT-File Format, chapter
 * "Level 5 MAT-File Format" */

#define MAT_5      "MAT 5"
#define HEAD_BYTES 128 /* of the file header */
#define TAG_BYTES  8
#define MOST_HEAD \
  4096 /* bytes retained of an element: its tag, flags, dimensions, name and the tag of its data */
#define BLOCK 65536

enum { TYPE_INT32 = 5, TYPE_UINT32 = 6, TYPE_MATRIX = 14, TYPE_COMPRESSED = 15 };
enum { CLASS_DOUBLE = 6, CLASS_UINT64 = 15 }; /* first and last numeric class */

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

/* Reads the tag at *@at and moves *@at past the data, which may extend beyond @part. Up to four bytes of data are
 * stored in the tag itself. Returns: FALSE when the tag is not within @part. */
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

/* Returns the bytes per element of a data type; 0: not numeric. */
static gsize
get_size(guint32 type)
{
  static const guint8 sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};

  return type < G_N_ELEMENTS(sizes) ? sizes[type] : 0;
}

/* @head: start of a matrix, including its tag; @n_all: total bytes. Returns: FALSE when a numeric matrix has fewer
 * elements than its dimensions require. */
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
  if (matrix.n_bytes == 0) /* an empty matrix */
    return TRUE;
  if (!take_tag(head, &at, &flags) || flags.type != TYPE_UINT32 || flags.n_bytes < 8 ||
      at > head->n)
    return FALSE;
  class = get_word(head, flags.begin) & 0xff;
  if (class < CLASS_DOUBLE || class > CLASS_UINT64)
    return TRUE;
  if (!take_tag(head, &at, &dimensions) || dimensions.type != TYPE_INT32)
    return FALSE;
  if (dimensions.n_bytes / 4 > LAC_INPUT_MAX_RANK) /* not supported */
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

/* Decompresses all of @packed and retains the first bytes. Returns: FALSE when the stream is damaged. */
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

/* @element: a tag and all bytes that it declares. */
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
      return lac_input_set_truncated(error, path, MAT_5, file->n, at + TAG_BYTES);
    if (!take_tag(file, &at, &tag) || (tag.type != TYPE_MATRIX && tag.type != TYPE_COMPRESSED))
      return lac_input_set_damaged(error, path, MAT_5);
    const guint64 end = tag.begin + tag.n_bytes;
    if (end > file->n)
      return lac_input_set_truncated(error, path, MAT_5, file->n, end);
    const Part element = {file->bytes + begin, (gsize) (end - begin), file->is_swapped};
    if (extent == LAC_INPUT_WHOLE && !is_whole(&element, tag.type))
      return lac_input_set_damaged(error, path, MAT_5);
    if (tag.type == TYPE_COMPRESSED) /* not padded to a multiple of eight */
      at = (gsize) end;
  }
  return TRUE;
}

/* @extent: %LAC_INPUT_WHOLE decompresses every element and compares the data with the dimensions; %LAC_INPUT_HEADS
 * compares only the declared sizes with the file size. Returns: %FALSE with %LAC_ERROR_BAD_FILE: truncated or
 * damaged. */
static gboolean
check_five(const char *path, LacInputExtent extent, GError **error)
{
  g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, NULL);

  if (map == NULL)
    return lac_input_set_damaged(error, path, MAT_5);
  Part file = {(const guint8 *) g_mapped_file_get_contents(map), g_mapped_file_get_length(map),
               FALSE};
  if (file.n < HEAD_BYTES + TAG_BYTES)
    return lac_input_set_truncated(error, path, MAT_5, file.n, HEAD_BYTES + TAG_BYTES);
  /* the writer stores MI as a 16-bit integer in its byte order */
  const gboolean is_little = memcmp(file.bytes + HEAD_BYTES - 2, "IM", 2) == 0;
  if (!is_little && memcmp(file.bytes + HEAD_BYTES - 2, "MI", 2) != 0)
    return lac_input_set_damaged(error, path, MAT_5);
  file.is_swapped = is_little != (G_BYTE_ORDER == G_LITTLE_ENDIAN);
  return check_elements(&file, path, extent, error);
}

/* ---- reading by matio ---- */

static gboolean has_complained; /* protected by the HDF5 lock */

/* Returns element @i of a numeric variable as a double. */
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

/* Returns the offset in the column-major file of row-major element @k. */
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

/* Type of a log message: "char *" in matio 1.5.23, "const char *" in 1.5.28. */
typedef __typeof__(_Generic(Mat_LogInitFunc, int (*)(const char *, void (*)(int, char *))
                            : (char *) NULL, default
                            : (const char *) NULL)) LogMessage;

/* Records that matio logged an error: it returns success for many short reads. */
static void
on_message(int level, LogMessage message)
{
  has_complained = TRUE;
}

/* Reads the values of a MAT 5 variable in file order. */
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

/* Does the same for MAT 7.3, which is HDF5. */
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

/* Returns: FALSE when the file ends within the data. */
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

  if (is_five && !check_five(path, file->leaves ? LAC_INPUT_HEADS : LAC_INPUT_WHOLE, error))
    return FALSE;
  lac_h5_lock();
  gboolean whole = read_all(file, path);
  lac_h5_unlock();
  if (!whole && !is_five && lac_h5_is_truncated(path, file->format, error))
    return FALSE;
  return whole || lac_input_set_damaged(error, path, file->format);
}

/* Column-major: the file's slowest axis is MAT's last one. */
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
  memset(raw, 0xff, n * size); /* NaN in floating-point types */
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
  /* it may have been truncated since it was opened */
  mat_t *mat =
    check_five(from->path, LAC_INPUT_HEADS, NULL) ? Mat_Open(from->path, MAT_ACC_RDONLY) : NULL;
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
