/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile of a recording: time by operation and phase, and the findings of its analysis. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* @n_most: maximum number of operations in the table; 0: all. Returns: (transfer full): a summary of the recording,
 * the table and the findings, as plain text. */
char *lac_profile_text(const LacCapture *capture, gsize n_most);

/* Returns: (transfer full): {"title", "seconds", "records", "lanes": [...], "iterations": {...}, "operations": [...],
 * "findings": [...]}; times in seconds, memory in bytes, null where unknown. */
char *lac_profile_json(const LacCapture *capture);

G_END_DECLS
