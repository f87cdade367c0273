/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensors beside the form: the field with the sensors in it, the figures of the layout beside those of the automatic
 * one, and brushes for regions that the automatic placement avoids. The field is prepared in a thread: by itself if
 * that is quick, else on demand. Signals: changed (positions), painted (regions), on user input. */
#pragma once

#include "run/core/run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SENSOR_PANE (lac_sensor_pane_get_type())
G_DECLARE_FINAL_TYPE(LacSensorPane, lac_sensor_pane, LAC, SENSOR_PANE, GtkWidget)

/* Follows @settings, which can be run; copies what it needs. Hidden if the experiment has no sensors to place. */
void lac_sensor_pane_follow(LacSensorPane *pane, const LacRunSettings *settings);
/* Keeps what is shown while a parameter is invalid, but accepts no edits. */
void lac_sensor_pane_hold(LacSensorPane *pane);
/* Prepares the field even if that takes long, and focuses it. */
void lac_sensor_pane_open(LacSensorPane *pane);
/* Discards what was computed. */
void lac_sensor_pane_close(LacSensorPane *pane);

/* Returns: (transfer full): the positions by hand, "" for the automatic ones; the painted regions. */
char *lac_sensor_pane_dup_text(LacSensorPane *pane);
char *lac_sensor_pane_dup_regions(LacSensorPane *pane);

G_END_DECLS
