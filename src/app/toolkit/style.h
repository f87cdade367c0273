/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window's colours for drawing lists, light or dark. */
#pragma once

#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"

#include <adwaita.h>

G_BEGIN_DECLS

const LacPalette *lac_style_palette(void);

/* Colour of a run in a comparison, by its place: of its letter and its curves. They recur. */
#define LAC_STYLE_RUN_COLOURS 6
LacColour lac_style_run_colour(guint run);
/* The palette with these colours for its curves. */
LacPalette lac_style_run_palette(void);

/* Keeps sign, groups of digits and unit of a number in their order right to left, at the same end of the label. Call
 * after its alignment is set. */
void lac_label_keep_number(GtkLabel *label);

/* Background of the fields: a neutral grey, which biases neither end of a diverging colour map. */
LacColour lac_style_backdrop(void);

/* Red of what is wrong and green of what holds or is better, with enough contrast for text. */
LacColour lac_style_wrong(void);
LacColour lac_style_good(void);

/* Background of a card. */
LacColour lac_style_card(void);

/* Redraws @widget whenever the style (light, dark, contrast) or a unit changes. */
void lac_style_follow(GtkWidget *widget);
/* Calls @show whenever a display unit changes, for a widget that displays values. */
void lac_style_follow_units(GtkWidget *widget, void (*show)(GtkWidget *widget));

G_END_DECLS
