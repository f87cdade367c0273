/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A legend beside a plot; its entries show and hide curves. Signal: toggled (guint entry, gboolean shown). */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_CURVE_LEGEND (lac_curve_legend_get_type())
G_DECLARE_FINAL_TYPE(LacCurveLegend, lac_curve_legend, LAC, CURVE_LEGEND, GtkWidget)

void lac_curve_legend_clear(LacCurveLegend *legend);
void lac_curve_legend_add_heading(LacCurveLegend *legend, const char *text);

/* @look: curve style from report/plot/plot.h; @entry: index passed by the signal */
void lac_curve_legend_add(LacCurveLegend *legend,
                          guint           entry,
                          const char     *label,
                          guint           look,
                          gboolean        shown);

G_END_DECLS
