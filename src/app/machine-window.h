/* SPDX-License-Identifier: GPL-3.0-or-later */
/* About This Machine: the processor and every GPU with what they can do, why one cannot be used, and a test of those that can. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Returns: a window for @parent (nullable), not shown yet; the devices are asked in a thread */
GtkWidget *lac_machine_window_new(GtkWindow *parent);

G_END_DECLS
