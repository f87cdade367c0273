/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reverse pass of the spectral flow. Gradients with respect to spectra: solver/spectra.h. */
#include "solver/refusal.h"
#include "solver/span.h"
#include "solver/spectral/flow-private.h"

#include <string.h>

/* Adds the gradient of the buoyancy, and writes the transposed buoyancy as a term of the density's gradient. */
static LacModeTerm
reverse_buoyancy(LacSpectralFlow *flow, gsize stage)
{
  LacSpectra   *spectra = &flow->spectra;
  const double *density = lac_spectral_flow_get_part(flow, flow->stages[stage], LAC_FLOW_DENSITY);

  lac_spectra_combine(spectra,
                      &(LacCombine){
                        .n_fields = 1,
                        .n_terms = 1,
                        .terms = {lac_spectral_flow_derive(flow, LAC_FACTOR_DX, 1, density)},
                        .y = flow->state,
                      });
  lac_spectra_correlate(spectra, 1, flow->state, flow->slope_bar,
                        flow->gradients[LAC_SPECTRAL_FLOW_BUOYANCY]);
  return lac_spectral_flow_lift(flow, -1, flow->slope_bar);
}

/* Propagates flow->slope_bar through the slope of @stage; @state_bar is overwritten. */
static void
reverse_slope(LacSpectralFlow *flow, gsize stage, double *state_bar)
{
  LacSpectra   *spectra = &flow->spectra;
  LacPolynomial product = lac_spectral_flow_get_product(flow);

  lac_spectra_combine(spectra, &(LacCombine){
                                 .n_fields = flow->n_equations,
                                 .n_terms = 1,
                                 .terms = {{LAC_MODE_REAL, -1, flow->slope_bar, flow->mask}},
                                 .y = flow->modes,
                               });
  lac_spectra_to_grid(spectra, flow->n_equations, flow->modes, flow->grid);
  product.planes = flow->planes[stage];
  product.out_bar = flow->grid;
  product.planes_bar = flow->plane_bars;
  lac_spectra_multiply_reverse(spectra, &product);
  lac_spectra_to_modes(spectra, flow->n_planes, flow->plane_bars, flow->modes);
  for (gsize e = 0; e < flow->n_equations; e++) {
    LacCombine sum = {.n_fields = 1, .y = lac_spectral_flow_get_part(flow, state_bar, e)};

    for (gsize i = 0; i < flow->n_planes; i++)
      if (lac_spectral_flow_get_equation(i) == e)
        sum.terms[sum.n_terms++] = lac_spectral_flow_derive(
          flow, lac_spectral_flow_get_factor(i), -1, flow->modes + i * 2 * spectra->n_modes);
    if (e == LAC_FLOW_DENSITY)
      sum.terms[sum.n_terms++] = reverse_buoyancy(flow, stage);
    lac_spectra_combine(spectra, &sum);
  }
}

/* Adds the gradient with respect to the decay rate nu k^2, mode by mode, of one spectrum in a step: the sum of the
 * terms to which the decay was applied, times dt or dt/2. @bar: the gradient of that sum */
static void
differentiate(LacSpectralFlow *flow, int n_terms, const LacModeTerm *terms, const double *bar)
{
  LacCombine sum = {.n_fields = 1, .n_terms = n_terms, .y = flow->state};

  memcpy(sum.terms, terms, (gsize) n_terms * sizeof *terms);
  lac_spectra_combine(&flow->spectra, &sum);
  lac_spectra_correlate(&flow->spectra, 1, flow->state, bar,
                        flow->gradients[LAC_SPECTRAL_FLOW_VISCOSITY]);
}

/* Derivative with respect to viscosity: E' = -k^2 dt E, for the half step E' = -k^2 dt/2 E. @bar: gradient of the
 * state after the step. */
