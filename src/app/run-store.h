/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a folder as a list that follows it: read on a thread, watched, the ones that go on looked at again. Signals:
 * changed, after a batch has come or something was found to be otherwise; folder-changed, once it is empty and another is read. */
#pragma once

#include "app/run-item.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUN_STORE (lac_run_store_get_type())
G_DECLARE_FINAL_TYPE(LacRunStore, lac_run_store, LAC, RUN_STORE, GObject)

LacRunStore *lac_run_store_new(void);

/* @folder: (nullable): NULL: the user's data directory for runs. Begins to read it. */
void        lac_run_store_set_folder(LacRunStore *store, const char *folder);
const char *lac_run_store_get_folder(LacRunStore *store); /* (nullable): before one was set */

GListModel *lac_run_store_get_model(LacRunStore *store);   /* (transfer none): of LacRunItem */
gboolean    lac_run_store_is_reading(LacRunStore *store);  /* the first time */
const char *lac_run_store_get_problem(LacRunStore *store); /* (nullable): why it cannot be read */
LacRunItem *lac_run_store_find(LacRunStore *store,
                               const char  *path); /* (transfer none) (nullable) */
/* Looks at the folder again, soon. */
void lac_run_store_refresh(LacRunStore *store);

/* Returns: (transfer container): the headlines of all runs, borrowed. */
GPtrArray *lac_run_store_list(LacRunStore *store);

G_END_DECLS
