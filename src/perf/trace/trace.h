/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording as a file for the trace viewers of others, or for a spreadsheet. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* What lac_trace_write() takes, separated by spaces; the first is proposed. */
#define LAC_TRACE_ENDINGS "json json.gz pftrace csv"

/* The span in which a kept frame is written, its step the frame's: operations have arrows to the frame they led to. */
#define LAC_SPAN_FRAME "write a frame"

/* Streams to @path through a temporary name, in the format of its ending:
 *   .json     Chrome trace: one tid a lane, ts and dur in microseconds with three decimals
 *   .pftrace  Perfetto: one track a lane, nanoseconds
 *   .csv      one row a record, units in the header
 * and packed by gzip where .gz follows. Times count from the first record.
 * Returns: %FALSE with LAC_ERROR_USAGE (another ending), LAC_ERROR_UNWRITABLE or LAC_ERROR_DISK_FULL set, and @path as it was. */
gboolean lac_trace_write(const LacCapture *capture, const char *path, GError **error);

G_END_DECLS