static void
differentiate_decay(LacSpectralFlow *flow, const double *bar)
{
  const double  dt = flow->settings.time_step;
  const double *w = flow->stages[0], *a = flow->slopes[0], *b = flow->slopes[1];
  const double *c = flow->slopes[2], *e = flow->decay, *h = flow->half;

  differentiate(flow, 4,
                (LacModeTerm[]){{LAC_MODE_REAL, dt, w, e},
                                {LAC_MODE_REAL, dt * dt / 6, a, e},
                                {LAC_MODE_REAL, dt * dt / 6, b, h},
                                {LAC_MODE_REAL, dt * dt / 6, c, h}},
                bar);
  differentiate(flow, 2,
                (LacModeTerm[]){{LAC_MODE_REAL, dt, w, e}, {LAC_MODE_REAL, dt * dt / 2, c, h}},
                flow->bars[3]);
  differentiate(flow, 1, &(LacModeTerm){LAC_MODE_REAL, dt / 2, w, h}, flow->bars[2]);
  differentiate(flow, 2,
                (LacModeTerm[]){{LAC_MODE_REAL, dt / 2, w, h}, {LAC_MODE_REAL, dt * dt / 4, a, h}},
                flow->bars[1]);
}

/* Computes the gradients of the stages, last first, into bars[3..0]. @bar: gradient of the state after the step */
static void
reverse_stages(LacSpectralFlow *flow, const double *bar)
{
  LacSpectra       *spectra = &flow->spectra;
  const double      dt = flow->settings.time_step, *e = flow->decay, *h = flow->half;
  double *const    *bars = flow->bars;
  const LacModeTerm terms[4][2] = {
    {{LAC_MODE_REAL, dt / 6, bar, e}, {LAC_MODE_REAL, dt / 2, bars[1], h}},
    {{LAC_MODE_REAL, dt / 3, bar, h}, {LAC_MODE_ONE, dt / 2, bars[2], NULL}},
    {{LAC_MODE_REAL, dt / 3, bar, h}, {LAC_MODE_REAL, dt, bars[3], h}},
    {{LAC_MODE_ONE, dt / 6, bar, NULL}},
  };

  for (gsize i = 4; i-- > 0;) {
    lac_spectra_combine(spectra, &(LacCombine){
                                   .n_fields = flow->n_equations,
                                   .stride = spectra->n_modes,
                                   .n_terms = i == 3 ? 1 : 2,
                                   .terms = {terms[i][0], terms[i][1]},
                                   .y = flow->slope_bar,
                                 });
    reverse_slope(flow, i, bars[i]);
  }
}

/* Transposes a step, from flow->stages[0], of flow->state_bar; destroys flow->state. */
static void
enqueue_reverse_step(gpointer user_data)
{
  LacSpectralFlow *flow = user_data;
  double          *bar = flow->state_bar;

  lac_spectral_flow_step(flow);
  reverse_stages(flow, bar);
  differentiate_decay(flow, bar);
  lac_spectra_combine(&flow->spectra, &(LacCombine){
                                        .n_fields = flow->n_equations,
                                        .stride = flow->spectra.n_modes,
                                        .n_terms = 5,
                                        .terms = {{LAC_MODE_REAL, 1, bar, flow->decay},
                                                  {LAC_MODE_REAL, 1, flow->bars[3], flow->decay},
                                                  {LAC_MODE_REAL, 1, flow->bars[2], flow->half},
                                                  {LAC_MODE_REAL, 1, flow->bars[1], flow->half},
                                                  {LAC_MODE_ONE, 1, flow->bars[0], NULL}},
                                        .y = bar,
                                      });
}

