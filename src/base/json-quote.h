/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON string literals, for files that are written piece by piece. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): @text as a quoted JSON string; invalid UTF-8 is replaced. */
char *lac_json_quote(const char *text);

G_END_DECLS
