/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve.h"

void
curve_derivatives(Curve func, gpointer user_data, double h, double *first, double *second)
{
  const double middle = func(0, user_data);
  double       slope[3], bend[3];

  for (gsize i = 0; i < 3; i++, h *= 2) {
    const double left = func(-h, user_data), right = func(h, user_data);
    slope[i] = (right - left) / (2 * h);
    bend[i] = ((right - middle) + (left - middle)) / (h * h);
  }
  for (gsize i = 0; i < 2; i++) {
    slope[i] = (4 * slope[i] - slope[i + 1]) / 3;
    bend[i] = (4 * bend[i] - bend[i + 1]) / 3;
  }
  *first = (16 * slope[0] - slope[1]) / 15;
  *second = (16 * bend[0] - bend[1]) / 15;
}
