/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export of a run's measurements, which another run reads by measurements=FILE. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes the sensor readings of the run in @folder to a .csv file, or the exposures of an imaging run to a .h5 file.
 * Any thread. Returns: %FALSE with an error, also for a run that measures nothing */
gboolean lac_measurements_export(const char *folder, const char *path, GError **error);

G_END_DECLS
