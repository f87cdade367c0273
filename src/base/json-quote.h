/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts as JSON has them, for files that are written piece by piece. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): @text with its quotes; what is not UTF-8 in it is replaced. */
char *lac_json_quote(const char *text);

G_END_DECLS
