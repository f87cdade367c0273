/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a run that belong to no column shown in the table of methods: name and value, in the order they are
 * declared. Hidden while there is none. */
#pragma once

#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_MEASURED (lac_measured_get_type())
G_DECLARE_FINAL_TYPE(LacMeasured, lac_measured, LAC, MEASURED, GtkWidget)

void lac_measured_set_session(LacMeasured *measured, LacSession *session); /* (nullable) */

G_END_DECLS
