/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings that were changed while the run went on, from its journal. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct {
  gint64               step; /* the last step before the change */
  const LacRunSetting *setting;
  char                *before, *after; /* as lac_setting_dup_value() */
} LacRunChange;

/* Returns: (transfer full): array of LacRunChange in the order of the journal; borrows the settings of @run. */
GArray *lac_run_changes(const LacRunFile *run);

/* Returns: (transfer full): "Inflation 1.05 → 1.6 at step 41". */
char *lac_run_change_dup_text(const LacRunChange *change);

/* Returns TRUE for the event of a changed setting. */
gboolean lac_run_event_is_change(const LacRunEvent *event);

G_END_DECLS
