/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exposures in HDF5. */
#include "io/input/exposures-h5.h"

#include "base/error.h"
#include "io/format/whole-file.h"
#include "io/format/write-error.h"
#include "io/input/h5-numbers.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define MOST_VALUES ((gsize) 1 << 28)
#define SOURCE      "source"
#define PLANS       "plans"

static const char *const numbers[] = {"diameter", "inner", "spider", "grid",
                                      "support",  "along", "snr",    "read_noise"};
static const char *const texts[] = {"unit", "shape"};

const LacEntry *
lac_exposures_find(const LacStore *store, const char *name)
{
  for (gsize i = 0; i < lac_store_get_n_entries(store); i++)
    if (g_str_equal(lac_store_get_entry(store, i)->name, name))
      return lac_store_get_entry(store, i);
  return NULL;
}

static gboolean refuse(GError **error, const char *path, const char *format, ...)
  G_GNUC_PRINTF(3, 4);

static gboolean
refuse(GError **error, const char *path, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  g_autofree char *what = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s: %s", path, what);
  return FALSE;
}

/* A numeric data set of the root group. */
typedef struct {
  double *data; /* NULL: missing */
  gsize   n;
  int     rank;
  hsize_t sizes[3];
} Numbers;

/* Returns: FALSE when the set exists but is not numeric with one to three axes. */
static gboolean
read_numbers(hid_t file, const char *path, const char *name, Numbers *found, GError **error)
{
  *found = (Numbers){0};
  if (H5Lexists(file, name, H5P_DEFAULT) <= 0)
    return TRUE;
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0)
    return refuse(error, path, "%s is no data set", name);
  hid_t    type = H5Dget_type(set), space = H5Dget_space(set);
  hsize_t  sizes[H5S_MAX_RANK] = {0};
  gboolean is_number = H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER;
  hssize_t n = H5Sget_simple_extent_npoints(space);
  found->rank = H5Sget_simple_extent_ndims(space);
  if (found->rank >= 0 && found->rank <= 3)
    H5Sget_simple_extent_dims(space, sizes, NULL);
  H5Sclose(space);
  H5Tclose(type);
  if (is_number && found->rank >= 0 && found->rank <= 3 && n > 0 && (gsize) n <= MOST_VALUES) {
    memcpy(found->sizes, sizes, sizeof found->sizes);
    found->n = (gsize) n;
    found->data = g_try_new(double, found->n);
  }
  if (found->data != NULL && !lac_h5_read_numbers(set, NULL, NULL, found->data))
    g_clear_pointer(&found->data, g_free);
  H5Dclose(set);
  if (found->data == NULL)
    return refuse(error, path, "%s cannot be read; it takes 1 to %" G_GSIZE_FORMAT " numbers", name,
                  MOST_VALUES);
  return TRUE;
}

static gboolean
read_stack(hid_t file, const char *path, LacStore *store, GError **error)
{
  Numbers stack;

  if (!read_numbers(file, path, "stack", &stack, error))
    return FALSE;
  gboolean fits = stack.data != NULL && stack.rank == 3 && stack.sizes[1] == stack.sizes[2];
  if (fits)
    memcpy(lac_store_put(store, "stack", stack.sizes[0], stack.sizes[1] * stack.sizes[2],
                         sizeof(double)),
           stack.data, stack.n * sizeof(double));
  g_free(stack.data);
  return fits || refuse(error, path,
                        "a data set \"stack\" of square images, [n][d][d], is needed: one image "
                        "an aperture");
}

static gboolean
read_centres(hid_t file, const char *path, LacStore *store, gsize n, GError **error)
{
  Numbers  centres;
  gboolean is_finite = TRUE;

  if (!read_numbers(file, path, "centres", &centres, error))
    return FALSE;
  gboolean fits = centres.data != NULL && centres.rank == 2 && centres.sizes[0] == n &&
                  (centres.sizes[1] == 2 || centres.sizes[1] == 4);
  for (gsize i = 0; fits && i < centres.n; i++)
    is_finite = is_finite && isfinite(centres.data[i]);
  if (fits)
    memcpy(lac_store_put(store, "centres", n, centres.sizes[1], sizeof(double)), centres.data,
           centres.n * sizeof(double));
  g_free(centres.data);
  if (fits && !is_finite)
    return refuse(error, path, "centres must not contain NaN or infinite values");
  return fits || refuse(error, path,
                        "a data set \"centres\", [%" G_GSIZE_FORMAT
                        "][2] with y, x of each aperture (or [][4] with both ends of a line), is "
                        "needed",
                        n);
}

