/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truncated files: each reader refuses them with a message, or returns a part whose values all equal those of the
 * intact file. LACUNA_TEST_FEW_CUTS: set it when reading is slow, as under valgrind. */
#include "base/error.h"
#include "fuzz/target.h"
#include "helpers/folder.h"
#include "io/format/h5.h"
#include "io/helpers/cut-readers.h"
#include "io/helpers/picture-files.h"
#include "io/helpers/sound-files.h"
#include "io/input/block.h"
#include "io/input/exposures-h5.h"
#include "io/input/input.h"

#include <gio/gio.h>

#include <math.h>
#include <string.h>

enum { EVERY_CUT = 24, FEW_CUTS = 6 };

static char *folder;

static char *
place(const char *name)
{
  return g_build_filename(folder, name, NULL);
}

/* ---- cuts ---- */

static gboolean
are_few(void)
{
  return g_getenv("LACUNA_TEST_FEW_CUTS") != NULL;
}

/* Returns the length after cut @i of @n: denser near the start and the end, evenly spaced in between. */
static gsize
cut_at(guint i, gsize length)
{
  const guint n = are_few() ? FEW_CUTS : EVERY_CUT, side = n / 3;
  const gsize near = (gsize) 1 << (are_few() ? 3 * (i % side) : i % side);

  if (i < side)
    return MIN(near * 16, length - 1); /* 16, 32 ... 2048 */
  if (i < 2 * side)
    return length - MIN(near, length);
  return (gsize) ((double) length * (i - 2 * side + 0.5) / (n - 2 * side));
}

static void
assert_sentence(const GError *error, const char *path)
{
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, path));
  g_assert_cmpuint(strlen(error->message), >, strlen(path) + 8);
}

