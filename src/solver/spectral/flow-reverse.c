/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reverse pass of the spectral flow. A gradient g with respect to a half-spectrum is stored as h, g = h m / n^2 with
 * m = 1 in the columns kx = 0 and n/2 and m = 2 in the others, which represent two modes. The transpose of the
 * forward transform is then the inverse transform and vice versa, and factors are transposed by conjugation alone. */
#include "solver/refusal.h"
#include "solver/spectral/flow-private.h"

#include <string.h>

/* Returns m / n^2 of a mode. */
static double
weigh(const LacSpectralFlow *flow, gsize mode)
{
  const gsize x = mode % flow->nxh;

  return (x == 0 || 2 * x == flow->settings.n ? 1 : 2) / (double) flow->n_points;
}

/* Accumulates into @state_bar the gradient propagated from the planes of one stage to its state. */
static LacStatus
reverse_planes(LacSpectralFlow *flow, double *state_bar)
{
  LacStatus status = LAC_STATUS_OK;

  for (gsize i = 0; i < flow->n_planes && status == LAC_STATUS_OK; i++) {
    double *to = state_bar + (i < 4 ? 0 : 2 * flow->n_modes);

    status = lac_spectral_flow_forward(flow, flow->plane_bars + i * flow->n_points, flow->spectrum);
    lac_spectral_flow_derive(flow, i < 4 ? i : i - 2, -1, flow->spectrum, flow->spectrum);
    for (gsize k = 0; k < 2 * flow->n_modes; k++)
      to[k] += flow->spectrum[k];
  }
  return status;
}

/* Propagates flow->slope_bar through the slope of @stage; @state_bar is overwritten. */
static LacStatus
reverse_slope(LacSpectralFlow *flow, gsize stage, double *state_bar)
{
  const gsize   n = flow->n_points;
  const double *u = flow->planes[stage], *v = u + n, *slope_bar = flow->slope_bar;
  double       *u_bar = flow->plane_bars, *v_bar = u_bar + n;
  LacStatus     status = LAC_STATUS_OK;

  memset(u_bar, 0, 2 * n * sizeof *u_bar);
  memset(state_bar, 0, flow->length * sizeof *state_bar);
  for (gsize e = 0; e < flow->n_equations && status == LAC_STATUS_OK; e++) {
    const double *gx = u + (2 + 2 * e) * n, *gy = gx + n;
    double       *gx_bar = u_bar + (2 + 2 * e) * n, *gy_bar = gx_bar + n;

    for (gsize i = 0; i < 2 * flow->n_modes; i++)
      flow->spectrum[i] = -flow->mask[i / 2] * slope_bar[e * 2 * flow->n_modes + i];
    status = lac_spectral_flow_inverse(flow, flow->spectrum, flow->plane);
    for (gsize i = 0; i < n; i++) {
      u_bar[i] += flow->plane[i] * gx[i];
      v_bar[i] += flow->plane[i] * gy[i];
      gx_bar[i] = flow->plane[i] * u[i];
      gy_bar[i] = flow->plane[i] * v[i];
    }
  }
  if (flow->settings.density) {
    const double *density = flow->stages[stage] + 2 * flow->n_modes;
    const double  buoyancy = flow->parameters[LAC_SPECTRAL_FLOW_BUOYANCY];

    lac_spectral_flow_derive(flow, LAC_FACTOR_DX, 1, density, flow->spectrum);
    for (gsize i = 0; i < 2 * flow->n_modes; i++)
      flow->parameters_bar[LAC_SPECTRAL_FLOW_BUOYANCY] +=
        weigh(flow, i / 2) * slope_bar[i] * flow->spectrum[i];
    lac_spectral_flow_derive(flow, LAC_FACTOR_DX, -1, slope_bar, flow->spectrum);
    for (gsize i = 0; i < 2 * flow->n_modes; i++)
      state_bar[2 * flow->n_modes + i] = buoyancy * flow->spectrum[i];
  }
  return status == LAC_STATUS_OK ? reverse_planes(flow, state_bar) : status;
}

/* Derivative with respect to viscosity: E' = -k^2 dt E, for the half step E' = -k^2 dt/2 E. @bar: gradient of the
 * state after the step. */
static double
differentiate_decay(const LacSpectralFlow *flow, const double *bar)
{
  const double  dt = flow->settings.time_step;
  const double *w = flow->stages[0], *a = flow->slopes[0], *b = flow->slopes[1];
  const double *c = flow->slopes[2], *const *bars = (const double *const *) flow->bars;
  double        sum = 0;

  for (gsize i = 0; i < 2 * flow->n_modes; i++) {
    const double whole = dt * flow->decay[i / 2], half = dt / 2 * flow->half[i / 2];
    const double product =
      bar[i] * (whole * (w[i] + dt / 6 * a[i]) + half * dt / 3 * (b[i] + c[i])) +
      bars[3][i] * (whole * w[i] + half * dt * c[i]) + bars[2][i] * half * w[i] +
      bars[1][i] * half * (w[i] + dt / 2 * a[i]);

    sum -= weigh(flow, i / 2) * flow->square[i / 2] * product;
  }
  return sum;
}

