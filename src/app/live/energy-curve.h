/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve of the energy of a quantum run above its reference, with Hartree-Fock, the chemical accuracy, and the part over
 * which the energy is measured. */
#pragma once

#include "app/session/session.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_ENERGY_CURVE (lac_energy_curve_get_type())
G_DECLARE_FINAL_TYPE(LacEnergyCurve, lac_energy_curve, LAC, ENERGY_CURVE, LacDrawingView)

/* @session: (nullable): one with an energy. Its changes are drawn when the caller redraws the widget. */
void lac_energy_curve_set_session(LacEnergyCurve *curve, LacSession *session);
void lac_energy_curve_set_step(LacEnergyCurve *curve,
                               gint64          step); /* of the frame shown; -1: none */

/* Returns: the index of a metric; -1: none */
gssize lac_energy_find_metric(LacSession *session, const char *key);
/* Returns: the last value of a metric; NaN: none */
double lac_energy_get_last(LacSession *session, const char *key);
/* Gets the reference energy in hartree. Returns: FALSE if none is known. */
gboolean lac_energy_get_reference(LacSession *session, double *reference);
/* Returns: the Hartree-Fock energy in hartree, for comparison; NaN if it is not tabulated. */
double lac_energy_find_hartree_fock(LacSession *session);

G_END_DECLS
