/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drop-downs of labels in a row with little room. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Lets a drop-down of labels shrink below the width of its longest label; the list shows them whole. */
void lac_drop_down_make_narrow(GtkDropDown *drop);

G_END_DECLS
