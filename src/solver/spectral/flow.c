/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward pass of the spectral flow: constants, stages, step. */
#include "solver/refusal.h"
#include "solver/spectral/flow-private.h"

#include <math.h>
#include <string.h>

enum { PLANE_U, PLANE_V, PLANE_W_X, PLANE_W_Y, PLANE_S_X, PLANE_S_Y };

gsize
lac_spectral_flow_get_equation(gsize plane)
{
  return plane >= PLANE_S_X ? LAC_FLOW_DENSITY : LAC_FLOW_VORTICITY;
}

LacFactor
lac_spectral_flow_get_factor(gsize plane)
{
  static const LacFactor factors[] = {
    [PLANE_U] = LAC_FACTOR_U,    [PLANE_V] = LAC_FACTOR_V,    [PLANE_W_X] = LAC_FACTOR_DX,
    [PLANE_W_Y] = LAC_FACTOR_DY, [PLANE_S_X] = LAC_FACTOR_DX, [PLANE_S_Y] = LAC_FACTOR_DY,
  };

  return factors[plane];
}

LacPolynomial
lac_spectral_flow_get_product(const LacSpectralFlow *flow)
{
  return (LacPolynomial){
    .n_planes = flow->n_planes,
    .n_out = flow->n_equations,
    .n_monomials = 2 * flow->n_equations,
    .monomials = {{1, LAC_FLOW_VORTICITY, 2, {PLANE_U, PLANE_W_X}},
                  {1, LAC_FLOW_VORTICITY, 2, {PLANE_V, PLANE_W_Y}},
                  {1, LAC_FLOW_DENSITY, 2, {PLANE_U, PLANE_S_X}},
                  {1, LAC_FLOW_DENSITY, 2, {PLANE_V, PLANE_S_Y}}},
  };
}

LacModeTerm
lac_spectral_flow_derive(const LacSpectralFlow *flow,
                         LacFactor              factor,
                         double                 sign,
                         const double          *x)
{
  return (LacModeTerm){LAC_MODE_IMAGINARY, sign, x, flow->factors[factor]};
}

LacModeTerm
lac_spectral_flow_lift(const LacSpectralFlow *flow, double sign, const double *x)
{
  return (LacModeTerm){LAC_MODE_IMAGINARY, sign, x, flow->lift};
}

double *
lac_spectral_flow_get_part(const LacSpectralFlow *flow, double *state, gsize equation)
{
  return state + equation * 2 * flow->spectra.n_modes;
}

void
lac_spectral_flow_truncate(LacSpectralFlow *flow, double *state)
{
  lac_spectra_combine(&flow->spectra, &(LacCombine){
                                        .n_fields = flow->n_equations,
                                        .n_terms = 1,
                                        .terms = {{LAC_MODE_ONE, 1, state, NULL}},
                                        .mask = flow->mask,
                                        .y = state,
                                      });
}

/* ---- constants ---- */

/* Returns: the signed wavenumber of row @y, in units of 2 pi / L. */
static double
get_row(const LacSpectralFlow *flow, gsize y)
{
  const double n = (double) flow->settings.n;

  return 2 * (double) y <= n ? (double) y : (double) y - n;
}

static void
fill_factors(LacSpectralFlow *flow)
{
  LacSpectra        *spectra = &flow->spectra;
  const gsize        n = flow->settings.n, n_modes = spectra->n_modes;
  const double       unit = 2 * G_PI / flow->settings.length;
  g_autofree double *host = g_new0(double, (LAC_FACTOR_N + 1) * n_modes);
  double            *mask = host + LAC_FACTOR_N * n_modes;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < spectra->nxh; x++) {
      const gsize    i = y * spectra->nxh + x;
      const double   row = get_row(flow, y);
      const double   kx = unit * (double) x, ky = unit * row, square = kx * kx + ky * ky;
      const gboolean nyquist = 2 * y == n || 2 * x == n;

      flow->square[i] = square;
      mask[i] = 3 * x < n && 3 * fabs(row) < (double) n;
      host[LAC_FACTOR_U * n_modes + i] = nyquist || i == 0 ? 0 : ky / square;
      host[LAC_FACTOR_V * n_modes + i] = nyquist || i == 0 ? 0 : -kx / square;
      host[LAC_FACTOR_DX * n_modes + i] = nyquist ? 0 : kx;
      host[LAC_FACTOR_DY * n_modes + i] = nyquist ? 0 : ky;
    }
  for (gsize f = 0; f < LAC_FACTOR_N; f++)
    lac_spectra_upload(spectra, flow->factors[f], host + f * n_modes, n_modes);
  lac_spectra_upload(spectra, flow->mask, mask, n_modes);
}

