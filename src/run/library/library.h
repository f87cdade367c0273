/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All runs of a folder. What was read of a run is kept in an index in the user's cache, so that thousands of them are listed
 * without being read again. One thread at a time. */
#pragma once

#include "run/library/headline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LacRunLibrary LacRunLibrary;

/* @folder: (nullable): NULL: the user's data directory for runs. @cache: (nullable): where the index lies; NULL: the user's
 * cache directory. */
LacRunLibrary *lac_run_library_new(const char *folder, const char *cache);
LacRunLibrary *lac_run_library_ref(LacRunLibrary *library); /* any thread, and so is the end */
void           lac_run_library_unref(LacRunLibrary *library);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunLibrary, lac_run_library_unref)

const char *lac_run_library_get_folder(const LacRunLibrary *library);

/* What a scan found. @runs: of LacRunHeadline, new ones and such as have changed, the latest begun first; @gone: names of the
 * folders that are no longer there. Both stay the caller's for the time of the call only. */
typedef void (*LacRunLibraryFunc)(GPtrArray *runs, GPtrArray *gone, gpointer user_data);

/**
 * lac_run_library_scan:
 * @on_found: called with what is new or changed since the last scan of @library, in batches as they are read
 *
 * A folder that does not exist holds no runs. Returns: FALSE with %LAC_ERROR_BAD_FILE where it cannot be read, or with
 * %G_IO_ERROR_CANCELLED.
 */
gboolean lac_run_library_scan(LacRunLibrary    *library,
                              GCancellable     *cancellable,
                              LacRunLibraryFunc on_found,
                              gpointer          user_data,
                              GError          **error);

/* Returns: (transfer full): all runs of @folder, the latest begun first; %NULL with an error. */
GPtrArray *lac_run_library_read(const char *folder, GError **error);

/* ---- deleting, so that it can be undone ---- */

/* Moves a run aside within its library. Returns: (transfer full): where it is now; %NULL with %LAC_ERROR_UNWRITABLE, of a run
 * that goes on too. */
char *lac_run_set_aside(const char *run, GError **error);
/* Returns: (transfer full): where it was and is again. */
char *lac_run_bring_back(const char *aside, GError **error);
/* For good; only what was set aside. */
gboolean lac_run_delete(const char *aside, GError **error);
/* Deletes what was set aside in @folder more than @seconds ago. */
void lac_run_library_free_space(const char *folder, double seconds);

/* ---- what a person says of runs ---- */

gboolean lac_run_set_tags(const char *run, const char *tags, GError **error);
gboolean lac_run_set_note(const char *run, const char *text, GError **error);
/* Pins @run as the baseline of its experiment, in place of another one of @runs (LacRunHeadline); or takes the pin away. */
gboolean lac_run_set_baseline(const LacRunHeadline *run,
                              GPtrArray            *runs,
                              gboolean              is_baseline,
                              GError              **error);

G_END_DECLS
