/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the window is drawn where there is no graphics card. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* OpenGL that the processor computes draws the whole window again for each picture: 50 ms at 1280x800, where Cairo draws what has changed
 * in 10. Without a graphics card the window is therefore drawn by Cairo and the processor paints fields and volumes itself. What a person
 * says with GSK_RENDERER, GDK_DEBUG or GDK_DISABLE goes before. Called once before the toolkit is initialised, and once after. */
void lac_graphics_choose_before_display(void);
void lac_graphics_choose_for_display(void);

G_END_DECLS
