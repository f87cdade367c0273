/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudo-spectral solvers of u_t = L u + N(u) on a uniform grid with ETDRK4: L is diagonal in Fourier space and
 * integrated exactly, N is a product of planes with the 2/3 rule. Without N, steps of any size are exact. The reverse
 * pass is the exact transpose of these steps. An equation is one row of callbacks; this module does the rest.
 * Source: Cox and Matthews (2002), doi:10.1006/jcph.2002.6995, eq. 26-29; Kassam and Trefethen (2005),
 * doi:10.1137/S1064827502410633. */
#pragma once

#include "solver/members.h"

G_BEGIN_DECLS

#define LAC_EXPONENTIAL_MAX_PLANES 6

typedef enum { LAC_ALONG_NONE, LAC_ALONG_X, LAC_ALONG_Y, LAC_ALONG_BOTH_TWICE } LacAlong;

/* A field, its derivative along an axis, or its Laplacian on the grid. */
typedef struct {
  guint    field;
  LacAlong along;
} LacPlane;

typedef struct {
  const char *work;    /* operation name: "heat steps" */
  gboolean    is_sine; /* one dimension, both ends on the grid and fixed at 0; otherwise periodic */

  /* Computes the factors of L at wavenumbers (kx, ky): L of a mode is the sum of parameters[p] (re[p] + i im[p]). The
   * imaginary part is omitted at Nyquist wavenumbers. */
  void (*symbols)(double kx, double ky, double *re, double *im);

  /* Planes that N combines pointwise; none: the equation is linear and the members below are unused. */
  guint    n_planes;
  LacPlane planes[LAC_EXPONENTIAL_MAX_PLANES];
  /* Computes N pointwise. @planes: [n_planes][n_points]; @out: [n_fields][n_points] */
  void (*product)(const double *parameters, gsize n_points, const double *planes, double *out);
  /* Transposed derivative of product(). @out_bar: [n_fields][n_points]; fills @planes_bar: [n_planes][n_points],
   * accumulates into @parameters_bar */
  void (*reverse_product)(const double *parameters,
                          gsize         n_points,
                          const double *planes,
                          const double *out_bar,
                          double       *planes_bar,
                          double       *parameters_bar);
  /* Returns a bound on |dN/du|; @largest: [n_fields], the fields' maxima; @wavenumber: the largest after dealiasing. */
  double (*rate)(const double *parameters, const double *largest, double wavenumber);
} LacExponentialEquation;

/* Functions for the row of a LacSolver. */
gpointer
lac_exponential_create(const LacSolver *row, const LacSolverSettings *settings, GError **error);
gboolean lac_exponential_reverse(gpointer      solver,
                                 const double *state,
                                 const double *parameters,
                                 gsize         n_steps,
                                 double       *state_bar,
                                 double       *parameters_bar,
                                 GError      **error);
double
lac_exponential_largest_step(gconstpointer solver, const double *state, const double *parameters);

/* Members of a LacSolver whose equation is @row_equation. */
#define LAC_EXPONENTIAL(row_equation)                                               \
  .equation = &(row_equation), .create = lac_exponential_create,                    \
  .reverse = lac_exponential_reverse, .largest_step = lac_exponential_largest_step, \
  LAC_MEMBERS_CALLBACKS

/* Compute N = -parameters[0] u u_x from the planes u and u_x, its transposed derivative, and the rate; shared by
 * several equations. */
void
lac_exponential_carry(const double *parameters, gsize n_points, const double *planes, double *out);
void lac_exponential_reverse_carry(const double *parameters,
                                   gsize         n_points,
                                   const double *planes,
                                   const double *out_bar,
                                   double       *planes_bar,
                                   double       *parameters_bar);
double
lac_exponential_carry_rate(const double *parameters, const double *largest, double wavenumber);

/* Members of an equation whose N is that of lac_exponential_carry(). */
#define LAC_EXPONENTIAL_CARRIES                                                       \
  .n_planes = 2, .planes = {{0, LAC_ALONG_NONE}, {0, LAC_ALONG_X}},                   \
  .product = lac_exponential_carry, .reverse_product = lac_exponential_reverse_carry, \
  .rate = lac_exponential_carry_rate

/* Return the grid means of field 0 and of its square: invariants of many equations. */
double lac_exponential_mean(gconstpointer solver, const double *state);
double lac_exponential_mean_square(gconstpointer solver, const double *state);

G_END_DECLS
