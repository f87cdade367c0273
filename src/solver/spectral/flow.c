/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward pass of the spectral flow: constants, stages, step. */
#include "solver/refusal.h"
#include "solver/spectral/flow-private.h"

#include <math.h>
#include <string.h>

LacStatus
lac_spectral_flow_forward(LacSpectralFlow *flow, const double *plane, double *spectrum)
{
  const LacDevice device = flow->settings.device;
  const gsize     n_bytes = flow->n_points * sizeof *plane;
  const LacFft    args = {LAC_F64, flow->settings.n, flow->settings.n,
                          1,       flow->memory,     flow->memory + n_bytes};
  LacStatus       status = device.table->upload(device.self, args.real, plane, n_bytes);

  if (status == LAC_STATUS_OK)
    status = device.table->fft_forward(device.self, &args);
  return status == LAC_STATUS_OK ? device.table->download(device.self, spectrum, args.spectrum,
                                                          2 * flow->n_modes * sizeof *spectrum)
                                 : status;
}

LacStatus
lac_spectral_flow_inverse(LacSpectralFlow *flow, const double *spectrum, double *plane)
{
  const LacDevice device = flow->settings.device;
  const gsize     n_bytes = flow->n_points * sizeof *plane;
  const LacFft    args = {LAC_F64, flow->settings.n, flow->settings.n,
                          1,       flow->memory,     flow->memory + n_bytes};
  LacStatus       status = device.table->upload(device.self, args.spectrum, spectrum,
                                                2 * flow->n_modes * sizeof *spectrum);

  if (status == LAC_STATUS_OK)
    status = device.table->fft_inverse(device.self, &args);
  return status == LAC_STATUS_OK ? device.table->download(device.self, plane, args.real, n_bytes)
                                 : status;
}

void
lac_spectral_flow_derive(const LacSpectralFlow *flow,
                         LacFactor              factor,
                         double                 sign,
                         const double          *in,
                         double                *out)
{
  const double *factors = flow->factors[factor];

  for (gsize i = 0; i < flow->n_modes; i++) {
    const double f = sign * factors[i], re = in[2 * i];

    out[2 * i] = -f * in[2 * i + 1];
    out[2 * i + 1] = f * re;
  }
}

static void
fill_factors(LacSpectralFlow *flow)
{
  const gsize  n = flow->settings.n;
  const double unit = 2 * G_PI / flow->settings.length;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < flow->nxh; x++) {
      const gsize    i = y * flow->nxh + x;
      const double   row = 2 * y <= n ? (double) y : (double) y - (double) n;
      const double   kx = unit * (double) x, ky = unit * row, square = kx * kx + ky * ky;
      const gboolean nyquist = 2 * y == n || 2 * x == n;

      flow->square[i] = square;
      flow->mask[i] = 3 * x < n && 3 * fabs(row) < (double) n;
      flow->factors[LAC_FACTOR_U][i] = nyquist || i == 0 ? 0 : ky / square;
      flow->factors[LAC_FACTOR_V][i] = nyquist || i == 0 ? 0 : -kx / square;
      flow->factors[LAC_FACTOR_DX][i] = nyquist ? 0 : kx;
      flow->factors[LAC_FACTOR_DY][i] = nyquist ? 0 : ky;
    }
}

static void
fill_decay(LacSpectralFlow *flow, gsize equation, double diffusivity, double drag)
{
  double *decay = flow->decay + equation * flow->n_modes;
  double *half = flow->half + equation * flow->n_modes;

  for (gsize i = 0; i < flow->n_modes; i++) {
    const double rate = -diffusivity * flow->square[i] - drag;

    decay[i] = exp(rate * flow->settings.time_step);
    half[i] = exp(rate * flow->settings.time_step / 2);
  }
}

