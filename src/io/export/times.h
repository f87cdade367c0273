/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 file of fields at several times: a data set [n_times][ny][nx] in float32 per channel, t, and the coordinates. Reads
 * back as snapshots (io/input/input.h). Written under a temporary name and renamed. One thread. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef struct _LacTimesExport LacTimesExport;

/**
 * lac_times_export_new:
 * @run: borrowed
 * @channel: (nullable): key of the only channel to write; NULL: all fields on the grid of the first
 *
 * Returns: %NULL with %LAC_ERROR_UNKNOWN_KEY, %LAC_ERROR_USAGE if @channel is no field of a plane, or %LAC_ERROR_UNWRITABLE.
 */
LacTimesExport *
lac_times_export_new(const LacRunFile *run, const char *channel, const char *path, GError **error);

/* Adds the fields of @frame at @time, the next of @n_times. Returns: FALSE with %LAC_ERROR_UNWRITABLE. */
gboolean lac_times_export_add(LacTimesExport *self,
                              gsize           n_times,
                              double          time,
                              const LacFrame *frame,
                              GError        **error);

/* Completes the file. Returns: FALSE with %LAC_ERROR_UNWRITABLE. */
gboolean lac_times_export_finish(LacTimesExport *self, GError **error);

/* Removes an incomplete file. */
void lac_times_export_free(LacTimesExport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTimesExport, lac_times_export_free)

G_END_DECLS
