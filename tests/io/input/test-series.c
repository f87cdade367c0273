/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series left in their files: blocks have the same values for every format, axis order and compression. */
#include "base/error.h"
#include "io/format/h5.h"
#include "io/helpers/archive.h"
#include "io/input/formats.h"
#include "io/input/input.h"

#include <glib/gstdio.h>

#include <math.h>
#include <matio.h>
#include <string.h>

enum { NT = 7, NZ = 2, NY = 5, NX = 6, N = NT * NY * NX };

static char *folder;

static char *
place(const char *name)
{
  return g_build_filename(folder, name, NULL);
}

/* Coordinates that identify their axis, and values that identify their position; all are exact in float. */
static double
coordinate(char axis, gsize i)
{
  return axis == 't' ? 100 * (double) i : axis == 'y' ? 10 * (double) i : (double) i;
}

static double
value(const double *at)
{
  return 0.5 + at[0] + at[1] + at[2];
}

/* Returns the series with axes in the order @order, slowest first: "tyx". */
static double *
make_numbers(const char *order, gsize *sizes)
{
  double *numbers = g_new(double, N);
  gsize   at[3];

  for (guint a = 0; a < 3; a++)
    sizes[a] = order[a] == 't' ? NT : order[a] == 'y' ? NY : NX;
  for (gsize i = 0; i < N; i++) {
    double sum = 0.5;

    at[2] = i % sizes[2];
    at[1] = i / sizes[2] % sizes[1];
    at[0] = i / sizes[2] / sizes[1];
    for (guint a = 0; a < 3; a++)
      sum += coordinate(order[a], at[a]);
    numbers[i] = sum;
  }
  return numbers;
}

static double *
make_axis(char axis, gsize n)
{
  double *values = g_new(double, n);

  for (gsize i = 0; i < n; i++)
    values[i] = coordinate(axis, i);
  return values;
}

static const LacAxis *
axis_called(const LacGridField *field, const char *name)
{
  for (guint i = 0; i < field->n_axes; i++)
    if (g_str_equal(field->axes[i].name, name))
      return &field->axes[i];
  g_error("there is no axis %s", name);
}

/* Asserts that every value of the block matches its coordinates. */
static void
assert_block(LacGridField *field, const gsize *start, const gsize *count)
{
  g_autoptr(GError)  error = NULL;
  g_autofree double *numbers = NULL;
  gsize              n = 1;

  for (guint i = 0; i < field->n_axes; i++)
    n *= count[i];
  numbers = g_new(double, n);
  lac_field_read(field, start, count, numbers, &error);
  g_assert_no_error(error);
  for (gsize k = 0; k < n; k++) {
    double at[3] = {0};
    gsize  left = k;

    for (guint i = field->n_axes; i-- > 0;) {
      const LacAxis *axis = &field->axes[i];
      const double   here = axis->values[start[i] + left % count[i]];

      left /= count[i];
      if (!g_str_equal(axis->name, "z"))
        at[axis->name[0] == 't' ? 0 : axis->name[0] == 'y' ? 1 : 2] = here;
    }
    g_assert_cmpfloat(numbers[k], ==, value(at)); /* small integers and halves: exact in float */
  }
}

static void
assert_is_series(const char *path)
{
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacGridField) field = lac_input_load(path, "series", &error);
  gsize                   start[LAC_FIELD_MAX_AXES] = {0}, count[LAC_FIELD_MAX_AXES];

  g_assert_no_error(error);
  g_assert_null(field->data);
  g_assert_cmpuint(axis_called(field, "t")->n, ==, NT);
  g_assert_cmpuint(axis_called(field, "y")->n, ==, NY);
  g_assert_cmpuint(axis_called(field, "x")->n, ==, NX);
  for (guint i = 0; i < field->n_axes; i++)
    count[i] = field->axes[i].n;
  assert_block(field, start, count);
  /* an inner block, with a single index along each axis in turn */
  for (guint single = 0; single <= field->n_axes; single++) {
    for (guint i = 0; i < field->n_axes; i++) {
      const gsize n = field->axes[i].n;

      start[i] = n > 2 ? 1 : n - 1;
      count[i] = i == single || n <= 2 ? 1 : n - 2;
    }
    assert_block(field, start, count);
  }
}

/* ---- formats ---- */

