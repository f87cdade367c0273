/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small systems for the tests of the wavefunction, and differences to compare derivatives with. */
#include "electrons.h"

#include "base/rng.h"

#include <math.h>

/* one width, pair width, layers, determinants, full, jastrow, rescale */
const System systems[N_SYSTEMS] = {
  {"H", 1, 1, 0, {{1, {0.1, -0.2, 0.3}}}, {16, 4, 1, 1, TRUE, FALSE, FALSE}},
  {"He+", 1, 0, 1, {{2, {0, 0, 0}}}, {12, 3, 2, 3, FALSE, FALSE, TRUE}},
  {"He", 1, 1, 1, {{2, {0, 0, 0}}}, {9, 5, 3, 2, TRUE, TRUE, FALSE}},
  {"H2", 2, 1, 1, {{1, {0, 0, 0}}, {1, {0, 0, 1.4}}}, {64, 8, 2, 2, TRUE, FALSE, FALSE}},
  {"H2", 2, 1, 1, {{1, {0, 0, -0.7}}, {1, {0, 0, 0.7}}}, {8, 8, 2, 1, FALSE, TRUE, TRUE}},
  {"H3",
   3,
   3,
   0,
   {{1, {0, 0, 0}}, {1, {0, 0, 1.8}}, {1, {0, 1.7, 0.9}}},
   {12, 4, 2, 2, TRUE, TRUE, FALSE}},
  {"Li", 1, 2, 1, {{3, {0, 0, 0}}}, {20, 7, 4, 3, TRUE, FALSE, FALSE}},
  {"LiH", 2, 2, 2, {{3, {0, 0, 0}}, {1, {0, 0, 3.015}}}, {17, 6, 3, 2, TRUE, TRUE, TRUE}},
  {"Be", 1, 2, 2, {{4, {0, 0, 0}}}, {16, 4, 2, 2, FALSE, FALSE, FALSE}},
  {"F", 1, 5, 4, {{9, {0, 0, 0}}}, {10, 3, 2, 2, FALSE, TRUE, FALSE}},
};

LacWavefunction *
system_new(const System *system, const char *precision, LacPool *pool)
{
  g_autoptr(LacMolecule) molecule =
    lac_molecule_new(system->name, system->n_nuclei, system->nuclei, system->n_up, system->n_down);
  g_autoptr(GError) error = NULL;
  LacWavefunction  *wavefunction =
    lac_wavefunction_new(molecule, &system->ansatz, precision, pool, &error);

  g_assert_no_error(error);
  return wavefunction;
}

double *
system_walkers(const System *system, guint64 seed, gsize n)
{
  const gsize n_electrons = system->n_up + system->n_down;
  LacRng      rng = lac_rng(seed, 0);
  double     *walkers = g_new(double, n *n_electrons * 3);

  for (gsize i = 0; i < n * n_electrons; i++) {
    const double *centre = system->nuclei[i % system->n_nuclei].position;
    double        square = 0;

    while (square < 0.25) {
      square = 0;
      for (gsize c = 0; c < 3; c++) {
        const double step = lac_rng_normal(&rng);
        walkers[3 * i + c] = centre[c] + step;
        square += step * step;
      }
    }
  }
  return walkers;
}

double *
system_theta(const LacWavefunction *wavefunction, guint64 seed, double noise)
{
  const gsize n = lac_wavefunction_get_n_params(wavefunction);
  double     *theta = g_new(double, n);
  LacRng      rng = lac_rng(seed, 1);

  lac_wavefunction_init(wavefunction, seed, theta);
  for (gsize i = 0; i < n; i++)
    theta[i] += noise * lac_rng_normal(&rng);
  return theta;
}

double
log_abs_at(LacWavefunction *wavefunction, const double *theta, const double *walker)
{
  double log_abs;
  gint8  sign;

  lac_wavefunction_value(wavefunction, theta, walker, 1, &log_abs, &sign);
  return log_abs;
}

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
