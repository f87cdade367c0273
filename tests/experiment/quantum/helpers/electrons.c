/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "electrons.h"

double
log_abs_at(LacWavefunction *wavefunction, const double *theta, const double *walker)
{
  double log_abs;
  gint8  sign;

  lac_wavefunction_value(wavefunction, theta, walker, 1, &log_abs, &sign);
  return log_abs;
}
