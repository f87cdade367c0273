/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A short line in the colour of a method's curves; an outline while they are hidden. */
#pragma once

#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_METHOD_SWATCH (lac_method_swatch_get_type())
G_DECLARE_FINAL_TYPE(LacMethodSwatch, lac_method_swatch, LAC, METHOD_SWATCH, LacDrawingView)

GtkWidget *lac_method_swatch_new(void);
void lac_method_swatch_set_look(LacMethodSwatch *swatch, guint look); /* 0: none, drawn faint */
void lac_method_swatch_set_hidden(LacMethodSwatch *swatch, gboolean is_hidden);

G_END_DECLS
