/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of this process as the system sees it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gsize lac_heap_in_use(void);       /* bytes handed out by the allocator, all its arenas */
gsize lac_heap_get_resident(void); /* bytes resident; 0 where the system does not say */

G_END_DECLS