static void
fill_decay(LacSpectralFlow *flow, gsize equation, double diffusivity, double drag)
{
  const gsize n_modes = flow->spectra.n_modes;
  double     *decay = flow->host, *half = flow->host + n_modes;

  for (gsize i = 0; i < n_modes; i++) {
    const double rate = -diffusivity * flow->square[i] - drag;

    decay[i] = exp(rate * flow->settings.time_step);
    half[i] = exp(rate * flow->settings.time_step / 2);
  }
  lac_spectra_upload(&flow->spectra, flow->decay + equation * n_modes, decay, n_modes);
  lac_spectra_upload(&flow->spectra, flow->half + equation * n_modes, half, n_modes);
}

/* Sets the factor of the buoyancy, which is a parameter: memory that recorded steps read. */
static void
fill_lift(LacSpectralFlow *flow, double buoyancy)
{
  const gsize  n = flow->settings.n, nxh = flow->spectra.nxh;
  const double unit = 2 * G_PI / flow->settings.length;

  for (gsize i = 0; i < flow->spectra.n_modes; i++) {
    const gsize x = i % nxh, y = i / nxh;

    flow->host[i] = 2 * y == n || 2 * x == n ? 0 : buoyancy * (unit * (double) x);
  }
  lac_spectra_upload(&flow->spectra, flow->lift, flow->host, flow->spectra.n_modes);
}

/* Sets -k cos(k y), from the force (sin(k y), 0), and the inflow. */
static void
fill_source(LacSpectralFlow *flow)
{
  const LacSpectralFlowSettings *settings = &flow->settings;
  LacSpectra                    *spectra = &flow->spectra;
  const gsize                    n = settings->n, k = settings->forcing;
  const double                   peak = -(2 * G_PI / settings->length) * (double) (k * n * n) / 2;

  if (k > 0) {
    lac_spectra_upload(spectra, flow->source + 2 * k * spectra->nxh, &peak, 1);
    lac_spectra_upload(spectra, flow->source + 2 * (n - k) * spectra->nxh, &peak, 1);
  }
  if (settings->inflow) {
    lac_spectra_upload(spectra, flow->grid, settings->inflow, spectra->n_points);
    lac_spectra_to_modes(spectra, 1, flow->grid,
                         lac_spectral_flow_get_part(flow, flow->source, LAC_FLOW_DENSITY));
    lac_spectral_flow_truncate(flow, flow->source);
  }
}

static void
lay_out_reverse(LacSpectralFlow *flow)
{
  LacSpectra *spectra = &flow->spectra;

  for (gsize i = 0; i < 4; i++)
    flow->bars[i] = lac_spectra_take(spectra, flow->length);
  flow->slope_bar = lac_spectra_take(spectra, flow->length);
  flow->state_bar = lac_spectra_take(spectra, flow->length);
  flow->plane_bars = lac_spectra_take(spectra, flow->n_planes * spectra->n_points);
  for (gsize p = 0; p < LAC_SPECTRAL_FLOW_N_PARAMETERS; p++)
    flow->gradients[p] = lac_spectra_take(spectra, 2 * spectra->n_modes);
  flow->slots = lac_spectra_take(spectra, LAC_TRAJECTORY_SLOTS * flow->length);
}

