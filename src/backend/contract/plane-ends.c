/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First and last layer over planes, with their Adam steps. */
#include "backend/contract/planes.h"

#include <math.h>

#define RATE    1e-2
#define BETA1   0.9
#define BETA2   0.999
#define EPSILON 1e-8

/* One Adam step of a single parameter with gradient g. */
static double
expect_adam(double theta, double m, double v, double g)
{
  const double m_new = BETA1 * m + (1 - BETA1) * g, v_new = BETA2 * v + (1 - BETA2) * g * g;

  return theta - RATE * 3 * m_new / (sqrt(v_new * 5) + EPSILON);
}

/* y = x w, or w x when transposed; w: [n_latent][n_out] */
static void
check_products(LacContract             *contract,
               const LacContractBuffer *x,
               const double            *w,
               const LacContractBuffer *y,
               gboolean                 turned)
{
  for (gsize j = 0; j < y->n; j++) {
    double sum = 0, size = 0;

    for (gsize i = 0; i < x->n; i++) {
      const double product = x->host[i] * w[turned ? j * x->n + i : i * y->n + j];
      sum += product;
      size += fabs(product);
    }
    lac_contract_close(contract, y->host[j], sum, size, 20);
  }
}

static void
run_planes_latent(LacContract *contract)
{
  enum { N_LATENT = 150, N_OUT = 333 };
  g_autoptr(LacPool) pool = lac_pool_new(2);
  const double       numbers[3] = {0.5, 3, 5};
  double            *on_device = lac_contract_doubles(contract, 3);
  LacContractBuffer *z = lac_contract_random_buffer(contract, N_LATENT, 1);
  LacContractBuffer *y = lac_contract_random_buffer(contract, N_OUT, 1);
  LacContractBuffer *y_bar = lac_contract_random_buffer(contract, N_OUT, 1);
  LacContractBuffer *z_bar = lac_contract_random_buffer(contract, N_LATENT, 1);
  LacContractBuffer *w = lac_contract_random_buffer(contract, N_LATENT * N_OUT, 1);
  LacContractBuffer *m = lac_contract_random_buffer(contract, N_LATENT * N_OUT, 0.1);
  LacContractBuffer *v = lac_contract_random_buffer(contract, N_LATENT * N_OUT, 0.1);
  g_autofree double *w0 = NULL, *m0 = NULL, *v0 = NULL;
  LacLatent          args = {
             .type = contract->type,
             .pool = pool,
             .n_latent = N_LATENT,
             .n_out = N_OUT,
             .z = z->device,
             .weights = w->device,
             .y = y->device,
             .y_bar = y_bar->device,
             .z_bar = z_bar->device,
             .m = m->device,
             .v = v->device,
             .rate = 2 * RATE,
             .beta1 = BETA1,
             .beta2 = BETA2,
             .epsilon = EPSILON,
             .numbers = on_device,
  };

  for (gsize i = 0; i < v->n; i++)
    v->host[i] = fabs(v->host[i]);
  lac_contract_upload(contract, v);
  w0 = g_memdup2(w->host, w->n * sizeof(double));
  m0 = g_memdup2(m->host, m->n * sizeof(double));
  v0 = g_memdup2(v->host, v->n * sizeof(double));
  lac_contract_ok(contract, contract->device.table->upload(contract->device.self, on_device,
                                                           numbers, sizeof numbers));
  lac_contract_ok(contract,
                  lac_contract_plane_layers(contract)->latent(contract->device.self, &args));
  lac_contract_ok(contract,
                  lac_contract_plane_layers(contract)->latent_adam(contract->device.self, &args));
  lac_contract_fetch(contract, y);
  lac_contract_fetch(contract, z_bar);
  lac_contract_fetch(contract, w);
  check_products(contract, z, w0, y, FALSE);
  check_products(contract, y_bar, w0, z_bar, TRUE);
  for (gsize k = 0; k < w->n; k++)
    lac_contract_close(
      contract, w->host[k],
      expect_adam(w0[k], m0[k], v0[k], z->host[k / N_OUT] * y_bar->host[k % N_OUT]), 1, 20);
}

/* Compares the flat step with the backend's own Adam. */
static void
run_planes_step(LacContract *contract)
{
  enum { N = 20011 };
  g_autoptr(LacPool) pool = lac_pool_new(2);
  LacContractBuffer *g = lac_contract_random_buffer(contract, N, 1),
                    *m = lac_contract_random_buffer(contract, N, 0.1);
  LacContractBuffer *v = lac_contract_constant_buffer(contract, N, 0.01),
                    *theta = lac_contract_random_buffer(contract, N, 1);
  g_autofree double *m0 = g_memdup2(m->host, N * sizeof(double)),
                    *theta0 = g_memdup2(theta->host, N * sizeof(double));
  const LacPlaneStep args = {
    .type = contract->type,
    .pool = pool,
    .n = N,
    .rate = RATE,
    .beta1 = BETA1,
    .beta2 = BETA2,
    .epsilon = EPSILON,
    .correction1 = 3,
    .correction2 = 5,
    .gradient = g->device,
    .m = m->device,
    .v = v->device,
    .theta = theta->device,
  };
  const double v0 = v->host[0];

  lac_contract_ok(contract,
                  lac_contract_plane_layers(contract)->step(contract->device.self, &args));
  lac_contract_fetch(contract, theta);
  for (gsize i = 0; i < N; i++)
    lac_contract_close(contract, theta->host[i], expect_adam(theta0[i], m0[i], v0, g->host[i]), 1,
                       20);
}

