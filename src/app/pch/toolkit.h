/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The headers of GTK and libadwaita, precompiled, which saves a third of a second for each file of the window. Each
 * file still includes what it uses. */
#include <adwaita.h>
#include <gtk/gtk.h>