static void
write_npy(const char *name, const char *head, gconstpointer data, gsize n_bytes)
{
  g_autofree char      *path = place(name);
  g_autofree char      *dictionary = g_strdup_printf("%s\n", head);
  const guint16         length = (guint16) strlen(dictionary);
  g_autoptr(GByteArray) bytes = g_byte_array_new();

  g_byte_array_append(bytes, (const guint8 *) "\x93NUMPY\x01\x00", 8);
  g_byte_array_append(bytes, (const guint8 *) &length, 2);
  g_byte_array_append(bytes, (const guint8 *) dictionary, length);
  g_byte_array_append(bytes, data, (guint) n_bytes);
  g_assert_true(g_file_set_contents(path, (const char *) bytes->data, bytes->len, NULL));
}

static void
write_npy_axes(const char *stem)
{
  static const struct {
    char  name;
    gsize n;
  } axes[] = {{'t', NT}, {'y', NY}, {'x', NX}};

  for (guint a = 0; a < 3; a++) {
    g_autofree char *name = g_strdup_printf("%s-%c.npy", stem, axes[a].name);
    g_autofree char *head = g_strdup_printf(
      "{'descr': '<f8', 'fortran_order': False, 'shape': (%u,), }", (guint) axes[a].n);
    g_autofree double *values = make_axis(axes[a].name, axes[a].n);

    write_npy(name, head, values, axes[a].n * sizeof *values);
  }
}

static void
test_npy(void)
{
  static const char *const orders[] = {"tyx", "xyt", "yxt"};

  for (guint o = 0; o < G_N_ELEMENTS(orders); o++)
    for (guint fortran = 0; fortran < 2; fortran++) {
      gsize              sizes[3];
      g_autofree double *numbers = make_numbers(orders[o], sizes);
      g_autofree char   *stem = g_strdup_printf("%s-%u", orders[o], fortran);
      g_autofree char   *name = g_strconcat(stem, ".npy", NULL), *path = place(name);
      /* in Fortran order, axes are listed with the fastest first */
      g_autofree char *head =
        g_strdup_printf("{'descr': '<f8', 'fortran_order': %s, 'shape': (%u, %u, %u), }",
                        fortran ? "True" : "False", (guint) sizes[fortran ? 2 : 0],
                        (guint) sizes[1], (guint) sizes[fortran ? 0 : 2]);

      write_npy(name, head, numbers, N * sizeof *numbers);
      write_npy_axes(stem);
      assert_is_series(path);
    }
}

/* Single precision, big-endian. */
static void
test_npy_swapped(void)
{
  gsize              sizes[3];
  g_autofree double *numbers = make_numbers("tyx", sizes);
  g_autofree char   *path = place("swapped.npy");
  guint32            words[N];

  for (gsize i = 0; i < N; i++) {
    const float number = (float) numbers[i];

    memcpy(&words[i], &number, sizeof number);
    words[i] = GUINT32_TO_BE(words[i]);
  }
  write_npy("swapped.npy", "{'descr': '>f4', 'fortran_order': False, 'shape': (7, 5, 6), }", words,
            sizeof words);
  write_npy_axes("swapped");
  assert_is_series(path);
}

static void
put_axis(hid_t file, const char *name, char axis, gsize n)
{
  g_autofree double *values = make_axis(axis, n);

  g_assert_true(lac_h5_write_vector(file, name, H5T_NATIVE_DOUBLE, n, values));
}

/* In compressed chunks that divide neither axis, with an axis of length 1; and in NetCDF's packed form. */
static void
test_h5(void)
{
  for (guint packed = 0; packed < 2; packed++) {
    gsize              sizes[3];
    g_autofree double *numbers = make_numbers("tyx", sizes);
    g_autofree char   *path = place("series.h5");
    const hsize_t      extents[] = {NT, 1, NY, NX}, chunk[] = {3, 1, 2, 4};

    for (gsize i = 0; i < N && packed; i++)
      numbers[i] = (numbers[i] - 2) / 0.5;
    lac_h5_lock();
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_axis(file, "t", 't', NT);
    put_axis(file, "y", 'y', NY);
    put_axis(file, "x", 'x', NX);
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(4, extents, NULL);
    H5Pset_chunk(layout, 4, chunk);
    H5Pset_deflate(layout, 4);
    hid_t set = H5Dcreate2(file, "u", packed ? H5T_STD_I16BE : H5T_IEEE_F32LE, space, H5P_DEFAULT,
                           layout, H5P_DEFAULT);
    g_assert_cmpint(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), >=,
                    0);
    if (packed) {
      g_assert_true(lac_h5_put_real(set, "scale_factor", 0.5));
      g_assert_true(lac_h5_put_real(set, "add_offset", 2));
    }
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(layout);
    H5Fclose(file);
    lac_h5_unlock();
    assert_is_series(path);
  }
}

