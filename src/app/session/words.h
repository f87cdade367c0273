/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a run in a few words. */
#pragma once

#include "app/session/session.h"

G_BEGIN_DECLS

/* Returns: (transfer full): the age of a followed run's newest data, in whole seconds because it is polled once a
 * second. */
char *lac_session_dup_age(LacSession *session);
/* Return: (transfer full): the state and progress of a run in a few words. */
char *lac_session_dup_words(LacSession *session);
char *lac_run_status_dup_words(const LacRunStatus *status);

G_END_DECLS