/* @sound: the bytes of an intact file. Returns: FALSE when @reader refuses even that. */
static gboolean
cut_bytes(const CutReader *reader, const char *title, const guint8 *sound, gsize length)
{
  g_autofree char *path = place("cut"), *whole_path = place("whole");
  gpointer         whole;
  guint            n_refused = 0;

  sound_write_bytes(whole_path, sound, length);
  g_autoptr(GError) refusal = NULL;
  whole = reader->load(whole_path, &refusal);
  if (whole == NULL)
    g_test_message("%s is refused: %s", title, refusal->message);
  for (guint i = 0; whole != NULL && i < (are_few() ? FEW_CUTS : EVERY_CUT); i++) {
    g_autoptr(GError) error = NULL;
    const gsize       n = cut_at(i, length);

    sound_write_bytes(path, sound, n);
    g_test_message("%s cut to %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " bytes", title, n, length);
    gpointer part = reader->load(path, &error);
    n_refused += part == NULL;
    if (part == NULL) {
      assert_sentence(error, path);
    } else {
      if (reader->compare != NULL)
        reader->compare(whole, part);
      reader->free(part);
    }
  }
  if (whole == NULL)
    return FALSE;
  g_assert_cmpuint(n_refused, >, 0);
  reader->free(whole);
  return TRUE;
}

static void
cut_file(const CutReader *reader, const char *path)
{
  g_autofree char *bytes = NULL;
  gsize            length;

  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  g_assert_true(cut_bytes(reader, path, (const guint8 *) bytes, length));
}

static const FuzzTarget *
find_target(const char *name)
{
  gsize             n;
  const FuzzTarget *targets = fuzz_targets(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(targets[i].name, name))
      return &targets[i];
  g_error("there are no seeds %s", name);
}

static void
cut_seeds(const CutReader *reader, const char *name)
{
  char                *nursery = test_folder_new();
  g_autoptr(GPtrArray) seeds = find_target(name)->seeds(nursery);
  guint                n_sound = 0;

  for (guint i = 0; i < seeds->len; i++) {
    const GByteArray *seed = seeds->pdata[i];
    n_sound += cut_bytes(reader, name, seed->data, seed->len);
  }
  g_assert_cmpuint(n_sound, >, 0);
  test_folder_remove(nursery);
}

/* ---- tests ---- */

static void
test_mat(void)
{
  g_autofree char *plain = sound_write_mat(folder, "plain.mat", MAT_FT_MAT5, MAT_COMPRESSION_NONE);
  g_autofree char *zip = sound_write_mat(folder, "zip.mat", MAT_FT_MAT5, MAT_COMPRESSION_ZLIB);
  g_autofree char *seven = sound_write_mat(folder, "seven.mat", MAT_FT_MAT73, MAT_COMPRESSION_ZLIB);

  cut_seeds(&cut_as_arrays, "mat");
  cut_file(&cut_as_arrays, plain);
  cut_file(&cut_as_arrays, zip);
  cut_file(&cut_as_arrays, seven);
  cut_file(&cut_as_blocks, plain);
  cut_file(&cut_as_blocks, zip);
  cut_file(&cut_as_blocks, seven);
}

static void
test_h5(void)
{
  g_autofree char *chunked = sound_write_h5(folder, "chunked.h5", FALSE, NULL);

  cut_seeds(&cut_as_arrays, "h5");
  cut_file(&cut_as_arrays, chunked);
  cut_file(&cut_as_blocks, chunked);
}

static void
test_numpy(void)
{
  g_autofree char *npy = sound_write_npy(folder, "u.npy");

  cut_seeds(&cut_as_arrays, "npy");
  cut_seeds(&cut_as_arrays, "npz");
  cut_file(&cut_as_arrays, npy);
  cut_file(&cut_as_blocks, npy);
}

static void
test_tables(void)
{
  cut_seeds(&cut_as_columns, "table");
  cut_seeds(&cut_as_grid, "table");
  cut_seeds(&cut_as_columns, "packed");
  cut_seeds(&cut_as_measurements, "measurements");
  cut_seeds(&cut_as_measurements, "packed");
  cut_seeds(&cut_as_molecule, "molecule");
}

static void
test_pictures(void)
{
  static const PictureTiff kinds[] = {
    {1, 8, PLANARCONFIG_CONTIG, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, 0},
    {3, 8, PLANARCONFIG_CONTIG, PHOTOMETRIC_RGB, COMPRESSION_PACKBITS, 0},
    {1, 16, PLANARCONFIG_CONTIG, PHOTOMETRIC_MINISBLACK, COMPRESSION_ADOBE_DEFLATE, 16},
  };
  g_autofree char *path = place("some.tiff");

  cut_seeds(&cut_as_arrays, "picture");
  cut_seeds(&cut_as_arrays, "fits");
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
    picture_write_tiff(path, &kinds[i], "w");
    cut_file(&cut_as_arrays, path);
  }
}

static void
test_exposures(void)
{
  g_autofree char    *path = place("exposures.h5");
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  double             *stack = lac_store_put(store, "stack", 3, 256, sizeof *stack);
  double             *centres = lac_store_put(store, "centres", 3, 2, sizeof *centres);

  for (gsize i = 0; i < 3 * 256; i++)
    stack[i] = sound_value(i);
  for (gsize i = 0; i < 6; i++)
    centres[i] = (double) i;
  g_assert_true(lac_exposures_h5_write(store, path, &error));
  cut_file(&cut_as_exposures, path);
}

static void
test_traces(void)
{
  char                *nursery = test_folder_new();
  g_autoptr(GPtrArray) seeds = find_target("trace")->seeds(nursery);

  cut_seeds(&cut_as_trace, "trace");
  for (guint i = 0; i < seeds->len; i++) {
    const GByteArray          *seed = seeds->pdata[i];
    g_autoptr(GZlibCompressor) packer = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
    guint8                     packed[2048];
    gsize                      n_read, n;

    g_assert_cmpint(g_converter_convert(G_CONVERTER(packer), seed->data, seed->len, packed,
                                        sizeof packed, G_CONVERTER_INPUT_AT_END, &n_read, &n, NULL),
                    ==, G_CONVERTER_FINISHED);
    g_assert_true(cut_bytes(&cut_as_packed_trace, "packed trace", packed, n));
  }
  test_folder_remove(nursery);
}

