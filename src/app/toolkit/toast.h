/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Toasts over a page, shown one after the other and dismissed automatically; their close button has an accessible
 * name. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Returns: (transfer full): a toast with @sentence as plain text. */
AdwToast *lac_toast_new(const char *sentence);
void      lac_toast_set_title(AdwToast *toast, const char *sentence);
/* Takes ownership of @toast. It is shown after the present toast has gone; a toast of high priority dismisses the
 * present one and comes next. Connect to the "dismissed" signal of @toast only after this call. */
void lac_toast_show(AdwToastOverlay *overlay, AdwToast *toast);
/* Dismisses @toast, shown or still waiting. */
void lac_toast_dismiss(AdwToastOverlay *overlay, AdwToast *toast);

G_END_DECLS
