/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cole-Hopf by Gauss-Hermite; nodes by Golub and Welsch (1969), as eigenvalues of the Jacobi matrix. f spans a hundred
 * decades, so that the smallest weights matter: they come from the polynomials, not from the eigenvectors, whose small
 * entries are noise. The largest exponent is taken out of both integrals. */
#include "solver/cole-hopf.h"

#include "backend/dense.h"

#include <math.h>

struct _LacColeHopf {
  double  viscosity;
  gsize   n;
  double *nodes, *log_weights;
};

/* Polishes node @x by Newton on the orthonormal Hermite polynomial of degree n. Returns: log of its weight,
 * 1 / sum_k<n p_k(x)^2; the weight's common factor does not matter. */
static double
polish(double *x, gsize n)
{
  double sum = 0;

  for (int pass = 0; pass < 3; pass++) {
    double before = 0, now = 1;

    sum = 0;
    for (gsize k = 0; k < n; k++) {
      const double next =
        *x * sqrt(2 / (double) (k + 1)) * now - sqrt((double) k / (double) (k + 1)) * before;

      sum += now * now;
      before = now;
      now = next;
    }
    if (pass < 2)
      *x -= now / (sqrt(2 * (double) n) * before);
  }
  return -log(sum);
}

LacColeHopf *
lac_cole_hopf_new(double viscosity, gsize n_nodes)
{
  g_autoptr(LacColeHopf) exact = g_new0(LacColeHopf, 1);
  g_autofree double     *jacobi = g_new0(double, n_nodes *n_nodes);

  exact->viscosity = viscosity;
  exact->n = n_nodes;
  exact->nodes = g_new(double, n_nodes);
  exact->log_weights = g_new(double, n_nodes);
  for (gsize i = 1; i < n_nodes; i++)
    jacobi[i * n_nodes + i - 1] = jacobi[(i - 1) * n_nodes + i] = sqrt((double) i / 2);
  if (!lac_dense_eigh(jacobi, n_nodes, exact->nodes))
    return NULL;
  for (gsize i = 0; i < n_nodes; i++)
    exact->log_weights[i] = polish(&exact->nodes[i], n_nodes);
  return g_steal_pointer(&exact);
}

void
lac_cole_hopf_free(LacColeHopf *exact)
{
  if (!exact)
    return;
  g_free(exact->nodes);
  g_free(exact->log_weights);
  g_free(exact);
}

double
lac_cole_hopf_at(const LacColeHopf *exact, double t, double x)
{
  const double width = 2 * sqrt(exact->viscosity * t);
  double       above = 0, below = 0, largest = -INFINITY;

  if (t <= 0)
    return -sin(G_PI * x);
  for (gsize pass = 0; pass < 2; pass++)
    for (gsize i = 0; i < exact->n; i++) {
      const double y = x - width * exact->nodes[i];
      const double exponent = exact->log_weights[i] - cos(G_PI * y) / (2 * G_PI * exact->viscosity);

      if (pass == 0) {
        largest = MAX(largest, exponent);
      } else {
        above -= sin(G_PI * y) * exp(exponent - largest);
        below += exp(exponent - largest);
      }
    }
  return above / below;
}
