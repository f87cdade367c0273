/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task that works in a thread for an object of the main loop.
 *
 * A GTask that has such an object as its source gives it up wherever the task itself is given up last, and that may be the thread
 * that worked: a widget would be disposed of there. Here the object is held until the task has been answered, and given up in the
 * main loop. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Main thread. @owner: (not nullable): held until @done, which gets it as its source; @done is called in the main loop, always.
 * The task has no source object of GTask's, and no user data.
 * Returns: (transfer full): to be given its data and run in a thread. */
GTask *lac_owned_task_new(gpointer owner, GCancellable *cancellable, GAsyncReadyCallback done);
/* Any thread, until @done has returned.
 * Returns: (transfer none): a reference that is taken to it is to be given up in the main loop */
gpointer lac_owned_task_get_owner(GTask *task);

G_END_DECLS