static LacStatus
reverse_step(gpointer user_data, const double *before, double *bar)
{
  LacSpectralFlow *flow = user_data;
  const double     dt = flow->settings.time_step, *decay = flow->decay, *half = flow->half;
  double         **bars = flow->bars, *slope_bar = flow->slope_bar;
  LacStatus        status;

  memcpy(flow->state, before, flow->length * sizeof *before);
  status = lac_spectral_flow_step(flow, flow->state);
  for (gsize i = 0; i < flow->length; i++)
    slope_bar[i] = dt / 6 * bar[i];
  if (status == LAC_STATUS_OK)
    status = reverse_slope(flow, 3, bars[3]);
  for (gsize i = 0; i < flow->length; i++)
    slope_bar[i] = half[i / 2] * (dt / 3 * bar[i] + dt * bars[3][i]);
  if (status == LAC_STATUS_OK)
    status = reverse_slope(flow, 2, bars[2]);
  for (gsize i = 0; i < flow->length; i++)
    slope_bar[i] = half[i / 2] * dt / 3 * bar[i] + dt / 2 * bars[2][i];
  if (status == LAC_STATUS_OK)
    status = reverse_slope(flow, 1, bars[1]);
  for (gsize i = 0; i < flow->length; i++)
    slope_bar[i] = dt / 6 * decay[i / 2] * bar[i] + dt / 2 * half[i / 2] * bars[1][i];
  if (status == LAC_STATUS_OK)
    status = reverse_slope(flow, 0, bars[0]);
  flow->parameters_bar[LAC_SPECTRAL_FLOW_VISCOSITY] += differentiate_decay(flow, bar);
  for (gsize i = 0; i < flow->length; i++)
    bar[i] =
      decay[i / 2] * (bar[i] + bars[3][i]) + half[i / 2] * (bars[2][i] + bars[1][i]) + bars[0][i];
  return status;
}

static LacStatus
step(gpointer user_data, double *state)
{
  return lac_spectral_flow_step(user_data, state);
}

/* Transpose of writing the fields: converts @bar to the gradient of the state. */
static LacStatus
reverse_write(LacSpectralFlow *flow, const double *bar, double *state_bar)
{
  LacStatus status = LAC_STATUS_OK;

  memset(state_bar, 0, flow->length * sizeof *state_bar);
  for (gsize i = 0; i < 2 && status == LAC_STATUS_OK; i++) {
    status = lac_spectral_flow_forward(flow, bar + i * flow->n_points, flow->spectrum);
    lac_spectral_flow_derive(flow, i, -1, flow->spectrum, flow->spectrum);
    for (gsize k = 0; k < 2 * flow->n_modes; k++)
      state_bar[k] += flow->spectrum[k];
  }
  if (flow->settings.density && status == LAC_STATUS_OK)
    status =
      lac_spectral_flow_forward(flow, bar + 2 * flow->n_points, state_bar + 2 * flow->n_modes);
  return status;
}

/* Transpose of reading the fields. */
static LacStatus
reverse_read(LacSpectralFlow *flow, double *state_bar, double *bar)
{
  LacStatus status;

  for (gsize i = 0; i < flow->length; i++)
    state_bar[i] *= flow->mask[i / 2 % flow->n_modes];
  lac_spectral_flow_derive(flow, LAC_FACTOR_DY, 1, state_bar, flow->spectrum);
  status = lac_spectral_flow_inverse(flow, flow->spectrum, bar);
  lac_spectral_flow_derive(flow, LAC_FACTOR_DX, -1, state_bar, flow->spectrum);
  if (status == LAC_STATUS_OK)
    status = lac_spectral_flow_inverse(flow, flow->spectrum, bar + flow->n_points);
  if (flow->settings.density && status == LAC_STATUS_OK)
    status =
      lac_spectral_flow_inverse(flow, state_bar + 2 * flow->n_modes, bar + 2 * flow->n_points);
  return status;
}

gboolean
lac_spectral_flow_reverse(LacSpectralFlow *flow,
                          const double    *fields,
                          gsize            n_steps,
                          double          *bar,
                          double          *parameters_bar,
                          GError         **error)
{
  static const LacTrajectoryFuncs funcs = {step, reverse_step};
  LacStatus                       status;

  g_return_val_if_fail(flow->settings.reversible, FALSE);
  if (!lac_solver_check_reverse(n_steps, error))
    return FALSE;
  flow->parameters_bar = parameters_bar;
  status = reverse_write(flow, bar, flow->state_bar);
  if (status == LAC_STATUS_OK)
    status = lac_spectral_flow_read(flow, fields, flow->state);
  if (status == LAC_STATUS_OK)
    status =
      lac_trajectory_reverse(flow->trajectory, &funcs, flow, flow->state, n_steps, flow->state_bar);
  if (status == LAC_STATUS_OK)
    status = reverse_read(flow, flow->state_bar, bar);
  return lac_solver_check_status(status, error);
}