/* Transpose of writing the fields: converts @bar to the gradient of the state. */
static void
reverse_write(LacSpectralFlow *flow, const double *bar, double *state_bar)
{
  LacSpectra *spectra = &flow->spectra;
  const gsize n_fields = 1 + flow->n_equations;
  double     *u = flow->modes, *v = u + 2 * spectra->n_modes;

  lac_spectra_upload(spectra, flow->grid, bar, n_fields * spectra->n_points);
  lac_spectra_to_modes(spectra, n_fields, flow->grid, flow->modes);
  lac_spectra_combine(spectra, &(LacCombine){
                                 .n_fields = 1,
                                 .n_terms = 2,
                                 .terms = {lac_spectral_flow_derive(flow, LAC_FACTOR_U, -1, u),
                                           lac_spectral_flow_derive(flow, LAC_FACTOR_V, -1, v)},
                                 .y = state_bar,
                               });
  if (flow->settings.density)
    lac_spectra_copy(spectra, lac_spectral_flow_get_part(flow, state_bar, LAC_FLOW_DENSITY),
                     v + 2 * spectra->n_modes, 2 * spectra->n_modes);
}

/* Transpose of reading the fields. */
static void
reverse_read(LacSpectralFlow *flow, double *state_bar, double *bar)
{
  LacSpectra       *spectra = &flow->spectra;
  const gsize       n_fields = 1 + flow->n_equations;
  const LacModeTerm terms[] = {
    lac_spectral_flow_derive(flow, LAC_FACTOR_DY, 1, state_bar),
    lac_spectral_flow_derive(flow, LAC_FACTOR_DX, -1, state_bar),
    {LAC_MODE_ONE, 1, lac_spectral_flow_get_part(flow, state_bar, LAC_FLOW_DENSITY), NULL},
  };

  for (gsize i = 0; i < n_fields; i++)
    lac_spectra_combine(spectra, &(LacCombine){
                                   .n_fields = 1,
                                   .n_terms = 1,
                                   .terms = {terms[i]},
                                   .mask = flow->mask,
                                   .y = flow->modes + i * 2 * spectra->n_modes,
                                 });
  lac_spectra_to_grid(spectra, n_fields, flow->modes, flow->grid);
  lac_spectra_download(spectra, bar, flow->grid, n_fields * spectra->n_points);
}

/* Adds the gradients of the parameters from those of their modes. */
static void
collect(LacSpectralFlow *flow, double *parameters_bar)
{
  const gsize n_modes = flow->spectra.n_modes;

  for (gsize p = 0; p < LAC_SPECTRAL_FLOW_N_PARAMETERS; p++) {
    lac_spectra_download(&flow->spectra, flow->host, flow->gradients[p], 2 * n_modes);
    for (gsize i = 0; i < n_modes; i++)
      parameters_bar[p] += lac_spectra_get_share(&flow->spectra, i) * flow->host[2 * i] *
                           (p == LAC_SPECTRAL_FLOW_VISCOSITY ? -flow->square[i] : 1);
  }
}

LacSpectralFlow *
lac_spectral_flow_new_reversible(const LacSpectralFlowSettings *settings, GError **error)
{
  LacSpectralFlow *flow = lac_spectral_flow_make(settings, TRUE, error);
  g_autofree char *name = g_strdup_printf(LAC_SOLVER_BACKWARDS, settings->work);

  if (flow)
    lac_spectral_flow_init_step(flow, &flow->backwards, name, LAC_SOLVER_REVERSE_COST,
                                enqueue_reverse_step);
  return flow;
}

gboolean
lac_spectral_flow_reverse(LacSpectralFlow *flow,
                          const double    *fields,
                          gsize            n_steps,
                          double          *bar,
                          double          *parameters_bar,
                          GError         **error)
{
  g_return_val_if_fail(flow->is_reversible, FALSE);
  if (!lac_solver_check_reverse(n_steps, error))
    return FALSE;
  for (gsize p = 0; p < LAC_SPECTRAL_FLOW_N_PARAMETERS; p++)
    lac_spectra_fill(&flow->spectra, flow->gradients[p], 2 * flow->spectra.n_modes);
  reverse_write(flow, bar, flow->state_bar);
  lac_spectral_flow_read(flow, fields, flow->state);
  lac_spectra_step_reverse(&flow->forwards, &flow->backwards, flow->slots, flow->state, n_steps);
  reverse_read(flow, flow->state_bar, bar);
  collect(flow, parameters_bar);
  return lac_solver_check_status(lac_spectra_end(&flow->spectra), error);
}
