/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chrome trace JSON (one tid a lane, ts and dur in microseconds with three decimals). */
#pragma once

#include "perf/capture.h"

G_BEGIN_DECLS

/* Streams to @path through a temporary name. Returns: %FALSE with LAC_ERROR_UNWRITABLE or
 * LAC_ERROR_DISK_FULL set, and @path as it was. */
gboolean lac_trace_write_chrome(const LacCapture *capture, const char *path, GError **error);

G_END_DECLS
