/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, durations, sizes and labels as text for the user, the same in every locale. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Formats a number, as "1.2e−3", "−44.1": at most 4 significant digits, with a minus sign and, outside the window, a
 * decimal point in every locale. */
char *lac_number_text(double value);
/* Formats a number with so many significant digits, also zeros at the end: "0.040", "16"; below 0.001 and from 100000
 * as "6.9·10⁻⁶". */
char *lac_significant_text(double value, guint digits);
/* Formats a fraction as a percentage with three significant digits, so that columns align: "0.208 %", "63.1 %"; below
 * 0.001 % two, as "6.9·10⁻⁶ %". */
char *lac_percent_text(double fraction);
/* Formats a duration, as "1.2 µs", "3.40 s", "12 min 5 s": three significant digits. */
char *lac_duration_text(double seconds);
/* Formats a size in powers of 1000, as "84.1 MB". */
char *lac_bytes_text(double bytes);
/* Formats a relative change, as "+14 %", "−9 %", "0 %"; "–" if it is not finite. */
char *lac_change_text(double change);
/* Returns: (transfer full): "12.5 mHa"; the number alone for a dimensionless quantity. @unit: (nullable) */
char *lac_text_with_unit(const char *number, const char *unit);
/* Replaces each hyphen before a digit by a minus sign. @text: (transfer full). Returns: (transfer full) */
char *lac_number_take_minus(char *text);
/* Returns: (transfer full): the label with its unit, as "relative L2 error (1/s)"; without parentheses for a
 * dimensionless quantity. */
char *lac_label_with_unit(const char *label, const char *unit);
/* Like lac_label_with_unit(), with the display unit of @unit (base/unit.h). */
char *lac_label_with_shown_unit(const char *label, const char *unit);

G_END_DECLS
