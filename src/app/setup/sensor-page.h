/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manual sensor placement before a run: computes the set-up, shows it in an editor and scores the layout after each
 * edit.
 * Signals: changed, when another layout can be applied; closed, when the user goes back. */
#pragma once

#include "run/core/run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SENSOR_PAGE (lac_sensor_page_get_type())
G_DECLARE_FINAL_TYPE(LacSensorPage, lac_sensor_page, LAC, SENSOR_PAGE, GtkWidget)

/* Copies what it needs. Reuses the plan computed for the same settings. */
void lac_sensor_page_open(LacSensorPage *page, const LacRunSettings *settings);
/* Cancels and discards the plan. */
void lac_sensor_page_close(LacSensorPage *page);

/* Shows another manual layout; @text: value of the parameter LAC_PLANNING_ROW. */
void lac_sensor_page_show(LacSensorPage *page, const char *text);

/* Returns: (transfer full): value for the parameter LAC_PLANNING_ROW; empty: the automatic placement. */
char *lac_sensor_page_dup_text(LacSensorPage *page);

G_END_DECLS
