/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a card: as wide as there is room, and as high as its proportions require, however little there is.
 * GtkPicture gives up its height first. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_CARD_PICTURE (lac_card_picture_get_type())
G_DECLARE_FINAL_TYPE(LacCardPicture, lac_card_picture, LAC, CARD_PICTURE, GtkWidget)

/* @paintable: (nullable): has an intrinsic size. @text: read by a screen reader. */
void lac_card_picture_set(LacCardPicture *picture, GdkPaintable *paintable, const char *text);

G_END_DECLS