/* Expands values per image, common to all images, or a single number. */
static gboolean
spread(const Numbers *from, gsize n, gsize cells, double *to)
{
  if (from->n != 1 && from->n != cells && from->n != n * cells)
    return FALSE;
  if (from->rank == 3 && from->sizes[0] != n)
    return FALSE;
  for (gsize i = 0; i < n * cells; i++)
    to[i] = from->data[from->n == 1 ? 0 : from->n == cells ? i % cells : i];
  return TRUE;
}

static gboolean
read_sigma(hid_t file, const char *path, LacStore *store, gsize n, gsize cells, GError **error)
{
  Numbers  sigma;
  gboolean fits = TRUE;

  if (!read_numbers(file, path, "sigma", &sigma, error))
    return FALSE;
  if (sigma.data == NULL)
    return TRUE;
  double *to = lac_store_put(store, "sigma", n, cells, sizeof(double));
  fits = spread(&sigma, n, cells, to);
  for (gsize i = 0; fits && i < n * cells; i++)
    fits = isfinite(to[i]) && to[i] >= 0;
  g_free(sigma.data);
  return fits || refuse(error, path,
                        "sigma takes one number, an image or a stack of the stack's size, none "
                        "below 0");
}

/* Reads the mask; when neither mask nor stack marks an invalid pixel, there is no entry. */
static gboolean
read_mask(hid_t file, const char *path, LacStore *store, gsize n, gsize cells, GError **error)
{
  Numbers            mask;
  const LacEntry    *stack = lac_exposures_find(store, "stack");
  double            *images = stack->data;
  g_autofree double *to = g_new(double, n *cells);
  gboolean           all = TRUE, fits = TRUE;

  if (!read_numbers(file, path, "mask", &mask, error))
    return FALSE;
  for (gsize i = 0; i < n * cells; i++)
    to[i] = 1;
  if (mask.data != NULL)
    fits = spread(&mask, n, cells, to);
  g_free(mask.data);
  if (!fits)
    return refuse(error, path, "mask takes an image or a stack of the stack's size");
  for (gsize i = 0; i < n * cells; i++) {
    if (!isfinite(images[i])) {
      images[i] = 0;
      to[i] = 0;
    }
    all = all && to[i] != 0;
  }
  if (all)
    return TRUE;
  guint8 *bytes = lac_store_put(store, "mask", n, cells, 1);
  for (gsize i = 0; i < n * cells; i++)
    bytes[i] = to[i] != 0;
  return TRUE;
}

static void
read_attributes(hid_t file, LacStore *store)
{
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
    double value = lac_h5_get_real(file, numbers[i], NAN);
    if (isfinite(value))
      *(double *) lac_store_put(store, numbers[i], 1, 1, sizeof value) = value;
  }
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autofree char *text = lac_h5_dup_text(file, texts[i]);
    if (text[0] != '\0')
      lac_store_put_bytes(store, texts[i], text, strlen(text) + 1);
  }
}

static void
read_plans(hid_t file, LacStore *store)
{
  gsize            n;
  g_autofree char *plans = lac_h5_dup_vector(file, PLANS, H5T_NATIVE_UINT8, 1, &n);

  if (plans != NULL && n > 0 && plans[n - 1] == '\0')
    lac_store_put_bytes(store, PLANS, plans, n);
}

static gboolean
read_all(hid_t file, const char *path, LacStore *store, GError **error)
{
  if (!read_stack(file, path, store, error))
    return FALSE;
  const LacEntry *stack = lac_exposures_find(store, "stack");
  gsize           n = stack->n_rows, cells = stack->n_columns;
  if (!read_centres(file, path, store, n, error) ||
      !read_sigma(file, path, store, n, cells, error) ||
      !read_mask(file, path, store, n, cells, error))
    return FALSE;
  read_attributes(file, store);
  read_plans(file, store);
  return TRUE;
}

