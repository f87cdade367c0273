/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear kernels against the triple sum, the fused layer against its composed twin, and threads against none. */
#include "backend-bench.h"

#include <math.h>
#include <string.h>

typedef struct {
  gsize n_points, n_streams, n_in, n_out;
} Shape;

static const Shape shapes[] = {
  {5, 1, 1, 1},   {7, 5, 3, 40},  {7, 5, 4, 300}, {7, 5, 40, 3},
  {3, 2, 300, 2}, {7, 5, 20, 33}, {300, 6, 8, 8}, {300, 6, 2, 9},
};

static void
check_linear(Bench *bench, const Shape *s, gboolean biased)
{
  const gsize rows = s->n_points * s->n_streams;
  Buffer     *x = bench_random_buffer(bench, rows * s->n_in, 1);
  Buffer     *w = bench_random_buffer(bench, s->n_out * s->n_in, 1);
  Buffer     *bias = bench_random_buffer(bench, s->n_out, 1);
  Buffer     *y = bench_constant_buffer(bench, rows * s->n_out, NAN);
  LacLinear   args = {.type = bench->type,
                      .n_points = s->n_points,
                      .n_streams = s->n_streams,
                      .n_in = s->n_in,
                      .n_out = s->n_out,
                      .x = x->device,
                      .w = w->device,
                      .bias = biased ? bias->device : NULL,
                      .y = y->device};

  bench_ok(bench->device.table->linear(bench->device.self, &args));
  bench_fetch(bench, y);
  for (gsize r = 0; r < rows; r++)
    for (gsize o = 0; o < s->n_out; o++) {
      double sum = biased && r % s->n_streams == 0 ? bias->host[o] : 0;
      for (gsize i = 0; i < s->n_in; i++)
        sum += x->host[r * s->n_in + i] * w->host[o * s->n_in + i];
      bench_close(bench, y->host[r * s->n_out + o], sum, sqrt((double) s->n_in), 4 + s->n_in);
    }
  bench_clear(bench);
}

void
case_linear(Bench *bench)
{
  for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
    for (int biased = 0; biased < 2; biased++)
      check_linear(bench, &shapes[i], biased);
}

/* Adds a^T b or a b to `sum`, for the reference of the bars. */
static double
column_dot(const double *a, gsize a_row, const double *b, gsize b_row, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += a[i * a_row] * b[i * b_row];
  return sum;
}

static void
check_bars(const Bench  *bench,
           const Shape  *s,
           const Buffer *x,
           const Buffer *w,
           const Buffer *y_bar)
{
  const gsize   rows = s->n_points * s->n_streams;
  const Buffer *x_bar = y_bar + 1, *w_bar = y_bar + 2, *bias_bar = y_bar + 3;
  const double  deep = sqrt((double) rows), wide = sqrt((double) s->n_out);

  for (gsize r = 0; r < rows; r++)
    for (gsize i = 0; i < s->n_in; i++)
      bench_close(bench, x_bar->host[r * s->n_in + i],
                  0.5 + column_dot(y_bar->host + r * s->n_out, 1, w->host + i, s->n_in, s->n_out),
                  wide, 4 + s->n_out);
  for (gsize o = 0; o < s->n_out; o++) {
    for (gsize i = 0; i < s->n_in; i++)
      bench_close(bench, w_bar->host[o * s->n_in + i],
                  0.5 + column_dot(y_bar->host + o, s->n_out, x->host + i, s->n_in, rows), deep,
                  8 + deep);
    bench_close(bench, bias_bar->host[o],
                0.5 + column_dot(y_bar->host + o, s->n_out * s->n_streams, (const double[]){1}, 0,
                                 s->n_points),
                deep, 8 + deep);
  }
}

static void
check_linear_reverse(Bench *bench, const Shape *s)
{
  const gsize rows = s->n_points * s->n_streams;
  Buffer     *x = bench_random_buffer(bench, rows * s->n_in, 1);
  Buffer     *w = bench_random_buffer(bench, s->n_out * s->n_in, 1);
  Buffer     *y_bar = bench_random_buffer(bench, rows * s->n_out, 1);
  Buffer     *x_bar = bench_constant_buffer(bench, x->n, 0.5);
  Buffer     *w_bar = bench_constant_buffer(bench, w->n, 0.5);
  Buffer     *bias_bar = bench_constant_buffer(bench, s->n_out, 0.5);
  LacLinear   args = {.type = bench->type,
                      .n_points = s->n_points,
                      .n_streams = s->n_streams,
                      .n_in = s->n_in,
                      .n_out = s->n_out,
                      .x = x->device,
                      .w = w->device,
                      .y_bar = y_bar->device};

  bench_ok(bench->device.table->linear_reverse(bench->device.self, &args)); /* nothing is wanted */
  args.x_bar = x_bar->device;
  bench_ok(bench->device.table->linear_reverse(bench->device.self, &args));
  args.x_bar = NULL;
  args.w_bar = w_bar->device;
  args.bias_bar = bias_bar->device;
  bench_ok(bench->device.table->linear_reverse(bench->device.self, &args));
  bench_fetch(bench, x_bar);
  bench_fetch(bench, w_bar);
  bench_fetch(bench, bias_bar);
  check_bars(bench, s, x, w, y_bar);
  bench_clear(bench);
}

