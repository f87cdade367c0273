/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exposures of a run, saved in its folder. */
#pragma once

#include "field/store.h"
#include "io/runfile/folder.h"

G_BEGIN_DECLS

/* Writes the exposures. @exposures: entries as in io/input/exposures-h5.h. Returns: FALSE with %LAC_ERROR_UNWRITABLE
 * or %LAC_ERROR_DISK_FULL. */
gboolean
lac_run_exposures_write(const LacRunFolder *folder, const LacStore *exposures, GError **error);

/* Reads the exposures. @path: a run folder or a file in it. Returns: %NULL with %LAC_ERROR_BAD_FILE if @path is not a
 * run or the run has no detector. */
LacStore *lac_run_exposures_read(const char *path, GError **error);

G_END_DECLS
