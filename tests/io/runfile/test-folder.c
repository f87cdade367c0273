/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run folder: saved data are read back from segments and from run.h5, complete or truncated. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/helpers/kept-run.h"
#include "io/runfile/folder.h"
#include "io/runfile/run-file.h"
#include "perf/trace/trace.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>
#include <unistd.h>

static char *
part(const char *folder, const char *name)
{
  return g_build_filename(folder, name, NULL);
}

static void
test_h5_equals_segments(void)
{
  g_autofree char      *out = test_folder_new();
  g_autofree char      *folder = kept_run_write(out, 20, TRUE);
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) whole = lac_run_file_open(folder, &error);
  g_assert_no_error(error);

  kept_run_assert(whole, 20);
  g_assert_cmpstr(whole->outcome, ==, "finished");
  g_assert_cmpstr(whole->detail, ==, "as planned");
  /* the assembled file alone */
  g_autofree char *h5 = part(folder, "run.h5"), *alone = part(out, "alone.h5");
  g_assert_cmpint(g_rename(h5, alone), ==, 0);
  g_autoptr(LacRunFile) copy = lac_run_file_open(alone, &error);
  g_assert_no_error(error);
  kept_run_assert(copy, 20);
  /* and assembled from the segments of a killed run, when opened through any of its files */
  g_autofree char      *killed = kept_run_write(out, 20, FALSE), *journal = part(killed, "journal");
  g_autofree char      *late = part(killed, "run.h5");
  g_autoptr(LacRunFile) again = lac_run_file_open(journal, &error);
  g_assert_no_error(error);
  kept_run_assert(again, 20);
  g_autoptr(LacRunFile) assembled = lac_run_file_open(late, &error);
  g_assert_no_error(error);
  kept_run_assert(assembled, 20);
  test_folder_remove(g_steal_pointer(&out));
}

/* Returns: (nullable): the span of the assembly, which is the last record. */
static const LacRecord *
find_assembly(const LacRunFile *run)
{
  const LacCapture *capture = run->capture;
  const gsize       n = lac_capture_get_n_records(capture);
  const LacRecord  *last = lac_capture_at(capture, n - 1);
  return g_str_equal(lac_capture_get_name(capture, last->name), LAC_SPAN_ASSEMBLY) ? last : NULL;
}

