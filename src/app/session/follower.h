/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows a run that another program writes, here or into a shared folder, and reopens it whenever its folder has
 * grown. Segments are append-only and checksummed: a reader takes complete ones and never blocks the writer. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct _LacFollower LacFollower;

/* Called in the main thread. @run: the current state with stored frames, without records; its outcome is "running",
 * the final outcome, or "interrupted" (the writer is gone). NULL: no new data; the age of the newest file has grown. */
typedef void (*LacFollowerFunc)(LacRunFile *run, gpointer user_data);

LacFollower *lac_follower_new(const char *folder, LacFollowerFunc on_news, gpointer user_data);
void         lac_follower_free(LacFollower *follower);

/* Returns: the age in seconds of the newest file, by the clock of this machine. */
double lac_follower_get_age(const LacFollower *follower);

/* Returns: TRUE if @run, an open run file, is being written: its outcome is "running", or it was begun on another
 * machine, whose lock may be invisible here, and its files were written to within the last 20 seconds. */
gboolean lac_follower_is_alive(const LacRunFile *run);

G_END_DECLS
