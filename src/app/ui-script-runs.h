/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a recording: their folders, with records and frames, are kept beside its commands, so that they can be shown without being
 * computed, also elsewhere. A file is linked where that can be done, and takes no more of the disk then, else copied.
 *
 * In a command a run is written as “recording:NAME” where the path of its folder stood, also within a longer text, and as “run:NAME”
 * where its name alone did. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define LAC_UI_SCRIPT_RUNS "runs" /* in the folder of a recording */

/* Returns: (transfer full): where a run of this name is kept, whether it is or not. @folder: of the recording */
char *lac_ui_script_runs_dup_place(const char *folder, const char *name);

/* ---- recording ---- */

/* The folders of runs that @value names are added to @shown, a set of paths. Returns: (transfer full): with runs written as above. */
GVariant *lac_ui_script_runs_shorten(GVariant *value, GHashTable *shown);

/* Keeps the run at @run in the recording at @folder, unless it is there. Copies gigabytes where it cannot link: not on the main loop.
 * Returns: FALSE with %LAC_ERROR_UNWRITABLE; nothing is left half done under the run's name. */
gboolean lac_ui_script_runs_keep(const char   *folder,
                                 const char   *run,
                                 GCancellable *cancellable,
                                 GError      **error);

/* ---- giving again ---- */

/* Returns: (transfer full): the folder that stands for the run of that name. */
typedef char *(*LacUiScriptFind)(const char *name, gpointer user_data);

/* The inverse of lac_ui_script_runs_shorten(). Returns: (transfer full) */
GVariant *lac_ui_script_runs_expand(GVariant *value, LacUiScriptFind find, gpointer user_data);

G_END_DECLS
