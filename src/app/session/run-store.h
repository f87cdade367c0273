/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a folder as a list that follows the folder: read in a thread, watched; active runs are polled. Signals:
 * changed, after a batch was added or a run changed; folder-changed, once the list is empty and another folder is
 * being read. */
#pragma once

#include "app/session/run-item.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUN_STORE (lac_run_store_get_type())
G_DECLARE_FINAL_TYPE(LacRunStore, lac_run_store, LAC, RUN_STORE, GObject)

LacRunStore *lac_run_store_new(void);

/* Starts reading @folder. @folder: (nullable): NULL: the user's data directory for runs. */
void        lac_run_store_set_folder(LacRunStore *store, const char *folder);
const char *lac_run_store_get_folder(LacRunStore *store); /* (nullable): NULL until one is set */

GListModel *lac_run_store_get_model(LacRunStore *store);  /* (transfer none): LacRunItem */
gboolean    lac_run_store_is_reading(LacRunStore *store); /* TRUE during the first reading */
const char *
lac_run_store_get_problem(LacRunStore *store); /* (nullable): why the folder cannot be read */
LacRunItem *lac_run_store_find(LacRunStore *store,
                               const char  *path); /* (transfer none) (nullable) */
/* Schedules another scan of the folder. */
void lac_run_store_refresh(LacRunStore *store);

/* Returns: (transfer container): the headlines of all runs, borrowed. */
GPtrArray *lac_run_store_list(LacRunStore *store);

/* Returns: (transfer full): LacRunItem of the interrupted runs, which can be resumed, the latest first. */
GPtrArray *lac_run_store_list_interrupted(LacRunStore *store);

G_END_DECLS
