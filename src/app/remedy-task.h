/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to do about a run that ended badly, looked for in a thread: a long run has a long journal. Main thread. */
#pragma once

#include "app/session.h"
#include "run/core/remedy.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Of the run of @session, which has ended. @owner: held until @done, which gets it as its source */
void lac_remedy_task_start(LacSession *session, gpointer owner, GAsyncReadyCallback done);

/* @session: (nullable): what is shown by now. Returns: (transfer full) (nullable): NULL where there is none, and where it is that of
 * another run. */
LacRemedy *lac_remedy_task_finish(GAsyncResult *result, LacSession *session);

G_END_DECLS
