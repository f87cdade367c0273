/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs opened and frames loaded by several threads, also while a run is assembled. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/format/h5.h"
#include "io/helpers/kept-run.h"

#include <glib/gstdio.h>

#include <string.h>

#define N_THREADS 4

/* ---- turns ---- */

typedef struct {
  gint is_asking, n_turns;
} Turns;

static gpointer
take_turn(gpointer data)
{
  Turns *turns = data;

  g_atomic_int_set(&turns->is_asking, TRUE);
  lac_h5_lock();
  g_atomic_int_inc(&turns->n_turns);
  lac_h5_unlock();
  return NULL;
}

static void
test_yield(void)
{
  Turns turns = {0};

  lac_h5_lock();
  lac_h5_yield(); /* no other thread waits */
  GThread *other = g_thread_new("other", take_turn, &turns);
  while (!g_atomic_int_get(&turns.is_asking))
    g_usleep(1000);
  g_usleep(100000); /* from asking to waiting */
  g_assert_cmpint(g_atomic_int_get(&turns.n_turns), ==, 0);
  lac_h5_lock();
  lac_h5_yield(); /* nested: the outer caller has not agreed to it */
  g_assert_cmpint(g_atomic_int_get(&turns.n_turns), ==, 0);
  lac_h5_unlock();
  lac_h5_yield();
  g_assert_cmpint(g_atomic_int_get(&turns.n_turns), ==, 1);
  lac_h5_unlock();
  g_thread_join(other);
}

/* A vector of many slices is the same, in the file and read back, as one that is written at once. */
static void
test_slices(void)
{
  g_autofree char   *out = test_folder_new();
  g_autofree char   *path = g_build_filename(out, "vector.h5", NULL);
  const hsize_t      sizes[2] = {1000003, 3};
  const gsize        n = sizes[0] * sizes[1];
  g_autofree double *data = g_new(double, n), *row = g_new(double, 3);
  gsize              n_read;

  for (gsize i = 0; i < n; i++)
    data[i] = (double) i;
  lac_h5_lock();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t set = lac_h5_write(file, "v", H5T_NATIVE_DOUBLE, 2, sizes, data);
  g_assert_true(lac_h5_read_row(set, H5T_NATIVE_DOUBLE, 777777, row));
  g_assert_false(lac_h5_read_row(set, H5T_NATIVE_DOUBLE, sizes[0], row)); /* past the end */
  H5Dclose(set);
  g_autofree double *read =
    lac_h5_dup_vector(file, "v", H5T_NATIVE_DOUBLE, sizeof(double), &n_read);
  H5Fclose(file);
  lac_h5_unlock();
  g_assert_cmpmem(read, n_read * sizeof(double), data, n * sizeof(double));
  g_assert_cmpmem(row, 3 * sizeof(double), data + 3 * 777777, 3 * sizeof(double));
  test_folder_remove(g_steal_pointer(&out));
}

/* ---- reading while a run is assembled ---- */

#define LARGE_SIDE   256
#define LARGE_N      100
#define LEAST_STAGES 20

static char *
write_large(const char *place)
{
  g_autoptr(LacRunFolder) folder = kept_run_open(place);
  const gsize             sizes[2][2] = {{LARGE_SIDE, LARGE_SIDE}, {LARGE_SIDE, LARGE_SIDE}};
  g_autoptr(GRand)        noise = g_rand_new_with_seed(7);
  g_autoptr(GError)       error = NULL;

  for (gint64 step = 1; step <= LARGE_N; step++) {
    g_autoptr(LacFrame) frame = lac_frame_new(2, sizes, 0, 2);
    frame->step = step;
    for (gsize c = 0; c < 2; c++)
      for (gsize i = 0; i < (gsize) LARGE_SIDE * LARGE_SIDE; i++)
        frame->planes[c].data[i] = (float) g_rand_double(noise);
    lac_run_folder_frame(folder, frame, &error);
    g_assert_no_error(error);
  }
  g_assert_true(lac_run_folder_flush(folder, &error));
  return g_strdup(lac_run_folder_get_path(folder));
}

typedef struct {
  const char *folder;
  gint        is_done;
} Assembly;

static gpointer
assemble(gpointer data)
{
  Assembly   *assembly = data;
  LacRunFile *run = lac_run_file_open(assembly->folder, NULL);

  g_atomic_int_set(&assembly->is_done, TRUE);
  return run;
}

/* Returns the length that run.h5 has so far; 0 when there is none. */
static goffset
get_length(const char *folder)
{
  g_autofree char *draft = g_build_filename(folder, "run.h5.tmp", NULL);
  GStatBuf         about;

  return g_stat(draft, &about) == 0 ? about.st_size : 0;
}

/* Between two reads the file grows by as much as was written while the second one waited. With the lock held through the
 * assembly, a reader sees its beginning and its end only. */
