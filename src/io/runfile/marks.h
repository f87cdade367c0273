/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments of a run that a person marked on its timeline, with a few words. A small file beside the record, which stays as it is. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

#define LAC_RUN_MARK_MOST 200 /* bytes of words */

typedef struct {
  gint64 time_ns; /* on the clock of the run's records */
  char  *words;   /* of one line, "" without */
} LacRunMark;

/* Returns: (transfer full): of LacRunMark, empty; each is freed with it. */
GArray *lac_run_marks_new(void);
/* In order of time. @words: (nullable): shortened to one line. Returns: its number. */
guint lac_run_marks_add(GArray *marks, gint64 time_ns, const char *words);
void  lac_run_marks_set_words(GArray *marks, guint i, const char *words);

/* Returns: (transfer full): of LacRunMark, in order; what is not there or cannot be read is empty. */
GArray *lac_run_marks_read(const char *folder);

/* Replaces the file; no marks remove it. Returns: FALSE with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL. */
gboolean lac_run_marks_write(const char *folder, const GArray *marks, GError **error);

/* Returns: (transfer full): @capture itself where the run has no marks; else a copy that has them as records of a lane of
 * their own, called by their words: for traces, figures and reports. */
LacCapture *lac_run_marks_ref_capture(const char *folder, LacCapture *capture);

G_END_DECLS
