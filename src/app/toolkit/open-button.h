/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A menu button that opens runs and data, with the recent files. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_OPEN_BUTTON (lac_open_button_get_type())
G_DECLARE_FINAL_TYPE(LacOpenButton, lac_open_button, LAC, OPEN_BUTTON, GtkWidget)

G_END_DECLS
