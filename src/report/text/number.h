/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, durations, sizes and labels as text for the user, the same in every locale. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "1.2e-3", "44.1": at most 4 significant digits, with a decimal point in every locale */
char *lac_number_text(double value);
/* "1.2 µs", "3.40 s", "12 min 5 s": three significant digits */
char *lac_duration_text(double seconds);
/* "84.1 MB": powers of 1000 */
char *lac_bytes_text(double bytes);
/* "relative L2 error (1/s)"; a dimensionless quantity has no parentheses. Returns: (transfer full) */
char *lac_label_with_unit(const char *label, const char *unit);
/* The same in the display unit of @unit (base/unit.h). */
char *lac_label_with_shown_unit(const char *label, const char *unit);

G_END_DECLS
