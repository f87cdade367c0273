/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview of the run's data beside its parameters: drawn in a thread whenever they change, or the reason why there is
 * none. */
#pragma once

#include "run/core/run.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_SETUP_PREVIEW (lac_setup_preview_get_type())
G_DECLARE_FINAL_TYPE(LacSetupPreview, lac_setup_preview, LAC, SETUP_PREVIEW, GtkWidget)

/* Copies what it needs; the newest request wins. Hidden if the experiment has no preview. */
void lac_setup_preview_show(LacSetupPreview *preview, const LacRunSettings *settings);

/* Cancels drawing while a parameter is invalid: pictures remain, but a message about earlier values is replaced. */
void lac_setup_preview_hold(LacSetupPreview *preview);

G_END_DECLS
