/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panel below the fields: curves of a run by kind, spectra, profiles. The table of methods is its legend. Signal:
 * step-chosen (gint64), on a click on a curve. */
#pragma once

#include "app/field/view.h"
#include "app/plot/curve-view.h"
#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_CURVE_PANEL (lac_curve_panel_get_type())
G_DECLARE_FINAL_TYPE(LacCurvePanel, lac_curve_panel, LAC, CURVE_PANEL, GtkWidget)

void lac_curve_panel_set_session(LacCurvePanel *panel, LacSession *session); /* (nullable) */

/* @frame: the frame shown, one of the session's */
void lac_curve_panel_set_frame(LacCurvePanel *panel, LacFrame *frame);
/* @field: the view whose fields are plotted as profiles and spectra */
void          lac_curve_panel_set_field(LacCurvePanel *panel, LacFieldView *field);
LacCurveView *lac_curve_panel_get_curves(LacCurvePanel *panel); /* (transfer none) */
/* Shows or hides the curves, spectrum and profile of a method. @group: from lac_metric_group() */
void lac_curve_panel_show_method(LacCurvePanel *panel, const char *group, gboolean shown);

/* @tab: "errors", "losses", "coefficients", "others", "spectrum", "profile" or the key of a channel with curves.
 * Returns: FALSE if the run has no such curves. */
gboolean lac_curve_panel_show(LacCurvePanel *panel, const char *tab);

/* Returns: (transfer full): the tabs that the run has, as lac_curve_panel_show() takes them. @titles: (out) (transfer
 * full): their titles, translated */
GStrv lac_curve_panel_dup_tabs(LacCurvePanel *panel, GStrv *titles);
/* Returns: (transfer none): the tab shown */
const char *lac_curve_panel_get_tab(LacCurvePanel *panel);
/* @has_head: shows the tabs; FALSE where another widget chooses among them */
void lac_curve_panel_set_head(LacCurvePanel *panel, gboolean has_head);

G_END_DECLS
