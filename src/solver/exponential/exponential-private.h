/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Per-worker state of an exponential solver. A state consists of the spectra of all fields (solver/spectra.h). With
 * ends fixed at 0 the internal grid is the odd extension, 2 (nx - 1) points. Arrays are on the device, except where
 * noted. */
#pragma once

#include "solver/exponential/exponential.h"
#include "solver/spectra-step.h"
#include "solver/trajectory.h"

/* Weights of a complex mode with z = dt L:  a = G u + Q N(u), b = G u + Q N(a), c = G a + Q (2 N(b) - N(u)), u+ = E u
 * + F1 N(u) + F2 (N(a) + N(b)) + F3 N(c). */
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
  double slope[LAC_WEIGHT_N][2]; /* derivative with respect to L */
} LacWeights;

typedef struct {
  const LacSolver              *row;
  const LacExponentialEquation *equation;
  LacSpectra                    spectra;
  LacSpectraStep forwards, backwards; /* from `stages[0]` to `state`; the transpose */
  gboolean       is_reversible;
  gsize          nx_given; /* points along x of the external state */
  gsize          n_batch;  /* planes or spectra at once */
  gsize          length;   /* values per internal state */
  double         side[2];  /* periods of the internal grid */
  double         time_step;
  double         parameters[LAC_SOLVER_MAX_PARAMETERS];
  LacPolynomial  product;                                /* N at the parameters */
  LacPolynomial  derivatives[LAC_SOLVER_MAX_PARAMETERS]; /* of N with respect to each */
  gboolean       is_ready;                               /* the weights match the parameters */
  double        *symbols[LAC_SOLVER_MAX_PARAMETERS];     /* host: [n_modes] pairs */
  double        *host;             /* host: [2][LAC_WEIGHT_N][n_modes] pairs: weights and slopes */
  double        *host_grid;        /* host: [n_fields][n_points] */
  double        *kx, *ky;          /* [n_modes]; 0 at Nyquist wavenumbers */
  double        *laplacian;        /* [n_modes] */
  double        *mask;             /* [n_modes] */
  double        *coefficients;     /* [n_terms]: of `product` */
  double        *weights, *slopes; /* [LAC_WEIGHT_N][n_modes] pairs; slopes if reversible */
  double        *state, *scratch;  /* [length] */
  double        *stages[4], *products[4]; /* [length], from the last step */
  double        *planes[4];               /* [n_planes][n_points] at the stages */
  double        *modes, *grid;            /* [n_batch] spectra; [n_batch] planes */
  /* only if reversible: */
  double *bars[4], *product_bar, *state_bar; /* [length] */
  double *plane_bars;                        /* [n_planes][n_points] */
  double *term;                              /* [n_fields][n_points] */
  double *gradient;                          /* with respect to L, [n_modes] pairs */
  double *sums;                              /* [n_parameters]: gradients through N */
  double *slots;                             /* of the trajectory */
} LacExponential;

LacExponential *lac_exponential_new(const LacSolver         *row,
                                    const LacSolverSettings *settings,
                                    gboolean                 is_reversible,
                                    GError                 **error);
void            lac_exponential_free(LacExponential *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacExponential, lac_exponential_free)

/* Returns a weight, [n_modes] pairs, or its derivative with respect to L. */
const double *lac_exponential_get_weight(const LacExponential *self, LacWeight weight);
const double *lac_exponential_get_slope(const LacExponential *self, LacWeight weight);

/* Recomputes the weights if a parameter changed. */
void lac_exponential_set_parameters(LacExponential *self, const double *parameters);

/* Returns the term that computes a plane of N from the spectrum of its field; @sign: 1, or -1 for its transpose. */
LacModeTerm
lac_exponential_derive(const LacExponential *self, LacAlong along, double sign, const double *x);

/* Convert fields on the host to an internal state, compute self->state one step after self->stages[0] (leaving stages,
 * products and planes behind), and convert back, which destroys the state. */
void lac_exponential_read(LacExponential *self, const double *fields, double *state);
void lac_exponential_step(LacExponential *self);
void lac_exponential_write(LacExponential *self, double *state, double *fields);

/* Sets to 0 what the 2/3 rule removes. */
void lac_exponential_truncate(LacExponential *self, double *state);
