/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two-dimensional incompressible flow in a periodic square of side L, with or without a buoyant density,
 * pseudo-spectral, in double, for one state, forwards and in reverse:
 *   w_t + u . grad w = nu lap w - mu w - k cos(k y) + b s_x,    w the vorticity, u without a mean
 *   s_t + u . grad s = kappa lap s + q(x, y)
 * 2/3 rule, integrating-factor Runge-Kutta of order 4. The reverse pass M' is the exact transpose of the linearised
 * steps M (discrete adjoint), not a discretised adjoint equation: <M x, y> and <x, M' y> differ only by rounding.
 * States are on the device between two calls of the table; fields on the host.
 * Source: Canuto, Hussaini, Quarteroni, Zang (2007), Spectral Methods, 3.3; Giles and Pierce (2000), the discrete
 * adjoint. */
#pragma once

#include "backend/registry.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  LacDevice     device;
  gsize         n; /* grid points per side; even */
  double        length;
  gboolean      density; /* includes the density s; otherwise only u and v */
  double        drag, diffusivity;
  gsize         forcing; /* k, in units of 2 pi / L; 0: no force */
  double        time_step;
  const double *inflow; /* (nullable): q, [n][n]; borrowed during lac_spectral_flow_new() */
  const char   *work;   /* operation name, static: "smoke steps" */
  LacPerf      *perf;   /* (nullable) */
  LacLane      *lane;   /* (nullable): of the thread */
} LacSpectralFlowSettings;

/* Differentiable parameters of the equation. */
typedef enum {
  LAC_SPECTRAL_FLOW_VISCOSITY,
  LAC_SPECTRAL_FLOW_BUOYANCY,
  LAC_SPECTRAL_FLOW_N_PARAMETERS
} LacSpectralFlowParameter;

typedef struct _LacSpectralFlow LacSpectralFlow;

/* Return: %NULL with %LAC_ERROR_DEVICE. Only a reversible flow has the memory of its reverse pass. */
LacSpectralFlow *lac_spectral_flow_new(const LacSpectralFlowSettings *settings, GError **error);
LacSpectralFlow *lac_spectral_flow_new_reversible(const LacSpectralFlowSettings *settings,
                                                  GError                       **error);
void             lac_spectral_flow_free(LacSpectralFlow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSpectralFlow, lac_spectral_flow_free)

/* @parameters: [LAC_SPECTRAL_FLOW_N_PARAMETERS]. Cheap if nothing changed. */
void lac_spectral_flow_set_parameters(LacSpectralFlow *flow, const double *parameters);

/* Advances u, v and, with a density, s by @n_steps. @fields: [2 or 3][n][n], in place; divergence, means (of u and v)
 * and wavenumbers beyond the 2/3 rule are removed first. Does not allocate. */
LacStatus lac_spectral_flow_advance(LacSpectralFlow *flow, double *fields, gsize n_steps);

/* Applies the transposed derivative of lac_spectral_flow_advance() at @fields. @bar: shaped as @fields, in place;
 * @parameters_bar: accumulated. The flow must be reversible. Does not allocate. Returns: %FALSE with
 * %LAC_ERROR_DEVICE, or %LAC_ERROR_OUT_OF_RANGE with more than %LAC_TRAJECTORY_LONGEST steps. */
gboolean lac_spectral_flow_reverse(LacSpectralFlow *flow,
                                   const double    *fields,
                                   gsize            n_steps,
                                   double          *bar,
                                   double          *parameters_bar,
                                   GError         **error);

gsize lac_spectral_flow_get_bytes(const LacSpectralFlow *flow);

/* Returns the floating-point operations per step. */
double lac_spectral_flow_get_flops(const LacSpectralFlow *flow);

G_END_DECLS
