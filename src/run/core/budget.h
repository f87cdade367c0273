/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run may take of the disk, and how what it records is made coarser so that it never takes more. The budget is for all a
 * run records and for run.h5 made of it; the checkpoint, as large as the state, comes on top. */
#pragma once

#include "io/runfile/folder.h"

G_BEGIN_DECLS

/* Bytes. The least still holds a run's description, its last frame and some rows. */
#define LAC_DISK_BUDGET_DEFAULT  G_GUINT64_CONSTANT(1000000000)
#define LAC_FRAME_BUDGET_DEFAULT (G_GUINT64_CONSTANT(256) << 20) /* most of kept frames */
#define LAC_DISK_BUDGET_LEAST    G_GUINT64_CONSTANT(1000000)

/* Bytes of each stream; twice their sum is the budget, because run.h5 is made beside them. */
typedef struct {
  guint64 rows, frames, records;
} LacDiskShares;

/* @most_frames: of frames, however large the budget is */
LacDiskShares lac_disk_shares(guint64 budget, guint64 most_frames);

/* Of how many steps one is still recorded where @spent of @share bytes are used: 1, then 4, 16 ... each time half of what is left
 * was used, so that ever longer stretches fit; 0: none any more. */
gint64 lac_disk_stride(guint64 spent, guint64 share);

/* "500 MB", "2GB", "none": bytes, G_MAXUINT64 for none. Returns: FALSE with %LAC_ERROR_OUT_OF_RANGE. */
gboolean lac_disk_budget_parse(const char *text, guint64 *bytes, GError **error);

/* The disk budget of one run, and how coarse its streams are within it. */
typedef struct {
  guint64       bytes; /* of everything */
  LacDiskShares shares;
  gint64        record_stride, row_stride;     /* one of so many steps is recorded; 0: none */
  gboolean      is_stopped[LAC_N_RUN_STREAMS]; /* the disk has no room for it */
  gboolean      is_coarser;                    /* since some step not every step is recorded */
} LacRunBudget;

/* @bytes: 0: the default; @frame_bytes: most of frames, 0: the default */
void lac_run_budget_init(LacRunBudget *budget, guint64 bytes, guint64 frame_bytes);
/* Sets the strides by the bytes @spent so far. Returns: TRUE the first time that not every step is recorded any more. */
gboolean lac_run_budget_update(LacRunBudget *budget, const LacRunFolderBytes *spent);
/* Returns whether the metrics of @step are recorded. */
gboolean lac_run_budget_has_row(const LacRunBudget *budget, gint64 step);

G_END_DECLS
