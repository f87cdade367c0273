/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A group in the list of runs, or a sweep within one: its displayed title, its runs as a list, and their summary.
 * Signal: updated. */
#pragma once

#include "app/session/run-item.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUN_GROUP_ITEM (lac_run_group_item_get_type())
G_DECLARE_FINAL_TYPE(LacRunGroupItem, lac_run_group_item, LAC, RUN_GROUP_ITEM, LacColumnRow)

/* @key: key of the grouping; @name: name of the group, both as in run/library/group.h. */
LacRunGroupItem *lac_run_group_item_new(const char *key, const char *name);
/* @items: LacRunItem, and LacRunGroupItem for sweeps; at least one. */
void lac_run_group_item_set(LacRunGroupItem *group, GPtrArray *items);
/* Updates the title after midnight: "Today" is then another day. */
void lac_run_group_item_update_title(LacRunGroupItem *group);

const char *lac_run_group_item_get_key(LacRunGroupItem *group);
const char *lac_run_group_item_get_name(LacRunGroupItem *group);
const char *lac_run_group_item_get_title(LacRunGroupItem *group);
GListModel *lac_run_group_item_get_runs(
  LacRunGroupItem *group); /* (transfer none): LacRunItem, and LacRunGroupItem for sweeps */
guint   lac_run_group_item_get_n_runs(LacRunGroupItem *group); /* also those of its sweeps */
double  lac_run_group_item_get_seconds(LacRunGroupItem *group);
guint64 lac_run_group_item_get_bytes(LacRunGroupItem *group);

/* ---- sweeps ---- */

gboolean lac_run_group_item_is_sweep(LacRunGroupItem *group);
gint64 lac_run_group_item_get_started(LacRunGroupItem *group); /* seconds since 1970; 0: no sweep */
/* Returns: (transfer full): the best result of each run (run/library/best.h), in the order of their values; NaN: none. */
double *lac_run_group_item_dup_values(LacRunGroupItem *group, gsize *n);

/* Returns: (transfer full): the displayed label of the setting @key of @run. */
char *lac_run_dup_setting_label(const LacRunHeadline *run, const char *key);

G_END_DECLS
