/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number of processors available to this process: affinity mask and control group. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @text: content of a cgroup's cpu.max: "QUOTA PERIOD" in microseconds, or "max PERIOD". Returns: the quota in whole
 * processors, rounded up, 1 or more; 0 for no limit. */
guint lac_processors_of_quota(const char *text);

G_END_DECLS
