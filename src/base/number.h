/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text, with a decimal point in every locale. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the shortest text that reads back as @value: "0.1", "500", "1e5", "-inf", "nan". */
char *lac_number_dup_text(double value);

/**
 * lac_number_parse:
 * @text: a finite decimal number, with or without exponent; surrounding spaces are ignored
 * @value: (out): its value
 *
 * Returns: %FALSE, with @value unchanged, when @text is anything else.
 */
gboolean lac_number_parse(const char *text, double *value);

/* Same as lac_number_parse() for an integer: "12", "1e3", "2.0"; exact over all of gint64. */
gboolean lac_number_parse_whole(const char *text, gint64 *value);

G_END_DECLS
