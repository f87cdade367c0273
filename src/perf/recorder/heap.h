/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory use of this process, from the system. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gsize lac_heap_in_use(void);       /* bytes allocated, over all arenas */
gsize lac_heap_get_resident(void); /* bytes resident; 0 when unavailable */

/* Peak resident bytes since the last reset, or since the process started; 0 when unavailable. One thread at a time
 * calls these two. The reset returns %FALSE when the system does not allow it. */
gsize    lac_heap_get_peak(void);
gboolean lac_heap_reset_peak(void);

G_END_DECLS
