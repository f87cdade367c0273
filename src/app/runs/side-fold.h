/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side pane of a page: beside the content on a wide page; on a narrow one hidden, and over the content on demand. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* @page: a widget whose only child holds @flap. Replaces its layout manager. */
void lac_side_fold_attach(GtkWidget *page, AdwFlap *flap);

/* Calls @show whenever the page becomes low, or high again. */
typedef void (*LacLowFunc)(GtkWidget *page, gboolean is_low);
void lac_side_fold_set_low(GtkWidget *page, LacLowFunc show);

/* Shows or hides the side; a choice on a wide page is kept while the page is narrow. */
void     lac_side_fold_show(AdwFlap *flap, gboolean is_shown);
gboolean lac_side_fold_is_shown(AdwFlap *flap);

G_END_DECLS
