/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs and set-ups in progress, as the rows of the sidebar, in this order: the run that computes, queued runs that compute beside
 * it, the set-up being edited, the queue, and the latest interrupted runs. A list model of LacInProgressItem; an item keeps its row while it lasts. */
#pragma once

#include "app/session/workbench.h"
#include "app/toolkit/column-table.h"

G_BEGIN_DECLS

typedef enum {
  LAC_IN_PROGRESS_RUN,
  LAC_IN_PROGRESS_BESIDE,
  LAC_IN_PROGRESS_DRAFT,
  LAC_IN_PROGRESS_QUEUE,
  LAC_IN_PROGRESS_INTERRUPTED,
} LacInProgressKind;

/* Signal: updated. */
#define LAC_TYPE_IN_PROGRESS_ITEM (lac_in_progress_item_get_type())
G_DECLARE_FINAL_TYPE(LacInProgressItem, lac_in_progress_item, LAC, IN_PROGRESS_ITEM, LacColumnRow)

LacInProgressKind lac_in_progress_item_get_kind(LacInProgressItem *item);
/* The name of its experiment, of a run or one beside it; else "". */
const char *lac_in_progress_item_get_experiment(LacInProgressItem *item);
/* (nullable): the run's folder, of a run, one beside it or an interrupted one. */
const char *lac_in_progress_item_get_path(LacInProgressItem *item);
const char *lac_in_progress_item_get_title(LacInProgressItem *item);
/* "Step 120 of 200 · 12 s left", "3 settings changed", "2 runs, paused", "16:32 · K 8" */
const char *lac_in_progress_item_get_caption(LacInProgressItem *item);
double      lac_in_progress_item_get_fraction(LacInProgressItem *item); /* of a run; else NaN */

#define LAC_TYPE_IN_PROGRESS (lac_in_progress_get_type())
G_DECLARE_FINAL_TYPE(LacInProgress, lac_in_progress, LAC, IN_PROGRESS, GObject)

/* @workbench: not kept alive; the list is empty once it is disposed of. */
LacInProgress *lac_in_progress_new(LacWorkbench *workbench);
/* Sets the set-up that is being edited. @experiment: (nullable): NULL: none */
void
lac_in_progress_set_draft(LacInProgress *self, const LacExperiment *experiment, guint n_changed);

G_END_DECLS
