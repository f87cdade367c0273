/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointer and keys of a picture that is probed, dragged and zoomed. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Handlers of the controllers' signals, with the widget as their last argument; NULL: nobody listens. */
typedef struct {
  GCallback                     motion, leave;
  GCallback                     scroll;
  GtkEventControllerScrollFlags axes; /* of the wheel */
  GCallback                     drag_begin, drag_update;
  GCallback                     pressed; /* a click, by its number */
  GCallback                     key_pressed;
} LacGestures;

void lac_gestures_connect(GtkWidget *widget, const LacGestures *gestures);

G_END_DECLS