/* Sets -k cos(k y), from the force (sin(k y), 0), and the inflow. */
static LacStatus
fill_source(LacSpectralFlow *flow)
{
  const LacSpectralFlowSettings *settings = &flow->settings;
  const gsize                    n = settings->n, k = settings->forcing;
  const double                   peak = -(2 * G_PI / settings->length) * (double) (k * n * n) / 2;
  LacStatus                      status = LAC_STATUS_OK;

  if (k > 0)
    flow->source[2 * k * flow->nxh] = flow->source[2 * (n - k) * flow->nxh] = peak;
  if (settings->inflow) {
    double *inflow = flow->source + 2 * flow->n_modes;

    status = lac_spectral_flow_forward(flow, settings->inflow, inflow);
    for (gsize i = 0; i < 2 * flow->n_modes; i++)
      inflow[i] *= flow->mask[i / 2];
  }
  return status;
}

static LacStatus
prepare_device(LacSpectralFlow *flow)
{
  const LacDevice device = flow->settings.device;
  const gsize     n = flow->settings.n, n_plane = flow->n_points * sizeof(double);
  const gsize     n_bytes = n_plane + 2 * flow->n_modes * sizeof(double);
  LacFft          plan = {LAC_F64, n, n, 1, NULL, NULL};
  LacStatus       status = device.table->alloc(device.self, n_bytes, (void **) &flow->memory);

  if (status != LAC_STATUS_OK)
    return status;
  plan.real = flow->memory;
  plan.spectrum = flow->memory + n_plane;
  status = device.table->fill(device.self, LAC_F64, flow->memory, 0, n_bytes / sizeof(double));
  return status == LAC_STATUS_OK ? device.table->fft_prepare(device.self, &plan) : status;
}

static double *
take(gsize *n_taken, gsize n)
{
  *n_taken += n;
  return g_new0(double, n);
}

static void
allocate(LacSpectralFlow *flow, gsize *n)
{
  for (gsize i = 0; i < LAC_FACTOR_N; i++)
    flow->factors[i] = take(n, flow->n_modes);
  flow->square = take(n, flow->n_modes);
  flow->mask = take(n, flow->n_modes);
  flow->decay = take(n, flow->n_equations * flow->n_modes);
  flow->half = take(n, flow->n_equations * flow->n_modes);
  flow->source = take(n, flow->length);
  flow->spectrum = take(n, 2 * flow->n_modes);
  flow->plane = take(n, flow->n_points);
  flow->state = take(n, flow->length);
  for (gsize i = 0; i < 4; i++) {
    flow->stages[i] = take(n, flow->length);
    flow->slopes[i] = take(n, flow->length);
    flow->planes[i] = take(n, flow->n_planes * flow->n_points);
    if (flow->settings.reversible)
      flow->bars[i] = take(n, flow->length);
  }
  if (flow->settings.reversible) {
    flow->slope_bar = take(n, flow->length);
    flow->state_bar = take(n, flow->length);
    flow->plane_bars = take(n, flow->n_planes * flow->n_points);
    flow->trajectory = lac_trajectory_new(flow->length);
  }
}

LacSpectralFlow *
lac_spectral_flow_new(const LacSpectralFlowSettings *settings, GError **error)
{
  g_autoptr(LacSpectralFlow) flow = g_new0(LacSpectralFlow, 1);
  LacStatus                  status;

  g_return_val_if_fail(settings->n % 2 == 0 && 3 * settings->forcing < settings->n, NULL);
  g_return_val_if_fail(settings->density || !settings->inflow, NULL);
  flow->settings = *settings;
  flow->nxh = settings->n / 2 + 1;
  flow->n_modes = settings->n * flow->nxh;
  flow->n_points = settings->n * settings->n;
  flow->n_equations = settings->density ? 2 : 1;
  flow->n_planes = 2 + 2 * flow->n_equations;
  flow->length = flow->n_equations * 2 * flow->n_modes;
  allocate(flow, &flow->n_numbers);
  fill_factors(flow);
  fill_decay(flow, 0, 0, settings->drag);
  if (settings->density)
    fill_decay(flow, 1, settings->diffusivity, 0);
  status = prepare_device(flow);
  if (status == LAC_STATUS_OK)
    status = fill_source(flow);
  flow->settings.inflow = NULL;
  lac_memory_claim(&flow->claim, LAC_MEMORY_TRANSFORMS, flow->n_numbers * sizeof(double));
  return lac_solver_check_status(status, error) ? g_steal_pointer(&flow) : NULL;
}

