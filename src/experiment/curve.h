/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scalar that a method reports at each step: loss terms, coefficients, spread. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

/* Declaration of a curve, made before the run. */
typedef struct {
  const char      *key;   /* "viscosity", "loss", "loss_continuity"; interned */
  const char      *label; /* translatable */
  const char      *unit;
  gboolean         log_axis;
  gboolean         is_result;
  double           reference; /* the true value, drawn as a line; NaN: none */
  LacMetricPlacing placing;
} LacCurve;

/* Returns the curve of the standard error of the coefficient @name: "viscosity_standard_error". */
LacCurve lac_curve_standard_error(const char *name);

G_END_DECLS
