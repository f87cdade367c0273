/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields from MAT 5, MAT 7.3, HDF5 and NPY: the same values from each, and one message for every error. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/format/h5.h"
#include "io/input/input.h"

#include <math.h>
#include <matio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NX 24
#define NT 10

static char *folder;

static double
coordinate(gsize i, gsize n)
{
  return -1 + 2.0 * (double) i / (double) (n - 1);
}

/* A travelling wave, whose value identifies the point. */
static double
wave(gsize i, gsize j)
{
  return sin(3 * coordinate(i, NX) - 2 * coordinate(j, NT)) + 0.1 * coordinate(i, NX);
}

static char *
place(const char *name)
{
  return g_build_filename(folder, name, NULL);
}

static void
put_mat(mat_t *mat, const char *name, gsize n_rows, gsize n_columns, double *data, int zip)
{
  size_t    sizes[2] = {n_rows, n_columns};
  matvar_t *variable = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes, data, 0);

  g_assert_nonnull(variable);
  g_assert_cmpint(Mat_VarWrite(mat, variable, zip ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE),
                  ==, 0);
  Mat_VarFree(variable);
}

/* x [NX x 1], t [NT x 1], usol [NX x NT] column-major, like the published file. */
static void
write_mat(const char *path, enum mat_ft version, int zip)
{
  double x[NX], t[NT], u[NX * NT];

  for (gsize i = 0; i < NX; i++)
    x[i] = coordinate(i, NX);
  for (gsize j = 0; j < NT; j++)
    t[j] = coordinate(j, NT);
  for (gsize i = 0; i < NX; i++) {
    for (gsize j = 0; j < NT; j++)
      u[j * NX + i] = wave(i, j);
  }
  lac_h5_lock();
  mat_t *mat = Mat_CreateVer(path, NULL, version);
  g_assert_nonnull(mat);
  put_mat(mat, "x", NX, 1, x, zip);
  put_mat(mat, "t", NT, 1, t, zip);
  put_mat(mat, "usol", NX, NT, u, zip);
  Mat_Close(mat);
  lac_h5_unlock();
}

static void
write_h5(const char *path)
{
  double  x[NX], t[NT];
  float   u[NX * NT];
  hsize_t sizes[2] = {NX, NT};

  for (gsize i = 0; i < NX; i++)
    x[i] = coordinate(i, NX);
  for (gsize j = 0; j < NT; j++)
    t[j] = coordinate(j, NT);
  for (gsize i = 0; i < NX; i++) {
    for (gsize j = 0; j < NT; j++)
      u[i * NT + j] = (float) wave(i, j);
  }
  lac_h5_lock();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_true(lac_h5_write_vector(file, "x", H5T_NATIVE_DOUBLE, NX, x));
  g_assert_true(lac_h5_write_vector(file, "t", H5T_NATIVE_DOUBLE, NT, t));
  hid_t set = lac_h5_write(file, "usol", H5T_NATIVE_FLOAT, 2, sizes, u);
  g_assert_true(lac_h5_put_text(set, "unit", "m/s"));
  H5Dclose(set);
  H5Fclose(file);
  lac_h5_unlock();
}

static void
write_npy(const char *name, const char *shape, const double *data, gsize n)
{
  g_autofree char *path = place(name);
  g_autofree char *dictionary =
    g_strdup_printf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }\n", shape);
  guint16               length = (guint16) strlen(dictionary);
  g_autoptr(GByteArray) bytes = g_byte_array_new();

  g_byte_array_append(bytes, (const guint8 *) "\x93NUMPY\x01\x00", 8);
  g_byte_array_append(bytes, (const guint8 *) &length, 2);
  g_byte_array_append(bytes, (const guint8 *) dictionary, length);
  g_byte_array_append(bytes, (const guint8 *) data, (guint) (n * sizeof *data));
  g_assert_true(g_file_set_contents(path, (const char *) bytes->data, bytes->len, NULL));
}

static void
assert_is_wave(const char *path, double tolerance)
{
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacGridField) field = lac_input_load(path, "field", &error);

  g_assert_no_error(error);
  g_assert_cmpuint(field->n_axes, ==, 2);
  g_assert_cmpstr(field->axes[0].name, ==, "x");
  g_assert_cmpstr(field->axes[1].name, ==, "t");
  g_assert_cmpuint(field->axes[0].n, ==, NX);
  g_assert_cmpuint(field->axes[1].n, ==, NT);
  for (gsize i = 0; i < NX; i++) {
    g_assert_cmpfloat(field->axes[0].values[i], ==, coordinate(i, NX));
    for (gsize j = 0; j < NT; j++)
      g_assert_cmpfloat(fabs(field->data[i * NT + j] - wave(i, j)), <=, tolerance);
  }
  g_assert_nonnull(strstr(field->source, "SHA-256"));
}

