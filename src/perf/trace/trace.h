/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export of a recording for other trace viewers, or for a spreadsheet. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* File name extensions that lac_trace_write() accepts, separated by spaces; the first is the default. */
#define LAC_TRACE_ENDINGS "json json.gz pftrace csv"

/* Name of the span that writes a saved frame, with the frame's step: operations have arrows to the frame they led
 * to. */
#define LAC_SPAN_FRAME "write a frame"

/* Streams to @path through a temporary name, in the format of its ending:
 *   .json     Chrome trace: one tid a lane, ts and dur in microseconds with three decimals
 *   .pftrace  Perfetto: one track a lane, nanoseconds
 *   .csv      one row a record, units in the header
 * and packed by gzip where .gz follows. Times count from the first record.
 * Returns: %FALSE with LAC_ERROR_USAGE (another ending), LAC_ERROR_UNWRITABLE or LAC_ERROR_DISK_FULL set, and @path as it was. */
gboolean lac_trace_write(const LacCapture *capture, const char *path, GError **error);

G_END_DECLS
