/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A test flow; every call must succeed. */
#include "flow.h"

#include "emulated.h"

#include <math.h>

void
flow_init(Flow *flow, const FlowSettings *settings)
{
  g_autoptr(GError)    error = NULL;
  LacVorticitySettings own = {
    .type = settings->type,
    .n = settings->n,
    .n_members = settings->n_members,
    .viscosity = settings->viscosity,
    .drag = settings->drag,
    .forcing = settings->forcing,
    .time_step = settings->time_step,
    .n_together = settings->n_together,
    .own_viscosities = settings->own_viscosities,
  };

  if (g_str_equal(settings->backend, "cuda-emulated"))
    g_assert_true(emulated_open(&flow->device));
  else
    lac_device_open(&flow->device, settings->backend, &error);
  g_assert_no_error(error);
  own.device = flow->device;
  own.pool = flow->pool = lac_pool_new(settings->n_threads);
  flow->n = own.n;
  flow->n_members = own.n_members;
  flow->solver = lac_vorticity_new(&own, &error);
  g_assert_no_error(error);
}

void
flow_clear(Flow *flow)
{
  lac_vorticity_free(flow->solver);
  lac_pool_free(flow->pool);
  lac_device_close(&flow->device);
}

gsize
flow_get_length(const Flow *flow)
{
  return 2 * flow->n * flow->n;
}

void
flow_randomise(Flow *flow, guint64 seed, double rms)
{
  g_autoptr(GError) error = NULL;
  LacRng            rng = lac_rng(seed, 1);

  lac_vorticity_randomise(flow->solver, &rng, rms, &error);
  g_assert_no_error(error);
}

void
flow_set(Flow *flow, const double *velocity)
{
  g_autoptr(GError) error = NULL;

  lac_vorticity_set(flow->solver, velocity, &error);
  g_assert_no_error(error);
}

void
flow_get(Flow *flow, double *velocity)
{
  g_autoptr(GError) error = NULL;

  lac_vorticity_get(flow->solver, velocity, &error);
  g_assert_no_error(error);
}

/* Differentiates the trigonometric interpolant through the values of a row or column. Source: Trefethen (2000),
 * Spectral Methods in MATLAB, 3. */
void
flow_curl(const Flow *flow, const double *velocity, double *vorticity)
{
  const gsize        n = flow->n;
  const double      *u = velocity, *v = velocity + n * n;
  g_autofree double *weights = g_new0(double, n);

  for (gsize i = 1; i < n; i++)
    weights[i] = (i % 2 ? -0.5 : 0.5) / tan((double) i * G_PI / (double) n);
  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++) {
      double sum = 0;

      for (gsize k = 0; k < n; k++)
        sum += weights[(x + n - k) % n] * v[y * n + k] - weights[(y + n - k) % n] * u[k * n + x];
      vorticity[y * n + x] = sum;
    }
}

void
flow_advance(Flow *flow, gsize n_steps)
{
  g_autoptr(GError) error = NULL;

  lac_vorticity_advance(flow->solver, n_steps, &error);
  g_assert_no_error(error);
}

double
flow_mean_product(const double *a, const double *b, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum / (double) n;
}
