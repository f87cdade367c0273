/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sentence above every page: the device of the run that is shown could not go on. Until somebody puts it away. */
#pragma once

#include "app/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_FALLBACK_BANNER (lac_fallback_banner_get_type())
G_DECLARE_FINAL_TYPE(LacFallbackBanner, lac_fallback_banner, LAC, FALLBACK_BANNER, GtkWidget)

void lac_fallback_banner_set_session(LacFallbackBanner *banner,
                                     LacSession        *session); /* (nullable) */

G_END_DECLS
