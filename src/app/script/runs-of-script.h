/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a UI recording: their folders, with records and frames, are saved beside the commands of the recording,
 * so that the runs can be shown on any machine without recomputation. Files are hard-linked if possible, which takes
 * no disk space, else copied.
 *
 * In a command, the path of a run's folder is written as “recording:NAME”, also within a longer text, and the bare
 * name of a run as “run:NAME”. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define LAC_UI_SCRIPT_RUNS "runs" /* within the folder of a recording */

/* Returns: (transfer full): the path under which a run of this name is saved, existing or not. @folder: of the
 * recording */
char *lac_ui_script_runs_dup_place(const char *folder, const char *name);

/* ---- recording ---- */

/* Adds the run folders named in @value to @shown, a set of paths. Returns: (transfer full): @value with runs written
 * in the form described above. */
GVariant *lac_ui_script_runs_shorten(GVariant *value, GHashTable *shown);

/* Saves the run at @run into the recording at @folder, unless present. Copies gigabytes if it cannot link: do not
 * call on the main loop.
 * Returns: FALSE with %LAC_ERROR_UNWRITABLE; no partial copy remains under the run's name. */
gboolean lac_ui_script_runs_keep(const char   *folder,
                                 const char   *run,
                                 GCancellable *cancellable,
                                 GError      **error);

/* ---- replay ---- */

/* Returns: (transfer full): the folder that represents the run called @name. */
typedef char *(*LacUiScriptFind)(const char *name, gpointer user_data);

/* The inverse of lac_ui_script_runs_shorten(). Returns: (transfer full) */
GVariant *lac_ui_script_runs_expand(GVariant *value, LacUiScriptFind find, gpointer user_data);

G_END_DECLS
