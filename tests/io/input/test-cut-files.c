/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that end early: each reader refuses them in a sentence, or returns a part in which every number is one of the sound file.
 * LACUNA_TEST_FEW_CUTS: set where each reading is slow, as under valgrind. */
#include "base/error.h"
#include "fuzz/target.h"
#include "helpers/folder.h"
#include "io/format/h5.h"
#include "io/format/table-columns.h"
#include "io/helpers/picture-files.h"
#include "io/helpers/sound-files.h"
#include "io/input/block.h"
#include "io/input/exposures-h5.h"
#include "io/input/input.h"
#include "io/input/measurements-table.h"
#include "io/input/molecule-file.h"
#include "io/trace/trace-file.h"

#include <gio/gio.h>

#include <math.h>
#include <string.h>

enum { EVERY_CUT = 24, FEW_CUTS = 6 };

/* One way of reading a file. */
typedef struct {
  gpointer (*load)(const char *path, GError **error);
  void (*compare)(gconstpointer sound,
                  gconstpointer part); /* asserts that @part is one of @sound */
  GDestroyNotify free;
} Reader;

static char *folder;

static char *
place(const char *name)
{
  return g_build_filename(folder, name, NULL);
}

/* ---- readers ---- */

static gpointer
load_arrays(const char *path, GError **error)
{
  return lac_input_file_read(path, LAC_INPUT_WHOLE, error);
}

/* Arrays that stay in the file, fetched block by block. */
static gpointer
load_blocks(const char *path, GError **error)
{
  g_autoptr(LacInputFile) file = lac_input_file_read(path, LAC_INPUT_HEADS, error);

  for (guint i = 0; file != NULL && i < file->arrays->len; i++) {
    LacInputArray *array = file->arrays->pdata[i];
    const gsize    start[LAC_INPUT_MAX_RANK] = {0};

    if (!array->is_left)
      continue;
    LacInputBlock *block = lac_input_block_new(path, file, array);
    array->data = g_new(double, lac_input_array_get_length(array));
    const gboolean done = lac_input_block_read(block, start, array->sizes, array->data, error);
    lac_input_block_free(block);
    if (!done)
      return NULL;
  }
  return g_steal_pointer(&file);
}

static const LacInputArray *
find_array(const LacInputFile *file, const char *name)
{
  for (guint i = 0; i < file->arrays->len; i++)
    if (g_str_equal(((const LacInputArray *) file->arrays->pdata[i])->name, name))
      return file->arrays->pdata[i];
  g_error("there is no array %s in the sound file", name);
}

static void
compare_arrays(gconstpointer sound, gconstpointer part)
{
  const LacInputFile *file = part;

  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    const LacInputArray *whole = find_array(sound, array->name);
    const gsize          n = lac_input_array_get_length(array) * sizeof(double);

    g_assert_cmpuint(lac_input_array_get_length(whole) * sizeof(double), ==, n);
    g_assert_true((array->data == NULL) == (whole->data == NULL));
    if (array->data != NULL)
      g_assert_cmpmem(array->data, n, whole->data, n);
  }
}

static void
free_arrays(gpointer file)
{
  lac_input_file_free(file);
}

static gpointer
load_columns(const char *path, GError **error)
{
  return lac_table_columns_read(path, error);
}

/* Whole rows, the first of them. */
static void
compare_columns(gconstpointer sound, gconstpointer part)
{
  const LacTableColumns *whole = sound, *columns = part;
  const gsize            n = columns->n_rows * columns->n_columns * sizeof(double);

  g_assert_cmpuint(columns->n_columns, ==, whole->n_columns);
  g_assert_cmpuint(columns->n_rows, <=, whole->n_rows);
  g_assert_cmpmem(columns->numbers, n, whole->numbers, n);
}

static void
free_columns(gpointer columns)
{
  lac_table_columns_free(columns);
}

static gpointer
load_measurements(const char *path, GError **error)
{
  return lac_measurements_read(path, error);
}

static void
compare_measurements(gconstpointer sound, gconstpointer part)
{
  const LacMeasurements *whole = sound, *measurements = part;

  g_assert_cmpuint(measurements->n, <=, whole->n);
  for (gsize i = 0; i < measurements->n; i++) {
    const LacMeasurement *a = &measurements->rows[i], *b = &whole->rows[i];
    const double          here[] = {a->x, a->y, a->t, a->value, a->sigma};
    const double          there[] = {b->x, b->y, b->t, b->value, b->sigma};

    g_assert_cmpmem(here, sizeof here, there, sizeof there);
    g_assert_cmpstr(measurements->quantities[a->quantity], ==, whole->quantities[b->quantity]);
  }
}