void
case_linear_reverse(Bench *bench)
{
  for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
    check_linear_reverse(bench, &shapes[i]);
}

/* ---- layer ---- */

typedef struct {
  LacScalar scalar;
  LacJet    jet;
  gsize     n_points, n_in, n_out;
  Buffer   *x, *w, *bias;
  LacLayer  args; /* packed, with y and saved */
  Buffer   *y;
} Net;

static Net
make_net(Bench *bench, LacScalar scalar, LacJet jet, const Shape *s)
{
  const gsize rows = s->n_points * jet.n_streams;
  Net         net = {scalar, jet, s->n_points, s->n_in, s->n_out};
  gsize       n_bytes;

  net.x = bench_random_buffer(bench, rows * s->n_in, 1);
  net.w = bench_random_buffer(bench, s->n_out * s->n_in, 1 / sqrt((double) s->n_in));
  net.bias = bench_random_buffer(bench, s->n_out, 1);
  net.y = bench_constant_buffer(bench, rows * s->n_out, NAN);
  net.args = (LacLayer){.scalar = scalar,
                        .type = bench->type,
                        .jet = NULL,
                        .n_points = s->n_points,
                        .n_in = s->n_in,
                        .n_out = s->n_out,
                        .x = net.x->device,
                        .w = net.w->device,
                        .bias = net.bias->device,
                        .y = net.y->device,
                        .saved = bench_constant_buffer(bench, rows * s->n_out, NAN)->device};
  net.args.jet = &jet;
  n_bytes = bench->device.table->layer_pack_bytes(bench->device.self, &net.args);
  net.args.w_forward =
    bench_constant_buffer(bench, n_bytes / lac_type_size(bench->type), NAN)->device;
  net.args.w_reverse =
    bench_constant_buffer(bench, n_bytes / lac_type_size(bench->type), NAN)->device;
  bench_ok(bench->device.table->layer_pack(
    bench->device.self, &net.args, (void *) net.args.w_forward, (void *) net.args.w_reverse));
  return net;
}

static void
check_layer(Bench *bench, Net *net)
{
  const LacBackend  *table = bench->device.table;
  Buffer            *z = bench_constant_buffer(bench, net->y->n, NAN);
  g_autofree double *fused = NULL;
  LacLinear          linear = {.type = bench->type,
                               .n_points = net->n_points,
                               .n_streams = net->jet.n_streams,
                               .n_in = net->n_in,
                               .n_out = net->n_out,
                               .x = net->x->device,
                               .w = net->w->device,
                               .bias = net->bias->device,
                               .y = z->device};
  LacMapJet          map = {.scalar = net->scalar,
                            .type = bench->type,
                            .jet = &net->jet,
                            .n_points = net->n_points,
                            .n_columns = net->n_out,
                            .x = z->device,
                            .y = net->y->device};

  net->args.jet = &net->jet;
  bench_ok(table->layer(bench->device.self, &net->args));
  bench_fetch(bench, net->y);
  fused = g_memdup2(net->y->host, net->y->n * sizeof(double));
  bench_ok(table->linear(bench->device.self, &linear));
  bench_ok(table->map_jet(bench->device.self, &map));
  bench_fetch(bench, net->y);
  for (gsize i = 0; i < net->y->n; i++)
    bench_close(bench, fused[i], net->y->host[i], 64,
                16); /* fourth derivatives of arguments below 2 */
}

/* The bars of the fused layer are those of linear and map_jet one after the other. */
static void
check_layer_reverse(Bench *bench, Net *net)
{
  const LacBackend *table = bench->device.table;
  void             *self = bench->device.self;
  Buffer           *z = bench_constant_buffer(bench, net->y->n, NAN);
  Buffer           *y_bar = bench_random_buffer(bench, net->y->n, 1);
  Buffer           *z_bar = bench_constant_buffer(bench, net->y->n, 0);
  Buffer           *bars[2][3];
  LacLinear         linear = {.type = bench->type,
                              .n_points = net->n_points,
                              .n_streams = net->jet.n_streams,
                              .n_in = net->n_in,
                              .n_out = net->n_out,
                              .x = net->x->device,
                              .w = net->w->device,
                              .bias = net->bias->device,
                              .y = z->device};
  LacMapJet         map = {.scalar = net->scalar,
                           .type = bench->type,
                           .jet = &net->jet,
                           .n_points = net->n_points,
                           .n_columns = net->n_out,
                           .x = z->device,
                           .y = net->y->device,
                           .y_bar = y_bar->device,
                           .x_bar = z_bar->device};

  for (int way = 0; way < 2; way++) {
    bars[way][0] = bench_constant_buffer(bench, net->x->n, 0.5);
    bars[way][1] = bench_constant_buffer(bench, net->w->n, 0.5);
    bars[way][2] = bench_constant_buffer(bench, net->n_out, 0.5);
  }
  net->args.jet = &net->jet;
  bench_ok(table->layer(self, &net->args));
  bench_ok(table->linear(self, &linear));
  bench_ok(table->map_jet(self, &map));
  bench_ok(table->map_jet_reverse(self, &map));
  linear.y_bar = z_bar->device;
  linear.x_bar = bars[0][0]->device;
  linear.w_bar = bars[0][1]->device;
  linear.bias_bar = bars[0][2]->device;
  bench_ok(table->linear_reverse(self, &linear));
  net->args.y_bar = y_bar->device; /* becomes z_bar */
  net->args.x_bar = bars[1][0]->device;
  net->args.w_bar = bars[1][1]->device;
  net->args.bias_bar = bars[1][2]->device;
  bench_ok(table->layer_reverse(self, &net->args));
  bench_fetch(bench, y_bar);
  bench_fetch(bench, z_bar);
  for (gsize i = 0; i < y_bar->n; i++)
    bench_close(bench, y_bar->host[i], z_bar->host[i], 256, 16);
  for (int k = 0; k < 3; k++) {
    bench_fetch(bench, bars[0][k]);
    bench_fetch(bench, bars[1][k]);
    for (gsize i = 0; i < bars[0][k]->n; i++)
      bench_close(bench, bars[1][k]->host[i], bars[0][k]->host[i],
                  256 * sqrt((double) net->n_points), 16);
  }
}

