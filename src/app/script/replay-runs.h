/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of a UI recording during its replay. Each is shown as recorded, or computed again; in the latter case its name
 * in the commands refers to the folder of the new run. */
#pragma once

#include "app/script/ui-script.h"
#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct _LacReplayRuns LacReplayRuns;

/* @script: (transfer full); @computes: compute the runs again; @folder: (nullable): searched for runs that are not saved
 * with the recording */
LacReplayRuns *lac_replay_runs_new(LacUiScript *script, gboolean computes, const char *folder);
void           lac_replay_runs_free(LacReplayRuns *runs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacReplayRuns, lac_replay_runs_free)

const LacUiScript *lac_replay_runs_get_script(const LacReplayRuns *runs);
/* Returns: (nullable): the name of the first recorded run that was not found */
const char *lac_replay_runs_get_missing(const LacReplayRuns *runs);

/* Called when a run is about to begin. Returns: (transfer full) (nullable): the folder of the next recorded run; NULL:
 * compute it */
char *lac_replay_runs_take(LacReplayRuns *runs);
/* @folder: folder of the run that replaces the next recorded run */
void lac_replay_runs_notify_launched(LacReplayRuns *runs, const char *folder);
void lac_replay_runs_notify_ended(LacReplayRuns *runs, const char *folder);
/* Returns: TRUE while the replay waits at @entry, the end of a run that is still being computed */
gboolean lac_replay_runs_awaits_end(const LacReplayRuns *runs, const LacUiScriptEntry *entry);
/* Returns: (transfer full): the folder for a run's name in a command: the new run's, else the recorded one's */
char *lac_replay_runs_find(const char *name, gpointer runs);

G_END_DECLS
