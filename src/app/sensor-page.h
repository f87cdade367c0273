/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sensors by hand before a run: the set-up is computed, the sensors are placed on it, their worth follows at once.
 * Signals: changed, when there is another layout to take; closed, when the person goes back. */
#pragma once

#include "run/core/run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SENSOR_PAGE (lac_sensor_page_get_type())
G_DECLARE_FINAL_TYPE(LacSensorPage, lac_sensor_page, LAC, SENSOR_PAGE, GtkWidget)

/* Copies what it needs. What was computed for the same settings is used again. */
void lac_sensor_page_open(LacSensorPage *page, const LacRunSettings *settings);
/* Cancels and forgets. */
void lac_sensor_page_close(LacSensorPage *page);

/* Another layout than the one that was given by hand: text of the row LAC_PLANNING_ROW. */
void lac_sensor_page_show(LacSensorPage *page, const char *text);

/* Returns: (transfer full): for the row LAC_PLANNING_ROW; empty: what the other rows choose. */
char *lac_sensor_page_dup_text(LacSensorPage *page);

G_END_DECLS
