/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals shared by the forward and the reverse pass. A state consists of the spectra (solver/spectra.h) of w and,
 * with a density, of s. Arrays are on the device, except where noted. */
#pragma once

#include "solver/spectra-step.h"
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

enum { LAC_FLOW_VORTICITY, LAC_FLOW_DENSITY, LAC_FLOW_MOST_EQUATIONS };

struct _LacSpectralFlow {
  LacSpectralFlowSettings settings;
  gboolean                is_reversible;
  LacSpectra              spectra;
  LacSpectraStep          forwards, backwards; /* from `stages[0]` to `state`; the transpose */
  gsize                   n_equations, n_planes;
  gsize                   length; /* values per state */
  double                  parameters[LAC_SPECTRAL_FLOW_N_PARAMETERS];
  double                 *square;                /* host: [n_modes]: k^2 */
  double                 *host;                  /* host: [2][n_modes], scratch */
  double                 *factors[LAC_FACTOR_N]; /* [n_modes]; 0 at the Nyquist wavenumbers */
  double                 *mask;                  /* [n_modes] */
  double                 *lift;                  /* [n_modes]: the buoyancy times LAC_FACTOR_DX */
  double                 *decay, *half;          /* [n_equations][n_modes] */
  double                 *source;                /* [length]: force and inflow */
  double                 *state;                 /* [length] */
  double                 *stages[4], *slopes[4]; /* [length]: states and slopes of the last step */
  double                 *planes[4];    /* [n_planes][n][n]: u, v and gradients at the stages */
  double                 *modes, *grid; /* [n_planes] spectra; [n_planes] planes */
  /* only if reversible: */
  double *bars[4], *slope_bar, *state_bar; /* [length] */
  double *plane_bars;                      /* [n_planes][n][n] */
  double
    *gradients[LAC_SPECTRAL_FLOW_N_PARAMETERS]; /* [n_modes] pairs; of which the real part counts */
  double *slots;                                /* of the trajectory */
};

/* Returns: the products u . grad w and u . grad s of the planes. */
LacPolynomial lac_spectral_flow_get_product(const LacSpectralFlow *flow);

/* Returns the term i @factor @x; @sign: 1, or -1 for its transpose. */
LacModeTerm lac_spectral_flow_derive(const LacSpectralFlow *flow,
                                     LacFactor              factor,
                                     double                 sign,
                                     const double          *x);

/* Returns: the spectrum of an equation's part of a state. */
double *lac_spectral_flow_get_part(const LacSpectralFlow *flow, double *state, gsize equation);

/* Returns: which equation the plane @i belongs to, and the factor that makes it. */
gsize     lac_spectral_flow_get_equation(gsize plane);
LacFactor lac_spectral_flow_get_factor(gsize plane);

/* Sets to 0 what the 2/3 rule removes. */
void lac_spectral_flow_truncate(LacSpectralFlow *flow, double *state);

/* Returns: the term of the buoyancy of @x; @sign: 1, or -1 for its transpose. */
LacModeTerm lac_spectral_flow_lift(const LacSpectralFlow *flow, double sign, const double *x);

/* Converts fields on the host to a state. */
void lac_spectral_flow_read(LacSpectralFlow *flow, const double *fields, double *state);
/* Enqueues the step from flow->stages[0] to flow->state; its stages, slopes and planes remain in @flow. */
void lac_spectral_flow_step(LacSpectralFlow *flow);

LacSpectralFlow *lac_spectral_flow_make(const LacSpectralFlowSettings *settings,
                                        gboolean                       is_reversible,
                                        GError                       **error);

/* Makes a step of the flow. @name: of the operation; @cost: in steps forwards */
void lac_spectral_flow_init_step(LacSpectralFlow *flow,
                                 LacSpectraStep  *step,
                                 const char      *name,
                                 double           cost,
                                 void (*enqueue)(gpointer flow));
