/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export of a recording for other trace viewers, or for a spreadsheet. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* File name extensions that lac_trace_write() accepts, separated by spaces; the first is the default. */
#define LAC_TRACE_ENDINGS "json json.gz pftrace csv"

/* Name of the span that writes a saved frame; its step is that of the frame. Traces draw arrows to it from the
 * operations of the iteration that produced the frame. */
#define LAC_SPAN_FRAME "write a frame"
/* Name of the span in which a run's file is written after its last step, and of the lane that computes. */
#define LAC_SPAN_ASSEMBLY "assemble the file"
#define LAC_LANE_COMPUTE  "compute"

/* Writes a trace to @path, in the format of its extension, through a temporary file:
 *   .json     Chrome trace: one tid per lane, ts and dur in microseconds with three decimals
 *   .pftrace  Perfetto: one track per lane, nanoseconds
 *   .csv      one row per record, units in the header
 * A further .gz compresses the file with gzip. Times are relative to the first record.
 * Returns: %FALSE with LAC_ERROR_USAGE (another extension), LAC_ERROR_UNWRITABLE or LAC_ERROR_DISK_FULL set, and
 * @path unchanged. */
gboolean lac_trace_write(const LacCapture *capture, const char *path, GError **error);

G_END_DECLS
