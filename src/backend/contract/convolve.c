/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions over planes: against their definition element by element, and as adjoints of each other. */
#include "backend/contract/planes.h"

#include <math.h>

typedef struct {
  gsize n_in, n_out, side;
  int   doubles;
} Shape;

/* Few and many input and output channels, small and large planes, both kinds. */
static const Shape shapes[] = {
  {3, 5, 4, 1},   {40, 32, 4, 1}, {20, 48, 7, 0}, {2, 1, 9, 0},
  {33, 16, 6, 1}, {5, 3, 40, 1},  {1, 2, 70, 0},
};

/* Sums of products, and sums of their absolute values for the tolerance. */
typedef struct {
  double *y, *x_bar, *w_bar, *y_size, *x_size, *w_size;
} Expected;

/* Adds one tap: y[stride r - 1 + k] += w[k] x[r] of a doubling layer, cropped to the middle; a plain layer has its
 * taps reversed. */
static void
expect_tap(const Shape *s, gsize tap, const double *w, double *x, double *y_bar, Expected *e)
{
  const gsize n = s->doubles ? 4 : 3, ky = tap / n, kx = tap % n, side = s->side;
  const gsize out_side = s->doubles ? 2 * side : side;

  for (gsize a = 0; a < s->n_in; a++)
    for (gsize b = 0; b < s->n_out; b++)
      for (gsize i = 0; i < side; i++)
        for (gsize j = 0; j < side; j++) {
          const gsize row = s->doubles ? 2 * i + ky : i + 2 - ky,
                      column = s->doubles ? 2 * j + kx : j + 2 - kx;
          if (row < 1 || row > out_side || column < 1 || column > out_side)
            continue;
          const gsize  r = row - 1, c = column - 1, at = (tap * s->n_in + a) * s->n_out + b;
          const gsize  phase = s->doubles ? 2 * (r & 1) + (c & 1) : 0;
          const gsize  plane = phase * s->n_out + b, half = s->doubles ? 2 : 1;
          const double xv = *lac_contract_planes_pixel(x, side, a, i, j),
                       yv = *lac_contract_planes_pixel(y_bar, side, plane, r / half, c / half);
          *lac_contract_planes_pixel(e->y, side, plane, r / half, c / half) += w[at] * xv;
          *lac_contract_planes_pixel(e->y_size, side, plane, r / half, c / half) +=
            fabs(w[at] * xv);
          *lac_contract_planes_pixel(e->x_bar, side, a, i, j) += w[at] * yv;
          *lac_contract_planes_pixel(e->x_size, side, a, i, j) += fabs(w[at] * yv);
          e->w_bar[at] += xv * yv;
          e->w_size[at] += fabs(xv * yv);
        }
}

static void
check_planes(LacContract *contract,
             gsize        side,
             gsize        n,
             double      *got,
             double      *expected,
             double      *size)
{
  for (gsize c = 0; c < n; c++)
    for (gsize i = 0; i < side; i++)
      for (gsize j = 0; j < side; j++)
        lac_contract_close(contract, *lac_contract_planes_pixel(got, side, c, i, j),
                           *lac_contract_planes_pixel(expected, side, c, i, j),
                           *lac_contract_planes_pixel(size, side, c, i, j), 40);
}

/* A random layer, forward and in reverse. */
typedef struct {
  gsize              n_w, n_outputs;
  LacContractBuffer *x, *y_bar, *x_bar, *y, *w,
    *w_bar; /* results of the backend, owned by the contract */
} Convolution;

