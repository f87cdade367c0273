/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of this process as the system sees it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gsize lac_heap_in_use(void);       /* bytes handed out by the allocator, all its arenas */
gsize lac_heap_get_resident(void); /* bytes resident; 0 where the system does not say */

/* Most bytes resident since the last reset, or since the process began; 0 where the system does not say. One thread at a
 * time calls these two. Returns of the reset: %FALSE where the system does not allow it. */
gsize    lac_heap_get_peak(void);
gboolean lac_heap_reset_peak(void);

G_END_DECLS