static void
test_mat(void)
{
  static const struct {
    const char *name;
    enum mat_ft version;
    int         zip;
  } kinds[] = {
    {"five.mat", MAT_FT_MAT5, 0}, {"five-zip.mat", MAT_FT_MAT5, 1}, {"seven.mat", MAT_FT_MAT73, 1}};

  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
    g_autofree char *path = place(kinds[i].name);
    write_mat(path, kinds[i].version, kinds[i].zip);
    assert_is_wave(path, 0);
  }
}

static void
test_h5(void)
{
  g_autofree char *path = place("plain.h5");

  write_h5(path);
  assert_is_wave(path, 1e-6); /* float32: eps 6e-8 times |u| <= 1.1 */
  g_autoptr(LacGridField) field = lac_input_load(path, "field", NULL);
  g_assert_cmpstr(field->unit, ==, "m/s");
}

static void
test_npy(void)
{
  double            x[NX], t[NT], u[NX * NT];
  g_autofree char  *path = place("u.npy");
  g_autoptr(GError) error = NULL;

  for (gsize i = 0; i < NX; i++) {
    x[i] = coordinate(i, NX);
    for (gsize j = 0; j < NT; j++)
      u[i * NT + j] = wave(i, j);
  }
  for (gsize j = 0; j < NT; j++)
    t[j] = coordinate(j, NT);
  write_npy("u.npy", "(24, 10)", u, NX * NT);
  g_assert_null(lac_input_load(path, "field", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "24 x 10"));
  g_assert_nonnull(strstr(error->message, "NAME-x.npy"));
  write_npy("u-x.npy", "(24,)", x, NX);
  write_npy("u-t.npy", "(10,)", t, NT);
  assert_is_wave(path, 0);
}

static void
test_describe(void)
{
  g_autofree char  *path = place("five.mat");
  g_autoptr(GError) error = NULL;

  write_mat(path, MAT_FT_MAT5, 1);
  g_autofree char *text = lac_input_describe(path, &error);
  g_assert_no_error(error);
  g_assert_nonnull(strstr(text, "usol (24 x 10)"));
  g_assert_nonnull(strstr(text, "field: usol over x, t"));
}

/* ---- what is wrong ---- */

