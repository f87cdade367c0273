/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A banner below the header bar, shown after the run left its device and went on elsewhere. */
#pragma once

#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_FALLBACK_BANNER (lac_fallback_banner_get_type())
G_DECLARE_FINAL_TYPE(LacFallbackBanner, lac_fallback_banner, LAC, FALLBACK_BANNER, GtkWidget)

void lac_fallback_banner_set_session(LacFallbackBanner *banner,
                                     LacSession        *session); /* (nullable) */

G_END_DECLS
