/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The potential energy of a walker, written once. Hartree and bohr. Plain C, also compiled by nvcc. */
#pragma once

#include "base/formula.h"

#include <math.h>
#include <stddef.h>

LAC_FORMULA double
lac_between(const double a[3], const double b[3])
{
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

  return sqrt(x * x + y * y + z * z);
}

/* Computes @attraction = -sum Z/r between the electrons, [n_electrons][3], and the nuclei, [n_nuclei][3], and
 * @repulsion = sum 1/r among the electrons. */
LAC_FORMULA void
lac_potential(const double *nuclei,
              const double *charges,
              size_t        n_nuclei,
              const double *positions,
              size_t        n_electrons,
              double       *attraction,
              double       *repulsion)
{
  double to_nuclei = 0, among = 0;

  for (size_t i = 0; i < n_electrons; i++) {
    for (size_t a = 0; a < n_nuclei; a++)
      to_nuclei -= charges[a] / lac_between(positions + 3 * i, nuclei + 3 * a);
    for (size_t j = 0; j < i; j++)
      among += 1 / lac_between(positions + 3 * i, positions + 3 * j);
  }
  *attraction = to_nuclei;
  *repulsion = among;
}
