/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints: all named tensors, the step, and the lengths of the segment files. A checkpoint is written under a
 * temporary name, synced and renamed, so that the file is always complete. */
#pragma once

#include "field/store.h"
#include "io/runfile/format.h"

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the path of the checkpoint in a run folder, whether or not the file exists */
char *lac_run_checkpoint_dup_path(const char *folder);

/* Writes a checkpoint, with memory use independent of the size of the store. @entry: version and n_tensors are filled
 * in. Returns: FALSE with %LAC_ERROR_DISK_FULL or %LAC_ERROR_UNWRITABLE; the previous checkpoint is then unchanged. */
gboolean lac_run_checkpoint_write(const char         *folder,
                                  LacCheckpointEntry *entry,
                                  const LacStore     *store,
                                  GError            **error);

/**
 * lac_run_checkpoint_read:
 * @store: (out): the saved tensors; empty when there is no checkpoint
 *
 * A missing checkpoint is not an error: @entry is then zeroed. Returns: FALSE with %LAC_ERROR_BAD_FILE when the
 * checkpoint is damaged.
 */
gboolean lac_run_checkpoint_read(const char         *folder,
                                 LacCheckpointEntry *entry,
                                 LacStore          **store,
                                 GError            **error);

G_END_DECLS