void
lac_spectral_flow_free(LacSpectralFlow *flow)
{
  if (!flow)
    return;
  for (gsize i = 0; i < LAC_FACTOR_N; i++)
    g_free(flow->factors[i]);
  for (gsize i = 0; i < 4; i++) {
    g_free(flow->stages[i]);
    g_free(flow->slopes[i]);
    g_free(flow->planes[i]);
    g_free(flow->bars[i]);
  }
  lac_memory_unclaim(&flow->claim);
  g_free(flow->square);
  g_free(flow->mask);
  g_free(flow->decay);
  g_free(flow->half);
  g_free(flow->source);
  g_free(flow->spectrum);
  g_free(flow->plane);
  g_free(flow->state);
  g_free(flow->slope_bar);
  g_free(flow->state_bar);
  g_free(flow->plane_bars);
  lac_trajectory_free(flow->trajectory);
  if (flow->memory)
    flow->settings.device.table->release(flow->settings.device.self, flow->memory);
  g_free(flow);
}

void
lac_spectral_flow_set_parameters(LacSpectralFlow *flow, const double *parameters)
{
  if (parameters[LAC_SPECTRAL_FLOW_VISCOSITY] != flow->parameters[LAC_SPECTRAL_FLOW_VISCOSITY])
    fill_decay(flow, 0, parameters[LAC_SPECTRAL_FLOW_VISCOSITY], flow->settings.drag);
  memcpy(flow->parameters, parameters, sizeof flow->parameters);
}

/* Computes u, v and the gradients at @state as planes. */
static LacStatus
evaluate(LacSpectralFlow *flow, const double *state, double *planes)
{
  const double *density = state + 2 * flow->n_modes;
  LacStatus     status = LAC_STATUS_OK;

  for (gsize i = 0; i < flow->n_planes && status == LAC_STATUS_OK; i++) {
    lac_spectral_flow_derive(flow, i < 4 ? i : i - 2, 1, i < 4 ? state : density, flow->spectrum);
    status = lac_spectral_flow_inverse(flow, flow->spectrum, planes + i * flow->n_points);
  }
  return status;
}

/* Computes the slope without diffusion and drag, which are part of the integrating factor. */
static LacStatus
compute_slope(LacSpectralFlow *flow, gsize stage)
{
  const double *state = flow->stages[stage], *density = state + 2 * flow->n_modes;
  const double *u = flow->planes[stage], *v = u + flow->n_points;
  const double  buoyancy = flow->parameters[LAC_SPECTRAL_FLOW_BUOYANCY];
  LacStatus     status = evaluate(flow, state, flow->planes[stage]);

  for (gsize e = 0; e < flow->n_equations && status == LAC_STATUS_OK; e++) {
    const double *gx = u + (2 + 2 * e) * flow->n_points, *gy = gx + flow->n_points;
    double       *slope = flow->slopes[stage] + e * 2 * flow->n_modes;
    const double *source = flow->source + e * 2 * flow->n_modes;

    for (gsize i = 0; i < flow->n_points; i++)
      flow->plane[i] = u[i] * gx[i] + v[i] * gy[i];
    status = lac_spectral_flow_forward(flow, flow->plane, slope);
    for (gsize i = 0; i < 2 * flow->n_modes; i++)
      slope[i] = source[i] - flow->mask[i / 2] * slope[i];
  }
  if (flow->settings.density) {
    lac_spectral_flow_derive(flow, LAC_FACTOR_DX, 1, density, flow->spectrum);
    for (gsize i = 0; i < 2 * flow->n_modes; i++)
      flow->slopes[stage][i] += buoyancy * flow->spectrum[i];
  }
  return status;
}