static void
lay_out(gpointer data)
{
  LacSpectralFlow *flow = data;
  LacSpectra      *spectra = &flow->spectra;

  for (gsize i = 0; i < LAC_FACTOR_N; i++)
    flow->factors[i] = lac_spectra_take(spectra, spectra->n_modes);
  flow->mask = lac_spectra_take(spectra, spectra->n_modes);
  flow->lift = lac_spectra_take(spectra, spectra->n_modes);
  flow->decay = lac_spectra_take(spectra, flow->n_equations * spectra->n_modes);
  flow->half = lac_spectra_take(spectra, flow->n_equations * spectra->n_modes);
  flow->source = lac_spectra_take(spectra, flow->length);
  flow->state = lac_spectra_take(spectra, flow->length);
  for (gsize i = 0; i < 4; i++) {
    flow->stages[i] = lac_spectra_take(spectra, flow->length);
    flow->slopes[i] = lac_spectra_take(spectra, flow->length);
    flow->planes[i] = lac_spectra_take(spectra, flow->n_planes * spectra->n_points);
  }
  flow->modes = lac_spectra_take(spectra, flow->n_planes * 2 * spectra->n_modes);
  flow->grid = lac_spectra_take(spectra, flow->n_planes * spectra->n_points);
  if (flow->is_reversible)
    lay_out_reverse(flow);
}

static void
enqueue_step(gpointer flow)
{
  lac_spectral_flow_step(flow);
}

void
lac_spectral_flow_init_step(LacSpectralFlow *flow,
                            LacSpectraStep  *step,
                            const char      *name,
                            double           cost,
                            void (*enqueue)(gpointer flow))
{
  const LacSpectraStepSettings settings = {
    .perf = flow->settings.perf,
    .lane = flow->settings.lane,
    .name = name,
    .flops = cost * lac_spectral_flow_get_flops(flow),
    .enqueue = enqueue,
    .user_data = flow,
    .from = flow->stages[0],
    .to = step == &flow->forwards ? flow->state : flow->state_bar,
    .length = flow->length,
  };

  lac_spectra_step_init(step, &flow->spectra, &settings);
}

LacSpectralFlow *
lac_spectral_flow_make(const LacSpectralFlowSettings *settings,
                       gboolean                       is_reversible,
                       GError                       **error)
{
  g_autoptr(LacSpectralFlow) flow = g_new0(LacSpectralFlow, 1);
  LacSpectra                *spectra = &flow->spectra;

  g_return_val_if_fail(settings->n % 2 == 0 && 3 * settings->forcing < settings->n, NULL);
  g_return_val_if_fail(settings->density || !settings->inflow, NULL);
  flow->settings = *settings;
  flow->is_reversible = is_reversible;
  lac_spectra_init(spectra, &settings->device, settings->n, settings->n);
  flow->n_equations = settings->density ? 2 : 1;
  flow->n_planes = 2 + 2 * flow->n_equations;
  flow->length = flow->n_equations * 2 * spectra->n_modes;
  flow->square = g_new0(double, spectra->n_modes);
  flow->host = g_new0(double, 2 * spectra->n_modes);
  lac_spectra_allocate(spectra, lay_out, flow, flow->n_planes);
  if (spectra->status == LAC_STATUS_OK) {
    fill_factors(flow);
    fill_decay(flow, LAC_FLOW_VORTICITY, 0, settings->drag);
    if (settings->density)
      fill_decay(flow, LAC_FLOW_DENSITY, settings->diffusivity, 0);
    fill_source(flow);
  }
  flow->settings.inflow = NULL;
  lac_spectral_flow_init_step(flow, &flow->forwards, settings->work, 1, enqueue_step);
  return lac_solver_check_status(lac_spectra_end(spectra), error) ? g_steal_pointer(&flow) : NULL;
}

LacSpectralFlow *
lac_spectral_flow_new(const LacSpectralFlowSettings *settings, GError **error)
{
  return lac_spectral_flow_make(settings, FALSE, error);
}

void
lac_spectral_flow_free(LacSpectralFlow *flow)
{
  if (!flow)
    return;
  g_free(flow->square);
  g_free(flow->host);
  lac_spectra_step_clear(&flow->forwards);
  lac_spectra_step_clear(&flow->backwards);
  lac_spectra_clear(&flow->spectra);
  g_free(flow);
}