/* Times in an order different from their names; v is the second of three components. */
static void
write_cutout(const char *path, gsize nz)
{
  const hsize_t sizes[] = {nz, NY, NX, 3};

  lac_h5_lock();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_axis(file, "xcoor", 'x', NX);
  put_axis(file, "ycoor", 'y', NY);
  put_axis(file, "zcoor", 'z', nz);
  put_axis(file, "tcoor", 't', NT);
  for (gsize k = 0; k < NT; k++) {
    g_autofree char *name = g_strdup_printf("Velocity_%04u", (guint) (NT - k));
    float            data[NZ * NY * NX * 3];

    for (gsize i = 0; i < nz * NY * NX; i++) {
      const double at[] = {coordinate('t', NT - 1 - k), coordinate('y', i / NX % NY),
                           coordinate('x', i % NX)};

      for (guint c = 0; c < 3; c++)
        data[3 * i + c] = c == 1 ? (float) value(at) : -1;
    }
    hid_t set = lac_h5_write(file, name, H5T_NATIVE_FLOAT, 4, sizes, data);
    g_assert_cmpint(set, >=, 0);
    H5Dclose(set);
  }
  H5Fclose(file);
  lac_h5_unlock();
}

static void
test_cutout(void)
{
  g_autofree char *path = place("cutout.h5"), *name = g_strconcat(path, "#v", NULL);

  for (gsize nz = 1; nz <= NZ; nz++) {
    write_cutout(path, nz);
    assert_is_series(name);
  }
}

static void
put_mat(mat_t *mat, const char *name, int rank, size_t *sizes, double *data, int zip)
{
  matvar_t *variable = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, rank, sizes, data, 0);

  g_assert_nonnull(variable);
  g_assert_cmpint(Mat_VarWrite(mat, variable, zip ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE),
                  ==, 0);
  Mat_VarFree(variable);
}

/* MAT lists its axes with the fastest first. */
static void
test_mat(void)
{
  static const char *const orders[] = {"tyx", "txy", "xyt"};
  static const char        names[] = "tyx";
  const gsize              lengths[] = {NT, NY, NX};

  for (guint o = 0; o < G_N_ELEMENTS(orders); o++)
    for (guint way = 0; way < 3; way++) { /* MAT 5 plain and compressed, MAT 7.3 */
      gsize              sizes[3];
      g_autofree double *numbers = make_numbers(orders[o], sizes);
      g_autofree char   *path = place("series.mat");
      size_t             reversed[] = {sizes[2], sizes[1], sizes[0]};

      lac_h5_lock();
      mat_t *mat = Mat_CreateVer(path, NULL, way == 2 ? MAT_FT_MAT73 : MAT_FT_MAT5);
      g_assert_nonnull(mat);
      for (guint a = 0; a < 3; a++) {
        const char         name[] = {names[a], '\0'};
        g_autofree double *values = make_axis(names[a], lengths[a]);
        size_t             vector[] = {lengths[a], 1};

        put_mat(mat, name, 2, vector, values, way == 1);
      }
      put_mat(mat, "u", 3, reversed, numbers, way == 1);
      Mat_Close(mat);
      lac_h5_unlock();
      assert_is_series(path);
    }
}

