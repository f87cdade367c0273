/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts and numbers as JSON has them, for files that are written piece by piece. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): @text with its quotes; what is not UTF-8 in it is replaced. */
char *lac_json_quote(const char *text);

/* Returns: (transfer full): the shortest text that reads back as @value; "null" where it is not finite. */
char *lac_json_dup_number(double value);

G_END_DECLS
