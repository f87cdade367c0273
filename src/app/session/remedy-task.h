/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggested remedy for a failed run, searched for in a thread because a long run has a long journal. Main thread. */
#pragma once

#include "app/session/session.h"
#include "app/toolkit/latest-job.h"
#include "run/core/remedy.h"

G_BEGIN_DECLS

/* Searches for a remedy for the ended run in @session. @owner: referenced until @show has returned; @show receives
 * the run's folder as its request and the LacRemedy as its result, (transfer full) (nullable). */
void lac_remedy_task_start(LacSession *session, gpointer owner, LacJobShow show);

/* @session: (nullable): the session shown now. Returns: TRUE when the run of @session is in @folder. */
gboolean lac_remedy_task_is_of(gconstpointer folder, LacSession *session);

G_END_DECLS
