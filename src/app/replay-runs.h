/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a sitting that is given again: each that began in it is shown as it was recorded, or computed again, and its name in the
 * commands then stands for the folder that it is now. */
#pragma once

#include "app/sitting-file.h"
#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct _LacReplayRuns LacReplayRuns;

/* Takes @script. @computes: they are computed again; @folder: (nullable): where runs are looked for that the sitting did not keep */
LacReplayRuns *lac_replay_runs_new(LacSittingScript *script, gboolean computes, const char *folder);
void           lac_replay_runs_free(LacReplayRuns *runs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacReplayRuns, lac_replay_runs_free)

const LacSittingScript *lac_replay_runs_get_script(const LacReplayRuns *runs);
/* Returns: (nullable): a run that is not kept. */
const char *lac_replay_runs_get_missing(const LacReplayRuns *runs);

/* A run is to begin. Returns: (transfer full) (nullable): the one that began in the sitting next, where it is shown and not computed. */
LacRunFile *lac_replay_runs_take(LacReplayRuns *runs);
void lac_replay_runs_tell_launched(LacReplayRuns *runs, const char *folder); /* in its place */
void lac_replay_runs_tell_ended(LacReplayRuns *runs, const char *folder);
/* Whether @entry says that a run has ended which, computed again, has not ended. */
gboolean lac_replay_runs_awaits_end(const LacReplayRuns *runs, const LacSittingEntry *entry);
/* What stands for a run in a command: the one that was computed in its place, else what was kept. Returns: (transfer full) */
char *lac_replay_runs_find(const char *name, gpointer runs);

G_END_DECLS