static void
test_reading_while_assembling(void)
{
  g_autofree char      *out = test_folder_new();
  g_autofree char      *small = kept_run_write(out, 8, TRUE);
  g_autofree char      *large = write_large(out);
  g_autoptr(LacRunFile) run = lac_run_file_open(small, NULL);
  Assembly              assembly = {large};
  guint                 n_stages = 0;
  goffset               length = 0;

  GThread *worker = g_thread_new("assembly", assemble, &assembly);
  for (gsize i = 0; !g_atomic_int_get(&assembly.is_done); i++) {
    g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i % 8, NULL);
    const goffset       before = length;
    g_assert_cmpfloat(frame->planes[1].data[3], ==, kept_run_value((gint64) (i % 8) + 1, 1, 3));
    length = get_length(large);
    n_stages += length != before;
  }
  g_autoptr(LacRunFile) assembled = g_thread_join(worker);
  g_assert_null(assembled->unassembled);
  g_assert_cmpuint(assembled->n_frames, ==, LARGE_N);
  g_test_message("a reader saw %u lengths of the file", n_stages);
  g_assert_cmpuint(n_stages, >=, LEAST_STAGES);
  test_folder_remove(g_steal_pointer(&out));
}

/* The planes are packed by this program and unpacked by HDF5. */
static void
test_packing(void)
{
  g_autofree char      *out = test_folder_new();
  g_autofree char      *folder = write_large(out);
  g_autoptr(LacRunFile) before = lac_run_file_open_fields(folder, NULL);
  g_autoptr(LacRunFile) first = lac_run_file_open(folder, NULL); /* assembles run.h5 */
  g_autoptr(LacRunFile) after = lac_run_file_open(folder, NULL);

  g_assert_cmpuint(first->n_frames, ==, LARGE_N);
  g_assert_cmpuint(after->n_frames, ==, LARGE_N);
  for (gsize i = 0; i < LARGE_N; i += 37) {
    g_autoptr(LacFrame) one = lac_run_file_load_frame(before, i, NULL);
    g_autoptr(LacFrame) other = lac_run_file_load_frame(after, i, NULL);
    const gsize         n_bytes = sizeof(float) * LARGE_SIDE * LARGE_SIDE;
    for (gsize c = 0; c < 2; c++)
      g_assert_cmpmem(one->planes[c].data, n_bytes, other->planes[c].data, n_bytes);
  }
  test_folder_remove(g_steal_pointer(&out));
}

/* ---- threads ---- */

static gpointer
load_all(gpointer data)
{
  const LacRunFile *run = data;

  for (guint round = 0; round < 5; round++)
    for (gsize i = 0; i < run->n_frames; i++) {
      g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, NULL);
      const gint64        step = run->frame_step[i];
      g_assert_cmpint(frame->step, ==, step);
      g_assert_cmpfloat(frame->planes[0].data[7], ==, kept_run_value(step, 0, 7));
      g_assert_cmpfloat(frame->metrics[1], ==, (double) step);
      g_assert_cmpfloat(frame->markers[0].y, ==, 0.125 * (double) step);
    }
  return NULL;
}

static gpointer
open_run(gpointer folder)
{
  g_autoptr(GError) error = NULL;
  LacRunFile       *run = lac_run_file_open(folder, &error);

  g_assert_no_error(error);
  return run;
}

/* Opened by a worker, read here and by others at once; in segments, and assembled. */
static void
test_handed_over(void)
{
  g_autofree char *out = test_folder_new();
  g_autofree char *folder = kept_run_write(out, 30, FALSE);

  for (guint k = 0; k < 2; k++) {
    g_autoptr(LacRunFile) run = g_thread_join(g_thread_new("open", open_run, folder));
    GThread              *threads[N_THREADS];
    kept_run_assert(run, 30);
    for (guint t = 0; t < N_THREADS; t++)
      threads[t] = g_thread_new("load", load_all, run);
    for (guint t = 0; t < N_THREADS; t++)
      g_thread_join(threads[t]);
  }
  test_folder_remove(g_steal_pointer(&out));
}

/* No thread takes another that assembles the run for its writer. */
static void
test_opened_at_once(void)
{
  for (guint k = 0; k < 5; k++) {
    g_autofree char *out = test_folder_new();
    g_autofree char *folder = kept_run_write(out, 20, FALSE);
    GThread         *threads[N_THREADS];

    for (guint t = 0; t < N_THREADS; t++)
      threads[t] = g_thread_new("open", open_run, folder);
    for (guint t = 0; t < N_THREADS; t++) {
      g_autoptr(LacRunFile) run = g_thread_join(threads[t]);
      g_assert_cmpstr(run->outcome, ==, "interrupted");
      kept_run_assert(run, 20);
    }
    test_folder_remove(g_steal_pointer(&out));
  }
}

/* ---- files that stay open ---- */

static guint
count_descriptors(void)
{
  g_autoptr(GDir) dir = g_dir_open("/proc/self/fd", 0, NULL);
  guint           n = 0;

  while (dir != NULL && g_dir_read_name(dir) != NULL)
    n++;
  return n;
}

