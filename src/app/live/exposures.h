/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beside the object of an imaging run: the k-plane with its apertures, the detector of the exposure shown, and how
 * many apertures cover each place. Hidden for a run without these channels. */
#pragma once

#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_EXPOSURES (lac_exposures_get_type())
G_DECLARE_FINAL_TYPE(LacExposures, lac_exposures, LAC, EXPOSURES, GtkWidget)

/* @session, @draft: (nullable) */
void lac_exposures_set_session(LacExposures *exposures, LacSession *session, const LacDraft *draft);
void lac_exposures_set_frame(LacExposures *exposures, LacFrame *frame);

G_END_DECLS
