/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cole-Hopf solution by the trapezoidal rule, which converges geometrically for both integrands: analytic with
 * Gaussian tails. At small viscosities f spans a hundred decades; both sums are scaled by the running maximum of the
 * exponent. */
#include "solver/cole-hopf.h"

#include <math.h>

#define TAIL 40.0 /* the integral is truncated at a relative weight of exp(-TAIL) */

struct _LacColeHopf {
  double viscosity;
  gsize  n;
  double reach; /* the nodes run from -reach to reach */
};

LacColeHopf *
lac_cole_hopf_new(double viscosity, gsize n_nodes)
{
  LacColeHopf *exact = g_new0(LacColeHopf, 1);

  g_return_val_if_fail(viscosity > 0 && n_nodes >= 2, exact);
  exact->viscosity = viscosity;
  exact->n = n_nodes;
  exact->reach = sqrt(1 / (G_PI * viscosity) + TAIL); /* log f lies within +-1 / (2 pi nu) */
  return exact;
}

void
lac_cole_hopf_free(LacColeHopf *exact)
{
  g_free(exact);
}

double
lac_cole_hopf_at(const LacColeHopf *exact, double t, double x)
{
  const double width = 2 * sqrt(exact->viscosity * t);
  const double spacing = 2 * exact->reach / (double) (exact->n - 1);
  double       above = 0, below = 0, largest = -INFINITY;

  if (t <= 0)
    return -sin(G_PI * x);
  for (gsize i = 0; i < exact->n; i++) {
    const double z = -exact->reach + spacing * (double) i, y = x - width * z;
    const double exponent = -z * z - cos(G_PI * y) / (2 * G_PI * exact->viscosity);

    if (exponent > largest) {
      above *= exp(largest - exponent);
      below *= exp(largest - exponent);
      largest = exponent;
    }
    above -= sin(G_PI * y) * exp(exponent - largest);
    below += exp(exponent - largest);
  }
  return above / below;
}