static double
expect_bound(LacBound bound, double x)
{
  switch (bound) {
  case LAC_BOUND_NONE: return x;
  case LAC_BOUND_SIGMOID: return 1 / (1 + exp(-x));
  case LAC_BOUND_SCALED_SIGMOID: return 1.02 / (1 + exp(-x)) - 0.01;
  case LAC_BOUND_HARD_SIGMOID: return CLAMP(x / 6 + 0.5, 0, 1);
  case LAC_BOUND_SOFTPLUS: return log1p(exp(x));
  case LAC_BOUND_TANH: return tanh(x);
  case LAC_BOUND_RELU: return MAX(x, 0);
  case LAC_BOUND_LEAKY_RELU: return x < 0 ? 0.2 * x : x;
  }
  g_assert_not_reached();
}

typedef struct {
  LacContractBuffer *plane, *slope, *map, *bias, *plane_bar, *bias_bar;
  double            *picture, *picture_bar, *sums;
  LacPlanePicture    args;
} Picture;

static Picture
picture_of(LacContract *contract, LacPool *pool, LacBound bound, gsize side, LacPlaneWindow window)
{
  const gsize n = lac_plane_shape(side).stride, n_pixels = window.n * window.n;
  Picture     it = {
        .plane = lac_contract_random_buffer(contract, n, 4),
        .slope = lac_contract_constant_buffer(contract, n, 0),
        .map = lac_contract_constant_buffer(contract, n, 0),
        .bias = lac_contract_random_buffer(contract, 1, 1),
        .plane_bar = lac_contract_constant_buffer(contract, n, 0),
        .bias_bar = lac_contract_constant_buffer(contract, 1, 0),
        .picture = lac_contract_doubles(contract, n_pixels),
        .picture_bar = lac_contract_doubles(contract, n_pixels),
  };

  it.args = (LacPlanePicture){
    .type = contract->type,
    .pool = pool,
    .bound = bound,
    .side = side,
    .window = window,
    .bias = it.bias->device,
    .plane = it.plane->device,
    .slope = it.slope->device,
    .map = it.map->device,
    .picture = it.picture,
    .picture_bar = it.picture_bar,
    .plane_bar = it.plane_bar->device,
    .bias_bar = it.bias_bar->device,
  };
  it.sums =
    lac_contract_doubles(contract, lac_contract_plane_layers(contract)->picture_sums(&it.args));
  it.args.sums = it.sums;
  return it;
}

static gboolean
is_within(const LacPlaneWindow *window, gsize i, gsize j)
{
  return i >= window->first && i < window->end && j >= window->first && j < window->end;
}

/* Checks the formula inside the window and zeros outside; slopes by finite differences, away from the kinks. */
static void
check_picture(LacContract   *contract,
              LacPool       *pool,
              LacBound       bound,
              gsize          side,
              LacPlaneWindow window)
{
  const gsize        n_pixels = window.n * window.n;
  g_autofree double *values = g_new(double, n_pixels), *bars = g_new(double, n_pixels);
  Picture            it = picture_of(contract, pool, bound, side, window);
  double             sum = 0, size = 0;

  for (gsize i = 0; i < n_pixels; i++)
    bars[i] = lac_contract_random(contract);
  lac_contract_ok(contract, contract->device.table->upload(contract->device.self, it.picture_bar,
                                                           bars, n_pixels * sizeof(double)));
  lac_contract_ok(contract,
                  lac_contract_plane_layers(contract)->picture(contract->device.self, &it.args));
  lac_contract_ok(contract, lac_contract_plane_layers(contract)->picture_reverse(
                              contract->device.self, &it.args));
  lac_contract_ok(contract, contract->device.table->synchronise(contract->device.self));
  lac_contract_ok(contract,
                  contract->device.table->download(contract->device.self, values, it.picture,
                                                   n_pixels * sizeof(double)));
  lac_contract_fetch(contract, it.plane_bar);
  lac_contract_fetch(contract, it.bias_bar);
  for (gsize i = 0; i < window.n; i++)
    for (gsize j = 0; j < window.n; j++) {
      const gsize at =
        (gsize) ((gssize) i + window.offset) * (side + 1) + (gsize) ((gssize) j + window.offset);
      if (!is_within(&window, i, j)) {
        lac_contract_same(contract, values[i * window.n + j], 0);
        continue;
      }
      const double x = it.plane->host[at] + it.bias->host[0], t = 1e-6;
      const double slope = (expect_bound(bound, x + t) - expect_bound(bound, x - t)) / (2 * t);
      const double bar = it.plane_bar->host[at];
      lac_contract_close(contract, values[i * window.n + j], expect_bound(bound, x), 4, 8);
      if (fabs(x) > 1e-3 && fabs(fabs(x) - 3) > 1e-3)
        lac_contract_within(contract, bar, bars[i * window.n + j] * slope,
                            1e-8 + 8 * contract->epsilon);
      sum += bar;
      size += fabs(bar);
    }
  lac_contract_close(contract, it.bias_bar->host[0], sum, size, 8);
  lac_contract_clear(contract);
}

static void
run_planes_picture(LacContract *contract)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);

  for (int bound = LAC_BOUND_NONE; bound <= LAC_BOUND_LEAKY_RELU; bound++)
    check_picture(contract, pool, (LacBound) bound, 24, (LacPlaneWindow){24, 0, 24, 0});
  check_picture(contract, pool, LAC_BOUND_SIGMOID, 128, (LacPlaneWindow){100, 0, 100, 14});
  check_picture(contract, pool, LAC_BOUND_SIGMOID, 32, (LacPlaneWindow){35, 2, 32, -1});
}

static gboolean
is_known(const LacBackend *table)
{
  return table->planes != NULL;
}

const LacContractRow lac_contract_plane_end_rows[] = {
  {"planes-latent", run_planes_latent, is_known},
  {"planes-step", run_planes_step, is_known},
  {"planes-picture", run_planes_picture, is_known},
  {NULL},
};
