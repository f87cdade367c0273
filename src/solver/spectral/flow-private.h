/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals shared by the forward and the reverse pass. Spectra are [ny][nxh] pairs (re, im), nxh = n/2 + 1; a state
 * consists of the spectra of w and, with a density, of s. */
#pragma once

#include "base/memory-part.h"
#include "solver/spectral/flow.h"
#include "solver/trajectory.h"

/* Real factors f of the operators i f in Fourier space. */
typedef enum {
  LAC_FACTOR_U,  /* u from w: ky / k^2 */
  LAC_FACTOR_V,  /* v from w: -kx / k^2 */
  LAC_FACTOR_DX, /* derivative along x: kx */
  LAC_FACTOR_DY, /* derivative along y: ky */
  LAC_FACTOR_N
} LacFactor;

#define LAC_SPECTRAL_MAX_PLANES 6 /* u, v, w_x, w_y, s_x, s_y */

struct _LacSpectralFlow {
  LacMemoryClaim          claim;
  LacSpectralFlowSettings settings;
  gsize                   nxh, n_modes, n_points;
  gsize                   n_equations, n_planes;
  gsize                   length; /* values per state */
  double                  parameters[LAC_SPECTRAL_FLOW_N_PARAMETERS];
  guint8                 *memory;                /* device: a plane, then a spectrum */
  double                 *factors[LAC_FACTOR_N]; /* [n_modes]; 0 at the Nyquist wavenumbers */
  double                 *square;                /* k^2 */
  double                 *mask;
  double                 *decay, *half;          /* [n_equations][n_modes] */
  double                 *source;                /* [length]: force and inflow */
  double                 *spectrum, *plane;      /* scratch */
  double                 *state;                 /* [length] */
  double                 *stages[4], *slopes[4]; /* states and slopes of the last step */
  double                 *planes[4]; /* [n_planes][n][n]: u, v and gradients at the stages */
  double                 *bars[4], *slope_bar, *state_bar; /* [length]; only if reversible */
  double                 *plane_bars;                      /* [n_planes][n][n] */
  double                 *parameters_bar;                  /* argument of the current reverse() */
  LacTrajectory          *trajectory;
  gsize                   n_numbers; /* on the host, excluding the trajectory */
};

/* Transform a plane, [n][n], to its spectrum, unnormalised, and back. */
LacStatus lac_spectral_flow_forward(LacSpectralFlow *flow, const double *plane, double *spectrum);
LacStatus lac_spectral_flow_inverse(LacSpectralFlow *flow, const double *spectrum, double *plane);

/* Computes out = i factor in over one spectrum; @sign: 1, or -1 for the transpose. May be in place. */
void lac_spectral_flow_derive(const LacSpectralFlow *flow,
                              LacFactor              factor,
                              double                 sign,
                              const double          *in,
                              double                *out);

/* Advances @state by one step in place; stages, slopes and planes of the step remain in @flow. */
LacStatus lac_spectral_flow_step(LacSpectralFlow *flow, double *state);

LacStatus lac_spectral_flow_read(LacSpectralFlow *flow, const double *fields, double *state);
