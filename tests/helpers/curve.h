/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finite differences. */
#pragma once

#include <glib.h>

/* Computes derivatives of @func at 0 by central differences of widths h, 2 h and 4 h, extrapolated to order h^6. */
typedef double (*Curve)(double x, gpointer user_data);
void curve_derivatives(Curve func, gpointer user_data, double h, double *first, double *second);
