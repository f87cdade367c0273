/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands beside the rows of a timeline, in the reader's language. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of a lane or a counter that every run of this program has; other names are returned as they are. */
const char *lac_timeline_word(const char *name);

G_END_DECLS
