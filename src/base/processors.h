/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processor quota of a control group, one of the limits that lac_pool_available() applies. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @text: content of the file cpu.max of a control group: "QUOTA PERIOD" in microseconds, or "max PERIOD". Returns:
 * the quota in whole processors, rounded up, at least 1; 0: no limit. */
guint lac_processors_of_quota(const char *text);

G_END_DECLS
