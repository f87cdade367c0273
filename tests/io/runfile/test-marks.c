/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timeline marks: round trip with labels, in order; damaged files count as empty. */
#include "io/runfile/marks.h"

#include <glib/gstdio.h>

#include <string.h>

static const LacRunMark *
mark_at(const GArray *marks, guint i)
{
  return &g_array_index(marks, LacRunMark, i);
}

static void
test_marks_come_back(void)
{
  GError          *error = NULL;
  g_autofree char *folder = g_dir_make_tmp("lacuna-marks-XXXXXX", &error);
  g_assert_no_error(error);
  g_autoptr(GArray) marks = lac_run_marks_new();
  g_autoptr(GArray) none = lac_run_marks_read(folder);
  g_assert_cmpuint(none->len, ==, 0);
  lac_run_marks_add(marks, 900, " the loss jumps\nhere — ");
  g_assert_cmpuint(lac_run_marks_add(marks, -5, NULL), ==, 0);
  g_assert_cmpuint(lac_run_marks_add(marks, G_MAXINT64, "the end"), ==, 2);
  lac_run_marks_set_words(marks, 2, "");
  g_assert_true(lac_run_marks_write(folder, marks, &error));
  g_assert_no_error(error);
  g_autoptr(GArray) read = lac_run_marks_read(folder);
  g_assert_cmpuint(read->len, ==, 3);
  g_assert_cmpint(mark_at(read, 0)->time_ns, ==, -5);
  g_assert_cmpstr(mark_at(read, 0)->words, ==, "");
  g_assert_cmpint(mark_at(read, 1)->time_ns, ==, 900);
  g_assert_cmpstr(mark_at(read, 1)->words, ==, "the loss jumps here —");
  g_assert_cmpint(mark_at(read, 2)->time_ns, ==, G_MAXINT64);
  g_assert_cmpstr(mark_at(read, 2)->words, ==, "");

  g_autofree char *path = g_build_filename(folder, "marks", NULL);
  g_assert_true(g_file_set_contents(
    path, "12\nnot a time\n\n7e3\n99999999999999999999\n8 \n11 \xff broken\n", -1, NULL));
  g_autoptr(GArray) damaged = lac_run_marks_read(folder);
  g_assert_cmpuint(damaged->len, ==, 3);
  g_assert_cmpint(mark_at(damaged, 0)->time_ns, ==, 8);
  g_assert_cmpint(mark_at(damaged, 1)->time_ns, ==, 11);
  g_assert_true(g_utf8_validate(mark_at(damaged, 1)->words, -1, NULL));
  g_assert_cmpint(mark_at(damaged, 2)->time_ns, ==, 12);

  g_assert_true(lac_run_marks_write(folder, none, &error));
  g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
  g_assert_true(lac_run_marks_write(folder, none, &error)); /* deleting a missing file succeeds */
  g_rmdir(folder);
  g_assert_false(lac_run_marks_write(folder, marks, &error));
  g_assert_nonnull(error);
  g_clear_error(&error);
}

/* Long labels are cut between characters. */
static void
test_long_words(void)
{
  g_autoptr(GArray)  marks = lac_run_marks_new();
  g_autoptr(GString) words = g_string_new("x");
  for (int i = 0; i < 200; i++)
    g_string_append(words, "é");
  lac_run_marks_add(marks, 1, words->str);
  g_assert_cmpuint(strlen(mark_at(marks, 0)->words), <=, LAC_RUN_MARK_MOST);
  g_assert_cmpuint(strlen(mark_at(marks, 0)->words), >=, LAC_RUN_MARK_MOST - 1);
  g_assert_true(g_utf8_validate(mark_at(marks, 0)->words, -1, NULL));
}

/* In the copied capture, marks are records too; the recorded data are unchanged. */
static void
test_among_records(void)
{
  g_autofree char      *folder = g_dir_make_tmp("lacuna-marks-XXXXXX", NULL);
  g_autofree char      *path = g_build_filename(folder, "marks", NULL);
  g_autoptr(LacCapture) capture = lac_capture_new("a run");
  g_autoptr(GArray)     marks = lac_run_marks_new();
  LacRecord             record = {.kind = LAC_RECORD_SPAN, .duration_ns = 50, .count = 1};
  lac_capture_add_name(capture, "step");
  lac_capture_add_lane(capture, "compute");
  lac_capture_append(capture, &record, 1);
  g_autoptr(LacCapture) same = lac_run_marks_ref_capture(folder, capture);
  g_assert_true(same == capture);
  lac_run_marks_add(marks, 20, "step"); /* same text as an existing name */
  lac_run_marks_add(marks, 10, "odd");
  g_assert_true(lac_run_marks_write(folder, marks, NULL));
  g_autoptr(LacCapture) marked = lac_run_marks_ref_capture(folder, capture);
  g_assert_cmpuint(lac_capture_get_n_records(capture), ==, 1);
  g_assert_cmpuint(lac_capture_get_n_records(marked), ==, 3);
  for (gsize i = 1; i < 3; i++) {
    const LacRecord *found = lac_capture_at(marked, i);
    g_assert_cmpuint(found->kind, ==, LAC_RECORD_MARK);
    g_assert_cmpint(found->start_ns, ==, 10 * (gint64) i);
    g_assert_cmpstr(lac_capture_get_name(marked, found->name), ==, i == 1 ? "odd" : "step");
    g_assert_cmpstr(lac_capture_get_lane(marked, found->lane), ==, "marks");
  }
  g_unlink(path);
  g_rmdir(folder);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/run-marks/come-back-in-order", test_marks_come_back);
  g_test_add_func("/io/run-marks/long-words-are-cut-between-characters", test_long_words);
  g_test_add_func("/io/run-marks/are-records-in-a-copy", test_among_records);
  return g_test_run();
}
