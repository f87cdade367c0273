/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile of a recording: time by operation and phase, and the findings of its analysis. */
#pragma once

#include "report/summary/operation-columns.h"

G_BEGIN_DECLS

/* @n_most: maximum number of operations in the table; 0: all. @sort: (nullable): column that orders the table
 * (report/summary/operation-columns.h); NULL: total time. Returns: (transfer full): a summary of the recording, the
 * table, the findings and @advice, as plain text. @advice: (nullable) (element-type LacSpeedAdvice) */
char *lac_profile_text(const LacCapture         *capture,
                       gsize                     n_most,
                       const LacOperationColumn *sort,
                       const GArray             *advice);

/* Returns: (transfer full): the table as CSV; see lac_operations_dup_csv(). @sort: as above */
char *lac_profile_csv(const LacCapture *capture, const LacOperationColumn *sort);

/* Returns: (transfer full): {"title", "seconds", "records", "lanes": [...], "iterations": {...}, "operations": [...],
 * "kernels": [...], "findings": [...], "advice": [...]}; times in seconds, memory in bytes, null where unknown. */
char *lac_profile_json(const LacCapture *capture, const GArray *advice); /* @advice: as above */

G_END_DECLS
