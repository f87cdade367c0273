/* SPDX-License-Identifier: GPL-3.0-or-later */
/* About This Machine: the processor and each GPU with its capabilities, the reason why a device is unusable, and the
 * self-test of usable devices. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Returns: a window for @parent (nullable), not shown yet; the devices are queried in a thread */
GtkWidget *lac_machine_window_new(GtkWindow *parent);

G_END_DECLS
