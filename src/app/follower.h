/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that another program writes, here or on another machine into a shared folder, read again whenever its folder has grown.
 * The segments are append-only and checked, so that a reader takes what is whole and never holds the writer up. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct _LacFollower LacFollower;

/* On the main thread: @run is as it stands now, with its kept frames and without records; its outcome says whether it goes on:
 * "running"; how it ended; "interrupted": its writer is gone. NULL: nothing new, but time has passed. */
typedef void (*LacFollowerFunc)(LacRunFile *run, gpointer user_data);

LacFollower *lac_follower_new(const char *folder, LacFollowerFunc on_news, gpointer user_data);
void         lac_follower_free(LacFollower *follower);

/* Seconds since the newest of what is known was written, by the clock of this machine. */
double lac_follower_get_age(const LacFollower *follower);

/* Whether a run whose lock nobody holds here may go on elsewhere: written to within the last seconds. */
gboolean lac_follower_is_fresh(const char *folder);

G_END_DECLS
