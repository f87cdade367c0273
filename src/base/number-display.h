/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers for display: the window uses the decimal separator of its language. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Makes lac_number_localise() use the separator of the message catalogue. The window calls it once, before it starts
 * threads. */
void lac_number_follow_language(void);

/* Replaces each decimal point between two digits of @text, in place, by the separator of the language. Returns:
 * @text. Leaves @text unchanged outside the window and within LAC_NUMBERS_WITH_POINTS. */
char *lac_number_localise(char *text);

/* Does the reverse, for numbers that the user has typed. */
char *lac_number_delocalise(char *text);

/* Returns: (transfer full): @value with @decimals digits after the separator of the language. */
char *lac_number_dup_fixed(double value, guint decimals);

/* Keeps the decimal point on this thread until the end of the block, because files are the same in every language. */
typedef guint LacPoints;
LacPoints     lac_number_points_begin(void);
void          lac_number_points_end(LacPoints *before);
#define LAC_NUMBERS_WITH_POINTS                                              \
  __attribute__((cleanup(lac_number_points_end), unused)) LacPoints points = \
    lac_number_points_begin()

G_END_DECLS