static void
assert_refused(const char *path, const char *word)
{
  g_autoptr(GError) error = NULL;

  g_assert_null(lac_input_load(path, "field", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  if (strstr(error->message, word) == NULL || strstr(error->message, path) == NULL)
    g_error("\"%s\" names neither %s nor the file", error->message, word);
  g_assert_null(strchr(error->message, '\n'));
}

static void
test_refusals(void)
{
  g_autofree char *missing = place("missing.mat"), *empty = place("empty.mat");
  g_autofree char *text = place("text.mat"), *flat = place("flat.h5"), *holes = place("holes.mat");
  double           line[4] = {0, 1, 2, 3}, two[2] = {0, 1}, u[8] = {0, 1, 2, NAN, 4, 5, 6, 7};

  assert_refused(missing, "cannot be read");
  assert_refused(folder, "folder");
  g_assert_true(g_file_set_contents(empty, "", 0, NULL));
  assert_refused(empty, "empty");
  g_assert_true(g_file_set_contents(text, "x,t,u\n0,0,0\n", -1, NULL));
  assert_refused(text, "x (1)");

  lac_h5_lock();
  hid_t file = H5Fcreate(flat, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_true(lac_h5_write_vector(file, "x", H5T_NATIVE_DOUBLE, 4, line));
  H5Fclose(file);
  mat_t *mat = Mat_CreateVer(holes, NULL, MAT_FT_MAT5);
  put_mat(mat, "x", 4, 1, line, 0);
  put_mat(mat, "t", 2, 1, two, 0);
  put_mat(mat, "u", 4, 2, u, 0);
  Mat_Close(mat);
  lac_h5_unlock();
  assert_refused(flat, "x (4)");
  assert_refused(holes, "not a finite number");
}

static void
test_unmatched_axis(void)
{
  g_autofree char *path = place("odd.mat");
  double           x[NX] = {0}, u[NX * NT] = {0};

  for (gsize i = 0; i < NX; i++)
    x[i] = coordinate(i, NX);
  mat_t *mat = Mat_CreateVer(path, NULL, MAT_FT_MAT5);
  put_mat(mat, "x", NX, 1, x, 0);
  put_mat(mat, "u", NX, NT, u, 0);
  Mat_Close(mat);
  assert_refused(path, "u (24 x 10)");
}

static void
test_square_field_by_name(void)
{
  g_autofree char  *path = place("square.mat");
  double            x[6], y[6], u[36];
  g_autoptr(GError) error = NULL;

  for (gsize i = 0; i < 6; i++) {
    x[i] = (double) i;
    y[i] = 10.0 * (double) i;
    for (gsize j = 0; j < 6; j++)
      u[j * 6 + i] = (double) (100 * i + j);
  }
  mat_t *mat = Mat_CreateVer(path, NULL, MAT_FT_MAT5);
  put_mat(mat, "y", 6, 1, y, 0); /* first in the file, second by name */
  put_mat(mat, "x", 6, 1, x, 0);
  put_mat(mat, "u", 6, 6, u, 0);
  Mat_Close(mat);
  g_autoptr(LacGridField) field = lac_input_load(path, "field", &error);
  g_assert_no_error(error);
  g_assert_cmpstr(field->axes[0].name, ==, "x");
  g_assert_cmpstr(field->axes[1].name, ==, "y");
  g_assert_cmpfloat(field->data[2 * 6 + 3], ==, 203);
}

/* ---- damage: each try in a process of its own, which may refuse but not crash or hang ---- */

static int
try_in_child(const char *path)
{
  pid_t child = fork();
  int   status = 0;

  if (child == 0) {
    LacGridField *field = NULL;
    alarm(40);
    field = lac_input_load(path, "field", NULL);
    lac_field_unref(field);
    _exit(0);
  }
  g_assert_cmpint(waitpid(child, &status, 0), ==, child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void
damage(const char *name)
{
  g_autofree char *path = place(name), *hurt = place("hurt");
  g_autofree char *bytes = NULL;
  gsize            length;

  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  for (guint i = 0; i < 30; i++) {
    gsize cut = i * length / 30;
    g_assert_true(g_file_set_contents(hurt, bytes, (gssize) cut, NULL));
    int signal = try_in_child(hurt);
    if (signal != 0)
      g_error("%s cut to %zu of %zu bytes: signal %d", name, cut, length, signal);
  }
  for (guint i = 0; i < 50; i++) {
    g_autofree char *copy = g_memdup2(bytes, length);
    guint            n_flips = 1 + i % 8;
    for (guint k = 0; k < n_flips; k++)
      copy[g_test_rand_int_range(0, (gint32) length)] = (char) g_test_rand_int_range(0, 256);
    g_assert_true(g_file_set_contents(hurt, copy, (gssize) length, NULL));
    int signal = try_in_child(hurt);
    if (signal != 0)
      g_error("%s with %u bytes changed, try %u: signal %d", name, n_flips, i, signal);
  }
}

static void
test_damage(void)
{
  g_autofree char *five = place("five.mat"), *zip = place("five-zip.mat"),
                  *seven = place("seven.mat"), *plain = place("plain.h5");

  write_mat(five, MAT_FT_MAT5, 0);
  write_mat(zip, MAT_FT_MAT5, 1);
  write_mat(seven, MAT_FT_MAT73, 1);
  write_h5(plain);
  damage("five.mat");
  damage("five-zip.mat");
  damage("seven.mat");
  damage("plain.h5");
}

static void
test_published_file(void)
{
  g_autofree char  *path = NULL;
  const char       *data = g_getenv("LACUNA_REFERENCE_DATA");
  g_autoptr(GError) error = NULL;

  path = data != NULL ? g_build_filename(data, "flow", "burgers_shock.mat", NULL)
                      : g_build_filename(g_getenv("LACUNA_SOURCE_ROOT"), "..", "shared", "data",
                                         "flow", "burgers_shock.mat", NULL);
  if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
    if (g_getenv("CI") != NULL && data != NULL)
      g_error("%s should be there", path);
    g_test_skip("no reference data: flow/burgers_shock.mat");
    return;
  }
  g_autoptr(LacGridField) field = lac_input_load(path, "field", &error);
  g_assert_no_error(error);
  g_assert_cmpstr(field->name, ==, "usol");
  g_assert_cmpstr(field->axes[0].name, ==, "x");
  g_assert_cmpuint(field->axes[0].n, ==, 256);
  g_assert_cmpstr(field->axes[1].name, ==, "t");
  g_assert_cmpuint(field->axes[1].n, ==, 100);
  /* u(x, 0) = -sin(pi x) */
  for (gsize i = 0; i < 256; i++)
    g_assert_cmpfloat_with_epsilon(field->data[i * 100], -sin(G_PI * field->axes[0].values[i]),
                                   1e-12);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = test_folder_new();
  g_test_add_func("/io/input/mat-5-and-7.3", test_mat);
  g_test_add_func("/io/input/hdf5", test_h5);
  g_test_add_func("/io/input/npy-with-coordinates-beside", test_npy);
  g_test_add_func("/io/input/description", test_describe);
  g_test_add_func("/io/input/wrong-files-are-refused-in-one-sentence", test_refusals);
  g_test_add_func("/io/input/axis-without-coordinates-is-named", test_unmatched_axis);
  g_test_add_func("/io/input/equal-lengths-are-told-apart-by-name", test_square_field_by_name);
  g_test_add_func("/io/input/damaged-files-never-crash", test_damage);
  g_test_add_func("/io/input/published-burgers-solution", test_published_file);
  int result = g_test_run();
  test_folder_remove(folder);
  return result;
}
