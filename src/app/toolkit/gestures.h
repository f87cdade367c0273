/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointer and keyboard controllers of a picture that is probed, dragged and zoomed. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Handlers of the controllers' signals, with the widget as last argument; NULL: no controller. */
typedef struct {
  GCallback                     motion, leave;
  GCallback                     scroll;
  GtkEventControllerScrollFlags axes; /* scroll axes */
  GCallback                     drag_begin, drag_update;
  GCallback                     pressed; /* click, with the press count */
  GCallback                     key_pressed;
} LacGestures;

void lac_gestures_connect(GtkWidget *widget, const LacGestures *gestures);

G_END_DECLS
