/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A speed-up as a bar: from the centre to the right if faster, to the left if slower, on a logarithmic scale. */
#pragma once

#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_SPEED_BAR (lac_speed_bar_get_type())
G_DECLARE_FINAL_TYPE(LacSpeedBar, lac_speed_bar, LAC, SPEED_BAR, LacDrawingView)

GtkWidget *lac_speed_bar_new(double speed_up);

G_END_DECLS
