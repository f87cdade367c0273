/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensor measurements of a run, saved in its folder. */
#pragma once

#include "field/measurements.h"
#include "io/runfile/folder.h"

G_BEGIN_DECLS

/* Writes the measurements. Returns: FALSE with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL. */
gboolean
lac_run_sensors_write(const LacRunFolder *folder, const LacMeasurements *readings, GError **error);

/* Reads the measurements. @path: a run folder or a file in it. Returns: %NULL with %LAC_ERROR_BAD_FILE if @path is not
 * a run or the run has no measurements. */
LacMeasurements *lac_run_sensors_read(const char *path, GError **error);

G_END_DECLS
