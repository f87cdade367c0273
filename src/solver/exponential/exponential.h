/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudo-spectral solvers of u_t = L u + N(u) on a uniform grid with ETDRK4: L is diagonal in Fourier space and
 * integrated exactly, N is a product of planes with the 2/3 rule. Without N, steps of any size are exact. The reverse
 * pass is the exact transpose of these steps. An equation is one row of callbacks; this module does the rest.
 * Source: Cox and Matthews (2002), doi:10.1006/jcph.2002.6995, eq. 26-29; Kassam and Trefethen (2005),
 * doi:10.1137/S1064827502410633. */
#pragma once

#include "solver/members.h"

G_BEGIN_DECLS

typedef enum { LAC_ALONG_NONE, LAC_ALONG_X, LAC_ALONG_Y, LAC_ALONG_BOTH_TWICE } LacAlong;

/* A field, its derivative along an axis, or its Laplacian on the grid. */
typedef struct {
  guint    field;
  LacAlong along;
} LacPlane;

#define LAC_NO_PARAMETER -1

/* A term of N: a product of planes, times a parameter of the equation. */
typedef struct {
  LacMonomial product;   /* `out`: the field */
  gint        parameter; /* or LAC_NO_PARAMETER */
} LacNonlinearTerm;

typedef struct {
  const char *work;    /* operation name: "heat steps" */
  gboolean    is_sine; /* one dimension, both ends on the grid and fixed at 0; otherwise periodic */

  /* Computes the factors of L at wavenumbers (kx, ky): L of a mode is the sum of parameters[p] (re[p] + i im[p]). The
   * imaginary part is omitted at Nyquist wavenumbers. */
  void (*symbols)(double kx, double ky, double *re, double *im);

  /* Planes that N combines pointwise; none: the equation is linear and the members below are unused. */
  guint            n_planes;
  LacPlane         planes[LAC_MOST_PLANES];
  guint            n_terms;
  LacNonlinearTerm terms[LAC_MOST_MONOMIALS];
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

/* The rate of N = -parameters[0] u u_x, shared by several equations. */
double
lac_exponential_carry_rate(const double *parameters, const double *largest, double wavenumber);

/* Members of an equation with this N. */
#define LAC_EXPONENTIAL_CARRIES                                                   \
  .n_planes = 2, .planes = {{0, LAC_ALONG_NONE}, {0, LAC_ALONG_X}}, .n_terms = 1, \
  .terms = {{{-1, 0, 2, {0, 1}}, 0}}, .rate = lac_exponential_carry_rate

/* Return the grid means of field 0 and of its square: invariants of many equations. */
double lac_exponential_mean(gconstpointer solver, const double *state);
double lac_exponential_mean_square(gconstpointer solver, const double *state);

G_END_DECLS