LacStore *
lac_exposures_h5_read(const char *path, GError **error)
{
  g_autoptr(LacStore) store = lac_store_new();
  gboolean            done;

  lac_h5_lock();
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    done = !lac_h5_is_truncated(path, "HDF5", error) &&
           refuse(error, path, "it is not a readable HDF5 file, the format of exposures");
  else
    done = read_all(file, path, store, error);
  if (file >= 0)
    H5Fclose(file);
  lac_h5_unlock();
  if (!done)
    return NULL;
  g_autofree char *source = lac_file_dup_source(path);
  lac_store_put_bytes(store, SOURCE, source, strlen(source) + 1);
  return g_steal_pointer(&store);
}

gboolean
lac_exposures_h5_is_one(const char *path)
{
  gboolean is_one = FALSE;

  lac_h5_lock();
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file >= 0) {
    is_one =
      H5Lexists(file, "stack", H5P_DEFAULT) > 0 && H5Lexists(file, "centres", H5P_DEFAULT) > 0;
    H5Fclose(file);
  }
  lac_h5_unlock();
  return is_one;
}

char *
lac_exposures_h5_dup_source(const LacStore *store)
{
  const LacEntry *source = lac_exposures_find(store, SOURCE);

  return g_strdup(source != NULL ? source->data : "");
}

static gboolean
write_images(hid_t file, const LacStore *store, const char *name, hid_t type)
{
  const LacEntry *entry = lac_exposures_find(store, name);

  if (entry == NULL)
    return TRUE;
  hsize_t side = (hsize_t) lround(sqrt((double) entry->n_columns));
  hsize_t sizes[3] = {entry->n_rows, side, side};
  hid_t   set = lac_h5_write(file, name, type, 3, sizes, entry->data);
  return set >= 0 && H5Dclose(set) >= 0;
}

static gboolean
write_all(hid_t file, const LacStore *store)
{
  const LacEntry *centres = lac_exposures_find(store, "centres");
  hsize_t         sizes[2] = {centres->n_rows, centres->n_columns};
  hid_t           set = lac_h5_write(file, "centres", H5T_NATIVE_DOUBLE, 2, sizes, centres->data);
  gboolean        done = set >= 0 && H5Dclose(set) >= 0;

  done = done && write_images(file, store, "stack", H5T_NATIVE_DOUBLE) &&
         write_images(file, store, "sigma", H5T_NATIVE_DOUBLE) &&
         write_images(file, store, "mask", H5T_NATIVE_UINT8);
  const LacEntry *plans = lac_exposures_find(store, PLANS);
  done = done && (plans == NULL || lac_h5_write_vector(file, PLANS, H5T_NATIVE_UINT8,
                                                       plans->n_columns, plans->data));
  for (gsize i = 0; done && i < G_N_ELEMENTS(numbers); i++) {
    const LacEntry *entry = lac_exposures_find(store, numbers[i]);
    done = entry == NULL || lac_h5_put_real(file, numbers[i], *(const double *) entry->data);
  }
  for (gsize i = 0; done && i < G_N_ELEMENTS(texts); i++) {
    const LacEntry *entry = lac_exposures_find(store, texts[i]);
    done = entry == NULL || lac_h5_put_text(file, texts[i], entry->data);
  }
  return done;
}

gboolean
lac_exposures_h5_write(const LacStore *store, const char *path, GError **error)
{
  g_return_val_if_fail(lac_exposures_find(store, "stack") != NULL, FALSE);
  g_return_val_if_fail(lac_exposures_find(store, "centres") != NULL, FALSE);
  const LacEntry *stack = lac_exposures_find(store, "stack");

  lac_h5_lock();
  errno = 0;
  hid_t    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  gboolean done = file >= 0 && write_all(file, store);
  if (file >= 0)
    done &= H5Fclose(file) >= 0;
  int code = errno;
  lac_h5_unlock();
  return done ||
         lac_write_error(error, code, path, stack->n_rows * stack->n_columns * stack->element_size);
}
