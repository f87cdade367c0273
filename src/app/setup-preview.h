/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run would look at, beside its parameters: drawn on a thread of its own whenever they change, or why it cannot be. */
#pragma once

#include "run/core/run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SETUP_PREVIEW (lac_setup_preview_get_type())
G_DECLARE_FINAL_TYPE(LacSetupPreview, lac_setup_preview, LAC, SETUP_PREVIEW, GtkWidget)

/* Copies what it needs; the newest wins. Hidden where the experiment has no preview. */
void lac_setup_preview_show(LacSetupPreview *preview, const LacRunSettings *settings);

/* While a parameter cannot be taken: the pictures stay, why there are none of the parameters before does not. */
void lac_setup_preview_hold(LacSetupPreview *preview);

G_END_DECLS