/* The file is missing or replaced when a block is requested. */
static void
test_changed(void)
{
  g_autofree char        *path = place("changed.h5"), *name = g_strconcat(path, "#v", NULL);
  g_autoptr(LacGridField) field = NULL;
  g_autoptr(GError)       error = NULL;
  gsize                   start[LAC_FIELD_MAX_AXES] = {0}, count[LAC_FIELD_MAX_AXES] = {NT, NY, NX};
  double                  numbers[N];

  write_cutout(path, 1);
  field = lac_input_load(name, "series", &error);
  g_assert_no_error(error);
  g_assert_true(g_file_set_contents(path, "\x89HDF\r\n\x1a\n and no more", -1, NULL));
  g_assert_false(lac_field_read(field, start, count, numbers, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "has changed since"));
  g_clear_error(&error);
  g_remove(path);
  g_assert_false(lac_field_read(field, start, count, numbers, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

/* NPZ does not allow partial reads: it is held in memory, and its blocks are the same. */
static void
test_npz(void)
{
  gsize              sizes[3];
  g_autofree double *numbers = make_numbers("tyx", sizes), *t = make_axis('t', NT),
                    *y = make_axis('y', NY), *x = make_axis('x', NX);
  g_autofree char      *path = place("series.npz");
  g_autoptr(GByteArray) t_bytes = npy_bytes("(7,)", t, NT), y_bytes = npy_bytes("(5,)", y, NY);
  g_autoptr(GByteArray) x_bytes = npy_bytes("(6,)", x, NX);
  g_autoptr(GByteArray) u_bytes = npy_bytes("(7, 5, 6)", numbers, N);
  const ArchiveMember   members[] = {
      {"t.npy", t_bytes}, {"y.npy", y_bytes}, {"x.npy", x_bytes}, {"u.npy", u_bytes}};
  const gsize             start[] = {1, 2, 3}, count[] = {4, 2, 1};
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacGridField) field = NULL;

  archive_write(path, members, G_N_ELEMENTS(members), TRUE);
  field = lac_input_load(path, "series", &error);
  g_assert_no_error(error);
  g_assert_nonnull(field->data);
  assert_block(field, start, count);
}

/* More values than one message holds. */
static void
test_long(void)
{
  enum { N_T = 5, N_Y = 1200, N_X = 1000 };
  g_autofree char        *path = place("long.h5");
  g_autofree guint8      *bytes = g_new(guint8, N_T * N_Y * N_X);
  g_autofree double      *numbers = g_new(double, (N_T - 1) * N_Y * N_X);
  const hsize_t           sizes[] = {N_T, N_Y, N_X};
  const gsize             start[] = {1, 0, 0}, count[] = {N_T - 1, N_Y, N_X};
  g_autoptr(LacGridField) field = NULL;
  g_autoptr(GError)       error = NULL;
  guint                   n_wrong = 0;

  for (gsize i = 0; i < N_T * N_Y * N_X; i++)
    bytes[i] = (guint8) (i % 251); /* a prime: no axis is a multiple of it */
  lac_h5_lock();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_axis(file, "t", 't', N_T);
  put_axis(file, "y", 'y', N_Y);
  put_axis(file, "x", 'x', N_X);
  H5Dclose(lac_h5_write(file, "u", H5T_NATIVE_UINT8, 3, sizes, bytes));
  H5Fclose(file);
  lac_h5_unlock();
  field = lac_input_load(path, "series", &error);
  g_assert_no_error(error);
  lac_field_read(field, start, count, numbers, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < (N_T - 1) * N_Y * N_X; i++)
    n_wrong += numbers[i] != (double) bytes[N_Y * N_X + i];
  g_assert_cmpuint(n_wrong, ==, 0);
}

static void
clean_up(void)
{
  g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
  const char     *entry;

  while ((entry = g_dir_read_name(directory)) != NULL) {
    g_autofree char *path = place(entry);
    g_remove(path);
  }
  g_rmdir(folder);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = g_dir_make_tmp("lacuna-series-XXXXXX", NULL);
  g_test_add_func("/io/series/npy/any-order-of-axes", test_npy);
  g_test_add_func("/io/series/npy/other-byte-order", test_npy_swapped);
  g_test_add_func("/io/series/h5/packed-chunks-and-packed-numbers", test_h5);
  g_test_add_func("/io/series/h5/more-than-travels-at-once", test_long);
  g_test_add_func("/io/series/cutout/one-component", test_cutout);
  g_test_add_func("/io/series/mat/5-packed-7.3-any-order", test_mat);
  g_test_add_func("/io/series/a-file-that-changed-is-refused", test_changed);
  g_test_add_func("/io/series/npz/is-held", test_npz);
  const int result = g_test_run();
  clean_up();
  g_free(folder);
  return result;
}