void
lac_spectral_flow_set_parameters(LacSpectralFlow *flow, const double *parameters)
{
  if (parameters[LAC_SPECTRAL_FLOW_VISCOSITY] != flow->parameters[LAC_SPECTRAL_FLOW_VISCOSITY])
    fill_decay(flow, LAC_FLOW_VORTICITY, parameters[LAC_SPECTRAL_FLOW_VISCOSITY],
               flow->settings.drag);
  if (parameters[LAC_SPECTRAL_FLOW_BUOYANCY] != flow->parameters[LAC_SPECTRAL_FLOW_BUOYANCY])
    fill_lift(flow, parameters[LAC_SPECTRAL_FLOW_BUOYANCY]);
  memcpy(flow->parameters, parameters, sizeof flow->parameters);
}

/* ---- stages and steps ---- */

/* Computes u, v and the gradients at @state as planes. */
static void
evaluate(LacSpectralFlow *flow, double *state, double *planes)
{
  LacSpectra *spectra = &flow->spectra;

  for (gsize i = 0; i < flow->n_planes; i++) {
    const double *part = lac_spectral_flow_get_part(flow, state, lac_spectral_flow_get_equation(i));

    lac_spectra_combine(
      spectra,
      &(LacCombine){
        .n_fields = 1,
        .n_terms = 1,
        .terms = {lac_spectral_flow_derive(flow, lac_spectral_flow_get_factor(i), 1, part)},
        .y = flow->modes + i * 2 * spectra->n_modes,
      });
  }
  lac_spectra_to_grid(spectra, flow->n_planes, flow->modes, planes);
}

/* Computes the slope without diffusion and drag, which are part of the integrating factor. */
static void
compute_slope(LacSpectralFlow *flow, gsize stage)
{
  LacSpectra   *spectra = &flow->spectra;
  LacPolynomial product = lac_spectral_flow_get_product(flow);
  const double *density = lac_spectral_flow_get_part(flow, flow->stages[stage], LAC_FLOW_DENSITY);

  evaluate(flow, flow->stages[stage], flow->planes[stage]);
  product.planes = flow->planes[stage];
  product.out = flow->grid;
  lac_spectra_multiply(spectra, &product);
  lac_spectra_to_modes(spectra, flow->n_equations, flow->grid, flow->slopes[stage]);
  for (gsize e = 0; e < flow->n_equations; e++) {
    double    *slope = lac_spectral_flow_get_part(flow, flow->slopes[stage], e);
    LacCombine sum = {
      .n_fields = 1,
      .n_terms = 2,
      .terms = {{LAC_MODE_ONE, 1, lac_spectral_flow_get_part(flow, flow->source, e), NULL},
                {LAC_MODE_REAL, -1, slope, flow->mask}},
      .y = slope,
    };

    if (e == LAC_FLOW_VORTICITY && flow->settings.density)
      sum.terms[sum.n_terms++] = lac_spectral_flow_lift(flow, 1, density);
    lac_spectra_combine(spectra, &sum);
  }
}

void
lac_spectral_flow_step(LacSpectralFlow *flow)
{
  LacSpectra    *spectra = &flow->spectra;
  const double   dt = flow->settings.time_step, *decay = flow->decay, *half = flow->half;
  double *const *s = flow->stages, *const *slopes = flow->slopes;
  const double  *a = slopes[0], *b = slopes[1], *c = slopes[2], *d = slopes[3];
  LacCombine     sum = {.n_fields = flow->n_equations, .stride = spectra->n_modes, .n_terms = 2};

  compute_slope(flow, 0);
  sum.terms[0] = (LacModeTerm){LAC_MODE_REAL, 1, s[0], half};
  sum.terms[1] = (LacModeTerm){LAC_MODE_REAL, dt / 2, a, half};
  sum.y = s[1];
  lac_spectra_combine(spectra, &sum);
  compute_slope(flow, 1);
  sum.terms[1] = (LacModeTerm){LAC_MODE_ONE, dt / 2, b, NULL};
  sum.y = s[2];
  lac_spectra_combine(spectra, &sum);
  compute_slope(flow, 2);
  sum.terms[0] = (LacModeTerm){LAC_MODE_REAL, 1, s[0], decay};
  sum.terms[1] = (LacModeTerm){LAC_MODE_REAL, dt, c, half};
  sum.y = s[3];
  lac_spectra_combine(spectra, &sum);
  compute_slope(flow, 3);
  lac_spectra_combine(spectra, &(LacCombine){
                                 .n_fields = flow->n_equations,
                                 .stride = spectra->n_modes,
                                 .n_terms = 5,
                                 .terms = {{LAC_MODE_REAL, 1, s[0], decay},
                                           {LAC_MODE_REAL, dt / 6, a, decay},
                                           {LAC_MODE_REAL, dt / 3, b, half},
                                           {LAC_MODE_REAL, dt / 3, c, half},
                                           {LAC_MODE_ONE, dt / 6, d, NULL}},
                                 .y = flow->state,
                               });
}

