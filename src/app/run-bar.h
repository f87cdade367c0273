/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run on every page: in the header bar name, progress, time to go, pause and stop; below it a banner where it left its device. */
#pragma once

#include "app/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_RUN_BAR (lac_run_bar_get_type())
G_DECLARE_FINAL_TYPE(LacRunBar, lac_run_bar, LAC, RUN_BAR, GtkWidget)

void lac_run_bar_set_session(LacRunBar *bar, LacSession *session); /* (nullable) */

/* Returns: (transfer full): where a run stands, in a few words. */
/* Of a run that is followed: how old the newest of it is, in whole seconds: it is looked at once a second. */
char *lac_run_bar_dup_age(LacSession *session);
char *lac_run_bar_dup_session_words(LacSession *session);
char *lac_run_bar_dup_words(const LacRunStatus *status);

/* ---- the banner of a run that left its device ---- */

#define LAC_TYPE_FALLBACK_BANNER (lac_fallback_banner_get_type())
G_DECLARE_FINAL_TYPE(LacFallbackBanner, lac_fallback_banner, LAC, FALLBACK_BANNER, GtkWidget)

void lac_fallback_banner_set_session(LacFallbackBanner *banner,
                                     LacSession        *session); /* (nullable) */

G_END_DECLS
