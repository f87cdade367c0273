/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory use of this process, from the system. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gsize lac_heap_in_use(void);       /* bytes allocated on the heap, over all arenas */
gsize lac_heap_get_resident(void); /* bytes resident; 0 when unavailable */

/* Returns the peak resident bytes since the last reset, or since the process started; 0 when unavailable.
 * lac_heap_reset_peak() resets it and returns %FALSE when the system does not allow that. Only one thread at a time
 * may call these two. */
gsize    lac_heap_get_peak(void);
gboolean lac_heap_reset_peak(void);

G_END_DECLS
