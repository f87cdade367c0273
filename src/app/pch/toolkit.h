/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The toolkit's headers, read by the compiler once for the whole window: a third of a second for each of its files. Each file still
 * includes what it uses. */
#include <adwaita.h>
#include <gtk/gtk.h>
