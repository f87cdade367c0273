/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIGINT and SIGTERM while a run is going. The first one asks for its end with a checkpoint. A second one, half a second later or
 * more, or ten seconds in which a step does not end, ends the process, whatever its threads do; the last checkpoint remains. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

/* Seconds for a step to end; those in which the run writes its folder do not count. */
#define LAC_STOP_SECONDS 10

void lac_stop_guard_begin(void);
int  lac_stop_guard_get_signal(void); /* the first one; 0: none came */

/* The main thread. @run: (nullable): the one that is going; it lives until another one or %NULL is given. */
void lac_stop_guard_follow(LacRun *run);

G_END_DECLS
