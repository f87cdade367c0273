/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A checkpoint: every named tensor, the step, and how long the segments were then. Written to a temporary name,
 * synced, renamed, so that there is always a whole one. */
#pragma once

#include "field/store.h"
#include "io/runfile/format.h"

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the checkpoint of the run folder, there or not */
char *lac_run_checkpoint_dup_path(const char *folder);

/* @entry: version and n_tensors are filled in. Returns: FALSE with %LAC_ERROR_DISK_FULL or %LAC_ERROR_UNWRITABLE;
 * the checkpoint before is then still there. Does not allocate in proportion to the store. */
gboolean lac_run_checkpoint_write(const char         *folder,
                                  LacCheckpointEntry *entry,
                                  const LacStore     *store,
                                  GError            **error);

/**
 * lac_run_checkpoint_read:
 * @store: (out): what was kept; empty when there is no checkpoint
 *
 * Returns: FALSE with %LAC_ERROR_BAD_FILE when there is one and it is damaged. No checkpoint is no error: @entry is
 *   then zeroed.
 */
gboolean lac_run_checkpoint_read(const char         *folder,
                                 LacCheckpointEntry *entry,
                                 LacStore          **store,
                                 GError            **error);

G_END_DECLS
