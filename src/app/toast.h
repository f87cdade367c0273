/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences that come up over a page, one after the other, and go by themselves; their button to be closed has a name. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Returns: (transfer full): of @sentence, which is plain text. */
AdwToast *lac_toast_new(const char *sentence);
/* Takes @toast. It comes once what is shown has gone; one of high priority comes next and sends what is shown away. Its "dismissed" is
 * to be connected after this. */
void lac_toast_show(AdwToastOverlay *overlay, AdwToast *toast);
/* Sends @toast away, whether it is shown or waits. */
void lac_toast_dismiss(AdwToastOverlay *overlay, AdwToast *toast);

G_END_DECLS
