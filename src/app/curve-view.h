/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Live curves of a session: what is drawn on a logarithmic axis, against step or seconds. */
#pragma once

#include "app/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_CURVE_VIEW (lac_curve_view_get_type())
G_DECLARE_FINAL_TYPE(LacCurveView, lac_curve_view, LAC, CURVE_VIEW, GtkWidget)

void lac_curve_view_set_session(LacCurveView *view, LacSession *session); /* (nullable) */
void lac_curve_view_set_seconds(LacCurveView *view, gboolean against_seconds);

G_END_DECLS