LacStatus
lac_spectral_flow_step(LacSpectralFlow *flow, double *state)
{
  const double  dt = flow->settings.time_step;
  const double *a = flow->slopes[0], *b = flow->slopes[1], *c = flow->slopes[2];
  const double *d = flow->slopes[3], *decay = flow->decay, *half = flow->half;
  LacStatus     status;

  memcpy(flow->stages[0], state, flow->length * sizeof *state);
  status = compute_slope(flow, 0);
  for (gsize i = 0; i < flow->length; i++)
    flow->stages[1][i] = half[i / 2] * (state[i] + dt / 2 * a[i]);
  if (status == LAC_STATUS_OK)
    status = compute_slope(flow, 1);
  for (gsize i = 0; i < flow->length; i++)
    flow->stages[2][i] = half[i / 2] * state[i] + dt / 2 * b[i];
  if (status == LAC_STATUS_OK)
    status = compute_slope(flow, 2);
  for (gsize i = 0; i < flow->length; i++)
    flow->stages[3][i] = decay[i / 2] * state[i] + dt * half[i / 2] * c[i];
  if (status == LAC_STATUS_OK)
    status = compute_slope(flow, 3);
  for (gsize i = 0; i < flow->length; i++)
    state[i] = decay[i / 2] * (state[i] + dt / 6 * a[i]) + dt / 3 * half[i / 2] * (b[i] + c[i]) +
               dt / 6 * d[i];
  return status;
}

LacStatus
lac_spectral_flow_read(LacSpectralFlow *flow, const double *fields, double *state)
{
  LacStatus status = lac_spectral_flow_forward(flow, fields + flow->n_points, state);

  lac_spectral_flow_derive(flow, LAC_FACTOR_DX, 1, state, state);
  if (status == LAC_STATUS_OK)
    status = lac_spectral_flow_forward(flow, fields, flow->spectrum);
  lac_spectral_flow_derive(flow, LAC_FACTOR_DY, 1, flow->spectrum, flow->spectrum);
  for (gsize i = 0; i < 2 * flow->n_modes; i++)
    state[i] -= flow->spectrum[i];
  if (flow->settings.density && status == LAC_STATUS_OK)
    status =
      lac_spectral_flow_forward(flow, fields + 2 * flow->n_points, state + 2 * flow->n_modes);
  for (gsize i = 0; i < flow->length; i++)
    state[i] *= flow->mask[i / 2 % flow->n_modes];
  return status;
}

LacStatus
lac_spectral_flow_advance(LacSpectralFlow *flow, double *fields, gsize n_steps)
{
  LacStatus status = lac_spectral_flow_read(flow, fields, flow->state);

  for (gsize i = 0; i < n_steps && status == LAC_STATUS_OK; i++)
    status = lac_spectral_flow_step(flow, flow->state);
  for (gsize i = 0; i < 2 && status == LAC_STATUS_OK; i++) {
    lac_spectral_flow_derive(flow, i, 1, flow->state, flow->spectrum);
    status = lac_spectral_flow_inverse(flow, flow->spectrum, fields + i * flow->n_points);
  }
  if (flow->settings.density && status == LAC_STATUS_OK)
    status =
      lac_spectral_flow_inverse(flow, flow->state + 2 * flow->n_modes, fields + 2 * flow->n_points);
  return status;
}

gsize
lac_spectral_flow_get_bytes(const LacSpectralFlow *flow)
{
  const gsize kept = flow->trajectory ? lac_trajectory_get_bytes(flow->trajectory) : 0;

  return (flow->n_numbers + flow->n_points + 2 * flow->n_modes) * sizeof(double) + kept;
}

double
lac_spectral_flow_get_flops(const LacSpectralFlow *flow)
{
  const double n = (double) flow->n_points;

  /* four stages of real transforms, each half a complex one */
  return 4 * (double) (flow->n_planes + flow->n_equations) * 2.5 * n * log2(n);
}
