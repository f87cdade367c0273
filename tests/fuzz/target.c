/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of untrusted files: seeds, and how each is read. */
#include "target.h"

#include "io/format/h5.h"
#include "io/format/segment.h"
#include "io/helpers/archive.h"
#include "io/helpers/kept-run.h"
#include "io/helpers/picture-files.h"
#include "io/input/input.h"
#include "io/input/measurements-table.h"
#include "io/input/molecule-file.h"
#include "io/runfile/checkpoint.h"
#include "io/runfile/place.h"
#include "io/runfile/run-file.h"
#include "io/trace/trace-file.h"
#include "perf/trace/trace.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include <matio.h>
#include <string.h>

static GByteArray *
bytes_of(gconstpointer data, gsize length)
{
  return g_byte_array_append(g_byte_array_new(), data, (guint) length);
}

static GPtrArray *
seeds_new(void)
{
  return g_ptr_array_new_with_free_func((GDestroyNotify) g_byte_array_unref);
}

static void
add_file(GPtrArray *seeds, const char *path)
{
  g_autofree char *text = NULL;
  gsize            length;

  g_assert_true(g_file_get_contents(path, &text, &length, NULL));
  g_ptr_array_add(seeds, bytes_of(text, length));
}

/* Writes without a temporary name: durability is not needed here. */
static char *
put_file(const char *folder, const char *name, const guint8 *bytes, gsize length)
{
  char *path = g_build_filename(folder, name, NULL);

  g_unlink(path); /* otherwise the end of a longer file remains */
  g_assert_true(g_file_set_contents_full(path, (const char *) bytes, (gssize) length,
                                         G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  return path;
}

/* ---- data files ---- */

/* Reads the last index of the slowest axis of a series left in its file. */
static void
read_corner(LacGridField *series)
{
  gsize              start[LAC_FIELD_MAX_AXES] = {series->axes[0].n - 1}, count[LAC_FIELD_MAX_AXES];
  const gsize        n = lac_field_get_length(series) / series->axes[0].n;
  g_autofree double *numbers = g_new(double, n);

  for (guint i = 0; i < series->n_axes; i++)
    count[i] = i == 0 ? 1 : series->axes[i].n;
  lac_field_read(series, start, count, numbers, NULL);
}

static void
read_data(const char *folder, const guint8 *bytes, gsize length)
{
  g_autofree char        *path = put_file(folder, "some", bytes, length);
  g_autofree char        *reported = lac_input_describe(path, NULL);
  guint                   n_axes = 0;
  LacInputKind            kind;
  g_autofree char        *first = lac_input_dup_first_field(path, &kind, &n_axes);
  g_autoptr(LacGridField) field = first != NULL ? lac_input_load(first, "field", NULL) : NULL;
  g_autoptr(LacGridField) series = first != NULL ? lac_input_load(first, "series", NULL) : NULL;
  g_autoptr(LacGridField) picture = first != NULL ? lac_input_load(first, "picture", NULL) : NULL;

  if (series != NULL)
    read_corner(series);
}

static void
read_measurements(const char *folder, const guint8 *bytes, gsize length)
{
  g_autofree char           *path = put_file(folder, "some", bytes, length);
  g_autoptr(LacMeasurements) measurements = lac_measurements_read(path, NULL);
}

static void
read_molecule(const char *folder, const guint8 *bytes, gsize length)
{
  g_autofree char       *path = put_file(folder, "some.xyz", bytes, length);
  g_autoptr(LacMolecule) molecule = lac_molecule_file_read(path, NULL);
}

static GPtrArray *
seed_molecules(const char *folder)
{
  static const char *const texts[] = {
    "3\nwater\nO 0 0 0.1173\nH 0 0.7572 -0.4692\nH 0 -0.7572 -0.4692\n",
    "2\r\n-1 2\r\n2\t0 0 0 0.1\r\nhe 0 0 1e0\r\n",
    "1\ncharge=+1 multiplicity=2 units=bohr Properties=species:S:1:pos:R:3\nHe 0 0 0\n1\n\nH 0 0 "
    "0\n",
  };
  GPtrArray *seeds = seeds_new();

  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    g_ptr_array_add(seeds, bytes_of(texts[i], strlen(texts[i])));
  return seeds;
}

static const char *const tables[] = {
  "x,y,t,quantity,value,sigma\n1,2,3,u,0.5,0.1\n1,2,4,u,,0.1\n",
  "# remark\n\nx [m];y (m);u [m/s]\n0;0;1\n1;0;2\n0;1;nan\n1;1;1.79e308\n",
  "\"U:0\",\"U:1\",\"p\",\"Points:0\",\"Points:1\",\"Points:2\"\r\n1,2,5,0.1,0.2,0\r\n",
  "% Model: a.mph\n% x    y    u (m/s) @ t=0    u (m/s) @ t=1   p @ Re=1\n0 0 1 2 3\n1 0 4 5 6\n",
};

static GPtrArray *
seed_tables(const char *folder)
{
  GPtrArray *seeds = seeds_new();

  for (gsize i = 0; i < G_N_ELEMENTS(tables); i++)
    g_ptr_array_add(seeds, bytes_of(tables[i], strlen(tables[i])));
  return seeds;
}

static GPtrArray *
seed_packed_tables(const char *folder)
{
  GPtrArray *seeds = seeds_new();

  for (gsize i = 0; i < G_N_ELEMENTS(tables); i++) {
    g_autoptr(GZlibCompressor) packer = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
    guint8                     packed[1024];
    gsize                      n_read, n_written;

    g_converter_convert(G_CONVERTER(packer), tables[i], strlen(tables[i]), packed, sizeof packed,
                        G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
    g_ptr_array_add(seeds, bytes_of(packed, n_written));
  }
  return seeds;
}

static const double some_numbers[6] = {1, 2, 3, 4, 5, 6};

static GPtrArray *
seed_npy(const char *folder)
{
  GPtrArray *seeds = seeds_new();

  g_ptr_array_add(seeds, npy_bytes("(3, 2)", some_numbers, 6));
  g_ptr_array_add(seeds, npy_bytes("()", some_numbers, 1));
  return seeds;
}

static GPtrArray *
seed_npz(const char *folder)
{
  GPtrArray            *seeds = seeds_new();
  g_autofree char      *path = g_build_filename(folder, "some.npz", NULL);
  g_autoptr(GByteArray) x = npy_bytes("(3,)", some_numbers, 3),
                        t = npy_bytes("(2,)", some_numbers, 2);
  g_autoptr(GByteArray) u = npy_bytes("(3, 2)", some_numbers, 6);
  const ArchiveMember   members[] = {{"x.npy", x}, {"t.npy", t}, {"u.npy", u}, {"note", x}};

  for (guint deflate = 0; deflate < 2; deflate++) {
    archive_write(path, members, G_N_ELEMENTS(members), deflate != 0);
    add_file(seeds, path);
  }
  return seeds;
}

static GPtrArray *
seed_mat(const char *folder)
{
  GPtrArray       *seeds = seeds_new();
  g_autofree char *path = g_build_filename(folder, "some.mat", NULL);
  size_t           sizes[2] = {3, 2};

  for (guint zip = 0; zip < 2; zip++) {
    mat_t    *mat = Mat_CreateVer(path, NULL, MAT_FT_MAT5);
    matvar_t *variable =
      Mat_VarCreate("u", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes, (gpointer) some_numbers, 0);
    Mat_VarWrite(mat, variable, zip ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE);
    Mat_VarFree(variable);
    Mat_Close(mat);
    add_file(seeds, path);
  }
  return seeds;
}

static GPtrArray *
seed_h5(const char *folder)
{
  GPtrArray       *seeds = seeds_new();
  g_autofree char *path = g_build_filename(folder, "some.h5", NULL);
  const hsize_t    sizes[] = {1, 1, 2, 3};
  static const struct {
    const char *name;
    gsize       n;
  } axes[] = {{"xcoor", 2}, {"ycoor", 1}, {"zcoor", 1}};

  lac_h5_lock();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (gsize i = 0; i < G_N_ELEMENTS(axes); i++)
    g_assert_true(
      lac_h5_write_vector(file, axes[i].name, H5T_NATIVE_DOUBLE, axes[i].n, some_numbers));
  hid_t set = lac_h5_write(file, "Velocity_0001", H5T_NATIVE_DOUBLE, 4, sizes, some_numbers);
  g_assert_true(lac_h5_put_text(set, "units", "m/s"));
  g_assert_true(lac_h5_put_real(set, "_FillValue", 6));
  H5Dclose(set);
  H5Fclose(file);
  lac_h5_unlock();
  add_file(seeds, path);
  return seeds;
}

static GPtrArray *
seed_pictures(const char *folder)
{
  static const PictureTiff kinds[] = {
    {3, 16, PLANARCONFIG_CONTIG, PHOTOMETRIC_RGB, COMPRESSION_LZW, 0},
    {3, 8, PLANARCONFIG_SEPARATE, PHOTOMETRIC_RGB, COMPRESSION_NONE, 16},
  };
  GPtrArray       *seeds = seeds_new();
  g_autofree char *path = g_build_filename(folder, "some", NULL);

  picture_write_png(path, 4, 16, 1);
  add_file(seeds, path);
  picture_write_jpeg(path, 3);
  add_file(seeds, path);
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
    picture_write_tiff(path, &kinds[i], "w");
    add_file(seeds, path);
  }
  return seeds;
}

static GPtrArray *
seed_fits(const char *folder)
{
  GPtrArray       *seeds = seeds_new();
  g_autofree char *path = g_build_filename(folder, "some", NULL);

  picture_write_fits(path);
  add_file(seeds, path);
  return seeds;
}

/* ---- a run folder ---- */

static GPtrArray *
seed_part(const char *folder, const char *part)
{
  GPtrArray       *seeds = seeds_new();
  g_autofree char *run = kept_run_write(folder, 6, FALSE);
  g_autofree char *path = g_build_filename(run, part, NULL);

  add_file(seeds, path);
  return seeds;
}

/* Recomputes the checksums of damaged segments: damage that checksums do not detect. */
static void
mend(GByteArray *bytes)
{
  LacSegmentHead head;

  for (gsize at = 0; at + sizeof head <= bytes->len;) {
    memcpy(&head, bytes->data + at, sizeof head);
    head.magic = LAC_SEGMENT_MAGIC;
    head.length = MIN(head.length, bytes->len - at - sizeof head);
    const struct iovec part = {bytes->data + at + sizeof head, head.length};
    head.crc = lac_segment_crc(head.type, head.length, &part, 1);
    memcpy(bytes->data + at, &head, sizeof head);
    at += sizeof head + ((head.length + 7) & ~(gsize) 7);
  }
}

/* Reads everything that opening, showing and resuming a run would read. @busy: acts as if another process wrote the
 * run, so that no run.h5 is assembled, which is slow. */
static void
read_run(const char *path, gboolean busy)
{
  gboolean              is_taken;
  const int             lock = busy ? lac_run_place_lock(path, &is_taken) : -1;
  g_autoptr(LacRunFile) run = lac_run_file_open(path, NULL);
  g_autofree char      *reported = run != NULL ? lac_run_file_describe(run) : NULL;
  g_autoptr(LacStore)   store = NULL;
  LacCheckpointEntry    entry;

  for (gsize i = 0; run != NULL && i < run->n_frames; i++) {
    g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, NULL);
  }
  lac_run_checkpoint_read(path, &entry, &store, NULL);
  if (lock >= 0)
    lac_run_place_unlock(lock);
}

/* Reads an intact run with one part replaced: unchanged, and with recomputed checksums. */
static void
read_part(const char *folder, const char *part, const guint8 *bytes, gsize length)
{
  g_autofree char *run_path = g_build_filename(folder, "run.lacuna", NULL);

  if (!g_file_test(run_path, G_FILE_TEST_EXISTS)) {
    g_autofree char *made = kept_run_write(folder, 6, FALSE);
    g_assert_cmpint(g_rename(made, run_path), ==, 0);
  }
  g_autofree char *path = g_build_filename(run_path, part, NULL), *sound = NULL;
  g_autofree char *assembled = g_build_filename(run_path, "run.h5", NULL);
  gsize            n_sound;
  g_assert_true(g_file_get_contents(path, &sound, &n_sound, NULL));
  for (guint mended = 0; mended < 2; mended++) {
    g_autoptr(GByteArray) copy = bytes_of(bytes, length);
    if (mended)
      mend(copy);
    g_autofree char *at = put_file(run_path, part, copy->data, copy->len);
    read_run(run_path, length % 8 != 0);
    g_unlink(assembled);
  }
  g_autofree char *back = put_file(run_path, part, (const guint8 *) sound, n_sound);
}

/* Returns the run.h5 of a run without its folder. */
static GPtrArray *
seed_assembled(const char *folder)
{
  GPtrArray       *seeds = seeds_new();
  g_autofree char *run = kept_run_write(folder, 6, TRUE);
  g_autofree char *path = g_build_filename(run, "run.h5", NULL);

  add_file(seeds, path);
  return seeds;
}

static void
read_assembled(const char *folder, const guint8 *bytes, gsize length)
{
  g_autofree char      *path = put_file(folder, "alone.h5", bytes, length);
  g_autoptr(LacRunFile) run = lac_run_file_open(path, NULL);
  g_autofree char      *reported = run != NULL ? lac_run_file_describe(run) : NULL;

  for (gsize i = 0; run != NULL && i < run->n_frames; i++) {
    g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, NULL);
  }
}

