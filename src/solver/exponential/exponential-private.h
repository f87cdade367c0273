/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One worker's flow of an exponential solver. Spectra are [ny][nxh] pairs (re, im), nxh = n/2 + 1; a state is the spectra
 * of all fields; with ends held at 0 the grid inside is the odd extension, 2 (nx - 1) points. */
#pragma once

#include "solver/exponential/exponential.h"
#include "solver/trajectory.h"

/* Of a mode, complex, z = dt L:  a = G u + Q N(u), b = G u + Q N(a), c = G a + Q (2 N(b) - N(u)),
 * u+ = E u + F1 N(u) + F2 (N(a) + N(b)) + F3 N(c). */
typedef enum {
  LAC_WEIGHT_E,  /* exp(z) */
  LAC_WEIGHT_G,  /* exp(z/2) */
  LAC_WEIGHT_Q,  /* dt/2 phi1(z/2) */
  LAC_WEIGHT_F1, /* dt (phi1 - 3 phi2 + 4 phi3) */
  LAC_WEIGHT_F2, /* dt (2 phi2 - 4 phi3) */
  LAC_WEIGHT_F3, /* dt (4 phi3 - phi2) */
  LAC_WEIGHT_N
} LacWeight;

typedef struct {
  double value[LAC_WEIGHT_N][2];
  double slope[LAC_WEIGHT_N][2]; /* by L */
} LacWeights;

typedef struct {
  const LacSolver              *row;
  const LacExponentialEquation *equation;
  LacDevice                     device;
  gsize                         nx_given; /* points along x of the state outside */
  gsize                         nx, ny, nxh;
  gsize                         n_points, n_modes;
  gsize                         length;  /* numbers a state inside */
  double                        side[2]; /* periods inside */
  double                        time_step;
  double                        parameters[LAC_SOLVER_MAX_PARAMETERS];
  gboolean                      is_ready; /* the weights are those of the parameters */
  guint8                       *memory;   /* device: planes, then spectra */
  gsize                         n_batch;  /* planes that fit */
  double                       *kx, *ky;  /* [n_modes]; 0 at Nyquist wavenumbers */
  double                       *mask;     /* [n_modes] */
  double                       *symbols[LAC_SOLVER_MAX_PARAMETERS]; /* [n_modes] pairs */
  double                       *weights[LAC_WEIGHT_N],
    *slopes[LAC_WEIGHT_N];                          /* [n_modes] pairs; slopes where reversible */
  double        *state, *scratch;                   /* [length] */
  double        *stages[4], *products[4];           /* [length], of the last step */
  double        *planes[4];                         /* [n_planes][n_points] at them */
  double        *spectra, *grid;                    /* [n_batch] spectra, and planes */
  double        *bars[4], *product_bar, *state_bar; /* [length]; where reversible */
  double        *plane_bars;                        /* [n_planes][n_points] */
  double        *gradient;                          /* by L, [n_modes] pairs */
  double        *parameters_bar;                    /* of the reverse() under way */
  LacTrajectory *trajectory;                        /* NULL: not reversible */
  gsize          n_numbers;                         /* on the host, without the trajectory */
} LacExponential;

LacExponential *lac_exponential_new(const LacSolver         *row,
                                    const LacSolverSettings *settings,
                                    gboolean                 is_reversible,
                                    GError                 **error);
void            lac_exponential_free(LacExponential *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacExponential, lac_exponential_free)

/* Makes the weights where a parameter changed. */
void lac_exponential_set_parameters(LacExponential *self, const double *parameters);

/* Between @n_planes planes and their spectra: unnormalised forwards. */
LacStatus lac_exponential_to_modes(LacExponential *self,
                                   gsize           n_planes,
                                   const double   *planes,
                                   double         *spectra);
LacStatus lac_exponential_to_grid(LacExponential *self,
                                  gsize           n_planes,
                                  const double   *spectra,
                                  double         *planes);

/* out = i k in over one spectrum, k along @along, or -|k|^2 in; @sign -1: the transpose. In place or not. */
void lac_exponential_derive(const LacExponential *self,
                            LacAlong              along,
                            double                sign,
                            const double         *in,
                            double               *out);

/* Fields to a state inside, one step in place (leaving stages, products and planes behind), and back. */
LacStatus lac_exponential_read(LacExponential *self, const double *fields, double *state);
LacStatus lac_exponential_step(LacExponential *self, double *state);
LacStatus lac_exponential_write(LacExponential *self, const double *state, double *fields);

/* to += sign conj(w) from, mode by mode; @weights: [n_modes], @to and @from: all fields. */
void lac_exponential_add_transposed(const LacExponential *self,
                                    double                sign,
                                    const double         *weights,
                                    const double         *from,
                                    double               *to);
