/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All runs of a folder. Headlines are saved in an index in the user's cache, so that thousands of runs are listed
 * without reading them again. One thread at a time. */
#pragma once

#include "run/library/headline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LacRunLibrary LacRunLibrary;

/* @folder: (nullable): NULL: the user's data directory for runs. @cache: (nullable): directory of the index; NULL:
 * the user's cache directory. */
LacRunLibrary *lac_run_library_new(const char *folder, const char *cache);
LacRunLibrary *lac_run_library_ref(LacRunLibrary *library); /* ref and unref: any thread */
void           lac_run_library_unref(LacRunLibrary *library);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunLibrary, lac_run_library_unref)

const char *lac_run_library_get_folder(const LacRunLibrary *library);

/* Receives the results of a scan. @runs: LacRunHeadline, new or changed, the most recently started first; @gone:
 * names of removed folders. Both are valid only during the call. */
typedef void (*LacRunLibraryFunc)(GPtrArray *runs, GPtrArray *gone, gpointer user_data);

/**
 * lac_run_library_scan:
 * @on_found: called in batches with the runs that are new or changed since the last scan of @library
 *
 * A folder that does not exist holds no runs. Returns: FALSE with %LAC_ERROR_BAD_FILE if it cannot be read, or with
 * %G_IO_ERROR_CANCELLED.
 */
gboolean lac_run_library_scan(LacRunLibrary    *library,
                              GCancellable     *cancellable,
                              LacRunLibraryFunc on_found,
                              gpointer          user_data,
                              GError          **error);

/* Returns: (transfer full): all runs of @folder, the most recently started first; %NULL with an error. */
GPtrArray *lac_run_library_read(const char *folder, GError **error);

/* ---- deletion, which can be undone ---- */

/* Hides a run in a folder of its library. Returns: (transfer full): its new path; %NULL with %LAC_ERROR_UNWRITABLE,
 * also for a run in progress. */
char *lac_run_set_aside(const char *run, GError **error);
/* Restores a run that was set aside. Returns: (transfer full): its original path. */
char *lac_run_bring_back(const char *aside, GError **error);
/* Moves a run, which may have been set aside, to the trash of the desktop, from which it can be restored to its original
 * path. Any thread. Returns: FALSE with the run where it was: with %G_IO_ERROR_NOT_SUPPORTED if its file system has no trash,
 * so that it can only be deleted permanently; else with %LAC_ERROR_UNWRITABLE. */
gboolean lac_run_trash(const char *run, GError **error);
/* Deletes a run permanently; it must have been set aside. */
gboolean lac_run_delete(const char *aside, GError **error);
/* Moves a run that was set aside to the trash; deletes it permanently if there is none. Any thread. */
gboolean lac_run_dispose_of(const char *aside, GError **error);
/* Disposes of runs that were set aside in @folder more than @seconds ago. */
void lac_run_library_free_space(const char *folder, double seconds);

/* ---- tags, notes and pins of the user ---- */

gboolean lac_run_set_tags(const char *run, const char *tags, GError **error);
gboolean lac_run_set_note(const char *run, const char *text, GError **error);
/* Pins @run as the baseline of its experiment, in place of the current baseline among @runs (LacRunHeadline); or
 * removes the pin. */
gboolean lac_run_set_baseline(const LacRunHeadline *run,
                              GPtrArray            *runs,
                              gboolean              is_baseline,
                              GError              **error);

G_END_DECLS
