/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs in progress, at the top of the sidebar: the benchmark that is measured, the run that computes, the draft in the
 * set-up, the queue, the interrupted runs, and the trace that was opened. A row that would be empty is not shown; the
 * queue and the interrupted runs open in place. */
#pragma once

#include "app/session/workbench.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_PROGRESS_LIST (lac_progress_list_get_type())
G_DECLARE_FINAL_TYPE(LacProgressList, lac_progress_list, LAC, PROGRESS_LIST, GtkWidget)

typedef enum {
  LAC_PROGRESS_NOTHING,
  LAC_PROGRESS_RUN,
  LAC_PROGRESS_DRAFT,
  LAC_PROGRESS_TRACE,
} LacProgressRow;

void lac_progress_list_set_workbench(LacProgressList *list, LacWorkbench *workbench);

/* The draft in the set-up. @experiment: (nullable): NULL: none. @n_changed: settings that differ from the default. */
void lac_progress_list_set_draft(LacProgressList     *list,
                                 const LacExperiment *experiment,
                                 guint                n_changed);
/* The benchmark that is measured. @title: (nullable): NULL: none. */
void lac_progress_list_set_benchmark(LacProgressList *list,
                                     const char      *title,
                                     const char      *caption,
                                     double           fraction);
/* The trace of another program that was opened. @path: (nullable): NULL: none. */
void lac_progress_list_set_trace(LacProgressList *list, const char *path);
/* Marks what the rest of the window shows. */
void lac_progress_list_select(LacProgressList *list, LacProgressRow row);
/* Opens or closes the queue; moves the focus to it when it opens. */
void lac_progress_list_show_queue(LacProgressList *list);

G_END_DECLS