static void
for_all_nets(Bench *bench, void (*check)(Bench *bench, Net *net))
{
  static const Shape sizes[] = {
    {5, 0, 3, 20},
    {32, 0, 64, 64},
    {7, 0, 50, 37},
  };
  const LacJet jets[] = {
    lac_jet_value(),
    lac_jet(3, (const unsigned[]){1, 1, 1}, (const double[]){0, 1, 0.5}),
    lac_jet(2, (const unsigned[]){2, 1}, NULL),
    lac_jet(2, (const unsigned[]){4, 3}, (const double[]){1, 0.5}),
  };

  for (int scalar = 0; scalar < LAC_N_SCALARS; scalar++)
    for (gsize j = 0; j < G_N_ELEMENTS(jets); j++)
      for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
        if (bench_scalar_is_positive((LacScalar) scalar))
          continue; /* no activation */
        Net net = make_net(bench, (LacScalar) scalar, jets[j], &sizes[s]);
        check(bench, &net);
        bench_clear(bench);
      }
}

void
case_layer(Bench *bench)
{
  for_all_nets(bench, check_layer);
}

void
case_layer_reverse(Bench *bench)
{
  for_all_nets(bench, check_layer_reverse);
}

/* ---- threads ---- */

typedef struct {
  const Bench *bench;
  LacLayer     args;
} Tile;

static gpointer
run_tile(gpointer data)
{
  Tile *tile = data;

  for (int turn = 0; turn < 50; turn++)
    bench_ok(tile->bench->device.table->layer(tile->bench->device.self, &tile->args));
  return NULL;
}

/* Four threads on four tiles, again and again, leave what one thread leaves. */
static void
check_threads(Bench *bench, LacScalar scalar)
{
  enum { N_TILES = 4, POINTS = 16 };
  const Shape shape = {N_TILES * POINTS, 0, 48, 64};
  Net         net =
    make_net(bench, scalar, lac_jet(2, (const unsigned[]){1, 1}, (const double[]){1, 1}), &shape);
  g_autofree double *alone = NULL;
  const gsize        point = net.jet.n_streams * lac_type_size(bench->type);
  GThread           *threads[N_TILES];
  Tile               tiles[N_TILES];

  if (!bench->device.table->concurrent) {
    bench_clear(bench);
    return;
  }
  for (int t = 0; t < N_TILES; t++) {
    tiles[t] = (Tile){bench, net.args};
    tiles[t].args.jet = &net.jet;
    tiles[t].args.n_points = POINTS;
    tiles[t].args.x = (const char *) net.args.x + t * POINTS * point * net.n_in;
    tiles[t].args.y = (char *) net.args.y + t * POINTS * point * net.n_out;
    tiles[t].args.saved = (char *) net.args.saved + t * POINTS * point * net.n_out;
    run_tile(&tiles[t]);
  }
  bench_fetch(bench, net.y);
  alone = g_memdup2(net.y->host, net.y->n * sizeof(double));
  for (gsize i = 0; i < net.y->n; i++)
    net.y->host[i] = NAN;
  bench_upload(bench, net.y);
  for (int t = 0; t < N_TILES; t++)
    threads[t] = g_thread_new("tile", run_tile, &tiles[t]);
  for (int t = 0; t < N_TILES; t++)
    g_thread_join(threads[t]);
  bench_fetch(bench, net.y);
  g_assert_cmpint(memcmp(alone, net.y->host, net.y->n * sizeof(double)), ==, 0);
  bench_clear(bench);
}

/* Of these formulas one may have kernels of its own, the other is composed of linear and map_jet. */
void
case_threads(Bench *bench)
{
  check_threads(bench, LAC_SCALAR_TANH);
  check_threads(bench, LAC_SCALAR_SIN);
}
