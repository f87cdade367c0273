/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The active run on every page: name, progress, remaining time, pause and stop in the header bar; a banner below it
 * after a fallback to another device. */
#pragma once

#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUN_BAR (lac_run_bar_get_type())
G_DECLARE_FINAL_TYPE(LacRunBar, lac_run_bar, LAC, RUN_BAR, GtkWidget)

void lac_run_bar_set_session(LacRunBar *bar, LacSession *session); /* (nullable) */

/* ---- the banner after a fallback to another device ---- */

#define LAC_TYPE_FALLBACK_BANNER (lac_fallback_banner_get_type())
G_DECLARE_FINAL_TYPE(LacFallbackBanner, lac_fallback_banner, LAC, FALLBACK_BANNER, GtkWidget)

void lac_fallback_banner_set_session(LacFallbackBanner *banner,
                                     LacSession        *session); /* (nullable) */

G_END_DECLS
