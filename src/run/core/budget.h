/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disk budget of a run, and the decimation of its streams to stay within it. The budget covers all run records and
 * the run.h5 assembled from them; the checkpoint, as large as the state, is not included. */
#pragma once

#include "io/runfile/folder.h"

G_BEGIN_DECLS

/* Budgets in bytes. The minimum has room for a run's description, its last frame and some rows. */
#define LAC_DISK_BUDGET_DEFAULT  G_GUINT64_CONSTANT(1000000000)
#define LAC_FRAME_BUDGET_DEFAULT (G_GUINT64_CONSTANT(256) << 20) /* maximum for saved frames */
#define LAC_DISK_BUDGET_LEAST    G_GUINT64_CONSTANT(1000000)

/* Maximum bytes of each stream. The streams share half the budget, because run.h5 is written beside them. */
typedef struct {
  guint64 rows, frames, records;
} LacDiskShares;

/* @most_frames: upper limit in bytes for the frames, independent of @budget */
LacDiskShares lac_disk_shares(guint64 budget, guint64 most_frames);

/* Returns the interval, in steps, at which to record when @spent of @share bytes are used: 1, multiplied by 4 each
 * time half of the remaining bytes has been used, so that even a very long run stays within its share; 0: no more
 * recording. */
gint64 lac_disk_stride(guint64 spent, guint64 share);

/* Parses "500 MB", "2GB", "none" to bytes, G_MAXUINT64 for none. Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE. */
gboolean lac_disk_budget_parse(const char *text, guint64 *bytes, GError **error);

/* Disk budget of one run, and the current decimation of its streams. */
typedef struct {
  guint64       bytes; /* total */
  LacDiskShares shares;
  gint64        record_stride, row_stride;     /* step interval for recording; 0: none */
  gboolean      is_stopped[LAC_N_RUN_STREAMS]; /* paused because the disk is full */
  gboolean      is_coarser;                    /* some steps have not been recorded */
} LacRunBudget;

/* @bytes: 0: the default; @frame_bytes: maximum for frames, 0: the default */
void lac_run_budget_init(LacRunBudget *budget, guint64 bytes, guint64 frame_bytes);
/* Sets the strides from the bytes @spent so far. Returns: TRUE once, when steps are skipped for the first time. */
gboolean lac_run_budget_update(LacRunBudget *budget, const LacRunFolderBytes *spent);
/* Returns TRUE when the metrics of @step are recorded. */
gboolean lac_run_budget_has_row(const LacRunBudget *budget, gint64 step);

G_END_DECLS
