/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A speed-up as a bar: from the middle to the right where it is faster, to the left where it is slower, on a logarithmic scale. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SPEED_BAR (lac_speed_bar_get_type())
G_DECLARE_FINAL_TYPE(LacSpeedBar, lac_speed_bar, LAC, SPEED_BAR, GtkWidget)

GtkWidget *lac_speed_bar_new(double speed_up);

G_END_DECLS
