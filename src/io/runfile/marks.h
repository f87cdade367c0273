/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's marks on a run's timeline, with short labels. They have a small file of their own; the recorded data
 * stay unchanged. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

#define LAC_RUN_MARK_MOST 200 /* maximum label length in bytes */

typedef struct {
  gint64 time_ns; /* time on the clock of the run's records */
  char  *words;   /* label, one line; "": none */
} LacRunMark;

/* Returns: (transfer full): an empty array of LacRunMark that frees its elements. */
GArray *lac_run_marks_new(void);
/* Adds a mark, sorted by time. @words: (nullable): shortened to one line. Returns: its index. */
guint lac_run_marks_add(GArray *marks, gint64 time_ns, const char *words);
void  lac_run_marks_set_words(GArray *marks, guint i, const char *words);

/* Returns: (transfer full): array of LacRunMark, sorted by time; empty when the file is missing or unreadable. */
GArray *lac_run_marks_read(const char *folder);

/* Replaces the file; an empty array deletes it. Returns: FALSE with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL. */
gboolean lac_run_marks_write(const char *folder, const GArray *marks, GError **error);

/* Adds the marks to a capture, for traces, figures and reports. Returns: (transfer full): @capture itself when the
 * run has no marks; else a copy in which the marks are labelled records on a lane of their own. */
LacCapture *lac_run_marks_ref_capture(const char *folder, LacCapture *capture);

G_END_DECLS
