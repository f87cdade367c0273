/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric as text for a person: as many digits as its standard error leaves. */
#pragma once

#include "field/frame.h"
#include "report/text/number.h"

G_BEGIN_DECLS

/* Which metric is the standard error of @m, as its key says: "energy_standard_error_hartree" of "energy_hartree". Returns: -1:
 * none of them. */
gssize lac_metric_find_error(const LacMetric *metrics, gsize n_metrics, gsize m);

/* Whether @m is the standard error of another: it is told with it. */
gboolean lac_metric_is_error(const LacMetric *metrics, gsize n_metrics, gsize m);

/* "-1.174462(27)": the digits in brackets are the standard error of the last ones; like lac_number_text() where @error is not a
 * positive number. */
char *lac_number_with_error_text(double value, double error);

/* With its unit, and its standard error where there is one; @values: [n_metrics] */
char *lac_metric_text(const LacMetric *metrics, const double *values, gsize n_metrics, gsize m);

G_END_DECLS