static Convolution
convolve(LacContract *contract, LacPool *pool, const Shape *s)
{
  const gsize       n_w = lac_plane_taps(s->doubles) * s->n_in * s->n_out;
  const gsize       n_outputs = (s->doubles ? 4 : 1) * s->n_out;
  const Convolution it = {
    .n_w = n_w,
    .n_outputs = n_outputs,
    .x = lac_contract_planes_random(contract, s->side, s->n_in),
    .y_bar = lac_contract_planes_random(contract, s->side, n_outputs),
    .x_bar = lac_contract_planes_random(contract, s->side, s->n_in),
    .y = lac_contract_planes_random(contract, s->side, n_outputs),
    .w = lac_contract_random_buffer(contract, n_w, 1),
    .w_bar = lac_contract_random_buffer(contract, n_w, 1),
  };
  LacConvolve args = {
    .type = contract->type,
    .pool = pool,
    .n_in = s->n_in,
    .n_out = s->n_out,
    .side = s->side,
    .doubles = s->doubles,
    .weights = it.w->device,
    .x = lac_contract_planes_first(contract, it.x, s->side),
    .y = lac_contract_planes_first(contract, it.y, s->side),
    .y_bar = lac_contract_planes_first(contract, it.y_bar, s->side),
    .x_bar = lac_contract_planes_first(contract, it.x_bar, s->side),
    .weights_bar = it.w_bar->device,
  };

  args.scratch = lac_contract_constant_buffer(
                   contract, lac_contract_plane_layers(contract)->convolve_scratch(&args), 0)
                   ->device;
  lac_contract_ok(contract,
                  lac_contract_plane_layers(contract)->convolve(contract->device.self, &args));
  lac_contract_ok(contract, lac_contract_plane_layers(contract)->convolve_reverse_image(
                              contract->device.self, &args));
  lac_contract_ok(contract, lac_contract_plane_layers(contract)->convolve_reverse_weights(
                              contract->device.self, &args));
  lac_contract_fetch(contract, it.y);
  lac_contract_fetch(contract, it.x_bar);
  lac_contract_fetch(contract, it.w_bar);
  return it;
}

static void
check_convolution(LacContract *contract, LacPool *pool, const Shape *s)
{
  const Convolution it = convolve(contract, pool, s);
  Expected          expected = {
             g_new0(double, it.y->n), g_new0(double, it.x->n), g_new0(double, it.n_w),
             g_new0(double, it.y->n), g_new0(double, it.x->n), g_new0(double, it.n_w),
  };

  for (gsize tap = 0; tap < lac_plane_taps(s->doubles); tap++)
    expect_tap(s, tap, it.w->host, it.x->host, it.y_bar->host, &expected);
  check_planes(contract, s->side, it.n_outputs, it.y->host, expected.y, expected.y_size);
  check_planes(contract, s->side, s->n_in, it.x_bar->host, expected.x_bar, expected.x_size);
  for (gsize i = 0; i < it.n_w; i++)
    lac_contract_close(contract, it.w_bar->host[i], expected.w_bar[i], expected.w_size[i], 40);
  for (guint i = 0; i < 6; i++)
    g_free(((double **) &expected)[i]);
  lac_contract_clear(contract);
}

static void
run_planes_convolve(LacContract *contract)
{
  g_autoptr(LacPool) pool = lac_pool_new(2);

  for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
    check_convolution(contract, pool, &shapes[i]);
}

/* Checks <y, y_bar> = <x, x_bar> = <w, w_bar> on the backend's own results: each is the adjoint of the others. */
static void
check_adjoints(LacContract *contract, LacPool *pool, const Shape *s)
{
  const Convolution it = convolve(contract, pool, s);
  double            of_y = 0, of_x = 0, of_w = 0, size = 0;

  for (gsize c = 0; c < it.n_outputs; c++)
    for (gsize i = 0; i < s->side * s->side; i++) {
      const double product =
        *lac_contract_planes_pixel(it.y->host, s->side, c, i / s->side, i % s->side) *
        *lac_contract_planes_pixel(it.y_bar->host, s->side, c, i / s->side, i % s->side);
      of_y += product;
      size += fabs(product);
    }
  for (gsize c = 0; c < s->n_in; c++)
    for (gsize i = 0; i < s->side * s->side; i++)
      of_x += *lac_contract_planes_pixel(it.x->host, s->side, c, i / s->side, i % s->side) *
              *lac_contract_planes_pixel(it.x_bar->host, s->side, c, i / s->side, i % s->side);
  for (gsize i = 0; i < it.n_w; i++)
    of_w += it.w->host[i] * it.w_bar->host[i];
  lac_contract_close(contract, of_x, of_y, size, 4);
  lac_contract_close(contract, of_w, of_y, size, 4);
  lac_contract_clear(contract);
}

static void
run_planes_adjoints(LacContract *contract)
{
  g_autoptr(LacPool) pool = lac_pool_new(3);

  for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
    check_adjoints(contract, pool, &shapes[i]);
}

static gboolean
is_known(const LacBackend *table)
{
  return table->planes != NULL;
}

const LacContractRow lac_contract_convolution_rows[] = {
  {"planes-convolve-as-defined", run_planes_convolve, is_known},
  {"planes-directions-are-adjoints", run_planes_adjoints, is_known},
  {NULL},
};
