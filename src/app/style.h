/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window's colours for drawing lists, light or dark. */
#pragma once

#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"

#include <adwaita.h>

G_BEGIN_DECLS

const LacPalette *lac_style_palette(void);

/* Behind the fields: a neutral grey that does not push the eye to either side. */
LacColour lac_style_backdrop(void);

/* The ground of a card. */
LacColour lac_style_card(void);

/* Redraws @widget whenever light, dark, contrast or a unit changes. */
void lac_style_follow(GtkWidget *widget);
/* Calls @show of what has numbers in it whenever a unit in which they are shown changes. */
void lac_style_follow_units(GtkWidget *widget, void (*show)(GtkWidget *widget));

G_END_DECLS
