/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export of planes and volumes of a run: HDF5, CSV, NPY, VTI, Gaussian cube. Files are written under a temporary name
 * and renamed. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/**
 * lac_export:
 * @channel: (nullable): a channel key; NULL: all channels (h5), all planes (csv, vti), the first reconstruction (npy) or
 *   the first volume (cube)
 * @step: the saved frame nearest to this step is written; -1: the last
 * @path: its extension chooses the format: .h5 .csv .npy .vti .cube
 *
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_UNWRITABLE set.
 */
gboolean lac_export(const LacRunFile *run,
                    const char       *channel,
                    gint64            step,
                    const char       *path,
                    GError          **error);

/**
 * lac_export_cutout:
 * @channel: (nullable): any channel of the source to export; NULL: the first reconstruction
 * @path: ends in .h5; an .xmf file for ParaView is written next to it
 *
 * Writes velocity and pressure of every saved step in the layout of a JHTDB cut-out, which io/input/input.h reads
 * back.
 *
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_BAD_FILE or %LAC_ERROR_UNWRITABLE set.
 */
gboolean
lac_export_cutout(const LacRunFile *run, const char *channel, const char *path, GError **error);

G_END_DECLS