#define PART(name)                                                               \
  static GPtrArray *seed_##name(const char *folder)                              \
  {                                                                              \
    return seed_part(folder, #name);                                             \
  }                                                                              \
  static void read_##name(const char *folder, const guint8 *bytes, gsize length) \
  {                                                                              \
    read_part(folder, #name, bytes, length);                                     \
  }

PART(journal)
PART(records)
PART(frames)
PART(checkpoint)

/* ---- traces of others ---- */

static const char *const traces[] = {
  "{\"otherData\":{\"program\":\"Lacuna\"},\"traceEvents\":[{\"ph\":\"M\",\"pid\":1,\"tid\":2,"
  "\"name\":"
  "\"thread_name\",\"args\":{\"name\":\"main\"}},{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"name\":"
  "\"a\\u00b5\","
  "\"ts\":1.5,\"dur\":2e1,\"args\":{\"step\":1,\"flops\":2.5e9,\"cpu_peak_bytes\":7}},{\"ph\":"
  "\"X\",\"pid\":1,"
  "\"tid\":2,\"name\":\"b\",\"ts\":3,\"dur\":40,\"args\":{\"begin_ns\":3,\"total_ns\":9}}]}",
  "[{\"ph\":\"B\",\"pid\":\"p\",\"tid\":-1,\"ts\":-4,\"name\":\"x\"},{\"ph\":\"E\",\"pid\":\"p\","
  "\"tid\":-1,"
  "\"ts\":5},{\"ph\":\"C\",\"ts\":6,\"name\":\"n\",\"args\":{\"a\":1,\"b\":[{}]}},{\"ph\":\"b\","
  "\"id\":\"0x1\","
  "\"ts\":1},{\"ph\":\"e\",\"id\":\"0x1\",\"ts\":2},{\"ph\":\"i\",\"ts\":\"7\"},{},\n",
  "[{\"ph\":\"X\",\"ts\":1,\"dur\":9,\"tid\":1,\"name\":\"ProfilerStep#4\"},{\"ph\":\"X\",\"ts\":2,"
  "\"dur\":3,\"tid\":1,\"name\":\"mm\"},{\"ph\":\"X\",\"ts\":11,\"dur\":9,\"tid\":2,\"name\":"
  "\"ProfilerStep#5\"},{\"ph\":\"X\",\"ts\":30,\"dur\":9,\"name\":\"t\",\"args\":{\"step_num\":"
  "\"6\"}}]",
};

static GPtrArray *
seed_traces(const char *folder)
{
  GPtrArray *seeds = seeds_new();

  for (gsize i = 0; i < G_N_ELEMENTS(traces); i++)
    g_ptr_array_add(seeds, bytes_of(traces[i], strlen(traces[i])));
  g_autofree char *path =
    put_file(folder, "some.json", (const guint8 *) traces[0], strlen(traces[0]));
  g_autofree char      *proto = g_build_filename(folder, "some.pftrace", NULL);
  g_autoptr(LacCapture) capture = lac_trace_open(path, NULL, NULL);
  g_assert_true(lac_trace_write(capture, proto, NULL));
  add_file(seeds, proto);
  return seeds;
}

static void
read_trace(const char *folder, const guint8 *bytes, gsize length)
{
  g_autofree char      *path = put_file(folder, "some.json", bytes, length);
  g_auto(LacTraceFacts) facts = {0};
  g_autoptr(LacCapture) capture = lac_trace_open(path, &facts, NULL);
  g_autofree char *reported = capture != NULL ? lac_trace_describe(capture, path, &facts) : NULL;
}

static const FuzzTarget targets[] = {
  {"trace", 2000, seed_traces, read_trace},
  {"table", 1500, seed_tables, read_data},
  {"packed", 1000, seed_packed_tables, read_data},
  {"measurements", 1500, seed_tables, read_measurements},
  {"molecule", 3000, seed_molecules, read_molecule},
  {"npy", 1000, seed_npy, read_data},
  {"npz", 1500, seed_npz, read_data},
  {"mat", 40, seed_mat, read_data},
  {"h5", 40, seed_h5, read_data},
  {"picture", 60, seed_pictures, read_data},
  {"fits", 1500, seed_fits, read_data},
  {"journal", 60, seed_journal, read_journal},
  {"records", 60, seed_records, read_records},
  {"frames", 60, seed_frames, read_frames},
  {"checkpoint", 60, seed_checkpoint, read_checkpoint},
  {"run", 60, seed_assembled, read_assembled},
};

const FuzzTarget *
fuzz_targets(gsize *n)
{
  *n = G_N_ELEMENTS(targets);
  return targets;
}
