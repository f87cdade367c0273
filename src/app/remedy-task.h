/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to do about a run that ended badly, looked for in a thread: a long run has a long journal. Main thread. */
#pragma once

#include "app/latest-job.h"
#include "app/session.h"
#include "run/core/remedy.h"

G_BEGIN_DECLS

/* Of the run of @session, which has ended. @owner: held until @show, which gets the run's folder as the request, and
 * (transfer full) (nullable) the LacRemedy. */
void lac_remedy_task_start(LacSession *session, gpointer owner, LacJobShow show);

/* @session: (nullable): what is shown by now. Returns: whether it is the run of @folder */
gboolean lac_remedy_task_is_of(gconstpointer folder, LacSession *session);

G_END_DECLS
