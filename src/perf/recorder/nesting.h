/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a span is its own: its duration less that of the spans directly within it. One thread. */
#pragma once

#include "perf/recorder/record.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacNesting LacNesting;

LacNesting *lac_nesting_new(void);
void        lac_nesting_free(LacNesting *nesting);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacNesting, lac_nesting_free)

/* Every span of a recording, within a lane in the order they end, as a capture has them. Returns: its own nanoseconds, not
 * below 0. */
gint64 lac_nesting_take(LacNesting *nesting, const LacRecord *span);

G_END_DECLS
