/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The weights of ETDRK4 and their derivatives, through phi_k(z) = sum_j z^j / (j + k)!: the series where z is small, the
 * recurrence phi_(k+1) = (phi_k - 1/k!) / z elsewhere, so that no digits cancel (what the contour of Kassam and Trefethen is
 * for); phi_k' = phi_k - k phi_(k+1). */
#include "solver/exponential-private.h"

#include <complex.h>

#define N_PHI 5

/* 24 terms: the first left out is below 1e-27 of the sum for |z| <= 1. */
static void
fill_phi(double complex z, double complex *phi)
{
  static const double inverse_factorials[N_PHI] = {1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24};

  if (cabs(z) <= 1) {
    double complex sum = 0;

    for (int j = 24; j > 0; j--)
      sum = (sum + 1) * z / (j + N_PHI - 1);
    phi[N_PHI - 1] = (sum + 1) * inverse_factorials[N_PHI - 1];
    for (gsize k = N_PHI - 1; k-- > 0;)
      phi[k] = inverse_factorials[k] + z * phi[k + 1];
  } else {
    phi[0] = cexp(z);
    for (gsize k = 1; k < N_PHI; k++)
      phi[k] = (phi[k - 1] - inverse_factorials[k - 1]) / z;
  }
}

static void
store(double (*to)[2], const double complex *from)
{
  for (gsize i = 0; i < LAC_WEIGHT_N; i++) {
    to[i][0] = creal(from[i]);
    to[i][1] = cimag(from[i]);
  }
}

void
lac_exponential_weigh(const double *growth, double time_step, LacWeights *weights)
{
  const double         dt = time_step;
  const double complex z = dt * CMPLX(growth[0], growth[1]);
  double complex       whole[N_PHI], half[N_PHI], d[N_PHI - 1], d_half[2];

  fill_phi(z, whole);
  fill_phi(z / 2, half);
  for (gsize k = 0; k < G_N_ELEMENTS(d); k++)
    d[k] = whole[k] - (double) k * whole[k + 1];
  for (gsize k = 0; k < G_N_ELEMENTS(d_half); k++)
    d_half[k] = (half[k] - (double) k * half[k + 1]) / 2;
  store(weights->value, (double complex[]){
                          [LAC_WEIGHT_E] = whole[0],
                          [LAC_WEIGHT_G] = half[0],
                          [LAC_WEIGHT_Q] = dt / 2 * half[1],
                          [LAC_WEIGHT_F1] = dt * (whole[1] - 3 * whole[2] + 4 * whole[3]),
                          [LAC_WEIGHT_F2] = dt * (2 * whole[2] - 4 * whole[3]),
                          [LAC_WEIGHT_F3] = dt * (4 * whole[3] - whole[2]),
                        });
  store(weights->slope, (double complex[]){
                          [LAC_WEIGHT_E] = dt * d[0],
                          [LAC_WEIGHT_G] = dt * d_half[0],
                          [LAC_WEIGHT_Q] = dt * dt / 2 * d_half[1],
                          [LAC_WEIGHT_F1] = dt * dt * (d[1] - 3 * d[2] + 4 * d[3]),
                          [LAC_WEIGHT_F2] = dt * dt * (2 * d[2] - 4 * d[3]),
                          [LAC_WEIGHT_F3] = dt * dt * (4 * d[3] - d[2]),
                        });
}
