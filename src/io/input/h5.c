/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data sets of the root group of an HDF5 or NetCDF-4 file, row-major as stored. Source: HDF5 Dimension Scale
 * Specification; NetCDF Users' Guide, attribute conventions */
#include "io/input/block.h"
#include "io/input/h5-numbers.h"

#include <math.h>
#include <string.h>

typedef struct {
  LacInputFile *file;
  gboolean      whole;
} Position;

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

/* Returns TRUE for NetCDF's placeholder of a dimension without coordinates; it has no values. */
static gboolean
is_bare_dimension(hid_t set)
{
  g_autofree char *name = lac_h5_dup_text(set, "NAME");

  return g_str_has_prefix(name, "This is a netCDF dimension but not a netCDF variable");
}

/* Returns the name of the first scale of an axis; "" when there is none. */
static char *
dup_scale_name(hid_t set, const hvl_t *list)
{
  char  name[256] = "";
  hid_t scale = H5I_INVALID_HID;

  if (list->len > 0)
    scale = H5Rdereference2(set, H5P_DEFAULT, H5R_OBJECT, list->p);
  if (scale >= 0) {
    if (H5Iget_name(scale, name, sizeof name) < 0)
      name[0] = '\0';
    H5Oclose(scale);
  }
  const char *slash = strrchr(name, '/');
  return g_strdup(slash != NULL ? slash + 1 : name);
}

/* Reads the scales attached to the axes, as NetCDF-4 and xarray write them. */
static void
read_scales(LacInputArray *array, hid_t set, const gsize *sizes, guint rank)
{
  hvl_t lists[LAC_INPUT_MAX_RANK];

  if (H5Aexists(set, "DIMENSION_LIST") <= 0)
    return;
  hid_t    attribute = H5Aopen(set, "DIMENSION_LIST", H5P_DEFAULT);
  hid_t    space = H5Aget_space(attribute);
  hid_t    references = H5Tvlen_create(H5T_STD_REF_OBJ);
  gboolean fits = H5Sget_simple_extent_npoints(space) == (hssize_t) rank;
  if (fits && H5Aread(attribute, references, lists) >= 0) {
    char **names = g_new0(char *, rank + 1);
    for (guint i = 0; i < rank; i++)
      names[i] = dup_scale_name(set, &lists[i]);
    lac_input_array_take_axes(array, names, sizes, rank);
    H5Dvlen_reclaim(references, space, H5P_DEFAULT, lists);
  }
  H5Tclose(references);
  H5Sclose(space);
  H5Aclose(attribute);
}

/* Applies NetCDF conventions: fill values become NaN, packed values become value * scale + offset. */
static void
unpack_numbers(double *numbers, gsize n, hid_t set)
{
  const double missing = lac_h5_get_real(set, "_FillValue", NAN);
  const double other = lac_h5_get_real(set, "missing_value", missing);
  const double scale = lac_h5_get_real(set, "scale_factor", 1);
  const double offset = lac_h5_get_real(set, "add_offset", 0);

  for (gsize i = 0; i < n; i++) {
    double *value = &numbers[i];
    if (*value == missing || *value == other)
      *value = NAN;
    else if (scale != 1 || offset != 0)
      *value = *value * scale + offset;
  }
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
  if ((class != H5T_FLOAT && class != H5T_INTEGER) || rank > LAC_INPUT_MAX_RANK || n == 0 ||
      is_bare_dimension(set)) {
    array->odd = g_strdup(n == 0 || is_bare_dimension(set) ? "nothing" : "no numbers");
    return TRUE;
  }
  if (lac_input_file_leave(file, array, FALSE)) {
    read_scales(array, set, sizes, kept);
    return TRUE;
  }
  array->data = n < G_MAXSIZE / 16 ? g_try_new(double, n) : NULL;
  if (array->data == NULL || !lac_h5_read_numbers(set, NULL, NULL, array->data))
    return FALSE;
  read_scales(array, set, sizes, kept);
  unpack_numbers(array->data, n, set);
  return TRUE;
}

/* Reads one component of each point. HDF5 gathers a component value by value, which takes several times as long as
 * reading all of them. @offset, @length: [rank], with all components; @n: points */
static gboolean
read_component(hid_t                set,
               const LacInputBlock *from,
               const hsize_t       *offset,
               const hsize_t       *length,
               gsize                n,
               double              *numbers)
{
  const guint        n_components = from->n_components;
  g_autofree double *all = g_try_new(double, n *n_components);

  if (all == NULL || !lac_h5_read_numbers(set, offset, length, all))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    numbers[i] = all[i * n_components + from->component];
  return TRUE;
}

