/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs that wait, in a window of their own: order, removal, start; acts by the commands of the main window. */
#pragma once

#include "run/library/queue.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_QUEUE_WINDOW (lac_queue_window_get_type())
G_DECLARE_FINAL_TYPE(LacQueueWindow, lac_queue_window, LAC, QUEUE_WINDOW, GtkWindow)

GtkWindow *lac_queue_window_new(GtkWindow *parent);

/* @goes: the next one starts when a run ends; @busy: one is going on. */
void lac_queue_window_show(LacQueueWindow    *window,
                           const LacRunQueue *queue,
                           gboolean           goes,
                           gboolean           busy);

G_END_DECLS
