/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exposures written and read back, and errors in foreign files. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/format/h5.h"
#include "io/input/exposures-h5.h"

#include <math.h>
#include <string.h>

#define N 3
#define D 4

static LacStore *
make_store(void)
{
  LacStore *store = lac_store_new();
  double   *stack = lac_store_put(store, "stack", N, D * D, sizeof *stack);
  double   *centres = lac_store_put(store, "centres", N, 4, sizeof *centres);
  guint8   *mask = lac_store_put(store, "mask", N, D * D, 1);

  for (gsize i = 0; i < N * D * D; i++) {
    stack[i] = 1.0 / (double) (i + 3);
    mask[i] = i % 5 != 0;
  }
  for (gsize i = 0; i < 4 * N; i++)
    centres[i] = (double) i / 7;
  lac_store_put_bytes(store, "unit", "intensity", 10);
  lac_store_put_bytes(store, "plans", "(plans)", 8);
  *(double *) lac_store_put(store, "diameter", 1, 1, sizeof(double)) = 12.5;
  return store;
}

static void
assert_same(const LacStore *a, const LacStore *b, const char *name)
{
  const LacEntry *x = lac_exposures_find(a, name), *y = lac_exposures_find(b, name);

  g_assert_nonnull(x);
  g_assert_nonnull(y);
  g_assert_cmpmem(x->data, x->n_rows * x->n_columns * x->element_size, y->data,
                  y->n_rows * y->n_columns * y->element_size);
}

static void
test_return(void)
{
  static const char *const names[] = {"stack", "centres", "mask", "unit", "plans", "diameter"};
  char                    *folder = test_folder_new();
  g_autofree char         *path = g_build_filename(folder, "e.h5", NULL);
  g_autoptr(LacStore)      written = make_store();
  g_autoptr(GError)        error = NULL;

  g_assert_true(lac_exposures_h5_write(written, path, &error));
  g_assert_no_error(error);
  g_assert_true(lac_exposures_h5_is_one(path));
  g_autoptr(LacStore) read = lac_exposures_h5_read(path, &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    assert_same(written, read, names[i]);
  g_autofree char *source = lac_exposures_h5_dup_source(read);
  g_assert_nonnull(strstr(source, "SHA-256"));
  test_folder_remove(folder);
}

/* A user file: data sets of these sizes, each filled with one value. */
typedef struct {
  const char *name;
  int         rank;
  hsize_t     sizes[3];
  double      value;
} Set;

typedef struct {
  const char *say; /* part of the message; NULL: it is accepted */
  Set         sets[4];
} Case;

static void
write_sets(const char *path, const Set *sets)
{
  lac_h5_lock();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (gsize i = 0; i < 4 && sets[i].name; i++) {
    gsize n = 1;
    for (int k = 0; k < sets[i].rank; k++)
      n *= (gsize) sets[i].sizes[k];
    g_autofree double *data = g_new(double, n + 1);
    for (gsize k = 0; k < n; k++)
      data[k] = sets[i].value;
    H5Dclose(
      lac_h5_write(file, sets[i].name, H5T_NATIVE_DOUBLE, sets[i].rank, sets[i].sizes, data));
  }
  H5Fclose(file);
  lac_h5_unlock();
}

static void
test_others(void)
{
  static const Case cases[] = {
    {NULL, {{"stack", 3, {2, 4, 4}, 1}, {"centres", 2, {2, 2}, 0}}},
    {NULL, {{"stack", 3, {2, 4, 4}, 1}, {"centres", 2, {2, 2}, 0}, {"sigma", 1, {1}, 0.1}}},
    {NULL, {{"stack", 3, {2, 4, 4}, NAN}, {"centres", 2, {2, 2}, 0}}},
    {"\"stack\"", {{"centres", 2, {2, 2}, 0}}},
    {"\"stack\"", {{"stack", 3, {2, 4, 5}, 1}, {"centres", 2, {2, 2}, 0}}},
    {"\"stack\"", {{"stack", 2, {4, 4}, 1}, {"centres", 2, {2, 2}, 0}}},
    {"\"centres\"", {{"stack", 3, {2, 4, 4}, 1}}},
    {"\"centres\"", {{"stack", 3, {2, 4, 4}, 1}, {"centres", 2, {3, 2}, 0}}},
    {"\"centres\"", {{"stack", 3, {2, 4, 4}, 1}, {"centres", 2, {2, 3}, 0}}},
    {"NaN", {{"stack", 3, {2, 4, 4}, 1}, {"centres", 2, {2, 2}, NAN}}},
    {"sigma", {{"stack", 3, {2, 4, 4}, 1}, {"centres", 2, {2, 2}, 0}, {"sigma", 2, {4, 3}, 1}}},
    {"sigma", {{"stack", 3, {2, 4, 4}, 1}, {"centres", 2, {2, 2}, 0}, {"sigma", 1, {1}, -1}}},
    {"mask", {{"stack", 3, {2, 4, 4}, 1}, {"centres", 2, {2, 2}, 0}, {"mask", 1, {5}, 1}}},
  };
  char            *folder = test_folder_new();
  g_autofree char *path = g_build_filename(folder, "e.h5", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;

    write_sets(path, cases[i].sets);
    g_autoptr(LacStore) store = lac_exposures_h5_read(path, &error);
    g_assert_true((store != NULL) == (cases[i].say == NULL));
    if (store != NULL)
      continue;
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    if (!strstr(error->message, cases[i].say))
      g_error("\"%s\" does not say %s", error->message, cases[i].say);
  }
  test_folder_remove(folder);
}

/* A NaN pixel is not measured. */
static void
test_not_seen(void)
{
  static const Set  sets[4] = {{"stack", 3, {1, 4, 4}, NAN}, {"centres", 2, {1, 2}, 0}};
  char             *folder = test_folder_new();
  g_autofree char  *path = g_build_filename(folder, "e.h5", NULL);
  g_autoptr(GError) error = NULL;

  write_sets(path, sets);
  g_autoptr(LacStore) store = lac_exposures_h5_read(path, &error);
  g_assert_no_error(error);
  const LacEntry *mask = lac_exposures_find(store, "mask");
  const LacEntry *stack = lac_exposures_find(store, "stack");
  g_assert_nonnull(mask);
  for (gsize i = 0; i < 16; i++) {
    g_assert_cmpint(((const guint8 *) mask->data)[i], ==, 0);
    g_assert_cmpfloat(((const double *) stack->data)[i], ==, 0);
  }
  test_folder_remove(folder);
}

static void
test_no_hdf5(void)
{
  char             *folder = test_folder_new();
  g_autofree char  *path = g_build_filename(folder, "e.h5", NULL);
  g_autoptr(GError) error = NULL;

  g_file_set_contents(path, "no numbers", -1, &error);
  g_assert_no_error(error);
  g_assert_false(lac_exposures_h5_is_one(path));
  g_assert_null(lac_exposures_h5_read(path, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  test_folder_remove(folder);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/exposures/what-was-written-is-read-to-the-bit", test_return);
  g_test_add_func("/io/exposures/those-of-others-are-read-or-refused-by-name", test_others);
  g_test_add_func("/io/exposures/what-is-no-number-was-not-seen", test_not_seen);
  g_test_add_func("/io/exposures/another-file-is-refused", test_no_hdf5);
  return g_test_run();
}