/* ---- fields ---- */

void
lac_spectral_flow_read(LacSpectralFlow *flow, const double *fields, double *state)
{
  LacSpectra *spectra = &flow->spectra;
  const gsize n_fields = 1 + flow->n_equations;
  double     *u = flow->modes, *v = u + 2 * spectra->n_modes, *s = v + 2 * spectra->n_modes;

  lac_spectra_upload(spectra, flow->grid, fields, n_fields * spectra->n_points);
  lac_spectra_to_modes(spectra, n_fields, flow->grid, flow->modes);
  lac_spectra_combine(spectra, &(LacCombine){
                                 .n_fields = 1,
                                 .n_terms = 2,
                                 .terms = {lac_spectral_flow_derive(flow, LAC_FACTOR_DX, 1, v),
                                           lac_spectral_flow_derive(flow, LAC_FACTOR_DY, -1, u)},
                                 .mask = flow->mask,
                                 .y = lac_spectral_flow_get_part(flow, state, LAC_FLOW_VORTICITY),
                               });
  if (flow->settings.density)
    lac_spectra_combine(spectra, &(LacCombine){
                                   .n_fields = 1,
                                   .n_terms = 1,
                                   .terms = {{LAC_MODE_ONE, 1, s, NULL}},
                                   .mask = flow->mask,
                                   .y = lac_spectral_flow_get_part(flow, state, LAC_FLOW_DENSITY),
                                 });
}

/* Converts flow->state to fields. */
static void
write_fields(LacSpectralFlow *flow, double *fields)
{
  LacSpectra *spectra = &flow->spectra;
  const gsize n_fields = 1 + flow->n_equations;

  for (gsize i = 0; i < n_fields; i++)
    lac_spectra_combine(
      spectra,
      &(LacCombine){
        .n_fields = 1,
        .n_terms = 1,
        .terms = {i < 2
                    ? lac_spectral_flow_derive(flow, i == 0 ? LAC_FACTOR_U : LAC_FACTOR_V, 1,
                                               flow->state)
                    : (LacModeTerm){LAC_MODE_ONE, 1,
                                    lac_spectral_flow_get_part(flow, flow->state, LAC_FLOW_DENSITY),
                                    NULL}},
        .y = flow->modes + i * 2 * spectra->n_modes,
      });
  lac_spectra_to_grid(spectra, n_fields, flow->modes, flow->grid);
  lac_spectra_download(spectra, fields, flow->grid, n_fields * spectra->n_points);
}

LacStatus
lac_spectral_flow_advance(LacSpectralFlow *flow, double *fields, gsize n_steps)
{
  lac_spectral_flow_read(flow, fields, n_steps > 0 ? flow->stages[0] : flow->state);
  lac_spectra_step_run(&flow->forwards, n_steps);
  write_fields(flow, fields);
  return lac_spectra_end(&flow->spectra);
}

gsize
lac_spectral_flow_get_bytes(const LacSpectralFlow *flow)
{
  return (flow->spectra.n_taken + 3 * flow->spectra.n_modes) * sizeof(double);
}

double
lac_spectral_flow_get_flops(const LacSpectralFlow *flow)
{
  const double n = (double) flow->spectra.n_points;

  /* four stages of real transforms, each half a complex one */
  return 4 * (double) (flow->n_planes + flow->n_equations) * 2.5 * n * log2(n);
}