static void
free_measurements(gpointer measurements)
{
  lac_measurements_unref(measurements);
}

static gpointer
load_molecule(const char *path, GError **error)
{
  return lac_molecule_file_read(path, error);
}

static void
compare_molecules(gconstpointer sound, gconstpointer part)
{
  const LacMolecule *whole = sound, *molecule = part;

  g_assert_cmpuint(molecule->n_nuclei, ==, whole->n_nuclei);
  for (guint i = 0; i < whole->n_nuclei; i++) {
    g_assert_cmpuint(molecule->nuclei[i].charge, ==, whole->nuclei[i].charge);
    for (guint k = 0; k < 3; k++)
      g_assert_cmpfloat(molecule->nuclei[i].position[k], ==, whole->nuclei[i].position[k]);
  }
}

static void
free_molecule(gpointer molecule)
{
  lac_molecule_unref(molecule);
}

typedef struct {
  LacCapture   *capture;
  LacTraceFacts facts;
} Trace;

static void
free_trace(gpointer data)
{
  Trace *trace = data;

  g_clear_pointer(&trace->capture, lac_capture_unref);
  lac_trace_facts_clear(&trace->facts);
  g_free(trace);
}

static gpointer
load_trace(const char *path, GError **error)
{
  Trace *trace = g_new0(Trace, 1);

  trace->capture = lac_trace_open(path, &trace->facts, error);
  if (trace->capture == NULL)
    g_clear_pointer(&trace, free_trace);
  return trace;
}

/* A program that was killed leaves a trace that ends early: the caution says so, or nothing is missing but whole events. */
static void
compare_traces(gconstpointer sound, gconstpointer part)
{
  const Trace *whole = sound, *trace = part;
  const gsize  n = lac_capture_get_n_records(trace->capture);

  g_assert_cmpuint(n, <=, lac_capture_get_n_records(whole->capture));
  g_assert_cmpuint(trace->facts.n_events, <=, whole->facts.n_events);
  for (gsize i = 0; trace->facts.caution[0] == '\0' && i < n; i++) {
    const LacRecord *here = lac_capture_at(trace->capture, i);
    const LacRecord *there = lac_capture_at(whole->capture, i);

    g_assert_cmpint(here->start_ns, ==, there->start_ns);
    g_assert_cmpint(here->duration_ns, ==, there->duration_ns);
    g_assert_cmpfloat(here->value, ==, there->value);
  }
}

static gpointer
load_exposures(const char *path, GError **error)
{
  return lac_exposures_h5_read(path, error);
}

static void
compare_exposures(gconstpointer sound, gconstpointer part)
{
  const LacEntry *whole = lac_exposures_find(sound, "stack");
  const LacEntry *stack = lac_exposures_find(part, "stack");
  const gsize     n = whole->n_rows * whole->n_columns * sizeof(double);

  g_assert_cmpmem(stack->data, stack->n_rows * stack->n_columns * sizeof(double), whole->data, n);
}

static void
free_exposures(gpointer store)
{
  lac_store_free(store);
}

static const Reader as_arrays = {load_arrays, compare_arrays, free_arrays};
static const Reader as_blocks = {load_blocks, compare_arrays, free_arrays};
static const Reader as_grid = {load_arrays, NULL, free_arrays}; /* as_columns compares */
static const Reader as_columns = {load_columns, compare_columns, free_columns};
static const Reader as_measurements = {load_measurements, compare_measurements, free_measurements};
static const Reader as_molecule = {load_molecule, compare_molecules, free_molecule};
static const Reader as_trace = {load_trace, compare_traces, free_trace};
static const Reader as_exposures = {load_exposures, compare_exposures, free_exposures};

/* ---- cuts ---- */

static gboolean
are_few(void)
{
  return g_getenv("LACUNA_TEST_FEW_CUTS") != NULL;
}

/* The length after cut @i of @n: near the beginning and near the end ever closer, and evenly between. */
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

/* @sound: the bytes of a file. Returns: FALSE where @reader refuses even that. */
static gboolean
cut_bytes(const Reader *reader, const char *title, const guint8 *sound, gsize length)
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
cut_file(const Reader *reader, const char *path)
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
cut_seeds(const Reader *reader, const char *name)
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

  cut_seeds(&as_arrays, "mat");
  cut_file(&as_arrays, plain);
  cut_file(&as_arrays, zip);
  cut_file(&as_arrays, seven);
  cut_file(&as_blocks, plain);
  cut_file(&as_blocks, zip);
  cut_file(&as_blocks, seven);
}

static void
test_h5(void)
{
  g_autofree char *chunked = sound_write_h5(folder, "chunked.h5", FALSE, NULL);

  cut_seeds(&as_arrays, "h5");
  cut_file(&as_arrays, chunked);
  cut_file(&as_blocks, chunked);
}

