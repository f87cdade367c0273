/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of fields: pictures, table of methods and curves of a session, with its transport bar. */
#pragma once

#include "app/field/view.h"
#include "app/session/session.h"
#include "report/volume/scene.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_LIVE_PAGE (lac_live_page_get_type())
G_DECLARE_FINAL_TYPE(LacLivePage, lac_live_page, LAC, LIVE_PAGE, GtkWidget)

/* @session: (nullable); @draft: (nullable): initial values of the live parameters of a running run */
void lac_live_page_set_session(LacLivePage *page, LacSession *session, const LacDraft *draft);

void lac_live_page_set_mode(LacLivePage *page, LacViewMode mode);
/* Returns: FALSE if the run has no such quantity. */
gboolean lac_live_page_set_quantity(LacLivePage *page, const char *quantity);
void lac_live_page_show_frame(LacLivePage *page, guint64 frame); /* index among the stored frames */
/* @tab: see lac_curve_panel_show() */
gboolean      lac_live_page_show_curves(LacLivePage *page, const char *tab);
LacFieldView *lac_live_page_get_field(LacLivePage *page); /* (transfer none) */
void          lac_live_page_play(LacLivePage *page);      /* plays the stored frames, or stops */
/* Sets a parameter that may change during the run. */
void lac_live_page_tune(LacLivePage *page, const char *key, const char *text);
void lac_live_page_set_vision(LacLivePage *page, LacVision vision);
/* Returns: (transfer none) (nullable): the key of the volume shown, and its view; NULL: fields are shown. */
const char *lac_live_page_get_volume(LacLivePage *page, const LacVolumeView **volume_view);
void        lac_live_page_zoom(LacLivePage *page, double factor); /* 0: fit */

/* Returns: (transfer none): the transport bar, which is not part of the page's own widgets. */
GtkWidget *lac_live_page_get_bar(LacLivePage *page);

G_END_DECLS
