/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data sets of the root group of a plain HDF5 file, row-major as they lie. */
#include "io/h5.h"
#include "io/input-array.h"

#include <string.h>

typedef struct {
  LacInputFile *file;
  gboolean      whole;
} Visit;

static char *
dup_unit(hid_t set)
{
  static const char *const keys[] = {"unit", "units"};

  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
    char *unit = lac_h5_dup_text(set, keys[i]);
    if (unit[0] != '\0')
      return unit;
    g_free(unit);
  }
  return g_strdup("1");
}

static gboolean
read_set(LacInputFile *file, hid_t set, const char *name)
{
  hid_t   space = H5Dget_space(set);
  hid_t   type = H5Dget_type(set);
  hsize_t extents[H5S_MAX_RANK] = {0};
  gsize   sizes[LAC_INPUT_MAX_RANK] = {0};
  int     rank = H5Sget_simple_extent_ndims(space);

  H5Sget_simple_extent_dims(space, extents, NULL);
  H5T_class_t class = H5Tget_class(type);
  H5Tclose(type);
  H5Sclose(space);
  if (rank < 0)
    return FALSE;
  guint kept = MIN((guint) rank, LAC_INPUT_MAX_RANK);
  for (guint i = 0; i < kept; i++)
    sizes[i] = (gsize) extents[i];
  LacInputArray *array = lac_input_file_add(file, name, kept, sizes);
  g_free(array->unit);
  array->unit = dup_unit(set);
  gsize n = lac_input_array_get_length(array);
  if ((class != H5T_FLOAT && class != H5T_INTEGER) || rank > LAC_INPUT_MAX_RANK || n == 0) {
    array->odd = g_strdup(n == 0 ? "nothing" : "no numbers");
    return TRUE;
  }
  array->data = n < G_MAXSIZE / 16 ? g_try_new(double, n) : NULL;
  return array->data != NULL &&
         H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->data) >= 0;
}

static herr_t
visit_member(hid_t group, const char *name, const H5L_info_t *info, gpointer user_data)
{
  Visit     *visit = user_data;
  H5O_info_t about;

  if (H5Oget_info_by_name(group, name, &about, H5P_DEFAULT) < 0) {
    visit->whole = FALSE;
    return -1;
  }
  if (about.type != H5O_TYPE_DATASET)
    return 0;
  hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
  visit->whole = set >= 0 && read_set(visit->file, set, name);
  if (set >= 0)
    H5Dclose(set);
  return visit->whole ? 0 : -1;
}

gboolean
lac_input_read_h5(LacInputFile *file, const char *path, GError **error)
{
  Visit visit = {file, FALSE};

  lac_h5_lock();
  hid_t h5 = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (h5 >= 0) {
    visit.whole = TRUE;
    if (H5Literate(h5, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_member, &visit) < 0)
      visit.whole = FALSE;
    H5Fclose(h5);
  }
  lac_h5_unlock();
  return visit.whole || lac_input_set_damaged(error, path, file->format);
}