/* Lacuna's own files, truncated by a kill; their contents are compared in the tests of the run folder. */
static void
test_run_files(void)
{
  static const char *const names[] = {"journal", "records", "frames", "checkpoint", "run"};

  for (gsize k = 0; k < G_N_ELEMENTS(names); k++) {
    char                *place_of = test_folder_new(), *nursery = test_folder_new();
    const FuzzTarget    *target = find_target(names[k]);
    g_autoptr(GPtrArray) seeds = target->seeds(nursery);

    for (guint s = 0; s < seeds->len; s++)
      for (guint i = 0; i < (are_few() ? FEW_CUTS : EVERY_CUT); i++) {
        const GByteArray *seed = seeds->pdata[s];
        target->read(place_of, seed->data, cut_at(i, seed->len));
      }
    test_folder_remove(place_of);
    test_folder_remove(nursery);
  }
}

/* A file truncated after its header was read. */
static void
test_shrunk(void)
{
  char *paths[] = {
    sound_write_mat(folder, "plain.mat", MAT_FT_MAT5, MAT_COMPRESSION_NONE),
    sound_write_mat(folder, "zip.mat", MAT_FT_MAT5, MAT_COMPRESSION_ZLIB),
    sound_write_mat(folder, "seven.mat", MAT_FT_MAT73, MAT_COMPRESSION_NONE),
    sound_write_h5(folder, "chunked.h5", FALSE, NULL),
    sound_write_npy(folder, "u.npy"),
  };

  for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
    g_autoptr(LacInputFile) file = lac_input_file_read(paths[i], LAC_INPUT_HEADS, NULL);
    g_autoptr(GError)       error = NULL;
    g_autofree char        *bytes = NULL;
    const gsize             start[LAC_INPUT_MAX_RANK] = {0};
    double                  numbers[SOUND_N] = {0};
    gsize                   length;

    g_assert_true(g_file_get_contents(paths[i], &bytes, &length, NULL));
    sound_write_bytes(paths[i], bytes, length / 4);
    for (guint k = 0; k < file->arrays->len; k++) {
      const LacInputArray *array = file->arrays->pdata[k];
      if (!array->is_left)
        continue;
      LacInputBlock *block = lac_input_block_new(paths[i], file, array);
      g_clear_error(&error);
      g_assert_false(lac_input_block_read(block, start, array->sizes, numbers, &error));
      assert_sentence(error, paths[i]);
      g_assert_true(isnan(numbers[SOUND_N - 1]));
      lac_input_block_free(block);
    }
    g_assert_nonnull(error);
    g_free(paths[i]);
  }
}

static void
assert_gap(gpointer file, double expected)
{
  const LacInputArray *u = cut_find_array(file, "u");

  for (gsize x = 0; x < SOUND_NX; x++)
    for (gsize t = 0; t < SOUND_NT; t++) {
      const double number = u->data[x * SOUND_NT + t];

      if (x < 16 && t < 16)
        g_assert_cmpfloat(number, ==, (double) (float) sound_value(x * 16 + t));
      else if (isnan(expected))
        g_assert_true(isnan(number));
      else
        g_assert_cmpfloat(number, ==, expected);
    }
  cut_as_arrays.free(file);
}

