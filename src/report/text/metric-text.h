/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics as text, with as many digits as the standard error supports. */
#pragma once

#include "field/frame.h"
#include "report/text/number.h"

G_BEGIN_DECLS

/* Returns the metric that is the standard error of @m, by its key: "energy_standard_error_hartree" for
 * "energy_hartree"; -1 without one. */
gssize lac_metric_find_error(const LacMetric *metrics, gsize n_metrics, gsize m);

/* Returns TRUE when @m is the standard error of another metric and is shown with it. */
gboolean lac_metric_is_error(const LacMetric *metrics, gsize n_metrics, gsize m);

/* Returns the standard error of @m in the unit of @m: of the metric that lac_metric_find_error() finds, or of the one
 * that the declaration names; NaN without one. @values: [n_metrics] */
double
lac_metric_standard_error(const LacMetric *metrics, const double *values, gsize n_metrics, gsize m);

/* Formats a value with its standard error, as "-1.174462(27)": the digits in parentheses are the error in units of
 * the last digit. Like lac_number_text() unless @error is positive and finite. */
char *lac_number_with_error_text(double value, double error);

/* Formats a value with its standard error, as "17.4 ± 1.2": two digits of the error. */
char *lac_number_plus_minus_text(double value, double error);

/* Formats a value to the digits that the standard error of another one supports; like lac_number_text() unless @error
 * is positive and finite. */
char *lac_number_rounded_text(double value, double error);

/* Formats a metric with unit or per cent sign and, if known, standard error: in parentheses where the error has the
 * key of the metric, else after ±. @values: [n_metrics] */
char *lac_metric_text(const LacMetric *metrics, const double *values, gsize n_metrics, gsize m);

G_END_DECLS
