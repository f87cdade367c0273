/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars in the cells of the tables of benchmarks. */
#pragma once

#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

/* A value as a share of its limit: green, or red beyond the limit. */
#define LAC_TYPE_LIMIT_BAR (lac_limit_bar_get_type())
G_DECLARE_FINAL_TYPE(LacLimitBar, lac_limit_bar, LAC, LIMIT_BAR, LacDrawingView)

GtkWidget *lac_limit_bar_new(void);
/* @share: value / limit; NaN: nothing is drawn. @is_beyond: the limit is missed. */
void lac_limit_bar_set(LacLimitBar *bar, double share, gboolean is_beyond);

/* A value above a newer one, in proportion. */
#define LAC_TYPE_BEFORE_AFTER (lac_before_after_get_type())
G_DECLARE_FINAL_TYPE(LacBeforeAfter, lac_before_after, LAC, BEFORE_AFTER, LacDrawingView)

typedef enum { LAC_CHANGE_NONE, LAC_CHANGE_BETTER, LAC_CHANGE_WORSE } LacChangeLook;

GtkWidget *lac_before_after_new(void);
/* @before, @after: NaN: no bar. @look: of the newer bar. */
void lac_before_after_set(LacBeforeAfter *bars, double before, double after, LacChangeLook look);

G_END_DECLS
