/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs moved to the trash of the desktop: that of a user whose home is a temporary folder. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/helpers/kept-run.h"
#include "run/library/library.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include <string.h>
#include <sys/stat.h>

static char *home;

/* Returns TRUE when the trash has the run, with @folder as the path to restore it to. */
static gboolean
is_in_trash(const char *folder)
{
  g_autofree char *name = g_path_get_basename(folder);
  g_autofree char *note_name = g_strconcat(name, ".trashinfo", NULL);
  g_autofree char *journal =
    g_build_filename(home, "data", "Trash", "files", name, "journal", NULL);
  g_autofree char *note = g_build_filename(home, "data", "Trash", "info", note_name, NULL);
  g_autofree char *text = NULL;
  g_autofree char *line = g_strdup_printf("Path=%s\n", folder);

  return g_file_test(journal, G_FILE_TEST_EXISTS) && g_file_get_contents(note, &text, NULL, NULL) &&
         strstr(text, line) != NULL;
}

static char *
make_library(const char *name)
{
  char *library = g_build_filename(home, name, NULL);

  g_assert_cmpint(g_mkdir_with_parents(library, 0700), ==, 0);
  return library;
}

static void
test_trash(void)
{
  g_autofree char  *library = make_library("direct");
  g_autofree char  *folder = kept_run_write(library, 6, TRUE);
  g_autoptr(GError) error = NULL;

  g_assert_true(lac_run_trash(folder, &error));
  g_assert_no_error(error);
  g_assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
  g_assert_true(is_in_trash(folder));
}

/* The trash names the original path, not that of the deleted run. */
static void
test_aside(void)
{
  g_autofree char  *library = make_library("aside");
  g_autofree char  *folder = kept_run_write(library, 6, TRUE);
  g_autoptr(GError) error = NULL;
  g_autofree char  *aside = lac_run_set_aside(folder, &error);

  g_assert_true(lac_run_trash(aside, &error));
  g_assert_no_error(error);
  g_assert_false(g_file_test(aside, G_FILE_TEST_EXISTS));
  g_assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
  g_assert_true(is_in_trash(folder));
}

static void
test_old_deletions(void)
{
  g_autofree char *library = make_library("old");
  g_autofree char *folder = kept_run_write(library, 6, TRUE);
  g_autofree char *aside = lac_run_set_aside(folder, NULL);

  lac_run_library_free_space(library, 0);
  g_assert_false(g_file_test(aside, G_FILE_TEST_EXISTS));
  g_assert_true(is_in_trash(folder));
}

static void
test_running(void)
{
  g_autofree char        *library = make_library("running");
  g_autoptr(LacRunFolder) run = kept_run_open(library);
  g_autoptr(GError)       error = NULL;

  g_assert_false(lac_run_trash(lac_run_folder_get_path(run), &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
  g_assert_true(g_file_test(lac_run_folder_get_path(run), G_FILE_TEST_IS_DIR));
}

/* Returns TRUE when a folder is on a file system without a trash. */
static gboolean
has_no_trash(const char *folder)
{
  struct stat own, of_home;

  return g_access(folder, W_OK) == 0 && stat(folder, &own) == 0 && stat(home, &of_home) == 0 &&
         own.st_dev != of_home.st_dev;
}

static void
test_no_trash(void)
{
  g_autofree char  *library = g_strdup("/dev/shm/lacuna-test-XXXXXX");
  g_autoptr(GError) error = NULL;

  if (!has_no_trash("/dev/shm")) {
    g_test_skip("/dev/shm is on the file system of the home folder");
    return;
  }
  g_assert_nonnull(g_mkdtemp(library));
  g_autofree char *folder = kept_run_write(library, 6, TRUE);
  g_assert_false(lac_run_trash(folder, &error));
  g_assert_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_true(g_file_test(folder, G_FILE_TEST_IS_DIR));
  g_clear_error(&error);
  g_autofree char *aside = lac_run_set_aside(folder, &error);
  g_assert_false(lac_run_trash(aside, &error));
  g_assert_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_true(g_file_test(aside, G_FILE_TEST_IS_DIR)); /* still deleted, and can come back */
  g_assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
  lac_run_library_free_space(library, 0);
  g_assert_false(g_file_test(aside, G_FILE_TEST_EXISTS));
  test_folder_remove(g_steal_pointer(&library));
}

int
main(int argc, char **argv)
{
  home = test_folder_new();
  g_autofree char *data = g_build_filename(home, "data", NULL);
  /* before GLib looks: the trash of a home is on its file system */
  g_setenv("HOME", home, TRUE);
  g_setenv("XDG_DATA_HOME", data, TRUE);
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/trash/the-trash-has-the-run-and-its-path", test_trash);
  g_test_add_func("/run/trash/a-run-set-aside-returns-to-where-it-was-first", test_aside);
  g_test_add_func("/run/trash/old-deletions-end-in-the-trash", test_old_deletions);
  g_test_add_func("/run/trash/a-run-in-progress-stays", test_running);
  g_test_add_func("/run/trash/without-a-trash-the-run-stays-and-the-error-says-so", test_no_trash);
  const int status = g_test_run();
  test_folder_remove(home);
  return status;
}