static void
test_many_runs(void)
{
  const guint          n_runs = 40;
  g_autofree char     *out = test_folder_new();
  g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_file_unref);
  const guint          before = count_descriptors();

  for (guint r = 0; r < n_runs; r++) {
    g_autofree char *folder = kept_run_write(out, 6, TRUE);
    g_ptr_array_add(runs, lac_run_file_open(folder, NULL));
  }
  for (guint r = 0; r < n_runs; r++)
    load_all(g_ptr_array_index(runs, r));
  g_assert_cmpuint(count_descriptors(), <, before + n_runs / 2 + 4);
  g_ptr_array_set_size(runs, 0);
  g_assert_cmpuint(count_descriptors(), <=, before + 2); /* the connection to the reader */
  test_folder_remove(g_steal_pointer(&out));
}

/* A frame is found by its step in the file that has taken the place of the open one. */
static void
test_replaced_file(void)
{
  g_autofree char *out = test_folder_new();
  g_autofree char *folder = kept_run_write(out, 9, TRUE), *other = kept_run_write(out, 6, TRUE);
  g_autofree char *h5 = g_build_filename(folder, "run.h5", NULL);
  g_autofree char *other_h5 = g_build_filename(other, "run.h5", NULL);
  g_autoptr(LacRunFile) run = lac_run_file_open(folder, NULL);
  g_autoptr(LacFrame)   first = lac_run_file_load_frame(run, 8, NULL);
  g_autoptr(GError)     error = NULL;

  g_assert_cmpint(first->step, ==, 9);
  g_assert_cmpint(g_rename(other_h5, h5), ==, 0);
  g_assert_null(lac_run_file_load_frame(run, 8, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, 4, NULL);
  g_assert_cmpfloat(frame->planes[0].data[1], ==, kept_run_value(5, 0, 1));
  g_assert_cmpint(g_unlink(h5), ==, 0); /* a run that is deleted meanwhile stays readable */
  g_autoptr(LacFrame) last = lac_run_file_load_frame(run, 5, NULL);
  g_assert_cmpint(last->step, ==, 6);
  test_folder_remove(g_steal_pointer(&out));
}

/* ---- the cost of one frame ---- */

/* Returns the bytes that this process has read; -1 when the system does not say. */
static gint64
count_read_bytes(void)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents("/proc/self/io", &text, NULL, NULL))
    return -1;
  const char *line = strstr(text, "rchar: ");
  return line != NULL ? g_ascii_strtoll(line + strlen("rchar: "), NULL, 10) : -1;
}

/* Returns the bytes read to load a frame, when another one was loaded before. */
static gint64
measure_load(const char *place, gint64 n_steps, gboolean finished)
{
  g_autofree char      *folder = kept_run_write(place, n_steps, finished);
  g_autoptr(LacRunFile) run =
    finished ? lac_run_file_open(folder, NULL) : lac_run_file_open_fields(folder, NULL);
  g_autoptr(LacFrame) first = lac_run_file_load_frame(run, 1, NULL);
  const gint64        before = count_read_bytes();
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, run->n_frames / 2, NULL);
  const gint64        after = count_read_bytes();

  g_assert_cmpint(frame->step, ==, run->frame_step[run->n_frames / 2]);
  return after - before;
}

static void
test_cost(gconstpointer finished)
{
  const gint64     few = 20, many = 4000, index_bytes = 16384;
  g_autofree char *out = test_folder_new();

  if (count_read_bytes() < 0) {
    g_test_skip("the system does not count the bytes that are read");
  } else {
    const gint64 of_few = measure_load(out, few, finished != NULL);
    const gint64 of_many = measure_load(out, many, finished != NULL);
    g_test_message("%" G_GINT64_FORMAT " and %" G_GINT64_FORMAT " bytes", of_few, of_many);
    /* a segment is read with what follows it, up to a fixed length */
    g_assert_cmpint(of_many, <, MAX(of_few, 65536) + index_bytes);
  }
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/run-threads/a-waiting-thread-has-its-turn-at-a-yield", test_yield);
  g_test_add_func("/io/run-threads/slices-make-the-whole", test_slices);
  g_test_add_func("/io/run-threads/frames-are-read-while-a-run-is-assembled",
                  test_reading_while_assembling);
  g_test_add_func("/io/run-threads/hdf5-unpacks-what-was-packed", test_packing);
  g_test_add_func("/io/run-threads/a-run-opened-by-a-worker-is-read-by-all", test_handed_over);
  g_test_add_func("/io/run-threads/threads-that-open-a-run-at-once-all-have-it-whole",
                  test_opened_at_once);
  g_test_add_func("/io/run-threads/few-of-many-runs-stay-open", test_many_runs);
  g_test_add_func("/io/run-threads/a-frame-is-found-in-a-replaced-file", test_replaced_file);
  g_test_add_data_func("/io/run-threads/a-frame-costs-itself-in-a-file", GINT_TO_POINTER(TRUE),
                       test_cost);
  g_test_add_data_func("/io/run-threads/a-frame-costs-itself-in-segments", NULL, test_cost);
  return g_test_run();
}
