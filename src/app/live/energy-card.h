/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The card above the density of a quantum run: how far the energy lies above the reference, or the energy itself
 * without one, and beside it its curve or another one of the run. */
#pragma once

#include "app/plot/curve-panel.h"
#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_ENERGY_CARD (lac_energy_card_get_type())
G_DECLARE_FINAL_TYPE(LacEnergyCard, lac_energy_card, LAC, ENERGY_CARD, GtkWidget)

/* Hides itself for a run without an energy. @session: (nullable) */
void lac_energy_card_set_session(LacEnergyCard *card, LacSession *session);
/* @is_compact: without the curve, for a low page */
void lac_energy_card_set_compact(LacEnergyCard *card, gboolean is_compact);
/* Sets the step of the frame shown. */
void lac_energy_card_set_step(LacEnergyCard *card, gint64 step);

/* Takes the panel with the other curves into the card, which then offers them. @panel: without a parent; NULL removes
 * the one before */
void lac_energy_card_set_panel(LacEnergyCard *card, LacCurvePanel *panel);
/* Shows a tab of the panel in the card; the panel is not in it: nothing happens. */
void lac_energy_card_choose(LacEnergyCard *card, const char *tab);

G_END_DECLS