/* Returns: FALSE when the size of the data set has changed. */
static gboolean
read_part(hid_t                set,
          const LacInputBlock *from,
          const gsize         *start,
          const gsize         *count,
          guint                rank,
          double              *numbers)
{
  hid_t   space = H5Dget_space(set);
  hsize_t extents[H5S_MAX_RANK] = {0}, offset[LAC_INPUT_MAX_RANK], length[LAC_INPUT_MAX_RANK],
          n = 1;
  gsize    sizes[LAC_INPUT_MAX_RANK] = {0}, all[2][LAC_INPUT_MAX_RANK];
  int      n_all = H5Sget_simple_extent_ndims(space);
  gboolean good = n_all > 0 && n_all <= LAC_INPUT_MAX_RANK;

  H5Sget_simple_extent_dims(space, extents, NULL);
  for (int i = 0; good && i < n_all; i++)
    sizes[i] = (gsize) extents[i];
  const guint n_axes = good ? (guint) n_all - (from->n_components > 1) : 0;
  good = good && lac_input_block_spread(start, count, rank, sizes, n_axes, all);
  if (good && from->n_components > 1) {
    good = sizes[n_axes] == from->n_components;
    all[0][n_axes] = 0;
    all[1][n_axes] = from->n_components;
  }
  for (int i = 0; good && i < n_all; i++) {
    offset[i] = all[0][i];
    length[i] = all[1][i];
    n *= length[i];
  }
  H5Sclose(space);
  if (from->n_components > 1) {
    n /= from->n_components;
    good = good && read_component(set, from, offset, length, (gsize) n, numbers);
  } else {
    good = good && lac_h5_read_numbers(set, offset, length, numbers);
  }
  if (good)
    unpack_numbers(numbers, (gsize) n, set);
  return good;
}

gboolean
lac_input_block_read_h5(const LacInputBlock *from,
                        const gsize         *start,
                        const gsize         *count,
                        double              *numbers)
{
  char *const  name[] = {from->name, NULL};
  char *const *sets = from->sets != NULL ? from->sets : name;
  /* a cut-out has one data set per time; one with a single time has no time axis */
  const guint n_times = from->sets != NULL && from->sets[1] != NULL ? 1 : 0;
  const gsize first = n_times != 0 ? start[0] : 0, n_sets = n_times != 0 ? count[0] : 1;
  gsize       n = 1;
  gboolean    good = TRUE;

  for (guint i = n_times; i < from->rank; i++)
    n *= count[i];
  lac_h5_lock();
  hid_t h5 = H5Fopen(from->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  for (gsize k = 0; k < n_sets && h5 >= 0 && good; k++) {
    hid_t set = H5Dopen2(h5, sets[first + k], H5P_DEFAULT);

    good = set >= 0 && read_part(set, from, start + n_times, count + n_times, from->rank - n_times,
                                 numbers + k * n);
    if (set >= 0)
      H5Dclose(set);
  }
  if (h5 >= 0)
    H5Fclose(h5);
  lac_h5_unlock();
  return h5 >= 0 && good;
}

static herr_t
position_member(hid_t group, const char *name, const H5L_info_t *info, gpointer user_data)
{
  Position  *position = user_data;
  H5O_info_t about;

  if (H5Oget_info_by_name(group, name, &about, H5P_DEFAULT) < 0) {
    position->whole = FALSE;
    return -1;
  }
  if (about.type != H5O_TYPE_DATASET)
    return 0;
  hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
  position->whole = set >= 0 && read_set(position->file, set, name);
  if (set >= 0)
    H5Dclose(set);
  return position->whole ? 0 : -1;
}

gboolean
lac_input_read_h5(LacInputFile *file, const char *path, GError **error)
{
  Position position = {file, FALSE};

  lac_h5_lock();
  hid_t h5 = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (h5 >= 0) {
    position.whole = TRUE;
    if (H5Literate(h5, H5_INDEX_NAME, H5_ITER_INC, NULL, position_member, &position) < 0)
      position.whole = FALSE;
    if (H5Aexists(h5, "_NCProperties") > 0)
      file->format = "NetCDF-4";
    H5Fclose(h5);
  }
  lac_h5_unlock();
  if (h5 < 0 && lac_h5_is_truncated(path, file->format, error))
    return FALSE;
  return position.whole || lac_input_set_damaged(error, path, file->format);
}
