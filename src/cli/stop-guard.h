/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handling of SIGINT and SIGTERM during a run. The first signal stops the run with a checkpoint. After that, a second
 * signal (at least half a second later), or ten seconds in which no step ends, makes the process exit without waiting
 * for its threads; the last checkpoint remains. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

/* Timeout for a step, in seconds; time in which the run writes its folder does not count. */
#define LAC_STOP_SECONDS 10

void lac_stop_guard_begin(void);
int  lac_stop_guard_get_signal(void); /* the first signal; 0: none */

/* Main thread. @run: (nullable): the current run, which must stay alive until another run or %NULL is set. */
void lac_stop_guard_follow(LacRun *run);

G_END_DECLS
