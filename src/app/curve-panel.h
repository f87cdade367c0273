/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Below the fields: the curves of a run by kind, its spectra, and the legend that hides and shows them.
 * Signal: step-chosen (gint64): in a curve. */
#pragma once

#include "app/field-view.h"
#include "app/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_CURVE_PANEL (lac_curve_panel_get_type())
G_DECLARE_FINAL_TYPE(LacCurvePanel, lac_curve_panel, LAC, CURVE_PANEL, GtkWidget)

void lac_curve_panel_set_session(LacCurvePanel *panel, LacSession *session); /* (nullable) */

/* The one that is shown, of the session. */
void lac_curve_panel_set_frame(LacCurvePanel *panel, LacFrame *frame);
/* The fields that profiles are read from. */
void lac_curve_panel_set_field(LacCurvePanel *panel, LacFieldView *field);
/* After another quantity of them. */
void lac_curve_panel_list_again(LacCurvePanel *panel);

/* @tab: "errors", "losses", "coefficients", "others", "spectrum", "profile" or the key of a channel of curves. Returns: FALSE where the run has no such curves. */
gboolean lac_curve_panel_show(LacCurvePanel *panel, const char *tab);

G_END_DECLS
