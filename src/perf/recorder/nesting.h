/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Self time of spans: their duration minus that of the spans nested directly in them. One thread. */
#pragma once

#include "perf/recorder/record.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacNesting LacNesting;

LacNesting *lac_nesting_new(void);
void        lac_nesting_free(LacNesting *nesting);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacNesting, lac_nesting_free)

/* Processes one span. Call it for every span of a recording, in order of their end within a lane, as a capture stores
 * them. Returns: the span's self time in nanoseconds, not below 0. */
gint64 lac_nesting_take(LacNesting *nesting, const LacRecord *span);

G_END_DECLS