static void
test_unwritten(void)
{
  const double     fill = 7;
  g_autofree char *gap = sound_write_h5(folder, "gap.h5", TRUE, NULL),
                  *filled = sound_write_h5(folder, "fill.h5", TRUE, &fill);
  g_autofree char  *empty = place("empty.h5");
  const hsize_t     sizes[2] = {SOUND_NX, SOUND_NT};
  g_autoptr(GError) error = NULL;

  assert_gap(cut_as_arrays.load(gap, NULL), NAN);
  assert_gap(cut_as_blocks.load(gap, NULL), NAN);
  assert_gap(cut_as_arrays.load(filled, NULL), fill);
  assert_gap(cut_as_blocks.load(filled, NULL), fill);
  g_autoptr(LacGridField) field = lac_input_load(gap, "field", &error);
  g_assert_null(field);
  assert_sentence(error, gap);
  g_autofree char *reported = lac_input_describe(gap, NULL);
  g_assert_nonnull(strstr(reported, ", 944 of 1200 numbers missing\n"));

  lac_h5_lock();
  hid_t file = H5Fcreate(empty, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(2, sizes, NULL);
  H5Dclose(H5Dcreate2(file, "u", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Fclose(file);
  lac_h5_unlock();
  g_autoptr(LacInputFile) read = lac_input_file_read(empty, LAC_INPUT_WHOLE, NULL);
  for (gsize i = 0; i < SOUND_N; i++)
    g_assert_true(isnan(cut_find_array(read, "u")->data[i]));
  g_autofree char *none = lac_input_describe(empty, NULL);
  g_assert_nonnull(strstr(none, "u (40 x 30): 1200 of 1200 numbers missing\n"));
}

static void
test_mat_by_hand(void)
{
  g_autofree char *path = place("hand.mat");

  for (guint big = 0; big < 2; big++) {
    g_autoptr(GError) error = NULL;

    sound_write_mat_by_hand(path, big != 0, 9, 9);
    g_autoptr(LacInputFile) file = cut_as_arrays.load(path, &error);
    g_assert_no_error(error);
    for (gsize i = 0; i < 9; i++)
      g_assert_cmpfloat(cut_find_array(file, "v")->data[i], ==, sound_value(i));
    cut_file(&cut_as_arrays, path);
    sound_write_mat_by_hand(path, big != 0, 10, 9);
    g_assert_null(cut_as_arrays.load(path, &error));
    assert_sentence(error, path);
  }
}

/* ---- files of others ---- */

static void
test_published(gconstpointer data)
{
  static const struct {
    const char      *name;
    const CutReader *reader;
  } files[] = {
    {"flow/burgers_shock.mat", &cut_as_arrays},
    {"flow/burgers_shock.mat", &cut_as_blocks},
    {"flow/KS.mat", &cut_as_arrays},
    {"flow/jhtdb-channel_grid.h5", &cut_as_arrays},
    {"flow/pinnacle-ns2d.dat", &cut_as_columns},
    {"flow/rans-family/velocity0.20.csv.gz", &cut_as_columns},
    {"images/camera.png", &cut_as_arrays},
    {"images/hubble_deep_field.jpg", &cut_as_arrays},
    {"images/mssim_matlab_output.npz", &cut_as_arrays},
    {"images/simple.fits", &cut_as_arrays},
  };
  const char      *named = g_getenv("LACUNA_REFERENCE_DATA");
  g_autofree char *root =
    named != NULL ? g_strdup(named)
                  : g_build_filename(g_getenv("LACUNA_SOURCE_ROOT"), "..", "shared", "data", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
    g_autofree char *path = g_build_filename(root, files[i].name, NULL);

    if (g_file_test(path, G_FILE_TEST_EXISTS)) {
      cut_file(files[i].reader, path);
    } else {
      if (g_getenv("CI") != NULL && named != NULL)
        g_error("%s should be there", path);
      g_test_skip_printf("no reference data: %s", files[i].name);
      return;
    }
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = test_folder_new();
  g_test_add_func("/io/cut-files/mat", test_mat);
  g_test_add_func("/io/cut-files/mat-of-either-byte-order-and-with-too-few-numbers",
                  test_mat_by_hand);
  g_test_add_func("/io/cut-files/hdf5", test_h5);
  g_test_add_func("/io/cut-files/npy-and-npz", test_numpy);
  g_test_add_func("/io/cut-files/tables-measurements-and-molecules", test_tables);
  g_test_add_func("/io/cut-files/pictures", test_pictures);
  g_test_add_func("/io/cut-files/exposures", test_exposures);
  g_test_add_func("/io/cut-files/traces", test_traces);
  g_test_add_func("/io/cut-files/run-files", test_run_files);
  g_test_add_func("/io/cut-files/a-file-cut-after-it-was-opened-is-refused", test_shrunk);
  g_test_add_func("/io/cut-files/hdf5-numbers-never-written-are-not-zeros", test_unwritten);
  if (!are_few())
    g_test_add_data_func("/io/cut-files/published-files", NULL, test_published);
  int result = g_test_run();
  test_folder_remove(folder);
  return result;
}
