/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations, sizes, numbers and names as display text. All results: (transfer full). */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

char *lac_format_duration(double seconds); /* "34 ms", "41 s", "2 min 05 s", "3 h 12 min" */
char *lac_format_span(double ns);          /* "340 ns", "12.5 µs", "3.21 ms", "1.4 s" */
char *lac_format_bytes(double bytes);      /* "84 MB" */
char *lac_format_metric(double value, const char *unit);
/* Short name of a metric for a list under its method's name. */
char *lac_format_metric_name(const LacMetric *metric);
char *lac_format_quantity(const char *key); /* "q_criterion": "q criterion" */
char *lac_format_count(guint64 count);      /* digits grouped by thin spaces */

G_END_DECLS
