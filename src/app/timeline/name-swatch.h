/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A square in the colour of a phase or operation. */
#pragma once

#include "app/timeline/scope.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_NAME_SWATCH (lac_name_swatch_get_type())
G_DECLARE_FINAL_TYPE(LacNameSwatch, lac_name_swatch, LAC, NAME_SWATCH, LacDrawingView)

GtkWidget *lac_name_swatch_new(void);
void       lac_name_swatch_set(LacNameSwatch *swatch, LacTimelineScope *scope, guint32 name);

G_END_DECLS
