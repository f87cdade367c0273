/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Burgers' equations in a periodic rectangle, pseudo-spectral. */
#include "solver/exponential/exponential.h"

#include <math.h>

static void
symbols(double kx, double ky, double *re, double *im G_GNUC_UNUSED)
{
  re[0] = -(kx * kx + ky * ky);
}

/* u u_x + v u_y and u v_x + v v_y; planes in the order of the equation below. */
static void
product(const double *parameters G_GNUC_UNUSED, gsize n_points, const double *planes, double *out)
{
  const double *u = planes, *v = u + n_points, *g = v + n_points;

  for (gsize f = 0; f < 2; f++, g += 2 * n_points, out += n_points)
    for (gsize i = 0; i < n_points; i++)
      out[i] = -(u[i] * g[i] + v[i] * g[n_points + i]);
}

static void
reverse_product(const double *parameters G_GNUC_UNUSED,
                gsize                    n_points,
                const double            *planes,
                const double            *out_bar,
                double                  *planes_bar,
                double *parameters_bar   G_GNUC_UNUSED)
{
  const gsize   n = n_points;
  const double *u = planes, *v = u + n, *ux = v + n, *uy = ux + n, *vx = uy + n, *vy = vx + n;
  const double *a = out_bar, *b = a + n;

  for (gsize i = 0; i < n; i++) {
    planes_bar[i] = -(a[i] * ux[i] + b[i] * vx[i]);
    planes_bar[n + i] = -(a[i] * uy[i] + b[i] * vy[i]);
    planes_bar[2 * n + i] = -a[i] * u[i];
    planes_bar[3 * n + i] = -a[i] * v[i];
    planes_bar[4 * n + i] = -b[i] * u[i];
    planes_bar[5 * n + i] = -b[i] * v[i];
  }
}

static double
rate(const double *parameters G_GNUC_UNUSED, const double *largest, double wavenumber)
{
  return (largest[0] + largest[1]) * wavenumber;
}

static const LacExponentialEquation equation = {
  .work = "Burgers steps",
  .symbols = symbols,
  .n_planes = 6,
  .planes = {{0, LAC_ALONG_NONE},
             {1, LAC_ALONG_NONE},
             {0, LAC_ALONG_X},
             {0, LAC_ALONG_Y},
             {1, LAC_ALONG_X},
             {1, LAC_ALONG_Y}},
  .product = product,
  .reverse_product = reverse_product,
  .rate = rate,
};

static void
example(LacSolverSettings *settings, double *parameters, double *state)
{
  const gsize n = settings->nx = settings->ny = 24;

  settings->length[0] = 100;
  settings->length[1] = 80;
  settings->time_step = 0.4;
  parameters[0] = 1.5;
  for (gsize i = 0; state && i < n * n; i++) {
    const double x = 2 * G_PI * (double) (i % n) / (double) n;
    const double y = 2 * G_PI * (double) (i / n) / (double) n;

    state[i] = sin(x + y) + 0.3 * cos(2 * y);
    state[n * n + i] = 0.5 * cos(x) * sin(2 * y) - 0.4;
  }
}

const LacSolver lac_solver_burgers_2d = {
  .name = "burgers-2d",
  .formula = "u_t = -(u u_x + v u_y) + viscosity (u_xx + u_yy), v_t = -(u v_x + v v_y) + viscosity "
             "(v_xx + v_yy)",
  .source = "Fletcher (1983), doi:10.1002/fld.1650030302",
  .n_axes = 2,
  .order = 4,
  .n_fields = 2,
  .fields = {"u", "v"},
  .n_parameters = 1,
  .parameters = {"viscosity"},
  .example = example,
  LAC_EXPONENTIAL(equation),
};
