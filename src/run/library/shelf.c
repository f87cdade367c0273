/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on the runs of a library: set aside, restore, move to the trash, delete, tag, pin. */
#include "base/error.h"
#include "io/runfile/format.h"
#include "io/runfile/notes.h"
#include "io/runfile/place.h"
#include "run/library/library.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>
#include <time.h>
#include <utime.h>

#define ASIDE ".deleted" /* in the same folder, so that moving is a rename */

/* ---- aside ---- */

static gboolean
refuse(GError **error, const char *path, int code)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE,
              _("%s cannot be moved or deleted: %s; change the permissions of its folder"), path,
              g_strerror(code));
  return FALSE;
}

static gboolean
check_idle(const char *folder, GError **error)
{
  if (!lac_run_place_is_written(folder))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE,
              _("%s is being written: stop that run first, then delete it"), folder);
  return FALSE;
}

char *
lac_run_set_aside(const char *run, GError **error)
{
  g_autofree char *folder = lac_run_place_dup_folder(run, error);

  if (folder == NULL || !check_idle(folder, error))
    return NULL;
  g_autofree char *library = g_path_get_dirname(folder);
  g_autofree char *name = g_path_get_basename(folder);
  g_autofree char *shelf = g_build_filename(library, ASIDE, NULL);
  g_autofree char *aside = g_build_filename(shelf, name, NULL);
  if ((g_mkdir(shelf, 0777) != 0 && errno != EEXIST) || g_rename(folder, aside) != 0) {
    refuse(error, folder, errno);
    return NULL;
  }
  g_utime(aside, NULL); /* records the time of deletion */
  return g_steal_pointer(&aside);
}

/* Returns: (transfer full): the library that @aside belonged to; %NULL with an error if it was not set aside. */
static char *
find_library(const char *aside, GError **error)
{
  g_autofree char *shelf = g_path_get_dirname(aside);
  g_autofree char *kind = g_path_get_basename(shelf);

  if (g_str_equal(kind, ASIDE) && g_str_has_suffix(aside, LAC_RUN_FOLDER_SUFFIX))
    return g_path_get_dirname(shelf);
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, _("%s was not marked for deletion"), aside);
  return NULL;
}

char *
lac_run_bring_back(const char *aside, GError **error)
{
  g_autofree char *library = find_library(aside, error);

  if (library == NULL)
    return NULL;
  g_autofree char *name = g_path_get_basename(aside);
  g_autofree char *folder = g_build_filename(library, name, NULL);
  if (g_file_test(folder, G_FILE_TEST_EXISTS) || g_rename(aside, folder) != 0) {
    refuse(error, aside, g_file_test(folder, G_FILE_TEST_EXISTS) ? EEXIST : errno);
    return NULL;
  }
  return g_steal_pointer(&folder);
}

/* ---- the trash of the desktop ---- */

static gboolean
trash_folder(const char *folder, GError **error)
{
  g_autoptr(GFile)  file = g_file_new_for_path(folder);
  g_autoptr(GError) why = NULL;

  if (g_file_trash(file, NULL, &why))
    return TRUE;
  if (g_error_matches(why, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    g_set_error(
      error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
      _("%s cannot be moved to the trash: its file system has none; it can only be deleted "
        "permanently"),
      folder);
  else
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, _("%s cannot be moved to the trash: %s"),
                folder, why->message);
  return FALSE;
}

/* The trash remembers the path to restore, so that a run that was set aside first returns to its library. */
gboolean
lac_run_trash(const char *run, GError **error)
{
  g_autofree char *library = find_library(run, NULL);
  g_autofree char *folder =
    library != NULL ? lac_run_bring_back(run, error) : lac_run_place_dup_folder(run, error);
  g_autoptr(GError) kept = NULL;

  if (folder == NULL || !check_idle(folder, error))
    return FALSE;
  if (trash_folder(folder, error))
    return TRUE;
  g_autofree char *aside = library != NULL ? lac_run_set_aside(folder, &kept) : NULL;
  if (kept != NULL)
    g_debug("%s", kept->message);
  return FALSE;
}

/* ---- for good ---- */

/* Deletes a tree; links are removed, not followed. */
static gboolean
delete_tree(const char *path, guint depth)
{
  gboolean is_folder =
    g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK);
  g_autoptr(GDir) dir = is_folder && depth > 0 ? g_dir_open(path, 0, NULL) : NULL;
  const char     *name;

  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *child = g_build_filename(path, name, NULL);
    if (!delete_tree(child, depth - 1))
      return FALSE;
  }
  return g_remove(path) == 0;
}

gboolean
lac_run_delete(const char *aside, GError **error)
{
  g_autofree char *library = find_library(aside, error);

  if (library == NULL || !check_idle(aside, error))
    return FALSE;
  if (!delete_tree(aside, 4))
    return refuse(error, aside, errno);
  g_autofree char *shelf = g_path_get_dirname(aside);
  g_rmdir(shelf); /* fails while it is not empty */
  return TRUE;
}

gboolean
lac_run_dispose_of(const char *aside, GError **error)
{
  g_autoptr(GError) why = NULL;

  if (lac_run_trash(aside, &why))
    return TRUE;
  if (g_error_matches(why, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    return lac_run_delete(aside, error);
  g_propagate_error(error, g_steal_pointer(&why));
  return FALSE;
}

void
lac_run_library_free_space(const char *folder, double seconds)
{
  g_autofree char *shelf = g_build_filename(folder, ASIDE, NULL);
  g_autoptr(GDir)  dir = g_dir_open(shelf, 0, NULL);
  const char      *name;

  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char  *aside = g_build_filename(shelf, name, NULL);
    g_autoptr(GError) kept = NULL;
    GStatBuf          about;
    /* The file system's clock may be a tick ahead of time(): nothing is younger than now. */
    if (g_stat(aside, &about) != 0 || MAX(difftime(time(NULL), about.st_mtime), 0) < seconds)
      continue;
    if (!lac_run_dispose_of(aside, &kept))
      g_debug("%s", kept->message);
  }
}

/* ---- notes ---- */

gboolean
lac_run_set_tags(const char *run, const char *tags, GError **error)
{
  g_auto(LacRunNotes) notes = {0};

  lac_run_notes_read(run, &notes);
  g_strfreev(notes.tags);
  notes.tags = lac_run_notes_parse_tags(tags);
  return lac_run_notes_write(run, &notes, error);
}

gboolean
lac_run_set_note(const char *run, const char *text, GError **error)
{
  g_auto(LacRunNotes) notes = {0};

  lac_run_notes_read(run, &notes);
  g_free(notes.text);
  notes.text = g_strdup(text);
  return lac_run_notes_write(run, &notes, error);
}

static gboolean
set_pin(const char *run, gboolean is_baseline, GError **error)
{
  g_auto(LacRunNotes) notes = {0};

  lac_run_notes_read(run, &notes);
  notes.is_baseline = is_baseline;
  return lac_run_notes_write(run, &notes, error);
}

gboolean
lac_run_set_baseline(const LacRunHeadline *run,
                     GPtrArray            *runs,
                     gboolean              is_baseline,
                     GError              **error)
{
  for (guint i = 0; is_baseline && i < runs->len; i++) {
    const LacRunHeadline *other = g_ptr_array_index(runs, i);
    if (other->is_baseline && g_str_equal(other->experiment, run->experiment) &&
        !g_str_equal(other->path, run->path) && !set_pin(other->path, FALSE, error))
      return FALSE;
  }
  return set_pin(run->path, is_baseline, error);
}
