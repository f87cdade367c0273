/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free disk space, and the error message when there is too little. */
#include "io/format/write-error.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>

static void
test_what_is_not_there_yet_has_the_room_around_it(void)
{
  g_autofree char *there = g_dir_make_tmp("lacuna-room-XXXXXX", NULL);
  g_autofree char *missing = g_build_filename(there, "not", "yet", NULL);
  g_autofree char *file = g_build_filename(there, "file", NULL);
  g_autofree char *below = g_build_filename(file, "below", NULL);
  guint64          room = lac_free_bytes(there), other = lac_free_bytes(missing);
  g_assert_cmpuint(room, >, 0);
  g_assert_cmpuint(room, <, G_MAXUINT64);
  g_assert_cmpfloat(ABS((double) other - (double) room), <,
                    0.05 * (double) room + 1e9); /* other processes write */
  g_assert_true(g_file_set_contents(file, "", 0, NULL));
  g_assert_cmpuint(lac_free_bytes(below), ==, G_MAXUINT64); /* a file is not a folder */
  g_remove(file);
  g_rmdir(there);
}

static void
test_a_full_disk_is_reported_with_the_size_needed(void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char  *path = g_build_filename(g_get_tmp_dir(), "run.h5", NULL);
  g_assert_false(lac_write_error(&error, ENOSPC, path, 5000000000));
  g_assert_nonnull(strstr(error->message, "run.h5"));
  g_assert_nonnull(strstr(error->message, g_get_tmp_dir()));
  g_test_message("%s", error->message);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/write-error/what-is-not-there-yet-has-the-room-around-it",
                  test_what_is_not_there_yet_has_the_room_around_it);
  g_test_add_func("/io/write-error/a-full-disk-is-told-with-what-is-needed",
                  test_a_full_disk_is_reported_with_the_size_needed);
  return g_test_run();
}
