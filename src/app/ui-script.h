/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording as text: one command a line, when it was given, and what with. A person can read it, shorten it and write one.
 *
 *   0.000 recording.format(2)
 *   0.000 win.configure::kolmogorov
 *   2.310 win.set-parameter(('reynolds', '80'))
 *   4.008 win.launch
 *   4.120 recording.run::kolmogorov-20260102-030405-6789.lacuna
 *   9.120 win.smooth = true
 *   11.300 recording.ended::kolmogorov-20260102-030405-6789.lacuna
 *   12.400 recording.end
 *
 * Seconds since the beginning, the detailed name of the action; after = the state that it was given. What belongs to “recording” is
 * no command but a fact: how the file is written, which run began, that it ended (what follows needs its end), that the recording
 * was ended. Lines that begin with # are words for the reader. A file without recording.format was written by hand. A recorded recording
 * is a folder: this file, and beside it the runs that were shown (recording-runs.h). */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define LAC_UI_SCRIPT_FORMAT 2
#define LAC_UI_SCRIPT_TEXT   "sitting.txt" /* in the folder of a recording */

#define LAC_UI_SCRIPT_FACT_FORMAT "sitting.format" /* i */
#define LAC_UI_SCRIPT_FACT_RUN    "sitting.run"    /* s: the name of its folder */
#define LAC_UI_SCRIPT_FACT_ENDED  "sitting.ended"  /* s: likewise */
#define LAC_UI_SCRIPT_FACT_END    "sitting.end"

typedef struct {
  double    seconds;
  char     *action;   /* "win.smooth" */
  GVariant *value;    /* (nullable): the parameter, or the state */
  gboolean  is_state; /* the state is changed; else the action is activated */
  guint     line;     /* of the file, from 1 */
} LacUiScriptEntry;

/* @value: (nullable): a reference is taken, of a floating one that one. */
LacUiScriptEntry *
lac_ui_script_entry_new(double seconds, const char *action, GVariant *value, gboolean is_state);
void     lac_ui_script_entry_free(LacUiScriptEntry *entry);
gboolean lac_ui_script_entry_is_fact(const LacUiScriptEntry *entry);

/* Returns: (transfer full): without its end. */
char *lac_ui_script_entry_dup_line(const LacUiScriptEntry *entry);

typedef struct {
  char      *folder;     /* where its runs are looked for */
  GPtrArray *entries;    /* of LacUiScriptEntry, as they stand */
  gboolean   is_cut_off; /* it was recorded, but its end was not: what there is can be given */
} LacUiScript;

void lac_ui_script_free(LacUiScript *script);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacUiScript, lac_ui_script_free)

/* @path: the text, or the folder it is in.
 * Returns: (transfer full): NULL with an error that says which line cannot be read, or that a later version wrote it. */
LacUiScript *lac_ui_script_load(const char *path, GError **error);

/* How many runs began in it. */
guint lac_ui_script_count_runs(const LacUiScript *script);

G_END_DECLS
