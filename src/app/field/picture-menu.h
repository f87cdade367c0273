/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A button whose popover sets how fields are drawn: limits, scale, colours and overlays. */
#pragma once

#include "app/field/view.h"

G_BEGIN_DECLS

#define LAC_TYPE_PICTURE_MENU (lac_picture_menu_get_type())
G_DECLARE_FINAL_TYPE(LacPictureMenu, lac_picture_menu, LAC, PICTURE_MENU, GtkWidget)

void lac_picture_menu_attach(LacPictureMenu *menu, LacFieldView *view);

/* Sets limits by their word: "auto", "lock", "percentile" … */
void lac_field_view_set_limits_by_word(LacFieldView *view, gboolean of_errors, const char *word);

G_END_DECLS
