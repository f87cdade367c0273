/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many processors this process may use: affinity mask and control group. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @text: the content of a cgroup's cpu.max: "QUOTA PERIOD" in microseconds, or "max PERIOD".
 * Returns: whole processors the quota amounts to, rounded up, 1 or more; 0 for no limit. */
guint lac_processors_of_quota(const char *text);

G_END_DECLS
