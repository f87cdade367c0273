/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two-dimensional incompressible flow in a periodic square of side L, with or without a buoyant density, pseudo-spectral,
 * in double, for one state, forwards and backwards:
 *   w_t + u . grad w = nu lap w - mu w - k cos(k y) + b s_x,    w the vorticity, u without a mean
 *   s_t + u . grad s = kappa lap s + q(x, y)
 * 2/3 rule, integrating-factor Runge-Kutta of order 4. Backwards is the exact transpose of these steps, not a discretised
 * adjoint equation: rounding alone separates <M x, y> from <x, M' y>. Numbers live on the host, transforms on the device.
 * Source: Canuto, Hussaini, Quarteroni, Zang (2007), Spectral Methods, 3.3; Giles and Pierce (2000), the discrete adjoint. */
#pragma once

#include "backend/registry.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  LacDevice     device;
  gsize         n; /* grid points a side; even */
  double        length;
  gboolean      density; /* there is s; else u and v alone */
  gboolean      reversible;
  double        drag, diffusivity;
  gsize         forcing; /* k, in units of 2 pi / L; 0: no force */
  double        time_step;
  const double *inflow; /* (nullable): q, [n][n]; borrowed during new() */
} LacSpectralFlowSettings;

/* What the equation may be differentiated by. */
typedef enum {
  LAC_SPECTRAL_FLOW_VISCOSITY,
  LAC_SPECTRAL_FLOW_BUOYANCY,
  LAC_SPECTRAL_FLOW_N_PARAMETERS
} LacSpectralFlowParameter;

typedef struct _LacSpectralFlow LacSpectralFlow;

/* Returns: %NULL with %LAC_ERROR_DEVICE set. */
LacSpectralFlow *lac_spectral_flow_new(const LacSpectralFlowSettings *settings, GError **error);
void             lac_spectral_flow_free(LacSpectralFlow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSpectralFlow, lac_spectral_flow_free)

/* @parameters: [LAC_SPECTRAL_FLOW_N_PARAMETERS]. Costs little where nothing changed. */
void lac_spectral_flow_set_parameters(LacSpectralFlow *flow, const double *parameters);

/* @fields: u, v and, where there is density, s: [2 or 3][n][n], in place. What has a divergence, a mean (of u and v) or a
 * wavenumber beyond the 2/3 rule is dropped first. Does not allocate. */
LacStatus lac_spectral_flow_advance(LacSpectralFlow *flow, double *fields, gsize n_steps);

/* The transposed derivative of advance() at @fields. @bar: as @fields, in place; @parameters_bar: added to. Of a flow
 * that is reversible. Does not allocate. Returns: %FALSE with %LAC_ERROR_DEVICE, or %LAC_ERROR_OUT_OF_RANGE with more than
 * %LAC_TRAJECTORY_LONGEST steps. */
gboolean lac_spectral_flow_reverse(LacSpectralFlow *flow,
                                   const double    *fields,
                                   gsize            n_steps,
                                   double          *bar,
                                   double          *parameters_bar,
                                   GError         **error);

gsize lac_spectral_flow_get_bytes(const LacSpectralFlow *flow);

/* Of one step. */
double lac_spectral_flow_get_flops(const LacSpectralFlow *flow);

G_END_DECLS
