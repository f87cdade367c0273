/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text, with a decimal point in every locale; and, for display, with the separator of the language. */
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

/* ---- display: in the window numbers have the decimal separator of its language ---- */

/* Makes lac_number_localise() use the separator of the message catalogue. The window calls it once, before it starts
 * threads. */
void lac_number_follow_language(void);

/* Replaces each decimal point between two digits of @text, in place, by the separator of the language. Returns: @text.
 * Changes nothing outside the window, and within LAC_NUMBERS_WITH_POINTS. */
char *lac_number_localise(char *text);

/* Same, in the other direction: for numbers that the user has typed. */
char *lac_number_delocalise(char *text);

/* Returns: (transfer full): @value with @decimals digits after the separator of the language. */
char *lac_number_dup_fixed(double value, guint decimals);

/* Keeps decimal points on this thread until the end of the block: files are the same in every language. */
typedef guint LacPoints;
LacPoints     lac_number_points_begin(void);
void          lac_number_points_end(LacPoints *before);
#define LAC_NUMBERS_WITH_POINTS                                              \
  __attribute__((cleanup(lac_number_points_end), unused)) LacPoints points = \
    lac_number_points_begin()

G_END_DECLS
