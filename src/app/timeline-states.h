/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person changes on the timeline page, as states. Times are seconds since the first record. */
#pragma once

#include "app/part-states.h"

G_BEGIN_DECLS

#define LAC_TIMELINE_TAB_CHANGED (1u << 31) /* beside LacScopeChange */

/* Of a LacTimelinePage. */
const LacPartTable *lac_timeline_states(void);

G_END_DECLS
