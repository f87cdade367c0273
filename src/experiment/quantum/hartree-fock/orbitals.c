/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hartree-Fock solution: its energy, orbitals at points, and their determinants. */
#include "experiment/quantum/hartree-fock/hartree-fock-private.h"

#include <math.h>

void
lac_hartree_fock_free(LacHartreeFock *hf)
{
  if (hf == NULL)
    return;
  lac_basis_clear(&hf->basis);
  for (guint s = 0; s < LAC_N_SPINS; s++) {
    g_free(hf->orbitals[s]);
    g_free(hf->levels[s]);
  }
  g_free(hf);
}

double
lac_hartree_fock_get_energy(const LacHartreeFock *hf)
{
  return hf->energy;
}

double
lac_hartree_fock_get_spin_squared(const LacHartreeFock *hf)
{
  return hf->spin_squared;
}

guint
lac_hartree_fock_get_n_occupied(const LacHartreeFock *hf, gboolean is_up)
{
  return hf->n_occupied[is_up ? LAC_UP : LAC_DOWN];
}

const double *
lac_hartree_fock_get_levels(const LacHartreeFock *hf, gboolean is_up)
{
  return hf->levels[is_up ? LAC_UP : LAC_DOWN];
}

void
lac_hartree_fock_orbitals(const LacHartreeFock *hf,
                          gboolean              is_up,
                          const double         *points,
                          gsize                 n,
                          double               *values)
{
  guint   spin = is_up ? LAC_UP : LAC_DOWN;
  gsize   n_functions = hf->basis.n_functions, n_occupied = hf->n_occupied[spin];
  double *functions = g_newa(double, n_functions); /* on the stack: steps must not allocate */

  for (gsize p = 0; p < n; p++) {
    lac_basis_values(&hf->basis, points + 3 * p, functions);
    for (gsize i = 0; i < n_occupied; i++) {
      const double *orbital = hf->orbitals[spin] + i * n_functions;
      double        sum = 0;

      for (gsize k = 0; k < n_functions; k++)
        sum += orbital[k] * functions[k];
      values[p * n_occupied + i] = sum;
    }
  }
}

/* Returns log |det a| by elimination with pivots; destroys @a. */
static double
log_determinant(double *a, gsize n)
{
  double sum = 0;

  for (gsize k = 0; k < n; k++) {
    gsize pivot = k;

    for (gsize i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
        pivot = i;
    if (!(fabs(a[pivot * n + k]) > 0))
      return -INFINITY;
    for (gsize j = k; j < n && pivot != k; j++) {
      double held = a[k * n + j];

      a[k * n + j] = a[pivot * n + j];
      a[pivot * n + j] = held;
    }
    sum += log(fabs(a[k * n + k]));
    for (gsize i = k + 1; i < n; i++) {
      double factor = a[i * n + k] / a[k * n + k];

      for (gsize j = k; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return sum;
}

void
lac_hartree_fock_value(const LacHartreeFock *hf, const double *positions, gsize n, double *log_abs)
{
  gsize   n_up = hf->n_occupied[LAC_UP], n_down = hf->n_occupied[LAC_DOWN];
  gsize   larger = MAX(n_up, n_down);
  double *matrix = g_newa(double, larger *larger);

  for (gsize w = 0; w < n; w++) {
    const double *at = positions + 3 * w * (n_up + n_down);

    lac_hartree_fock_orbitals(hf, TRUE, at, n_up, matrix);
    log_abs[w] = log_determinant(matrix, n_up);
    lac_hartree_fock_orbitals(hf, FALSE, at + 3 * n_up, n_down, matrix);
    log_abs[w] += log_determinant(matrix, n_down);
  }
}
