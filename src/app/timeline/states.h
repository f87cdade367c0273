/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User settings of the timeline page, as stateful actions. Times are seconds since the first record. */
#pragma once

#include "app/script/part-states.h"

G_BEGIN_DECLS

#define LAC_TIMELINE_TAB_CHANGED (1u << 31) /* in addition to LacScopeChange */

/* Returns: the states of a LacTimelinePage. */
const LacPartTable *lac_timeline_states(void);

G_END_DECLS
