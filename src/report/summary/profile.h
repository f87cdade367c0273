/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording summed up: where its time went, by operation and phase, and what its analysis found. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

/* @n_most: rows of the table; 0: all. Returns: (transfer full): what was recorded, the table, the findings, as plain text. */
char *lac_profile_text(const LacCapture *capture, gsize n_most);

/* Returns: (transfer full): {"title", "seconds", "records", "lanes": [...], "iterations": {...}, "operations": [...],
 * "findings": [...]}; times in seconds, memory in bytes, null where nothing is known. */
char *lac_profile_json(const LacCapture *capture);

G_END_DECLS