static void
test_numpy(void)
{
  g_autofree char *npy = sound_write_npy(folder, "u.npy");

  cut_seeds(&as_arrays, "npy");
  cut_seeds(&as_arrays, "npz");
  cut_file(&as_arrays, npy);
  cut_file(&as_blocks, npy);
}

static void
test_tables(void)
{
  cut_seeds(&as_columns, "table");
  cut_seeds(&as_grid, "table");
  cut_seeds(&as_columns, "packed");
  cut_seeds(&as_measurements, "measurements");
  cut_seeds(&as_measurements, "packed");
  cut_seeds(&as_molecule, "molecule");
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

  cut_seeds(&as_arrays, "picture");
  cut_seeds(&as_arrays, "fits");
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
    picture_write_tiff(path, &kinds[i], "w");
    cut_file(&as_arrays, path);
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
  cut_file(&as_exposures, path);
}

/* Packed, it shows wherever an event is missing. */
static void
assert_cautioned(gconstpointer sound, gconstpointer part)
{
  const Trace *whole = sound, *trace = part;

  if (trace->facts.caution[0] == '\0')
    g_assert_cmpuint(trace->facts.n_events, ==, whole->facts.n_events);
}

static void
test_traces(void)
{
  static const Reader  as_packed_trace = {load_trace, assert_cautioned, free_trace};
  char                *nursery = test_folder_new();
  g_autoptr(GPtrArray) seeds = find_target("trace")->seeds(nursery);

  cut_seeds(&as_trace, "trace");
  for (guint i = 0; i < seeds->len; i++) {
    const GByteArray          *seed = seeds->pdata[i];
    g_autoptr(GZlibCompressor) packer = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
    guint8                     packed[2048];
    gsize                      n_read, n;

    g_assert_cmpint(g_converter_convert(G_CONVERTER(packer), seed->data, seed->len, packed,
                                        sizeof packed, G_CONVERTER_INPUT_AT_END, &n_read, &n, NULL),
                    ==, G_CONVERTER_FINISHED);
    g_assert_true(cut_bytes(&as_packed_trace, "packed trace", packed, n));
  }
  test_folder_remove(nursery);
}

/* The program's own files end early where it was killed; what is in them is compared in the tests of the run folder. */
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

/* A file that ends early only after its head was read. */
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
  const LacInputArray *u = find_array(file, "u");

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
  free_arrays(file);
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

  assert_gap(load_arrays(gap, NULL), NAN);
  assert_gap(load_blocks(gap, NULL), NAN);
  assert_gap(load_arrays(filled, NULL), fill);
  assert_gap(load_blocks(filled, NULL), fill);
  g_autoptr(LacGridField) field = lac_input_load(gap, "field", &error);
  g_assert_null(field);
  assert_sentence(error, gap);
  g_autofree char *told = lac_input_describe(gap, NULL);
  g_assert_nonnull(strstr(told, ", 944 of 1200 numbers missing\n"));

  lac_h5_lock();
  hid_t file = H5Fcreate(empty, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(2, sizes, NULL);
  H5Dclose(H5Dcreate2(file, "u", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Fclose(file);
  lac_h5_unlock();
  g_autoptr(LacInputFile) read = lac_input_file_read(empty, LAC_INPUT_WHOLE, NULL);
  for (gsize i = 0; i < SOUND_N; i++)
    g_assert_true(isnan(find_array(read, "u")->data[i]));
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
    g_autoptr(LacInputFile) file = load_arrays(path, &error);
    g_assert_no_error(error);
    for (gsize i = 0; i < 9; i++)
      g_assert_cmpfloat(find_array(file, "v")->data[i], ==, sound_value(i));
    cut_file(&as_arrays, path);
    sound_write_mat_by_hand(path, big != 0, 10, 9);
    g_assert_null(load_arrays(path, &error));
    assert_sentence(error, path);
  }
}

/* ---- files of others ---- */

static void
test_published(gconstpointer data)
{
  static const struct {
    const char   *name;
    const Reader *reader;
  } files[] = {
    {"flow/burgers_shock.mat", &as_arrays},
    {"flow/burgers_shock.mat", &as_blocks},
    {"flow/KS.mat", &as_arrays},
    {"flow/jhtdb-channel_grid.h5", &as_arrays},
    {"flow/pinnacle-ns2d.dat", &as_columns},
    {"flow/rans-family/velocity0.20.csv.gz", &as_columns},
    {"images/camera.png", &as_arrays},
    {"images/hubble_deep_field.jpg", &as_arrays},
    {"images/mssim_matlab_output.npz", &as_arrays},
    {"images/simple.fits", &as_arrays},
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
