/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep: one chart and one table, filled as its runs end. */
#pragma once

#include "app/session/sweep-bands.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_PAGE (lac_sweep_page_get_type())
G_DECLARE_FINAL_TYPE(LacSweepPage, lac_sweep_page, LAC, SWEEP_PAGE, GtkWidget)

void lac_sweep_page_set_series(LacSweepPage *page, LacSweepSeries *series); /* (nullable) */

/* (transfer none): results of random placement, computed once the runs have ended. */
LacSweepBands *lac_sweep_page_get_bands(LacSweepPage *page);

G_END_DECLS
