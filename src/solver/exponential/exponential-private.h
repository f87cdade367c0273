/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Per-worker state of an exponential solver. Spectra are [ny][nxh] pairs (re, im), nxh = n/2 + 1; a state consists of
 * the spectra of all fields. With ends fixed at 0 the internal grid is the odd extension, 2 (nx - 1) points. */
#pragma once

#include "solver/exponential/exponential.h"
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
  LacDevice                     device;
  gsize                         nx_given; /* points along x of the external state */
  gsize                         nx, ny, nxh;
  gsize                         n_points, n_modes;
  gsize                         length;  /* values per internal state */
  double                        side[2]; /* periods of the internal grid */
  double                        time_step;
  double                        parameters[LAC_SOLVER_MAX_PARAMETERS];
  gboolean                      is_ready; /* the weights match the parameters */
  guint8                       *memory;   /* device: planes, then spectra */
  gsize                         n_batch;  /* planes that fit into @memory */
  double                       *kx, *ky;  /* [n_modes]; 0 at Nyquist wavenumbers */
  double                       *mask;     /* [n_modes] */
  double                       *symbols[LAC_SOLVER_MAX_PARAMETERS]; /* [n_modes] pairs */
  double                       *weights[LAC_WEIGHT_N],
    *slopes[LAC_WEIGHT_N];                          /* [n_modes] pairs; slopes where reversible */
  double        *state, *scratch;                   /* [length] */
  double        *stages[4], *products[4];           /* [length], from the last step */
  double        *planes[4];                         /* [n_planes][n_points] at the stages */
  double        *spectra, *grid;                    /* [n_batch] spectra; [n_batch] planes */
  double        *bars[4], *product_bar, *state_bar; /* [length]; where reversible */
  double        *plane_bars;                        /* [n_planes][n_points] */
  double        *gradient;                          /* with respect to L, [n_modes] pairs */
  double        *parameters_bar;                    /* argument of the current reverse() */
  LacTrajectory *trajectory;                        /* NULL: not reversible */
  gsize          n_numbers; /* number of doubles on the host, without the trajectory */
} LacExponential;

LacExponential *lac_exponential_new(const LacSolver         *row,
                                    const LacSolverSettings *settings,
                                    gboolean                 is_reversible,
                                    GError                 **error);
void            lac_exponential_free(LacExponential *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacExponential, lac_exponential_free)

/* Recomputes the weights if a parameter changed. */
void lac_exponential_set_parameters(LacExponential *self, const double *parameters);

/* Transforms between @n_planes planes and their spectra; the forward transform is unnormalised. */
LacStatus lac_exponential_to_modes(LacExponential *self,
                                   gsize           n_planes,
                                   const double   *planes,
                                   double         *spectra);
LacStatus lac_exponential_to_grid(LacExponential *self,
                                  gsize           n_planes,
                                  const double   *spectra,
                                  double         *planes);

/* Computes out = i k in over one spectrum, with k along @along, or out = -|k|^2 in for the Laplacian; @sign: 1, or -1
 * for the transpose. May be in place. */
void lac_exponential_derive(const LacExponential *self,
                            LacAlong              along,
                            double                sign,
                            const double         *in,
                            double               *out);

/* Convert fields to an internal state, advance it one step in place (leaving stages, products and planes behind), and
 * convert back. */
LacStatus lac_exponential_read(LacExponential *self, const double *fields, double *state);
LacStatus lac_exponential_step(LacExponential *self, double *state);
LacStatus lac_exponential_write(LacExponential *self, const double *state, double *fields);

/* Computes to += sign conj(w) from, mode by mode, over all fields. @weights: [n_modes]: w */
void lac_exponential_add_transposed(const LacExponential *self,
                                    double                sign,
                                    const double         *weights,
                                    const double         *from,
                                    double               *to);
