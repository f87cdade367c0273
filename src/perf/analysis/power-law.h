/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power law value = factor size^exponent, fitted to positive values by least squares of the logarithms. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double exponent;
  double
    deviation; /* standard error of the exponent, from the scatter about the line; NaN for two points */
  double factor;
} LacPowerLaw;

/* @sizes, @values: [n], positive. Returns: NaN for fewer than two distinct sizes or a value that is not positive. */
LacPowerLaw lac_power_law_fit(const double *sizes, const double *values, gsize n);

G_END_DECLS
