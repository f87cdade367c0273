/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of a resumed run: those from before the checkpoint and those that follow in one capture, with one table of
 * names, one of lanes and a clock without gaps, like the reader of its folder (io/runfile/segments.c). */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

typedef struct _LacEarlierRecords LacEarlierRecords;

/* @before: the records from before; takes a reference. @capture: empty; not kept alive. */
LacEarlierRecords *lac_earlier_records_new(LacCapture *before, LacCapture *capture);
void               lac_earlier_records_free(LacEarlierRecords *self);

/* Appends at most @most of the earlier records to the capture. Returns: FALSE when all have been appended. */
gboolean lac_earlier_records_go_on(LacEarlierRecords *self, gsize most);
/* Appends records that @perf recorded after the resume; only once all earlier ones have been appended. */
void lac_earlier_records_append(LacEarlierRecords *self,
                                LacPerf           *perf,
                                const LacRecord   *records,
                                gsize              n);
/* Returns the number of earlier records. */
gsize lac_earlier_records_get_n(const LacEarlierRecords *self);

G_END_DECLS
