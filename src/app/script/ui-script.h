/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A UI recording as text: one command per line, with its time and its argument. Users can read, shorten and write it.
 *
 *   0.000 recording.format(3)
 *   0.000 win.configure::kolmogorov
 *   2.310 win.set-parameter(('reynolds', '80'))
 *   4.008 win.launch
 *   4.120 recording.run::kolmogorov-20260102-030405-6789.lacuna
 *   9.120 win.smooth = true
 *   11.300 recording.ended::kolmogorov-20260102-030405-6789.lacuna
 *   12.400 recording.end
 *
 * A line holds the seconds since the start and the detailed name of the action; after = the state to set. Lines of
 * “recording” are facts, not commands: the file format, the start of a run, its end (later commands require it), the
 * end of the recording. Lines that begin with # are comments. A file without recording.format was written by hand. A
 * recording is a folder: this file, and beside it the runs that were shown (ui-script-runs.h). In formats 1 and 2,
 * which are still read, “sitting” takes the place of “recording”, also in the name of the file. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define LAC_UI_SCRIPT_FORMAT 3
#define LAC_UI_SCRIPT_TEXT   "recording.txt" /* in the folder of a recording */

#define LAC_UI_SCRIPT_FACT_FORMAT "recording.format" /* i */
#define LAC_UI_SCRIPT_FACT_RUN    "recording.run"    /* s: name of its folder */
#define LAC_UI_SCRIPT_FACT_ENDED  "recording.ended"  /* s: name of its folder */
#define LAC_UI_SCRIPT_FACT_END    "recording.end"

typedef struct {
  double    seconds;
  char     *action;   /* "win.smooth" */
  GVariant *value;    /* (nullable): the parameter, or the state */
  gboolean  is_state; /* TRUE: changes the state; FALSE: activates the action */
  guint     line;     /* line number in the file, from 1 */
} LacUiScriptEntry;

/* @value: (nullable): a reference is taken; a floating one is sunk. */
LacUiScriptEntry *
lac_ui_script_entry_new(double seconds, const char *action, GVariant *value, gboolean is_state);
void     lac_ui_script_entry_free(LacUiScriptEntry *entry);
gboolean lac_ui_script_entry_is_fact(const LacUiScriptEntry *entry);

/* Returns: (transfer full): without line end. */
char *lac_ui_script_entry_dup_line(const LacUiScriptEntry *entry);

typedef struct {
  char      *folder;     /* folder searched for the runs of the recording */
  GPtrArray *entries;    /* LacUiScriptEntry, in file order */
  gboolean   is_cut_off; /* the end of the file is missing; all commands present can be replayed */
} LacUiScript;

void lac_ui_script_free(LacUiScript *script);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacUiScript, lac_ui_script_free)

/* @path: the text file, or its folder.
 * Returns: (transfer full): NULL with an error that names the unreadable line, or reports a newer format version. */
LacUiScript *lac_ui_script_load(const char *path, GError **error);

/* Returns: the number of runs that began in the recording. */
guint lac_ui_script_count_runs(const LacUiScript *script);

G_END_DECLS
