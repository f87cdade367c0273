/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonlinear term u u_x of Burgers, Korteweg-de Vries and Kuramoto-Sivashinsky. */
#include "solver/exponential/exponential.h"

#include <math.h>

void
lac_exponential_carry(const double *parameters, gsize n_points, const double *planes, double *out)
{
  const double *u = planes, *ux = u + n_points, advection = parameters[0];

  for (gsize i = 0; i < n_points; i++)
    out[i] = -advection * u[i] * ux[i];
}

void
lac_exponential_reverse_carry(const double *parameters,
                              gsize         n_points,
                              const double *planes,
                              const double *out_bar,
                              double       *planes_bar,
                              double       *parameters_bar)
{
  const double *u = planes, *ux = u + n_points, advection = parameters[0];
  double        sum = 0;

  for (gsize i = 0; i < n_points; i++) {
    planes_bar[i] = -advection * ux[i] * out_bar[i];
    planes_bar[n_points + i] = -advection * u[i] * out_bar[i];
    sum += u[i] * ux[i] * out_bar[i];
  }
  parameters_bar[0] -= sum;
}

double
lac_exponential_carry_rate(const double *parameters, const double *largest, double wavenumber)
{
  return fabs(parameters[0]) * largest[0] * wavenumber;
}