/* A run that ended has the time that its file took after its last record; one that was killed has not. */
static void
test_assembly_is_timed(void)
{
  g_autofree char      *out = test_folder_new();
  g_autoptr(GError)     error = NULL;
  g_autofree char      *ended = kept_run_write(out, 8, TRUE);
  g_autoptr(LacRunFile) run = lac_run_file_open(ended, &error);
  g_assert_no_error(error);
  const LacRecord *span = find_assembly(run);
  g_assert_nonnull(span);
  g_assert_cmpint(span->duration_ns, >, 0);
  g_assert_cmpint(span->step, ==, -1);
  for (gsize i = 0; i + 1 < lac_capture_get_n_records(run->capture); i++) {
    const LacRecord *record = lac_capture_at(run->capture, i);
    g_assert_false(
      g_str_equal(lac_capture_get_name(run->capture, record->name), LAC_SPAN_ASSEMBLY));
    if (record->kind == LAC_RECORD_SPAN)
      g_assert_cmpint(record->start_ns + record->duration_ns, <=, span->start_ns);
  }
  g_autofree char      *killed = kept_run_write(out, 8, FALSE);
  g_autoptr(LacRunFile) late = lac_run_file_open(killed, &error);
  g_assert_no_error(error);
  g_assert_null(find_assembly(late));
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_cut_anywhere(void)
{
  g_autofree char         *out = test_folder_new();
  g_autofree char         *folder = kept_run_write(out, 6, FALSE);
  static const char *const names[] = {"journal", "records", "frames"};

  for (gsize p = 2; p < 3; p--) {
    g_autofree char *path = part(folder, names[p]);
    GStatBuf         about;
    g_assert_cmpint(g_stat(path, &about), ==, 0);
    off_t step = MAX(about.st_size / 40, 1);
    for (off_t length = about.st_size; length > 0; length -= step) {
      g_autoptr(GError) error = NULL;
      g_assert_cmpint(truncate(path, length), ==, 0);
      g_autoptr(LacRunFile) run = lac_run_file_open(folder, &error);
      if (run == NULL) { /* only when the header itself is missing */
        g_assert_cmpuint(p, ==, 0);
        g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
        g_assert_cmpint(length, <, 4000);
        continue;
      }
      g_assert_cmpstr(run->outcome, ==, "interrupted");
      g_assert_cmpuint(run->n_series, <=, 6);
      for (gsize i = 0; i < run->n_frames; i++) {
        g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, i, &error);
        g_assert_no_error(error);
        g_assert_cmpint(frame->step, ==, run->frame_step[i]);
      }
    }
  }
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_reopen_cuts_back(void)
{
  g_autofree char    *out = test_folder_new();
  g_autofree char    *folder = kept_run_write(out, 10, FALSE); /* checkpoint after step 5 */
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacStore) store = NULL;
  gint64              step;
  double              seconds;

  g_autoptr(LacRunFolder) again = lac_run_folder_reopen(folder, &store, &step, &seconds, &error);
  g_assert_no_error(error);
  g_assert_cmpint(step, ==, 5);
  g_assert_cmpfloat(seconds, ==, 0.5);
  const double *theta = lac_store_get(store, "theta", 4, 2, 8, &error);
  g_assert_no_error(error);
  g_assert_cmpfloat(theta[7], ==, 7.5);
  g_assert_cmpmem(lac_store_get(store, "note", 3, 1, 4, &error), 12, "abcdefghijkl", 12);
  const gint64 last = lac_run_folder_get_last_frame(again);
  g_clear_pointer(&again, lac_run_folder_close);
  g_autoptr(LacRunFile) run = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  kept_run_assert(run, 5);
  g_assert_cmpint(last, ==, run->frame_step[run->n_frames - 1]);
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_without_checkpoint(void)
{
  g_autofree char    *out = test_folder_new();
  g_autofree char    *folder = kept_run_write(out, 3, FALSE);
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacStore) store = NULL;
  gint64              step;
  double              seconds;

  g_autoptr(LacRunFolder) again = lac_run_folder_reopen(folder, &store, &step, &seconds, &error);
  g_assert_no_error(error);
  g_assert_cmpint(step, ==, 0);
  g_assert_cmpuint(lac_store_get_n_entries(store), ==, 0);
  g_assert_cmpint(lac_run_folder_get_last_frame(again), ==, -1);
  g_clear_pointer(&again, lac_run_folder_close);
  g_autoptr(LacRunFile) run = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(run->n_series, ==, 0);
  g_assert_cmpuint(run->n_frames, ==, 0);
  g_assert_cmpuint(run->n_settings, ==, 2);
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_damaged_checkpoint(void)
{
  g_autofree char    *out = test_folder_new();
  g_autofree char    *folder = kept_run_write(out, 10, FALSE);
  g_autofree char    *path = part(folder, "checkpoint");
  g_autofree char    *bytes = NULL;
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacStore) store = NULL;
  gsize               length;
  gint64              step;
  double              seconds;

  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  bytes[length / 2] ^= 1;
  g_assert_true(g_file_set_contents(path, bytes, (gssize) length, NULL));
  g_assert_null(lac_run_folder_reopen(folder, &store, &step, &seconds, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "delete it to resume from step 0"));
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_thinning(void)
{
  g_autofree char        *out = test_folder_new();
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacRunFolder) folder = kept_run_open(out);

  for (gint64 step = 0; step <= 11; step++) {
    if (step % lac_run_folder_get_stride(folder) == 0 || step == 11)
      kept_run_add_frame(folder, step);
    if (step == 4)
      g_assert_true(lac_run_folder_decimate(folder, 2, &error));
    if (step == 8)
      g_assert_true(lac_run_folder_decimate(folder, 4, &error));
  }
  g_autofree char *path = g_strdup(lac_run_folder_get_path(folder));
  g_clear_pointer(&folder, lac_run_folder_close);
  g_autoptr(LacRunFile) run = lac_run_file_open(path, &error);
  g_assert_no_error(error);
  const gint64 kept[] = {0, 4, 8, 11};
  g_assert_cmpmem(run->frame_step, run->n_frames * sizeof(gint64), kept, sizeof kept);
  g_assert_cmpint(lac_run_file_find_frame(run, 9), ==, 2);
  g_assert_cmpint(lac_run_file_find_frame(run, 100), ==, 3);
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_texts(void)
{
  g_autofree char        *out = test_folder_new();
  g_autoptr(LacRunFolder) folder = kept_run_open(out);
  g_autoptr(GError)       error = NULL;

  g_autofree char *path = g_build_filename(lac_run_folder_get_path(folder), "wisdom-f64", NULL);
  g_autofree char *text = NULL;

  g_assert_true(lac_run_folder_write_text(folder, "wisdom-f64", "(fftw 3)", &error));
  g_assert_true(g_file_get_contents(path, &text, NULL, &error));
  g_assert_cmpstr(text, ==, "(fftw 3)");
  g_assert_cmpuint(lac_run_folder_get_free_bytes(folder), >, 0);
  g_assert_cmpuint(lac_run_folder_get_bytes(folder), >, 100);
  test_folder_remove(g_steal_pointer(&out));
}

static void
test_foreign_files(void)
{
  g_autofree char  *out = test_folder_new();
  g_autofree char  *file = part(out, "some.h5"), *missing = part(out, "missing");
  g_autoptr(GError) error = NULL;

  g_assert_null(lac_run_file_open(missing, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_clear_error(&error);
  g_assert_null(lac_run_file_open(out, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, ".lacuna"));
  g_clear_error(&error);
  g_assert_true(g_file_set_contents(file, "not HDF5", -1, NULL));
  g_assert_null(lac_run_file_open(file, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "HDF5"));
  test_folder_remove(g_steal_pointer(&out));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/run-folder/h5-equals-segments", test_h5_equals_segments);
  g_test_add_func("/io/run-folder/the-assembly-is-timed", test_assembly_is_timed);
  g_test_add_func("/io/run-folder/cut-anywhere-still-opens", test_cut_anywhere);
  g_test_add_func("/io/run-folder/reopening-cuts-back-to-the-checkpoint", test_reopen_cuts_back);
  g_test_add_func("/io/run-folder/without-checkpoint-from-the-header", test_without_checkpoint);
  g_test_add_func("/io/run-folder/damaged-checkpoint-is-a-sentence", test_damaged_checkpoint);
  g_test_add_func("/io/run-folder/thinning-keeps-first-and-last", test_thinning);
  g_test_add_func("/io/run-folder/texts-beside-the-segments", test_texts);
  g_test_add_func("/io/run-folder/foreign-files-are-refused", test_foreign_files);
  return g_test_run();
}
