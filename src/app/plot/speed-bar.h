/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ratio as a bar from the centre on a logarithmic scale. A speed-up: to the right if faster, to the left if slower. A
 * ratio of errors or times: to the right in red if worse, to the left in green if better. */
#pragma once

#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_SPEED_BAR (lac_speed_bar_get_type())
G_DECLARE_FINAL_TYPE(LacSpeedBar, lac_speed_bar, LAC, SPEED_BAR, LacDrawingView)

GtkWidget *lac_speed_bar_new(double speed_up);
GtkWidget *lac_speed_bar_new_ratio(void);
void       lac_speed_bar_set_ratio(LacSpeedBar *bar, double ratio); /* NaN: no bar */

G_END_DECLS
