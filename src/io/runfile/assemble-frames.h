/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of the frames of run.h5. */
#pragma once

#include "base/pool.h"
#include "io/format/h5.h"
#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* Writes the groups "frames" and "markers" of @run to @file. The caller does not hold the lock of HDF5, which is held for
 * one chunk at a time. @pool: (nullable): NULL: this thread alone. Returns: FALSE on failure. */
gboolean lac_run_file_put_frames(hid_t file, const LacRunFile *run, LacPool *pool);

G_END_DECLS
