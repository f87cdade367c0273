/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event controllers for pointer and keys. */
#include "app/toolkit/gestures.h"

void
lac_gestures_connect(GtkWidget *widget, const LacGestures *gestures)
{
  GtkEventController *motion = gtk_event_controller_motion_new();
  GtkEventController *scroll = gtk_event_controller_scroll_new(gestures->axes);
  GtkEventController *drag = GTK_EVENT_CONTROLLER(gtk_gesture_drag_new());
  GtkEventController *click = GTK_EVENT_CONTROLLER(gtk_gesture_click_new());
  GtkEventController *keys = gtk_event_controller_key_new();
  const struct {
    GtkEventController *controller;
    const char         *signal;
    GCallback           handler;
  } connections[] = {
    {motion, "motion", gestures->motion},         {motion, "leave", gestures->leave},
    {scroll, "scroll", gestures->scroll},         {drag, "drag-begin", gestures->drag_begin},
    {drag, "drag-update", gestures->drag_update}, {click, "pressed", gestures->pressed},
    {keys, "key-pressed", gestures->key_pressed},
  };
  GtkEventController *const controllers[] = {motion, scroll, drag, click, keys};

  for (gsize i = 0; i < G_N_ELEMENTS(connections); i++)
    if (connections[i].handler != NULL)
      g_signal_connect(connections[i].controller, connections[i].signal, connections[i].handler,
                       widget);
  for (gsize i = 0; i < G_N_ELEMENTS(controllers); i++)
    gtk_widget_add_controller(widget, controllers[i]);
}
