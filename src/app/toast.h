/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences that come up over a page and go by themselves; their button to be closed has a name. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Returns: (transfer full): of @sentence, which is plain text. */
AdwToast *lac_toast_new(const char *sentence);
/* Takes @toast. */
void lac_toast_show(AdwToastOverlay *overlay, AdwToast *toast);

G_END_DECLS
